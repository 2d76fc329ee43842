package judge

import (
	"context"
	"crypto/sha256"
	"errors"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

// ContestRules and ContestParams are what daily challenges and arenas are
// played by.
const ContestRules = streak.Rules

// ContestParams are the params of a run that counts.
func ContestParams() []byte { return streak.Counting.Params() }

// A RunVerdict is a run that its player signed, and what it is worth by
// itself.
type RunVerdict struct {
	File  []byte
	Hash  [32]byte // SHA-256 of the file
	ID    record.ID
	Head  record.Head // zero for a run that does not hold
	Terms record.RunTerms
	// Attempt is the one under which it was played, nil when it was begun
	// offline.
	Attempt *ranking.Attempt
	// Flag is why it does not hold, None when it does.
	Flag ranking.Reason
	// Claim and Placements are what the replay gave; of a run that does not
	// hold, the claim is the player's and the placements are 0.
	Claim      record.Claim
	Placements int

	verified record.VerifiedRun
	again    bool
}

// ReadRun replays a run. What its player has not signed, and what names an
// attempt that is none, is refused with its number; what he signed and does not
// hold is flagged. That takes well under a second for the longest run. A bot is
// had play again by PlayAgain, which may take ten, and which the caller does
// when it knows that the run is welcome.
func ReadRun(file []byte, known record.Games, server record.Key) (RunVerdict, error) {
	log, err := record.ParseRunLog(file)
	if err != nil {
		return RunVerdict{}, refuseRun(err)
	}
	v := RunVerdict{File: file, Hash: sha256.Sum256(file), Terms: log.Terms(), ID: log.Terms().ID(), Claim: log.Claim()}
	verified, err := record.VerifyRun(log, known)
	if err != nil {
		if v.Flag = flagOf(err); v.Flag == ranking.None {
			return RunVerdict{}, refuseRun(err)
		}
	}
	if len(v.Terms.Attempt) > 0 {
		a, err := ranking.ParseAttempt(v.Terms.Attempt)
		if err == nil {
			err = a.Check(server, v.Terms.Key)
		}
		if err != nil {
			return RunVerdict{}, ranking.Refuse(ranking.AttemptNotGenuine, err.Error())
		}
		v.Attempt = &a
	}
	if v.Flag != ranking.None {
		return v, nil
	}
	v.verified, v.Head, v.Placements = verified, verified.Head(), verified.Placements()
	switch {
	case v.Attempt != nil && v.Attempt.Nonce != v.Terms.Nonce:
		v.Flag = ranking.SecondRun
	case v.Attempt != nil && v.Attempt.Seed != v.Terms.Seed:
		v.Flag = ranking.RunWrongSeed
	case v.Terms.Rules != ContestRules || string(v.Terms.Params) != string(ContestParams()):
		v.Flag = ranking.RunWrongRules
	}
	return v, nil
}

// PlayAgain has the bot that the terms name play again: a run that it plays
// otherwise is flagged, and one of a bot that nobody knows is refused. A run of
// a person, or one that is flagged already, stays as it is. The error is ctx's
// when that ends before.
func (v RunVerdict) PlayAgain(ctx context.Context) (RunVerdict, error) {
	v.again = true
	if v.Flag != ranking.None || v.Terms.Bot == nil {
		return v, nil
	}
	switch err := games.CheckBot(ctx, v.verified); {
	case errors.Is(err, games.ErrOtherMoves):
		v.Flag = ranking.RunNotOfThatBot
	case ctx.Err() != nil:
		return RunVerdict{}, ctx.Err()
	case err != nil:
		return RunVerdict{}, ranking.Refuse(ranking.UnknownBot, err.Error())
	}
	return v, nil
}

// Judged reports whether nothing is left to be done: PlayAgain was called, or
// there is no bot.
func (v RunVerdict) Judged() bool { return v.again || v.Terms.Bot == nil }

// flagOf is the flag of what a player has signed and does not hold, None for
// what he has not signed.
func flagOf(err error) ranking.Reason {
	v, ok := errors.AsType[*record.VerifyError](err)
	if !ok || !v.Signed {
		return ranking.None
	}
	reason, _ := errors.AsType[record.Reason](err)
	if flag, ok := flags[reason]; ok {
		return flag
	}
	return ranking.RunIllegalMove
}

var flags = map[record.Reason]ranking.Reason{
	record.ErrIllegal:    ranking.RunIllegalMove,
	record.ErrDigest:     ranking.RunWrongDigest,
	record.ErrClaimScore: ranking.RunWrongScore,
	record.ErrClaimCombo: ranking.RunWrongCombo,
	record.ErrClaimBoard: ranking.RunWrongBoard,
}

// refuseRun gives the number of what record found in a run.
func refuseRun(err error) *ranking.Refusal { return refusal(err, runNumbers, ranking.NotARun) }

// runNumbers are the permanent numbers of what record refuses in a run. What is
// not here is NotARun.
var runNumbers = map[record.Reason]ranking.Reason{
	record.ErrTooLarge: ranking.RunTooLarge,
	record.ErrFormat:   ranking.UnknownRunFormat,
	record.ErrProtocol: ranking.UnknownRunFormat,

	record.ErrSeats:      ranking.NotSolo,
	record.ErrRulesSeats: ranking.NotSolo,

	record.ErrUnknownRules:  ranking.UnknownRunRules,
	record.ErrUnknownParams: ranking.UnknownRunRules,

	record.ErrKeyLength:     ranking.BadKey,
	record.ErrKeySmallOrder: ranking.BadKey,
	record.ErrKeyForm:       ranking.BadKey,

	record.ErrSignature: ranking.RunNotSigned,
	record.ErrBotName:   ranking.UnknownBot,
}
