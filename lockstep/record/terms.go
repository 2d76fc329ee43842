package record

import "github.com/cleavegame/cleave/engine"

// Protocol is the version of the protocol that terms of today carry.
//
//	1  the first
const Protocol = 1

// MaxObject is the largest object in bytes that travels in one frame: terms,
// a ticket, a signed entry, a seal, a proof of fraud.
const MaxObject = 4096

// An ID names a match or a run: the hash of its terms.
type ID [32]byte

// A Head is the hash of a chain up to some entry.
type Head [32]byte

// Limits are the times for the decisions of a match, in ms. 0 means no limit:
// then that decision can never be flagged. RevealMs is when a reveal is
// overdue; no flag stands for it.
type Limits struct{ SplitMs, ChooseMs, PlaceMs, RevealMs uint32 }

// The published limits. A rated match has the standard ones, a friendly one
// any of the three.
var (
	StandardLimits = Limits{SplitMs: 12_000, ChooseMs: 6_000, PlaceMs: 10_000, RevealMs: 3_000}
	DoubleLimits   = Limits{SplitMs: 24_000, ChooseMs: 12_000, PlaceMs: 20_000, RevealMs: 3_000}
	NoLimits       = Limits{RevealMs: 3_000}
)

// For is the limit in ms for an entry of the kind, 0 for none.
func (l Limits) For(kind engine.Kind) uint32 {
	switch kind {
	case engine.Split:
		return l.SplitMs
	case engine.Choose:
		return l.ChooseMs
	case engine.Place:
		return l.PlaceMs
	case engine.Reveal:
		return l.RevealMs
	}
	return 0
}

// Terms are what two players agree on before a match. The match is named by
// their hash. The host has seat 0.
type Terms struct {
	Version uint16      // of the protocol, see Protocol
	Rules   string      // of the ruleset, such as "duel/1"
	Params  []byte      // the ruleset's own, at most 255 bytes
	Keys    [2]Key      // the players, by seat
	Anchors [2][32]byte // the ends of their chances
	Nonces  [2][16]byte // fresh for each terms
	Limits  Limits
	Rated   bool
	Server  Key       // the ranking server, when rated
	Tickets [2]Ticket // by seat, when rated
}

// Append appends the canonical encoding to b. Server and Tickets of terms
// that are not rated are left out. It panics on a ruleset's name or
// parameters of more than 255 bytes.
func (t Terms) Append(b []byte) []byte { panic("record: being written") }

// ParseTerms reads the bytes of one terms, whole. What it returns is well
// formed, no more: see Check.
func ParseTerms(b []byte) (Terms, error) { panic("record: being written") }

// ID is the match id: SHA-256("cleave/match/1" || encoding).
func (t Terms) ID() ID { panic("record: being written") }

// Check refuses terms that an honest player does not sign, whatever the time
// is: an unknown version, ruleset or parameter, equal keys, anchors or
// nonces, limits that are not published (rated: not the standard ones), and
// tickets that are missing, foreign or the same. The signatures and times of
// tickets are left to CheckTickets. The error is or wraps a Reason.
func (t Terms) Check(games Games) error { panic("record: being written") }

// CheckTickets refuses a rated terms when a ticket's signature does not hold
// or it has less than a day to run at now (Unix seconds). Friendly terms
// have none to check.
func (t Terms) CheckTickets(now int64) error { panic("record: being written") }

// Sign signs the terms: the signature of "cleave/terms/1" || match id.
func (t Terms) Sign(sign Signer) Signature { panic("record: being written") }

// CheckSignature is ErrTermsSignature unless the seat signed the terms.
func (t Terms) CheckSignature(seat int, sig Signature) error { panic("record: being written") }

// Seat is the seat of the key, engine.Nobody if it has none.
func (t Terms) Seat(k Key) int {
	switch k {
	case t.Keys[0]:
		return 0
	case t.Keys[1]:
		return 1
	}
	return engine.Nobody
}

// Games is the rulesets by the name that terms carry (engine.Game.Rules).
type Games map[string]engine.Game
