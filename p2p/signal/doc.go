// Package signal is the contract of the rendezvous: how two programs that
// share an invite code, or the name of a listed room, find each other through
// a server that can neither read nor impersonate them. Both ends of it, the
// client here and the server in cmd/cleave-server, speak the messages defined
// in this package. The pairing itself (Pair) runs over any carrier of whole
// messages, so that a stream on a LAN gives the same proofs as a mailbox.
//
// # Codes
//
//	code    = where "-" word "-" word              7-maple-orbit
//	where   = number | mailbox
//	number  = 1 to 4294967295, no leading zero     only an address
//	mailbox = 16 random bytes in base32 (RFC 4648, lower case, no padding)
//	word    = one of the 2048 English words of BIP-39
//	full    = SERVER "/" code                      play.example.org/7-maple-orbit
//	link    = SERVER "/#" mailbox "-" word "-" word
//
// The secret of a code is its two words, lower case, joined by a dash. They
// never leave the two programs: a link has them in its fragment. ParseCode
// finds a code in any text of up to 2048 bytes, whatever its capitals and
// whichever dashes, dots or blanks join its parts. A SERVER without a scheme
// is https, or http for localhost and 127.*. Vectors: testdata/codes.json.
//
// # The pairing, version 1
//
// Each message is a byte for its kind and a body. Numbers are big-endian.
//
//	1 hello    oldest uint16, newest uint16, secret 0 or 1     both, at once
//	2 start    CPace message A (48) or X25519 share (32)       host
//	3 answer   CPace message B (32) or X25519 share (32)       guest
//	4 confirm  MAC (32), sealed card                           guest, then host
//	5 refuse   failure (1)                                     host, or guest
//	6 sealed   sealed bytes                                    both
//
// Hello and refuse keep their layout in every version to come. The version is
// the lesser of both newest; if that is below somebody's oldest, both end. If
// only one side has a secret, the pairing ends as with a wrong password: no
// side that has one goes on without.
//
//	associated = "cleave/pair/1" || version uint16 || host's hello || guest's hello || context
//	             (the hellos with their kind; context: see below)
//	transcript = SHA-256(len || associated || len || start || len || answer)
//	             (len: uint16 of the part after it; start and answer without kind)
//	shared     = CPace key, or X25519 of the shares
//	root       = HKDF-SHA256-Extract(salt transcript, key shared)
//	key(info)  = HKDF-SHA256-Expand(root, info, 32)
//	MAC        = HMAC-SHA256(key("cleave/confirm/host" or "/guest"), transcript)
//
// CPace is filippo.io/cpace (ristretto255): the password is the secret, the
// identities are "cleave host" (A) and "cleave guest" (B), the additional
// data is associated. The host makes message A, so that it is the guest who
// has the key first and confirms first; the host confirms only after the
// guest's confirmation has held, so that a guess tells the guesser nothing
// but that it was wrong. X25519 is for public rooms.
//
// Sealed bytes are ChaCha20-Poly1305 under key("cleave/seal/host") or
// "/guest", whoever sends; the nonce is four zero bytes and a uint64 that
// counts that side's sealed messages from 0; the additional data is the kind.
//
//	card  = fresh (32) || player key (32) || n (1) || binding (n, 1 to 64)
//	ends  = SHA-256(transcript || host's fresh, n, binding || guest's fresh, n, binding)
//	signs = "cleave/binding/1" || role (1 host, 2 guest) || version uint16 ||
//	        host's key || guest's key || ends
//
// The first kind 6 of each side holds its Ed25519 signature of signs, made
// with the player key; before it nothing is believed. A binding is the
// SHA-256 fingerprint of a DTLS certificate, or a libp2p peer id: it ties the
// pairing to the one connection that may follow. Player keys that are of
// small order or not reduced are refused, and so is one's own.
//
//	session = HKDF-SHA256(key root || host's fresh || guest's fresh,
//	          salt transcript, info "cleave/session/1", 32 bytes)
//
// The session secret is new in each pairing, and so are all keys, since each
// makes its own exchange. A match is resumed with the session secret of the
// pairing in which it began:
//
//	address = HKDF-SHA256(key session, salt match id, info "cleave/resume/address/1", 32)
//	secret  = HKDF-SHA256(key session, salt match id, info "cleave/resume/secret/1", 32), as hex
//
// The context is "code " and the mailbox, "room " and the instance, "meet "
// and the address in hex, or on a LAN what package lan says. Vectors:
// testdata/pairing.json, testdata/resume.json.
//
// Times: a visitor has 5 s for hello and answer, a host 8 s for hello and
// start; each later message 5 s. Refusals in clear can be invented by whoever
// carries the messages; that is no more than staying silent could do.
//
// What the carrier learns: the versions, that and when messages are sent, and
// their lengths. One that puts itself into the middle of a public room's
// exchange sees the two cards as well, and then the proofs do not hold. With
// a secret it would have to guess that, once.
//
// A code is spent on both sides as soon as the host's start was answered,
// whatever follows (PairError.Spent, Hosting.Code); the server marks it by
// the kind of the messages that it carries. A room's password is not spent:
// its host answers one try in 10 s and ten wrong ones in all (Tries).
//
// # The rendezvous socket, version 1
//
// A WebSocket at SERVER + "/v1/rendezvous". Text messages are JSON objects:
// requests of the client with a number n above 0, answers with the same n, and
// events of the server without one. Members that a reader does not know are
// ignored. A request of up to 4 KiB, an answer of up to 256 KiB.
//
//	{"n":1,"do":"host"}            {"n":1,"number":7,"mailbox":M,"instance":I,"token":T}
//	{"n":2,"do":"renew"}           {"n":2,"number":8,"mailbox":M}
//	{"n":1,"do":"back","token":T}  {"n":1}   on a new socket, within 60 s
//	{"n":3,"do":"list","listing":L}  {"n":3}   again for every change
//	{"n":4,"do":"unlist"}          {"n":4}
//	{"do":"unhost"}                          (no n: no answer)
//	{"n":1,"do":"rooms"}           {"n":1,"rooms":[L,…]}
//	{"n":2,"do":"join","number":7}    {"n":2,"visit":1,"by":"code","mailbox":M,"ice":[…]}
//	{"n":2,"do":"join","mailbox":M}   the same
//	{"n":2,"do":"join","instance":I}  the same, with "by":"room" and "mailbox":I
//	{"n":1,"do":"meet","role":"host","address":A}  {"n":1}
//	{"do":"leave","visit":1}
//	{"n":9,"do":"ping"}            {"n":9}   every 25 s; 3 minutes of silence end the socket
//
// A request that is refused is answered by {"n":1,"failure":17}, with the
// number of a Failure. M and I are mailboxes as in a link, A is 64 hex digits,
// T is opaque, L is base64 of a listing.
//
//	{"event":"visit","visit":1,"by":"code","mailbox":M,"ice":[…]}  to a host; at a meeting ("by":"meet") to both
//	{"event":"gone","visit":1}                the other side left
//	{"event":"spent","mailbox":M}             the code must not be used again
//	{"event":"expired","mailbox":M}           it has had its 10 minutes
//
// "ice" is a list of {"urls":[…],"username":…,"credential":…}, credentials of
// this seat of this visit.
//
// Binary messages are carried between the two of a visit: the visit's number
// (uint32), then 1 to 16384 bytes. Those for a visit that has ended are
// dropped. The server reads the first byte only: 2, the host has started; 3,
// the guest has answered; 5, a refusal, for its metrics.
//
// A server that closes a socket says why by the close code 4000 + failure;
// one that refuses to open it, by the HTTP header Cleave-Failure.
//
// # Listings
//
//	1 (format) || instance (16) || player key (32) || state (0 open, 1 locked,
//	2 full, 3 playing) || clocks (0 standard, 1 double, 2 off) || rated (0 or 1)
//	|| version uint16 || n (1), display name (n) || n (1), room name (n) ||
//	Ed25519 signature (64) of "cleave/listing/1" || all before it
//
// Names are at most 60 bytes of UTF-8 without control characters or those
// that change a text's direction. Vectors: testdata/listing.json.
//
// # History
//
// Pairing 1, rendezvous 1, listing format 1: the first ones.
package signal
