package ui

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
)

// fakeWorld is a World with plausible data and nothing behind it.
type fakeWorld struct {
	name       string
	fresh      bool
	unfinished bool
	set        Settings
	lan, list  Earshot
	room       Waiting
	standing   Standing
	played     []Played
	outbox     []Notice
	server     string
	copied     string
	said       []string
	refuse     error // what every way to a match answers
	seat       func() Seat
	adopted    bool
	solo       soloData
}

var codes = [...]string{"K7QM-2XNA-9TRV-H3BD", "P4WZ-88LE-C0KJ-MN5S", "T2GH-Q6RY-VD71-XA9F", "B9SN-4JCE-7WKM-L0PQ"}

func newFakeWorld() *fakeWorld {
	w := &fakeWorld{name: "Ada", server: "https://cleave.example", set: DefaultSettings(), solo: newSoloData()}
	w.lan = Earshot{Rooms: []RoomView{
		{ID: "1", Room: "Kitchen table", Player: "Grace", Code: codes[1], State: "open", Clocks: "standard", Rated: true},
		{ID: "2", Room: "Lunch break", Player: "Edsger", Code: codes[2], State: "locked", Clocks: "off"},
		{ID: "3", Room: "Finals", Player: "Barbara", Code: codes[3], State: "playing", Clocks: "double", Rated: true},
	}}
	w.list = Earshot{Rooms: w.lan.Rooms[:2]}
	w.room = Waiting{
		Host: true, Name: "Kitchen table", Me: Person{"Ada", codes[0]}, Peer: Person{"Grace", codes[1]}, Ready: [2]bool{true, true},
		Clocks: "standard", Path: "lan", Bars: 4, Phase: "room",
	}
	w.standing = Standing{Known: true, Rating: 1524, Season: "2026-11"}
	for i, name := range []string{"Barbara", "Ada", "Grace", "Edsger"} {
		code := codes[(4-i)%4]
		if name == "Ada" {
			code = codes[0]
		}
		w.standing.Table = append(w.standing.Table, Row{Rank: i + 1, Player: Person{name, code}, Rating: 1688 - 82*i - 7*i*i, Me: name == "Ada"})
	}
	at := time.Date(2026, 11, 21, 20, 15, 0, 0, time.UTC)
	for i, p := range []struct {
		who    int
		score  [2]int
		won    int
		status Notice
	}{{1, [2]int{92, 60}, 1, Notice{ID: "verdict.moved", N: 1512, M: 1524}}, {2, [2]int{40, 40}, 0, Notice{}}, {1, [2]int{22, 70}, -1, Notice{ID: "verdict.waiting"}}, {3, [2]int{10, 0}, 2, Notice{}}} {
		w.played = append(w.played, Played{
			ID: fmt.Sprint("match", i), At: at.Add(-time.Duration(i) * 26 * time.Hour), Won: p.won, Score: p.score, Status: p.status, Rated: p.status.ID != "",
			Against: Person{[]string{"Ada", "Grace", "Edsger", "Barbara"}[p.who], codes[p.who]},
		})
	}
	w.seat = func() Seat { return newVersus(3) }
	return w
}

func (w *fakeWorld) Account() Account {
	return Account{Name: w.name, Code: codes[0], Fresh: w.fresh}
}

func (w *fakeWorld) SetName(name string) error {
	if len(name) > 24 {
		return errors.New("a name has at most 24 letters and no line breaks")
	}
	w.name, w.fresh = name, false
	return nil
}

func (w *fakeWorld) Settings() Settings    { return w.set }
func (w *fakeWorld) Save(s Settings) error { w.set = s; return nil }
func (w *fakeWorld) Words() ([]string, error) {
	return []string{
		"absent", "baker", "canyon", "dolphin", "early", "fabric", "garden", "harbour", "insect", "jungle", "kitchen", "lemon",
		"marble", "nephew", "olive", "pencil", "quarter", "ribbon", "silver", "timber", "umbrella", "velvet", "window", "yellow",
	}, nil
}

func (w *fakeWorld) Export(passphrase string) (string, error) {
	if passphrase == "" {
		return "", errors.New("please choose a passphrase")
	}
	return "/home/ada/.local/share/cleave/default/account.age", nil
}

func (w *fakeWorld) Recover(from, passphrase string) (string, error) {
	if len(strings.Fields(from)) != 24 {
		return "", Notice{ID: "problem.words"}
	}
	return codes[1], nil
}

func (w *fakeWorld) Adopt() error { w.adopted = true; return nil }

func (w *fakeWorld) Version() string { return "1.0.0" }

func (w *fakeWorld) Practise(PracticeChoice) (Seat, error) { return w.seat(), w.refuse }
func (w *fakeWorld) Hotseat([2]string, bool) (Seat, error) { return w.seat(), w.refuse }
func (w *fakeWorld) Earshot() Earshot                      { return w.lan }
func (w *fakeWorld) Deafen()                               {}
func (w *fakeWorld) Listed() Earshot                       { return w.list }
func (w *fakeWorld) Host(RoomChoice) (Table, error) {
	return &fakeTable{Seat: w.seat(), room: &w.room}, w.refuse
}
func (w *fakeWorld) Join(JoinChoice) (Table, error) {
	return &fakeTable{Seat: w.seat(), room: &w.room}, w.refuse
}
func (w *fakeWorld) HasUnfinished() bool { return w.unfinished }
func (w *fakeWorld) Unfinished() (Table, bool) {
	return &fakeTable{Seat: w.seat(), room: &w.room}, w.unfinished
}
func (w *fakeWorld) Matches() []Played      { return w.played }
func (w *fakeWorld) Standing() Standing     { return w.standing }
func (w *fakeWorld) Server() (string, bool) { return w.server, false }
func (w *fakeWorld) SetServer(address string) error {
	if w.refuse != nil {
		return w.refuse
	}
	w.server = address
	return nil
}
func (w *fakeWorld) Outbox() []Notice       { return w.outbox }
func (w *fakeWorld) Copy(text string) error { w.copied = text; return nil }
func (w *fakeWorld) Attention(text string)  { w.said = append(w.said, text) }

func (w *fakeWorld) Replay(id string) (Replay, error) {
	if id == "broken" {
		return Replay{}, errors.New("entry 17 is not signed by its author")
	}
	s := finished()
	r := Replay{View: s.view, Moves: s.view.Moves, File: "/home/ada/.local/share/cleave/default/log-" + id}
	for _, p := range []string{"proof.chain", "proof.chance", "proof.replay", "proof.signatures", "proof.sealed"} {
		r.Proofs = append(r.Proofs, Proof{Text: p, OK: true})
	}
	return r, nil
}

func (w *fakeWorld) Review(id string, seat int) ([]ReviewNote, float64, error) {
	s := finished()
	var notes []ReviewNote
	state := duel.New(s.view.State.Match())
	for i, m := range s.view.Moves {
		if int(m.Seat) == seat && m.Kind != engine.Reveal {
			if best := bestOf(state, seat); best != m {
				notes = append(notes, ReviewNote{Move: i, Better: best, Points: 7})
			}
		}
		state, _, _ = duel.Apply(state, m)
	}
	return notes, 1, nil
}

func bestOf(s duel.State, seat int) engine.Move {
	var best bot.Option
	for i, o := range bot.Evaluate(s, seat) {
		if i == 0 || o.Value > best.Value {
			best = o
		}
	}
	return best.Move
}

// fakeTable is a room that never changes by itself.
type fakeTable struct {
	Seat
	room *Waiting
}

func (t *fakeTable) Room() Waiting { return *t.room }
func (t *fakeTable) Ready(on bool) { t.room.Ready[0] = on }
func (t *fakeTable) Start()        { t.room.Phase = "match" }
func (t *fakeTable) Change(clocks string, friendly bool) {
	t.room.Clocks, t.room.Friendly = clocks, friendly
}

// played returns a seat in a match between two fair players, stopped where
// stop says so; it tries one match after another until one has such a place.
func played(stop func(s duel.State) bool) *still {
	for seed := byte(1); seed != 0; seed++ {
		s := &still{view: View{State: duel.New([32]byte{seed, 'p'}), Names: [2]string{"Ada", "Grace"}, Friendly: true}}
		player := bot.New(bot.Medium, uint64(seed))
		for {
			st := s.view.State
			if stop(st) {
				return s
			}
			if st.Over() {
				break
			}
			if st.Awaits() == engine.Reveal {
				s.apply(engine.Move{Seat: uint8(st.Owes()), Kind: engine.Reveal, Layer: [32]byte{byte(len(s.view.Moves)), seed}})
				continue
			}
			s.apply(player.Decide(st, st.Owes()))
		}
	}
	panic("no match has such a place")
}

func finished() *still { return played(duel.State.Over) }

// mine stops where seat 0 has a decision of a kind to make, from a round on.
func mine(kind engine.Kind, round int) func(duel.State) bool {
	return func(s duel.State) bool { return s.Round() >= round && s.MayDecide(0) == kind && s.Owes() == 0 }
}

// theirs stops where the other side has to decide and seat 0 has not.
func theirs(kind engine.Kind, round int) func(duel.State) bool {
	return func(s duel.State) bool {
		return s.Round() >= round && s.MayDecide(1) == kind && s.MayDecide(0) == engine.None
	}
}
