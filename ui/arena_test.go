package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// An arena is entered from the list, played, given up with a question of its own,
// and left for its standings.
func TestAnArenaIsEnteredAndLeft(t *testing.T) {
	c := newContest("arena.title")
	a, run := c.app, c.run
	lists := strings.Join(labels(a), "\n")
	for _, want := range []string{"Arena B07D, 9,120, Closes in 5 h 12 min · 12 of 20 players · place 3", "Arena 4E11, 5,230, Closed · place 11", "Arena 77AA, 60, Closed · not taken", "Arena 91C0, Closes in 47 minutes · 18 of 20 players"} {
		if !strings.Contains(lists, want) {
			t.Errorf("%q is not said:\n%s", want, lists)
		}
	}
	seat := newSoloRun(training, "arena")
	seat.choice = SoloChoice{Game: "streak", Level: "arena", Arena: "91c0"}
	c.enter(t, "arena.enter_any", Notice{ID: "trouble.no_server"}, "This needs a server.", seat)
	c.askToGiveUp(t, "arena.give_up_question")
	a.Press("solo.keep_playing")
	run(2)
	a.Press("solo.leave")
	run(2)
	one, ok := a.Scene().(*arena)
	if !ok || one.id != "91c0" || !seat.left || seat.done {
		t.Fatalf("scene %T, left %v, kept %v", a.Scene(), seat.left, seat.done)
	}
}

func labels(a *App) (all []string) {
	for _, p := range a.Mirror().Parts {
		all = append(all, p.Label)
	}
	return all
}

// The standings say who is an AI player, and of which level; once it is closed,
// each run can be watched.
func TestTheStandingsOfAnArena(t *testing.T) {
	w := newFakeWorld()
	a, run := mirroredApp(newArena(w, "b07d"))
	run(2)
	all := strings.Join(a.Mirror().Lines, "\n")
	for _, want := range []string{"1 AI · Expert, 14,480", "3 You, 10,120", "5 K7QM-2XNA · NP, 5,760", "has not finished yet", "Place 3 of 7"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not said:\n%s", want, all)
		}
	}
	if strings.Contains(strings.Join(labels(a), " "), "AI") {
		t.Error("a run of an open arena can be watched")
	}
	view := w.solo.arena
	view.Closed = true
	view.Board = append([]DailyLine{}, view.Board...)
	for i := range view.Board[:7] {
		view.Board[i].Run = fmt.Sprint("run", i)
	}
	w.solo.arena = view
	run(2 * lookTicks)
	if l := a.Mirror().part(t, "run/run1").Label; l != "2, AI · Hard, 12,300" {
		t.Errorf("it says %q", l)
	}
	a.Press("run/run1")
	run(3)
	if _, ok := a.Scene().(*soloReplay); !ok {
		t.Fatalf("scene %T", a.Scene())
	}
	a.Press("back")
	run(3)
	if _, ok := a.Scene().(*arena); !ok {
		t.Fatalf("scene %T", a.Scene())
	}
	w.solo.arena.Board = append([]DailyLine{}, view.Board...)
	w.solo.arena.Board[2].Run = "broken"
	run(2 * lookTicks)
	a.Press("run/broken")
	run(3)
	if all := strings.Join(a.Mirror().Lines, "\n"); !strings.Contains(all, "entry 17") {
		t.Errorf("it does not say that the run is broken:\n%s", all)
	}
}

// A full arena, and one in which one's run was not taken.
func TestAnArenaSaysWhyNot(t *testing.T) {
	w := newFakeWorld()
	w.solo.arena.ArenaLine = ArenaLine{ID: "b07d", Left: 5, Taken: 20, Seats: 20}
	a, run := mirroredApp(newArena(w, "b07d"))
	run(2)
	if all := strings.Join(a.Mirror().Lines, "\n"); !strings.Contains(all, "Every seat is taken.") {
		t.Errorf("%s", all)
	}
	for _, p := range a.Mirror().Parts {
		if p.ID == "arena.enter" {
			t.Error("a full arena can be entered")
		}
	}
	w.solo.arena.Status, w.solo.arena.Why = "refused", Notice{ID: "ranking.421"}
	run(2 * lookTicks)
	if all := strings.Join(a.Mirror().Lines, "\n"); !strings.Contains(all, "Not taken: That day or arena is over") {
		t.Errorf("%s", all)
	}
	w.solo.arena.Closed, w.solo.arena.Status, w.solo.arena.Why = true, "playing", Notice{}
	w.solo.arena.Board = []DailyLine{{Rank: 1, Code: codes[1], Score: 9, Bot: "grandmaster"}}
	run(2 * lookTicks)
	if all := strings.Join(a.Mirror().Lines, "\n"); !strings.Contains(all, "You did not finish in time") || !strings.Contains(all, "AI · grandmaster") {
		t.Errorf("%s", all)
	}
	for _, p := range a.Mirror().Parts {
		if p.ID == "solo.go_on" {
			t.Error("a run in a closed arena can be gone on with")
		}
	}
}

// Where the server's answer brings something to press, the focus goes to it from
// the way back, and from nowhere else.
func TestTheFocusGoesToWhatArrives(t *testing.T) {
	w := newFakeWorld()
	daily, list, one := w.solo.daily, w.solo.arenas, w.solo.arena
	one.ArenaLine, one.Board = list.Open[0], nil
	for _, c := range []struct {
		scene func() screened
		want  string
	}{
		{func() screened { return newSoloDaily(w) }, "daily.play"},
		{func() screened { return newArenas(w) }, "arena.enter_any"},
		{func() screened { return newArena(w, "3f2a") }, "arena.enter"},
	} {
		for _, moved := range []bool{false, true} {
			w.solo.daily, w.solo.arenas, w.solo.arena = DailyView{Looking: true, Place: Place{Percentile: -1}}, ArenasView{Looking: true}, ArenaView{Looking: true}
			s := c.scene()
			a, run := mirroredApp(s.(Scene))
			run(3)
			if s.widgets().Focused() != "back" {
				t.Fatalf("%T: at first %q", s, s.widgets().Focused())
			}
			want := c.want
			if moved && s.widgets().find("daily.sundays") != nil {
				want = "daily.sundays"
				a.Focus(want)
			}
			w.solo.daily, w.solo.arenas, w.solo.arena = daily, list, one
			run(2 * lookTicks)
			if got := s.widgets().Focused(); got != want {
				t.Errorf("%T: the focus is on %q, not on %q", s, got, want)
			}
		}
	}
}

// A scene looks again in time, also while the game rests and ticks are skipped.
func TestAWatchIsDueHoweverTicksPass(t *testing.T) {
	for _, step := range []int64{1, 7, 15, 60} {
		env := NewEnv(DefaultSettings())
		var w watch
		looks := 0
		for env.Now = 3; env.Now < 1000; env.Now += step {
			if w.due(env) {
				looks++
			}
		}
		if least := int(1000/(lookTicks+step)) - 2; looks < least {
			t.Errorf("in steps of %d ticks it looked %d times of %d", step, looks, least)
		}
	}
}

var errDisk = errors.New("the disk is full")

func TestBoardsAreTurnedAndCountriesKept(t *testing.T) {
	w := newFakeWorld()
	a, run := mirroredApp(newBoards(w, func() Scene { return newSoloDaily(w) }))
	run(2)
	b := a.Scene().(*boards)
	all := strings.Join(a.Mirror().Lines, "\n")
	for _, want := range []string{"Place 24 of 57, above 33 of 56 players · ahead of 58 %", "1 K7QM-2XNA, 91,480", "24 You, 20,858", "The best run of each player today."} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not said:\n%s", want, all)
		}
	}
	a.Press("board.span/2")
	run(2)
	if b.choice != (BoardChoice{Span: "all"}) || !strings.Contains(strings.Join(a.Mirror().Lines, "\n"), "every day, added up") {
		t.Errorf("%+v", b.choice)
	}
	if b.screen.find("board.where/1") != nil {
		t.Error("a country to choose, and none was given")
	}
	a.Write("board.country_field", "Nepal", true)
	run(2)
	if all := strings.Join(a.Mirror().Lines, "\n"); !strings.Contains(all, "no country’s code") || w.solo.country != "" {
		t.Errorf("a country that is none: %q\n%s", w.solo.country, all)
	}
	a.Write("board.country_field", "NP", true)
	run(2)
	if all := strings.Join(a.Mirror().Lines, "\n"); !strings.Contains(all, "You are listed under NP.") {
		t.Errorf("%s", all)
	}
	a.Press("board.where/1")
	run(2)
	if !b.choice.Mine {
		t.Errorf("%+v", b.choice)
	}
	a.Write("board.country_field", "", true)
	run(2)
	if b.choice.Mine || w.solo.country != "" {
		t.Errorf("%+v, %q", b.choice, w.solo.country)
	}
}

func TestAPlaceInWords(t *testing.T) {
	env := NewEnv(DefaultSettings())
	for p, want := range map[Place]string{
		{Percentile: -1}:                                        "",
		{Rank: 1, Total: 1, Percentile: -1}:                     "Place 1 of 1",
		{Rank: 2, Total: 2, Above: 0, Of: 1, Percentile: -1}:    "Place 2 of 2, above 0 of 1 player",
		{Rank: 5, Total: 8, Above: 3, Of: 7, Percentile: -1}:    "Place 5 of 8, above 3 of 7 players",
		{Rank: 2, Total: 25, Above: 23, Of: 24, Percentile: 95}: "Place 2 of 25, above 23 of 24 players · ahead of 95 %",
	} {
		if got := p.words(env); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}

// The reminder is turned off where the daily challenge is.
func TestSundaysAreTurnedOff(t *testing.T) {
	w := newFakeWorld()
	a, run := mirroredApp(newSoloDaily(w))
	run(2)
	if !a.Mirror().part(t, "daily.sundays").Chosen {
		t.Error("it is off")
	}
	a.Press("daily.sundays")
	run(2)
	if w.solo.sundays || a.Mirror().part(t, "daily.sundays").Chosen {
		t.Error("it is still on")
	}
	w.refuse = errDisk
	a.Press("daily.sundays")
	run(2)
	if all := strings.Join(a.Mirror().Lines, "\n"); !strings.Contains(all, "the disk is full") {
		t.Errorf("it does not say what is wrong:\n%s", all)
	}
}
