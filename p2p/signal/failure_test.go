package signal

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The failures in the order that is never changed: the first is exit code 10.
func TestFailures(t *testing.T) {
	names := strings.Fields(`no-server server-full slow-down protocol-error your-version-old their-version-old no-such-code
		code-expired code-used already-taken wrong-code wrong-password too-many-tries room-full room-in-match no-such-room
		peer-left own-account webrtc-unavailable lan-unavailable no-route`)
	if len(names) != len(failures) {
		t.Fatalf("%d failures are listed, %d are there", len(names), len(failures))
	}
	texts := map[string]Failure{}
	for i, name := range names {
		f := Failure(10 + i)
		if f.Name() != name || f.ExitCode() != 10+i {
			t.Errorf("%d is %s with exit code %d, want %s", 10+i, f.Name(), f.ExitCode(), name)
		}
		text := f.Error()
		if other, had := texts[text]; had {
			t.Errorf("%s and %s have one text", name, other.Name())
		}
		texts[text] = f
		if strings.HasSuffix(text, ".") || strings.ToUpper(text[:1]) == text[:1] && f != LANUnavailable {
			t.Errorf("%s: %q does not fit into a sentence", name, text)
		}
		// What happened, and what to do.
		if !strings.ContainsAny(text, ";:") && f != YourVersionOld {
			t.Errorf("%s: %q does not say what to do", name, text)
		}
		if got, ok := FailureOf(fmt.Errorf("joining: %w", errors.Join(errors.New("x"), f))); !ok || got != f {
			t.Errorf("%s is lost in a chain of errors", name)
		}
	}
	if _, ok := FailureOf(errors.New("x")); ok {
		t.Error("any error is a failure of pairing")
	}
}
