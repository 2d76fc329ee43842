//go:build !js

package world

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A file never takes the place of another.
func TestFilesAreKeptBesideOthers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "Pictures")
	for n, want := range []string{"a.png", "a-2.png", "a-3.png"} {
		path, err := keepIn(dir, "a.png", []byte{byte(n)})
		if err != nil || path != filepath.Join(dir, want) {
			t.Fatalf("%s, %v", path, err)
		}
		if b, err := os.ReadFile(path); err != nil || !bytes.Equal(b, []byte{byte(n)}) {
			t.Errorf("%v, %v", b, err)
		}
	}
}
