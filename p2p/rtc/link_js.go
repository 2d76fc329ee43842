package rtc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"syscall/js"

	"github.com/cleavegame/cleave/p2p"
)

// The browser's own objects are used without pion's wrapper. That wrapper runs
// each event in a goroutine of its own, so that frames may overtake each other,
// and knows no certificates; and a page without pion is some megabytes smaller.
// A handler here runs to its end within the event, so that order is kept; it
// must not wait for anything.

var errNoWebRTC = errors.New("this browser has no RTCPeerConnection")

// inboxFrames is how many frames wait for Receive, 16 MiB at most, before more are
// lost. The browser hands over a burst as a whole before any goroutine runs, and
// cannot be made to wait.
const inboxFrames = 4096

// link is one RTCPeerConnection with its one data channel.
type link struct {
	conn    *Conn
	pc      js.Value
	channel js.Value
	off     []func() // take the handlers off again

	mu      sync.Mutex
	reached bool
	warning string
	word    string // path, where the browser cannot be asked at once
	other   string
	closed  bool
}

func newLink(cfg Config, c *Conn) (*link, error) {
	class := js.Global().Get("RTCPeerConnection")
	if !class.Truthy() {
		return nil, errNoWebRTC
	}
	l := &link{conn: c}
	err := try(func() {
		l.pc = class.New(configuration(cfg))
		l.channel = l.pc.Call("createDataChannel", channelLabel, map[string]any{"negotiated": true, "id": 0})
		l.channel.Set("binaryType", "arraybuffer")
	})
	if err != nil {
		if l.pc.Truthy() {
			l.close()
		}
		return nil, err
	}
	l.on(l.channel, "message", l.message)
	l.on(l.channel, "open", func(js.Value) {
		go func() {
			l.see()
			c.setup.tell(opened, "")
		}()
	})
	l.on(l.channel, "close", func(js.Value) { c.end() })
	l.on(l.pc, "datachannel", func(js.Value) { c.end() })
	l.on(l.pc, "icecandidate", func(e js.Value) {
		found := e.Get("candidate")
		if !found.Truthy() {
			c.setup.tell(foundAll, "")
		} else if text := found.Get("candidate").String(); text != "" {
			c.setup.tell(foundCandidate, text)
		}
	})
	l.on(l.pc, "icecandidateerror", func(e js.Value) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.warning = fmt.Sprintf("%v: error %v: %v", e.Get("url"), e.Get("errorCode"), e.Get("errorText"))
	})
	l.on(l.pc, "iceconnectionstatechange", func(js.Value) {
		switch l.pc.Get("iceConnectionState").String() {
		case "connected", "completed":
			l.mu.Lock()
			l.reached = true
			l.mu.Unlock()
		}
	})
	l.on(l.pc, "connectionstatechange", func(js.Value) {
		switch l.pc.Get("connectionState").String() {
		case "failed", "closed":
			l.mu.Lock()
			reached := l.reached
			l.mu.Unlock()
			if reached {
				c.setup.tell(noHandshake, "the browser tells no more")
			} else {
				c.setup.tell(noPath, "")
			}
			c.end()
		}
	})
	// A page that is closed or left tells the peer nothing by itself. What is
	// done in the handler, and no later, still happens.
	if js.Global().Get("addEventListener").Type() == js.TypeFunction {
		l.on(js.Global(), "pagehide", func(js.Value) { l.pc.Call("close") })
	}
	return l, nil
}

func configuration(cfg Config) map[string]any {
	servers := []any{}
	for _, s := range cfg.Servers {
		urls := []any{}
		for _, u := range s.URLs {
			urls = append(urls, u)
		}
		servers = append(servers, map[string]any{"urls": urls, "username": s.Username, "credential": s.Credential})
	}
	policy := "all"
	if cfg.RelayOnly {
		policy = "relay"
	}
	return map[string]any{
		"iceServers":         servers,
		"iceTransportPolicy": policy,
		"certificates":       []any{cfg.Certificate.inner},
	}
}

// on calls f with each event of that name at target, within the event.
func (l *link) on(target js.Value, name string, f func(event js.Value)) {
	h := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	})
	target.Call("addEventListener", name, h)
	l.off = append(l.off, func() {
		target.Call("removeEventListener", name, h)
		h.Release()
	})
}

func (l *link) offer(ctx context.Context, say func(sdp string)) error {
	return l.describe(ctx, "createOffer", say)
}

func (l *link) answer(ctx context.Context, sdp string, say func(sdp string)) error {
	if err := l.call(ctx, "setRemoteDescription", map[string]any{"type": "offer", "sdp": sdp}); err != nil {
		return err
	}
	return l.describe(ctx, "createAnswer", say)
}

func (l *link) answered(ctx context.Context, sdp string) error {
	return l.call(ctx, "setRemoteDescription", map[string]any{"type": "answer", "sdp": sdp})
}

func (l *link) describe(ctx context.Context, method string, say func(sdp string)) error {
	var promise js.Value
	if err := try(func() { promise = l.pc.Call(method) }); err != nil {
		return err
	}
	d, err := await(ctx, promise)
	if err != nil {
		return err
	}
	say(d.Get("sdp").String())
	return l.call(ctx, "setLocalDescription", d)
}

// call calls a method that promises nothing but to be done.
func (l *link) call(ctx context.Context, method string, arg any) error {
	var promise js.Value
	if err := try(func() { promise = l.pc.Call(method, arg) }); err != nil {
		return err
	}
	_, err := await(ctx, promise)
	return err
}

// addCandidate takes a candidate of the peer. One of a sort that this browser
// does not know is passed over.
func (l *link) addCandidate(c string) {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		_ = l.call(ctx, "addIceCandidate", map[string]any{"candidate": c, "sdpMLineIndex": 0})
	}()
}

func (l *link) message(e js.Value) {
	c, data := l.conn, e.Get("data")
	if data.Type() != js.TypeObject || data.Get("byteLength").Type() != js.TypeNumber {
		c.end() // a text, or a blob in spite of binaryType
		return
	}
	n := data.Get("byteLength").Int()
	if n == 0 || n > p2p.MaxFrame {
		c.end()
		return
	}
	frame := make([]byte, n)
	js.CopyBytesToGo(frame, js.Global().Get("Uint8Array").New(data))
	select {
	case c.frames <- frame:
	default:
		// An event cannot wait. The session resends what is lost here.
	}
}

func (l *link) send(frame []byte) error {
	a := js.Global().Get("Uint8Array").New(len(frame))
	js.CopyBytesToJS(a, frame)
	return try(func() { l.channel.Call("send", a) })
}

func (l *link) buffered() int { return l.channel.Get("bufferedAmount").Int() }

// see asks for the statistics, which say what path was chosen where the ICE
// transport itself cannot be asked.
func (l *link) see() {
	if _, _, ok := l.pair(); ok {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	var promise js.Value
	if try(func() { promise = l.pc.Call("getStats") }) != nil {
		return
	}
	stats, err := await(ctx, promise)
	if err != nil {
		return
	}
	byID := map[string]js.Value{}
	each := js.FuncOf(func(_ js.Value, args []js.Value) any {
		byID[args[0].Get("id").String()] = args[0]
		return nil
	})
	defer each.Release()
	stats.Call("forEach", each)
	for _, r := range byID {
		if r.Get("type").String() != "candidate-pair" || !r.Get("nominated").Truthy() || r.Get("state").String() != "succeeded" {
			continue
		}
		here, there := byID[r.Get("localCandidateId").String()], byID[r.Get("remoteCandidateId").String()]
		if !here.Truthy() || !there.Truthy() {
			continue
		}
		l.mu.Lock()
		l.word = pathWord(here.Get("candidateType"), there.Get("candidateType"))
		l.other = endpoint(there.Get("address"), there.Get("port"))
		l.mu.Unlock()
	}
}

// path is the word for the path and the address at its other end.
func (l *link) path() (word, remote string) {
	if word, remote, ok := l.pair(); ok {
		return word, remote
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.word == "" {
		return "direct", ""
	}
	return l.word, l.other
}

// pair asks the ICE transport for the chosen pair.
func (l *link) pair() (word, remote string, ok bool) {
	err := try(func() {
		transport := l.pc.Get("sctp").Get("transport").Get("iceTransport")
		pair := transport.Call("getSelectedCandidatePair")
		here, there := pair.Get("local"), pair.Get("remote")
		word = pathWord(here.Get("type"), there.Get("type"))
		remote = endpoint(there.Get("address"), there.Get("port"))
	})
	if err != nil {
		return "", "", false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.word, l.other = word, remote // still told after the end
	return word, remote, true
}

func pathWord(here, there js.Value) string {
	if here.String() == "relay" || there.String() == "relay" {
		return "relay"
	}
	return "direct"
}

// endpoint is "" where the browser keeps the address to itself.
func endpoint(address, port js.Value) string {
	if address.Type() != js.TypeString || port.Type() != js.TypeNumber {
		return ""
	}
	return net.JoinHostPort(address.String(), strconv.Itoa(port.Int()))
}

// trouble is what ICE last complained of, for the end of an error's text.
func (l *link) trouble() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.warning == "" {
		return ""
	}
	return " (" + l.warning + ")"
}

func (l *link) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.closed = true
	for _, off := range l.off {
		off()
	}
	l.pc.Call("close")
}

// await waits for a promise. The handlers are released when it settles, also if
// nobody waits any more.
func await(ctx context.Context, promise js.Value) (js.Value, error) {
	type settled struct {
		value js.Value
		err   error
	}
	done := make(chan settled, 1)
	var kept, broken js.Func
	settle := func(s settled) {
		kept.Release()
		broken.Release()
		done <- s
	}
	kept = js.FuncOf(func(_ js.Value, args []js.Value) any {
		s := settled{value: js.Undefined()}
		if len(args) > 0 {
			s.value = args[0]
		}
		settle(s)
		return nil
	})
	broken = js.FuncOf(func(_ js.Value, args []js.Value) any {
		s := settled{err: errors.New("rejected")}
		if len(args) > 0 && args[0].Type() == js.TypeObject {
			s.err = js.Error{Value: args[0]}
		}
		settle(s)
		return nil
	})
	promise.Call("then", kept, broken)
	select {
	case s := <-done:
		return s.value, s.err
	case <-ctx.Done():
		return js.Undefined(), ctx.Err()
	}
}

// try calls f and returns what JavaScript threw in it, or what syscall/js
// panicked with because a value or a method was not there (that one is a text).
func try(f func()) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case js.Error:
			err = e
		case *js.ValueError:
			err = e
		case string:
			err = errors.New(e)
		default:
			panic(e)
		}
	}()
	f()
	return nil
}
