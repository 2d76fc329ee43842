package rendezvous

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/cleavegame/cleave/p2p/signal"
)

// Servers that answer, each in its own way, what no rendezvous server does.
func TestBadServers(t *testing.T) {
	upgraded := func(behave func(s *signal.Socket)) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s, err := signal.Accept(w, r)
			if err != nil {
				return
			}
			defer s.Drop()
			behave(s)
		})
	}
	status := func(code int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(code) })
	}
	tests := []struct {
		name    string
		raw     string // what is sent on the bare connection, instead of HTTP
		handler http.Handler
		want    signal.Failure
	}{
		{name: "garbage", raw: "\x00\x01\x02garbage\r\n\r\n\xff\xfe\r\n", want: signal.ProtocolError},
		{name: "another protocol", raw: "SSH-2.0-OpenSSH_9.2\r\n", want: signal.ProtocolError},
		{name: "hangs up", raw: "", want: signal.NoServer},
		{name: "says nothing", raw: "silence", want: signal.NoServer},
		{name: "a web page", handler: status(http.StatusOK), want: signal.ProtocolError},
		{name: "no such page", handler: status(http.StatusNotFound), want: signal.ProtocolError},
		{name: "a proxy without its server", handler: status(http.StatusBadGateway), want: signal.NoServer},
		{name: "a proxy that limits", handler: status(http.StatusTooManyRequests), want: signal.SlowDown},
		{name: "text that is no JSON", handler: upgraded(func(s *signal.Socket) { s.Write([]byte("hello"), true); untilGone(s) }), want: signal.ProtocolError},
		{name: "binary rubbish", handler: upgraded(func(s *signal.Socket) { s.Write([]byte{1, 2, 3}, false); untilGone(s) }), want: signal.ProtocolError},
		{name: "an answer without what it must hold", handler: upgraded(func(s *signal.Socket) { s.Read(context.Background()); s.Write([]byte(`{"n":1}`), true); untilGone(s) }), want: signal.ProtocolError},
		{name: "a message without end", handler: upgraded(func(s *signal.Socket) { s.Write(make([]byte, 1<<20), true); untilGone(s) }), want: signal.ProtocolError},
		{name: "a socket that says nothing", handler: upgraded(untilGone), want: signal.NoServer},
		{name: "a socket that closes", handler: upgraded(func(s *signal.Socket) { s.Close(0) }), want: signal.NoServer},
		{name: "a socket that closes with a reason", handler: upgraded(func(s *signal.Socket) { s.Close(signal.SlowDown) }), want: signal.SlowDown},
		{name: "an unknown failure", handler: upgraded(func(s *signal.Socket) {
			s.Read(context.Background())
			s.Write([]byte(`{"n":1,"failure":200}`), true)
			untilGone(s)
		}), want: signal.ProtocolError},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newListener()
				var served chan struct{}
				server := &http.Server{Handler: tt.handler}
				if tt.handler != nil {
					served = make(chan struct{})
					go func() { defer close(served); server.Serve(l) }()
				} else {
					served = make(chan struct{})
					go func() { defer close(served); serveRaw(l, tt.raw) }()
				}
				w := &world{t: t, clients: l}
				within(t, tt.name, func() {
					c, err := signal.DialHTTP(t.Context(), serverName, w.from(away))
					if err == nil {
						_, err = c.Host(t.Context())
						c.Close()
					}
					wantFailure(t, "hosting", err, tt.want)
				})
				server.Close()
				l.Close()
				<-served
			})
		})
	}
}

func serveRaw(l *listener, text string) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func(c net.Conn) {
			defer c.Close()
			if text == "silence" {
				for b := make([]byte, 512); ; {
					if _, err := c.Read(b); err != nil {
						return
					}
				}
			}
			http.ReadRequest(bufio.NewReader(c))
			c.Write([]byte(text))
		}(c)
	}
}
