package signal

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"syscall/js"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/nodetest"
)

func dialled(t *testing.T, path string) *Socket {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := dialSocket(ctx, nodetest.URL(t)+path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return s
}

func TestInNodeMessages(t *testing.T) {
	s := dialled(t, "/echo")
	defer s.Close(0)
	for _, m := range []message{{[]byte("grüße"), true}, {[]byte{0, 0xff, 0}, false}, {nil, false}, {[]byte{}, true}, {make([]byte, MaxRelayed), false}} {
		if err := s.Write(m.data, m.text); err != nil {
			t.Fatal(err)
		}
		data, text, err := s.Read(t.Context())
		if err != nil || text != m.text || !bytes.Equal(data, m.data) {
			t.Errorf("%d bytes (text: %v) come back as %d (%v), %v", len(m.data), m.text, len(data), text, err)
		}
	}
}

// TestInNodeTheEndComesAfterTheRest: what a server says before it closes a
// socket is read, in order, and then the reason.
func TestInNodeTheEndComesAfterTheRest(t *testing.T) {
	s := dialled(t, "/burst")
	<-s.closed
	for i := range uint32(burst) {
		data, _, err := s.Read(t.Context())
		if err != nil || len(data) != 4 || binary.BigEndian.Uint32(data) != i {
			t.Fatalf("message %d: %x %v", i, data, err)
		}
	}
	for range 2 {
		if _, _, err := s.Read(t.Context()); !errors.Is(err, SlowDown) {
			t.Errorf("the end: %v", err)
		}
	}
	if err := s.Write([]byte("x"), true); err == nil {
		t.Error("a closed socket is written to")
	}
	s.Close(0)
	s.Drop()
}

func TestInNodeAnUnknownReasonIsNone(t *testing.T) {
	_, _, err := dialled(t, "/unknown").Read(t.Context())
	if f, ok := FailureOf(err); err == nil || ok {
		t.Errorf("%v is the failure %v", err, f)
	}
}

func TestInNodeTooMuch(t *testing.T) {
	for _, path := range []string{"/full/text", "/full/binary"} {
		s := dialled(t, path)
		if data, _, err := s.Read(t.Context()); err != nil || len(data) != MaxReply {
			t.Errorf("%s: %d bytes, %v", path, len(data), err)
		}
		s.Close(0)
	}
	for _, path := range []string{"/much/text", "/much/binary", "/much/letters"} {
		s := dialled(t, path)
		if data, _, err := s.Read(t.Context()); !errors.Is(err, ProtocolError) {
			t.Errorf("%s: %d bytes, %v", path, len(data), err)
		}
	}
	// Nobody reads: not more is kept than the limit.
	s := dialled(t, "/flood")
	<-s.closed
	kept := 0
	for {
		data, _, err := s.Read(t.Context())
		if err != nil {
			if !errors.Is(err, ProtocolError) || kept > maxUnread {
				t.Errorf("%d bytes were kept, %v", kept, err)
			}
			break
		}
		kept += len(data)
	}
}

func TestInNodeWhatDoesNotOpen(t *testing.T) {
	url := nodetest.URL(t)
	ended, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	for path, ctx := range map[string]context.Context{url + "/nothing": t.Context(), "http://127.0.0.1:1": t.Context(), url + "/never": ended, "https://not a host": t.Context()} {
		if _, err := dialSocket(ctx, path); !errors.Is(err, NoServer) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestInNodeClosing(t *testing.T) {
	s := dialled(t, "/echo")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Read(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
	if _, _, err := s.Read(t.Context()); err == nil {
		t.Error("the socket is still open")
	}
	waiting := dialled(t, "/echo")
	ended := make(chan error)
	go func() { _, _, err := waiting.Read(t.Context()); ended <- err }()
	waiting.Drop()
	if err := <-ended; err == nil {
		t.Error("a dropped socket reads")
	}
	// The server is told why.
	dialled(t, "/listen").Close(RoomFull)
	if got := fetched(t, "/closed"); got != "room-full" {
		t.Errorf("the server hears %q", got)
	}
}

// fetched is the body at a path.
func fetched(t *testing.T, path string) string {
	t.Helper()
	got := make(chan string, 1)
	settle := js.FuncOf(func(_ js.Value, args []js.Value) any {
		got <- strings.TrimSpace(args[0].String())
		return nil
	})
	defer settle.Release()
	text := js.FuncOf(func(_ js.Value, args []js.Value) any { return args[0].Call("text") })
	defer text.Release()
	js.Global().Call("fetch", nodetest.URL(t)+path).Call("then", text).Call("then", settle, settle)
	select {
	case s := <-got:
		return s
	case <-time.After(time.Minute):
		t.Fatal("no answer")
		return ""
	}
}
