package world

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/ui"
)

// seat shows one table to the screen. Its goroutine takes in what happens; the
// screen reads the result under a lock, so that state and moves always belong
// together.
type seat struct {
	table *table.Table
	mine  string // own display name
	// changed is called when there is something new to be seen.
	changed func()
	// friendly says that best points and hints may be shown.
	friendly bool
	// watch is the time of a match that can be paused, else nil.
	watch *stopwatch
	// ruled says what the ranking server made of a match, nil where there
	// is none.
	ruled func(record.ID) ui.Notice

	mu      sync.Mutex
	state   duel.State
	moves   []engine.Move
	me      int
	peer    string
	preview ui.Preview
	quiet   time.Time // since when the peer is silent, zero if it is not
	link    ui.Link
	rematch [2]bool
	callOff bool // the peer would call it off
	refused int  // decisions that were not taken
	ended   string
	why     ui.Notice // why it failed

	snap   *table.Snapshot // the last one seen, and when it was
	snapAt time.Time
}

func (w *World) newSeat(t *table.Table, name string) *seat {
	return &seat{table: t, mine: name, changed: w.changed, state: duel.New([32]byte{})}
}

// run sits at the table until it is over.
func (s *seat) run(ctx context.Context, more func(table.Event)) {
	done := make(chan error, 1)
	go func() { done <- s.table.Run(ctx) }()
	for e := range s.table.Events() {
		s.take(e)
		if more != nil {
			more(e)
		}
		s.changed()
	}
	err := <-done
	defer s.changed()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil || errors.Is(err, table.ErrLeft):
		s.ended = "left"
	case ctx.Err() != nil:
		s.ended = "closed"
	default:
		s.ended, s.why = "failed", notice(err)
		slog.Warn("the table ended", "error", err)
	}
}

// failed says why the table ended, nothing if somebody left it.
func (s *seat) failed() ui.Notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.why
}

// take takes in one event.
func (s *seat) take(e table.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fs, ok := e.(table.FromSession)
	if !ok {
		return
	}
	switch e := fs.Event.(type) {
	case lockstep.Met:
		s.peer = e.Peer.Name
	case lockstep.Started:
		s.state, s.moves, s.me = duel.New(e.ID), nil, e.Seat
		s.rematch, s.preview, s.callOff = [2]bool{}, ui.Preview{}, false
	case lockstep.Applied:
		s.moves = append(s.moves[:e.Index-1:e.Index-1], e.Entry.Move)
		s.state = e.Position.(duel.State)
		s.preview = ui.Preview{Away: s.preview.Away}
	case lockstep.CallOffOffered:
		s.callOff = true
	case lockstep.Refused:
		s.refused++
	case lockstep.Dropped:
		s.moves = s.moves[:e.Index-1]
	case lockstep.Trouble:
		s.link, s.quiet = ui.LinkTrouble, time.Now().Add(-3*time.Second)
	case lockstep.Offline:
		s.link = ui.LinkOffline
	case lockstep.Back, lockstep.Resumed:
		s.link, s.quiet = ui.LinkGood, time.Time{}
	case lockstep.Previewed:
		s.preview = parsePreview(e.Data)
	case lockstep.RematchOffered:
		s.rematch[1-s.me] = true
	case lockstep.PeerLeft:
		s.ended = "left"
	}
}

// View is what is to be seen now.
func (s *seat) View() ui.View {
	snap := s.table.Snapshot()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if snap != s.snap {
		s.snap, s.snapAt = snap, now
	}
	v := ui.View{
		State: s.state, Moves: s.moves, Me: s.me, Peer: s.preview, Link: s.link,
		Friendly: s.friendly, Rematch: s.rematch, Ended: s.ended,
	}
	v.Names[s.me], v.Names[1-s.me] = s.mine, s.peer
	mono := snap.NowMono + now.Sub(s.snapAt).Milliseconds()
	if s.watch != nil {
		v.CanPause, v.Paused = true, s.watch.Paused()
		mono = s.watch.Now().Mono
	}
	v.CallOff, v.Refused = s.callOff, s.refused
	if snap.View.ID == s.state.Match() {
		v.ClaimDue, v.Claiming = snap.View.ClaimDue, snap.View.Claiming
		v.Over, v.Outcome, v.Stopped = ending(snap.View)
	}
	if s.ended != "" && !v.Over && v.Stopped == "" && !s.state.Over() {
		v.Stopped = "closed"
	}
	if s.ruled != nil && snap.View.Over && snap.View.Terms.Rated {
		v.Verdict = s.ruled(snap.View.ID)
	}
	if !s.quiet.IsZero() {
		v.GoneMs = now.Sub(s.quiet).Milliseconds()
	}
	sv := snap.View
	if sv.Kind != engine.None && sv.LimitMs > 0 {
		v.Clock[s.me] = ui.Clock{Running: true, LeftMs: sv.DueMono - mono, LimitMs: sv.LimitMs}
	}
	if sv.PeerKind != engine.None && sv.PeerDue > 0 {
		v.Clock[1-s.me] = ui.Clock{Running: true, LeftMs: sv.PeerDue - mono, LimitMs: limitMs(sv, sv.PeerKind)}
	}
	return v
}

// ending says how a match has ended, if it has.
func ending(v lockstep.View) (over bool, o engine.Outcome, stopped string) {
	if !v.Match || !v.Over {
		return false, o, ""
	}
	switch v.Result.End {
	case lockstep.ByEngine:
		return true, v.Result.Outcome, ""
	case lockstep.Abandoned:
		if v.Result.By == v.Seat {
			return false, o, "you_left"
		}
		return false, o, "they_left"
	case lockstep.CalledOff:
		return false, o, "called_off"
	case lockstep.NotBegun:
		return false, o, "not_begun"
	case lockstep.Desynced:
		return false, o, "desync"
	case lockstep.Claimed:
		return false, o, "claimed"
	}
	return false, o, "closed"
}

// limitMs is the limit of a kind of decision in a match.
func limitMs(v lockstep.View, k engine.Kind) int64 {
	l := v.Terms.Limits
	switch k {
	case engine.Split:
		return int64(l.SplitMs)
	case engine.Choose:
		return int64(l.ChooseMs)
	case engine.Place:
		return int64(l.PlaceMs)
	}
	return 0
}

// Decide hands a decision in.
func (s *seat) Decide(m engine.Move) { s.table.Decide(m) }

// Resign gives the match up.
func (s *seat) Resign() { s.table.Resign() }

// Rematch asks for another match, or agrees to one.
func (s *seat) Rematch() {
	s.mu.Lock()
	s.rematch[s.me] = true
	s.mu.Unlock()
	s.table.Rematch(true)
}

// Pause stops both clocks, or lets them go on, where nobody else waits.
func (s *seat) Pause(on bool) {
	if s.watch != nil {
		s.watch.Pause(on)
	}
}

// Claim claims the match from a peer who stays away.
func (s *seat) Claim() { s.table.Claim() }

// CallOff offers to end the match without a result, or agrees to it.
func (s *seat) CallOff() { s.table.CallOff() }

// Leave goes away from the table.
func (s *seat) Leave() { s.table.Leave() }

// A preview travels as the part (2 bytes), what is hovered (1) and the ghost
// (8), big-endian.
const previewLen = 11

// previewAway, beside what is hovered, says that the game is not in front of
// the player.
const previewAway = 0x80

// Preview shows the peer what one is about to do.
func (s *seat) Preview(p ui.Preview) {
	b := binary.BigEndian.AppendUint16(nil, p.Part)
	hover := byte(p.Hover)
	if p.Away {
		hover |= previewAway
	}
	b = append(b, hover)
	s.table.Preview(binary.BigEndian.AppendUint64(b, uint64(p.Ghost)))
}

// parsePreview reads a preview; what makes no sense shows nothing.
func parsePreview(b []byte) ui.Preview {
	if len(b) != previewLen || b[2]&^previewAway > 2 {
		return ui.Preview{}
	}
	return ui.Preview{
		Part:  binary.BigEndian.Uint16(b),
		Hover: int(b[2] &^ previewAway),
		Away:  b[2]&previewAway != 0,
		Ghost: engine.Board(binary.BigEndian.Uint64(b[3:])) & engine.Full(duel.Size),
	}
}
