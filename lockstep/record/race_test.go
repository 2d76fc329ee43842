//go:build race

package record

// underRace says that this build looks for races, which makes signatures slow.
const underRace = true
