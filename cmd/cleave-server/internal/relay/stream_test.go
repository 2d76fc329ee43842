package relay

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
	"testing/iotest"
	"time"

	"bufio"
)

// streamOf reads what r gives as a TCP client's bytes.
func streamOf(r io.Reader) *stream {
	return &stream{Conn: deaf{}, reader: bufio.NewReaderSize(r, 2*packetSize), idle: time.Minute}
}

// deaf is a net.Conn that a test only reads past.
type deaf struct{ net.Conn }

func (deaf) SetReadDeadline(time.Time) error { return nil }

func stunFrame(n int) []byte {
	f := make([]byte, 20+n)
	f[1], f[2], f[3] = 1, byte(n>>8), byte(n)
	return f
}

func dataFrame(n int) []byte {
	f := make([]byte, 4+(n+3)&^3)
	f[0], f[2], f[3] = 0x40, byte(n>>8), byte(n)
	return f
}

// Whole frames come out, however the bytes go in.
func TestStreamFrames(t *testing.T) {
	frames := [][]byte{stunFrame(0), dataFrame(0), dataFrame(1), dataFrame(4), stunFrame(8), dataFrame(1000), stunFrame(packetSize - 20)}
	all := bytes.Join(frames, nil)
	for name, r := range map[string]io.Reader{
		"at once":      bytes.NewReader(all),
		"byte by byte": iotest.OneByteReader(bytes.NewReader(all)),
		"in halves":    iotest.HalfReader(bytes.NewReader(all)),
	} {
		s, b := streamOf(r), make([]byte, packetSize)
		for i, want := range frames {
			if n, err := s.Read(b); err != nil || n != len(want) {
				t.Errorf("%s: frame %d: %d bytes, %v; want %d", name, i, n, err, len(want))
			}
		}
		if _, err := s.Read(b); err != io.EOF {
			t.Errorf("%s: at the end: %v", name, err)
		}
	}
}

func TestStreamRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		in   []byte
		want error
	}{
		"TLS":              {[]byte{0x80, 0, 0, 4, 0, 0, 0, 0}, errFrame},
		"HTTP is no frame": {[]byte("GET / HTTP/1.1\r\n\r\n"), errFrame},
		"too large":        {stunFrame(packetSize - 16), errFrame},
		"data too large":   {dataFrame(packetSize), errFrame},
		"odd length":       {[]byte{0, 1, 0, 3, 0, 0, 0}, errFrame},
		"cut":              {stunFrame(8)[:10], io.ErrUnexpectedEOF},
		"cut in the head":  {stunFrame(8)[:3], io.EOF},
	} {
		if n, err := streamOf(bytes.NewReader(tt.in)).Read(make([]byte, packetSize)); !errors.Is(err, tt.want) {
			t.Errorf("%s: %d bytes, %v; want %v", name, n, err, tt.want)
		}
	}
}

func FuzzStream(f *testing.F) {
	f.Add(stunFrame(8))
	f.Add(dataFrame(5))
	f.Fuzz(func(t *testing.T, in []byte) {
		s, b, total := streamOf(bytes.NewReader(in)), make([]byte, packetSize), 0
		for {
			n, err := s.Read(b)
			if err != nil {
				return
			}
			if n < 4 || !bytes.Equal(b[:n], in[total:total+n]) {
				t.Fatalf("frame of %d bytes at %d", n, total)
			}
			total += n
		}
	})
}

// Garbage closes the connection, and a crowd from one address is turned away.
func TestStreamLimits(t *testing.T) {
	l := standard
	l.streamsPer = 3
	s := serve(t, l)
	dial := func() net.Conn {
		c, err := net.Dial("tcp4", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		c.SetReadDeadline(time.Now().Add(patience))
		return c
	}
	hungUp := func(c net.Conn) bool {
		_, err := c.Read(make([]byte, 1))
		return err != nil && !errors.Is(err, net.ErrClosed) && !isTimeout(err)
	}
	var held []net.Conn
	for range 3 {
		held = append(held, dial())
	}
	until(t, "three are in", func() bool { return s.Stats().Streams == 3 })
	if !hungUp(dial()) {
		t.Error("a fourth is let in")
	}
	held[0].Write([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
	if !hungUp(held[0]) {
		t.Error("garbage is not hung up on")
	}
	until(t, "one has gone", func() bool { return s.Stats().Streams == 2 })
	dial()
	until(t, "its place is taken", func() bool { return s.Stats().Streams == 3 })
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

func TestSilentStreamIsClosed(t *testing.T) {
	l := standard
	l.lifetime = 200 * time.Millisecond
	s := serve(t, l)
	c, err := net.Dial("tcp4", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetReadDeadline(time.Now().Add(patience))
	if _, err := c.Read(make([]byte, 1)); err == nil || isTimeout(err) {
		t.Errorf("still open: %v", err)
	}
	until(t, "it has gone", func() bool { return s.Stats().Streams == 0 })
}
