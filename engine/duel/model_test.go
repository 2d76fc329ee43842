package duel

import (
	"math/bits"
	"reflect"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"pgregory.net/rapid"
)

// A model is the match again, written for the reader of the rules: boards of
// booleans, nothing shared with the State but the table of blocks.
type model struct {
	boards [2][Size][Size]bool
	scores [2]int
	flags  [2][]bool // of this round's decisions, whether each was a flag
	row    [2]int
	block  [Frame][Frame]bool
	pieces [2][][2]int
	due    [2]bool
	ended  engine.End
	loser  int
	rounds int
}

func (m *model) shape(mask uint16) (cells [][2]int) {
	for i := range 16 {
		if mask>>i&1 != 0 {
			cells = append(cells, [2]int{i / 4, i % 4})
		}
	}
	return cells
}

func (m *model) placements(seat int) map[engine.Board]bool {
	all := map[engine.Board]bool{}
	cells := m.pieces[seat]
	for range 4 {
		// Turning leaves the piece up to three cells on the wrong side of 0.
		for dr := -Size; dr < Size+Frame; dr++ {
		spot:
			for dc := -Size; dc < Size+Frame; dc++ {
				var set engine.Board
				for _, p := range cells {
					r, c := p[0]+dr, p[1]+dc
					if r < 0 || c < 0 || r >= Size || c >= Size || m.boards[seat][r][c] {
						continue spot
					}
					set |= engine.Cell(r, c)
				}
				all[set] = true
			}
		}
		var turned [][2]int
		for _, p := range cells {
			turned = append(turned, [2]int{p[1], -p[0]})
		}
		cells = turned
	}
	return all
}

func (m *model) choose(chooser int, split, rest uint16, taken int) {
	m.pieces[chooser], m.pieces[1-chooser] = m.shape(split), m.shape(rest)
	if taken == 1 {
		m.pieces[chooser], m.pieces[1-chooser] = m.pieces[1-chooser], m.pieces[chooser]
	}
	for seat := range 2 {
		m.due[seat] = len(m.placements(seat)) > 0
		if !m.due[seat] {
			m.scores[seat] -= 8
		}
	}
	m.endRound()
}

func (m *model) place(seat int, set engine.Board) {
	b := &m.boards[seat]
	for r := range Size {
		for c := range Size {
			b[r][c] = b[r][c] || set.Has(r, c)
		}
	}
	var rows, cols []int
	for i := range Size {
		row, col := true, true
		for j := range Size {
			row, col = row && b[i][j], col && b[j][i]
		}
		if row {
			rows = append(rows, i)
		}
		if col {
			cols = append(cols, i)
		}
	}
	for j := range Size {
		for _, i := range rows {
			b[i][j] = false
		}
		for _, i := range cols {
			b[j][i] = false
		}
	}
	k := len(rows) + len(cols)
	m.scores[seat] += 5 * k * (k + 1)
	m.due[seat] = false
	m.endRound()
}

func (m *model) endRound() {
	if m.due[0] || m.due[1] {
		return
	}
	m.rounds++
	gone := []int{}
	for seat := range 2 {
		all := true
		for _, flag := range m.flags[seat] {
			all = all && flag
		}
		if len(m.flags[seat]) > 0 {
			if all {
				m.row[seat]++
			} else {
				m.row[seat] = 0
			}
		}
		m.flags[seat] = nil
		if m.row[seat] == 2 {
			gone = append(gone, seat)
		}
	}
	switch {
	case len(gone) == 2:
		m.ended = engine.NoResult
	case len(gone) == 1:
		m.ended, m.loser = engine.Forfeited, gone[0]
	case m.rounds == 8:
		m.ended = engine.Played
	}
}

func (m *model) board(seat int) (b engine.Board) {
	for r := range Size {
		for c := range Size {
			if m.boards[seat][r][c] {
				b |= engine.Cell(r, c)
			}
		}
	}
	return b
}

// Whole matches, move for move, against the model: scores, boards, who may
// place what, who is blocked and how it ends.
func TestMatchesAgreeWithTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(matchID(rapid.IntRange(0, 1<<30).Draw(t, "match")))
		flagging := rapid.IntRange(0, 9).Draw(t, "flags of ten")
		resigning := rapid.IntRange(-40, 48).Draw(t, "resigns at")
		var m model
		for n := 0; !s.Over(); n++ {
			seat := s.Owes()
			if n == resigning {
				loser := rapid.IntRange(0, 1).Draw(t, "who resigns")
				s = apply(t, s, engine.Move{Seat: uint8(loser), Kind: engine.Resign})
				m.ended, m.loser = engine.Resigned, loser
				break
			}
			kind := s.Awaits()
			if kind == engine.Reveal {
				s = apply(t, s, engine.Move{Seat: uint8(seat), Kind: kind, Layer: layer(s.match, s.Round(), seat)})
				continue
			}
			flag := rapid.IntRange(0, 9).Draw(t, "flag") < flagging
			move := engine.Move{Seat: uint8(seat), Kind: engine.Flag}
			m.flags[seat] = append(m.flags[seat], flag)
			switch kind {
			case engine.Split:
				if !flag {
					masks, n := s.Block().Splits()
					move.Kind, move.Data = kind, uint64(rapid.SampledFrom(masks[:n]).Draw(t, "split"))
				}
				s = apply(t, s, move)
			case engine.Choose:
				taken := 1
				if !flag {
					taken = rapid.IntRange(0, 1).Draw(t, "choice")
					move.Kind, move.Data = kind, uint64(taken)
				}
				m.choose(seat, s.Split(), uint16(s.Block())^s.Split(), taken)
				s = apply(t, s, move)
			case engine.Place:
				legal := m.placements(seat)
				for range 20 {
					set := engine.Board(rapid.Uint64().Draw(t, "any cells"))
					if got := s.Check(engine.Move{Seat: uint8(seat), Kind: kind, Data: uint64(set)}) == nil; got != legal[set] {
						t.Fatalf("cells %x: legal %v, by the model %v", set, got, legal[set])
					}
				}
				mine := legalPlacements(s, seat)
				if len(mine) != len(legal) {
					t.Fatalf("%d placements, by the model %d", len(mine), len(legal))
				}
				for _, set := range mine {
					if !legal[set] || s.Check(engine.Move{Seat: uint8(seat), Kind: kind, Data: uint64(set)}) != nil {
						t.Fatalf("placement %x is not one", set)
					}
				}
				if flag {
					m.scores[seat] -= 5
					m.due[seat] = false
					m.endRound()
				} else {
					set := rapid.SampledFrom(mine).Draw(t, "placement")
					move.Kind, move.Data = kind, uint64(set)
					m.place(seat, set)
				}
				s = apply(t, s, move)
			}
			for seat := range 2 {
				if s.Score(seat) != m.scores[seat] || s.Board(seat) != m.board(seat) {
					t.Fatalf("seat %d has %d points, by the model %d, on\n%s\n%s", seat, s.Score(seat), m.scores[seat],
						s.Board(seat).Text(Size), m.board(seat).Text(Size))
				}
				if s.Owed(seat) != (m.due[seat] && m.ended == engine.Unfinished) {
					t.Fatalf("seat %d owes a placement: %v", seat, s.Owed(seat))
				}
			}
		}
		o := s.Outcome()
		winner := 1 - m.loser
		if m.ended == engine.Played {
			winner = engine.Nobody
			if m.scores[0] != m.scores[1] {
				winner = 0
				if m.scores[1] > m.scores[0] {
					winner = 1
				}
			}
		} else if m.ended == engine.NoResult {
			winner = engine.Nobody
		}
		want := engine.Outcome{Over: true, End: m.ended, Winner: winner, Score: [2]int32{int32(m.scores[0]), int32(m.scores[1])}, Rounds: m.rounds}
		if o != want {
			t.Fatalf("outcome %+v, by the model %+v", o, want)
		}
	})
}

// apply applies a move, and holds every step to what all steps keep: reports
// that add up, one encoding for one state, and a digest of it.
func apply(t *rapid.T, s State, m engine.Move) State {
	kept := s
	next, r, err := Apply(s, m)
	if err != nil {
		t.Fatalf("%+v: %v", m, err)
	}
	if s != kept {
		t.Fatal("Apply changed the state it was given")
	}
	if p, err := s.Apply(m); err != nil || p != next {
		t.Fatalf("State.Apply gives another state: %v", err)
	}
	for seat := range 2 {
		if next.Score(seat)-s.Score(seat) != r.Points[seat] {
			t.Fatalf("report %+v for scores %v then %v", r, s.scores, next.scores)
		}
	}
	if r.RoundEnded != (next.RoundsPlayed() > s.RoundsPlayed()) || r.Over != next.Over() || r.Round != s.Round() {
		t.Fatalf("report %+v", r)
	}
	if bits.OnesCount16(uint16(r.Dealt)) != 0 && r.Dealt != next.Block() {
		t.Fatalf("report deals %04x", uint16(r.Dealt))
	}
	if next == s || string(next.Append(nil)) == string(s.Append(nil)) || next.Digest() == s.Digest() {
		t.Fatal("a move that leaves state, encoding or digest as it was")
	}
	return next
}

// Every field of a state is in its encoding and in its list of fields: no two
// states that differ in one only look the same.
func TestEncodingTellsStatesApart(t *testing.T) {
	base, _ := placing(t, [2]engine.Board{})
	seen := map[string]string{string(base.Append(nil)): "as it was"}
	listed := map[string]string{}
	list := func(s State) string {
		text := ""
		for _, f := range s.Fields() {
			text += f.Name + "=" + f.Value + "\n"
		}
		return text
	}
	listed[list(base)] = "as it was"
	change := func(name string, f func(s *State)) {
		s := base
		f(&s)
		if s == base {
			t.Fatalf("%s: no change", name)
		}
		if other, dup := seen[string(s.Append(nil))]; dup {
			t.Errorf("%s is encoded as %s", name, other)
		}
		if other, dup := listed[list(s)]; dup {
			t.Errorf("%s is listed as %s", name, other)
		}
		seen[string(s.Append(nil))], listed[list(s)] = name, name
	}
	change("match", func(s *State) { s.match[31]++ })
	change("layer", func(s *State) { s.layer[0]++ })
	change("board 0", func(s *State) { s.boards[0]++ })
	change("board 1", func(s *State) { s.boards[1]++ })
	change("score 0", func(s *State) { s.scores[0]-- })
	change("score 1", func(s *State) { s.scores[1]-- })
	change("block", func(s *State) { s.block++ })
	change("split", func(s *State) { s.split++ })
	change("round", func(s *State) { s.round++ })
	change("phase", func(s *State) { s.phase++ })
	change("first", func(s *State) { s.first++ })
	change("choice", func(s *State) { s.choice++ })
	change("owed", func(s *State) { s.owed-- })
	change("idle 0 flagged", func(s *State) { s.idle[0] |= idleFlagged })
	change("idle 0 decided", func(s *State) { s.idle[0] |= idleDecided })
	change("idle 0 row", func(s *State) { s.idle[0] += idleRow })
	change("idle 1", func(s *State) { s.idle[1] += idleRow })
	change("end", func(s *State) { s.end = engine.Resigned })
	change("departed", func(s *State) { s.departed = 1 })
	if n := reflect.TypeFor[State]().NumField(); n != 14 {
		t.Errorf("State has %d fields: the list above is out of date", n)
	}
	if n := len(base.Append(nil)); n != 96 {
		t.Errorf("the encoding has %d bytes", n)
	}
	if got := string(base.Append([]byte("x"))); got[0] != 'x' || got[1:] != string(base.Append(nil)) {
		t.Error("Append does not append")
	}
}

// Whatever is asked of it, a match neither panics nor takes a move that Check
// refuses.
func FuzzApply(f *testing.F) {
	f.Add([]byte{0, 3, 1, 0, 2, 9}, uint32(1))
	f.Add([]byte{255, 0, 12, 240, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 2, 3}, uint32(2))
	f.Fuzz(func(t *testing.T, script []byte, match uint32) {
		s := New(matchID(int(match)))
		for len(script) >= 2 {
			op, arg := script[0], uint64(script[1])
			script = script[2:]
			m := engine.Move{Seat: op & 1, Kind: engine.Kind(op >> 1 & 15), Data: arg}
			if op&0x20 != 0 {
				// What is awaited, so that the script gets somewhere.
				if s.Over() {
					return
				}
				m = engine.Move{Seat: uint8(s.Owes()), Kind: s.Awaits()}
				switch m.Kind {
				case engine.Split:
					masks, n := s.Block().Splits()
					m.Data = uint64(masks[int(arg)%n])
				case engine.Choose:
					m.Data = arg & 1
				case engine.Place:
					legal := legalPlacements(s, s.Owes())
					m.Data = uint64(legal[int(arg)%len(legal)])
				}
				if _, err := s.Apply(m); err != nil {
					t.Fatalf("%+v: %v", m, err)
				}
			}
			checked := s.Check(m)
			next, _, err := Apply(s, m)
			if err == nil && checked != nil {
				t.Fatalf("%+v applied against %v", m, checked)
			}
			if err == nil {
				s = next
			}
		}
	})
}
