// Package nstest builds small networks for tests out of Linux network
// namespaces: machines, switches and the cables between them. Nothing of the
// real machine's network is touched, and everything is gone when the test is
// over.
//
// It works as root, or where unprivileged user namespaces are allowed (there
// the test runs once more inside unshare -Urnm). Elsewhere the test is
// skipped; with STRICT=1 in the environment that is a failure.
//
// A program that runs on such a machine is the test binary itself, in another
// role: see Main.
package nstest

import (
	"flag"
	"os"
	"testing"
)

// childEnv names, in the environment of a test binary, the role to play
// instead of running tests.
const childEnv = "CLEAVE_NSTEST_CHILD"

// A Role is a program that a test runs on a Machine. It returns its exit code.
type Role func(args []string) int

// Main is for the TestMain of a package whose tests start programs: it plays
// the role that a Machine's Start asked for, or runs the tests, and exits.
func Main(m *testing.M, roles map[string]Role) {
	name, child := os.LookupEnv(childEnv)
	if !child {
		flag.Parse()
		// Such tests wait more than they compute, so that the number of
		// processors is no measure for how many to run at once.
		if !given("test.parallel") {
			flag.Set("test.parallel", "8")
		}
		os.Exit(m.Run())
	}
	role, ok := roles[name]
	if !ok {
		panic("nstest: no role " + name)
	}
	os.Exit(role(os.Args[1:]))
}

func given(name string) (given bool) {
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	return given
}

// notHere skips the test, or fails it where every test has to run.
func notHere(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("STRICT") == "1" {
		t.Fatalf("not run, and STRICT=1: needs network namespaces: %s", why)
	}
	t.Skipf("NOT RUN: needs network namespaces: %s", why)
}
