package signal

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall/js"
	"time"
)

// A Socket is one WebSocket from a browser to a rendezvous server. Read
// belongs to one goroutine; the rest may be called from several.
//
// It is the browser's own object and not a library's, since every library
// brings net/http along, a megabyte of the page.
type Socket struct {
	ws      js.Value
	opened  chan struct{}
	closed  chan struct{} // closed when end is set
	arrived chan struct{} // of length 1: the queue is not empty

	mu     sync.Mutex
	queue  []message
	queued int // bytes in it
	end    error
	funcs  []js.Func
}

type message struct {
	data []byte
	text bool
}

// maxUnread bounds what waits to be read, in bytes, and maxUnsent what a
// browser keeps of what was written. Neither is ever near for a program and a
// server that mean well.
const (
	maxUnread = 1 << 20
	maxUnsent = 1 << 20
)

var errSocketClosed = errors.New("signal: the socket is closed")

func newSocket(ws js.Value) *Socket {
	s := &Socket{ws: ws, opened: make(chan struct{}), closed: make(chan struct{}), arrived: make(chan struct{}, 1)}
	ws.Set("binaryType", "arraybuffer")
	s.on("open", func(js.Value) { close(s.opened) })
	s.on("message", func(e js.Value) { s.receive(e.Get("data")) })
	// An error says nothing but that there was one. A close that says why comes
	// without.
	s.on("error", func(js.Value) { s.finish(errSocketClosed) })
	s.on("close", func(e js.Value) {
		code := e.Get("code").Int()
		if f := failureOfCode(code); f != 0 {
			s.finish(f)
		} else {
			s.finish(fmt.Errorf("%w (code %d)", errSocketClosed, code))
		}
		s.release()
	})
	return s
}

// on has f called with each event of a kind. The handlers are attributes, so
// that taking them away is setting null.
func (s *Socket) on(kind string, f func(event js.Value)) {
	handler := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	})
	s.funcs = append(s.funcs, handler)
	s.ws.Set("on"+kind, handler)
}

// release gives the browser its functions back; nothing comes after close.
func (s *Socket) release() {
	for _, kind := range []string{"open", "message", "error", "close"} {
		s.ws.Set("on"+kind, js.Null())
	}
	for _, f := range s.funcs {
		f.Release()
	}
}

// finish ends the socket for who reads and writes it. The first reason stays.
func (s *Socket) finish(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		s.end = why
		close(s.closed)
	}
}

// receive takes a message, in the browser's event loop. Its size is looked at
// before it is copied.
func (s *Socket) receive(data js.Value) {
	s.mu.Lock()
	room := min(MaxReply, maxUnread-s.queued)
	gone := s.end != nil
	s.mu.Unlock()
	if gone {
		return
	}
	var m message
	fits := false
	if data.Type() == js.TypeString {
		// A text has at least as many bytes as UTF-16 units; made an object, it
		// can be asked for those.
		if m.text = true; js.Global().Get("Object").Invoke(data).Length() <= room {
			m.data = []byte(data.String())
			fits = len(m.data) <= room
		}
	} else if size := data.Get("byteLength"); size.Type() == js.TypeNumber && size.Int() <= room {
		m.data = make([]byte, size.Int())
		js.CopyBytesToGo(m.data, js.Global().Get("Uint8Array").New(data))
		fits = true
	}
	if !fits {
		s.finish(ProtocolError)
		s.shut(ProtocolError)
		return
	}
	s.mu.Lock()
	s.queue = append(s.queue, m)
	s.queued += len(m.data)
	s.mu.Unlock()
	select {
	case s.arrived <- struct{}{}:
	default:
	}
}

// take is the oldest message in the queue, if there is one.
func (s *Socket) take() (m message, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		return message{}, false
	}
	m = s.queue[0]
	s.queue[0] = message{}
	s.queue = s.queue[1:]
	s.queued -= len(m.data)
	return m, true
}

// Read returns the next message and whether it is text. The error is a
// Failure if the other end closed the socket with one, or sent a message that
// is too large. When ctx ends the socket is closed.
func (s *Socket) Read(ctx context.Context) (data []byte, text bool, err error) {
	for {
		// What came before the end is still to be read.
		if m, ok := s.take(); ok {
			return m.data, m.text, nil
		}
		select {
		case <-s.arrived:
		case <-s.closed:
			if m, ok := s.take(); ok {
				return m.data, m.text, nil
			}
			return nil, false, s.end
		case <-ctx.Done():
			s.Drop()
			return nil, false, ctx.Err()
		}
	}
}

// Write sends a message. It never waits: what a browser cannot send yet it
// keeps, and if that becomes too much the socket is closed.
func (s *Socket) Write(data []byte, text bool) error {
	select {
	case <-s.closed:
		return s.end
	default:
	}
	if s.ws.Get("bufferedAmount").Int() > maxUnsent {
		s.Drop()
		return errors.New("signal: the server does not read")
	}
	return attempt(func() {
		if text {
			s.ws.Call("send", string(data))
			return
		}
		a := js.Global().Get("Uint8Array").New(len(data))
		js.CopyBytesToJS(a, data)
		s.ws.Call("send", a)
	})
}

// Close says why (0 for no reason) and closes the socket. It waits for a
// second at most, for what was sent before to arrive.
func (s *Socket) Close(why Failure) {
	s.shut(why)
	late := time.NewTimer(closeLimit)
	defer late.Stop()
	select {
	case <-s.closed:
	case <-late.C:
		s.finish(errSocketClosed)
	}
}

// Drop closes the socket at once, without a word.
func (s *Socket) Drop() {
	s.finish(errSocketClosed)
	s.shut(0)
}

// shut has the browser close the socket. Only a code that is none throws.
func (s *Socket) shut(why Failure) { s.ws.Call("close", why.code(), why.reason()) }

// attempt runs f; what a browser throws in it is the error.
func attempt(f func()) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case js.Error:
			err = e
		default:
			panic(e)
		}
	}()
	f()
	return nil
}
