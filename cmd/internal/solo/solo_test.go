package solo

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func seed(n int) [32]byte {
	return sha256.Sum256(binary.BigEndian.AppendUint32([]byte("solo test"), uint32(n)))
}

// next is what a player of no great skill does, second chances included.
func next(pos record.Solo) engine.Move {
	player := bot.New(bot.Easy, 1)
	switch s := pos.(type) {
	case classic.State:
		return player.Classic(s)
	case streak.State:
		return player.Streak(s)
	}
	panic("another game")
}

// TestMain lets the test binary be the process that is killed: it plays one
// entry more, says so, and waits to be killed.
func TestMain(m *testing.M) {
	dir := os.Getenv("SOLO_DIR")
	if dir == "" {
		os.Exit(m.Run())
	}
	v, err := vault.Open(dir, "p")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	r, err := Resume(v, "s")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for range 3 {
		if !r.Over() {
			if err := r.Play(next(r.Position())); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	}
	proc, _ := os.FindProcess(os.Getpid())
	proc.Kill()
	select {}
}

// A run that is killed after every few entries is the run that is never killed.
func TestKilledAndGoneOnWith(t *testing.T) {
	for name, d := range map[string]Deal{"classic": Classic(classic.Hard, seed(1)), "streak": Training(seed(2))} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			v, err := vault.Open(dir, "p")
			if err != nil {
				t.Fatal(err)
			}
			r, err := Begin(v, "s", d)
			if err != nil {
				t.Fatal(err)
			}
			want := r.Position()
			id := r.run.ID()
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			v.Close()
			for step := 0; ; step++ {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), "SOLO_DIR="+dir)
				if out, err := cmd.Output(); err == nil || len(out) > 0 {
					t.Fatalf("the child ends by itself: %s", out)
				}
				for range 3 {
					if !want.Outcome().Over {
						p, err := want.Apply(next(want))
						if err != nil {
							t.Fatal(err)
						}
						want = p.(record.Solo)
					}
				}
				v, err := vault.Open(dir, "p")
				if err != nil {
					t.Fatal(err)
				}
				peeked, err := Peek(v, "s")
				if err != nil {
					t.Fatal(err)
				}
				if peeked.Digest() != want.Digest() {
					t.Fatalf("another board after kill %d:\n%s\n\n%s", step+1, peeked.Board().Text(8), want.Board().Text(8))
				}
				if want.Outcome().Over || step == 12 {
					r, err := Resume(v, "s")
					if err != nil {
						t.Fatal(err)
					}
					if r.run.ID() != id || r.Over() != want.Outcome().Over {
						t.Error("another run")
					}
					r.Close()
					v.Close()
					return
				}
				v.Close()
			}
		})
	}
}

// play plays a run to its end.
func play(t *testing.T, r *Run) {
	t.Helper()
	for !r.Over() {
		if err := r.Play(next(r.Position())); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFinishedRunIsKeptAndHolds(t *testing.T) {
	v := vault.Memory("p")
	for n, d := range []Deal{Classic(classic.Easy, seed(3)), Classic(classic.Hard, seed(4)), Training(seed(5)), {Rules: streak.Rules, Params: streak.Counting.Params(), Seed: seed(6)}} {
		slot := "slot-" + strconv.Itoa(n)
		r, err := Begin(v, slot, d)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Begin(v, slot, d); err == nil {
			t.Error("two runs in one slot")
		}
		if n == 0 { // easy goes on for long
			for range 150 {
				if !r.Over() {
					r.Play(next(r.Position()))
				}
			}
		} else {
			play(t, r)
			if err := r.Play(next2(r)); !errors.Is(err, ErrOver) {
				t.Errorf("after the end: %v", err)
			}
		}
		info, _, ok, err := r.Finish(noon)
		if err != nil || !ok {
			t.Fatal(err)
		}
		file, err := v.RunLog(info.ID)
		if err != nil {
			t.Fatal(err)
		}
		log, err := record.ParseRunLog(file)
		if err != nil {
			t.Fatal(err)
		}
		held, err := record.VerifyRun(log, games.All())
		if err != nil {
			t.Fatal(err)
		}
		if held.Claim().Score != info.Score || held.Placements() != info.Placements || held.Complete() != info.Complete || held.Position() != r.Position() {
			t.Errorf("%+v does not say what the log does", info)
		}
		if _, err := Peek(v, slot); !errors.Is(err, vault.ErrNotFound) {
			t.Errorf("the slot is not free: %v", err)
		}
	}
	all, err := v.SavedRuns()
	if err != nil || len(all) != 4 {
		t.Errorf("%d kept, %v", len(all), err)
	}
}

// next2 is any placement.
func next2(*Run) engine.Move { return engine.Move{Kind: engine.Place} }

// Killed after the log was kept and before the journal went, a run is kept once.
func TestFinishedTwiceIsKeptOnce(t *testing.T) {
	v := vault.Memory("p")
	r, err := Begin(v, "s", Classic(classic.Hard, seed(7)))
	if err != nil {
		t.Fatal(err)
	}
	play(t, r)
	id, _ := v.Identity()
	log, err := r.run.Finish(func(m []byte) record.Signature { return id.Sign(m) })
	if err != nil {
		t.Fatal(err)
	}
	runID := r.run.ID()
	if err := v.SaveRun(vault.RunInfo{ID: fmt.Sprintf("%x", runID[:]), Rules: classic.Rules, Params: classic.Hard.Params(), Score: log.Claim().Score}, log.Append(nil)); err != nil {
		t.Fatal(err)
	}
	r.Close()
	if r, err = Resume(v, "s"); err != nil {
		t.Fatal(err)
	}
	info, again, _, err := r.Finish(noon)
	if err != nil || !slices.Equal(again.Append(nil), log.Append(nil)) {
		t.Fatalf("another log: %v", err)
	}
	if all, _ := v.SavedRuns(); len(all) != 1 || all[0].ID != info.ID {
		t.Errorf("kept: %+v", all)
	}
}

func TestThreeHints(t *testing.T) {
	v := vault.Memory("p")
	r, err := Begin(v, "s", Classic(classic.Medium, seed(8)))
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= classic.MaxHints; n++ {
		h, err := r.TakeHint()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := r.TakeHint(); err != nil || again != h {
			t.Errorf("another hint for one position: %v, %v", again, err)
		}
		// It is there after a restart too, and costs nothing.
		r.Close()
		if r, err = Resume(v, "s"); err != nil {
			t.Fatal(err)
		}
		if again, ok := r.Hint(); !ok || again != h {
			t.Errorf("gone after a restart: %v, %v", again, ok)
		}
		if got := Helped(r.Position()); got != n {
			t.Errorf("%d hints, want %d", got, n)
		}
		if err := r.Play(h.Move); err != nil {
			t.Fatal(err)
		}
		if _, ok := r.Hint(); ok {
			t.Error("a hint outlives its position")
		}
	}
	before := r.Position()
	if _, err := r.TakeHint(); !errors.Is(err, ErrNoHint) || r.Position() != before {
		t.Errorf("a fourth hint: %v", err)
	}
	info, log, _, err := r.Finish(noon)
	if err != nil {
		t.Fatal(err)
	}
	held, err := record.VerifyRun(log, games.All())
	if err != nil || Helped(held.Position()) != 3 || info.Helped != 3 || held.Complete() || info.Complete {
		t.Errorf("the log says %d hints, %+v, %v", Helped(held.Position()), info, err)
	}
	s, err := Begin(v, "s", Training(seed(9)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.TakeHint(); !errors.Is(err, ErrNoHint) {
		t.Errorf("a hint in a Streak: %v", err)
	}
}

func TestRunWithoutAnEntryLeavesNothing(t *testing.T) {
	v := vault.Memory("p")
	r, err := Begin(v, "s", Training(seed(10)))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok, err := r.Finish(noon); ok || err != nil {
		t.Errorf("kept: %v, %v", ok, err)
	}
	if slots, _ := v.RunSlots(); len(slots) != 0 {
		t.Errorf("slots %v", slots)
	}
	if all, _ := v.SavedRuns(); len(all) != 0 {
		t.Errorf("kept %v", all)
	}
}

// A full disk refuses a placement, and the board stays as it was.
func TestFullDiskChangesNothing(t *testing.T) {
	v := vault.Memory("p")
	r, err := Begin(v, "s", Training(seed(11)))
	if err != nil {
		t.Fatal(err)
	}
	v.Limit(0)
	before := r.Position()
	if err := r.Play(next(before)); !errors.Is(err, vault.ErrDiskFull) || r.Position() != before || len(r.Moves()) != 0 {
		t.Errorf("%v", err)
	}
	v.Limit(-1)
	if err := r.Play(next(before)); err != nil || r.Position() == before {
		t.Errorf("once there is room: %v", err)
	}
}

func TestRubbishInTheJournalIsPutAside(t *testing.T) {
	terms := record.RunTerms{Version: record.Protocol, Rules: streak.Rules, Params: []byte{1}, Seed: seed(12)}
	id, _ := vault.Memory("q").Identity()
	terms.Key = record.Key(id.Key())
	for name, records := range map[string][][]byte{
		"no terms":        {[]byte("hello")},
		"unknown rules":   {func() []byte { o := terms; o.Rules = "chess/1"; return o.Append(nil) }()},
		"a long entry":    {terms.Append(nil), {1, 2, 3}},
		"an illegal move": {terms.Append(nil), {0x40, 0xff}},
		"a hint":          {terms.Append(nil), {0x80, 0}},
	} {
		v := vault.Memory("p")
		j, err := v.CreateRun("s", records[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records[1:] {
			if err := j.Append(r); err != nil {
				t.Fatal(err)
			}
		}
		j.Close()
		var c *vault.CorruptError
		if _, err := Resume(v, "s"); !errors.As(err, &c) {
			t.Errorf("%s: %v", name, err)
		}
		if slots, _ := v.RunSlots(); len(slots) != 0 {
			t.Errorf("%s: the slot is not free", name)
		}
	}
}

// Who takes another account on does not go on with what was begun under the one
// before, which alone could sign it, and is not kept from playing either.
func TestARunOfAnotherAccountIsPutAside(t *testing.T) {
	for name, look := range map[string]func(*vault.Vault) error{
		"going on": func(v *vault.Vault) error { _, err := Resume(v, "s"); return err },
		"looking":  func(v *vault.Vault) error { _, err := Peek(v, "s"); return err },
	} {
		v, other := vault.Memory("p"), vault.Memory("p")
		r, err := Begin(v, "s", Training(seed(1)))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Play(next(r.Position())); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		id, err := other.Identity()
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Import(id, true); err != nil {
			t.Fatal(err)
		}
		var spoilt *vault.CorruptError
		if err := look(v); !errors.As(err, &spoilt) {
			t.Errorf("%s: %v", name, err)
		}
		if r, err = Begin(v, "s", Training(seed(2))); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if r.Close() != nil {
			t.Errorf("%s: it does not close", name)
		}
	}
}

func TestBestTen(t *testing.T) {
	v := vault.Memory("p")
	for n := range 15 {
		for level := range 2 {
			info := vault.RunInfo{ID: fmt.Sprintf("%d-%d", level, n), Rules: classic.Rules, Params: []byte{byte(level)}, Score: int32(n * 7 % 15)}
			if err := v.SaveRun(info, []byte("log")); err != nil {
				t.Fatal(err)
			}
		}
	}
	best, err := v.BestRuns(func(r vault.RunInfo) bool { return r.Rules == classic.Rules && string(r.Params) == "\x01" })
	if err != nil || len(best) != vault.BestOf {
		t.Fatalf("%d, %v", len(best), err)
	}
	for i, b := range best {
		if b.Score != int32(14-i) || b.Params[0] != 1 {
			t.Errorf("place %d: %+v", i+1, b)
		}
	}
}
