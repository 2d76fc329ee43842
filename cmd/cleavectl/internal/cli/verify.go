package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

var verifyCommand = &command{
	name:  "verify",
	args:  "FILE...",
	short: "check that the log of a match or a solo game holds",
	long: `
Replays each .cleave file with the rules it was played by and checks both
signatures. It believes nothing else: a log holds if every entry could be made
and the players signed exactly this. A solo game has one signature, and a bot
that it names is played again. Of several files the worst decides the exit
code.`,
	exits: []exit{
		{exitOK, "every file is a whole match, signed by both, or a whole solo game"},
		{exitFailed, "a file does not hold (which entry, and why), or cannot be read"},
		{exitPartial, "all hold, but one is unfinished or has no seal"},
	},
	bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
		return func(ctx context.Context, c *call) error {
			if len(c.args) == 0 {
				return usagef("which file?")
			}
			worst := exitOK
			for _, file := range c.args {
				code := c.verify(ctx, file)
				if code == exitFailed || worst == exitOK {
					worst = code
				}
			}
			if worst != exitOK {
				return &exitError{code: worst}
			}
			return nil
		}
	},
}

// judged is what verify says of one file.
type judged struct {
	File  string `json:"file"`
	Holds bool   `json:"holds"`
	// Of a file that does not hold.
	Entry  *int   `json:"entry,omitempty"`
	Reason string `json:"reason,omitempty"`
	Error  string `json:"error,omitempty"`
	*summary
	Solo *runSummary `json:"solo,omitempty"`
}

// summary is what a log that holds says of its match.
type summary struct {
	Match    string    `json:"match"`
	Rules    string    `json:"rules"`
	Players  [2]string `json:"players"`
	Rated    bool      `json:"rated"`
	Complete bool      `json:"complete"`
	Sealed   bool      `json:"sealed"`
	End      string    `json:"end"`
	Winner   *int      `json:"winner"`
	Score    [2]int32  `json:"score"`
	Rounds   int       `json:"rounds"`
	Entries  int       `json:"entries"`
}

func summarise(v record.Verified) *summary {
	t, out := v.Terms(), v.Outcome()
	id := v.ID()
	s := &summary{
		Match: fmt.Sprintf("%x", id[:]), Rules: t.Rules, Rated: t.Rated,
		Players:  [2]string{record.PlayerCode(t.Keys[0]), record.PlayerCode(t.Keys[1])},
		Complete: v.Complete(), Sealed: v.Sealed(), End: endName(out.End),
		Score: out.Score, Rounds: out.Rounds, Entries: v.Len(),
	}
	if out.Over && out.Winner != engine.Nobody {
		s.Winner = &out.Winner
	}
	return s
}

func endName(e engine.End) string {
	switch e {
	case engine.Played:
		return "played"
	case engine.Forfeited:
		return "forfeited"
	case engine.Resigned:
		return "resigned"
	case engine.NoResult:
		return "no-result"
	}
	return "unfinished"
}

// A loaded file is a match or a run that holds.
type loaded struct {
	match record.Verified
	run   record.VerifiedRun
	solo  bool
}

// partial reports whether something is missing at the end.
func (l loaded) partial() bool {
	if l.solo {
		return !l.run.Complete()
	}
	return !l.match.Complete() || !l.match.Sealed()
}

// loadLog reads and verifies one file.
func loadLog(ctx context.Context, file string) (loaded, error) {
	data, err := readFile(file, record.MaxRun)
	if err != nil {
		return loaded{}, err
	}
	if isRun(data) {
		run, err := loadRun(ctx, data)
		return loaded{run: run, solo: true}, err
	}
	log, err := record.ParseLog(data)
	if err != nil {
		return loaded{}, err
	}
	match, err := record.Verify(log, games.All())
	return loaded{match: match}, err
}

func (c *call) verify(ctx context.Context, file string) int {
	l, err := loadLog(ctx, file)
	j := judged{File: file}
	code := exitOK
	if err != nil {
		code = exitFailed
		j.Error = err.Error()
		var unread *unreadableError
		if errors.As(err, &unread) {
			j.Reason = "unreadable"
			j.Error = unread.why()
		}
		var ve *record.VerifyError
		if errors.As(err, &ve) {
			j.Entry = &ve.Entry
		}
		var r record.Reason
		if errors.As(err, &r) {
			j.Reason = r.Name()
		}
	} else {
		j.Holds = true
		if l.solo {
			j.Solo = summariseRun(l.run)
		} else {
			j.summary = summarise(l.match)
		}
		if l.partial() {
			code = exitPartial
		}
	}
	if c.json {
		c.emit(j)
		return code
	}
	if j.Reason == "unreadable" {
		fmt.Fprintf(c.Stdout, "%s: %s\n", file, j.Error)
		return code
	}
	if !j.Holds {
		fmt.Fprintf(c.Stdout, "%s: does not hold: %s\n", file, j.Error)
		return code
	}
	if l.solo {
		state := "complete"
		if l.partial() {
			state = "holds, unfinished"
		}
		fmt.Fprintf(c.Stdout, "%s: %s: %s\n", file, state, j.Solo)
		return code
	}
	state := "complete and sealed"
	switch {
	case !j.Complete:
		state = "holds, unfinished"
	case !j.Sealed:
		state = "holds, complete, without a seal"
	}
	fmt.Fprintf(c.Stdout, "%s: %s: %s\n", file, state, j.summary)
	return code
}

// String is one line for a person.
func (s *summary) String() string {
	vs := fmt.Sprintf("%s against %s, %d to %d", s.Players[0], s.Players[1], s.Score[0], s.Score[1])
	how := ""
	switch s.End {
	case "forfeited":
		how = " by forfeit"
	case "resigned":
		how = " by resignation"
	}
	switch {
	case !s.Complete:
		return fmt.Sprintf("%s after %d rounds", vs, s.Rounds)
	case s.End == "no-result":
		return vs + ", no result: both left it to the clock"
	case s.Winner == nil:
		return vs + ", a draw"
	}
	return fmt.Sprintf("%s, %s won%s", vs, s.Players[*s.Winner], how)
}
