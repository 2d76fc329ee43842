// Package signal is the contract of the rendezvous: how two programs that
// share an invite code, or the name of a listed room, find each other through
// a server that can neither read nor impersonate them. Both ends of it, the
// client here and the server in cmd/cleave-server, speak the messages defined
// in this package.
package signal
