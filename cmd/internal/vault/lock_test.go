//go:build unix

package vault

import (
	"errors"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestSecondProcessIsRefusedWithThePid(t *testing.T) {
	dir := t.TempDir()
	c := child(t, "VAULT_CHILD=hold", "VAULT_DIR="+dir)
	in, err := c.StdinPipe()
	must(t, err)
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	buf := make([]byte, 5)
	if _, err := out.Read(buf); err != nil || string(buf[:4]) != "held" {
		t.Fatalf("child: %q %v", buf, err)
	}
	_, err = Open(dir, "p")
	var locked *LockedError
	if !errors.As(err, &locked) || locked.PID != c.Process.Pid {
		t.Fatalf("got %v; want a LockedError of process %d", err, c.Process.Pid)
	}
	if !strings.Contains(err.Error(), strconv.Itoa(c.Process.Pid)) {
		t.Errorf("the sentence does not say which process: %v", err)
	}
	view, err := View(dir, "p")
	must(t, err)
	if err := view.SetName("x"); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a view stored: %v", err)
	}
	if _, err := Open(dir, "other"); err != nil {
		t.Errorf("another profile: %v", err)
	}
	in.Close()
	must(t, c.Wait())
	must(t, mustOpen(t, dir).SetName("x"))
}

// A program that is being started has, for a moment, copies of all that this
// process has open. The lock of a closed profile must not live on in them.
func TestACopyOfTheLockHoldsNothing(t *testing.T) {
	dir := t.TempDir()
	v := mustOpen(t, dir)
	twin, err := syscall.Dup(int(v.store.(*files).lock.Fd()))
	must(t, err)
	defer syscall.Close(twin)
	must(t, v.Close())
	must(t, mustOpen(t, dir).Close())
}
