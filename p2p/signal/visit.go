package signal

import (
	"context"
	"errors"
	"sync"
)

// visitQueue bounds the messages of a visit that nobody has read yet. A
// pairing sends a handful, an offer with its candidates a few dozen.
const visitQueue = 256

// A Visit is one meeting of a host and a guest at a mailbox: Messages that
// the server relays. Its methods may be called from several goroutines.
type Visit struct {
	link   *link
	number uint32
	by     string
	name   string // of the mailbox, room or address
	ice    []ICEServer
	key    [32]byte // of a listed room's host
	spend  func()   // called when the guest's answer arrives
	in     chan []byte
	done   chan struct{}
	once   sync.Once
	why    error
}

func newVisit(l *link, r Reply) *Visit {
	return &Visit{
		link: l, number: r.Visit, by: r.By, name: r.Mailbox, ice: r.ICE,
		in: make(chan []byte, visitQueue), done: make(chan struct{}),
	}
}

// By says how the other side came: ByCode, ByRoom or ByMeet. The secret of
// the pairing goes by it.
func (v *Visit) By() string { return v.by }

// Context is the PairConfig.Context of this visit.
func (v *Visit) Context() string { return v.by + " " + v.name }

// Expect is the PairConfig.Expect of this visit: the key under which a listed
// room was signed, for its guest; else zero.
func (v *Visit) Expect() [32]byte { return v.key }

// ICEServers are the STUN and TURN servers with the credentials of this seat.
func (v *Visit) ICEServers() []ICEServer { return v.ice }

// deliver queues a message that came in; false if the queue is full.
func (v *Visit) deliver(message []byte) bool {
	select {
	case v.in <- message:
		return true
	default:
		return false
	}
}

func (v *Visit) end(why error) {
	v.once.Do(func() {
		v.why = why
		close(v.done)
	})
}

// Done is closed when the visit has ended.
func (v *Visit) Done() <-chan struct{} { return v.done }

// Send sends one message of 1 to MaxMessage bytes.
func (v *Visit) Send(ctx context.Context, message []byte) error {
	if len(message) == 0 || len(message) > MaxMessage {
		return errors.New("signal: message must be of 1 to 16384 bytes")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-v.done:
		return v.why
	default:
	}
	if err := v.link.socket.Write(AppendRelayed(nil, v.number, message), false); err != nil {
		return v.link.writeError(err)
	}
	return nil
}

// Receive returns the next message. When the visit has ended the error is a
// Failure: PeerLeft, NoServer when it was the own socket that was lost, or
// ProtocolError.
func (v *Visit) Receive(ctx context.Context) ([]byte, error) {
	// What came before the end is still there to be read.
	select {
	case m := <-v.in:
		return v.received(m), nil
	default:
	}
	select {
	case m := <-v.in:
		return v.received(m), nil
	case <-v.done:
		select {
		case m := <-v.in:
			return v.received(m), nil
		default:
			return nil, v.why
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (v *Visit) received(message []byte) []byte {
	if v.spend != nil && AnswersPairing(message) {
		v.spend()
	}
	return message
}

// Close leaves. A host's mailbox stays open for the next visitor.
func (v *Visit) Close() error {
	select {
	case <-v.done:
		return nil
	default:
	}
	v.end(PeerLeft)
	v.link.mu.Lock()
	if v.link.visit == v {
		v.link.visit = nil
	}
	v.link.mu.Unlock()
	v.link.write(Request{Do: DoLeave, Visit: v.number})
	return nil
}
