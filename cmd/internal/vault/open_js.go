package vault

// DefaultDir is empty in a browser: there are no folders.
func DefaultDir() string { return "" }

// openStore keeps a profile in memory: this build has no durable store yet,
// and Where says so ("memory"), so that nobody offers rated play on it.
func openStore(_, profile string, readOnly bool) (store, string, error) {
	return Memory(profile).store, "memory", nil
}
