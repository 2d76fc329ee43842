package signal

import (
	"context"
	"crypto/hmac"
	"time"
)

// pairing is one run of Pair; it is used by one goroutine.
type pairing struct {
	PairConfig
	m          Messages
	begun      time.Time
	doing      string // what is being waited for, for the error
	spent      bool
	own, peer  hello
	version    uint16
	ad         []byte // what CPace binds
	transcript [32]byte
	keys       schedule
	seal, open sealer
	ownCard    card
	peerCard   card
}

func newPairing(m Messages, c PairConfig) (*pairing, error) {
	if c.Newest == 0 {
		c.Newest = Version
	}
	if c.Oldest == 0 {
		c.Oldest = min(Version, c.Newest)
	}
	switch {
	case c.Role != Host && c.Role != Guest:
		panic("signal: pairing without a role")
	case c.Sign == nil:
		panic("signal: pairing without a signing key")
	case len(c.Binding) == 0 || len(c.Binding) > maxBinding:
		panic("signal: binding must be of 1 to 64 bytes")
	case c.Oldest > c.Newest:
		panic("signal: oldest version above the newest")
	case len(c.Context) > maxContext:
		panic("signal: context of more than 1024 bytes")
	}
	if len(c.Secret) > maxContext {
		// It was typed by a person, so it is no bug of ours.
		return nil, &PairError{Failure: wrongSecret(c.Password), Detail: "secret of more than 1024 bytes"}
	}
	p := &pairing{PairConfig: c, m: m, begun: time.Now()}
	p.own = hello{oldest: c.Oldest, newest: c.Newest, secret: c.Secret != ""}
	return p, nil
}

func wrongSecret(password bool) Failure {
	if password {
		return WrongPassword
	}
	return WrongCode
}

// host plays the part of the one who waits: it starts CPace, and confirms
// only after the guest's confirmation has held, so that a guess costs the
// guesser its one answer and teaches nothing else.
func (p *pairing) host(ctx context.Context) error {
	seat := p.begun.Add(visitorLimit)
	if err := p.greet(ctx, seat); err != nil {
		return err
	}
	if p.own.secret && !p.peer.secret {
		return p.refuse(ctx, wrongSecret(p.Password))
	}
	if p.peer.secret && !p.own.secret {
		// The guest insists on a password and is about to say so itself.
		return &PairError{Failure: wrongSecret(true)}
	}
	if why := p.Tries.check(time.Now()); why != 0 {
		return p.refuse(ctx, why)
	}
	x, start, err := startExchange(p.Secret, p.ad)
	if err != nil {
		return err
	}
	p.doing = "sending the start"
	if err := p.send(ctx, append([]byte{kindStart}, start...)); err != nil {
		return err
	}
	p.doing = "waiting for the visitor's answer"
	answer, err := p.receive(ctx, seat, kindAnswer)
	if err != nil {
		return err
	}
	p.spent = true
	if why := p.Tries.take(time.Now()); why != 0 {
		return p.refuse(ctx, why)
	}
	p.doing = "reading the visitor's answer"
	shared, err := x.finish(answer)
	if err != nil {
		return err
	}
	if err := p.derive(start, answer, shared); err != nil {
		return err
	}
	p.doing = "waiting for the visitor's confirmation"
	confirm, err := p.receive(ctx, time.Now().Add(stepLimit), kindConfirm)
	if err != nil {
		return err
	}
	if err := p.readConfirm(confirm); err != nil {
		if f, _ := FailureOf(err); f == WrongCode || f == WrongPassword {
			return p.refuse(ctx, f)
		}
		return err
	}
	p.Tries.giveBack()
	if err := p.sendConfirm(ctx); err != nil {
		return err
	}
	if err := p.checkPeer(); err != nil {
		return err
	}
	if err := p.sendProof(ctx); err != nil {
		return err
	}
	return p.receiveProof(ctx)
}

// guest plays the part of the one who comes.
func (p *pairing) guest(ctx context.Context) error {
	patience := p.begun.Add(hostLimit)
	if err := p.greet(ctx, patience); err != nil {
		return err
	}
	if p.own.secret && !p.peer.secret {
		return &PairError{Failure: wrongSecret(p.Password)}
	}
	p.doing = "waiting for the host's start"
	start, err := p.receive(ctx, patience, kindStart)
	if err != nil {
		return err
	}
	p.doing = "answering the host"
	answer, shared, err := answerExchange(p.Secret, p.ad, start)
	if err != nil {
		return err
	}
	if err := p.derive(start, answer, shared); err != nil {
		return err
	}
	p.spent = true
	if err := p.send(ctx, append([]byte{kindAnswer}, answer...)); err != nil {
		return err
	}
	if err := p.sendConfirm(ctx); err != nil {
		return err
	}
	p.doing = "waiting for the host's confirmation"
	confirm, err := p.receive(ctx, time.Now().Add(stepLimit), kindConfirm)
	if err != nil {
		return err
	}
	if err := p.readConfirm(confirm); err != nil {
		return err
	}
	if err := p.checkPeer(); err != nil {
		return err
	}
	if err := p.sendProof(ctx); err != nil {
		return err
	}
	return p.receiveProof(ctx)
}

// greet exchanges the versions, in clear, and settles on one.
func (p *pairing) greet(ctx context.Context, until time.Time) error {
	p.doing = "exchanging versions"
	if err := p.send(ctx, p.own.append(nil)); err != nil {
		return err
	}
	body, err := p.receive(ctx, until, kindHello)
	if err != nil {
		return err
	}
	if p.peer, err = parseHello(body); err != nil {
		return err
	}
	switch {
	case p.peer.newest < p.own.oldest:
		return &PairError{Failure: TheirVersionOld}
	case p.own.newest < p.peer.oldest:
		return &PairError{Failure: YourVersionOld}
	}
	p.version = min(p.own.newest, p.peer.newest)
	p.ad = appendAssociated(nil, p.version, p.hostHello(), p.guestHello(), p.Context)
	return nil
}

func (p *pairing) hostHello() hello {
	if p.Role == Host {
		return p.own
	}
	return p.peer
}

func (p *pairing) guestHello() hello {
	if p.Role == Guest {
		return p.own
	}
	return p.peer
}

func (p *pairing) derive(start, answer, shared []byte) error {
	p.transcript = transcriptHash(p.ad, start, answer)
	p.keys = deriveKeys(shared, p.transcript)
	if p.Role == Host {
		p.seal, p.open = newSealer(p.keys.sealHost), newSealer(p.keys.sealGuest)
	} else {
		p.seal, p.open = newSealer(p.keys.sealGuest), newSealer(p.keys.sealHost)
	}
	p.ownCard = newCard(p.Key, p.Binding)
	return nil
}

// sendConfirm proves that we have the key, and hands over, sealed, who we are
// and what connection this is for.
func (p *pairing) sendConfirm(ctx context.Context) error {
	p.doing = "confirming"
	b := append([]byte{kindConfirm}, p.keys.confirmation(p.Role, p.transcript)...)
	return p.send(ctx, p.seal.append(b, kindConfirm, p.ownCard.append(nil)))
}

func (p *pairing) readConfirm(body []byte) error {
	if len(body) < confirmSize {
		return &PairError{Failure: ProtocolError}
	}
	if !hmac.Equal(body[:confirmSize], p.keys.confirmation(p.Role.other(), p.transcript)) {
		if !p.own.secret {
			return &PairError{Failure: ProtocolError}
		}
		return &PairError{Failure: wrongSecret(p.Password)}
	}
	plain, err := p.open.open(kindConfirm, body[confirmSize:])
	if err != nil {
		return err
	}
	p.peerCard, err = parseCard(plain)
	return err
}

func (p *pairing) checkPeer() error {
	switch {
	case p.peerCard.key == p.Key:
		// Both sides see it, so neither needs to tell the other.
		p.doing = "comparing the accounts"
		return &PairError{Failure: OwnAccount}
	case p.Expect != [32]byte{} && p.peerCard.key != p.Expect:
		p.doing = "comparing the player's key with the one expected"
		return &PairError{Failure: ProtocolError}
	}
	return nil
}

func (p *pairing) bound(signer Role) []byte {
	host, guest := p.ownCard, p.peerCard
	if p.Role == Guest {
		host, guest = guest, host
	}
	return appendBound(nil, signer, p.version, p.transcript, host, guest)
}

func (p *pairing) sendProof(ctx context.Context) error {
	p.doing = "proving the own key"
	sig := p.Sign(p.bound(p.Role))
	return p.send(ctx, p.seal.append([]byte{kindSealed}, kindSealed, sig[:]))
}

func (p *pairing) receiveProof(ctx context.Context) error {
	p.doing = "waiting for the proof of the other's key"
	body, err := p.receive(ctx, time.Now().Add(stepLimit), kindSealed)
	if err != nil {
		return err
	}
	sig, err := p.open.open(kindSealed, body)
	if err != nil {
		return err
	}
	p.doing = "checking the proof of the other's key"
	return verifyBound(p.peerCard.key, p.bound(p.Role.other()), sig)
}

// refuse tells the other side why, as well as it can, and is the error.
func (p *pairing) refuse(ctx context.Context, why Failure) error {
	// A visitor that does not read its refusal must not hold up the host.
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	err := p.m.Send(ctx, appendRefusal(nil, why))
	return &PairError{Failure: why, Err: err}
}

func (p *pairing) send(ctx context.Context, message []byte) error {
	ctx, cancel := context.WithTimeout(ctx, stepLimit)
	defer cancel()
	if err := p.m.Send(ctx, message); err != nil {
		return pipeError(err)
	}
	return nil
}

// receive returns the body of the next message, which must be of this kind
// and arrive by the time until.
func (p *pairing) receive(ctx context.Context, until time.Time, kind byte) ([]byte, error) {
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	message, err := p.m.Receive(ctx)
	if err != nil {
		return nil, pipeError(err)
	}
	if len(message) == 0 || len(message) > MaxMessage {
		return nil, &PairError{Failure: ProtocolError}
	}
	if message[0] == kindRefuse && kind != kindSealed {
		why, err := parseRefusal(message[1:])
		if err != nil {
			return nil, err
		}
		return nil, &PairError{Failure: p.refused(why)}
	}
	if message[0] != kind {
		return nil, &PairError{Failure: ProtocolError}
	}
	return message[1:], nil
}

// refused says what a refusal means here. Anybody on the way can send one, so
// it may only say what the other side could have meant; a guest whose secret
// was wrong is told in the words of what it was.
func (p *pairing) refused(why Failure) Failure {
	switch why {
	case WrongCode, WrongPassword:
		return wrongSecret(p.Password || !p.own.secret)
	}
	return why
}

func pipeError(err error) error {
	f, ok := FailureOf(err)
	if !ok {
		f = PeerLeft
	}
	return &PairError{Failure: f, Err: err}
}

func (p *pairing) channel() *Channel {
	host, guest := p.ownCard, p.peerCard
	if p.Role == Guest {
		host, guest = guest, host
	}
	c := &Channel{
		m: p.m, role: p.Role, version: p.version,
		peer: p.peerCard.key, binding: p.peerCard.binding,
		session: p.keys.session(p.transcript, host, guest),
		seal:    p.seal, open: p.open,
		sending: make(chan struct{}, 1), receiving: make(chan struct{}, 1),
	}
	return c
}
