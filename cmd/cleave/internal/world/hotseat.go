package world

import (
	"context"

	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/ui"
)

// hotseat is two players at one device: two tables, of which the screen shows
// the one whose player has to decide.
type hotseat struct{ seats [2]*seat }

// Hotseat opens a match of two players at this device, each with a key that
// nobody keeps.
func (w *World) Hotseat(names [2]string, withClocks bool) (ui.Seat, error) {
	ctx, cancel := context.WithCancel(w.ctx)
	room := lockstep.Room{Name: "device", Clocks: lockstep.ClocksOff, Friendly: true}
	if withClocks {
		room.Clocks = lockstep.ClocksStandard
	}
	var vaults [2]*vault.Vault
	var keys [2][32]byte
	for i := range vaults {
		vaults[i] = vault.Memory("device")
		id, err := vaults[i].Identity()
		if err != nil {
			cancel()
			return nil, err
		}
		keys[i] = id.Key()
	}
	var paths [2]table.Path
	paths[0], paths[1] = table.Within(keys[0], keys[1])
	watch := newStopwatch()
	var h hotseat
	for i := range h.seats {
		t, err := table.New(table.Config{Vault: vaults[i], Path: paths[i], Name: names[i], Room: room, Now: watch.Now})
		if err != nil {
			cancel()
			return nil, err
		}
		h.seats[i] = newSeat(t, names[i])
		h.seats[i].friendly = true
		if withClocks {
			h.seats[i].watch = watch
		}
	}
	host, guest := h.seats[0], h.seats[1]
	w.work.Go(func() {
		defer cancel()
		host.run(ctx, func(e table.Event) { startWhenReady(host.table, e) })
	})
	w.work.Go(func() {
		guest.run(ctx, func(e table.Event) {
			if fs, ok := e.(table.FromSession); ok {
				if r, ok := fs.Event.(lockstep.RoomChanged); ok && !r.Ready[0] {
					guest.table.Ready(true)
				}
			}
		})
	})
	return &h, nil
}

// now is the seat whose player has to decide: the one that owes the next entry
// first. Nobody's is the host's.
func (h *hotseat) now() *seat {
	v := h.seats[0].View()
	if v.State.MayDecide(v.Me) == engine.None && v.State.MayDecide(1-v.Me) != engine.None {
		return h.seats[1]
	}
	if v.State.Owes() == 1-v.Me && v.State.MayDecide(1-v.Me) != engine.None {
		return h.seats[1]
	}
	return h.seats[0]
}

// View shows the player's side who has to decide.
func (h *hotseat) View() ui.View { return h.now().View() }

// Decide hands the decision in for the player who made it.
func (h *hotseat) Decide(m engine.Move) {
	for _, s := range h.seats {
		if s.View().Me == int(m.Seat) {
			s.Decide(m)
			return
		}
	}
}

// Preview shows nothing: both look at one screen.
func (h *hotseat) Preview(ui.Preview) {}

// Resign gives the match up for the player who has to decide.
func (h *hotseat) Resign() { h.now().Resign() }

// Rematch is agreed by both at once.
func (h *hotseat) Rematch() {
	for _, s := range h.seats {
		s.Rematch()
	}
}

// Pause stops both clocks, or lets them go on.
func (h *hotseat) Pause(on bool) { h.seats[0].Pause(on) }

// Claim and CallOff do nothing: nobody stays away from a screen that both sit
// at.
func (h *hotseat) Claim()   {}
func (h *hotseat) CallOff() {}

// Leave ends the match for both.
func (h *hotseat) Leave() {
	for _, s := range h.seats {
		s.Leave()
	}
}
