package record

import "encoding/binary"

// A reader takes fields off the front of bytes from outside. The first thing
// that does not fit stays in err, and all later reads give zeros.
type reader struct {
	b   []byte
	err error
}

// read begins on b, refusing it outright when it has more than limit bytes.
func read(b []byte, limit int) reader {
	if len(b) > limit {
		return reader{err: ErrTooLarge}
	}
	return reader{b: b}
}

func (r *reader) refuse(err error) {
	if r.err == nil {
		r.err = err
	}
}

// take returns the next n bytes, nil when there are fewer or something was
// refused before.
func (r *reader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > len(r.b) {
		r.err = ErrShort
		return nil
	}
	t := r.b[:n:n]
	r.b = r.b[n:]
	return t
}

func (r *reader) byte() byte {
	if t := r.take(1); t != nil {
		return t[0]
	}
	return 0
}

func (r *reader) uint16() uint16 {
	if t := r.take(2); t != nil {
		return binary.BigEndian.Uint16(t)
	}
	return 0
}

func (r *reader) uint32() uint32 {
	if t := r.take(4); t != nil {
		return binary.BigEndian.Uint32(t)
	}
	return 0
}

func (r *reader) uint64() uint64 {
	if t := r.take(8); t != nil {
		return binary.BigEndian.Uint64(t)
	}
	return 0
}

func (r *reader) hash() (h [32]byte) {
	copy(h[:], r.take(len(h)))
	return h
}

func (r *reader) nonce() (n [16]byte) {
	copy(n[:], r.take(len(n)))
	return n
}

func (r *reader) signature() (s Signature) {
	copy(s[:], r.take(len(s)))
	return s
}

func (r *reader) key() Key {
	t := r.take(len(Key{}))
	if t == nil {
		return Key{}
	}
	k, err := ParseKey(t)
	if err != nil {
		r.refuse(err)
	}
	return k
}

// end returns what was refused, ErrTrailing when bytes are left.
func (r *reader) end() error {
	if r.err == nil && len(r.b) != 0 {
		r.err = ErrTrailing
	}
	return r.err
}
