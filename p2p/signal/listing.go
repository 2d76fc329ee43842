package signal

import (
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"unicode"
	"unicode/utf8"
)

// MaxName is the largest name of a player or a room, in bytes of UTF-8.
const MaxName = 60

// maxListing is the largest encoded listing in bytes.
const maxListing = listingFixed + 2*MaxName + ed25519.SignatureSize

// States of a listed room.
const (
	RoomStateOpen    = "open"
	RoomStateLocked  = "locked"
	RoomStateFull    = "full"
	RoomStatePlaying = "playing"
)

// The values of a listing's fields, by their number on the wire.
var (
	listingStates = [...]string{RoomStateOpen, RoomStateLocked, RoomStateFull, RoomStatePlaying}
	listingClocks = [...]string{"standard", "double", "off"}
)

// A Listing is what a host shows of its room to whoever asks the server. Its
// player code is that of Key.
type Listing struct {
	// Instance is the room's address at the server, which drew it.
	Instance Mailbox
	Key      [32]byte
	Player   string // display name, at most MaxName bytes
	Name     string // of the room, at most MaxName bytes
	State    string // RoomStateOpen, …
	Clocks   string // "standard", "double" or "off"
	Rated    bool
	Version  uint16 // newest protocol version of the host
}

const (
	listingFormat = 1
	listingDomain = "cleave/listing/1"
	listingFixed  = 1 + 16 + 32 + 1 + 1 + 1 + 2 + 1 + 1
)

// Append appends the listing with the host's signature.
func (l Listing) Append(b []byte, sign func(message []byte) [64]byte) ([]byte, error) {
	body, err := l.body()
	if err != nil {
		return b, err
	}
	sig := sign(append([]byte(listingDomain), body...))
	return append(append(b, body...), sig[:]...), nil
}

func (l Listing) body() ([]byte, error) {
	state, clocks := numberOf(listingStates[:], l.State), numberOf(listingClocks[:], l.Clocks)
	if state < 0 || clocks < 0 {
		return nil, errListing
	}
	if !ValidName(l.Player) || !ValidName(l.Name) {
		return nil, errors.New("signal: a name must be at most 60 bytes of UTF-8 without control characters")
	}
	b := append([]byte{listingFormat}, l.Instance[:]...)
	b = append(b, l.Key[:]...)
	b = append(b, byte(state), byte(clocks), 0)
	if l.Rated {
		b[len(b)-1] = 1
	}
	b = binary.BigEndian.AppendUint16(b, l.Version)
	b = append(b, byte(len(l.Player)))
	b = append(b, l.Player...)
	b = append(b, byte(len(l.Name)))
	return append(b, l.Name...), nil
}

func numberOf(list []string, s string) int {
	for i, v := range list {
		if v == s {
			return i
		}
	}
	return -1
}

// ValidName reports whether a listing may carry the name: at most MaxName
// bytes of UTF-8, nothing in it that would draw elsewhere than in its line.
func ValidName(s string) bool {
	if len(s) > MaxName || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		// Format characters (Cf) include the overrides of direction, with
		// which a name could rearrange the text around it; the joiner is
		// needed by emoji and by several scripts.
		if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) ||
			unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c' {
			return false
		}
	}
	return true
}

var errListing = errors.New("signal: malformed listing")

// ParseListing reads a listing and checks the signature in it. The listing is
// the word of whoever holds its Key, and that is all it is.
func ParseListing(b []byte) (Listing, error) {
	var l Listing
	if len(b) < listingFixed+ed25519.SignatureSize || len(b) > maxListing || b[0] != listingFormat {
		return Listing{}, errListing
	}
	body, sig := b[:len(b)-ed25519.SignatureSize], b[len(b)-ed25519.SignatureSize:]
	rest := body[1:]
	l.Instance, rest = Mailbox(rest), rest[16:]
	l.Key, rest = [32]byte(rest), rest[32:]
	if int(rest[0]) >= len(listingStates) || int(rest[1]) >= len(listingClocks) || rest[2] > 1 {
		return Listing{}, errListing
	}
	l.State, l.Clocks, l.Rated = listingStates[rest[0]], listingClocks[rest[1]], rest[2] == 1
	l.Version, rest = binary.BigEndian.Uint16(rest[3:]), rest[5:]
	var ok [2]bool
	l.Player, rest, ok[0] = cutName(rest)
	l.Name, rest, ok[1] = cutName(rest)
	if !ok[0] || !ok[1] || len(rest) != 0 {
		return Listing{}, errListing
	}
	if err := checkKey(l.Key); err != nil {
		return Listing{}, err
	}
	if !ed25519.Verify(l.Key[:], append([]byte(listingDomain), body...), sig) {
		return Listing{}, errors.New("signal: the signature of the listing does not hold")
	}
	return l, nil
}

func cutName(b []byte) (name string, rest []byte, ok bool) {
	if len(b) == 0 || len(b) < 1+int(b[0]) {
		return "", nil, false
	}
	name, rest = string(b[1:1+b[0]]), b[1+b[0]:]
	return name, rest, ValidName(name)
}
