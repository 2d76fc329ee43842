package lockstep

// A Reason says in one word of a closed list why something was refused, why a
// match will not count, or what is wrong with a frame.
type Reason uint8

// Why a match will not count for the ranking. The numbers travel in frames.
const (
	// WhyFriendly: the host wants a friendly match.
	WhyFriendly Reason = 1
	// WhyClocks: the clocks are not the standard ones.
	WhyClocks Reason = 2
	// WhyNoTicket: this side has no ticket with a day to run.
	WhyNoTicket Reason = 3
	// WhyPeerNoTicket: the peer has none.
	WhyPeerNoTicket Reason = 4
	// WhyNoServer: the tickets are of different ranking servers.
	WhyNoServer Reason = 5
	// WhyPeer: the other side's client says that it will not count, and has
	// a reason that does not hold here.
	WhyPeer Reason = 6
	// WhyJournal: this side cannot write its journal safely.
	WhyJournal Reason = 7
)

// Why a command was refused, or why the peer refused to start.
const (
	// NotNow: the command does not fit where the session stands.
	NotNow Reason = iota + 20
	// NotHost: only the host may.
	NotHost
	// NotReady: not both are ready for the room as it is.
	NotReady
	// NoPeer: the peer has not introduced itself yet.
	NoPeer
	// SameKey: the peer plays under this side's own key.
	SameKey
	// OtherKey: the peer says it has another key than it has proved.
	OtherKey
	// VersionOld: the peer speaks only newer versions of the protocol.
	VersionOld
	// VersionPeerOld: the peer speaks only older ones.
	VersionPeerOld
	// NoRules: the peer does not play the ruleset of this room.
	NoRules
	// BadTerms: the terms are not such as an honest player signs.
	BadTerms
	// BadTicket: a ticket in them does not hold.
	BadTicket
	// RatedChanged: whether the match counts is not what was shown.
	RatedChanged
	// IllegalDecision: the rules do not allow the decision.
	IllegalDecision
	// AlreadyDecided: this decision was taken and journaled before.
	AlreadyDecided
	// TooLate: the time for this decision has passed.
	TooLate
	// Recovering: after a restart nothing is signed until the peer has said
	// what it holds.
	Recovering
	// ClaimStands: nothing is signed while one's own claim stands.
	ClaimStands
	// NothingDue: there is nothing to claim.
	NothingDue
	// TooFast: too many lines or previews at once.
	TooFast
	// TooLong: more text or data than one frame of its kind holds.
	TooLong
	// BadName: a name with control characters, or of more than 24 characters.
	BadName
)

// What is wrong with a frame of the peer.
const (
	// BadFrame: not a frame, or a body that does not read.
	BadFrame Reason = iota + 60
	// BadPlace: a frame that is not awaited where the session stands.
	BadPlace
	// BadMatch: of another match.
	BadMatch
	// BadIndex: an entry that is not the next one.
	BadIndex
	// BadAuthor: an entry or seal of a seat that does not owe it.
	BadAuthor
	// BadKind: an entry of a kind that is not awaited.
	BadKind
	// BadSignature: not signed by whom it names.
	BadSignature
	// BadKey: a key of small order, or in a second spelling.
	BadKey
	// BadLayer: a layer that does not fit its commitment.
	BadLayer
	// BadHead: signed on another history.
	BadHead
	// BadMove: an entry whose move the rules forbid.
	BadMove
	// BadDigest: an entry whose author's engine came to another state.
	BadDigest
	// BadFork: its author has signed something else in its place.
	BadFork
	// BadOver: an entry after the match was over.
	BadOver
)

var reasonTexts = map[Reason]string{
	WhyFriendly:     "the host wants a friendly match",
	WhyClocks:       "the clocks are not the standard ones",
	WhyNoTicket:     "no ticket with a day to run here; tickets are fetched while the ranking server can be reached",
	WhyPeerNoTicket: "the other player has no ticket with a day to run",
	WhyNoServer:     "the two players' tickets are of different servers",
	WhyPeer:         "the other player's program says that it will not count",
	WhyJournal:      "this device cannot keep a safe journal",

	NotNow:          "that cannot be done just now",
	NotHost:         "only the host can do that",
	NotReady:        "both players must be ready first",
	NoPeer:          "nobody else is here yet",
	SameKey:         "the other player plays under your own account; use another on one of the two",
	OtherKey:        "the other side says another key than it proved; leave, and meet again",
	VersionOld:      "your version is too old for this game; update Cleave",
	VersionPeerOld:  "the other player's version is too old for this game; ask them to update Cleave",
	NoRules:         "the other player's program does not know this game; ask them to update it",
	BadTerms:        "the two programs do not agree on the terms of the match; update both",
	BadTicket:       "a ticket does not hold; play a friendly match, or try again later",
	RatedChanged:    "whether the match counts has changed; look again, then start",
	IllegalDecision: "the rules do not allow it",
	AlreadyDecided:  "that is decided already",
	TooLate:         "the time for that has passed",
	Recovering:      "the match is being restored; wait until the other side has answered",
	ClaimStands:     "your claim stands; withdraw it first",
	NothingDue:      "there is nothing to claim",
	TooFast:         "too much at once; wait a moment",
	TooLong:         "that is too long",
	BadName:         "the name is empty, too long, or has characters that do not show",

	BadFrame:     "not a frame",
	BadPlace:     "frame out of place",
	BadMatch:     "of another match",
	BadIndex:     "not the next entry",
	BadAuthor:    "by the wrong seat",
	BadKind:      "of a kind that is not awaited",
	BadSignature: "signature does not match",
	BadKey:       "key is not valid",
	BadLayer:     "layer does not fit the commitment",
	BadHead:      "signed on another history",
	BadMove:      "illegal move",
	BadDigest:    "replay gives another state",
	BadFork:      "its author signed something else in its place",
	BadOver:      "the match is over",
}

// String is the reason in words, for logs; the screen has its own.
func (r Reason) String() string {
	if t := reasonTexts[r]; t != "" {
		return t
	}
	return "unknown reason"
}
