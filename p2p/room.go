package p2p

// A RoomState is what a passer-by sees of a room.
type RoomState string

// The states of a room. Only an open or a locked one can be joined.
const (
	RoomOpen    RoomState = "open"
	RoomLocked  RoomState = "locked" // open to who knows the password
	RoomFull    RoomState = "full"
	RoomPlaying RoomState = "playing"
)

// A Room is one announced room, as somebody who looks for a game sees it. All
// of it was said by a stranger: Key is believed only once a Conn has proved it
// (Info.Peer), and the texts are for showing alone.
type Room struct {
	Key     [32]byte  // the host's player key
	Player  string    // the host's display name, at most 60 bytes of UTF-8
	Name    string    // the room's name, at most 60 bytes of UTF-8
	State   RoomState //
	Clocks  string    // "standard", "double" or "off"
	Rated   bool      // the host means it to count
	Version uint16    // protocol version
	// Instance tells two programs of one player apart (a libp2p peer id on
	// a LAN, the mailbox id on a server).
	Instance string
	// Addrs are the addresses to dial on a LAN, best first; empty for a
	// room on a server.
	Addrs []string
}
