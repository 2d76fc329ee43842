//go:build unix && !android

package players

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
)

// A person at a real terminal types a whole match, each line when the prompt
// for it is there.
func TestHumanThroughAPty(t *testing.T) {
	master, terminal, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	s := start(t)
	mine, theirs := bot.New(bot.Hard, 1), bot.New(bot.Easy, 2)
	lines := strings.SplitAfter("what\n"+script(t, s, 0, mine, theirs), "\n")
	lines = lines[:len(lines)-1]
	var shown bytes.Buffer
	var person sync.WaitGroup
	person.Go(func() {
		buf := make([]byte, 4096)
		seen := 0
		for {
			n, err := master.Read(buf)
			if err != nil {
				return
			}
			shown.Write(buf[:n])
			// The echo of what is typed has no prompt in it.
			for prompts := strings.Count(shown.String(), " > "); seen < prompts && len(lines) > 0; seen++ {
				if _, err := master.WriteString(lines[0]); err != nil {
					return
				}
				lines = lines[1:]
			}
		}
	})
	h := NewHuman(terminal, terminal, [2]string{"Ann", "Bob"})
	o := playMatch(t, s, [2]Player{h, computer{theirs}})
	h.Close()
	terminal.Close()
	master.Close()
	person.Wait()
	if o.End != engine.Played || len(lines) != 0 {
		t.Errorf("%+v, %d lines not typed", o, len(lines))
	}
	if text := shown.String(); !strings.Contains(text, "Round 8 of 8") || !strings.Contains(text, "help explains") {
		t.Errorf("the screen:\n%s", text)
	}
}
