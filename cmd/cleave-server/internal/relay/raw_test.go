package relay

import (
	"encoding/binary"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/pion/stun/v4"

	"github.com/cleavegame/cleave/p2p/signal"
)

var discard = slog.New(slog.DiscardHandler)

// raw is a TURN client that sends just what a test wants and nothing by itself.
type raw struct {
	conn  net.Conn
	creds signal.ICEServer
	nonce string
}

func newRaw(t *testing.T, s *Server, c signal.ICEServer) *raw {
	t.Helper()
	conn, err := net.Dial("udp4", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &raw{conn: conn, creds: c}
}

// lifetimeAttr asks for a lifetime.
func lifetimeAttr(d time.Duration) stun.RawAttribute {
	return stun.RawAttribute{Type: stun.AttrLifetime, Value: binary.BigEndian.AppendUint32(nil, uint32(d/time.Second))}
}

var overUDP = stun.RawAttribute{Type: stun.AttrRequestedTransport, Value: []byte{17, 0, 0, 0}}

// ask makes a request, under the credentials once the nonce is known, and
// returns the answer.
func (r *raw) ask(t *testing.T, method stun.Method, attrs ...stun.RawAttribute) *stun.Message {
	t.Helper()
	set := []stun.Setter{stun.TransactionID, stun.NewType(method, stun.ClassRequest)}
	for _, a := range attrs {
		set = append(set, a)
	}
	if r.nonce != "" {
		set = append(set, stun.NewUsername(r.creds.Username), stun.NewRealm(realm), stun.NewNonce(r.nonce),
			stun.NewLongTermIntegrity(r.creds.Username, realm, r.creds.Credential))
	}
	m, err := stun.Build(set...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.conn.Write(m.Raw); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 2000)
	r.conn.SetReadDeadline(time.Now().Add(patience))
	n, err := r.conn.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	answer := &stun.Message{Raw: b[:n]}
	if err := answer.Decode(); err != nil {
		t.Fatal(err)
	}
	return answer
}

// allocate allocates for the lifetime, or the relay's own if it is 0.
func (r *raw) allocate(t *testing.T, lifetime time.Duration) {
	t.Helper()
	attrs := []stun.RawAttribute{overUDP}
	if lifetime > 0 {
		attrs = append(attrs, lifetimeAttr(lifetime))
	}
	var nonce stun.Nonce
	if err := nonce.GetFrom(r.ask(t, stun.MethodAllocate, attrs...)); err != nil {
		t.Fatal(err)
	}
	r.nonce = nonce.String()
	if a := r.ask(t, stun.MethodAllocate, attrs...); a.Type.Class != stun.ClassSuccessResponse {
		t.Fatalf("allocate: %v", a)
	}
}

// What is for RTP alone is refused: an even port, and its odd neighbour.
func TestNoPortsOfChoice(t *testing.T) {
	s := serve(t, standard)
	for name, a := range map[string]stun.RawAttribute{
		"even":        {Type: stun.AttrEvenPort, Value: []byte{0x80}},
		"reservation": {Type: stun.AttrReservationToken, Value: []byte("12345678")},
	} {
		r := newRaw(t, s, s.Credentials(name, time.Now()))
		var nonce stun.Nonce
		if err := nonce.GetFrom(r.ask(t, stun.MethodAllocate, overUDP)); err != nil {
			t.Fatal(err)
		}
		r.nonce = nonce.String()
		if got := r.ask(t, stun.MethodAllocate, overUDP, a); got.Type.Class != stun.ClassErrorResponse {
			t.Errorf("%s: %v", name, got)
		}
	}
	if s.Stats().Live != 0 {
		t.Error("something was allocated")
	}
}
