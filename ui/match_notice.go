package ui

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// refresh looks at the seat, and notices what is new.
func (m *match) refresh(e *Env) {
	before := m.view
	m.view = m.seat.View()
	v := &m.view
	if v.State.Match() != before.State.Match() || len(v.Moves) < m.seen {
		m.seen = 0 // the match has begun, or another one at this table
	}
	for ; m.seen < len(v.Moves); m.seen++ {
		m.notice(e, m.seen)
	}
	m.clocked = m.clocked || v.Clock[0].LimitMs > 0 || v.Clock[1].LimitMs > 0
	if s := m.ticks(); s != m.second || v.Peer != before.Peer || v.Link != before.Link || v.Paused != before.Paused {
		m.second = s
		e.Redraw()
		if v.Paused != before.Paused {
			m.screen.Ask()
		}
	}
	if v.Refused != before.Refused {
		m.step.sent = false
	}
	if v.ClaimDue != before.ClaimDue || v.Claiming != before.Claiming || v.CallOff != before.CallOff {
		m.screen.Stale()
	}
	kind := v.State.MayDecide(v.Me)
	if c := v.Clock[v.Me]; c.Running && c.LimitMs > 0 && kind != engine.None && !m.step.sent {
		if left := (c.LeftMs + 999) / 1000; left != m.ticked {
			m.ticked = left
			if left >= 1 && left <= 3 {
				e.Play(SoundTick)
			}
		}
	}
	if kind != m.step.kind || v.State.Round() != m.step.round || v.Me != before.Me {
		if kind != engine.None {
			e.Play(SoundYours)
			m.call(e)
		}
		m.step = step{kind: kind, round: v.State.Round(), cursor: firstCell(v.State.Block())}
		m.advice = ""
		if m.keys {
			m.toBoard()
			m.present()
		}
		m.screen.Stale()
		e.Redraw()
	}
	if m.bannerUntil != 0 && (e.Now > m.bannerUntil || m.after.text != "" && !m.unread(e)) {
		next := m.after
		m.bannerUntil, m.after = 0, banner{}
		if next.text != "" {
			m.announce(e, next)
		}
		e.Redraw()
	}
}

// call tells a player who looks at something else that it is their turn.
func (m *match) call(e *Env) {
	if m.world != nil {
		m.world.Attention(e.T("match.your_turn"))
	}
}

// ticks is what the clocks show, so that they are drawn when it changes.
func (m *match) ticks() int64 {
	c := m.view.Clock
	if m.view.Paused {
		return -1
	}
	const frame = 100 // the bar moves ten times a second
	return (c[0].LeftMs/frame)<<32 | c[1].LeftMs/frame + m.view.GoneMs/1000
}

// stateBefore replays the moves up to the n-th.
func (m *match) stateBefore(n int) duel.State {
	s := duel.New(m.view.State.Match())
	for _, mv := range m.view.Moves[:n] {
		next, _, err := duel.Apply(s, mv)
		if err != nil {
			panic("ui: a seat showed a move that its game does not take: " + err.Error())
		}
		s = next
	}
	return s
}

// notice takes in the n-th move: what it changed lights up.
func (m *match) notice(e *Env, n int) {
	before := m.stateBefore(n)
	after, report, err := duel.Apply(before, m.view.Moves[n])
	if err != nil {
		panic("ui: a seat showed a move that its game does not take: " + err.Error())
	}
	e.Redraw()
	mv := m.view.Moves[n]
	m.sound(e, report)
	if report.Placed != 0 {
		m.anims = append(m.anims, flash{seat: int(mv.Seat), placed: report.Placed, cleared: report.Cleared,
			points: report.Points[mv.Seat], start: e.Now, still: e.Settings.LessMotion})
	}
	switch report.Blocked {
	case [2]bool{true, true}:
		m.say(e, e.Say("match.blocked_both", "", -duel.BlockedPoints), 200)
	case [2]bool{true, false}:
		m.say(e, e.Say(m.own("match.blocked", 0), m.name(0), -duel.BlockedPoints), 200)
	case [2]bool{false, true}:
		m.say(e, e.Say(m.own("match.blocked", 1), m.name(1), -duel.BlockedPoints), 200)
	}
	for seat, blocked := range report.Blocked {
		if blocked {
			m.anims = append(m.anims, flash{seat: seat, points: duel.BlockedPoints, start: e.Now, still: e.Settings.LessMotion})
		}
	}
	if report.Flagged && mv.Kind == engine.Flag {
		seat := int(mv.Seat)
		id := map[engine.Kind]string{engine.Split: "match.late_split", engine.Choose: "match.late_choose", engine.Place: "match.late_place"}[before.MayDecide(seat)]
		m.say(e, e.Say(m.own(id, seat), m.name(seat), -report.Points[seat]), 200)
	}
	if report.Dealt != 0 {
		id, role := "match.you_split", 1
		if after.Splitter() != m.me() {
			id, role = "match.they_split", 2
		}
		if after.Round() == 1 {
			id += "_first"
		}
		m.announce(e, banner{e.Say(id, m.name(m.them()), 0), 160, role})
	}
}

// own is the text that speaks of oneself, where it is about one's own seat.
func (m *match) own(id string, seat int) string {
	if seat == m.me() {
		return id + "_you"
	}
	return id
}

// sound plays what a move sounds like.
func (m *match) sound(e *Env, r duel.Report) {
	switch {
	case r.Lines.Count() > 0:
		e.Play(SoundClear)
	case r.Placed != 0:
		e.Play(SoundPlace)
	case r.Split != 0:
		e.Play(SoundSplit)
	}
	if r.Flagged || r.Blocked[0] || r.Blocked[1] {
		e.Play(SoundBlocked)
	}
}

// A banner is a sentence about what has just changed, and how long it stands.
type banner struct {
	text  string
	ticks int64
	role  int // it is about who splits: 1 oneself, 2 the friend
}

// readTicks is how long a banner is left alone at least, so that it is read.
const readTicks = 80

// unread reports whether there is a banner that stands too short to be read.
func (m *match) unread(e *Env) bool {
	return m.banner != "" && m.bannerUntil != 0 && e.Now < m.bannerFrom+min(readTicks, m.bannerUntil-m.bannerFrom)
}

// announce shows a banner, or keeps it until the one before was read.
func (m *match) announce(e *Env, b banner) {
	if m.unread(e) {
		m.after = b
		return
	}
	m.banner, m.bannerFrom, m.bannerUntil, m.role = b.text, e.Now, e.Now+b.ticks, b.role
	e.Redraw()
}

func (m *match) say(e *Env, text string, ticks int64) {
	m.announce(e, banner{text: text, ticks: ticks})
}
