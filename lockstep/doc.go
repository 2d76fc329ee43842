// Package lockstep is the agreement of two engines: one side of a table, from
// the first hello to the seal.
package lockstep
