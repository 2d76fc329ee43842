//go:build linux

package e2e

import (
	"os/exec"
	"strings"
	"testing"
)

// importKey gives a profile the key of these words.
func importKey(t *testing.T, dir, words string) {
	t.Helper()
	cmd := exec.Command(binary(t, "cleavectl"), "id", "import", "--data", dir)
	cmd.Stdin = strings.NewReader(words)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("importing a key: %v\n%s", err, out)
	}
}
