package store

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// BenchmarkMatchesOf asks for the newest fifty matches of somebody who has played
// ten thousand, as everybody may who knows the player's code.
func BenchmarkMatchesOf(b *testing.B) {
	s := openSQLite(b)
	log := bytes.Repeat([]byte{7}, 7000)
	err := s.Update(b.Context(), func(tx *Tx) error {
		for n := range 10_000 {
			m := match(0)
			binary.BigEndian.PutUint32(m.ID[:], uint32(n))
			m.Players[n%2], m.Players[1-n%2] = key(1), record.Key{2, byte(n), byte(n >> 8)}
			m.FirstMs, m.State, m.Log = int64(n), ranking.StateConfirmed, log
			if err := tx.PutMatch(m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		err := s.View(b.Context(), func(tx *Tx) error {
			all, err := tx.MatchesOf(key(1), 50)
			if len(all) != 50 || all[0].FirstMs != 9_999 || all[49].FirstMs != 9_950 {
				b.Errorf("%d matches", len(all))
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
