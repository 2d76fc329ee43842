package record

import "encoding/binary"

const ticketDomain = "cleave/ticket/1"

// ticketLen is the length of a ticket in bytes.
const ticketLen = 32 + 32 + 16 + 8 + 8 + 64

// Times of tickets, in seconds.
const (
	// TicketLife is how long a ticket runs from its issue.
	TicketLife = 7 * 24 * 3600
	// TicketMargin is how long a ticket must still run when terms are signed
	// under it, so that a match begun under it can be handed in.
	TicketMargin = 24 * 3600
	// ticketSkew is how far a player's clock may lag behind the server's.
	ticketSkew = 10 * 60
)

// A Ticket is the ranking server's leave to play one rated match. It goes
// into one terms only, for ever.
type Ticket struct {
	Player  Key      // to whom it was issued
	Server  Key      // by whom
	Serial  [16]byte // drawn by the server, never given twice
	Issued  int64    // Unix seconds
	Expires int64    // Unix seconds, after Issued
	Sig     Signature
}

// IssueTicket makes a ticket and has the server sign it.
func IssueTicket(player, server Key, serial [16]byte, issued, expires int64, sign Signer) Ticket {
	t := Ticket{Player: player, Server: server, Serial: serial, Issued: issued, Expires: expires}
	t.Sig = sign(t.message())
	return t
}

// message is what the server signs: the domain and the ticket without its
// signature.
func (t Ticket) message() []byte {
	b := append(make([]byte, 0, len(ticketDomain)+ticketLen), ticketDomain...)
	return t.appendBody(b)
}

func (t Ticket) appendBody(b []byte) []byte {
	b = append(b, t.Player[:]...)
	b = append(b, t.Server[:]...)
	b = append(b, t.Serial[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(t.Issued))
	return binary.BigEndian.AppendUint64(b, uint64(t.Expires))
}

// Append appends the ticket's 160 bytes to b.
func (t Ticket) Append(b []byte) []byte { return append(t.appendBody(b), t.Sig[:]...) }

// ParseTicket reads the bytes of one ticket, whole. It does not check the
// signature: see Check.
func ParseTicket(b []byte) (Ticket, error) {
	r := read(b, MaxObject)
	t := r.ticket()
	if err := r.end(); err != nil {
		return Ticket{}, err
	}
	return t, nil
}

func (r *reader) ticket() Ticket {
	var t Ticket
	t.Player = r.key()
	t.Server = r.key()
	t.Serial = r.nonce()
	t.Issued = int64(r.uint64())
	t.Expires = int64(r.uint64())
	t.Sig = r.signature()
	if r.err == nil && (t.Issued < 0 || t.Expires <= t.Issued) {
		r.refuse(ErrTicketTimes)
	}
	return t
}

// Check reports whether the ticket is this player's, of this server, signed
// by it, and has at least a day to run at now (Unix seconds). The errors are
// ErrTicketPlayer, ErrTicketServer, ErrTicketTimes, ErrTicketEarly,
// ErrTicketExpiring and ErrTicketSignature.
func (t Ticket) Check(player, server Key, now int64) error {
	switch {
	case t.Player != player:
		return ErrTicketPlayer
	case t.Server != server:
		return ErrTicketServer
	case t.Issued < 0 || t.Expires <= t.Issued:
		return ErrTicketTimes
	case t.Issued-ticketSkew > now:
		return ErrTicketEarly
	case t.Expires-TicketMargin < now:
		return ErrTicketExpiring
	}
	return t.CheckSignature()
}

// CheckSignature is ErrTicketSignature unless t.Server signed the ticket.
func (t Ticket) CheckSignature() error {
	if !t.Server.Verify(t.message(), t.Sig) {
		return ErrTicketSignature
	}
	return nil
}
