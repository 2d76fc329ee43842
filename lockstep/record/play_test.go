package record

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// games is what the tests are played by.
var games = Games{duel.Rules: duel.Game{}, toyRules: toy{}}

// A signer is a fixed key for tests: the seed is 32 times its letter.
type signer struct {
	key  Key
	priv ed25519.PrivateKey
}

func newSigner(letter byte) signer {
	var seed [32]byte
	for i := range seed {
		seed[i] = letter
	}
	priv := ed25519.NewKeyFromSeed(seed[:])
	return signer{key: Key(priv.Public().(ed25519.PublicKey)), priv: priv}
}

func (s signer) sign(message []byte) Signature { return Signature(ed25519.Sign(s.priv, message)) }

var (
	host   = newSigner('a')
	guest  = newSigner('b')
	server = newSigner('s')
	both   = [2]signer{host, guest}
)

// issued is when tickets of the tests were issued, in Unix seconds.
const issued = 1_700_000_000

// chances are the secrets of both seats in match number n.
func chances(n uint64) (c [2]Chance) {
	for seat := range 2 {
		secret := sha256.Sum256(binary.BigEndian.AppendUint64([]byte{byte(seat)}, n))
		c[seat] = NewChance(secret, duel.Rounds)
	}
	return c
}

// friendly are the terms of friendly match number n.
func friendly(n uint64) Terms {
	c := chances(n)
	t := Terms{
		Version: Protocol,
		Rules:   duel.Rules,
		Keys:    [2]Key{host.key, guest.key},
		Anchors: [2][32]byte{c[0].Anchor(), c[1].Anchor()},
		Nonces:  [2][16]byte{{1}, {2}},
		Limits:  StandardLimits,
	}
	binary.BigEndian.PutUint64(t.Nonces[0][8:], n)
	return t
}

// rated are the terms of rated match number n.
func rated(n uint64) Terms {
	t := friendly(n)
	t.Rated = true
	t.Server = server.key
	for seat := range 2 {
		t.Tickets[seat] = IssueTicket(t.Keys[seat], server.key, [16]byte{byte(seat), 7: byte(n)}, issued, issued+TicketLife, server.sign)
	}
	return t
}

func signTerms(t Terms) [2]Signature {
	return [2]Signature{t.Sign(host.sign), t.Sign(guest.sign)}
}

// begin starts one side of a match.
func begin(tb testing.TB, t Terms) *Match {
	tb.Helper()
	m, err := Begin(t, signTerms(t), games)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// A dice is a small generator of its own, so that the matches of the tests
// stay the same for ever.
type dice uint64

func (d *dice) next(n int) int {
	*d = *d*6364136223846793005 + 1442695040888963407
	return int(uint64(*d)>>33) % n
}

// decide is a legal move of the seat that owes one, with a flag now and then.
func decide(s duel.State, c [2]Chance, reveals int, d *dice) engine.Move {
	seat := s.Owes()
	m := engine.Move{Seat: uint8(seat), Kind: s.Awaits()}
	if m.Kind != engine.Reveal && d.next(16) == 0 {
		m.Kind = engine.Flag
		return m
	}
	switch m.Kind {
	case engine.Reveal:
		m.Layer = c[seat].Layer(reveals + 1)
	case engine.Split:
		splits, n := s.Block().Splits()
		m.Data = uint64(splits[d.next(n)])
	case engine.Choose:
		m.Data = uint64(d.next(2))
	case engine.Place:
		turns := s.Piece(seat).Turns()
		spots := turns.AppendPlacements(nil, s.Board(seat), duel.Size)
		m.Data = uint64(spots[d.next(len(spots))])
	}
	return m
}

// next is the next entry of match number n, signed by its author.
func next(tb testing.TB, m *Match, n uint64, d *dice) SignedEntry {
	tb.Helper()
	s := m.Position().(duel.State)
	move := decide(s, chances(n), m.Reveals(s.Owes()), d)
	e, err := m.Sign(move, uint32(d.next(12_000)), uint16(d.next(500)), both[move.Seat].sign)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// playOn plays until the match has so many entries, or to its end.
func playOn(tb testing.TB, m *Match, n uint64, entries int) {
	tb.Helper()
	d := dice(n)
	for !m.Over() && m.Len() < entries {
		if err := m.Apply(next(tb, m, n, &d)); err != nil {
			tb.Fatal(err)
		}
	}
}

// whole is match number n, played to the end and sealed.
func whole(tb testing.TB, t Terms, n uint64) *Match {
	tb.Helper()
	m := begin(tb, t)
	playOn(tb, m, n, 1000)
	s, err := m.SignSeal(both[m.SealOwner()].sign)
	if err != nil {
		tb.Fatal(err)
	}
	if err := m.ApplySeal(s); err != nil {
		tb.Fatal(err)
	}
	return m
}

// sign is any statement of a seat, true or not.
func (m *Match) forge(seat int, index uint32, prev Head, e Entry) SignedEntry {
	s := SignedEntry{Match: m.id, Index: index, Prev: prev, Entry: e}
	s.Sig = both[seat].sign(signed(entryDomain, m.id, index, s.Head()))
	return s
}

func mustSign(tb testing.TB, m *Match, move engine.Move) SignedEntry {
	tb.Helper()
	e, err := m.Sign(move, 1, 2, both[move.Seat].sign)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func resignation(seat int) engine.Move { return engine.Move{Seat: uint8(seat), Kind: engine.Resign} }

// reasonOf is the Reason that err is or wraps, 0 if it has none.
func reasonOf(err error) Reason {
	r, _ := errors.AsType[Reason](err)
	return r
}
