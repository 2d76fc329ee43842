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
			return nil, told(err)
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
			return nil, told(err)
		}
		h.seats[i] = w.newSeat(t, names[i])
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

// View shows the match from the side of the player who has to decide: of two
// who both may, the one that owes the next entry. It is one table's view
// throughout, so that nothing is seen twice.
func (h *hotseat) View() ui.View {
	v, other := h.seats[0].View(), h.seats[1].View()
	v.Refused += other.Refused
	mine, theirs := v.Me, 1-v.Me
	v.Clock[theirs] = other.Clock[theirs]
	s := v.State
	if s.MayDecide(theirs) != engine.None && (s.Owes() == theirs || s.MayDecide(mine) == engine.None) {
		v.Me = theirs
	}
	return v
}

// seat is the table of a player.
func (h *hotseat) seat(number int) *seat {
	if h.seats[1].View().Me == number {
		return h.seats[1]
	}
	return h.seats[0]
}

// Decide hands the decision in for the player who made it.
func (h *hotseat) Decide(m engine.Move) { h.seat(int(m.Seat)).Decide(m) }

// Preview shows nothing: both look at one screen.
func (h *hotseat) Preview(ui.Preview) {}

// Resign gives the match up for the player who has to decide.
func (h *hotseat) Resign() { h.seat(h.View().Me).Resign() }

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
