//go:build !linux

package nstest

import "testing"

// A World exists only on Linux.
type World struct{}

// Run skips the test, or fails it with STRICT=1.
func Run(t *testing.T, _ func(*World)) { notHere(t, "this is not Linux") }
