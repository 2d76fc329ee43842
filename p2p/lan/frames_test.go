//go:build !js

package lan

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/cleavegame/cleave/p2p"
)

func TestMessages(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want string
		err  error
	}{
		{"\x00\x01a", "a", nil},
		{"\x00\x05hello, and more", "hello", nil},
		{"", "", io.EOF},
		{"\x00", "", io.ErrUnexpectedEOF},
		{"\x00\x02", "", io.EOF},
		{"\x00\x02a", "", io.ErrUnexpectedEOF},
		{"\x00\x00", "", errFrame},
		{"\x10\x01", "", errFrame},
		{"\xff\xff", "", errFrame},
	} {
		got, err := readMessage(bufio.NewReader(bytes.NewBufferString(tt.in)), p2p.MaxFrame)
		if string(got) != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%q: %q, %v; want %q, %v", tt.in, got, err, tt.want, tt.err)
		}
	}
}

// FuzzMessages reads a stream as a Conn does, and what it begins with as a
// host does.
func FuzzMessages(f *testing.F) {
	f.Add([]byte("\x00\x01a\x00\x02bc"))
	f.Add([]byte("\x10\x01"))
	f.Add(appendMessage(nil, appendApproach(nil, wantJoin, [32]byte{1})))
	f.Add(appendMessage(nil, append(appendApproach(nil, wantResume, [32]byte{1}), "later"...)))
	f.Fuzz(func(t *testing.T, stream []byte) {
		in := bufio.NewReaderSize(bytes.NewReader(stream), 2+p2p.MaxFrame)
		var back []byte
		for {
			message, err := readMessage(in, p2p.MaxFrame)
			if err != nil {
				break
			}
			if len(message) == 0 || len(message) > p2p.MaxFrame {
				t.Fatalf("a frame of %d bytes", len(message))
			}
			if want, key, err := parseApproach(message); err == nil {
				if again := appendApproach(nil, want, key); !bytes.HasPrefix(message, again) {
					t.Fatalf("approach %x comes back as %x", message, again)
				}
			}
			back = appendMessage(back, message)
		}
		if !bytes.HasPrefix(stream, back) {
			t.Fatal("the frames are not what the stream says")
		}
	})
}
