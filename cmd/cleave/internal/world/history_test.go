package world

import (
	"errors"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/ui"
)

// played returns a world in whose history there is one whole practice match,
// played by bots at both seats.
func played(t *testing.T) (*World, ui.Played) {
	t.Helper()
	w, err := Open(vault.Memory("p"), "test", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	here, there := vault.Memory("here"), vault.Memory("there")
	if err := here.Import(w.id, false); err != nil {
		t.Fatal(err)
	}
	other, err := there.Identity()
	if err != nil {
		t.Fatal(err)
	}
	host, guest := table.Within(w.id.Key(), other.Key())
	room := lockstep.Room{Name: "r", Clocks: lockstep.ClocksOff, Friendly: true}
	a, err := table.New(table.Config{Vault: here, Path: host, Name: "Ada", Room: room})
	if err != nil {
		t.Fatal(err)
	}
	b, err := table.New(table.Config{Vault: there, Path: guest, Name: "Bob"})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	for _, side := range []*table.Table{a, b} {
		go side.Run(t.Context())
		go func() {
			player, seat, pos := bot.New(bot.Medium, 1), 0, duel.State{}
			for e := range side.Events() {
				if side == a {
					w.keep(here, e)
					startWhenReady(a, e)
				}
				fs, ok := e.(table.FromSession)
				if !ok {
					continue
				}
				switch e := fs.Event.(type) {
				case lockstep.RoomChanged:
					if side == b && !e.Ready[0] {
						b.Ready(true)
					}
				case lockstep.Started:
					seat = e.Seat
				case lockstep.Applied:
					pos = e.Position.(duel.State)
				case lockstep.YourTurn:
					side.Decide(player.Decide(pos, seat))
				}
				if _, over := fs.Event.(lockstep.Over); over && side == a {
					close(done)
				}
			}
		}()
	}
	<-done
	for end := time.Now().Add(30 * time.Second); ; {
		if list := w.Matches(); len(list) == 1 {
			if r, err := w.Replay(list[0].ID); err == nil && r.Proofs[len(r.Proofs)-1].OK {
				return w, list[0]
			}
		}
		if time.Now().After(end) {
			t.Fatal("the match was not kept")
		}
	}
}

func TestReplayAndReview(t *testing.T) {
	w, p := played(t)
	r, err := w.Replay(p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !r.View.State.Over() || len(r.Moves) == 0 {
		t.Errorf("%d moves, over: %v", len(r.Moves), r.View.State.Over())
	}
	for _, proof := range r.Proofs {
		if !proof.OK {
			t.Errorf("%s does not hold", proof.Text)
		}
	}
	for end := time.Now().Add(30 * time.Second); ; {
		notes, progress, err := w.Review(p.ID, r.View.Me)
		if err != nil {
			t.Fatal(err)
		}
		if progress == 1 {
			for _, n := range notes {
				if n.Points < leastWorth || n.Move >= len(r.Moves) || n.Better == r.Moves[n.Move] {
					t.Errorf("%+v", n)
				}
			}
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the review stands at %.2f", progress)
		}
	}
}

// A record that was damaged says where, and is not shown as a match.
func TestReplayOfADamagedRecord(t *testing.T) {
	w, p := played(t)
	log, err := w.vault.Log(p.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range []struct {
		what  string
		at    int
		entry bool
	}{
		{"an entry", len(log) / 2, false}, // it may not even read
		{"the beginning", 0, false},
		{"the end", len(log) - 1, true},
	} {
		bad := append([]byte(nil), log...)
		bad[damage.at] ^= 1
		if err := w.vault.SaveLog(w.info(p.ID), bad); err != nil {
			t.Fatal(err)
		}
		_, err := w.Replay(p.ID)
		if err == nil {
			t.Errorf("%s damaged: it still opens", damage.what)
			continue
		}
		var n ui.Notice
		if !errors.As(err, &n) || damage.entry && (n.ID != "problem.record_entry" || n.N == 0) {
			t.Errorf("%s damaged: %v", damage.what, err)
		}
	}
}
