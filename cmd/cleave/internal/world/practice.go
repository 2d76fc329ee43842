package world

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/ui"
)

// A computer that answers at once is no company.
const (
	botThinks = 900 * time.Millisecond
	botReads  = 1200 * time.Millisecond // before it splits, so that the block is seen
)

// Practise opens a match against the computer: a real match between two real
// tables in this process, the other one with a key that nobody keeps.
func (w *World) Practise(c ui.PracticeChoice) (ui.Seat, error) {
	level, err := bot.ParseLevel(c.Level)
	if err != nil {
		return nil, told(err)
	}
	var seed [8]byte
	rand.Read(seed[:])
	player := bot.New(level, binary.BigEndian.Uint64(seed[:]))
	ctx, cancel := context.WithCancel(w.ctx)
	room := lockstep.Room{Name: "practice", Clocks: lockstep.ClocksOff, Friendly: true}
	if c.Clocks {
		room.Clocks = lockstep.ClocksStandard
	}
	mine := vault.Memory("practice")
	if err := mine.Import(w.id, false); err != nil {
		cancel()
		return nil, told(err)
	}
	theirs := vault.Memory("computer")
	other, err := theirs.Identity()
	if err != nil {
		cancel()
		return nil, told(err)
	}
	here, there := table.Within(w.id.Key(), other.Key())
	name := w.name()
	watch := newStopwatch()
	host, err := table.New(table.Config{Vault: mine, Path: here, Name: name, Room: room, Now: watch.Now})
	if err != nil {
		cancel()
		return nil, told(err)
	}
	guest, err := table.New(table.Config{Vault: theirs, Path: there, Name: levelNames[level], Now: watch.Now})
	if err != nil {
		cancel()
		return nil, told(err)
	}
	s := w.newSeat(host, name)
	s.friendly = true
	if c.Clocks {
		s.watch = watch
	}
	w.work.Go(func() {
		defer cancel()
		s.run(ctx, func(e table.Event) { w.keep(mine, e); startWhenReady(host, e) })
	})
	w.work.Go(func() { playBot(ctx, guest, player) })
	return s, nil
}

var levelNames = map[bot.Level]string{
	bot.Beginner: "Pip", bot.Easy: "Robin", bot.Medium: "Sage", bot.Hard: "Flint", bot.Expert: "Obsidian",
}

// startWhenReady makes a host ready, and starts when both are.
func startWhenReady(t *table.Table, e table.Event) {
	fs, ok := e.(table.FromSession)
	if !ok {
		return
	}
	if room, ok := fs.Event.(lockstep.RoomChanged); ok {
		switch room.Ready {
		case [2]bool{true, true}:
			t.Start()
		case [2]bool{false, true}:
			t.Ready(true)
		}
	}
}

// playBot lets a bot play at a table until it ends.
func playBot(ctx context.Context, t *table.Table, player *bot.Player) {
	go t.Run(ctx)
	var pos duel.State
	seat := 0
	for e := range t.Events() {
		fs, ok := e.(table.FromSession)
		if !ok {
			continue
		}
		switch e := fs.Event.(type) {
		case lockstep.RoomChanged:
			if !e.Ready[0] {
				t.Ready(true)
			}
		case lockstep.Started:
			seat = e.Seat
		case lockstep.Applied:
			pos = e.Position.(duel.State)
		case lockstep.YourTurn:
			wait := botThinks
			if e.Kind == engine.Split {
				wait = botReads
			}
			move := player.Decide(pos, seat)
			time.AfterFunc(wait, func() { t.Decide(move) })
		case lockstep.RematchOffered:
			t.Rematch(true)
		}
	}
}

// keep puts a finished practice match into the player's own history.
func (w *World) keep(from *vault.Vault, e table.Event) {
	saved, ok := e.(table.Saved)
	if !ok {
		return
	}
	logs, err := from.Logs()
	if err != nil {
		w.note("keeping a practice match", err)
		return
	}
	id := fmt.Sprintf("%x", saved.ID)
	for _, l := range logs {
		if l.ID == id {
			if err := w.vault.SaveLog(l, saved.Log); err != nil {
				w.note("keeping a practice match", err)
			}
			return
		}
	}
}
