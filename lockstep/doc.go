// Package lockstep is the agreement of two engines: one side of a table, from
// the first hello to the seal.
//
// A Session does no I/O and holds no clock. It is given frames, commands and
// the present time, and returns an ordered list of actions: persist these
// bytes, send this frame, show this event. The same session runs under the
// window, the headless tool, the browser, and a simulator of thousands of
// seeds (sim_test.go).
//
// # Frames
//
// A frame has 19 to 4096 bytes. Numbers are big-endian, a flag is a byte of 0
// or 1, text(n) is a byte of length, at most n, and as many bytes of UTF-8,
// data(n) the same with two bytes of length. What does not encode back to its
// own bytes is refused.
//
//	 0  1  version of the layout: 1
//	 1  1  kind
//	 2  1  flags: bit 0, the sender has had frames of the receiver under this
//	       connection number; the other bits 0
//	 3  8  connection number, 1 to 2^63-1
//	11  4  sequence number, from 1, of kinds below 32; else 0
//	15  4  acknowledgement: the receiver's numbers 1 to this have arrived
//	19     body
//
// Connection number. Each new pipe begins one: Unix seconds in the upper half,
// 32 random bits in the lower, and more than any that was seen before. Both
// sides count their frames from 1 under it. A frame with a lower number is
// ignored; one with a higher number makes the receiver go over to that number
// and begin again, unless bit 0 says that its sender has heard the receiver
// under it: then that was another process of the receiver, whose place in the
// count is lost, and the receiver begins a number higher still.
//
// Under a new number each side says first who it is and where it stands
// (HELLO, RESUME), and then whatever it would have the other know; nothing is
// carried over from the number before. Numbered frames are held until all
// before them are there, at most 64 ahead, handled once and in order,
// acknowledged at once, and sent again after 1.5 s; no more than 64 are on
// their way. A ping goes out each second.
//
// Floods. Beyond a burst of 512, one numbered frame is taken each millisecond;
// the others are held and not acknowledged. When more than 128 of one's own are
// not acknowledged, a new connection number is begun in their place.
//
// The bodies, by kind:
//
//	 1 HELLO    oldest and newest version of the protocol, a byte each ·
//	            key 32 · capabilities 4 (none yet: 0) · name text(160) ·
//	            client text(64) · count 1, at most 8, of rulesets text(32) ·
//	            count 1, at most 4, of tickets of 160 bytes
//	 2 RESUME   stands 1: 0 no match, 1 a START is out, 2 the guest has
//	            answered, 3 in a match · ref 32: zero, the host's anchor, the
//	            match id, the match id · index 4 of the last entry held · head
//	            32 there · index 4 of the last entry held that the receiver
//	            signed
//	 3 ROOM     revision 4 · clocks 1: 0 standard, 1 double, 2 off · friendly
//	            flag · name text(60) · why 2
//	 4 READY    revision 4 · ready flag · why 2
//	 5 START    revision 4 · seat of the host 1 · rated flag · if rated, server
//	            key 32 · anchor 32 · nonce 16 · if rated, ticket 160
//	 6 ACCEPT   SHA-256("cleave/start/1" || body of the START) · rated flag ·
//	            anchor 32 · nonce 16 · if rated, ticket 160 · signature 64
//	 7 SIGN     match id 32 · signature 64
//	 8 REFUSE   digest of the START, as in ACCEPT · Reason 1
//	 9 TERMS    both signatures by seat, 64 each · terms as in record
//	10 ENTRIES  count 1, 1 to 16, of data: record.SignedEntry
//	11 SEAL     record.Seal
//	12 DESYNC   match id 32 · index 4 · part 1 from 0 · parts 1, at most 16 ·
//	            data(3500): a part of a Half
//	13 CALLOFF  match id 32 · index 4 · head 32 · signature 64 of
//	            "cleave/call-off/1" || what stands before it
//	14 ENDED    match id 32 · index 4 · head 32 · End 1: 2 or 4
//	15 REMATCH  id 32 of the match before · wanted flag
//	16 BYE      flag: it is an answer
//	32 PING     4 bytes of the sender's
//	33 PONG     the same 4 bytes
//	34 ACK      nothing
//	35 PREVIEW  match id 32 · index 4 · data(64)
//	36 CHAT     match id 32 or zero · counter 8 · signature 64 · data(280)
//	37 EXPRESSION  number 1
//
// why is the reasons for which, by its sender's lights, the match would not
// count: bit r for the Reason r.
//
// Worked example: the ping 00 00 03 e8 under number 0x6553f10000000001, after
// three numbered frames of the receiver:
//
//	01 20 01 6553f10000000001 00000000 00000003 000003e8
//
// # How a match begins
//
// Both say READY for one revision of the room. The host draws a secret and a
// nonce, journals them, and offers its anchor in START. The guest does the
// same, which completes the terms, journals and signs them, and answers with
// its half and its signature in ACCEPT. The host builds the same terms, checks
// all of it, journals and signs, and answers with SIGN. The guest draws its
// secret after it has seen the host's anchor; that helps nobody, since no
// layer behind an anchor is known before it is revealed, and what the guest
// chooses is in the terms before the first is. Either side's secret serves one
// terms only.
//
// # The journal of a match
//
// A journal is a list of records, each a byte for its kind and then:
//
//	 1 offer   version 1 · host flag · peer key 32 · secret of the pairing 32 ·
//	           Unix ms 8 · clocks 1 · friendly flag · room text(60) · peer's
//	           name text(160) · secret 32 · START data · by a guest ACCEPT
//	           data · by a guest terms data. Always the first, and only the
//	           first.
//	 2 signed  as TERMS
//	 3 entry   Unix ms 8, when it was applied · record.SignedEntry
//	 4 held    seat 1 · kind 1 · data 8 · thinking ms 4: a placement that is
//	           decided and not signed
//	 5 seal    record.Seal
//	 6 claim   ClaimReason 1 of one's own that stands, 0 when it is withdrawn
//	 7 ended   End 1 · seat + 1
//	 8 opened  flag
//	 9 frozen  index 4 · the entry that was refused here, if it was
//	10 off     one's own CALLOFF
//
// # After a restart
//
// Nothing is signed until the peer's RESUME has been read and, if it holds
// more than the journal, its entries have been taken, one's own among them. So
// a journal that has lost its last records leads to no second signature at an
// index, as long as the peer holds the first. A side without the journal
// stands in the lobby, and never signs in that match again.
package lockstep
