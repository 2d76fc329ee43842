package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// both runs a test against SQLite and against PostgreSQL.
func both(t *testing.T, test func(*testing.T, *Store)) {
	t.Run("sqlite", func(t *testing.T) { test(t, openSQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, openPostgres(t)) })
}

func openSQLite(t testing.TB) *Store {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "cleave.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func update(t *testing.T, s *Store, f func(*Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

func view(t *testing.T, s *Store, f func(*Tx) error) {
	t.Helper()
	if err := s.View(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

func key(n byte) record.Key { return record.Key{n, 1} }

func match(n byte) Match {
	return Match{ID: record.ID{n}, Terms: []byte{1, 2, n}, Signatures: [2]record.Signature{{n}, {n, 2}}, Players: [2]record.Key{key(1), key(2)},
		Tickets: [2][16]byte{{n, 1}, {n, 2}}, FirstMs: 1000 + int64(n), State: ranking.StateOpen, Winner: -1, Leaf: -1}
}

func TestMatches(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		full := match(1)
		full.Refunded, full.OpenedMs, full.CompleteMs, full.DueMs, full.DecidedMs = 3, 1<<41, 1<<41+1, 1<<41+2, 1<<41+3
		full.State, full.Reason, full.Log, full.Head, full.Evidence = ranking.StatePending, ranking.AwaitingSeal, bytes.Repeat([]byte{0, 255}, 30000), record.Head{9}, [32]byte{8}
		full.Winner, full.End, full.Rounds, full.Score = 1, 3, 8, [2]int32{-40, 500}
		full.Decisions, full.Late, full.Forged, full.Claims = [2]uint16{65535, 1}, [2]uint16{2, 3}, [2]bool{true, false}, 4
		full.Sealed, full.Leaf, full.Counts, full.Receipt, full.Opening = true, 1<<40, true, []byte(`{"a":1}`), []byte(`{}`)
		bare := match(2)
		for range 2 { // the second time every column is updated
			update(t, s, func(tx *Tx) error { return errors.Join(tx.PutMatch(bare), tx.PutMatch(full)) })
			view(t, s, func(tx *Tx) error {
				for _, want := range []Match{full, bare} {
					got, ok, err := tx.Match(want.ID)
					if err != nil || !ok {
						return fmt.Errorf("match %x: %v %w", want.ID[:1], ok, err)
					}
					for _, b := range []*[]byte{&got.Log, &got.Receipt, &got.Opening} {
						if len(*b) == 0 {
							*b = nil
						}
					}
					if !reflect.DeepEqual(got, want) {
						t.Errorf("got  %+v\nwant %+v", got, want)
					}
				}
				return nil
			})
			bare, full = full, bare
			bare.ID, full.ID = full.ID, bare.ID
		}
		view(t, s, func(tx *Tx) error {
			if _, ok, err := tx.Match(record.ID{77}); ok || err != nil {
				t.Errorf("an unknown match: %v %v", ok, err)
			}
			return nil
		})
	})
}

func TestMatchesByTimePlayerAndTicket(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		update(t, s, func(tx *Tx) error {
			for n := byte(1); n <= 5; n++ {
				m := match(n)
				m.State, m.DueMs = ranking.StatePending, 5000-100*int64(n)
				if n == 5 {
					m.State = ranking.StateConfirmed
				}
				if n == 4 {
					m.Players[0], m.Tickets[1] = key(7), [16]byte{1, 1}
				}
				if err := tx.PutMatch(m); err != nil {
					return err
				}
			}
			return nil
		})
		ids := func(ms []Match) string {
			var b []byte
			for _, m := range ms {
				b = append(b, '0'+m.ID[0])
			}
			return string(b)
		}
		view(t, s, func(tx *Tx) error {
			due, err1 := tx.Due(4800, 10)
			first, err2 := tx.Due(4800, 1)
			next, err3 := tx.NextDue()
			of, err4 := tx.MatchesOf(key(1), 3)
			under, err5 := tx.MatchesUnder([16]byte{1, 1})
			if ids(due) != "432" || ids(first) != "4" || next != 4600 || ids(of) != "532" || ids(under) != "14" {
				t.Errorf("due %s, first %s, next %d, of %s, under %s", ids(due), ids(first), next, ids(of), ids(under))
			}
			return errors.Join(err1, err2, err3, err4, err5)
		})
		update(t, s, func(tx *Tx) error { return tx.exec("DELETE FROM matches") })
		view(t, s, func(tx *Tx) error {
			if next, err := tx.NextDue(); next != 0 || err != nil {
				t.Errorf("nothing is due at %d, %v", next, err)
			}
			return nil
		})
	})
}

func TestPlayersAndMeta(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		update(t, s, func(tx *Tx) error {
			for _, now := range []int64{10, 20} {
				if since, err := tx.AddPlayer(key(1), now); since != 10 || err != nil {
					t.Errorf("known since %d, %v", since, err)
				}
			}
			return errors.Join(tx.PutMeta("key", []byte{1}), tx.PutMeta("key", []byte{2, 0}), tx.PutMeta("empty", nil))
		})
		view(t, s, func(tx *Tx) error {
			keys, err := tx.PlayersWithCode(key(1).Code())
			if !reflect.DeepEqual(keys, []record.Key{key(1)}) {
				t.Errorf("keys %v", keys)
			}
			none, err2 := tx.PlayersWithCode(key(2).Code())
			since, known, err3 := tx.Player(key(1))
			_, unknown, err4 := tx.Player(key(2))
			v, err5 := tx.Meta("key")
			w, err6 := tx.Meta("nothing")
			if len(none) != 0 || since != 10 || !known || unknown || !bytes.Equal(v, []byte{2, 0}) || w != nil {
				t.Errorf("%v %d %v %v %v %v", none, since, known, unknown, v, w)
			}
			return errors.Join(err, err2, err3, err4, err5, err6)
		})
	})
}

func TestTickets(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		ticket := func(n byte, issued int64, refund bool) Ticket {
			return Ticket{Serial: [16]byte{n}, Player: key(1), Issued: issued, Expires: issued + 100, Refund: refund}
		}
		update(t, s, func(tx *Tx) error {
			return errors.Join(tx.AddTicket(ticket(1, 50, false)), tx.AddTicket(ticket(2, 150, false)), tx.AddTicket(ticket(3, 150, true)),
				tx.AddTicket(ticket(4, 160, false)), tx.SpendTicket(ticket(4, 160, false)), tx.SpendTicket(ticket(5, 160, false)),
				tx.SpendTicket(ticket(4, 160, false)), tx.AddTicket(ticket(4, 0, false)))
		})
		view(t, s, func(tx *Tx) error {
			outstanding, issued, refunds, err := tx.CountTickets(key(1), 150, 149)
			if outstanding != 2 || issued != 3 || refunds != 1 {
				t.Errorf("%d outstanding, %d issued, %d refunds", outstanding, issued, refunds)
			}
			o, i, _, err2 := tx.CountTickets(key(2), 0, 0)
			if o != 0 || i != 0 {
				t.Errorf("a stranger has %d and got %d", o, i)
			}
			return errors.Join(err, err2)
		})
	})
}

func TestEvidenceClaimsProofsLeaves(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		id := record.ID{5}
		update(t, s, func(tx *Tx) error {
			return errors.Join(
				tx.AddEvidence(id, [32]byte{1}, "log", []byte("a"), 1), tx.AddEvidence(id, [32]byte{2}, "proof", []byte("b"), 2), tx.AddEvidence(id, [32]byte{1}, "log", []byte("a"), 3),
				tx.AddClaim(Claim{Match: id, Player: key(1), Entry: 7, Kind: "silence", ReceivedMs: 1, Log: []byte{0}, Receipt: []byte("r")}),
				tx.AddProof(id, key(2), []byte("p"), []byte("q"), 4),
				tx.AddLeaf(0, 10, id, []byte("zero")), tx.AddLeaf(1, 10, id, []byte("one")), tx.AddLeaf(2, 11, id, []byte("two")))
		})
		if err := s.Update(t.Context(), func(tx *Tx) error { return tx.AddLeaf(2, 12, id, []byte("again")) }); err == nil {
			t.Error("a leaf was written over")
		}
		if err := s.Update(t.Context(), func(tx *Tx) error { return tx.AddProof(id, key(2), nil, nil, 0) }); err == nil {
			t.Error("a proof was written over")
		}
		view(t, s, func(tx *Tx) error {
			e, err := tx.Evidence(id)
			if fmt.Sprintf("%s", e) != "[a b]" {
				t.Errorf("evidence %s", e)
			}
			r, ok, err2 := tx.ClaimReceipt(id, key(1), 7, "silence")
			_, other, err3 := tx.ClaimReceipt(id, key(1), 8, "silence")
			if string(r) != "r" || !ok || other {
				t.Errorf("claim %q %v %v", r, ok, other)
			}
			q, ok, err4 := tx.ProofReceipt(id, key(2))
			_, other, err5 := tx.ProofReceipt(id, key(1))
			if string(q) != "q" || !ok || other {
				t.Errorf("proof %q %v %v", q, ok, other)
			}
			var leaves string
			err6 := tx.Leaves(1, func(n int64, b []byte) error { leaves += fmt.Sprint(n, string(b), " "); return nil })
			if leaves != "1one 2two " {
				t.Errorf("leaves %q", leaves)
			}
			stop := errors.New("stop")
			if err := tx.Leaves(0, func(int64, []byte) error { return stop }); !errors.Is(err, stop) {
				t.Errorf("stopped with %v", err)
			}
			return errors.Join(err, err2, err3, err4, err5, err6)
		})
	})
}

func TestATransactionIsWholeOrNothing(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		stop := errors.New("stop")
		err := s.Update(t.Context(), func(tx *Tx) error {
			if err := tx.PutMatch(match(1)); err != nil {
				return err
			}
			return stop
		})
		if !errors.Is(err, stop) {
			t.Fatal(err)
		}
		view(t, s, func(tx *Tx) error {
			if _, ok, _ := tx.Match(record.ID{1}); ok {
				t.Error("half a transaction was kept")
			}
			return nil
		})
	})
}

// TestManyAtOnce has more readers and writers than there are connections.
func TestManyAtOnce(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		var wg sync.WaitGroup
		for n := range 40 {
			wg.Go(func() {
				m := match(byte(n))
				if err := s.Update(t.Context(), func(tx *Tx) error { return tx.PutMatch(m) }); err != nil {
					t.Error(err)
				}
				err := s.View(t.Context(), func(tx *Tx) error {
					_, known, err := tx.Match(m.ID)
					if err == nil && !known {
						err = errors.New("what was written is not read")
					}
					_, err2 := tx.Meta("x")
					return errors.Join(err, err2)
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

func TestMigrationsRunOnce(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		update(t, s, func(tx *Tx) error { return tx.PutMeta("x", []byte{1}) })
		if err := s.migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		view(t, s, func(tx *Tx) error {
			if v, err := tx.Meta("x"); v == nil {
				t.Errorf("lost: %v", err)
			}
			return nil
		})
		update(t, s, func(tx *Tx) error { return tx.exec(`INSERT INTO migrations (step) VALUES ($1)`, len(migrations)) })
		if err := s.migrate(t.Context()); !errors.Is(err, ErrNewer) {
			t.Errorf("a newer database: %v", err)
		}
	})
}

func TestFullDisk(t *testing.T) {
	s := openSQLite(t)
	var pages int
	if err := s.write.QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages+4)); err != nil {
		t.Fatal(err)
	}
	big := match(1)
	big.Log = make([]byte, 60000)
	err := s.Update(t.Context(), func(tx *Tx) error { return tx.PutMatch(big) })
	if !errors.Is(err, ErrFull) {
		t.Fatalf("writing to a full database: %v", err)
	}
	view(t, s, func(tx *Tx) error {
		if _, ok, _ := tx.Match(big.ID); ok {
			t.Error("it was kept all the same")
		}
		return nil
	})
	if _, err := s.write.Exec("PRAGMA max_page_count = 100000"); err != nil {
		t.Fatal(err)
	}
	update(t, s, func(tx *Tx) error { return tx.PutMatch(big) })
}

func TestReopening(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sub folder", "cleave?.db")
	for n := range 2 {
		s, err := Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			update(t, s, func(tx *Tx) error { return tx.PutMatch(match(1)) })
		} else {
			view(t, s, func(tx *Tx) error {
				if _, ok, err := tx.Match(record.ID{1}); !ok {
					t.Errorf("the match is gone: %v", err)
				}
				return nil
			})
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file with the server's key: %v, %v", info.Mode(), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, file); err == nil {
		t.Error("opened under a context that had ended")
	}
}

func BenchmarkCommit(b *testing.B) {
	s, err := Open(b.Context(), filepath.Join(b.TempDir(), "cleave.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	m := match(1)
	m.Log = make([]byte, 7000)
	for n := int64(0); b.Loop(); n++ {
		m.ID[1], m.ID[2], m.ID[3] = byte(n), byte(n>>8), byte(n>>16)
		if err := s.Update(b.Context(), func(tx *Tx) error {
			return errors.Join(tx.PutMatch(m), tx.AddLeaf(n, n, m.ID, make([]byte, 195)))
		}); err != nil {
			b.Fatal(err)
		}
	}
}
