// Package record is the record of a match: the terms, the chain of entries,
// the seal, the .cleave file that holds them, and the verifier that believes
// nothing it has not replayed. It is also the record of a solo run, the same
// with one seat.
//
// A match is one hash chain, and each signature covers everything before it,
// so that each player's last signature carries the whole log. The result is a
// pure function of the chain: nobody reports a result.
//
// This comment is the format. Numbers are big-endian. Every encoding is
// canonical: what parses encodes to the same bytes again, and anything else is
// refused, bytes behind the end included. Vectors, good and bad, each with the
// reason it must be refused for, are in testdata.
//
// # Hashes and signatures
//
// H is SHA-256. Every hashed or signed message begins with a domain in ASCII,
// without its quotes; none is the beginning of another.
//
//	player code  first 80 bits of H("cleave/player/1" || key)
//	layer        x is fitted by y when x = H("cleave/layer/1" || y)
//	match id     H("cleave/match/1" || terms)
//	head(0)      H("cleave/head/1" || match id || terms signature of seat 0 || of seat 1)
//	head(n)      H("cleave/step/1" || head(n-1) || entry n)
//	drawn head   H("cleave/draw/1" || head of seat 0's resignation || of seat 1's)
//	run id       H("cleave/run/1" || terms of the run)
//	run head(0)  H("cleave/run-head/1" || run id)
//	run head(i)  H("cleave/stretch/1" || run head(i-1) || stretch i)
//	claimed head H("cleave/claim/1" || last run head || claim)
//	final board  H("cleave/board/1" || board, 8 bytes)
//
// Signed, with Ed25519, valid exactly when crypto/ed25519.Verify says so:
//
//	terms   "cleave/terms/1" || match id
//	entry   "cleave/entry/1" || match id || index, 4 bytes || head(index)
//	seal    "cleave/seal/1" || match id || index, 4 bytes || head(index-1)
//	run     "cleave/run-seal/1" || run id || claimed head
//	ticket  "cleave/ticket/1" || the ticket's first 96 bytes
//	a match called off, which is no part of its record
//	        "cleave/call-off/1" || match id || index, 4 bytes || head(index)
//
// A key is 32 bytes. Refused are the eight points of small order and second
// spellings: y (the first 255 bits, little-endian) of 2^255-19 or more, and
// the sign bit set where x is 0.
//
// # Terms of a match
//
//	 2       protocol version, 1
//	 1       flags: bit 0 rated; the others are 0
//	 1 + r   length and name of the ruleset, 1 to 32 of a-z 0-9 / - .
//	 1 + p   length and parameters of the ruleset, 0 to 255
//	80       seat 0: key (32), anchor (32), nonce (16)
//	80       seat 1: the same
//	16       limits in ms, 4 bytes each: split, choose, place, reveal; 0 is none
//
// and when rated
//
//	 32      key of the ranking server
//	160      ticket of seat 0
//	160      ticket of seat 1
//
// A ticket is player key (32), server key (32), serial (16), issued (8),
// expires (8), both in Unix seconds below 2^63, issued first, and the server's
// signature (64).
//
// The anchor is the end of a hash chain over a secret: in each round its seat
// reveals a layer, the first fitting the anchor, each later one the layer
// before.
//
// # Entry
//
//	1   bit 7 the author's seat, bits 0 to 6 the kind (engine.Kind):
//	    1 reveal, 2 split, 3 choose, 4 place, 5 flag, 6 resign
//	4   the author's thinking time in ms
//	2   ms the author waited for the entry before
//	n   payload: reveal 32 (the layer), split 2 (mask of the smaller part),
//	    choose 1, place 8 (set of cells), flag and resign none
//	32  digest of the engine's state after it
//
// 39 to 71 bytes. Whether a move is legal, its ruleset says, not the parser.
// The first entry has index 1.
//
// A signed entry as it travels and is journaled is match id (32), index (4, at
// least 1), the head before the entry (32), the entry, signature (64). A seal
// is match id (32), its index (4, at least 2), the head before the last entry
// (32), the last entry, signature (64). Both are at most 4,096 bytes, as are
// terms and proofs.
//
// # Resignation
//
// A resignation takes the index after the last entry that its author holds.
// It stands although the other seat has made entries from that index on; they
// are dropped and are no fraud. Two at one index are a draw with a final head
// of its own. Each is an entry on head(n-1), signed as such; no seal follows.
//
// # File of a match
//
// At most 65,536 bytes.
//
//	 6      "CLEAVE"
//	 1      2, the seats
//	 1      1, the version of this layout
//	 2 + t  length of the terms, and the terms
//	64      signature of seat 0 on the terms
//	64      of seat 1
//	 2      number of entries
//	 …      the entries
//	 1      end: 0 open, 1 sealed, 2 drawn
//	 …      signatures of 64 bytes, seat 0's first
//
// Open: of each seat that made an entry, the signature on its last one.
// Sealed, which needs an entry: of each seat, the one on the last entry for
// its author, the seal for the other. Drawn: the last two entries are the
// resignations of seat 0 and then of seat 1, both with the same index, and the
// signatures are on them.
//
// So a verifier computes the heads, checks two signatures (for a seat without
// an entry that on the terms, which else is covered by head(0)), and replays.
//
// # Proof of fraud
//
//	1      1, the version of this layout
//	2 + t  length of the terms, and the terms
//	1      seat of the player who signed both statements, 0 or 1
//	…      two statements: 1 entry or 2 seal, then index (4), head before
//	       (32), entry (for a seal the last one), signature (64); the one with
//	       the lower bytes first
//
// Which two statements are fraud, Conflict says.
//
// # Terms of a run
//
//	 2      protocol version, 1
//	 1      flags: bit 0 an attempt is named, bit 1 a bot plays
//	 1 + r  length and name of the ruleset
//	 1 + p  length and parameters of the ruleset
//	80      key (32), seed of the deal (32), nonce (16)
//	 1 + a  with bit 0: length, at least 1, and the endpoint's leave
//	 …      with bit 1: length and name of the bot (1 to 32 of printable
//	        ASCII), its version (2), seed (32), nodes a decision (4)
//
// # File of a run
//
// At most 524,288 bytes and 65,535 placements; a run that reaches a limit ends
// there.
//
//	 6      "CLEAVE"
//	 1      1, the seats
//	 1      1, the version of this layout
//	 2 + t  length of the terms, and the terms
//	 4      number of entries, 1 to 131,070
//	 …      stretches: 64 entries of 2 bytes (the last stretch may have fewer),
//	        and the digest of the engine's state after them (32)
//	38      claim: score (4, two's complement), best combo (2), final board (32)
//	64      signature
//
// An entry of a run is kind<<12 | slot<<8 | cell: 4 place, 7 second chance, 8
// hint; slot and cell of the last two are 0.
//
// # Worked example
//
// A signed entry: in the match whose id is 32 bytes 11, seat 1 resigns at
// index 5 after 1,000 ms (it waited 20), the head before is 32 bytes 22 and
// the digest after 32 bytes 33. The entry is
//
//	86 000003e8 0014 3333…33
//
// (86 is seat 1, kind 6). Its head is H("cleave/step/1" || 2222…22 || entry),
//
//	22629a04061ee7ecf13876912eed022239f5eb3cd512c300837c1c557d2debc1
//
// and what is signed is "cleave/entry/1" || 1111…11 || 00000005 || that head.
// It travels as 1111…11 00000005 2222…22 entry signature, 171 bytes.
package record
