package store

import (
	"os"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// openPostgres is a store on an empty database of PostgreSQL.
func openPostgres(t testing.TB) *Store {
	t.Helper()
	s, err := On(t.Context(), pgtest.Open(t, pgtest.Database(t)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestPostgresIsReached(t *testing.T) {
	s := openPostgres(t)
	var version string
	if err := s.read.QueryRow("SELECT version()").Scan(&version); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(version, "PostgreSQL") {
		t.Errorf("this is %s", version)
	}
}
