package ui

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine/bot"
)

// shared is a result as it is shared.
func shared(w *fakeWorld, c SoloChoice) *soloResult {
	played := c
	if c.Contest() {
		played = training
	}
	seat := playedSolo(played, bot.Easy, func(s SoloState) bool { return s.Outcome().Over })
	run, _, _ := seat.Finish()
	if c == dailyChoice {
		w.solo.proof.Day, run.Chance = "2026-11-28", 2
	}
	return newSoloResult(w, c, run, seat.state)
}

// The card is the same at every size of the window and of its text, and looks as
// it did.
func TestTheCardLooksAsItDid(t *testing.T) {
	for _, theme := range []string{"light", "dark"} {
		for name, c := range map[string]SoloChoice{"classic": classicHard, "daily": dailyChoice, "arena": {Game: "streak", Level: "arena", Arena: "3f2a"}} {
			set := DefaultSettings()
			set.Theme = theme
			var first []byte
			for _, size := range [][2]float64{{360, 640}, {1280, 800}} {
				for _, text := range []int{100, 200} {
					set.TextPercent = text
					nextFrame()
					env := NewEnv(set)
					env.Resize(size[0], size[1], 1)
					env.Paint = brush
					file, err := shared(newFakeWorld(), c).card(env)
					if err != nil {
						t.Fatal(err)
					}
					if first == nil {
						first = file
					} else if !bytes.Equal(file, first) {
						t.Errorf("%s, %s: another card at %v and %d %%", name, theme, size, text)
					}
				}
			}
			img, err := png.Decode(bytes.NewReader(first))
			if err != nil || img.Bounds() != image.Rect(0, 0, cardSide, cardSide) {
				t.Fatalf("%v, %v", img.Bounds(), err)
			}
			if *pictures != "" {
				writePicture(t, "card-"+name+"-"+theme, img)
			}
			flat := image.NewRGBA(img.Bounds())
			draw.Draw(flat, flat.Rect, img, image.Point{}, draw.Src)
			got, path := quantise(shrink(flat, 6), goldenPalette()), filepath.Join("testdata", "card-"+theme, name+".png")
			if *update {
				writeGolden(t, path, got)
				continue
			}
			want, err := readGolden(path)
			if err != nil {
				t.Fatalf("%v (look at the card, then run with -update)", err)
			}
			if diff := compare(got, want); diff != "" {
				t.Errorf("%s: %s", path, diff)
			}
		}
	}
}

// What is shared says the game, the day, the score, the best combo and whose it
// is, and nothing that leads further: only the beginning of the player's code.
func TestWhatIsShared(t *testing.T) {
	w := newFakeWorld()
	r := shared(w, dailyChoice)
	env := NewEnv(DefaultSettings())
	words := r.words(env)
	for _, want := range []string{"Streak", "28 Nov 2026", number(r.run.Score), fmt.Sprint("best combo ", r.run.Combo), "Chance 2"} {
		if !strings.Contains(words, want) {
			t.Errorf("%q is not in %q", want, words)
		}
	}
	if strings.Contains(words, "seed") || strings.Contains(words, codes[0]) {
		t.Errorf("it says too much: %q", words)
	}
	if words := shared(newFakeWorld(), classicHard).words(env); !strings.Contains(words, "seed ") {
		t.Errorf("nobody can play the same pieces: %q", words)
	}
}

// The button saves the card and says where; what goes wrong is said.
func TestTheCardIsSaved(t *testing.T) {
	w := newFakeWorld()
	a, run := mirroredApp(shared(w, dailyChoice))
	run(2)
	a.Press("share.card")
	run(2)
	if _, err := png.Decode(bytes.NewReader(w.solo.kept)); err != nil {
		t.Fatal(err)
	}
	if all := fmt.Sprint(a.Mirror().Lines); !strings.Contains(all, "/home/ada/Pictures/cleave-streak-") {
		t.Errorf("it does not say where: %s", all)
	}
	w.refuse = fmt.Errorf("the disk is full")
	a.Press("share.card")
	run(2)
	if all := fmt.Sprint(a.Mirror().Lines); !strings.Contains(all, "the disk is full") {
		t.Errorf("it does not say what is wrong: %s", all)
	}
	a.Press("solo.share")
	run(2)
	if !strings.HasPrefix(w.copied, "Cleave, Streak") {
		t.Errorf("copied %q", w.copied)
	}
}
