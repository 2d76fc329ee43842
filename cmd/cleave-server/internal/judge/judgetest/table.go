// Package judgetest plays matches for the tests of the server: whole ones, cut
// ones, resigned ones, and ones whose players cheat.
package judgetest

import (
	"crypto/ed25519"
	"crypto/sha256"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A Signer is a key pair: a player, or a server.
type Signer struct {
	Key     record.Key
	private ed25519.PrivateKey
}

// NewSigner makes the key pair of a name, always the same.
func NewSigner(name string) Signer {
	seed := sha256.Sum256([]byte(name))
	return FromSeed(seed[:])
}

// FromSeed makes the key pair of a seed of 32 bytes, such as a server keeps.
func FromSeed(seed []byte) Signer {
	private := ed25519.NewKeyFromSeed(seed)
	return Signer{Key: record.Key(private.Public().(ed25519.PublicKey)), private: private}
}

// Sign signs a message.
func (s Signer) Sign(message []byte) record.Signature {
	return record.Signature(ed25519.Sign(s.private, message))
}

// A Table is a match being played.
type Table struct {
	Players [2]Signer
	Terms   record.Terms
	Sigs    [2]record.Signature
	Match   *record.Match
	// Wait is what the next entries say that their authors waited, in ms.
	Wait    uint16
	chances [2]record.Chance
	bots    [2]*bot.Player
}

// Ticket issues a ticket for a week from issued (Unix seconds), as a server
// does.
func Ticket(server, player Signer, serial string, issued int64) record.Ticket {
	hash := sha256.Sum256([]byte(serial))
	return record.IssueTicket(player.Key, server.Key, [16]byte(hash[:16]), issued, issued+record.TicketLife, server.Sign)
}

// RatedTerms are terms that nothing is wrong with, named so that each name
// gives others.
func RatedTerms(server Signer, a, b Signer, tickets [2]record.Ticket, name string) (record.Terms, [2]record.Chance) {
	t := record.Terms{Version: record.Protocol, Rules: duel.Rules, Keys: [2]record.Key{a.Key, b.Key}, Limits: record.StandardLimits,
		Rated: true, Server: server.Key, Tickets: tickets}
	var chances [2]record.Chance
	for seat := range 2 {
		hash := sha256.Sum256(append([]byte{byte(seat)}, name...))
		chances[seat] = record.NewChance(hash, duel.Rounds)
		t.Anchors[seat] = chances[seat].Anchor()
		copy(t.Nonces[seat][:], hash[16:])
	}
	return t, chances
}

// Sit begins a rated match between two players, with tickets of the server
// issued at that time (Unix seconds). Each name is another match.
func Sit(server, a, b Signer, issued int64, name string) *Table {
	t, chances := RatedTerms(server, a, b, [2]record.Ticket{Ticket(server, a, name+" 0", issued), Ticket(server, b, name+" 1", issued)}, name)
	return Begin(a, b, t, chances)
}

// Begin signs the terms and begins.
func Begin(a, b Signer, t record.Terms, chances [2]record.Chance) *Table {
	table := &Table{Players: [2]Signer{a, b}, Terms: t, chances: chances, Wait: 1000}
	for seat, p := range table.Players {
		table.Sigs[seat] = t.Sign(p.Sign)
		table.bots[seat] = bot.New(bot.Beginner, uint64(seat+1))
	}
	var err error
	if table.Match, err = record.Begin(t, table.Sigs, games.All()); err != nil {
		panic("judgetest: " + err.Error())
	}
	return table
}

// Next is the move that the seat which owes one makes.
func (t *Table) Next() engine.Move {
	s := t.Match.Position().(duel.State)
	seat := s.Owes()
	if s.Awaits() == engine.Reveal {
		return engine.Move{Seat: uint8(seat), Kind: engine.Reveal, Layer: t.chances[seat].Layer(t.Match.Reveals(seat) + 1)}
	}
	return t.bots[seat].Decide(s, seat)
}

// Add makes and signs the move's entry.
func (t *Table) Add(m engine.Move) *Table {
	e, err := t.Match.Sign(m, 900, t.Wait, t.Players[m.Seat].Sign)
	if err == nil {
		err = t.Match.Apply(e)
	}
	if err != nil {
		panic("judgetest: " + err.Error())
	}
	return t
}

// Play plays until there are n entries, or to the end.
func (t *Table) Play(n int) *Table {
	for t.Match.Len() < n && !t.Match.Over() {
		t.Add(t.Next())
	}
	return t
}

// PlayOut plays to the end, without the seal.
func (t *Table) PlayOut() *Table { return t.Play(1 << 20) }

// Flag lets the time of who is to decide run out, and plays reveals, until
// there are n entries or the match is over.
func (t *Table) Flag(n int) *Table {
	for t.Match.Len() < n && !t.Match.Over() {
		m := t.Next()
		if m.Kind != engine.Reveal {
			m = engine.Move{Seat: m.Seat, Kind: engine.Flag}
		}
		t.Add(m)
	}
	return t
}

// Resign has a seat give up now.
func (t *Table) Resign(seat int) *Table {
	return t.Add(engine.Move{Seat: uint8(seat), Kind: engine.Resign})
}

// Seal adds the seal.
func (t *Table) Seal() *Table {
	s, err := t.Match.SignSeal(t.Players[t.Match.SealOwner()].Sign)
	if err == nil {
		err = t.Match.ApplySeal(s)
	}
	if err != nil {
		panic("judgetest: " + err.Error())
	}
	return t
}

// Fork is another table with the first n entries of this match, on which it
// can go on in another way.
func (t *Table) Fork(n int) *Table {
	fork := *t
	var err error
	if fork.Match, err = record.Begin(t.Terms, t.Sigs, games.All()); err != nil {
		panic("judgetest: " + err.Error())
	}
	for i := 1; i <= n; i++ {
		if err := fork.Match.Apply(t.Match.EntryAt(i)); err != nil {
			panic("judgetest: " + err.Error())
		}
	}
	fork.bots = [2]*bot.Player{bot.New(bot.Beginner, 101), bot.New(bot.Beginner, 102)}
	return &fork
}

// Log is the .cleave file so far.
func (t *Table) Log() []byte { return t.Match.Log().Append(nil) }
