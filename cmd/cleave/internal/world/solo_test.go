package world

import (
	"testing"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/ui"
)

// soloChoices are all that the screen offers.
var soloChoices = []ui.SoloChoice{{Game: "classic", Level: "easy"}, {Game: "classic", Level: "medium"}, {Game: "classic", Level: "hard"}, {Game: "streak", Level: "training"}}

func decide(s ui.SoloState) engine.Move {
	player := bot.New(bot.Easy, 3)
	if c, ok := s.(classic.State); ok {
		return player.Classic(c)
	}
	return player.Streak(s.(streak.State))
}

// Each game is left and come back to, also without a good-bye, and is where it
// was; those of other levels do not mix.
func TestASoloGameIsGoneOnWith(t *testing.T) {
	dir := t.TempDir()
	want := map[ui.SoloChoice]ui.SoloState{}
	for visit := range 3 {
		v, err := vault.Open(dir, "p")
		if err != nil {
			t.Fatal(err)
		}
		w, err := Open(v, "1", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range soloChoices {
			score, ok := w.SoloInProgress(c)
			if ok != (visit > 0) || ok && score != want[c].Score() {
				t.Errorf("%v in progress: %v, %d", c, ok, score)
			}
			seat, err := w.PlaySolo(c)
			if err != nil {
				t.Fatal(err)
			}
			if visit > 0 && seat.State() != want[c] {
				t.Errorf("%v: another board at visit %d", c, visit)
			}
			for range 4 {
				if seat.State().Outcome().Over || seat.State().Stuck() {
					break // the deal was a hard one
				}
				if err := seat.Play(decide(seat.State())); err != nil {
					t.Fatal(err)
				}
			}
			want[c] = seat.State()
			if visit == 0 {
				seat.Leave()
			}
		}
		w.Close()
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A game that has ended is in the history and among the best, and its record is
// shown from the first piece to the last.
func TestASoloGameIsKept(t *testing.T) {
	w, err := Open(vault.Memory("p"), "1", "")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, c := range soloChoices[1:] {
		for n := range 2 {
			seat, err := w.PlaySolo(c)
			if err != nil {
				t.Fatal(err)
			}
			for k := 0; !seat.State().Outcome().Over && k < 300; k++ {
				if err := seat.Play(decide(seat.State())); err != nil {
					t.Fatal(err)
				}
			}
			end := seat.State()
			run, ok, err := seat.Finish()
			if err != nil || !ok || run.Score != end.Score() || run.Choice != c || run.Complete != end.Outcome().Over {
				t.Fatalf("%+v, %v, %v", run, ok, err)
			}
			newest := w.SoloRuns()[0]
			if !newest.At.Equal(run.At) {
				t.Errorf("it was kept at %v, not at %v", newest.At, run.At)
			}
			if newest.At = run.At; newest != run {
				t.Errorf("the newest is %+v, not %+v", newest, run)
			}
			if best := w.SoloBest(c); len(best) != n+1 || best[0].Score < best[n].Score {
				t.Errorf("the best of %v: %+v", c, best)
			}
			replay, err := w.SoloReplay(run.ID)
			if err != nil {
				t.Fatal(err)
			}
			var s engine.Position = replay.Start
			for _, m := range replay.Moves {
				if s, err = s.Apply(m); err != nil {
					t.Fatal(err)
				}
			}
			if s != end {
				t.Error("the replay ends elsewhere")
			}
			if _, ok := w.SoloInProgress(c); ok {
				t.Error("it is still in progress")
			}
		}
	}
	if _, err := w.SoloReplay("none"); err == nil {
		t.Error("a run that is not there was opened")
	}
	if _, err := w.PlaySolo(ui.SoloChoice{Game: "classic", Level: "mad"}); err == nil {
		t.Error("a level that is none was played")
	}
	if _, err := w.PlaySolo(ui.SoloChoice{Game: "streak", Level: "easy"}); err == nil {
		t.Error("a level that is none was played")
	}
}

// A journal that does not read is put aside, and a new game begins.
func TestASpoiltSoloGameIsPutAside(t *testing.T) {
	v := vault.Memory("p")
	w, err := Open(v, "1", "")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	c := soloChoices[3]
	j, err := v.CreateRun(slotOf(c), []byte("rubbish"))
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	seat, err := w.PlaySolo(c)
	if err != nil || seat.State().Placements() != 0 {
		t.Fatal(err)
	}
	if len(v.Problems()) != 1 {
		t.Errorf("problems: %v", v.Problems())
	}
}

// The ruleset that each choice is played by is the one that the history finds it
// by.
func TestChoicesAreFoundAgain(t *testing.T) {
	for _, c := range append(soloChoices, dailyChoice) {
		d, err := dealOf(c, [32]byte{})
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := choiceOf(vault.RunInfo{Rules: d.Rules, Params: d.Params}); !ok || got != c {
			t.Errorf("%v is found as %v, %v", c, got, ok)
		}
	}
	w, err := Open(vault.Memory("p"), "1", "")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.PlaySolo(dailyChoice); err == nil {
		t.Error("a daily challenge was begun without its server")
	}
	if v := w.Daily(); v.Trouble == (ui.Notice{}) || v.Day != "" {
		t.Errorf("without a server: %+v", v)
	}
	if _, err := w.PlayDaily(); err == nil {
		t.Error("a daily challenge was begun without a server")
	}
}
