package world

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/assets/assetstest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/signal"
	"github.com/cleavegame/cleave/ui"
)

// allReasons are the texts of every number that the ranking server and this
// program's own packages give, by the number.
func allReasons() map[string]string {
	all := map[string]string{}
	for n := range 256 {
		if f := signal.Failure(n); f.Name() != signal.Failure(0).Name() {
			all[failure(f)] = f.Error()
		}
		if r := lockstep.Reason(n); r.String() != lockstep.Reason(0).String() {
			all[roomReason(r)] = r.String()
		}
		if r := record.Reason(n); r.Error() != record.Reason(0).Error() {
			all[recordReason(r)] = r.Error()
		}
	}
	for n := 1; n < 1000; n++ {
		if r := ranking.Reason(n); !strings.HasPrefix(r.Text(), fmt.Sprintf("reason %d,", n)) {
			all[rankingReason(r)] = r.Text()
		}
	}
	return all
}

// notices are those that this package makes by itself.
func notices() []ui.Notice {
	list := []ui.Notice{
		waitingForServer, noted(table.Noted{About: table.NotedUnseen}), noted(table.Noted{About: table.NotedNoRanking}),
		notice(errors.New("something else")),
		notice(&signal.ServerError{Text: "no:address"}),
		notice(&vault.LockedError{}),
		notice(&vault.ProfileError{Name: "a b"}),
		notice(&vault.CorruptError{Where: "/data/key"}),
		notice(&record.VerifyError{Entry: 7, Reason: record.ErrDigest}),
		notice(&record.VerifyError{Reason: record.ErrTermsSignature}),
		notice(record.ErrMagic),
		notice(fmt.Errorf("asking: %w", ranking.Refuse(ranking.TicketTwice, ""))),
		{ID: "verdict.refused", Why: rankingReason(ranking.WrongDigest)},
		{ID: "verdict.moved", N: 1512, M: 1524}, {ID: "problem.name"}, {ID: "problem.no_passphrase"}, {ID: "problem.no_server"},
		{ID: "problem.file_exists", Name: "/data/account.age"}, {ID: "problem.clipboard"}, {ID: "problem.not_duel"},
		{ID: "waiting.left", Name: "Grace"}, {ID: "problem.run"}, {ID: "problem.browser"},
	}
	for _, s := range sentinels {
		list = append(list, notice(fmt.Errorf("doing something: %w", s.err)))
	}
	for _, kind := range []ranking.ReceiptKind{ranking.Accepted, ranking.Confirmed, ranking.Unrated, ranking.Claimed} {
		for _, why := range []ranking.Reason{ranking.None, ranking.PairTooOften} {
			b, err := json.Marshal(ranking.Receipt{Kind: kind, Reason: why})
			if err != nil {
				panic(err)
			}
			list = append(list, ruling(b))
		}
	}
	for _, kind := range []string{"log", "claim", "fraud", "other"} {
		for _, tries := range []int{1, 3} {
			list = append(list, ui.Notice{ID: "outbox." + kind, Name: "cleave.example", N: tries})
		}
	}
	return list
}

// Every failure there is has a text in every language, and no text is for a
// failure that there is not.
func TestEveryFailureHasAText(t *testing.T) {
	all := allReasons()
	if len(all) < 21+42+20+84 {
		t.Fatalf("only %d reasons were found", len(all))
	}
	english, pseudo := ui.NewEnv(ui.DefaultSettings()), ui.DefaultSettings()
	pseudo.Language = ui.Pseudo
	other := ui.NewEnv(pseudo)
	tell := func(n ui.Notice) {
		t.Helper()
		text, longer := english.Tell(n), other.Tell(n)
		if text == "" || strings.ContainsAny(text, "‹<") || strings.Contains(text, "no value") {
			t.Errorf("%s is told as %q", n.ID, text)
		}
		if len(longer) <= len(text) || !strings.Contains(longer, "~") {
			t.Errorf("%s is told as %q in the pseudo-locale", n.ID, longer)
		}
		if n.Why != "" && strings.Contains(text, english.Tell(ui.Notice{ID: "problem.unknown"})) {
			t.Errorf("%s has no text", n.Why)
		}
	}
	for id := range all {
		tell(ui.Notice{ID: id})
	}
	used := map[string]bool{}
	for _, n := range notices() {
		tell(n)
		used[n.ID] = true
	}

	texts := assetstest.Texts(t)
	for id := range texts {
		switch group, _, _ := strings.Cut(id, "."); group {
		case "failure", "reason", "ranking", "record":
			if all[id] == "" {
				t.Errorf("the text %q is for nothing", id)
			}
		case "verdict", "outbox", "problem":
			if !used[id] && id != "problem.unknown" && !elsewhere[id] {
				t.Errorf("the text %q is for nothing", id)
			}
		}
	}
}

// elsewhere are the problems that other files of this package tell.
var elsewhere = map[string]bool{"problem.same_account": true, "problem.unfinished": true}

// An error is told by its value, however it is wrapped, and never by its words.
func TestErrorsAreToldByTheirValue(t *testing.T) {
	for _, c := range []struct {
		err  error
		want ui.Notice
	}{
		{nil, ui.Notice{}},
		{fmt.Errorf("table: %w: %w", signal.WebRTCUnavailable, errors.New("no camera")), ui.Notice{ID: "failure.webrtc_unavailable"}},
		{fmt.Errorf("lan: looking for a room: %w", signal.NoSuchRoom), ui.Notice{ID: "failure.no_such_room"}},
		{fmt.Errorf("%w: %w", ranking.ErrUnreachable, context.DeadlineExceeded), ui.Notice{ID: "problem.ranking"}},
		{fmt.Errorf("opening: %w", os.ErrPermission), ui.Notice{ID: "problem.no_permission"}},
		{ui.Notice{ID: "problem.name"}, ui.Notice{ID: "problem.name"}},
		{&record.VerifyError{Entry: 17, Reason: &record.DigestError{Index: 17}}, ui.Notice{ID: "problem.record_entry", N: 17, Why: "record.90"}},
		{fmt.Errorf("reading: %w", record.ErrShort), ui.Notice{ID: "problem.record", Why: "record.damaged"}},
	} {
		if got := notice(c.err); got != c.want {
			t.Errorf("%v is told as %+v, not as %+v", c.err, got, c.want)
		}
	}
	if told(nil) != nil {
		t.Error("no error is told as one")
	}
}

// What a server says that is newer than this program is told in its words.
func TestAnUnknownReasonIsToldInTheServersWords(t *testing.T) {
	e := ui.NewEnv(ui.DefaultSettings())
	n := notice(&ranking.Refusal{Reason: 999, Text: "the moon is in the way"})
	if got := e.Tell(n); got != "The moon is in the way" {
		t.Errorf("%q", got)
	}
	if got := e.Tell(ui.Notice{ID: "verdict.unrated_why", Why: "ranking.999"}); !strings.Contains(got, "too old") {
		t.Errorf("%q", got)
	}
}
