package world

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/cleavegame/cleave/cmd/internal/contest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/signal"
	"github.com/cleavegame/cleave/ui"
)

// notice is what to tell a player of an error: the text of whichever of the
// closed lists of failures it belongs to, by its value and never by its words.
func notice(err error) ui.Notice {
	var (
		known   ui.Notice
		refused *ranking.Refusal
		address *signal.ServerError
		locked  *vault.LockedError
		damaged *vault.CorruptError
		profile *vault.ProfileError
		invalid *record.VerifyError
		reason  record.Reason
	)
	switch {
	case err == nil:
		return ui.Notice{}
	case errors.As(err, &known):
		return known
	case errors.As(err, &refused):
		return refusal(refused)
	case errors.As(err, &address):
		return ui.Notice{ID: "problem.address", Name: address.Text}
	case errors.As(err, &locked):
		return ui.Notice{ID: "problem.locked"}
	case errors.As(err, &damaged):
		return ui.Notice{ID: "problem.damaged", Name: damaged.Where}
	case errors.As(err, &profile):
		return ui.Notice{ID: "problem.profile", Name: profile.Name}
	case errors.As(err, &invalid):
		return invalidRecord(invalid)
	case errors.As(err, &reason):
		return ui.Notice{ID: "problem.record", Why: recordReason(reason)}
	}
	for _, s := range sentinels {
		if errors.Is(err, s.err) {
			return ui.Notice{ID: s.id}
		}
	}
	if f, ok := signal.FailureOf(err); ok {
		return ui.Notice{ID: failure(f)}
	}
	return ui.Notice{ID: "problem.other", Name: err.Error()}
}

// sentinels are the texts of the errors that stand for themselves. The first
// that fits is taken.
var sentinels = []struct {
	err error
	id  string
}{
	{ranking.ErrOtherServer, "problem.other_server"},
	{ranking.ErrUnreachable, "problem.ranking"},
	{table.ErrRankingUnknown, "problem.ranking"},
	{ranking.ErrReceipt, "problem.receipt"},
	{ranking.ErrAnchor, "problem.anchor"},
	{contest.ErrNotFetched, "problem.not_fetched"},
	{contest.ErrNoChance, "problem.no_chance"},
	{solo.ErrNoHint, "problem.no_hint"},
	{solo.ErrOver, "problem.run_over"},
	{vault.ErrWords, "problem.words"},
	{vault.ErrPassphrase, "problem.passphrase"},
	{vault.ErrKeyFile, "problem.key_file"},
	{vault.ErrHasKey, "problem.has_key"},
	{vault.ErrDiskFull, "problem.disk_full"},
	{vault.ErrReadOnly, "problem.locked"},
	{vault.ErrBroken, "problem.restart"},
	{vault.ErrNotFound, "problem.not_found"},
	{os.ErrNotExist, "problem.no_file"},
	{os.ErrPermission, "problem.no_permission"},
	{context.DeadlineExceeded, "problem.slow"},
}

// Told is an error as a World gives it to the screen.
func Told(err error) error { return told(err) }

func told(err error) error {
	if err == nil {
		return nil
	}
	return notice(err)
}

// failure is the text of a failure of pairing.
func failure(f signal.Failure) string {
	return "failure." + strings.ReplaceAll(f.Name(), "-", "_")
}

// roomReason is the text of a reason of the session.
func roomReason(r lockstep.Reason) string { return fmt.Sprintf("reason.%d", r) }

// refusal is what the ranking server said, by its number; its own words are
// for a number that is newer than this program.
func refusal(r *ranking.Refusal) ui.Notice {
	return ui.Notice{ID: rankingReason(r.Reason), Name: r.Text}
}

// rankingReason is the text of one of the ranking server's numbers.
func rankingReason(r ranking.Reason) string { return fmt.Sprintf("ranking.%d", r) }

// invalidRecord says which entry of a record does not hold.
func invalidRecord(e *record.VerifyError) ui.Notice {
	var reason record.Reason
	errors.As(e.Reason, &reason)
	if e.Entry == 0 {
		return ui.Notice{ID: "problem.record_terms", Why: recordReason(reason)}
	}
	return ui.Notice{ID: "problem.record_entry", N: e.Entry, Why: recordReason(reason)}
}

// recordReason is the text of a reason for which a record is refused. What only
// a damaged or forged file can have is one text.
func recordReason(r record.Reason) string {
	switch {
	case r < record.ErrProtocol:
		return "record.damaged"
	case r < record.ErrTermsSignature:
		return "record.terms"
	}
	return fmt.Sprintf("record.%d", r)
}
