package rtc

import "sync"

// An event is what the link found out during setup.
type event struct {
	kind eventKind
	text string // the candidate; why the link failed
}

type eventKind int

const (
	foundCandidate eventKind = iota
	foundAll                 // the last candidate was found
	opened                   // the data channel
	noPath                   // ICE gave up
	noHandshake              // there was a path, but DTLS failed over it
)

// events is a queue from the link's callbacks, which must never wait, to the
// setup. The link speaks of its own candidates, so it stays short.
type events struct {
	wake chan struct{} // one token when the queue may have something

	mu    sync.Mutex
	queue []event
	over  bool
}

func (e *events) tell(k eventKind, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over {
		return
	}
	e.queue = append(e.queue, event{k, text})
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

func (e *events) take() []event {
	e.mu.Lock()
	defer e.mu.Unlock()
	q := e.queue
	e.queue = nil
	return q
}

// stop ends the queue: what is told from now on interests nobody.
func (e *events) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over, e.queue = true, nil
}
