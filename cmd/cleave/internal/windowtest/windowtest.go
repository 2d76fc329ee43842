// Package windowtest holds the tests that play the real game in real windows,
// each under a display of its own: against the computer, against each other on
// the local network, and by invite code through a real server. The hands that
// play know only what the screen shows.
package windowtest
