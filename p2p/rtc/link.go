//go:build !js

package rtc

import (
	"context"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/pion/ice/v4"
	"github.com/pion/interceptor"
	"github.com/pion/webrtc/v4"

	"github.com/cleavegame/cleave/p2p"
)

// link is one pion peer connection with its one data channel.
type link struct {
	conn    *Conn
	pc      *webrtc.PeerConnection
	channel *webrtc.DataChannel
	log     *troubleLog
	stop    context.CancelFunc // ends look-ups and dials that gathering waits for

	mu        sync.Mutex
	pathWord  string
	pathOther string
}

// newLink makes the peer connection and the channel; c hears of everything.
func newLink(cfg Config, c *Conn) (*link, error) {
	ctx, stop := context.WithCancel(context.Background())
	l := &link{conn: c, stop: stop, log: &troubleLog{}}
	pc, err := webrtc.NewAPI(
		webrtc.WithSettingEngine(settings(ctx, cfg, l.log)),
		// No audio, no video, and none of the goroutines that report on them.
		webrtc.WithMediaEngine(&webrtc.MediaEngine{}),
		webrtc.WithInterceptorRegistry(&interceptor.Registry{}),
	).NewPeerConnection(configuration(cfg))
	if err != nil {
		stop()
		return nil, err
	}
	l.pc = pc
	negotiated, id := true, uint16(0)
	l.channel, err = pc.CreateDataChannel(channelLabel, &webrtc.DataChannelInit{Negotiated: &negotiated, ID: &id})
	if err != nil {
		l.close()
		return nil, err
	}
	l.channel.OnMessage(l.message)
	l.channel.OnOpen(func() { l.see(); c.setup.tell(opened, "") })
	l.channel.OnClose(c.end)
	// Nobody who keeps to the protocol opens a second one, and each would
	// cost 64 KiB.
	pc.OnDataChannel(func(*webrtc.DataChannel) { c.end() })
	pc.OnICECandidate(func(found *webrtc.ICECandidate) {
		if found == nil {
			c.setup.tell(foundAll, "")
			return
		}
		c.setup.tell(foundCandidate, found.ToJSON().Candidate)
	})
	pc.SCTP().Transport().ICETransport().OnSelectedCandidatePairChange(l.note)
	pc.OnConnectionStateChange(l.changed)
	return l, nil
}

// changed hears of every state and acts on the last ones. A handshake that fails
// shows as either, as it was this side or the other that refused.
func (l *link) changed(s webrtc.PeerConnectionState) {
	switch s {
	case webrtc.PeerConnectionStateFailed, webrtc.PeerConnectionStateClosed:
		// The handshake begins when ICE has found a path.
		if l.pc.SCTP().Transport().State() != webrtc.DTLSTransportStateNew {
			l.conn.setup.tell(noHandshake, l.log.last())
		} else {
			l.conn.setup.tell(noPath, "")
		}
		l.conn.end()
	}
}

func configuration(cfg Config) webrtc.Configuration {
	out := webrtc.Configuration{Certificates: []webrtc.Certificate{cfg.Certificate.inner}}
	for _, s := range cfg.Servers {
		out.ICEServers = append(out.ICEServers, webrtc.ICEServer{URLs: s.URLs, Username: s.Username, Credential: s.Credential})
	}
	if cfg.RelayOnly {
		out.ICETransportPolicy = webrtc.ICETransportPolicyRelay
	}
	return out
}

func settings(ctx context.Context, cfg Config, log *troubleLog) webrtc.SettingEngine {
	loopback := cfg.Loopback || !reachable() || serverHere(cfg.Servers)
	var e webrtc.SettingEngine
	e.LoggerFactory = log
	e.SetNet(&network{ctx: ctx})
	e.SetIncludeLoopbackCandidate(loopback)
	e.DisableActiveTCP(true)
	// A peer may name any address for us to knock at; these can be no peer.
	e.SetRemoteIPFilter(func(ip net.IP) bool {
		return !ip.IsUnspecified() && !ip.IsMulticast() && (loopback || !ip.IsLoopback())
	})
	if cfg.RelayOnly || !reachable() {
		// Names under .local are of use on the own network alone.
		e.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
	}
	// Reflexive addresses are as good as any at once. A relay waits a little
	// for a direct path, because ICE does not move away from it later.
	e.SetSrflxAcceptanceMinWait(0)
	e.SetPrflxAcceptanceMinWait(0)
	e.SetRelayAcceptanceMinWait(400 * time.Millisecond)
	if cfg.RelayOnly {
		e.SetRelayAcceptanceMinWait(0)
	}
	// The checks of the host begin when it has the offer, those of the joiner
	// when it has the answer: with the usual 7 tries (1.4 s) a pair may be
	// given up before the other side has heard of it. 75 last all the 15 s.
	e.SetICEMaxBindingRequests(75)
	// Given up after 3 + 27 s; the session above acts at 6 s by itself. A
	// keepalive each half second notices that the path is back.
	e.SetICETimeouts(3*time.Second, 27*time.Second, 500*time.Millisecond)
	// The cookie exchange protects a DTLS server from forged addresses, and
	// costs a round trip; ICE has already shown that the address is real.
	e.SetDTLSInsecureSkipHelloVerify(true)
	// Otherwise retransmission backs off to 60 s during a cut.
	e.SetSCTPRTOMax(time.Second)
	e.SetSCTPMaxMessageSize(sctpMessage)
	return e
}

// inboxFrames is how many frames wait for Receive, 1 MiB at most, before the
// peer is made to wait.
const inboxFrames = 256

// sctpMessage is the largest message in bytes that is announced; pion's read
// buffer is this large from the start.
const sctpMessage = 64 << 10

// offer makes and sets the one offer. say is called with it before any candidate
// of it is told.
func (l *link) offer(_ context.Context, say func(sdp string)) error {
	d, err := l.pc.CreateOffer(nil)
	if err != nil {
		return err
	}
	say(d.SDP)
	return l.pc.SetLocalDescription(d)
}

// answer takes the peer's offer and answers it.
func (l *link) answer(_ context.Context, sdp string, say func(sdp string)) error {
	if err := l.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: sdp}); err != nil {
		return err
	}
	d, err := l.pc.CreateAnswer(nil)
	if err != nil {
		return err
	}
	say(d.SDP)
	return l.pc.SetLocalDescription(d)
}

// answered takes the peer's answer.
func (l *link) answered(_ context.Context, sdp string) error {
	return l.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: sdp})
}

// addCandidate takes a candidate of the peer. One of a sort that this version
// does not know is passed over.
func (l *link) addCandidate(c string) {
	line := uint16(0)
	_ = l.pc.AddICECandidate(webrtc.ICECandidateInit{Candidate: c, SDPMLineIndex: &line})
}

// message runs in the channel's reading goroutine. While the inbox is full it
// waits, and so the peer's Send learns that the pipe is full.
func (l *link) message(m webrtc.DataChannelMessage) {
	c := l.conn
	switch {
	case m.IsString || len(m.Data) > p2p.MaxFrame:
		c.end()
	case len(m.Data) == 0:
		c.end()
	default:
		select {
		case c.frames <- m.Data:
			return
		default:
		}
		select {
		case c.frames <- m.Data:
		case <-c.closed:
		case <-c.ended:
		}
	}
}

func (l *link) send(frame []byte) error { return l.channel.Send(frame) }

// buffered is how many bytes the peer has not acknowledged.
func (l *link) buffered() int { return int(l.channel.BufferedAmount()) }

// see asks for the path that ICE chose. It must not be called from a callback
// of ICE: closing waits for those, and holds what this asks for.
func (l *link) see() {
	if pair, err := l.pc.SCTP().Transport().ICETransport().GetSelectedCandidatePair(); err == nil {
		l.note(pair)
	}
}

// note remembers the path that ICE chose.
func (l *link) note(pair *webrtc.ICECandidatePair) {
	if pair == nil {
		return
	}
	// A relay of ours talks to relays alone, so that either both ends are
	// relayed or none is, even if one sees the other's relay as an unknown
	// address (prflx).
	word := "direct"
	if pair.Local.Typ == webrtc.ICECandidateTypeRelay || pair.Remote.Typ == webrtc.ICECandidateTypeRelay {
		word = "relay"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pathWord = word
	l.pathOther = net.JoinHostPort(pair.Remote.Address, strconv.Itoa(int(pair.Remote.Port)))
}

// path is the word for the path and the address at its other end.
func (l *link) path() (word, remote string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.pathWord, l.pathOther
}

// trouble is what ICE last complained of, for the end of an error's text.
func (l *link) trouble() string {
	if s := l.log.last(); s != "" {
		return " (" + s + ")"
	}
	return ""
}

// close frees everything and waits for pion's goroutines. It must not be called
// from a callback.
func (l *link) close() {
	l.stop()
	// Its error lists what was closed already.
	_ = l.pc.GracefulClose()
}
