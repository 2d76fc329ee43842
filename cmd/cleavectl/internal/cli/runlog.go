package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

// loadRun reads and verifies the file of a run. A bot that the terms name is
// played again.
func loadRun(ctx context.Context, data []byte) (record.VerifiedRun, error) {
	log, err := record.ParseRunLog(data)
	if err != nil {
		return record.VerifiedRun{}, err
	}
	v, err := record.VerifyRun(log, games.All())
	if err != nil {
		return record.VerifiedRun{}, err
	}
	if err := games.CheckBot(ctx, v); err != nil {
		return record.VerifiedRun{}, err
	}
	return v, nil
}

// runSummary is what a run that holds says.
type runSummary struct {
	Run        string `json:"run"`
	Rules      string `json:"rules"`
	Level      string `json:"level"`
	Player     string `json:"player"`
	Bot        string `json:"bot,omitempty"`
	Seed       string `json:"seed"`
	Complete   bool   `json:"complete"`
	Score      int32  `json:"score"`
	Combo      uint16 `json:"combo"`
	Placements int    `json:"placements"`
	Hints      int    `json:"hints"`
	Chances    int    `json:"chances"`
	Entries    int    `json:"entries"`
}

func summariseRun(v record.VerifiedRun) *runSummary {
	t, id, claim := v.Terms(), v.ID(), v.Claim()
	s := &runSummary{
		Run: fmt.Sprintf("%x", id[:]), Rules: t.Rules, Player: record.PlayerCode(t.Key), Seed: fmt.Sprintf("%x", t.Seed[:]),
		Complete: v.Complete(), Score: claim.Score, Combo: claim.Combo, Placements: v.Placements(), Entries: v.Len(),
	}
	if t.Bot != nil {
		s.Bot = t.Bot.Name
	}
	switch pos := v.Position().(type) {
	case classic.State:
		s.Level, s.Hints = pos.Difficulty().String(), pos.HintsTaken()
	case streak.State:
		s.Level, s.Chances = "counting", pos.ChancesTaken()
		if len(t.Params) == 1 && streak.Mode(t.Params[0]) == streak.Training {
			s.Level = "training"
		}
	}
	return s
}

// String is one line for a person.
func (s *runSummary) String() string {
	who := s.Player
	if s.Bot != "" {
		who += " (" + s.Bot + ")"
	}
	text := fmt.Sprintf("%s %s by %s, %d points, %d %s, best combo %d", s.Rules, s.Level, who, s.Score, s.Placements, plural(s.Placements, "piece"), s.Combo)
	if s.Hints > 0 {
		text += fmt.Sprintf(", %d %s", s.Hints, plural(s.Hints, "hint"))
	}
	if s.Chances > 0 {
		text += fmt.Sprintf(", %d second %s", s.Chances, plural(s.Chances, "chance"))
	}
	return text
}

// command is what deals the same again.
func (s *runSummary) command() string {
	name := "streak"
	if s.Rules == classic.Rules {
		name = "classic"
	}
	return fmt.Sprintf("cleavectl %s --level %s --seed %s --player human", name, s.Level, s.Seed)
}

// showRun prints a run piece by piece.
func showRun(w io.Writer, v record.VerifiedRun) error {
	s := summariseRun(v)
	fmt.Fprintf(w, "run    %s\nrules  %s, %s\nplayer %s\nseed   %s\nagain  %s\n", s.Run, s.Rules, s.Level, s.Player, s.Seed, s.command())
	if s.Bot != "" {
		fmt.Fprintf(w, "bot    %s, whose moves these are\n", s.Bot)
	}
	t := v.Terms()
	start, err := games.All()[t.Rules].Start(t.Seed, t.Params)
	if err != nil {
		return err
	}
	pos := start.(record.Solo)
	placed := 0
	for n := 1; n <= v.Len(); n++ {
		m := v.MoveAt(n)
		next, err := pos.Apply(m)
		if err != nil {
			return fmt.Errorf("entry %d: %w", n, err) // cannot be: it was verified
		}
		after := next.(record.Solo)
		switch m.Kind {
		case engine.Chance:
			fmt.Fprint(w, "\nA second chance: the board is emptied.\n")
		case engine.Hint:
			fmt.Fprint(w, "\nA hint is taken.\n")
		default:
			placed++
			slot, cell := int(m.Data>>8), int(m.Data&0xff)
			p := handOf(pos)[slot]
			_, lines := (pos.Board() | p.At(cell/8, cell%8)).Clear(streak.Size)
			fmt.Fprintf(w, "\n%d. piece %d to row %d, column %d: +%d", placed, slot+1, cell/8+1, cell%8+1+firstColumn(p),
				after.Outcome().Score[0]-pos.Outcome().Score[0])
			if k := lines.Count(); k > 0 {
				fmt.Fprintf(w, ", %d %s", k, plural(k, "line"))
			}
			fmt.Fprintf(w, "\n%s", indent(drawPlaced(pos.Board(), p.At(cell/8, cell%8))))
		}
		pos = after
	}
	fmt.Fprintf(w, "\n%s\n%s", standing(pos), indent(pos.Board().Text(streak.Size)))
	if !s.Complete {
		fmt.Fprintln(w, "The game was not played to its end.")
	}
	return nil
}

// drawPlaced draws a board with the piece that is placed as O, and what clears
// as *.
func drawPlaced(b, piece engine.Board) string {
	after, _ := (b | piece).Clear(streak.Size)
	var out []byte
	for r := range streak.Size {
		for c := range streak.Size {
			mark := byte('.')
			switch {
			case (b|piece).Has(r, c) && !after.Has(r, c):
				mark = '*'
			case piece.Has(r, c):
				mark = 'O'
			case b.Has(r, c):
				mark = '#'
			}
			out = append(out, mark)
		}
		out = append(out, '\n')
	}
	return string(out)
}

// showRunEntries prints the summary and then each entry as JSON.
func (c *call) showRunEntries(v record.VerifiedRun) {
	c.emit(summariseRun(v))
	t := v.Terms()
	pos, err := games.All()[t.Rules].Start(t.Seed, t.Params)
	if err != nil {
		panic("cli: a run that was verified does not start: " + err.Error())
	}
	for n := 1; n <= v.Len(); n++ {
		m := v.MoveAt(n)
		if pos, err = pos.Apply(m); err != nil {
			panic("cli: a run that was verified does not replay: " + err.Error())
		}
		line := event{"entry": n, "kind": kindName(m.Kind), "score": pos.Outcome().Score[0], "digest": fmt.Sprintf("%x", pos.Digest())}
		if m.Kind == engine.Place {
			line["slot"], line["row"], line["column"] = m.Data>>8, m.Data&0xff/8, m.Data&0xff%8
		}
		c.emit(line)
	}
}

// isRun reports whether the bytes are those of a run's file.
func isRun(data []byte) bool {
	const magic = "CLEAVE"
	return len(data) > len(magic) && string(data[:len(magic)]) == magic && data[len(magic)] == 1
}
