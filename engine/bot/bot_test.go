package bot

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

func matchID(n int) [32]byte {
	return sha256.Sum256(binary.BigEndian.AppendUint32([]byte("bot test match"), uint32(n)))
}

// reveal makes both reveals of a round.
func reveal(s duel.State) duel.State {
	id := s.Match()
	for s.Awaits() == engine.Reveal {
		seat := s.Owes()
		s = apply(s, engine.Move{Seat: uint8(seat), Kind: engine.Reveal, Layer: sha256.Sum256(append(id[:], byte(s.Round()), byte(seat)))})
	}
	return s
}

func apply(s duel.State, m engine.Move) duel.State {
	next, _, err := duel.Apply(s, m)
	if err != nil {
		panic(err)
	}
	return next
}

// play plays a match between two players and counts blocked placements.
func play(id [32]byte, players [2]*Player) (engine.Outcome, int) {
	blocked := 0
	for s := reveal(duel.New(id)); ; s = reveal(s) {
		if s.Over() {
			return s.Outcome(), blocked
		}
		seat := s.Owes()
		next, r, err := duel.Apply(s, players[seat].Decide(s, seat))
		if err != nil {
			panic(err)
		}
		for _, b := range r.Blocked {
			if b {
				blocked++
			}
		}
		s = next
	}
}

// tally is a series between two levels.
type tally struct {
	games, wins, draws, blocked int
	first                       float64 // points of the first splitter
}

// share is the strong level's part of the points, a draw half a point.
func (t tally) share() float64 {
	return (float64(t.wins) + float64(t.draws)/2) / float64(t.games)
}

// series plays pairs of matches with the same chance and seats changed.
func series(strong, weak Level, pairs int) tally {
	var t tally
	for n := range pairs {
		for seat := range 2 {
			var players [2]*Player
			players[seat] = New(strong, uint64(n))
			players[1-seat] = New(weak, uint64(n)+1<<32)
			o, blocked := play(matchID(n), players)
			t.games++
			t.blocked += blocked
			id := matchID(n)
			first := reveal(duel.New(id)).Splitter()
			switch o.Winner {
			case seat:
				t.wins++
			case engine.Nobody:
				t.draws++
			}
			switch o.Winner {
			case first:
				t.first++
			case engine.Nobody:
				t.first += 0.5
			}
		}
	}
	return t
}

func soak(usual, soaking int) int {
	if os.Getenv("CLEAVE_SOAK") == "1" {
		return soaking
	}
	return usual
}

func TestEachLevelBeatsTheOneBefore(t *testing.T) {
	for _, c := range []struct {
		strong, weak Level
		pairs        int
	}{
		{Easy, Beginner, soak(1000, 20000)},
		{Medium, Easy, soak(1000, 20000)},
		{Hard, Medium, soak(1000, 20000)},
		{Expert, Hard, soak(120, 2000)},
	} {
		t.Run(fmt.Sprint(c.strong), func(t *testing.T) {
			r := series(c.strong, c.weak, c.pairs)
			t.Logf("%v against %v: %.1f %% of %d matches, %d drawn", c.strong, c.weak, 100*r.share(), r.games, r.draws)
			if r.share() < 0.65 {
				t.Errorf("%v has %.1f %% against %v, want 65", c.strong, 100*r.share(), c.weak)
			}
		})
	}
}

// Between players of one level the seat decides next to nothing, and blocked
// pieces and draws are as frequent as the rules say that they are.
func TestWhatSuchPlayersShow(t *testing.T) {
	for _, c := range []struct {
		level          Level
		pairs          int
		blocked, draws [2]float64 // per cent of placements, of matches
	}{
		{Easy, 400, [2]float64{6, 10}, [2]float64{5, 12}},
		{Medium, 400, [2]float64{3, 6}, [2]float64{11, 19}},
		{Expert, soak(60, 2000), [2]float64{0.8, 3}, [2]float64{18, 34}},
	} {
		r := series(c.level, c.level, c.pairs)
		blocked := 100 * float64(r.blocked) / float64(r.games*2*duel.Rounds)
		draws := 100 * float64(r.draws) / float64(r.games)
		first := 100 * r.first / float64(r.games)
		t.Logf("%v: blocked %.1f %%, drawn %.1f %%, first splitter %.1f %%", c.level, blocked, draws, first)
		if blocked < c.blocked[0] || blocked > c.blocked[1] || draws < c.draws[0] || draws > c.draws[1] {
			t.Errorf("%v: blocked %.1f %%, want %v; drawn %.1f %%, want %v", c.level, blocked, c.blocked, draws, c.draws)
		}
		if first < 40 || first > 60 {
			t.Errorf("%v: the first splitter has %.1f %%", c.level, first)
		}
	}
}

// positions are states at which a seat has something to decide, from matches
// of middling players.
func positions(matches int) (all []duel.State) {
	for n := range matches {
		p := New(Medium, uint64(n))
		for s := reveal(duel.New(matchID(n))); !s.Over(); s = reveal(s) {
			all = append(all, s)
			s = apply(s, p.Decide(s, s.Owes()))
		}
	}
	return all
}

func TestDecisionsAreLegalAndRepeat(t *testing.T) {
	for _, level := range Levels() {
		p, twin := New(level, 7), New(level, 7)
		all := positions(soak(6, 200))
		// The twin is asked in the opposite order.
		answers := make([][2]engine.Move, len(all))
		for i := len(all) - 1; i >= 0; i-- {
			for seat := range 2 {
				if all[i].MayDecide(seat) != engine.None {
					answers[i][seat] = twin.Decide(all[i], seat)
				}
			}
		}
		for i, s := range all {
			for seat := range 2 {
				if s.MayDecide(seat) == engine.None {
					continue
				}
				m := p.Decide(s, seat)
				if err := s.Check(m); err != nil {
					t.Fatalf("%v at entry %d: %v", level, i, err)
				}
				if int(m.Seat) != seat || m != answers[i][seat] {
					t.Fatalf("%v at entry %d decides %+v, its twin %+v", level, i, m, answers[i][seat])
				}
			}
		}
	}
}

func TestSeedsDiffer(t *testing.T) {
	same := 0
	all := positions(4)
	for _, s := range all {
		if New(Easy, 1).Decide(s, s.Owes()) == New(Easy, 2).Decide(s, s.Owes()) {
			same++
		}
	}
	if same == len(all) {
		t.Error("two seeds make one player")
	}
}

func TestParseLevel(t *testing.T) {
	for _, l := range Levels() {
		if got, err := ParseLevel(l.String()); err != nil || got != l {
			t.Errorf("%v reads back as %v, %v", l, got, err)
		}
	}
	for _, bad := range []string{"", "Hard", "hard ", "level 9"} {
		if l, err := ParseLevel(bad); err == nil {
			t.Errorf("%q reads as %v", bad, l)
		}
	}
}

// In the last round only points count, and the expert takes the most.
func TestExpertEndsExactly(t *testing.T) {
	seen := 0
	for _, s := range positions(soak(30, 300)) {
		if s.Round() != duel.Rounds || s.Awaits() != engine.Place {
			continue
		}
		seen++
		list := Evaluate(s, s.Owes())
		m := New(Expert, 3).Decide(s, s.Owes())
		for _, o := range list {
			if o.Move == m && o.Points != list[0].Points {
				t.Errorf("takes %d points where there are %d", o.Points, list[0].Points)
			}
		}
	}
	if seen == 0 {
		t.Error("no last placement met")
	}
}

// However crowded the search, a decision stops soon after its nodes are spent.
func TestExpertKeepsItsBudget(t *testing.T) {
	for _, s := range positions(3) {
		if roundsLeft(s) == 0 {
			continue
		}
		for _, nodes := range []int{0, 3000, expertNodes} {
			p := &Player{level: Expert, seed: 1, nodes: nodes}
			m := p.Decide(s, s.Owes())
			if err := s.Check(m); err != nil {
				t.Fatal(err)
			}
			if nodes == expertNodes {
				continue
			}
			// One sample of 12 outcomes meets at most 12 pieces on each
			// of 24 boards of at most 4*36 placements.
			e := expert{rng: seeded(1, s.Digest(), s.Owes()), nodes: nodes}
			next := pool{left: roundsLeft(s) - 1}
			outcomes := []outcome{next.outcome(s.Board(0), s.Board(1), 0)}
			e.look(outcomes, &next, 0, roundsLeft(s))
			if got := next.nodes(); got > nodes+24*12*144 {
				t.Errorf("%d nodes of %d", got, nodes)
			}
		}
	}
}
