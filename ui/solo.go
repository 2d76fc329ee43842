package ui

import (
	"image/color"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
)

// solo is the scene of a Classic or a Streak.
type solo struct {
	world  World
	choice SoloChoice
	seat   SoloSeat
	best   int // the best score at this level, 0 for none
	screen Screen
	next   Scene
	place  soloLayout

	state SoloState
	hint  bot.Hint
	given bool // hint holds

	hold   hold
	cursor int     // the slot under the keys
	keyed  bool    // keys or a pad were used last
	mx, my float64 // where the pointer was
	anims  []flash
	gone   int64 // when the last placement was made

	banner      string // what has just happened
	bannerUntil int64
	fault       string // what could not be kept
	asking      asked
	due         bool // the reader's mirror has said that the piece is to be placed
	said        laid
}

// An asked question stands over the board.
type asked uint8

const (
	askNothing asked = iota
	askRestart
	askChance // none of the pieces fits: a second chance?
	askFault  // the end could not be kept
)

// A hold is the piece that the player has in hand.
type hold struct {
	slot   int // noSlot: none
	grab   grab
	fresh  bool    // it was picked by this press
	moved  bool    // since it was pressed
	px, py float64 // where it was pressed

	// aim is where the piece would lie: the top left corner of its rectangle.
	aimed  bool
	r, c   int
	fits   bool
	sure   bool // it is where the player pointed, not merely near it
	pinned bool // it stays there for a second press
	// float is where the piece is drawn while it is carried.
	carried bool
	x, y    float64
}

const noSlot = -1

// A grab is what a press has taken hold of.
type grab uint8

const (
	grabNothing grab = iota
	grabPiece        // one in the tray
	grabBoard        // the board, for the piece that is picked
)

// newSolo returns the scene of a run.
func newSolo(w World, c SoloChoice, seat SoloSeat) *solo {
	s := &solo{world: w, choice: c, seat: seat, hold: hold{slot: noSlot}}
	s.state = seat.State()
	s.hint, s.given = seat.Hint()
	if best := w.SoloBest(c); len(best) > 0 {
		s.best = best[0].Score
	}
	s.cursor = s.firstSlot()
	s.screen.Build = s.build
	return s
}

// build makes the buttons; board and hand are drawn by the scene.
func (s *solo) build(e *Env) (*widget.Container, widget.Focuser) {
	s.place = layoutSolo(e)
	root := widget.NewContainer(widget.ContainerOpts.Layout(absolute{}))
	put := func(b *tile, r Rect) *tile {
		b.GetWidget().LayoutData = r
		root.AddChild(b)
		return b
	}
	if s.asking != askNothing {
		return root, s.buildQuestion(e, put)
	}
	l := s.place
	bare := func(b *tile, k icon) *tile {
		return b.face(e.Px(target), func(dst *ebiten.Image, r Rect, ink color.NRGBA) { e.Paint.Icon(dst, k, r, e.Px(22), ink) })
	}
	put(bare(e.Button("solo.leave", Quiet, s.leave), iconBack), l.leave)
	if c, ok := s.state.(classic.State); ok {
		left := classic.MaxHints - c.HintsTaken()
		b := e.Labelled("solo.hint", e.T("solo.hint", Vars{"N": left}), Quiet, func() { s.takeHint(e) })
		b.GetWidget().Disabled = left == 0 && !s.given
		put(b.face(e.Px(target), func(dst *ebiten.Image, r Rect, ink color.NRGBA) {
			e.Paint.Icon(dst, iconHint, Rect{r.X + e.Px(6), r.Y, e.Px(24), r.H}, e.Px(22), ink)
			e.Type.Draw(dst, number(left), r.X+e.Px(34), r.Y+r.H/2, Strong, Left, ink)
		}), l.hint)
	}
	put(bare(e.Button("solo.restart", Quiet, func() { s.ask(askRestart) }), iconTurn), l.restart)
	return root, nil
}

// question is what is asked: its words, and the buttons.
func (s *solo) question(e *Env) (head, text string) {
	switch s.asking {
	case askRestart:
		if s.choice.Daily() {
			return e.T("daily.give_up_question"), e.T("daily.give_up_explained", Vars{"N": s.state.Score()})
		}
		return e.T("solo.restart_question"), e.T("solo.restart_explained", Vars{"N": s.state.Score()})
	case askChance:
		left := streak.MaxChances - s.state.(streak.State).ChancesTaken()
		return e.T("solo.stuck"), e.T("solo.chance_explained", Vars{"N": left})
	}
	return e.T("solo.not_kept"), s.fault
}

// answers are the ids of the buttons of a question.
func (s *solo) answers() [2]string {
	switch s.asking {
	case askRestart:
		if s.choice.Daily() {
			return [2]string{"solo.keep_playing", "daily.give_up"}
		}
		return [2]string{"solo.keep_playing", "solo.start_anew"}
	case askChance:
		return [2]string{"solo.take_chance", "solo.end"}
	}
	return [2]string{"solo.retry", "solo.leave"}
}

func (s *solo) buildQuestion(e *Env, put func(*tile, Rect) *tile) widget.Focuser {
	_, text := s.question(e)
	ids := s.answers()
	both := e.dialogButtons(text, e.T(ids[0]), e.T(ids[1]))
	var do [2]func()
	kind := Plain
	switch s.asking {
	case askRestart:
		kind = Costly
		do = [2]func(){func() { s.ask(askNothing) }, func() { s.ask(askNothing); s.end(true) }}
	case askChance:
		do = [2]func(){func() { s.ask(askNothing); s.play(e, engine.Move{Kind: engine.Chance}) }, func() { s.ask(askNothing); s.end(false) }}
	default:
		do = [2]func(){func() { s.ask(askNothing); s.end(false) }, s.leave}
	}
	first := put(e.Button(ids[0], Primary, do[0]), both[0])
	put(e.Button(ids[1], kind, do[1]), both[1])
	return first
}

func (s *solo) ask(q asked) {
	s.asking = q
	s.screen.Ask()
}

func (s *solo) leave() {
	s.seat.Leave()
	s.next = soloHome(s.world, s.choice)
}

// soloHome is where one comes from to a game, and goes back to.
func soloHome(w World, c SoloChoice) Scene {
	if c.Daily() {
		return newSoloDaily(w)
	}
	return newSoloMenu(w, c.Game)
}

// end keeps the run and shows what it came to, or begins another at once.
func (s *solo) end(anew bool) {
	run, ok, err := s.seat.Finish()
	if err != nil {
		s.fault = err.Error()
		s.ask(askFault)
		return
	}
	if ok && !anew {
		s.next = newSoloResult(s.world, s.choice, run, s.state)
		return
	}
	s.begin()
}

// begin begins another run of the same choice.
func (s *solo) begin() {
	if s.choice.Daily() {
		s.next = newSoloDaily(s.world)
		return
	}
	seat, err := s.world.PlaySolo(s.choice)
	if err != nil {
		m := newSoloMenu(s.world, s.choice.Game)
		m.fault = err.Error()
		s.next = m
		return
	}
	s.next = newSolo(s.world, s.choice, seat)
}

// Typing is false: a game takes no text.
func (s *solo) Typing() bool { return false }

// Update takes what the player does.
func (s *solo) Update(e *Env, c *Controls) Scene {
	s.next = s
	s.keyed = (s.keyed || c.Keys || c.Pad) && !c.Down
	s.place = layoutSolo(e)
	if s.asking == askNothing && !s.settled() {
		s.control(e, c)
	} else if s.asking == askRestart && c.take(Back) {
		s.ask(askNothing)
	}
	s.screen.Update(e, c)
	if len(s.anims) > 0 {
		s.anims = live(s.anims, e.Now)
		e.Moving()
	}
	if s.bannerUntil != 0 && e.Now > s.bannerUntil {
		s.bannerUntil = 0
		e.Redraw()
	}
	// What the last piece did is seen before the words that follow.
	if s.next == s && s.asking == askNothing && s.settled() {
		switch {
		case e.Now-s.gone < pointsTicks:
			e.Moving()
		case s.state.Awaits() == engine.Chance:
			s.ask(askChance)
		default:
			s.end(false)
		}
	}
	return s.next
}

// settled reports whether there is nothing left to place.
func (s *solo) settled() bool { return s.state.Awaits() != engine.Place }

// play hands a decision in, and shows what it did.
func (s *solo) play(e *Env, m engine.Move) {
	before := s.state
	if err := s.seat.Play(m); err != nil {
		s.say(e, err.Error(), 240)
		e.Play(SoundBlocked)
		s.letGo()
		return
	}
	s.state = s.seat.State()
	s.given = false
	s.letGo()
	s.gone = e.Now
	if m.Kind == engine.Place {
		r := tryPlace(before, int(m.Data>>8), int(m.Data&0xff)/soloSize, int(m.Data&0xff)%soloSize)
		s.anims = append(s.anims, flash{placed: r.placed, cleared: r.cleared, points: r.points, start: e.Now, still: e.Settings.LessMotion})
		if r.lines > 0 {
			e.Play(SoundClear)
		} else {
			e.Play(SoundPlace)
		}
		s.tell(e, before, r)
	}
	if s.state.Stuck() {
		e.Play(SoundBlocked)
	}
	s.cursor = s.firstSlot()
	s.screen.Stale()
	e.Redraw()
}

// tell says what a placement meant beyond its points.
func (s *solo) tell(e *Env, before SoloState, r trial) {
	after, ok := s.state.(streak.State)
	if ok {
		was := before.(streak.State).Tally()
		switch now := after.Tally(); {
		case was.Streak() > 0 && now.Streak() == 0:
			s.say(e, e.T("streak.lost", Vars{"N": was.Streak()}), 200)
			return
		case now.Streak() > was.Streak():
			s.say(e, e.T("streak.grew", Vars{"N": now.Streak()}), 120)
			return
		}
	}
	if r.lines > 1 {
		s.say(e, e.T("solo.lines_at_once", Vars{"N": r.lines}), 120)
	}
}

func (s *solo) say(e *Env, text string, ticks int64) {
	s.banner, s.bannerUntil = text, e.Now+ticks
	e.Redraw()
}

// A trial is what a placement would do.
type trial struct {
	ok              bool
	placed, cleared engine.Board
	lines, points   int
}

// tryPlace is what placing a piece of the hand with its corner on a cell would
// do.
func tryPlace(state SoloState, slot, r, c int) trial {
	m := engine.Move{Kind: engine.Place, Data: streak.PlaceData(slot, r, c)}
	switch s := state.(type) {
	case classic.State:
		_, rep, err := classic.Apply(s, m)
		return trial{err == nil, rep.Placed, rep.Cleared, rep.Lines.Count(), rep.Points}
	case streak.State:
		_, rep, err := streak.Apply(s, m)
		return trial{err == nil, rep.Placed, rep.Cleared, rep.Lines.Count(), rep.Points.Sum()}
	}
	panic("ui: a solo game that is neither Classic nor Streak")
}

// takeHint takes a hint and lays the piece where it says, for a second press.
func (s *solo) takeHint(e *Env) {
	h, err := s.seat.TakeHint()
	if err != nil {
		s.say(e, e.T("solo.no_hint"), 150)
		return
	}
	s.state = s.seat.State()
	s.hint, s.given = h, true
	cell := int(h.Move.Data & 0xff)
	s.hold = hold{slot: int(h.Move.Data >> 8), aimed: true, r: cell / soloSize, c: cell % soloSize, fits: true, sure: true, pinned: true}
	s.bannerUntil = 0
	s.screen.Stale()
	e.Redraw()
}

// why puts the reason of a hint in words.
func (s *solo) why(e *Env) string { return e.T(whyTexts[s.hint.Why], Vars{"N": s.hint.N}) }

var whyTexts = map[bot.Why]string{
	bot.OnlyWay: "why.only_way", bot.ManyLines: "why.many_lines", bot.Combo: "why.combo", bot.OneLine: "why.one_line",
	bot.RoomForSquare: "why.square", bot.RoomForBar: "why.bar", bot.Ready: "why.ready", bot.NoHole: "why.no_hole", bot.BestPlan: "why.best_plan",
}

// task says what is to do, or how things stand.
func (s *solo) task(e *Env) string {
	switch {
	case s.bannerUntil != 0:
		return s.banner
	case s.hold.carried && s.hold.aimed && s.hold.fits:
		return e.T("solo.let_go")
	case s.hold.carried && s.hold.aimed:
		return e.T("solo.not_there")
	case s.hold.carried:
		return ""
	case s.given:
		return s.why(e)
	case s.hold.pinned:
		return e.T("solo.press_again")
	case s.hold.slot != noSlot && s.state.Piece(s.hold.slot).Fits(s.state.Board(), soloSize) == 0:
		return e.T("solo.fits_nowhere")
	case s.hold.slot != noSlot && s.keyed:
		return e.T("solo.by_keys")
	case s.hold.slot != noSlot:
		return e.T("solo.picked")
	}
	if st, ok := s.state.(streak.State); ok {
		return streakTask(e, st.Tally())
	}
	if c := s.state.(classic.State); c.Combo() > 0 {
		return e.T("classic.combo_task", Vars{"N": 5 * c.Combo()})
	}
	if s.state.Placements() == 0 {
		return e.T("solo.start")
	}
	return ""
}

// streakTask says what keeps the streak, and what loses it.
func streakTask(e *Env, t streak.Tally) string {
	left := streak.RoundLen - t.PlacedInRound()
	switch {
	case t.ClearedInRound():
		return e.T("streak.safe")
	case t.Streak() == 0:
		return e.T("streak.begin")
	case t.Forgiven():
		return e.T("streak.or_lost", Vars{"N": left})
	}
	return e.T("streak.forgiving")
}
