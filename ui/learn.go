package ui

import (
	"image/color"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// learn is how to play: five playable steps, or the rules in words.
type learn struct{ menu }

func newLearn(w World) *learn {
	l := &learn{menu{world: w, back: func() Scene { return newTitle(w) }}}
	l.screen.Build = l.build
	return l
}

func (l *learn) build(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	begin := e.Button("learn.begin", Primary, l.to(func() Scene { return newLesson(l.world, 0) }))
	content := []widget.PreferredSizeLocateableWidget{begin, e.air(4)}
	for _, id := range []string{"rules.goal", "rules.split", "rules.choose", "rules.place", "rules.lines", "rules.blocked", "rules.time", "rules.end"} {
		content = append(content, e.Words(e.T(id), Body, e.Theme.Ink, width))
		switch id {
		case "rules.choose":
			content = append(content, e.drawnSplit())
		case "rules.lines":
			content = append(content, e.drawnLines())
		}
	}
	content = append(content, e.Words(e.T("rules.version", Vars{"Rules": duel.Rules}), Small, e.Theme.Faint, width))
	return l.sheet(e, e.T("learn.title"), begin, content...)
}

// exampleBlock is the block of the drawn example, exampleBoard the board and
// exampleSpot where a piece completes two lines of it.
var (
	exampleBlock = duel.Draw([32]byte{})
	exampleBoard = must(engine.ParsePicture("..#.../..#.../..#.../##.###/#...../##...."))
	exampleSpot  = must(engine.ParsePicture("....../....../....../..#.../..#.../..#..."))
)

func must(cells engine.Board, _, _ int, err error) engine.Board {
	if err != nil {
		panic("ui: " + err.Error())
	}
	return cells
}

// drawnSplit shows a block, and the two pieces that one split makes of it.
func (e *Env) drawnSplit() *picture {
	size := min(e.Px(26), e.ColumnWidth()/12)
	masks, _ := exampleBlock.Splits()
	small, large := masks[0], uint16(exampleBlock)&^masks[0]
	grey := mix(e.Theme.Faint, e.Theme.Well, 0.25)
	return newPicture(e.ColumnWidth(), size*4+e.Px(12), func(dst *ebiten.Image, r Rect) {
		x, _ := r.Mid()
		x -= size * 5
		part := func(mask uint16, x float64, c color.NRGBA, p pattern) {
			for i := range duel.Frame * duel.Frame {
				if mask>>i&1 != 0 {
					e.cell(dst, cellOf(Rect{x, r.Y + e.Px(6), size * 4, size * 4}, duel.Frame, i), c, p)
				}
			}
		}
		part(uint16(exampleBlock), x, grey, plain)
		e.Paint.Icon(dst, iconNext, Rect{x + 4*size, r.Y, 1.6 * size, r.H}, size, e.Theme.Faint)
		part(small, x+6*size, e.Theme.Part[0], partPattern(e, 0))
		part(large, x+6*size, e.Theme.Part[1], partPattern(e, 1))
	})
}

// drawnLines shows a placement that completes a row and a column.
func (e *Env) drawnLines() *picture {
	side := min(e.Px(150), e.ColumnWidth()*0.5)
	return newPicture(e.ColumnWidth(), side+e.Px(20), func(dst *ebiten.Image, r Rect) {
		x, _ := r.Mid()
		at := Rect{x - side/2, r.Y + e.Px(10), side, side}
		e.board(dst, at, exampleBoard, 0, duel.Size)
		e.ghost(dst, at, exampleBoard, exampleSpot, 0, true)
	})
}

// Update waits for a choice.
func (l *learn) Update(e *Env, c *Controls) Scene { return l.update(l, e, c) }

// A lesson is one step of the tutorial: a position in which one thing is to be
// done, found by playing plain matches until it comes up.
type lesson struct {
	menu
	number int
	table  *match
	seat   *lessonSeat
	done   bool
	doneAt int64
}

// lessons are what each step wants: which position, and which decisions of it
// are good.
var lessons = [...]struct {
	wanted func(s duel.State) bool
	good   func(before duel.State, m engine.Move) bool
}{
	// Split.
	{func(s duel.State) bool { return s.Round() == 1 && s.MayDecide(0) == engine.Split }, anyMove},
	// Choose.
	{func(s duel.State) bool { return s.Round() == 2 && s.MayDecide(0) == engine.Choose }, anyMove},
	// Place.
	{func(s duel.State) bool { return s.Round() == 1 && s.MayDecide(0) == engine.Place && s.Owes() == 0 }, anyMove},
	// Complete a line. Nobody has lost points yet that were not told of.
	{func(s duel.State) bool {
		return s.Round() >= 3 && s.MayDecide(0) == engine.Place && s.Owes() == 0 && s.Score(0) >= 0 && s.Score(1) >= 0 && most(s) == 1
	}, clearsMost},
	// Complete two at once.
	{func(s duel.State) bool {
		return s.Round() >= 3 && s.MayDecide(0) == engine.Place && s.Owes() == 0 && s.Score(0) >= 0 && s.Score(1) >= 0 && most(s) >= 2
	}, clearsMost},
}

func anyMove(duel.State, engine.Move) bool { return true }

// most is how many lines seat 0 can complete with its piece.
func most(s duel.State) int {
	_, points, ok := bestSpot(s.Board(0), s.Piece(0))
	for k := 0; ok && k < 12; k++ {
		if duel.LinePoints(k) == points {
			return k
		}
	}
	return 0
}

func clearsMost(s duel.State, m engine.Move) bool {
	_, points, _ := bestSpot(s.Board(0), s.Piece(0))
	_, lines := (s.Board(0) | engine.Board(m.Data)).Clear(duel.Size)
	return duel.LinePoints(lines.Count()) == points
}

// lessonSeat is a place at a match that stands still.
type lessonSeat struct {
	view View
	good func(duel.State, engine.Move) bool
	did  bool // the wanted thing was done
	not  bool // something else was tried
}

func (s *lessonSeat) View() View      { return s.view }
func (s *lessonSeat) Preview(Preview) {}
func (s *lessonSeat) Resign()         {}
func (s *lessonSeat) Rematch()        {}
func (s *lessonSeat) Pause(bool)      {}
func (s *lessonSeat) Leave()          {}
func (s *lessonSeat) Claim()          {}
func (s *lessonSeat) CallOff()        {}

// Decide takes a decision if it is what the lesson wants.
func (s *lessonSeat) Decide(m engine.Move) {
	if !s.good(s.view.State, m) {
		s.not = true
		return
	}
	s.apply(m)
	s.did = true
}

func (s *lessonSeat) apply(m engine.Move) {
	next, _, err := duel.Apply(s.view.State, m)
	if err != nil {
		panic("ui: a lesson made a move that is none: " + err.Error())
	}
	s.view.State = next
	s.view.Moves = append(s.view.Moves, m)
}

// find plays matches by a plain rule until a wanted position comes up for
// seat 0.
func find(wanted func(duel.State) bool) *lessonSeat {
	for seed := byte(1); seed != 0; seed++ {
		s := &lessonSeat{view: View{State: duel.New([32]byte{seed, 'l'}), Friendly: true}}
		for !s.view.State.Over() {
			if wanted(s.view.State) {
				return s
			}
			s.apply(plainMove(s.view.State, seed))
		}
	}
	panic("ui: no match has the position that a lesson wants")
}

// plainMove is a decision by a rule that needs no thought.
func plainMove(s duel.State, seed byte) engine.Move {
	seat := s.Owes()
	m := engine.Move{Seat: uint8(seat), Kind: s.Awaits()}
	switch m.Kind {
	case engine.Reveal:
		m.Layer = [32]byte{seed, byte(s.Round()), byte(seat)}
	case engine.Split:
		masks, _ := s.Block().Splits()
		m.Data = uint64(masks[0])
	case engine.Choose:
		m.Data = 1
	case engine.Place:
		turns := s.Piece(seat).Turns()
		spots := turns.AppendPlacements(nil, s.Board(seat), duel.Size)
		m.Data = uint64(spots[0])
	}
	return m
}

func newLesson(w World, number int) *lesson {
	l := &lesson{menu: menu{world: w, back: func() Scene { return newLearn(w) }}, number: number}
	l.start()
	l.screen.Build = l.build
	return l
}

func (l *lesson) start() {
	want := lessons[l.number]
	l.seat = find(want.wanted)
	l.seat.good = want.good
	l.table = newMatch(l.world, l.seat)
	l.table.lesson, l.table.number = true, l.number+1
	l.done = false
}

// build makes the buttons that stand over the match's.
func (l *lesson) build(e *Env) (*widget.Container, widget.Focuser) {
	root := widget.NewContainer(widget.ContainerOpts.Layout(absolute{}))
	if !l.done {
		return root, nil
	}
	next := e.Button("learn.next", Primary, l.forward)
	if l.number == len(lessons)-1 {
		next = e.Button("learn.play", Primary, l.to(func() Scene { return newPractice(l.world) }))
	}
	next.GetWidget().LayoutData = e.dialogButtons(e.T(lessonPraise(l.number)), next.label)[0]
	root.AddChild(next)
	return root, next
}

func (l *lesson) forward() { l.next = newLesson(l.world, l.number+1) }

// Update lets the player try.
func (l *lesson) Update(e *Env, c *Controls) Scene {
	if l.seat.view.Names[0] == "" {
		l.seat.view.Names = [2]string{e.T("learn.you"), e.T("learn.other")}
	}
	if l.seat.not {
		l.seat.not = false
		l.table.step.sent = false
		l.table.say(e, e.T("learn.not_quite"), 200)
		e.Play(SoundBlocked)
	}
	if l.seat.did && !l.done {
		if l.doneAt == 0 {
			l.doneAt = e.Now
		}
		// The board shows what happened before the words do.
		if e.Now-l.doneAt > 45 {
			l.done = true
			l.screen.Stale()
		}
		e.Moving()
	}
	if !l.done {
		if c.take(Back) && !l.table.undoable() {
			return l.back()
		}
		l.table.hint = e.Say(lessonText(l.number), "", 0)
		if l.table.Update(e, c) != l.table {
			return l.back()
		}
		return l
	}
	return l.update(l, e, c)
}

func lessonText(n int) string {
	return [...]string{"learn.split", "learn.choose", "learn.place", "learn.line", "learn.two"}[n]
}

func lessonPraise(n int) string {
	return [...]string{"learn.split_done", "learn.choose_done", "learn.place_done", "learn.line_done", "learn.two_done"}[n]
}

// Draw draws the position, and the praise over it.
func (l *lesson) Draw(e *Env, dst *ebiten.Image) {
	l.table.Draw(e, dst)
	if !l.done {
		return
	}
	e.Paint.Fill(dst, Rect{0, 0, e.W, e.H}, 0, fade(e.Theme.Ground, 0.7))
	e.dialog(dst, e.T("learn.done"), e.T(lessonPraise(l.number)), e.T("learn.next"))
	l.screen.Draw(e, dst)
}
