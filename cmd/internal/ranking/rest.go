//go:build !js

package ranking

// rest is called now and then during long work.
func rest() {}
