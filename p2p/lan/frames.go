//go:build !js

package lan

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"time"

	"github.com/libp2p/go-libp2p/core/network"

	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/signal"
)

var errFrame = errors.New("lan: message of a forbidden length")

func appendMessage(b, message []byte) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(len(message)))
	return append(b, message...)
}

// readMessage reads one message of 1 to limit bytes into memory of its own.
func readMessage(r *bufio.Reader, limit int) ([]byte, error) {
	head, err := r.Peek(2)
	if err != nil {
		if errors.Is(err, io.EOF) && len(head) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	n := int(binary.BigEndian.Uint16(head))
	if n == 0 || n > limit {
		return nil, errFrame
	}
	r.Discard(2)
	message := make([]byte, n)
	if _, err := io.ReadFull(r, message); err != nil {
		return nil, err
	}
	return message, nil
}

// A pipe is the stream while the pairing uses it: signal.Messages. After an
// error it is of no further use.
type pipe struct {
	stream network.MuxedStream
	in     *bufio.Reader
}

func newPipe(s network.MuxedStream) *pipe {
	return &pipe{stream: s, in: bufio.NewReaderSize(s, 2+p2p.MaxFrame)}
}

var _ signal.Messages = (*pipe)(nil)

func (p *pipe) Send(ctx context.Context, message []byte) error {
	if len(message) == 0 || len(message) > signal.MaxMessage {
		return errFrame
	}
	stop := p.bound(ctx, p.stream.SetWriteDeadline)
	defer stop()
	if _, err := p.stream.Write(appendMessage(nil, message)); err != nil {
		return ended(ctx, err)
	}
	return nil
}

func (p *pipe) Receive(ctx context.Context) ([]byte, error) {
	stop := p.bound(ctx, p.stream.SetReadDeadline)
	defer stop()
	message, err := readMessage(p.in, signal.MaxMessage)
	if errors.Is(err, errFrame) {
		return nil, signal.ProtocolError
	}
	if err != nil {
		return nil, ended(ctx, err)
	}
	return message, nil
}

// bound makes a call on the stream end when ctx does. The deadline that stop
// takes away again cannot be a late one: after that ctx has ended, and the
// pipe with it.
func (p *pipe) bound(ctx context.Context, set func(time.Time) error) (stop func()) {
	off := context.AfterFunc(ctx, func() { set(time.Unix(1, 0)) })
	return func() {
		if off() {
			set(time.Time{})
		}
	}
}

func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
