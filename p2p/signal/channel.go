package signal

import (
	"bytes"
	"context"
	"crypto/cipher"
	"encoding/binary"
	"errors"

	"golang.org/x/crypto/chacha20poly1305"
)

const sealOverhead = chacha20poly1305.Overhead

// sealer is one direction of a channel: a key of its own, and a nonce that
// counts messages, so that none can be repeated, dropped or moved.
type sealer struct {
	aead cipher.AEAD
	next uint64
}

func newSealer(key []byte) sealer {
	aead, err := chacha20poly1305.New(key)
	if err != nil {
		panic("signal: " + err.Error())
	}
	return sealer{aead: aead}
}

func (s *sealer) nonce() []byte {
	var n [chacha20poly1305.NonceSize]byte
	binary.BigEndian.PutUint64(n[4:], s.next)
	s.next++
	return n[:]
}

func (s *sealer) append(b []byte, kind byte, plain []byte) []byte {
	return s.aead.Seal(b, s.nonce(), plain, []byte{kind})
}

func (s *sealer) open(kind byte, sealed []byte) ([]byte, error) {
	plain, err := s.aead.Open(nil, s.nonce(), sealed, []byte{kind})
	if err != nil {
		return nil, errors.New("signal: sealed message does not open")
	}
	return plain, nil
}

// A Channel is a sealed channel to a peer that has proved its player key. Its
// methods may be called from several goroutines at once. It needs no closing:
// the Messages under it do.
type Channel struct {
	m       Messages
	role    Role
	version uint16
	peer    [32]byte
	binding []byte
	session [32]byte
	// Whoever holds the token may use the sealer of that direction; a channel
	// and not a mutex, so that waiting for it ends with the context.
	sending, receiving chan struct{}
	seal, open         sealer
	broken             error // of the receiving direction, guarded by it
}

// Role is the own role.
func (c *Channel) Role() Role { return c.role }

// Version is the protocol version that both sides settled on.
func (c *Channel) Version() uint16 { return c.version }

// Peer is the player key that the other side has proved.
func (c *Channel) Peer() [32]byte { return c.peer }

// PeerBinding is the other side's Binding, signed by Peer: the connection
// that is opened now must have it at its other end.
func (c *Channel) PeerBinding() []byte { return bytes.Clone(c.binding) }

// Session is the secret that both sides made, fresh for this pairing.
func (c *Channel) Session() [32]byte { return c.session }

// Send seals message, of 1 to MaxSealed bytes, and sends it.
func (c *Channel) Send(ctx context.Context, message []byte) error {
	if len(message) == 0 || len(message) > MaxSealed {
		return errors.New("signal: message must be of 1 to 16367 bytes")
	}
	select {
	case c.sending <- struct{}{}:
		defer func() { <-c.sending }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return c.m.Send(ctx, c.seal.append([]byte{kindSealed}, kindSealed, message))
}

// Receive returns the next message. A message that does not open is a
// ProtocolError, now and ever after; the other errors are those of Messages.
func (c *Channel) Receive(ctx context.Context) ([]byte, error) {
	select {
	case c.receiving <- struct{}{}:
		defer func() { <-c.receiving }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c.broken != nil {
		return nil, c.broken
	}
	sealed, err := c.m.Receive(ctx)
	if err != nil {
		return nil, err
	}
	if len(sealed) <= 1+sealOverhead || len(sealed) > MaxMessage || sealed[0] != kindSealed {
		c.broken = ProtocolError
		return nil, c.broken
	}
	plain, err := c.open.open(kindSealed, sealed[1:])
	if err != nil {
		c.broken = ProtocolError
		return nil, c.broken
	}
	return plain, nil
}
