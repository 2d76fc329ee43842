package table

import (
	"crypto/ed25519"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/memnet"
)

// A new player's first tickets take some work, and come when both already sit
// in the room. Who insists on a match that counts waits for them.
func TestTicketsThatComeLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(1, memnet.Conditions{Delay: time.Millisecond})
		j := &judge{private: ed25519.NewKeyFromSeed(make([]byte, 32))}
		var seats [2]*seat
		give := func(s *seat, serial byte) {
			now := time.Now()
			ticket := record.IssueTicket(s.id.Key(), j.key(), [16]byte{serial}, now.Unix(), now.Unix()+record.TicketLife, j.sign)
			err := s.vault.AddTickets(now, vault.Ticket{Server: ticket.Server, Serial: ticket.Serial, Expires: time.Unix(ticket.Expires, 0), Bytes: ticket.Append(nil)})
			if err != nil {
				t.Error(err)
			}
		}
		var wg sync.WaitGroup
		var finished [2][]Finished
		var errs [2]error
		for i := range seats {
			s := newSeat(t, link, i)
			v, err := vault.Open(t.TempDir(), "p")
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			if s.id, err = v.Identity(); err != nil {
				t.Fatal(err)
			}
			s.vault, s.room = v, lockstep.Room{Name: "r"}
			seats[i] = s
		}
		give(seats[0], 1)
		for i, s := range seats {
			wg.Go(func() {
				// Nobody answers there: the match cannot be claimed, and counts.
				r := &Ranking{URL: "http://127.0.0.1:1", Key: j.key()}
				var err error
				if r.Client, err = ranking.NewClient(ranking.Config{URL: r.URL, Server: r.Key, Key: s.id.Key(), Sign: func(m []byte) record.Signature { return s.id.Sign(m) }}); err != nil {
					t.Error(err)
				}
				cfg := s.config()
				cfg.Ranking = r
				table, err := New(cfg)
				if err != nil {
					t.Error(err)
					return
				}
				finished[i], errs[i] = Play(t.Context(), table, Sitting{Player: easy(uint64(i), 0), MustRate: true})
			})
		}
		time.Sleep(20 * time.Second)
		give(seats[1], 2)
		wg.Wait()
		for i := range seats {
			if errs[i] != nil {
				t.Fatalf("seat %d: %v", i, errs[i])
			}
		}
		checkLogs(t, finished[0], finished[1])
		if !finished[0][0].Terms.Rated {
			t.Error("the match does not count")
		}
	})
}
