// Package lan carries frames between two programs on one local network: it
// announces and finds rooms by multicast DNS, connects over QUIC and, where
// that does not get through, TCP, and pairs the two players before it hands
// out a p2p.Conn. It is the only home of zeroconf and go-libp2p, and is not
// built for js, where every call answers signal.LANUnavailable.
//
// # The announcement
//
// A room is the service _cleave._udp in the domain local. Its instance name is
// "cleave-" and the libp2p peer id of the program, which is made afresh at
// each start. The SRV record's port is that of QUIC (UDP) and TCP alike. The
// TXT record has these strings, in any order; others are skipped:
//
//	v=1            protocol version, decimal, 1 to 65535
//	k=…            the host's player key, 32 bytes as base64url without padding
//	id=12D3KooW…   the libp2p peer id
//	n=…            the host's display name, 0 to 60 bytes of UTF-8 as base64url
//	r=…            the room's name, likewise
//	s=open         open, locked, full or playing
//	c=standard     standard, double or off
//	m=rated        rated or friendly
//
// An announcement that lacks one, has one twice, or breaks a rule is as if it
// were not there. (key, peer id) is the identity of a room.
//
// # The approach
//
// Only the joiner dials, and only to the peer id that was announced. It opens
// one stream, which carries messages: the length as two bytes, big-endian,
// then as many bytes. The joiner writes first:
//
//	1 byte   what it wants: 1 join, 2 go on with a match
//	32 bytes its player key, not yet proved
//	         whatever a later version adds is skipped
//
// Then both run signal.Pair with the host's peer id as the context and each
// one's own peer id as the binding; or the host refuses in its place. When the
// pairing has held and the other's binding is the peer id at the other end of
// the connection, the host sends one sealed byte: 0 (the seat is yours) or the
// number of a signal.Failure. From there on each message is one frame of 1 to
// 4096 bytes, protected by the connection's own encryption. Whoever closes
// ends its direction of the stream, waits for the other to do the same, and
// drops the connection.
package lan
