package record

import (
	"strings"
)

// A Reason is one of the closed list of ways in which a record is refused. It
// is an error; the errors of this package are a Reason or wrap one, so that
// errors.Is(err, ErrDigest) asks which it was. Names are those of the test
// vectors and are never given a second meaning.
type Reason uint8

// What a parser refuses.
const (
	// ErrTooLarge: more bytes than the limit of this kind of object.
	ErrTooLarge Reason = iota + 1
	// ErrShort: the bytes end before the object does.
	ErrShort
	// ErrTrailing: bytes stand behind the end of the object.
	ErrTrailing
	// ErrMagic: the file does not begin like a .cleave file.
	ErrMagic
	// ErrFormat: the file's or object's layout has a version unknown here.
	ErrFormat
	// ErrSeats: a match where a run is expected, or the reverse.
	ErrSeats
	// ErrKeyLength: a key that is not 32 bytes.
	ErrKeyLength
	// ErrKeySmallOrder: a key of small order, under which signatures prove
	// nothing.
	ErrKeySmallOrder
	// ErrKeyForm: a second spelling of a key.
	ErrKeyForm
	// ErrReserved: a bit or byte with no meaning is set, or a choice byte has
	// a value without meaning.
	ErrReserved
	// ErrRulesName: a ruleset's name that is empty or has bytes other than
	// a-z, 0-9, '/', '-' and '.'.
	ErrRulesName
	// ErrKind: an entry of a kind that this record does not have.
	ErrKind
	// ErrTicketTimes: a ticket that expires before it was issued, or a time
	// below zero.
	ErrTicketTimes
	// ErrEntryCount: more entries than the limits allow, or, in a run, none.
	ErrEntryCount
	// ErrEnd: the end of the log does not suit its entries (a seal without an
	// entry, a draw without two resignations).
	ErrEnd
	// ErrPlayerCode: a text that is no player code.
	ErrPlayerCode
	// ErrBotName: a bot's name that is empty, too long or not plain ASCII.
	ErrBotName
)

// What terms are refused for.
const (
	// ErrProtocol: the terms are of a protocol version unknown here.
	ErrProtocol Reason = iota + 40
	// ErrUnknownRules: no such ruleset here.
	ErrUnknownRules
	// ErrUnknownParams: the ruleset does not know these parameters.
	ErrUnknownParams
	// ErrRulesSeats: a ruleset for another number of seats.
	ErrRulesSeats
	// ErrSameKeys: one player on both seats.
	ErrSameKeys
	// ErrSameAnchors: both committed to the same chance; one copied.
	ErrSameAnchors
	// ErrSameNonces: both nonces are the same; one copied.
	ErrSameNonces
	// ErrLimits: the limits are none of the published sets.
	ErrLimits
	// ErrRatedLimits: rated, and the limits are not the standard ones.
	ErrRatedLimits
	// ErrNoTicket: rated, and a seat has no ticket.
	ErrNoTicket
	// ErrNoServer: rated, and no ranking server is named.
	ErrNoServer
	// ErrNotRated: not rated, and yet a server or ticket is named.
	ErrNotRated
	// ErrTicketPlayer: a ticket of another player.
	ErrTicketPlayer
	// ErrTicketServer: a ticket of another ranking server.
	ErrTicketServer
	// ErrSameTickets: one ticket serves both seats.
	ErrSameTickets
	// ErrTicketSignature: the ranking server did not sign this ticket.
	ErrTicketSignature
	// ErrTicketEarly: the ticket was issued in the future.
	ErrTicketEarly
	// ErrTicketExpiring: the ticket has less than a day to run.
	ErrTicketExpiring
)

// What the chain refuses.
const (
	// ErrTermsSignature: a seat did not sign the terms.
	ErrTermsSignature Reason = iota + 80
	// ErrWrongMatch: it belongs to another match.
	ErrWrongMatch
	// ErrIndex: the entry is not the next one.
	ErrIndex
	// ErrHead: signed by its author, but on another history.
	ErrHead
	// ErrSignature: its author did not sign it.
	ErrSignature
	// ErrAuthor: the other seat owes the next entry.
	ErrAuthor
	// ErrNotAwaited: another kind of entry is awaited.
	ErrNotAwaited
	// ErrNoClock: a flag for a decision that has no limit.
	ErrNoClock
	// ErrLayer: the revealed layer does not fit its seat's commitment.
	ErrLayer
	// ErrIllegal: the rules forbid the move.
	ErrIllegal
	// ErrDigest: the replay gives another state than the author signed.
	ErrDigest
	// ErrOver: the match is over.
	ErrOver
	// ErrHeld: this entry or seal is held already. Nothing is wrong.
	ErrHeld
	// ErrDropped: a resignation stands at or before this entry's index, so it
	// counts no more. Nothing is wrong.
	ErrDropped
	// ErrStaleResign: a resignation at an index that its author has signed
	// beyond.
	ErrStaleResign
	// ErrFork: its author has signed something else in its place: fraud.
	ErrFork
	// ErrNotOver: a seal on a match that is not over.
	ErrNotOver
	// ErrSealAuthor: in a proof, a seal by the seat that made the last entry.
	ErrSealAuthor
	// ErrSealSignature: the seal does not match.
	ErrSealSignature
	// ErrFull: the record has reached its limit of bytes or placements.
	ErrFull
)

// What a proof of fraud and a run's claim are refused for.
const (
	// ErrNotFraud: both statements can be those of an honest player.
	ErrNotFraud Reason = iota + 120
	// ErrProofOrder: the two statements stand in the wrong order.
	ErrProofOrder
	// ErrClaimScore: the replay gives another score.
	ErrClaimScore
	// ErrClaimCombo: the replay gives another best combo.
	ErrClaimCombo
	// ErrClaimBoard: the replay ends on another board.
	ErrClaimBoard
)

var reasons = map[Reason]struct{ name, text string }{
	ErrTooLarge:      {"too-large", "too large"},
	ErrShort:         {"short", "ends too early"},
	ErrTrailing:      {"trailing", "bytes behind the end"},
	ErrMagic:         {"magic", "not a .cleave file"},
	ErrFormat:        {"format", "unknown version of the layout"},
	ErrSeats:         {"seats", "wrong number of seats"},
	ErrKeyLength:     {"key-length", "key is not 32 bytes"},
	ErrKeySmallOrder: {"key-small-order", "key is of small order"},
	ErrKeyForm:       {"key-form", "key is not in canonical form"},
	ErrReserved:      {"reserved", "value without meaning"},
	ErrRulesName:     {"rules-name", "malformed name of a ruleset"},
	ErrKind:          {"kind", "unknown kind of entry"},
	ErrTicketTimes:   {"ticket-times", "ticket's times make no sense"},
	ErrEntryCount:    {"entry-count", "impossible number of entries"},
	ErrEnd:           {"end", "end of the log does not suit its entries"},
	ErrPlayerCode:    {"player-code", "not a player code"},
	ErrBotName:       {"bot-name", "malformed name of a bot"},

	ErrProtocol:        {"protocol", "unknown protocol version"},
	ErrUnknownRules:    {"unknown-rules", "unknown ruleset"},
	ErrUnknownParams:   {"unknown-params", "unknown parameters of the ruleset"},
	ErrRulesSeats:      {"rules-seats", "ruleset is for another number of seats"},
	ErrSameKeys:        {"same-keys", "both seats have one key"},
	ErrSameAnchors:     {"same-anchors", "both seats have one anchor"},
	ErrSameNonces:      {"same-nonces", "both seats have one nonce"},
	ErrLimits:          {"limits", "limits are none of the published"},
	ErrRatedLimits:     {"rated-limits", "a rated match has the standard limits"},
	ErrNoTicket:        {"no-ticket", "a rated match needs a ticket of each seat"},
	ErrNoServer:        {"no-server", "a rated match names its ranking server"},
	ErrNotRated:        {"not-rated", "a friendly match names no server and no tickets"},
	ErrTicketPlayer:    {"ticket-player", "ticket is another player's"},
	ErrTicketServer:    {"ticket-server", "ticket is another server's"},
	ErrSameTickets:     {"same-tickets", "one ticket serves both seats"},
	ErrTicketSignature: {"ticket-signature", "ticket is not signed by its server"},
	ErrTicketEarly:     {"ticket-early", "ticket is issued in the future"},
	ErrTicketExpiring:  {"ticket-expiring", "ticket has less than a day to run"},

	ErrTermsSignature: {"terms-signature", "signature on the terms does not match"},
	ErrWrongMatch:     {"wrong-match", "belongs to another match"},
	ErrIndex:          {"index", "not the next entry"},
	ErrHead:           {"head", "signed on another history"},
	ErrSignature:      {"signature", "signature does not match"},
	ErrAuthor:         {"author", "the other seat owes the next entry"},
	ErrNotAwaited:     {"not-awaited", "another kind of entry is awaited"},
	ErrNoClock:        {"no-clock", "a flag without a limit"},
	ErrLayer:          {"layer", "layer does not fit the commitment"},
	ErrIllegal:        {"illegal", "illegal move"},
	ErrDigest:         {"digest", "replay gives another state"},
	ErrOver:           {"over", "the match is over"},
	ErrHeld:           {"held", "held already"},
	ErrDropped:        {"dropped", "dropped by a resignation"},
	ErrStaleResign:    {"stale-resign", "resignation before an entry of its own author"},
	ErrFork:           {"fork", "its author signed something else in its place"},
	ErrNotOver:        {"not-over", "seal on a match that is not over"},
	ErrSealAuthor:     {"seal-author", "seal of the last entry's own author"},
	ErrSealSignature:  {"seal-signature", "seal does not match"},
	ErrFull:           {"full", "the record is full"},

	ErrNotFraud:   {"not-fraud", "no fraud: an honest player can have signed both"},
	ErrProofOrder: {"proof-order", "statements of the proof in the wrong order"},
	ErrClaimScore: {"claim-score", "replay gives another score than the claim"},
	ErrClaimCombo: {"claim-combo", "replay gives another best combo than the claim"},
	ErrClaimBoard: {"claim-board", "replay ends on another board than the claim"},
}

// Error is the reason in words.
func (r Reason) Error() string {
	if t, ok := reasons[r]; ok {
		return "record: " + t.text
	}
	return "record: unknown reason"
}

// Name is the reason's name in the test vectors, such as "same-keys".
func (r Reason) Name() string {
	if t, ok := reasons[r]; ok {
		return t.name
	}
	return "unknown"
}

// bare is the text of an error of this package without the package's name,
// for one that is said within another.
func bare(err error) string { return strings.TrimPrefix(err.Error(), "record: ") }
