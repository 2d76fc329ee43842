package signal

import (
	"encoding/binary"
	"encoding/json"
)

// Path is where a rendezvous server answers, below its base URL.
const Path = "/v1/rendezvous"

// FailureHeader is the HTTP header in which a server that refuses a socket
// says why, as a number. A browser does not show it to its page.
const FailureHeader = "Cleave-Failure"

// Sizes of what a rendezvous socket carries, in bytes.
const (
	// MaxRequest is the largest text message from a client.
	MaxRequest = 4 << 10
	// MaxReply is the largest text message from a server: a list of rooms.
	MaxReply = 256 << 10
	// MaxRelayed is the largest binary message either way.
	MaxRelayed = relayHeader + MaxMessage

	relayHeader = 4
)

// What a Request asks for.
const (
	DoHost   = "host"   // a mailbox and a code's number
	DoRenew  = "renew"  // another number, the old one being spent or expired
	DoBack   = "back"   // a lost socket's mailbox, by its token
	DoUnhost = "unhost" // close the mailbox
	DoList   = "list"   // show the room, or show it as it is now
	DoUnlist = "unlist" // show it no longer
	DoRooms  = "rooms"  // the rooms that are shown
	DoJoin   = "join"   // a seat at a mailbox, by Number, Mailbox or Instance
	DoMeet   = "meet"   // the other party of a resumed match, by Address
	DoLeave  = "leave"  // the end of the visit, from either side
	DoPing   = "ping"   // an answer
)

// A Request is one text message from a client. N is above 0 and comes back in
// the answer; 0 asks for none.
type Request struct {
	N        uint32 `json:"n,omitempty"`
	Do       string `json:"do"`
	Number   uint32 `json:"number,omitempty"`
	Mailbox  string `json:"mailbox,omitempty"`
	Instance string `json:"instance,omitempty"`
	Token    string `json:"token,omitempty"`
	Address  string `json:"address,omitempty"` // 64 hex digits
	Role     string `json:"role,omitempty"`    // "host" or "guest", to meet
	Listing  []byte `json:"listing,omitempty"` // Listing.Append
	Visit    uint32 `json:"visit,omitempty"`
}

// Events that a server sends unasked.
const (
	EventVisit   = "visit"   // somebody is there: messages may be exchanged
	EventGone    = "gone"    // the visit has ended
	EventSpent   = "spent"   // the code of Mailbox must not be used again
	EventExpired = "expired" // the code of Mailbox has had its time
)

// How the other side of a visit was found.
const (
	ByCode = "code"
	ByRoom = "room"
	ByMeet = "meet"
)

// A Reply is one text message from a server: the answer to the request N, or
// an event. Failure is 0, or says why the request was refused.
type Reply struct {
	N        uint32      `json:"n,omitempty"`
	Event    string      `json:"event,omitempty"`
	Failure  Failure     `json:"failure,omitempty"`
	Number   uint32      `json:"number,omitempty"`
	Mailbox  string      `json:"mailbox,omitempty"`
	Instance string      `json:"instance,omitempty"`
	Token    string      `json:"token,omitempty"`
	Rooms    [][]byte    `json:"rooms,omitempty"` // Listing.Append each
	Visit    uint32      `json:"visit,omitempty"`
	By       string      `json:"by,omitempty"`
	ICE      []ICEServer `json:"ice,omitempty"`
}

// An ICEServer is a STUN or TURN server with the credentials of one seat.
type ICEServer struct {
	URLs       []string `json:"urls"`
	Username   string   `json:"username,omitempty"`
	Credential string   `json:"credential,omitempty"`
}

// ParseRequest reads what a client sent. The error is a ProtocolError.
func ParseRequest(b []byte) (Request, error) {
	var r Request
	if len(b) > MaxRequest || json.Unmarshal(b, &r) != nil || r.Do == "" {
		return Request{}, ProtocolError
	}
	return r, nil
}

// ParseReply reads what a server sent. The error is a ProtocolError.
func ParseReply(b []byte) (Reply, error) {
	var r Reply
	if len(b) > MaxReply || json.Unmarshal(b, &r) != nil || (r.N == 0) == (r.Event == "") {
		return Reply{}, ProtocolError
	}
	if r.Failure != 0 && failures[r.Failure].name == "" {
		// A failure of a later version: refused, for a reason unknown here.
		r.Failure = ProtocolError
	}
	if len(r.ICE) > maxICE {
		return Reply{}, ProtocolError
	}
	return r, nil
}

// maxICE bounds the servers that a browser would be told to ask.
const maxICE = 8

// Marshal writes a Request or a Reply.
func Marshal[M Request | Reply](m M) []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic("signal: " + err.Error())
	}
	return b
}

// AppendRelayed appends a binary message: visit, and what is carried.
func AppendRelayed(b []byte, visit uint32, message []byte) []byte {
	return append(binary.BigEndian.AppendUint32(b, visit), message...)
}

// ParseRelayed takes a binary message apart. The error is a ProtocolError.
func ParseRelayed(b []byte) (visit uint32, message []byte, err error) {
	if len(b) <= relayHeader || len(b) > MaxRelayed {
		return 0, nil, ProtocolError
	}
	return binary.BigEndian.Uint32(b), b[relayHeader:], nil
}
