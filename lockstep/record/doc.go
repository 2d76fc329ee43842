// Package record is the record of a match: terms, the chain of entries, the
// seal, the file that holds them, and the verifier that believes nothing it
// has not replayed.
package record
