package windowtest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// placeSolo places pieces by what the screen offers until wanted says so: each
// piece in turn, where it fits nearest to the middle.
func (w *window) placeSolo(limit time.Duration, wanted func(mirror) bool) mirror {
	w.t.Helper()
	late := time.Now().Add(limit)
	for slot := 0; ; {
		w.mu.Lock()
		m, change := w.shown, w.change
		w.mu.Unlock()
		if wanted(m) {
			return m
		}
		if time.Now().After(late) {
			w.t.Fatalf("%s: it is not so after %v", w.name, limit)
		}
		if whole, ok := part(m, "mirror.place"); ok {
			w.say("press " + whole)
		} else if m.Scene == "solo" {
			w.say(fmt.Sprintf("press mirror.piece/%d", slot))
			slot = (slot + 1) % 3
		}
		select {
		case <-change:
		case <-time.After(300 * time.Millisecond): // the press came too early
		}
	}
}

// toGame goes from the title to a game of the Streak, where the server may be
// asked for it.
func (w *window) toGame(ids ...string) mirror {
	w.t.Helper()
	w.press("title.streak")
	for _, id := range ids {
		w.press(id)
	}
	return w.until("the game", 3*time.Minute, func(m mirror) bool { return m.Scene == "solo" && score(m) != "" })
}

// score is the line of a game that tells the points.
func score(m mirror) string {
	for _, l := range m.Lines {
		if strings.Contains(l, " points, ") {
			return l
		}
	}
	return ""
}

// A daily challenge in a window with a real server: killed in the middle, it
// goes on where it was and uses no other chance up; played to its end it is
// taken, and counts.
func TestADailyChallenge(t *testing.T) {
	t.Parallel()
	awayFromMidnight()
	s := newServer(t)
	data := t.TempDir()
	w := open(t, "Ada", data, nil, "-server", s.url())
	w.begin("Ada")
	w.toGame("daily.title", "daily.play")
	kept := score(w.placeSolo(time.Minute, func(m mirror) bool { return strings.HasSuffix(score(m), " 4 pieces placed") }))
	w.close()

	w = open(t, "Ada", data, nil, "-server", s.url())
	if m := w.toGame("daily.title", "solo.go_on"); score(m) != kept {
		t.Fatalf("another board than %q: %+v", kept, m)
	}
	w.placeSolo(2*time.Minute, func(m mirror) bool { return m.Scene == "solo_result" })
	w.press("solo.proof")
	w.until("the anchor that the deal leads to", time.Minute, func(m mirror) bool {
		all := strings.Join(m.Lines, "\n")
		return strings.Contains(all, "gives this anchor") && strings.Contains(all, "cleavectl streak --level counting --seed ")
	})
	w.press("back")
	w.press("daily.back")
	m := w.until("the run that counts, on the board", 2*time.Minute, func(m mirror) bool {
		all := strings.Join(m.Lines, "\n")
		return strings.Contains(all, "Chance 1 · this one counts") && strings.Contains(all, "Place 1 of 1") && strings.Contains(all, "1 You, ")
	})
	all := strings.Join(m.Lines, "\n")
	if _, ok := part(m, "daily.play"); !ok || strings.Contains(all, "Chance 2") {
		t.Errorf("another chance was used up: %+v", m)
	}
	// The boards, for the world and for a country that is given now.
	w.press("board.title")
	w.until("the field for a country", time.Minute, func(m mirror) bool { _, ok := part(m, "board.country_field"); return ok })
	w.say("submit board.country_field np")
	w.press("board.where/1")
	w.until("oneself on a country's board", 2*time.Minute, func(m mirror) bool {
		return strings.Contains(strings.Join(m.Lines, "\n"), "1 You · NP, ")
	})
	files, err := filepath.Glob(filepath.Join(data, "p", "runlog-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("records %v, %v", files, err)
	}
	if out, err := exec.Command(filepath.Join(programs, "cleavectl"), "verify", files[0]).CombinedOutput(); err != nil {
		t.Errorf("the record does not hold: %v\n%s", err, out)
	}
}
