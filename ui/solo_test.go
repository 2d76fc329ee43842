package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
)

var (
	classicHard = SoloChoice{Game: "classic", Level: "hard"}
	training    = SoloChoice{Game: "streak", Level: "training"}
)

func after(n int) func(SoloState) bool {
	return func(s SoloState) bool { return s.Placements() >= n && !s.Stuck() }
}

// completing reports whether a piece in hand can complete lines, and which.
func completing(s SoloState, least int) (slot, r, c int, ok bool) {
	for slot := range streak.Hand {
		for rest := s.Piece(slot).Fits(s.Board(), soloSize); rest != 0; rest &= rest - 1 {
			r, c := rest.First()
			if tryPlace(s, slot, r, c).lines >= least {
				return slot, r, c, true
			}
		}
	}
	return 0, 0, 0, false
}

// soloApp is a scene that can be stepped.
func soloApp(c SoloChoice, seat *soloRun, set Settings) (*solo, *Script, func(ticks int)) {
	env := NewEnv(set)
	env.Resize(360, 640, 1)
	s := newSolo(newFakeWorld(), c, seat)
	src := &Script{}
	app := NewApp(env, s, src)
	return s, src, func(n int) {
		for range n {
			if err := app.Update(); err != nil {
				panic(err)
			}
		}
	}
}

func TestATapPicksAndPutsBack(t *testing.T) {
	s, src, run := soloApp(classicHard, newSoloRun(classicHard, "tap"), DefaultSettings())
	run(1)
	for want := range 4 {
		src.Click(s.place.slots[1].Mid())
		run(6)
		if picked := s.hold.slot == 1; picked != (want%2 == 0) {
			t.Fatalf("tap %d: slot %d", want+1, s.hold.slot)
		}
	}
	// Another piece is taken instead.
	src.Click(s.place.slots[1].Mid())
	src.Click(s.place.slots[2].Mid())
	run(12)
	if s.hold.slot != 2 {
		t.Errorf("slot %d", s.hold.slot)
	}
	if len(s.seat.(*soloRun).moves) != 0 {
		t.Error("something was placed")
	}
}

// A piece that is let go where it does not fit goes back, and nothing else
// changes.
func TestADragToNowherePutsBack(t *testing.T) {
	seat := playedSolo(classicHard, bot.Medium, after(12))
	s, src, run := soloApp(classicHard, seat, DefaultSettings())
	run(1)
	before := s.state
	fx, fy := s.place.slots[s.firstSlot()].Mid()
	src.Steps = append(src.Steps, Step{X: fx, Y: fy}, Step{X: fx, Y: fy, Down: true}, Step{X: 20, Y: 20, Down: true}, Step{X: 5, Y: 5, Down: true}, Step{X: 5, Y: 5})
	run(8)
	if s.hold.slot != noSlot || s.state != before || seat.state != before {
		t.Errorf("%+v", s.hold)
	}
}

// Where the tapped cell does not fit but one placement alone covers it, that one
// is shown, and placed by a second press.
func TestTheOnlyPlacementThatCoversACell(t *testing.T) {
	for n := range 400 {
		seat := newSoloRun(classicHard, fmt.Sprint("cover", n))
		for range 10 + n%8 {
			if seat.state.Awaits() == engine.Place {
				seat.Play(seat.decide(bot.Beginner))
			}
		}
		if seat.state.Awaits() != engine.Place {
			continue
		}
		s, src, run := soloApp(classicHard, seat, DefaultSettings())
		run(1)
		s.pick(s.firstSlot())
		p := s.piece()
		spots := p.Fits(s.state.Board(), soloSize)
		for cell := range soloSize * soloSize {
			r, c := cell/soloSize, cell%soloSize
			if col := c - firstColumn(p); col >= 0 && spots.Has(r, col) {
				continue
			}
			var only engine.Board
			count := 0
			for rest := spots; rest != 0; rest &= rest - 1 {
				if at := p.At(rest.First()); at.Has(r, c) {
					only, count = at, count+1
				}
			}
			if count != 1 {
				continue
			}
			moves := len(seat.moves)
			src.Click(cellOf(s.place.board, soloSize, cell).Mid())
			run(6)
			if !s.hold.pinned || s.piece().At(s.hold.r, s.hold.c) != only || len(seat.moves) != moves {
				t.Fatalf("one press: %+v", s.hold)
			}
			src.Click(cellOf(s.place.board, soloSize, cell).Mid())
			run(6)
			if len(seat.moves) != moves+1 {
				t.Fatal("the second press does not place it")
			}
			return
		}
	}
	t.Fatal("no such place was found")
}

// A cell at the edge, from which the piece would stick out of the board, is
// answered by the nearest placement that covers it.
func TestACellAtTheEdgeIsAnswered(t *testing.T) {
	seat := newSoloRun(classicHard, "edge")
	s, src, run := soloApp(classicHard, seat, DefaultSettings())
	run(1)
	for slot := range streak.Hand {
		if p := seat.state.Piece(slot); p.Height() > 1 {
			s.pick(slot)
			break
		}
	}
	for press := range 2 {
		if len(seat.moves) != 0 || press == 1 && !s.hold.pinned {
			t.Fatalf("after %d presses: %d placements, %+v", press, len(seat.moves), s.hold)
		}
		src.Click(cellOf(s.place.board, soloSize, soloSize*soloSize-1).Mid())
		run(6)
	}
	if b := seat.state.Board(); len(seat.moves) != 1 || !b.Has(soloSize-1, soloSize-1) {
		t.Errorf("%d placements, the board is %x", len(seat.moves), b)
	}
}

func TestASecondPressIsAskedForWhereItIsWanted(t *testing.T) {
	set := DefaultSettings()
	set.Confirm = true
	seat := newSoloRun(classicHard, "confirm")
	s, src, run := soloApp(classicHard, seat, set)
	run(1)
	src.Click(s.place.slots[0].Mid())
	x, y := cellOf(s.place.board, soloSize, 2*soloSize+3).Mid()
	src.Click(x, y)
	run(12)
	if len(seat.moves) != 0 || !s.hold.pinned {
		t.Fatalf("%v %+v", seat.moves, s.hold)
	}
	r, c := s.hold.r, s.hold.c
	src.Click(cellOf(s.place.board, soloSize, r*soloSize+c+firstColumn(s.piece())).Mid())
	run(6)
	if len(seat.moves) != 1 {
		t.Error("the second press does not place it")
	}
}

func TestAHintIsShownAndCounted(t *testing.T) {
	seat := playedSolo(classicHard, bot.Medium, after(9))
	s, src, run := soloApp(classicHard, seat, DefaultSettings())
	run(1)
	for n := 1; n <= classic.MaxHints; n++ {
		src.Press(HintKey)
		run(3)
		h := bot.ClassicHint(seat.state.(classic.State))
		if got := seat.state.(classic.State).HintsTaken(); got != n || s.hold.slot != int(h.Move.Data>>8) || !s.hold.pinned {
			t.Fatalf("hint %d: %d taken, %+v", n, got, s.hold)
		}
		src.Press(Accept)
		run(4)
		if seat.moves[len(seat.moves)-1] != h.Move {
			t.Fatal("the hint's placement is not made")
		}
		if seat.state.Outcome().Over {
			t.Skip("the game ended before the third hint")
		}
	}
	src.Press(HintKey)
	run(3)
	if got := seat.state.(classic.State).HintsTaken(); got != classic.MaxHints || s.banner == "" {
		t.Errorf("%d hints, %q", got, s.banner)
	}
}

// Restart asks; the game that was left is kept with what it had.
func TestRestartAsks(t *testing.T) {
	seat := playedSolo(classicHard, bot.Medium, after(9))
	world := newFakeWorld()
	world.solo.seat = func(SoloChoice) *soloRun { return newSoloRun(classicHard, "next") }
	a, run := mirroredApp(newSolo(world, classicHard, seat))
	run(2)
	if !a.Press("solo.restart") {
		t.Fatal("no restart")
	}
	run(2)
	if seat.done || a.Mirror().Heading != a.Env.T("solo.restart_question") {
		t.Fatalf("it does not ask: %+v", a.Mirror())
	}
	a.Press("solo.keep_playing")
	run(2)
	if seat.done || a.Scene().(*solo).state != seat.state {
		t.Fatal("the game is gone")
	}
	a.Press("solo.restart")
	run(2)
	a.Press("solo.start_anew")
	run(2)
	if s, ok := a.Scene().(*solo); !ok || !seat.done || s.state.Placements() != 0 {
		t.Errorf("kept %v, scene %T", seat.done, a.Scene())
	}
}

// What cannot be kept is said, and the board stays as it was.
func TestARefusedPlacementChangesNothing(t *testing.T) {
	seat := newSoloRun(training, "full")
	s, src, run := soloApp(training, seat, DefaultSettings())
	run(1)
	seat.refuse = fmt.Errorf("the disk is full")
	src.Press(Accept, Accept)
	run(6)
	if s.state.Placements() != 0 || !strings.Contains(s.banner, "the disk is full") {
		t.Errorf("%d pieces, %q", s.state.Placements(), s.banner)
	}
	seat.refuse = nil
	src.Press(Accept, Accept)
	run(6)
	if s.state.Placements() != 1 {
		t.Error("it goes on no more")
	}
}

// A whole run by what the mirror says and takes alone.
func TestASoloGameIsPlayedByTheMirror(t *testing.T) {
	for _, c := range []SoloChoice{classicHard, training} {
		seat := newSoloRun(c, "mirror")
		a, run := mirroredApp(newSolo(newFakeWorld(), c, seat))
		run(2)
		for range 3000 {
			m := a.Mirror()
			if m.Scene == "solo_result" {
				break
			}
			press := ""
			for _, p := range m.Parts {
				switch {
				case p.ID == "solo.take_chance":
					press = p.ID
				case p.Disabled:
				case p.ID == "mirror.place":
					press = p.ID
				case press == "" && len(p.ID) == len(partPiece)+1 && !p.Chosen && seat.state.Piece(int(p.ID[len(partPiece)]-'0')).Fits(seat.state.Board(), 8) != 0:
					press = p.ID
				}
			}
			if press != "" && !a.Press(press) {
				t.Fatalf("%s cannot be pressed in %+v", press, m)
			}
			run(2)
			if press == "" {
				run(20)
			}
		}
		if m := a.Mirror(); m.Scene != "solo_result" || !seat.done {
			t.Errorf("in the end it says %+v", m)
		}
	}
}

func TestWorkedExamplesOfTheHelp(t *testing.T) {
	var totals []int
	for _, r := range streakExample() {
		totals = append(totals, r.sum)
	}
	if fmt.Sprint(totals) != "[16 116 128 624 788 808]" {
		t.Errorf("the streak's totals are %v", totals)
	}
	totals = nil
	for _, r := range classicExample() {
		totals = append(totals, r.sum)
	}
	if fmt.Sprint(totals) != "[14 67 92 96]" {
		t.Errorf("the classic's totals are %v", totals)
	}
}

// The daily challenge waits for the server, says what is wrong, and leads into
// the game and back.
func TestTheDailyChallenge(t *testing.T) {
	c := newContest("daily.title")
	w, a := c.world, c.app
	for _, want := range []string{"Chance 1 · this one counts, 9,120", "Chance 2 · waits for the server, 4,410", w.solo.daily.Place.words(a.Env), "3 You, 9,120"} {
		found := false
		for _, l := range a.Mirror().Lines {
			found = found || strings.TrimSpace(l) == want
		}
		if !found {
			t.Errorf("%q is not said: %q", want, a.Mirror().Lines)
		}
	}
	seat := newSoloRun(training, "daily")
	seat.choice = dailyChoice
	c.enter(t, "daily.play", errors.New("no chance left"), "no chance left", seat)
	// To give it up asks, and says that it is a chance.
	c.askToGiveUp(t, "daily.give_up_question")
	c.press("daily.give_up")
	if _, ok := a.Scene().(*soloDaily); !ok || !seat.done || len(seat.moves) != 1 {
		t.Errorf("scene %T, kept %v, %d moves", a.Scene(), seat.done, len(seat.moves))
	}
}

// A radius that the player chose is how far a dragged piece snaps.
func TestTheRadiusOfSnapping(t *testing.T) {
	for snap, want := range map[int]bool{6: false, 9: false, 15: true} {
		set := DefaultSettings()
		set.Snap = snap
		seat := newSoloRun(classicHard, "snap")
		s, _, run := soloApp(classicHard, seat, set)
		run(1)
		s.pick(0)
		env := NewEnv(set)
		s.near(-1.2, 2, env.snapCells())
		if s.hold.fits != want {
			t.Errorf("with %d tenths a piece 1.2 cells off snaps: %v", snap, s.hold.fits)
		}
	}
}

func TestPointsHaveTheirSign(t *testing.T) {
	for n, want := range map[int]string{0: "+0", 5: "+5", 420: "+420", 7020: "+7,020", -8: "−8", -300: "−300"} {
		if got := signed(n); got != want {
			t.Errorf("%d is written %q, want %q", n, got, want)
		}
	}
}

// Dates of the server are said as the others are; what is no date stays.
func TestDatesAreSaid(t *testing.T) {
	for date, want := range map[string]string{"2026-11-28": "28 Nov 2026", "": "", "soon": "soon"} {
		if got := day(date); got != want {
			t.Errorf("the day %q is %q, not %q", date, got, want)
		}
	}
	for date, want := range map[string]string{"2026-11": "November 2026", "first": "first"} {
		if got := month(date); got != want {
			t.Errorf("the month %q is %q, not %q", date, got, want)
		}
	}
}
