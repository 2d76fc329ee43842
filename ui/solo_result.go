package ui

import (
	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// soloResult says what a run came to, and what one can do now.
type soloResult struct {
	menu
	choice SoloChoice
	run    SoloPlayed
	state  SoloState
	said   string // what was just done
	fault  error  // what could not be done
	proven bool   // the deal is shown
	proof  SoloProof
	played bool // the sound was played
}

func newSoloResult(w World, c SoloChoice, run SoloPlayed, state SoloState) *soloResult {
	r := &soloResult{menu: menu{world: w, back: func() Scene { return soloHome(w, c) }}, choice: c, run: run, state: state}
	if proof, err := w.SoloProof(run.ID); err != nil {
		r.fault = err
	} else {
		r.proof = proof
	}
	r.screen.Build = r.build
	return r
}

// rank is the place of the run among the own best, 0 if it is none of them.
func (r *soloResult) rank() int {
	for i, b := range r.world.SoloBest(r.choice) {
		if b.ID == r.run.ID {
			return i + 1
		}
	}
	return 0
}

func (r *soloResult) build(e *Env) (*widget.Container, widget.Focuser) {
	if r.proven {
		return r.buildProof(e)
	}
	left := min(e.aside(e.Px(440)), e.H-2*e.Px(margin))
	w := e.ColumnWidth()
	place := e.T("solo.over")
	switch n := r.rank(); {
	case n == 1:
		place = e.T("solo.new_best")
	case n > 1:
		place = e.T("solo.among_best", Vars{"Place": n})
	}
	again := e.Button("solo.again", Primary, r.again)
	if r.choice.Contest() {
		again = e.Button(r.choice.Level+".back", Primary, func() { r.next = r.back() })
	}
	content := []widget.PreferredSizeLocateableWidget{
		e.Centred(r.title(e), Strong, e.Theme.Faint, w),
		e.Centred(number(r.run.Score), Display, e.Theme.Ink, w),
		e.Centred(place, Body, e.Theme.Accent, w),
	}
	if left == 0 {
		content = append(content, r.board(e, w, min(e.Px(180), w*0.6, max(e.H*0.3, e.Px(96)))))
	}
	content = append(content, e.Centred(r.facts(e), Body, e.Theme.Faint, w))
	content = append(content, e.fault(r.fault)...)
	if r.said != "" {
		content = append(content, e.plaque(r.said))
	}
	content = append(content, again, e.rows([]*tile{
		e.Button("solo.watch", Plain, r.watch),
		e.Button("solo.proof", Plain, func() { r.proven, r.said, r.fault = true, "", nil; r.screen.Ask() }),
		e.Button("solo.share", Plain, func() { r.copy(e, r.words(e), "solo.shared") }),
		e.Button("share.card", Plain, func() { r.saveCard(e) }),
	}, 2, 1))
	if !r.choice.Contest() {
		content = append(content, e.Button("solo.done", Quiet, func() { r.next = r.back() }))
	}
	var root *widget.Container
	if left > 0 {
		root, r.screen.Scroll = e.beside(r.board(e, left, left-2*e.Px(frameWidth)), false, content)
	} else {
		root, r.screen.Scroll = e.Page(content...)
	}
	return root, again
}

// facts are the numbers of the run, in a sentence.
func (r *soloResult) facts(e *Env) string {
	text := ""
	if r.run.Chance > 0 {
		text = e.T("daily.chance", Vars{"Chance": r.run.Chance}) + " · "
	}
	text += e.Say("solo.pieces", "", r.run.Placements) + " · " + e.T("solo.combo_"+r.choice.Game, Vars{"N": r.run.Combo})
	if r.run.Helped > 0 {
		text += " · " + e.T("solo.helped_"+r.choice.Game, Vars{"N": r.run.Helped})
	}
	return text
}

// board is the board at the end, so large, in a width.
func (r *soloResult) board(e *Env, w, side float64) *picture {
	return newPicture(w, side+e.Px(20), func(dst *ebiten.Image, at Rect) {
		x, _ := at.Mid()
		e.board(dst, Rect{x - side/2, at.Y + e.Px(10), side, side}, r.state.Board(), 0, soloSize)
	}).saying(e.T("mirror.mine", Vars{"Rows": rowsOf(e, r.state.Board(), soloSize)}))
}

// copy puts text on the clipboard and says so, or says it where there is none.
func (r *soloResult) copy(e *Env, text, done string) {
	r.said, r.fault = e.T(done), nil
	if err := r.world.Copy(text); err != nil {
		r.said, r.fault = text, err // to be copied by hand
	}
	r.screen.Longer()
}

func (r *soloResult) again() {
	seat, err := r.world.PlaySolo(r.choice)
	if err != nil {
		r.fault = err
		r.screen.Stale()
		return
	}
	r.next = newSolo(r.world, r.choice, seat)
}

func (r *soloResult) watch() {
	replay, err := r.world.SoloReplay(r.run.ID)
	if err != nil {
		r.fault = err
		r.screen.Stale()
		return
	}
	r.next = newSoloReplay(r.world, r.choice, replay, func() Scene { return newSoloResult(r.world, r.choice, r.run, r.state) })
}

// Update waits for a choice.
func (r *soloResult) Update(e *Env, c *Controls) Scene {
	if !r.played {
		r.played = true
		if r.rank() == 1 {
			e.Play(SoundWon)
		} else {
			e.Play(SoundYours)
		}
	}
	if r.proven && c.take(Back) {
		r.proven, r.said, r.fault = false, "", nil
		r.screen.Ask()
	}
	return r.update(r, e, c)
}
