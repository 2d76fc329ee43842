package table

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A Decider makes the decisions of one seat: a bot, a program, a person at a
// terminal.
type Decider interface {
	// Decide returns a Split, Choose or Place for the seat, which has
	// something to decide in s, or a Resign. When ctx ends, at the latest when
	// the seat's time is over, the answer is not wanted any more. With an
	// error, or a move that the rules forbid, the seat's time runs out.
	Decide(ctx context.Context, s duel.State, seat int) (engine.Move, error)
}

// A Watcher is a Decider that wants to see every entry of its match.
type Watcher interface {
	Watch(s duel.State, r duel.Report)
}

// A Sitting is somebody who sits at a table and plays by himself: ready at
// once, starting when both are, answering each turn, claiming what is due.
type Sitting struct {
	Player Decider
	// Matches is how many to play at most; rematches are offered and agreed
	// to until then. 0 means 1.
	Matches int
	// MustRate leaves rather than play a match that will not count.
	MustRate bool
	// Think is waited before each decision.
	Think time.Duration
	// Tell, if not nil, is told of every event, in order.
	Tell func(Event)
}

// A Finished is a match that came to its end at a table.
type Finished struct {
	ID     record.ID
	Seat   int
	Terms  record.Terms
	Result lockstep.Result
	Log    []byte // a .cleave file, as far as it goes
	Sealed bool
}

// A NotRatedError says why a match that was to be rated would not be.
type NotRatedError struct{ Why []lockstep.Reason }

func (e *NotRatedError) Error() string {
	why := make([]string, len(e.Why))
	for i, r := range e.Why {
		why[i] = r.String()
	}
	return "this match would not be rated: " + strings.Join(why, "; ")
}

// ErrNotBack is returned by Play when the other player of a match that was gone
// on with has not come back. The match can be gone on with later.
var ErrNotBack = errors.New("the other player has not come back; the match can be gone on with later")

// returnPatience is how long the other player of such a match is waited for. If
// it is he who owes the next entry, a claim comes due before.
const returnPatience = 2 * time.Minute

// claimPatience is how long a claim that a server keeps, and does not decide
// yet, is waited on for the other player to come back.
const claimPatience = 30 * time.Second

// Play runs the table with s sitting at it until the last match is over and
// the other player has been left. It returns the matches that came to an end,
// and nil when both parted in good order.
func Play(ctx context.Context, t *Table, s Sitting) ([]Finished, error) {
	sit := &sitter{Sitting: s, table: t, decided: make(chan decision), gone: make(chan struct{})}
	sit.Matches = max(sit.Matches, 1)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return t.Run(ctx) })
	group.Go(func() error { return sit.run(ctx) })
	err := group.Wait()
	if errors.Is(err, ErrLeft) {
		err = nil
	}
	if sit.refused != nil {
		err = sit.refused
	}
	return sit.finished, err
}

// How long a room that must count may look as if it did not: until both have
// told of their tickets, or until a player who is new has worked for the first
// ones, for which a phone takes its time.
const (
	ratedPatience  = 3 * time.Second
	ticketPatience = 45 * time.Second
)

// sealPatience is how long whoever made the seal stays for the other to get it.
const sealPatience = 5 * time.Second

type sitter struct {
	Sitting
	table    *Table
	finished []Finished
	last     duel.State        // after the last entry, for a Watcher
	present  *Finished         // the match that is over and may still get its seal
	sealed   bool              // by this side, or by two resignations
	counted  bool              // the present match was counted
	starting bool              // the room's start was asked for
	giveUp   <-chan time.Time  // when to leave in any case
	refused  error             // why this side would not play
	why      []lockstep.Reason // the room's, while it would not count and must
	unrated  <-chan time.Time  // when that is taken for final
	notBack  <-chan time.Time  // when the other is taken not to come back

	thinking context.CancelFunc // of the decision being made, nil if none
	turn     int                // counts decisions asked for
	decided  chan decision
	gone     chan struct{} // closed when run has returned
}

type decision struct {
	turn int
	move engine.Move
	err  error

	limited bool // its time runs out by itself
}

// run answers events until the table closes them.
func (s *sitter) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer close(s.gone)
	if s.table.resumed != nil {
		s.notBack = time.After(returnPatience)
	}
	for {
		select {
		case e, ok := <-s.table.Events():
			if !ok {
				s.stopThinking()
				return nil
			}
			if s.Tell != nil {
				s.Tell(e)
			}
			switch e := e.(type) {
			case Joined:
				s.notBack = nil
			case FromSession:
				s.answer(ctx, e.Event)
			}
		case d := <-s.decided:
			if ctx.Err() == nil { // else it was not the player who failed
				s.decide(d)
			}
		case <-s.giveUp:
			s.table.Leave()
		case <-s.notBack:
			s.refused = ErrNotBack
			s.table.Leave()
		case <-s.unrated:
			s.refused = &NotRatedError{Why: s.why}
			s.table.Leave()
		}
	}
}

// answer does what this player does about an event.
func (s *sitter) answer(ctx context.Context, e lockstep.Event) {
	switch e := e.(type) {
	case lockstep.RoomChanged:
		s.room(e)
	case lockstep.Started:
		s.present, s.counted, s.last = nil, false, duel.New(e.ID)
	case lockstep.YourTurn:
		s.think(ctx, e.Kind)
	case lockstep.Held:
		s.stopThinking()
	case lockstep.Applied:
		// After one's own entry there may be nothing more to decide; after
		// the peer's, what is being decided stays the same.
		if v := s.table.Snapshot().View; int(e.Entry.Move.Seat) == v.Seat {
			s.stopThinking()
		}
		s.watch(e)
	// An offer to call the match off is not agreed to: whoever is about to lose
	// would make it. It lapses with the next entry.
	case lockstep.ClaimDue:
		s.table.Claim()
	case lockstep.ClaimMade:
		s.giveUp = time.After(claimPatience)
	case lockstep.Over:
		s.stopThinking()
		s.over(e.Result, e.Log, e.Sealed)
		s.sealed = e.Sealed
		if e.Sealed || e.Result.End != lockstep.ByEngine {
			s.count()
		}
	case lockstep.Sealed:
		s.seal(e.Log)
	case lockstep.Unsealed:
		if s.present == nil {
			s.over(s.table.Snapshot().View.Result, e.Log, false)
		}
		s.count()
	case lockstep.RematchOffered:
		s.table.Rematch(len(s.finished) < s.Matches)
	case lockstep.RematchRefused:
		s.table.Leave()
	case lockstep.ClaimGone:
		s.giveUp = nil
	}
}

// room answers the waiting room: ready, started, or left.
func (s *sitter) room(e lockstep.RoomChanged) {
	s.unrated = nil
	if s.MustRate && len(e.Why) > 0 {
		patience := ticketPatience
		for _, w := range e.Why {
			if w != lockstep.WhyPeerNoTicket && w != lockstep.WhyNoTicket {
				patience = ratedPatience
			}
		}
		s.why, s.unrated = e.Why, time.After(patience)
		return
	}
	if len(s.finished) > 0 {
		return // for a rematch both are ready by agreeing to it
	}
	if e.Ready != [2]bool{true, true} {
		s.starting = false
	}
	// What has been answered since is not answered again.
	v := s.table.Snapshot().View
	switch now := v.Room.Ready; {
	case v.Match:
	case !now[0]:
		s.table.Ready(true)
	case now[1] && v.Host && !s.starting:
		s.starting = true
		s.table.Start()
	}
}

// watch shows the player an entry, if it wants to know.
func (s *sitter) watch(e lockstep.Applied) {
	after, ok := e.Position.(duel.State)
	if !ok {
		return
	}
	before := s.last
	s.last = after
	w, ok := s.Player.(Watcher)
	if !ok {
		return
	}
	// After a restart, and where a resignation crossed entries, the state
	// before is not the one that was seen last.
	if next, report, err := duel.Apply(before, e.Entry.Move); err == nil && next == after {
		w.Watch(after, report)
	}
}

// think asks the player for the decision that is awaited now. While both place
// the player sees the boards as they were at the choice, whether or not the
// other has placed already: who thinks longer may not see more, and a bot
// decides the same however fast the two programs are.
func (s *sitter) think(ctx context.Context, kind engine.Kind) {
	s.stopThinking()
	v := s.table.Snapshot().View
	if v.Kind == engine.None {
		return
	}
	state, ok := v.Pos.(duel.State)
	if !ok {
		return // a ruleset that no Decider plays
	}
	if s.last.Match() == v.ID && s.last.MayDecide(v.Seat) == kind {
		state = s.last
	}
	due := time.Now().AddDate(1, 0, 0) // no limit
	limited := v.LimitMs > 0
	if limited {
		due = time.Now().Add(time.Duration(v.DueMono-s.table.Snapshot().NowMono) * time.Millisecond)
	}
	ctx, cancel := context.WithDeadline(ctx, due)
	s.thinking = cancel
	turn, seat, gone := s.turn, v.Seat, s.gone
	go func() {
		defer cancel()
		if s.Think > 0 {
			select {
			case <-time.After(s.Think):
			case <-ctx.Done():
			}
		}
		move, err := s.Player.Decide(ctx, state, seat)
		move.Seat = uint8(seat)
		if err == nil && move.Kind != engine.Resign {
			err = state.Check(move)
		}
		select {
		case s.decided <- decision{turn, move, err, limited}:
		case <-gone:
		}
	}()
}

func (s *sitter) stopThinking() {
	s.turn++
	if s.thinking != nil {
		s.thinking()
		s.thinking = nil
	}
}

func (s *sitter) decide(d decision) {
	if d.turn != s.turn {
		return // decided too late
	}
	if d.err != nil {
		if s.Tell != nil {
			s.Tell(Noted{Text: fmt.Sprintf("the player at this seat failed: %v", d.err)})
		}
		if !d.limited {
			s.table.Resign() // nobody may be kept waiting for ever
		}
		return
	}
	if d.move.Kind == engine.Resign {
		s.table.Resign()
		return
	}
	s.table.Decide(d.move)
}

// over notes how the present match ended.
func (s *sitter) over(r lockstep.Result, log []byte, sealed bool) {
	v := s.table.Snapshot().View
	s.present = &Finished{ID: v.ID, Seat: v.Seat, Terms: v.Terms, Result: r, Log: log, Sealed: sealed}
}

func (s *sitter) seal(log []byte) {
	if s.present == nil { // it was over before this program was started
		s.over(s.table.Snapshot().View.Result, log, true)
	}
	s.present.Log, s.present.Sealed = log, true
	if s.counted {
		s.finished[len(s.finished)-1] = *s.present
	}
	s.count()
}

// count notes that the present match has come to its end, and goes on to the
// next or leaves.
func (s *sitter) count() {
	if s.present == nil || s.counted {
		return
	}
	s.counted = true
	s.finished = append(s.finished, *s.present)
	switch {
	case len(s.finished) < s.Matches && s.present.Result.End == lockstep.ByEngine:
		s.table.Rematch(true)
	case s.present.Sealed && s.sealed:
		// This side made the seal: the other leaves when it has it.
		s.giveUp = time.After(sealPatience)
	default:
		s.table.Leave()
	}
}
