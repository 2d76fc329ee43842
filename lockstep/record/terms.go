package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/cleavegame/cleave/engine"
)

// Protocol is the version of the protocol that terms of today carry.
//
//	1  the first
const Protocol = 1

// MaxObject is the largest object in bytes that travels in one frame: terms,
// a ticket, a signed entry, a seal, a proof of fraud.
const MaxObject = 4096

const (
	matchDomain = "cleave/match/1"
	termsDomain = "cleave/terms/1"

	maxRules  = 32  // bytes of a ruleset's name
	maxParams = 255 // bytes of a ruleset's parameters

	flagRated = 1 // in the flags of terms
)

// An ID names a match or a run: the hash of its terms.
type ID [32]byte

// A Head is the hash of a chain up to some entry.
type Head [32]byte

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
// that are not rated are left out. It panics on a ruleset's name of more than
// 32 bytes and on parameters of more than 255.
func (t Terms) Append(b []byte) []byte {
	var flags byte
	if t.Rated {
		flags |= flagRated
	}
	b = binary.BigEndian.AppendUint16(b, t.Version)
	b = append(b, flags)
	b = appendRules(b, t.Rules, t.Params)
	for seat := range 2 {
		b = append(b, t.Keys[seat][:]...)
		b = append(b, t.Anchors[seat][:]...)
		b = append(b, t.Nonces[seat][:]...)
	}
	b = t.Limits.append(b)
	if t.Rated {
		b = append(b, t.Server[:]...)
		b = t.Tickets[0].Append(b)
		b = t.Tickets[1].Append(b)
	}
	return b
}

// appendRules appends the name and the parameters of a ruleset, each behind
// its length in one byte.
func appendRules(b []byte, rules string, params []byte) []byte {
	if len(rules) > maxRules || len(params) > maxParams {
		panic("record: rules or parameters too long to encode")
	}
	b = append(append(b, byte(len(rules))), rules...)
	return append(append(b, byte(len(params))), params...)
}

func (r *reader) rules() (string, []byte) {
	rules := string(r.take(int(r.byte())))
	params := bytes.Clone(r.take(int(r.byte())))
	if r.err == nil && !rulesName(rules) {
		r.refuse(ErrRulesName)
	}
	return rules, params
}

// rulesName reports whether s can name a ruleset.
func rulesName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '/', c == '-', c == '.':
		default:
			return false
		}
	}
	return 0 < len(s) && len(s) <= maxRules
}

// ParseTerms reads the bytes of one terms, whole. What it returns is well
// formed, no more: see Check.
func ParseTerms(b []byte) (Terms, error) {
	r := read(b, MaxObject)
	t := r.terms()
	if err := r.end(); err != nil {
		return Terms{}, err
	}
	return t, nil
}

func (r *reader) terms() Terms {
	var t Terms
	t.Version = r.uint16()
	if r.err == nil && t.Version != Protocol {
		r.refuse(ErrProtocol)
	}
	flags := r.byte()
	if flags&^flagRated != 0 {
		r.refuse(ErrReserved)
	}
	t.Rated = flags&flagRated != 0
	t.Rules, t.Params = r.rules()
	for seat := range 2 {
		t.Keys[seat] = r.key()
		t.Anchors[seat] = r.hash()
		t.Nonces[seat] = r.nonce()
	}
	t.Limits = r.limits()
	if t.Rated {
		t.Server = r.key()
		t.Tickets[0] = r.ticket()
		t.Tickets[1] = r.ticket()
	}
	return t
}

// ID is the match id: SHA-256("cleave/match/1" || encoding).
func (t Terms) ID() ID {
	var buf [1024]byte
	return sha256.Sum256(t.Append(append(buf[:0], matchDomain...)))
}

// Check refuses terms that an honest player does not sign, whatever the time
// is: an unknown version, ruleset or parameter, equal keys, anchors or
// nonces, limits that are not published (rated: not the standard ones), and
// tickets that are missing, foreign or the same. The signatures and times of
// tickets are left to CheckTickets. The error is or wraps a Reason.
func (t Terms) Check(games Games) error {
	_, _, err := t.start(games)
	return err
}

// start is Check, and returns the match id and the first position.
func (t *Terms) start(games Games) (ID, engine.Position, error) {
	game, err := t.checkParts(games)
	if err != nil {
		return ID{}, nil, err
	}
	id := t.ID()
	// Whether the parameters mean anything, the ruleset alone can say.
	pos, err := game.Start(id, t.Params)
	if err != nil {
		return ID{}, nil, fmt.Errorf("%w: %w", ErrUnknownParams, err)
	}
	return id, pos, nil
}

func (t *Terms) checkParts(games Games) (engine.Game, error) {
	if t.Version != Protocol {
		return nil, ErrProtocol
	}
	game, err := games.find(t.Rules, 2)
	if err != nil {
		return nil, err
	}
	for seat, k := range t.Keys {
		if err := k.Check(); err != nil {
			return nil, fmt.Errorf("%w (seat %d)", err, seat)
		}
	}
	switch {
	case t.Keys[0] == t.Keys[1]:
		return nil, ErrSameKeys
	case t.Anchors[0] == t.Anchors[1]:
		return nil, ErrSameAnchors
	case t.Nonces[0] == t.Nonces[1]:
		return nil, ErrSameNonces
	case t.Limits != StandardLimits && t.Rated:
		return nil, ErrRatedLimits
	case t.Limits != StandardLimits && t.Limits != DoubleLimits && t.Limits != NoLimits:
		return nil, ErrLimits
	case len(t.Params) > maxParams:
		return nil, ErrUnknownParams
	}
	return game, t.checkRated()
}

// checkRated refuses a server or tickets that do not suit the terms.
func (t *Terms) checkRated() error {
	if !t.Rated {
		if t.Server != (Key{}) || t.Tickets != ([2]Ticket{}) {
			return ErrNotRated
		}
		return nil
	}
	if t.Server == (Key{}) {
		return ErrNoServer
	}
	if err := t.Server.Check(); err != nil {
		return fmt.Errorf("%w (the server's)", err)
	}
	for seat := range 2 {
		switch ticket := &t.Tickets[seat]; {
		case *ticket == Ticket{}:
			return ErrNoTicket
		case ticket.Player != t.Keys[seat]:
			return ErrTicketPlayer
		case ticket.Server != t.Server:
			return ErrTicketServer
		case ticket.Issued < 0 || ticket.Expires <= ticket.Issued:
			return ErrTicketTimes
		}
	}
	if t.Tickets[0].Serial == t.Tickets[1].Serial {
		return ErrSameTickets
	}
	return nil
}

// CheckTickets refuses a rated terms when a ticket's signature does not hold
// or it has less than a day to run at now (Unix seconds). Friendly terms
// have none to check.
func (t Terms) CheckTickets(now int64) error {
	if !t.Rated {
		return nil
	}
	for seat := range 2 {
		if err := t.Tickets[seat].Check(t.Keys[seat], t.Server, now); err != nil {
			return fmt.Errorf("%w (seat %d)", err, seat)
		}
	}
	return nil
}

// Sign signs the terms: the signature of "cleave/terms/1" || match id.
func (t Terms) Sign(sign Signer) Signature { return sign(termsMessage(t.ID())) }

// CheckSignature is ErrTermsSignature unless the seat signed the terms.
func (t Terms) CheckSignature(seat int, sig Signature) error {
	if !t.Keys[seat].Verify(termsMessage(t.ID()), sig) {
		return ErrTermsSignature
	}
	return nil
}

func termsMessage(id ID) []byte {
	return append(append(make([]byte, 0, len(termsDomain)+len(id)), termsDomain...), id[:]...)
}

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

// find returns the ruleset, which must be for that many seats.
func (g Games) find(rules string, seats int) (engine.Game, error) {
	game, ok := g[rules]
	if !ok || len(rules) > maxRules {
		return nil, fmt.Errorf("%w %.32q", ErrUnknownRules, rules)
	}
	if game.Seats() != seats {
		return nil, ErrRulesSeats
	}
	return game, nil
}
