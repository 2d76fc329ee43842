package lockstep

import (
	"container/heap"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A world is two sessions, the link between them and the drivers that serve
// them, under one virtual clock in ms. Everything in it follows from its seed.
type world struct {
	seed  uint64
	rng   *rand.Rand
	now   int64
	queue happenings
	order int
	nodes [2]*node
	link  faults
	// signed is what each key has signed and sent in each match, over crashes.
	signed map[signer][]record.Statement
	wrong  []string // properties that did not hold
}

type signer struct {
	key   record.Key
	match record.ID
}

// faults is what the link does to frames.
type faults struct {
	delayMs, jitterMs int64
	lose, repeat      float64
	cuts              [][2]int64 // from, to
}

func (f *faults) cut(at int64) bool {
	for _, c := range f.cuts {
		if at >= c[0] && at < c[1] {
			return true
		}
	}
	return false
}

type happening struct {
	at    int64
	order int
	do    func()
}

type happenings []happening

func (h happenings) Len() int { return len(h) }
func (h happenings) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].order < h[j].order
}
func (h happenings) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *happenings) Push(x any)   { *h = append(*h, x.(happening)) }
func (h *happenings) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

func (w *world) after(ms int64, do func()) {
	w.order++
	heap.Push(&w.queue, happening{w.now + ms, w.order, do})
}

// run lets the world go on until done, or until the time is over.
func (w *world) run(untilMs int64, done func() bool) bool {
	for len(w.queue) > 0 && len(w.wrong) == 0 {
		h := heap.Pop(&w.queue).(happening)
		if h.at > untilMs {
			return false
		}
		w.now = h.at
		h.do()
		if done() {
			return true
		}
	}
	return false
}

func (w *world) fail(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

// A node is one side: a session, its journals and the driver that serves it.
type node struct {
	w    *world
	id   int
	key  record.Key
	priv ed25519.PrivateKey
	fast bool // signatures of entries are hashes, to save time
	cfg  Config
	s    *Session
	gen  int // of the session, so that what was planned for a dead one is dropped

	journals map[Journal][][]byte
	names    []Journal

	alive    bool
	asleep   int64 // until when the machine sleeps
	monoOff  int64
	slept    int64 // ms that mono did not count
	wallOff  int64
	queued   [][]byte
	tickAt   int64
	linked   bool // it believes in a pipe
	dead     bool // its frames go nowhere: it was cut off for good
	dieAt    int  // persists until the process dies, 0 never
	rollBack bool // and loses its last record then
	deaths   int  // how many more it has before it
	lost     int  // records
	restart  int64

	events   []Event
	overs    []Over
	sealed   []byte
	id0      record.ID
	rematch  int // how many further matches it wants
	think    func(s duel.State, seat int) (engine.Move, int64)
	onEvent  func(Event)
	noStart  bool
	noClaims bool
}

func newWorld(seed uint64) *world {
	w := &world{seed: seed, rng: rand.New(rand.NewPCG(seed, 0xc1ea7e)), signed: map[signer][]record.Statement{}}
	w.link = faults{delayMs: 5}
	for i := range w.nodes {
		n := &node{w: w, id: i, journals: map[Journal][][]byte{}, alive: true, restart: 1000, monoOff: int64(i) * 12345}
		var s [32]byte
		binary.BigEndian.PutUint64(s[:], seed)
		s[31] = byte(i + 1)
		n.priv = ed25519.NewKeyFromSeed(s[:])
		n.key = record.Key(n.priv.Public().(ed25519.PublicKey))
		n.think = n.random
		w.nodes[i] = n
	}
	w.now = 1_000_000
	for i, n := range w.nodes {
		n.cfg = Config{
			Key: n.key, Sign: n.sign, Peer: w.nodes[1-i].key, Host: i == 0,
			Name: fmt.Sprintf("node %d", i), Client: fmt.Sprintf("sim %d", i),
			Games: record.Games{duel.Rules: duel.Game{}}, Rules: duel.Rules, Layers: duel.Rounds,
			Room: Room{Name: "room"}, Fresh: n.fresh,
		}
	}
	return w
}

// open begins the sessions and connects them.
func (w *world) open() {
	for _, n := range w.nodes {
		n.begin(New(n.cfg))
	}
	w.connect()
}

// connect gives both a pipe.
func (w *world) connect() {
	for _, n := range w.nodes {
		n.linked = true
		w.after(w.rng.Int64N(20), func() {
			if n.alive && n.asleep <= w.now {
				n.carry(n.s.Connected(n.time()))
			}
		})
	}
}

func (n *node) fresh() (b [32]byte) {
	for i := 0; i < 32; i += 8 {
		binary.BigEndian.PutUint64(b[i:], n.w.rng.Uint64())
	}
	return b
}

func (n *node) sign(message []byte) (sig record.Signature) {
	if n.fast && string(message[:13]) != "cleave/terms/" {
		return fastSign(n.key, message)
	}
	return record.Signature(ed25519.Sign(n.priv, message))
}

func fastSign(key record.Key, message []byte) (sig record.Signature) {
	sum := sha256.Sum256(append(key[:], message...))
	copy(sig[:], sum[:])
	return sig
}

// fastAccept is record.Match.Accept for entries signed by fastSign.
func fastAccept(m *record.Match, e record.SignedEntry) error {
	if e.Match != m.ID() {
		return record.ErrWrongMatch
	}
	head := e.Head()
	message := append([]byte("cleave/entry/1"), e.Match[:]...)
	message = binary.BigEndian.AppendUint32(message, e.Index)
	message = append(message, head[:]...)
	if e.Sig != fastSign(m.Terms().Keys[e.Entry.Move.Seat], message) {
		return record.ErrSignature
	}
	return m.Apply(e)
}

func fastAcceptSeal(m *record.Match, s record.Seal) error {
	head := s.Head()
	message := append([]byte("cleave/seal/1"), s.Match[:]...)
	message = binary.BigEndian.AppendUint32(message, s.Index)
	message = append(message, head[:]...)
	if s.Sig != fastSign(m.Terms().Keys[1-s.Last.Move.Seat], message) {
		return record.ErrSealSignature
	}
	return m.ApplySeal(s)
}

func (n *node) time() Now {
	return Now{Mono: n.w.now + n.monoOff - n.slept, Wall: 1_700_000_000_000 + n.w.now + n.wallOff}
}

func (n *node) begin(s *Session) {
	n.s = s
	n.gen++
	n.tickAt = 0
	if n.fast {
		s.acceptEntry, s.acceptSeal = fastAccept, fastAcceptSeal
	}
}

// call lets the driver do something with the session, unless the process is
// dead or asleep.
func (n *node) call(do func(s *Session) []Action) {
	if n.alive && n.asleep <= n.w.now {
		n.carry(do(n.s))
	}
}

// carry carries out what the session wants done, and plans its next tick.
func (n *node) carry(actions []Action) {
	gen := n.gen
	for _, a := range actions {
		switch a := a.(type) {
		case Persist:
			if a.First {
				if n.journals[a.Journal] != nil {
					n.w.fail("node %d begins a journal twice", n.id)
				}
				n.names = append(n.names, a.Journal)
			}
			n.journals[a.Journal] = append(n.journals[a.Journal], a.Bytes)
			if n.dieAt > 0 {
				if n.dieAt--; n.dieAt == 0 {
					if !n.rollBack {
						n.die(a.Journal)
						return
					}
					// What it loses has been sent.
					defer n.die(a.Journal)
				}
			}
		case Send:
			if !n.rollBack {
				n.note(a.Frame)
			}
			n.transmit(a.Frame)
		case Show:
			n.events = append(n.events, a.Event)
			n.react(a.Event)
			if n.gen != gen {
				return
			}
		}
	}
	n.planTick()
}

func (n *node) planTick() {
	at := n.s.NextTick()
	if at == never {
		return
	}
	at = max(n.w.now+1, at-n.monoOff+n.slept)
	if n.tickAt > n.w.now && n.tickAt <= at {
		return
	}
	n.tickAt = at
	gen := n.gen
	n.w.after(at-n.w.now, func() {
		if n.gen == gen && n.tickAt == at {
			n.tickAt = 0
			n.call(func(s *Session) []Action { return s.Tick(n.time()) })
		}
	})
}

// transmit lets the link do with a frame what it does.
func (n *node) transmit(frame []byte) {
	w := n.w
	if n.dead {
		return
	}
	copies := 1
	if w.rng.Float64() < w.link.repeat {
		copies = 2
	}
	for range copies {
		if w.link.cut(w.now) || w.rng.Float64() < w.link.lose {
			continue
		}
		delay := w.link.delayMs
		if w.link.jitterMs > 0 {
			delay += w.rng.Int64N(w.link.jitterMs)
		}
		to := w.nodes[1-n.id]
		w.after(delay, func() {
			if w.link.cut(w.now) || !to.alive || !to.linked {
				return
			}
			if to.asleep > w.now {
				to.queued = append(to.queued, frame)
				return
			}
			to.carry(to.s.Receive(to.time(), frame))
			// What it had not kept yet when it died it does not hold.
			if m := to.s.match; n.rollBack && m != nil && to.alive {
				for i := max(1, m.chain.Len()-3); i <= m.chain.Len(); i++ {
					if e := m.chain.EntryAt(i); int(e.Entry.Move.Seat) != m.seat {
						n.signs(e.Match, record.Statement{Index: e.Index, Prev: e.Prev, Entry: e.Entry, Sig: e.Sig})
					}
				}
			}
		})
	}
}

// note checks that no key signs two things at one index. Only what has left
// the process counts, and of a side whose journal loses a record only what the
// other has taken: nobody can adopt what nobody holds.
func (n *node) note(frame []byte) {
	h, body, err := parseFrame(frame)
	if err != nil {
		n.w.fail("node %d sends what is no frame", n.id)
		return
	}
	switch h.kind {
	case FrameEntries:
		entries, bad := parseEntries(body)
		if bad != 0 {
			n.w.fail("node %d sends entries that do not read", n.id)
		}
		for _, e := range entries {
			if n.w.keyOf(e.Match, e.Entry.Move.Seat) == n.key {
				n.signs(e.Match, record.Statement{Index: e.Index, Prev: e.Prev, Entry: e.Entry, Sig: e.Sig})
			}
		}
	case FrameSeal:
		seal, err := record.ParseSeal(body)
		if err == nil && n.w.keyOf(seal.Match, 1-seal.Last.Move.Seat) == n.key {
			n.signs(seal.Match, record.Statement{Sealed: true, Index: seal.Index, Prev: seal.Prev, Entry: seal.Last, Sig: seal.Sig})
		}
	}
}

// keyOf is the key of a seat in a match of this world.
func (w *world) keyOf(id record.ID, seat uint8) record.Key {
	for _, n := range w.nodes {
		if n.s != nil && n.s.match != nil && n.s.match.id == id {
			return n.s.match.terms.Keys[seat]
		}
	}
	return record.Key{}
}

func (n *node) signs(match record.ID, what record.Statement) {
	by := signer{n.key, match}
	for _, had := range n.w.signed[by] {
		if had == what {
			return
		}
		if record.Conflict(had, what) || had.Index == what.Index && had.Sealed == what.Sealed {
			n.w.fail("node %d signs twice at index %d", n.id, what.Index)
		}
	}
	n.w.signed[by] = append(n.w.signed[by], what)
}

// die kills the process, and restarts it a while later.
func (n *node) die(j Journal) {
	n.alive = false
	n.gen++
	if n.rollBack && len(n.journals[j]) > 0 {
		n.journals[j] = n.journals[j][:len(n.journals[j])-1]
		n.lost++
	}
	if n.deaths > 0 {
		n.deaths--
		n.dieAt = 1 + n.w.rng.IntN(40)
	}
	n.w.after(n.restart, n.revive)
}

// revive starts the program again: it resumes its unfinished match, or begins
// without one.
func (n *node) revive() {
	n.alive = true
	n.monoOff = -n.w.now + n.slept + n.w.rng.Int64N(1000) // another process's clock
	n.linked = false
	var s *Session
	for i := len(n.names) - 1; i >= 0 && s == nil; i-- {
		records := n.journals[n.names[i]]
		saved, err := ReadJournal(records)
		if err != nil {
			if len(records) > 0 {
				n.w.fail("node %d: %v", n.id, err)
			}
			continue
		}
		if saved.Over {
			continue
		}
		if s, err = Resume(n.cfg, n.time(), records); err != nil {
			n.w.fail("node %d: %v", n.id, err)
			return
		}
	}
	if s == nil {
		s = New(n.cfg)
	}
	n.begin(s)
	n.planTick()
	n.seek()
}

// seek finds a new pipe as soon as both live and the link is there.
func (n *node) seek() {
	gen := n.gen
	n.w.after(200+n.w.rng.Int64N(300), func() {
		other := n.w.nodes[1-n.id]
		switch {
		case n.gen != gen || !n.alive:
		case n.w.link.cut(n.w.now) || !other.alive || n.asleep > n.w.now || other.asleep > n.w.now:
			n.seek()
		default:
			for _, x := range n.w.nodes {
				if x.linked {
					x.call(func(s *Session) []Action { return s.Disconnected(x.time()) })
				}
			}
			n.w.connect()
		}
	})
}
