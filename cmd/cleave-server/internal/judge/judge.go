// Package judge decides what a log is worth: it parses, replays and measures,
// and believes nothing else. It is pure: bytes, games, the server's key and the
// time go in, a verdict or a numbered refusal comes out.
package judge

import (
	"crypto/sha256"
	"errors"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// lateMs is how much later than its limit a decision may be seen by the other
// player before it counts as late: a claim comes at 30 s, and a bad line
// explains less than this.
const lateMs = 3000

// A Verdict is a log that holds, and what it says.
type Verdict struct {
	Log      []byte // the bytes of the .cleave file
	Evidence [32]byte
	Verified record.Verified
	Outcome  engine.Outcome
	// Reason is why the log, by itself, is not rated: Friendly, Unfinished,
	// NoResult, or None.
	Reason ranking.Reason
	// Decisions counts each seat's decisions that the other timed; Late,
	// how many of them came later than their limit and 3 s.
	Decisions, Late [2]uint16
}

// Read replays a log that was received at nowMs. What does not hold, and what
// was not played for this server, is refused with its number.
func Read(log []byte, games record.Games, server record.Key, nowMs int64) (Verdict, error) {
	parsed, err := record.ParseLog(log)
	if err != nil {
		return Verdict{}, refuse(err)
	}
	t := parsed.Terms()
	if t.Rated && t.Server != server {
		return Verdict{}, ranking.Refuse(ranking.OtherServer, "")
	}
	verified, err := record.Verify(parsed, games)
	if err != nil {
		return Verdict{}, refuse(err)
	}
	if refusal := tickets(t, nowMs); refusal != nil {
		return Verdict{}, refusal
	}
	v := Verdict{Log: log, Evidence: sha256.Sum256(log), Verified: verified, Outcome: verified.Outcome()}
	switch {
	case !t.Rated:
		v.Reason = ranking.Friendly
	case !v.Outcome.Over:
		v.Reason = ranking.Unfinished
	case v.Outcome.End == engine.NoResult:
		v.Reason = ranking.NoResult
	}
	v.measure()
	return v, nil
}

// Terms checks co-signed terms that are handed in by themselves.
func Terms(t record.Terms, sigs [2]record.Signature, games record.Games, server record.Key, nowMs int64) error {
	if !t.Rated {
		return ranking.Refuse(ranking.Friendly, "")
	}
	if t.Server != server {
		return ranking.Refuse(ranking.OtherServer, "")
	}
	if err := t.Check(games); err != nil {
		return refuse(err)
	}
	for seat, sig := range sigs {
		if t.CheckSignature(seat, sig) != nil {
			return ranking.Refuse(ranking.WrongSignatures, "")
		}
	}
	if refusal := tickets(t, nowMs); refusal != nil {
		return refusal
	}
	return nil
}

// tickets checks those of rated terms, as far as they can be checked without
// knowing which were used.
func tickets(t record.Terms, nowMs int64) *ranking.Refusal {
	if !t.Rated {
		return nil
	}
	for _, ticket := range t.Tickets {
		if ticket.CheckSignature() != nil {
			return ranking.Refuse(ranking.TicketNotGenuine, "")
		}
		if nowMs/1000 > ticket.Expires+ranking.LogsAfterSeconds {
			return ranking.Refuse(ranking.TicketTooOld, "")
		}
	}
	return nil
}

// measure counts the decisions that the other player timed. An entry's WaitMs
// is about the entry before it, so it tells of a decision only where that one
// was the other's.
func (v *Verdict) measure() {
	limits := v.Verified.Terms().Limits
	pos := v.Verified.PositionAt(0)
	n := v.Verified.Len()
	if v.Verified.Drawn() {
		n--
	}
	for i := 1; i < n; i++ {
		e, next := v.Verified.EntryAt(i), v.Verified.EntryAt(i+1)
		limit := limits.For(pos.Awaits())
		if pos.Awaits() != engine.Reveal && e.Move.Kind != engine.Resign && limit > 0 && next.Move.Seat != e.Move.Seat {
			v.Decisions[e.Move.Seat]++
			if uint32(next.WaitMs) > limit+lateMs {
				v.Late[e.Move.Seat]++
			}
		}
		var err error
		if pos, err = pos.Apply(e.Move); err != nil {
			panic("judge: a verified log does not replay: " + err.Error())
		}
	}
}

// refuse gives the number of what record found in a log.
func refuse(err error) *ranking.Refusal { return refusal(err, numbers, ranking.NotALog) }

// refusal gives the number of what record found, otherwise where it has none.
func refusal(err error, numbers map[record.Reason]ranking.Reason, otherwise ranking.Reason) *ranking.Refusal {
	r := ranking.Refuse(otherwise, err.Error())
	if reason, ok := errors.AsType[record.Reason](err); ok {
		if number, known := numbers[reason]; known {
			r = ranking.Refuse(number, err.Error())
		}
	}
	if v, ok := errors.AsType[*record.VerifyError](err); ok {
		r.Entry = v.Entry
	}
	return r
}

// numbers are the permanent numbers of what record refuses. What is not here
// is NotALog.
var numbers = map[record.Reason]ranking.Reason{
	record.ErrTooLarge:   ranking.LogTooLarge,
	record.ErrFull:       ranking.LogTooLarge,
	record.ErrFormat:     ranking.UnknownFormat,
	record.ErrProtocol:   ranking.UnknownFormat,
	record.ErrSeats:      ranking.NotAMatch,
	record.ErrRulesSeats: ranking.NotAMatch,

	record.ErrUnknownRules:  ranking.UnknownRules,
	record.ErrUnknownParams: ranking.UnknownRules,

	record.ErrKeyLength:     ranking.BadKey,
	record.ErrKeySmallOrder: ranking.BadKey,
	record.ErrKeyForm:       ranking.BadKey,
	record.ErrSameKeys:      ranking.SameKeys,
	record.ErrSameAnchors:   ranking.SameChance,
	record.ErrSameNonces:    ranking.SameChance,
	record.ErrLimits:        ranking.BadLimits,
	record.ErrRatedLimits:   ranking.BadLimits,

	record.ErrTicketTimes:     ranking.BadTickets,
	record.ErrNoTicket:        ranking.BadTickets,
	record.ErrNoServer:        ranking.BadTickets,
	record.ErrNotRated:        ranking.BadTickets,
	record.ErrTicketPlayer:    ranking.BadTickets,
	record.ErrTicketServer:    ranking.BadTickets,
	record.ErrSameTickets:     ranking.BadTickets,
	record.ErrTicketSignature: ranking.TicketNotGenuine,

	record.ErrTermsSignature: ranking.TermsNotSigned,
	record.ErrAuthor:         ranking.WrongAuthor,
	record.ErrNotAwaited:     ranking.WrongKind,
	record.ErrNoClock:        ranking.WrongKind,
	record.ErrIllegal:        ranking.IllegalMove,
	record.ErrDigest:         ranking.WrongDigest,
	record.ErrLayer:          ranking.WrongLayer,
	record.ErrSignature:      ranking.EntryNotSigned,
	record.ErrSealSignature:  ranking.WrongSeal,
	record.ErrSealAuthor:     ranking.WrongSeal,
	record.ErrNotOver:        ranking.WrongSeal,
	record.ErrOver:           ranking.AfterTheEnd,
}
