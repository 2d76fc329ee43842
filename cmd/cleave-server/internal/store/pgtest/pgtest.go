// Package pgtest is a PostgreSQL of the tests' own: a server in a folder that
// goes with them, reached over a Unix socket.
package pgtest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
)

type cluster struct {
	dir  string
	bin  string
	as   *syscall.Credential
	made int
}

var (
	once     sync.Once
	postgres *cluster
	startErr error
)

// Main runs a package's tests and ends the server that they started. A TestMain
// exits with what it returns.
func Main(m *testing.M) int {
	code := m.Run()
	if postgres != nil {
		postgres.stop()
	}
	return code
}

// Database makes an empty database and returns how to reach it, for Open. The
// server is started by the first call; the package's TestMain must be Main. Where
// PostgreSQL is not installed the test is skipped, or fails when STRICT is 1.
func Database(t testing.TB) (source string) {
	t.Helper()
	once.Do(func() { postgres, startErr = startPostgres() })
	if startErr != nil {
		if os.Getenv("STRICT") == "1" {
			t.Fatal(startErr)
		}
		t.Skip(startErr)
	}
	name, err := postgres.database()
	if err != nil {
		t.Fatal(err)
	}
	return postgres.url(name)
}

// Open opens a pool on a database.
func Open(t testing.TB, source string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", source)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(8)
	return db
}

func startPostgres() (_ *cluster, err error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return nil, fmt.Errorf("PostgreSQL is not installed (/usr/lib/postgresql/*/bin/initdb)")
	}
	c := &cluster{bin: filepath.Dir(found[len(found)-1])}
	if os.Getuid() == 0 { // it refuses to run as root
		u, err := user.Lookup("postgres")
		if err != nil {
			return nil, err
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		c.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	// A socket's path has little room, so the folder has a short name.
	if c.dir, err = os.MkdirTemp("/tmp", "cleave-pg-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(c.dir)
		}
	}()
	if c.as != nil {
		if err := os.Chown(c.dir, int(c.as.Uid), int(c.as.Gid)); err != nil {
			return nil, err
		}
	}
	if err := c.run("initdb", "-D", c.dir+"/data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync", "--no-instructions"); err != nil {
		return nil, err
	}
	options := "-c listen_addresses= -c unix_socket_directories=" + c.dir + " -c fsync=off -c max_connections=30"
	if err := c.run("pg_ctl", "-D", c.dir+"/data", "-l", c.dir+"/log", "-w", "-t", "60", "-o", options, "start"); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *cluster) run(name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	// Output goes to a file: the server would hold a pipe open for ever.
	out, err := os.CreateTemp("", "cleave-pg-out-")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, name), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, out, out
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	if c.as != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.as}
	}
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(out.Name())
		return fmt.Errorf("%s: %w\n%s", name, err, said)
	}
	return nil
}

func (c *cluster) url(database string) string {
	return "host=" + c.dir + " user=postgres dbname=" + database + " sslmode=disable"
}

func (c *cluster) database() (string, error) {
	db, err := sql.Open("pgx", c.url("postgres"))
	if err != nil {
		return "", err
	}
	defer db.Close()
	c.made++
	name := "test" + strconv.Itoa(c.made)
	_, err = db.Exec("CREATE DATABASE " + name)
	return name, err
}

func (c *cluster) stop() {
	if err := c.run("pg_ctl", "-D", c.dir+"/data", "-m", "immediate", "-w", "stop"); err != nil {
		fmt.Fprintln(os.Stderr, "stopping PostgreSQL:", err)
	}
	os.RemoveAll(c.dir)
}
