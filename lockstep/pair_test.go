package lockstep

import (
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A pair is two sessions joined directly, under a clock that the test moves.
// Frames go at once unless the hook says otherwise.
type pair struct {
	t        *testing.T
	s        [2]*Session
	priv     [2]ed25519.PrivateKey
	key      [2]record.Key
	cfg      [2]Config
	mono     int64
	wall     int64
	events   [2][]Event
	journal  [2]map[Journal][][]byte
	last     [2]Journal
	wire     []wired
	down     bool
	hook     func(from int, kind FrameKind, frame []byte) [][]byte
	onFrame  func(from int, frame []byte)
	rng      *rand.Rand
	hookWait int64 // ms that pass after each call, so that what was lost is sent again
	freshSeq uint64
}

type wired struct {
	to    int
	frame []byte
}

func newPair(t *testing.T, change func(i int, c *Config)) *pair {
	t.Helper()
	p := &pair{t: t, mono: 5000, wall: 1_700_000_000_000, rng: rand.New(rand.NewPCG(7, 7))}
	for i := range 2 {
		p.priv[i] = ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune('a'+i)), 32)))
		p.key[i] = record.Key(p.priv[i].Public().(ed25519.PublicKey))
	}
	for i := range 2 {
		p.journal[i] = map[Journal][][]byte{}
		p.cfg[i] = Config{
			Key: p.key[i], Peer: p.key[1-i], Host: i == 0, Name: []string{"Ann", "Bob"}[i], Client: "test 1",
			Sign:  func(m []byte) record.Signature { return record.Signature(ed25519.Sign(p.priv[i], m)) },
			Games: record.Games{duel.Rules: duel.Game{}}, Rules: duel.Rules, Layers: duel.Rounds,
			Secret: [32]byte{byte(i)},
			Fresh:  p.fresh,
		}
		if change != nil {
			change(i, &p.cfg[i])
		}
		p.s[i] = New(p.cfg[i])
	}
	return p
}

func (p *pair) fresh() (b [32]byte) {
	p.freshSeq++
	binary.BigEndian.PutUint64(b[:], p.freshSeq*0x9e3779b97f4a7c15)
	binary.BigEndian.PutUint64(b[8:], p.freshSeq)
	return b
}

func (p *pair) now() Now { return Now{Mono: p.mono, Wall: p.wall} }

// do calls a method of side i, carries out what it returns, and delivers what
// that sends, until all is quiet.
func (p *pair) do(i int, f func(s *Session) []Action) {
	p.t.Helper()
	p.carry(i, f(p.s[i]))
	p.pump()
	if ms := p.hookWait; ms > 0 {
		p.hookWait = 0
		p.wait(ms)
		p.hookWait = ms
	}
}

func (p *pair) carry(i int, actions []Action) {
	for _, a := range actions {
		switch a := a.(type) {
		case Persist:
			if a.First == (p.journal[i][a.Journal] != nil) {
				p.t.Errorf("side %d: First is %v in a journal of %d", i, a.First, len(p.journal[i][a.Journal]))
			}
			p.journal[i][a.Journal] = append(p.journal[i][a.Journal], a.Bytes)
			p.last[i] = a.Journal
		case Send:
			h, _, err := parseFrame(a.Frame)
			if err != nil {
				p.t.Fatalf("side %d sends what is no frame", i)
			}
			if p.onFrame != nil {
				p.onFrame(i, a.Frame)
			}
			frames := [][]byte{a.Frame}
			if p.hook != nil {
				frames = p.hook(i, h.kind, a.Frame)
			}
			for _, f := range frames {
				p.wire = append(p.wire, wired{1 - i, f})
			}
		case Show:
			p.events[i] = append(p.events[i], a.Event)
		}
	}
}

func (p *pair) pump() {
	for len(p.wire) > 0 {
		x := p.wire[0]
		p.wire = p.wire[1:]
		if !p.down {
			p.carry(x.to, p.s[x.to].Receive(p.now(), x.frame))
		}
	}
}

// wait lets time pass on both clocks, ticking both sides when they ask.
func (p *pair) wait(ms int64) {
	until := p.mono + ms
	for p.mono < until {
		next := until
		for i := range 2 {
			if p.s[i] != nil {
				next = min(next, max(p.mono+1, p.s[i].NextTick()))
			}
		}
		p.wall += next - p.mono
		p.mono = next
		for i := range 2 {
			if p.s[i] != nil {
				p.do(i, func(s *Session) []Action { return s.Tick(p.now()) })
			}
		}
	}
}

// connect gives both a pipe.
func (p *pair) connect() {
	for i := range 2 {
		p.carry(i, p.s[i].Connected(p.now()))
	}
	p.pump()
	if ms := p.hookWait; ms > 0 {
		p.hookWait = 0
		p.wait(ms)
		p.hookWait = ms
	}
}

// ready makes both ready.
func (p *pair) ready() {
	for i := range 2 {
		p.do(i, func(s *Session) []Action { return s.Ready(p.now(), true) })
	}
}

// begin connects, readies and starts.
func (p *pair) begin() *pair {
	p.t.Helper()
	p.connect()
	p.ready()
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	if p.s[0].match == nil || p.s[1].match == nil {
		p.t.Fatalf("no match: %s; %s", p.said(0), p.said(1))
	}
	return p
}

func (p *pair) state() duel.State { return p.s[0].match.chain.Position().(duel.State) }

// side is who sits at a seat.
func (p *pair) side(seat int) int {
	if p.s[0].match.seat == seat {
		return 0
	}
	return 1
}

// decider is the side that owes a decision.
func (p *pair) decider() int { return p.side(p.state().Owes()) }

// step has the owing side decide at random.
func (p *pair) step() {
	p.t.Helper()
	i := p.decider()
	m := randomMove(p.state(), p.s[i].match.seat, p.rng)
	n := p.s[0].match.chain.Len()
	p.do(i, func(s *Session) []Action { return s.Decide(p.now(), m) })
	if p.s[0].match.chain.Len() == n {
		p.t.Fatalf("no entry by %+v: %s", m, p.said(i))
	}
}

// playTo decides until the owing seat must make a decision of the kind.
func (p *pair) playTo(kind engine.Kind) *pair {
	p.t.Helper()
	for p.state().Awaits() != kind {
		p.step()
	}
	return p
}

// playOut plays the match to its end.
func (p *pair) playOut() *pair {
	p.t.Helper()
	for !p.state().Over() {
		p.step()
	}
	return p
}

// clear forgets what was shown so far.
func (p *pair) clear() *pair {
	p.events = [2][]Event{}
	return p
}

// word is an event in short, for tables.
func word(e Event) string {
	name := strings.TrimPrefix(fmt.Sprintf("%T", e), "lockstep.")
	switch e := e.(type) {
	case Bad:
		return fmt.Sprintf("Bad(%v: %v)", e.Frame, e.Reason)
	case Refused:
		who := ""
		if e.ByPeer {
			who = "peer: "
		}
		return fmt.Sprintf("Refused(%s%v)", who, e.Reason)
	case Applied:
		return fmt.Sprintf("Applied(%d)", e.Index)
	case Dropped:
		return fmt.Sprintf("Dropped(%d)", e.Index)
	case Over:
		return fmt.Sprintf("Over(%d by %d)", e.Result.End, e.Result.By)
	case Desync:
		return fmt.Sprintf("Desync(%d, %v, rated %v)", e.Index, e.Reason, e.Rated)
	case ClaimDue:
		return fmt.Sprintf("ClaimDue(%d: %d)", e.Claim.Index, e.Claim.Reason)
	case YourTurn:
		return fmt.Sprintf("YourTurn(%d)", e.Kind)
	}
	return name
}

// said lists what side i was shown.
func (p *pair) said(i int) string {
	var words []string
	for _, e := range p.events[i] {
		words = append(words, word(e))
	}
	return strings.Join(words, " ")
}

// forge gives side i a frame as if the other side had sent it next.
func (p *pair) forge(i int, kind FrameKind, body []byte) {
	p.t.Helper()
	l := &p.s[1-i].link
	h := header{kind: kind, heard: true, number: l.number, ack: l.next - 1}
	if kind.numbered() {
		l.sent++
		h.seq = l.sent
	}
	p.carry(i, p.s[i].Receive(p.now(), append(h.append(nil), body...)))
	p.pump()
}

// signed makes any entry that side i's key signs next, true or not.
func (p *pair) signed(i int, change func(e *record.SignedEntry)) record.SignedEntry {
	m := p.s[i].match
	e := record.SignedEntry{Match: m.id, Index: uint32(m.chain.Len() + 1), Prev: m.chain.Head()}
	pos := m.chain.Position()
	e.Entry.Move = engine.Move{Seat: uint8(m.seat), Kind: pos.Awaits()}
	if e.Entry.Move.Kind == engine.Reveal {
		e.Entry.Move.Layer = m.chance.Layer(m.chain.Reveals(m.seat) + 1)
	} else if pos.MayDecide(m.seat) != engine.None {
		e.Entry.Move = randomMove(pos.(duel.State), m.seat, p.rng)
	}
	if next, err := pos.Apply(e.Entry.Move); err == nil {
		e.Entry.Digest = next.Digest()
	}
	if change != nil {
		change(&e)
	}
	return p.resign(i, e)
}

// resign puts side i's signature on an entry.
func (p *pair) resign(i int, e record.SignedEntry) record.SignedEntry {
	head := e.Head()
	msg := append([]byte("cleave/entry/1"), e.Match[:]...)
	msg = binary.BigEndian.AppendUint32(msg, e.Index)
	e.Sig = p.cfg[i].Sign(append(msg, head[:]...))
	return e
}

func entriesBody(e ...record.SignedEntry) []byte { return appendEntries(nil, e) }
