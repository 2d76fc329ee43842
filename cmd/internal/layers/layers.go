// Package layers holds the test of who imports whom:
//
//	engine decides, lockstep agrees, p2p carries, ui shows, cmd connects.
//
// The table in the test lists every package of the module with what it may
// import and why; a package that is not listed fails it.
package layers
