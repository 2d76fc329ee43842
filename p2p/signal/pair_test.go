package signal

import (
	"context"
	"crypto/ed25519"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A pipe is one end of Messages in memory.
type pipe struct {
	in, out chan []byte
	done    chan struct{} // closed when either end hung up
	hang    func()
	// alter sees each message on its way out and gives what is sent instead;
	// nil drops it.
	alter func(n int, message []byte) []byte
	sent  int
}

var errHungUp = errors.New("hung up")

func newPipes() (host, guest *pipe) {
	a, b, done := make(chan []byte, 64), make(chan []byte, 64), make(chan struct{})
	hang := sync.OnceFunc(func() { close(done) })
	return &pipe{in: a, out: b, done: done, hang: hang}, &pipe{in: b, out: a, done: done, hang: hang}
}

func (p *pipe) Send(ctx context.Context, message []byte) error {
	n := p.sent
	p.sent++
	if p.alter != nil {
		if message = p.alter(n, message); message == nil {
			return nil
		}
	}
	select {
	case <-p.done:
		return errHungUp
	default:
	}
	select {
	case p.out <- append([]byte(nil), message...):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *pipe) Receive(ctx context.Context) ([]byte, error) {
	select {
	case m := <-p.in:
		return m, nil
	default:
	}
	select {
	case m := <-p.in:
		return m, nil
	case <-p.done:
		// What was sent before the end has arrived.
		select {
		case m := <-p.in:
			return m, nil
		default:
			return nil, errHungUp
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func identity(name byte) (key [32]byte, sign func([]byte) [64]byte) {
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = name
	private := ed25519.NewKeyFromSeed(seed)
	return [32]byte(private.Public().(ed25519.PublicKey)), func(m []byte) [64]byte {
		return [64]byte(ed25519.Sign(private, m))
	}
}

func configs(secret string) (host, guest PairConfig) {
	host = PairConfig{Role: Host, Secret: secret, Context: "mailbox", Binding: []byte("host's fingerprint")}
	host.Key, host.Sign = identity(1)
	guest = PairConfig{Role: Guest, Secret: secret, Context: "mailbox", Binding: []byte("guest's fingerprint")}
	guest.Key, guest.Sign = identity(2)
	return host, guest
}

type paired struct {
	channel *Channel
	err     error
	took    time.Duration
}

// pairBoth runs both ends to their end. Each hangs up when it has failed, as
// every caller of Pair does.
func pairBoth(ctx context.Context, a, b *pipe, host, guest PairConfig) (h, g paired) {
	done := make(chan struct{})
	begun := time.Now()
	go func() {
		defer close(done)
		g.channel, g.err = Pair(ctx, b, guest)
		g.took = time.Since(begun)
		if g.err != nil {
			b.hang()
		}
	}()
	h.channel, h.err = Pair(ctx, a, host)
	h.took = time.Since(begun)
	if h.err != nil {
		a.hang()
	}
	<-done
	return h, g
}

func TestPairMakesOneChannel(t *testing.T) {
	for _, secret := range []string{"maple-orbit", ""} {
		a, b := newPipes()
		hc, gc := configs(secret)
		h, g := pairBoth(t.Context(), a, b, hc, gc)
		if h.err != nil || g.err != nil {
			t.Fatalf("secret %q: host %v, guest %v", secret, h.err, g.err)
		}
		if h.channel.Peer() != gc.Key || g.channel.Peer() != hc.Key {
			t.Error("a channel names the wrong player")
		}
		if string(h.channel.PeerBinding()) != string(gc.Binding) || string(g.channel.PeerBinding()) != string(hc.Binding) {
			t.Error("a channel names the wrong binding")
		}
		if h.channel.Session() != g.channel.Session() {
			t.Error("the session secrets differ")
		}
		for i, text := range []string{"offer", "candidate", "name"} {
			for _, way := range []struct{ from, to *Channel }{{h.channel, g.channel}, {g.channel, h.channel}} {
				if err := way.from.Send(t.Context(), []byte(text)); err != nil {
					t.Fatal(err)
				}
				if got, err := way.to.Receive(t.Context()); err != nil || string(got) != text {
					t.Errorf("message %d: %q, %v", i, got, err)
				}
			}
		}
	}
}

// flip returns an alter that flips a bit of byte at of message n.
func flip(n, at int) func(int, []byte) []byte {
	return func(i int, m []byte) []byte {
		if i == n {
			m = append([]byte(nil), m...)
			m[(at+len(m))%len(m)] ^= 1
		}
		return m
	}
}

// stopAt hangs up instead of sending message n.
func stopAt(p *pipe, n int) func(int, []byte) []byte {
	return func(i int, m []byte) []byte {
		if i >= n {
			p.hang()
			return nil
		}
		return m
	}
}

func TestPairFailures(t *testing.T) {
	const (
		none   = Failure(0)
		either = Failure(255) // the race is between the two ends
	)
	type side struct {
		failure Failure
		spent   bool
	}
	// A host sends hello 0, start 1, confirm 2, proof 3; a guest hello 0,
	// answer 1, confirm 2, proof 3.
	tests := []struct {
		name        string
		prepare     func(a, b *pipe, h, g *PairConfig)
		host, guest side
	}{
		{"wrong words", func(a, b *pipe, h, g *PairConfig) { g.Secret = "maple-orbits" },
			side{WrongCode, true}, side{WrongCode, true}},
		{"wrong password", func(a, b *pipe, h, g *PairConfig) { h.Password, g.Password, g.Secret = true, true, "guess" },
			side{WrongPassword, true}, side{WrongPassword, true}},
		{"no password for a locked room", func(a, b *pipe, h, g *PairConfig) { h.Password, g.Secret = true, "" },
			side{WrongPassword, false}, side{WrongPassword, false}},
		{"a password for an open room", func(a, b *pipe, h, g *PairConfig) { g.Password, h.Secret = true, "" },
			side{WrongPassword, false}, side{WrongPassword, false}},
		{"another place", func(a, b *pipe, h, g *PairConfig) { g.Context = "elsewhere" },
			side{WrongCode, true}, side{WrongCode, true}},
		{"own account", func(a, b *pipe, h, g *PairConfig) { g.Key, g.Sign = h.Key, h.Sign },
			side{OwnAccount, true}, side{OwnAccount, true}},
		{"not the player expected", func(a, b *pipe, h, g *PairConfig) { g.Expect[3] = 7 },
			side{PeerLeft, true}, side{ProtocolError, true}},
		{"old guest", func(a, b *pipe, h, g *PairConfig) { h.Newest, h.Oldest, g.Newest, g.Oldest = 5, 4, 3, 2 },
			side{TheirVersionOld, false}, side{YourVersionOld, false}},
		{"old host", func(a, b *pipe, h, g *PairConfig) { h.Newest, h.Oldest, g.Newest, g.Oldest = 3, 2, 5, 4 },
			side{YourVersionOld, false}, side{TheirVersionOld, false}},
		{"guest hangs up before answering", func(a, b *pipe, h, g *PairConfig) { b.alter = stopAt(b, 1) },
			side{PeerLeft, false}, side{PeerLeft, true}},
		{"guest hangs up before confirming", func(a, b *pipe, h, g *PairConfig) { b.alter = stopAt(b, 2) },
			side{PeerLeft, true}, side{PeerLeft, true}},
		{"guest hangs up before its proof", func(a, b *pipe, h, g *PairConfig) { b.alter = stopAt(b, 3) },
			side{PeerLeft, true}, side{either, true}},
		{"host hangs up before the start", func(a, b *pipe, h, g *PairConfig) { a.alter = stopAt(a, 1) },
			side{PeerLeft, false}, side{PeerLeft, false}},
		{"host hangs up before confirming", func(a, b *pipe, h, g *PairConfig) { a.alter = stopAt(a, 2) },
			side{PeerLeft, true}, side{PeerLeft, true}},
		{"start changed on the way", func(a, b *pipe, h, g *PairConfig) { a.alter = flip(1, 5) },
			side{WrongCode, true}, side{WrongCode, true}},
		{"version changed on the way", func(a, b *pipe, h, g *PairConfig) {
			h.Newest, h.Oldest, g.Newest, g.Oldest = 2, 1, 2, 1
			a.alter, b.alter = downgrade, downgrade
		}, side{WrongCode, true}, side{WrongCode, true}},
		{"start of a public room changed", func(a, b *pipe, h, g *PairConfig) {
			h.Secret, g.Secret = "", ""
			a.alter = flip(1, 5)
		}, side{ProtocolError, true}, side{PeerLeft, true}},
		{"card changed on the way", func(a, b *pipe, h, g *PairConfig) { b.alter = flip(2, -1) },
			side{ProtocolError, true}, side{PeerLeft, true}},
		{"proof changed on the way", func(a, b *pipe, h, g *PairConfig) { a.alter = flip(3, 1) },
			side{none, false}, side{ProtocolError, true}},
		{"key without its signature", func(a, b *pipe, h, g *PairConfig) { _, g.Sign = identity(9) },
			side{ProtocolError, true}, side{none, false}},
		{"garbage for a hello", func(a, b *pipe, h, g *PairConfig) { a.alter = replace(0, []byte("HTTP/1.1 400")) },
			side{PeerLeft, false}, side{ProtocolError, false}},
		{"an empty message", func(a, b *pipe, h, g *PairConfig) { a.alter = replace(1, []byte{}) },
			side{PeerLeft, false}, side{ProtocolError, false}},
		{"an answer too short", func(a, b *pipe, h, g *PairConfig) { b.alter = replace(1, []byte{kindAnswer, 1, 2}) },
			side{ProtocolError, true}, side{PeerLeft, true}},
		{"a start too short", func(a, b *pipe, h, g *PairConfig) { a.alter = replace(1, []byte{kindStart, 1, 2}) },
			side{PeerLeft, false}, side{ProtocolError, false}},
		{"a refusal that no host gives", func(a, b *pipe, h, g *PairConfig) { a.alter = replace(1, []byte{kindRefuse, byte(NoServer)}) },
			side{PeerLeft, false}, side{ProtocolError, false}},
		{"room full", func(a, b *pipe, h, g *PairConfig) { a.alter = replace(0, appendRefusal(nil, RoomFull)) },
			side{PeerLeft, false}, side{RoomFull, false}},
		{"silent visitor", func(a, b *pipe, h, g *PairConfig) { b.alter = silent(0) },
			side{PeerLeft, false}, side{PeerLeft, false}},
		{"visitor silent after its version", func(a, b *pipe, h, g *PairConfig) { b.alter = silent(1) },
			side{PeerLeft, false}, side{PeerLeft, true}},
		{"visitor silent after its answer", func(a, b *pipe, h, g *PairConfig) { b.alter = silent(2) },
			side{PeerLeft, true}, side{PeerLeft, true}},
		{"silent host", func(a, b *pipe, h, g *PairConfig) { a.alter = silent(0) },
			side{PeerLeft, false}, side{PeerLeft, false}},
		{"host silent after its start", func(a, b *pipe, h, g *PairConfig) { a.alter = silent(2) },
			side{PeerLeft, true}, side{PeerLeft, true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := newPipes()
				h, g := configs("maple-orbit")
				tt.prepare(a, b, &h, &g)
				host, guest := pairBoth(t.Context(), a, b, h, g)
				for _, end := range []struct {
					name string
					got  paired
					want side
				}{{"host", host, tt.host}, {"guest", guest, tt.guest}} {
					got, _ := FailureOf(end.got.err)
					if got != end.want.failure && end.want.failure != either {
						t.Errorf("%s: %v, want %s", end.name, end.got.err, end.want.failure.Name())
					}
					var pe *PairError
					if errors.As(end.got.err, &pe) && pe.Spent != end.want.spent {
						t.Errorf("%s: spent is %v, want %v", end.name, pe.Spent, end.want.spent)
					}
					if (end.got.channel == nil) != (end.got.err != nil) {
						t.Errorf("%s: channel %v beside error %v", end.name, end.got.channel, end.got.err)
					}
					if end.got.took > 20*time.Second {
						t.Errorf("%s took %v", end.name, end.got.took)
					}
				}
			})
		})
	}
}

// downgrade makes both sides believe that the other speaks version 1 only.
func downgrade(i int, m []byte) []byte {
	if i == 0 {
		return hello{oldest: 1, newest: 1, secret: true}.append(nil)
	}
	return m
}

func replace(n int, by []byte) func(int, []byte) []byte {
	return func(i int, m []byte) []byte {
		if i == n {
			return by
		}
		return m
	}
}

func silent(from int) func(int, []byte) []byte {
	return func(i int, m []byte) []byte {
		if i >= from {
			return nil
		}
		return m
	}
}

// Who guesses the words learns that they were wrong and nothing else: the
// host has sent no byte that depends on them but its start, and refuses.
func TestHostConfirmsNothingToAWrongGuess(t *testing.T) {
	a, b := newPipes()
	h, g := configs("maple-orbit")
	g.Secret = "zoo-zebra"
	var kinds []byte
	a.alter = func(_ int, m []byte) []byte {
		kinds = append(kinds, m[0])
		return m
	}
	pairBoth(t.Context(), a, b, h, g)
	if string(kinds) != string([]byte{kindHello, kindStart, kindRefuse}) {
		t.Errorf("the host sent messages of kinds %v", kinds)
	}
}

func TestPairEndsWithItsContext(t *testing.T) {
	for _, role := range []Role{Host, Guest} {
		synctest.Test(t, func(t *testing.T) {
			a, _ := newPipes()
			c, _ := configs("maple-orbit")
			c.Role = role
			cause := errors.New("the window was closed")
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				time.Sleep(time.Second)
				cancel(cause)
			}()
			begun := time.Now()
			_, err := Pair(ctx, a, c)
			if !errors.Is(err, cause) || time.Since(begun) != time.Second {
				t.Errorf("%v after %v", err, time.Since(begun))
			}
			if _, isFailure := FailureOf(err); isFailure {
				t.Errorf("%v is a failure of pairing", err)
			}
		})
	}
}

func TestPairSettlesOnTheNewestCommonVersion(t *testing.T) {
	a, b := newPipes()
	h, g := configs("maple-orbit")
	h.Oldest, h.Newest, g.Oldest, g.Newest = 1, 7, 3, 9
	host, guest := pairBoth(t.Context(), a, b, h, g)
	if host.err != nil || guest.err != nil || host.channel.Version() != 7 || guest.channel.Version() != 7 {
		t.Errorf("%v %v", host, guest)
	}
}

// A server that carries two pairings with one code can join none of them to
// the other, nor speak to either.
func TestPairingsOfOnePairDiffer(t *testing.T) {
	seen := map[string]string{}
	record := func(who string) func(int, []byte) []byte {
		return func(i int, m []byte) []byte {
			if i > 0 { // the versions are the same
				if before, ok := seen[string(m)]; ok {
					t.Errorf("message %d of the %s was sent before, by %s", i, who, before)
				}
				seen[string(m)] = who
			}
			return m
		}
	}
	sessions := map[[32]byte]bool{}
	for _, secret := range []string{"maple-orbit", ""} {
		for range 20 {
			a, b := newPipes()
			a.alter, b.alter = record("host"), record("guest")
			hc, gc := configs(secret)
			// One at a time writes to the map: the guest's messages answer
			// the host's but for the first, which is not recorded, and the
			// proofs.
			var lock = make(chan struct{}, 1)
			for _, p := range []*pipe{a, b} {
				inner := p.alter
				p.alter = func(i int, m []byte) []byte {
					lock <- struct{}{}
					defer func() { <-lock }()
					return inner(i, m)
				}
			}
			h, g := pairBoth(t.Context(), a, b, hc, gc)
			if h.err != nil || g.err != nil {
				t.Fatal(h.err, g.err)
			}
			if err := h.channel.Send(t.Context(), []byte("the same words each time")); err != nil {
				t.Fatal(err)
			}
			sessions[h.channel.Session()] = true
		}
	}
	if len(sessions) != 40 {
		t.Errorf("40 pairings had %d session secrets", len(sessions))
	}
}

// In a public room a server can put itself in the middle of the exchange and
// learn the cards; but each proof covers the pairing it was made in, so the
// proof of one half is none in the other.
func TestProofOfOnePairingIsNoneInAnother(t *testing.T) {
	hc, gc := configs("")
	run := func() (*pairing, *pairing) {
		a, b := newPipes()
		host, _ := newPairing(a, hc)
		guest, _ := newPairing(b, gc)
		done := make(chan error)
		go func() { done <- guest.guest(t.Context()) }()
		if err := host.host(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		return host, guest
	}
	h1, _ := run()
	h2, g2 := run()
	sig := h1.Sign(h1.bound(Host))
	if verifyBound(h1.Key, h1.bound(Host), sig[:]) != nil {
		t.Fatal("the proof does not hold where it was made")
	}
	own := h2.Sign(h2.bound(Host))
	for what, message := range map[string][]byte{
		"another pairing": g2.bound(Host),
		"the other role":  h1.bound(Guest),
	} {
		if verifyBound(h1.Key, message, sig[:]) == nil {
			t.Errorf("a proof holds in %s", what)
		}
	}
	changed := *g2
	changed.peerCard.binding = []byte("another fingerprint")
	if verifyBound(h2.Key, g2.bound(Host), own[:]) != nil || verifyBound(h2.Key, changed.bound(Host), own[:]) == nil {
		t.Error("the proof does not cover the binding")
	}
}

func TestTries(t *testing.T) {
	attempt := func(t *testing.T, tries *Tries, password string) (host, guest Failure) {
		a, b := newPipes()
		h, g := configs("right")
		h.Tries, h.Password, g.Password, g.Secret = tries, true, true, password
		hp, gp := pairBoth(t.Context(), a, b, h, g)
		host, _ = FailureOf(hp.err)
		guest, _ = FailureOf(gp.err)
		if host != guest {
			t.Errorf("host %s, guest %s", host.Name(), guest.Name())
		}
		return host, guest
	}
	synctest.Test(t, func(t *testing.T) {
		var tries Tries
		steps := []struct {
			after    time.Duration
			password string
			want     Failure
		}{
			{0, "wrong", WrongPassword},
			{0, "right", SlowDown},
			{9 * time.Second, "right", SlowDown},
			{time.Second, "right", 0},
			{0, "right", 0}, // right ones slow nobody
		}
		for i, s := range steps {
			time.Sleep(s.after)
			if got, _ := attempt(t, &tries, s.password); got != s.want {
				t.Errorf("step %d: %s", i, got.Name())
			}
		}
		for i := 2; i <= 10; i++ {
			time.Sleep(10 * time.Second)
			if got, _ := attempt(t, &tries, "wrong"); got != WrongPassword {
				t.Errorf("wrong try %d: %s", i, got.Name())
			}
		}
		time.Sleep(time.Hour)
		if got, _ := attempt(t, &tries, "right"); got != TooManyTries || !tries.Exhausted() {
			t.Errorf("the eleventh try: %s", got.Name())
		}
		tries.Reset()
		if got, _ := attempt(t, &tries, "right"); got != 0 {
			t.Errorf("after the owner's word: %s", got.Name())
		}
	})
}

// Two who try at the same moment get one answer between them.
func TestTriesAtOnce(t *testing.T) {
	var tries Tries
	now := time.Now()
	if tries.check(now) != 0 || tries.check(now) != 0 {
		t.Fatal("a first try would not be answered")
	}
	if tries.take(now) != 0 || tries.take(now) != SlowDown {
		t.Error("two tries at once were answered")
	}
}

func TestRefuse(t *testing.T) {
	for _, why := range []Failure{RoomFull, RoomInMatch, SlowDown, TooManyTries} {
		a, b := newPipes()
		if err := Refuse(t.Context(), a, why); err != nil {
			t.Fatal(err)
		}
		_, g := configs("")
		_, err := Pair(t.Context(), b, g)
		if f, _ := FailureOf(err); f != why {
			t.Errorf("%v, want %s", err, why.Name())
		}
	}
}

func TestResume(t *testing.T) {
	session, match := [32]byte{1}, [32]byte{2}
	address, secret := ResumeAddress(session, match), ResumeSecret(session, match)
	if address == ResumeAddress(session, [32]byte{3}) || address == ResumeAddress([32]byte{3}, match) {
		t.Error("two matches share an address")
	}
	if secret == ResumeSecret(session, [32]byte{3}) || len(secret) != 64 {
		t.Error("two matches share a secret")
	}
	a, b := newPipes()
	h, g := configs(secret)
	if hp, gp := pairBoth(t.Context(), a, b, h, g); hp.err != nil || gp.err != nil {
		t.Error(hp.err, gp.err)
	}
}
