package api

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/lockstep/record"
)

// shapes are the fields of answers, as text.
type shapes struct {
	site *site
	text bytes.Buffer
}

// show notes the fields of an answer.
func (s *shapes) show(name string, body []byte) {
	s.site.t.Helper()
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		s.site.t.Fatalf("%s: %v %s", name, err, body)
	}
	var lines []string
	shape("", v, &lines)
	slices.Sort(lines)
	fmt.Fprintf(&s.text, "%s\n  %s\n", name, strings.Join(slices.Compact(lines), "\n  "))
}

// get notes those of what a path answers.
func (s *shapes) get(name, path string) {
	s.site.t.Helper()
	_, _, body := s.site.ask("GET", path, nil)
	s.show(name, body)
}

// TestShapes holds the JSON of every answer to the fields in testdata, which
// change only together with the specification.
func TestShapes(t *testing.T) {
	s := newSite(t, plenty)
	table := s.sit(alice, bob, "shapes")
	st, err := s.client(alice).Open(s.ctx(), table.Terms, table.Sigs)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	st2, err := s.client(bob).Open(s.ctx(), table.Terms, table.Sigs)
	if err != nil {
		t.Fatal(err)
	}
	defer st2.Close()
	next(t, st, ranking.EventWaiting)
	next(t, st, ranking.EventOpened)
	out := shapes{site: s}
	proof, _ := ranking.Work(s.signer.Key, carol.Key, ranking.WorkBits, func() bool { return false })
	out.get("GET /v1/info", "/v1/info")
	out.show("POST /v1/tickets", s.post(carol, "/v1/tickets", ranking.TicketRequest{Count: 1, Work: proof}))
	out.show("POST /v1/claims", s.post(alice, "/v1/claims", ranking.ClaimRequest{Kind: ranking.Overdue, Log: table.Play(9).Log()}))
	id := table.Terms.ID()
	out.show("POST /v1/withdrawals", s.post(alice, "/v1/withdrawals", ranking.WithdrawRequest{Match: hex.EncodeToString(id[:])}))
	_, _, pending := s.ask("POST", "/v1/logs", table.Fork(9).PlayOut().Log())
	out.show("POST /v1/logs (pending)", pending)
	_, _, confirmed := s.ask("POST", "/v1/logs", s.sit(alice, bob, "second").PlayOut().Seal().Log())
	out.show("POST /v1/logs (confirmed)", confirmed)
	var a ranking.UploadAnswer
	if err := json.Unmarshal(confirmed, &a); err != nil {
		t.Fatal(err)
	}
	out.get("GET /v1/matches/ID", "/v1/matches/"+a.Match)
	out.get("GET /v1/ladder", "/v1/ladder")
	out.get("GET /v1/players/CODE", "/v1/players/"+record.PlayerCode(alice.Key))
	out.get("a refusal", "/v1/players/x")
	goldenFile(t, "shapes.txt", out.text.Bytes())
}

// shape lists the paths of a JSON value with their types.
func shape(at string, v any, into *[]string) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			shape(at+"."+k, e, into)
		}
	case []any:
		for _, e := range v {
			shape(at+"[]", e, into)
		}
	case string:
		*into = append(*into, at+" string")
	case float64:
		*into = append(*into, at+" number")
	case bool:
		*into = append(*into, at+" boolean")
	default:
		*into = append(*into, fmt.Sprintf("%s %T", at, v))
	}
}

// TestShapesOfDailies holds the JSON of every answer about runs to the fields in
// testdata.
func TestShapesOfDailies(t *testing.T) {
	s := newSite(t, plenty)
	out := shapes{site: s}
	var last ranking.RunAnswer
	for n := range 22 {
		p := judgetest.NewSigner(fmt.Sprint("shape ", n))
		s.meet(p)
		profile := s.post(p, "/v1/profile", ranking.ProfileRequest{Country: "CA"})
		attempt := s.post(p, "/v1/daily/attempts", ranking.AttemptRequest{Nonce: strings.Repeat("ab", 16)})
		var a ranking.AttemptAnswer
		if err := json.Unmarshal(attempt, &a); err != nil {
			t.Fatal(err)
		}
		seed, err := hex.DecodeString(a.Seed)
		if err != nil {
			t.Fatal(err)
		}
		file := judgetest.PlayRun(p, judgetest.RunTerms(p, [32]byte(seed), [16]byte(bytes.Repeat([]byte{0xab}, 16)), a.Attempt), bot.Medium, uint64(n), 30+n)
		_, _, body := s.ask("POST", "/v1/runs", file)
		if err := json.Unmarshal(body, &last); err != nil {
			t.Fatal(err)
		}
		if n == 21 {
			out.show("POST /v1/profile", profile)
			out.show("POST /v1/daily/attempts", attempt)
			out.show("POST /v1/runs", body)
			out.show("POST /v1/arenas", s.post(p, "/v1/arenas", ranking.AttemptRequest{Nonce: strings.Repeat("cd", 16)}))
		}
	}
	out.get("GET /v1/daily", "/v1/daily")
	out.get("GET /v1/daily/anchors", "/v1/daily/anchors")
	out.get("GET /v1/runs/ID", "/v1/runs/"+last.Run.Run)
	out.get("GET /v1/boards/day", "/v1/boards/day?country=CA&player="+last.Code)
	out.get("GET /v1/boards/all", "/v1/boards/all")
	arenas, err := s.client(bob).Arenas(s.ctx())
	if err != nil {
		t.Fatal(err)
	}
	out.get("GET /v1/arenas", "/v1/arenas")
	out.get("GET /v1/arenas/ID", "/v1/arenas/"+arenas.Arenas[0].Arena)
	goldenFile(t, "shapes-daily.txt", out.text.Bytes())
}

func goldenFile(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what it was:\n%s", path, got)
	}
}
