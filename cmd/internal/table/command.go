package table

import (
	"context"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep"
)

// A command is what a caller wants done in the goroutine of Run.
type command func(context.Context) error

// do has the goroutine of Run call a method of the session.
func (t *Table) do(f func(*lockstep.Session, lockstep.Now) []lockstep.Action) {
	t.order(func(ctx context.Context) error { return t.carryOut(ctx, f(t.session, t.now())) })
}

// order has the goroutine of Run carry c out, once there is a session.
func (t *Table) order(c command) {
	t.mu.Lock()
	t.commands = append(t.commands, c)
	t.mu.Unlock()
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// Ready says that one is ready for the room as last shown, or is not.
func (t *Table) Ready(ready bool) {
	t.do(func(s *lockstep.Session, now lockstep.Now) []lockstep.Action { return s.Ready(now, ready) })
}

// Start begins the match (host only, both ready).
func (t *Table) Start() {
	t.do(func(s *lockstep.Session, now lockstep.Now) []lockstep.Action { return s.Start(now) })
}

// SetRoom changes the room's settings (host only).
func (t *Table) SetRoom(room lockstep.Room) {
	t.do(func(s *lockstep.Session, now lockstep.Now) []lockstep.Action { return s.SetRoom(now, room) })
}

// Decide takes a decision of one's own.
func (t *Table) Decide(m engine.Move) {
	t.do(func(s *lockstep.Session, now lockstep.Now) []lockstep.Action { return s.Decide(now, m) })
}

// Resign gives the match up.
func (t *Table) Resign() {
	t.do(func(s *lockstep.Session, now lockstep.Now) []lockstep.Action { return s.Resign(now) })
}

// Claim makes the claim that is due. In a match that the ranking server has
// opened it goes there; any other ends as abandoned by the peer.
func (t *Table) Claim() {
	t.do(func(s *lockstep.Session, now lockstep.Now) []lockstep.Action { return s.Claim(now) })
}

// CallOff offers to call the match off, or agrees to it.
func (t *Table) CallOff() {
	t.do(func(s *lockstep.Session, now lockstep.Now) []lockstep.Action { return s.CallOff(now) })
}

// Rematch offers or agrees to a further match, or refuses one.
func (t *Table) Rematch(want bool) {
	t.do(func(s *lockstep.Session, now lockstep.Now) []lockstep.Action { return s.Rematch(now, want) })
}

// Say sends a line of chat.
func (t *Table) Say(text string) {
	t.do(func(s *lockstep.Session, now lockstep.Now) []lockstep.Action { return s.Say(now, text) })
}

// Express sends a preset expression.
func (t *Table) Express(number uint8) {
	t.do(func(s *lockstep.Session, now lockstep.Now) []lockstep.Action { return s.Express(now, number) })
}

// Preview shows the peer what one is about to do.
func (t *Table) Preview(data []byte) {
	t.do(func(s *lockstep.Session, now lockstep.Now) []lockstep.Action { return s.Preview(now, data) })
}

// Leave says goodbye; Run returns ErrLeft soon after.
func (t *Table) Leave() { t.leave.Do(func() { close(t.leaving) }) }

// obey carries out what callers have asked for.
func (t *Table) obey(ctx context.Context) error {
	t.mu.Lock()
	commands := t.commands
	t.commands = nil
	t.mu.Unlock()
	for _, c := range commands {
		if err := c(ctx); err != nil {
			return err
		}
	}
	return nil
}
