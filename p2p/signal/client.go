package signal

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A Client is a connection to a rendezvous server, for one thing at a time:
// to host, to join or to meet; the rooms may be asked for at any time. Its
// methods may be called from several goroutines. Errors are or wrap Failures,
// but for those of contexts that ended.
type Client struct {
	server string
	dial   dialler

	mu     sync.Mutex
	link   *link
	closed bool
}

// Dial connects to the rendezvous server with this base URL (see ServerURL).
func Dial(ctx context.Context, server string) (*Client, error) {
	return dialWith(ctx, server, dialSocket)
}

// A dialler opens a socket to a URL. Its errors are or wrap Failures.
type dialler func(ctx context.Context, url string) (*Socket, error)

func dialWith(ctx context.Context, server string, dial dialler) (*Client, error) {
	server, err := ServerURL(server)
	if err != nil {
		return nil, err
	}
	l, err := openLink(ctx, server, dial)
	if err != nil {
		return nil, err
	}
	return &Client{server: server, dial: dial, link: l}, nil
}

// Server is the server's base URL.
func (c *Client) Server() string { return c.server }

// Close closes the connection, and with it a visit in progress. A mailbox
// that was not closed itself stays for another minute.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	l := c.link
	c.mu.Unlock()
	l.close()
	return nil
}

var errClosed = errors.New("signal: client closed")

func (c *Client) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

func (c *Client) current() *link {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.link
}

// Join takes the seat at the mailbox of a code or link.
func (c *Client) Join(ctx context.Context, code Code) (*Visit, error) {
	r := Request{Do: DoJoin, Number: code.Number}
	if code.Number == 0 {
		r.Mailbox = code.Mailbox.String()
	}
	v, err := c.join(ctx, r, ByCode)
	if err != nil {
		return nil, err
	}
	if code.Mailbox != (Mailbox{}) && v.name != code.Mailbox.String() {
		// The link says which mailbox it means; the server gave another.
		v.Close()
		return nil, fmt.Errorf("signal: join: another mailbox: %w", ProtocolError)
	}
	return v, nil
}

func (c *Client) join(ctx context.Context, r Request, by string) (*Visit, error) {
	l := c.current()
	reply, err := l.call(ctx, r, callLimit)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.visit
	if v == nil || v.number != reply.Visit {
		// It began, and ended before we came to look.
		return nil, fmt.Errorf("signal: join: %w", PeerLeft)
	}
	if _, err := ParseMailbox(reply.Mailbox); err != nil || v.by != by {
		return nil, fmt.Errorf("signal: join: %w", ProtocolError)
	}
	return v, nil
}

// Rooms returns the rooms that are listed, those that can be joined first.
// Only those whose host's signature holds are among them.
func (c *Client) Rooms(ctx context.Context) ([]Listing, error) {
	reply, err := c.current().call(ctx, Request{Do: DoRooms}, callLimit)
	if err != nil {
		return nil, err
	}
	var rooms []Listing
	for _, b := range reply.Rooms {
		if room, err := ParseListing(b); err == nil {
			rooms = append(rooms, room)
		}
	}
	slices.SortStableFunc(rooms, func(a, b Listing) int {
		return cmp.Or(numberOf(listingStates[:], a.State)-numberOf(listingStates[:], b.State), cmp.Compare(a.Name, b.Name))
	})
	return rooms, nil
}

// JoinRoom takes the seat at a room that Rooms returned. The pairing must
// expect the key that signed it: Visit.Expect.
func (c *Client) JoinRoom(ctx context.Context, room Listing) (*Visit, error) {
	v, err := c.join(ctx, Request{Do: DoJoin, Instance: room.Instance.String()}, ByRoom)
	if err != nil {
		return nil, err
	}
	v.key, v.name = room.Key, room.Instance.String()
	return v, nil
}

// FindRoom returns the listed room with this name or instance. Several rooms
// may have one name: then one that can be joined is taken, and if there are
// several of those, none.
func (c *Client) FindRoom(ctx context.Context, name string) (Listing, error) {
	rooms, err := c.Rooms(ctx)
	if err != nil {
		return Listing{}, err
	}
	var found []Listing
	for _, room := range rooms {
		if room.Instance.String() == name {
			return room, nil
		}
		if room.Name == name {
			found = append(found, room)
		}
	}
	joinable := func(l Listing) bool { return l.State == RoomStateOpen || l.State == RoomStateLocked }
	switch {
	case len(found) == 0:
		return Listing{}, fmt.Errorf("signal: looking for the room: %w", NoSuchRoom)
	case len(found) > 1 && joinable(found[1]): // the joinable ones come first
		return Listing{}, fmt.Errorf("signal: several rooms have this name: %w", NoSuchRoom)
	}
	return found[0], nil
}

// Resume waits at a resume address, in the role that the own seat had in the
// match, until the other party is there too.
func (c *Client) Resume(ctx context.Context, role Role, address [32]byte) (*Visit, error) {
	l := c.current()
	select {
	case <-l.arrivals: // of an earlier meeting
	default:
	}
	r := Request{Do: DoMeet, Role: role.String(), Address: hex.EncodeToString(address[:])}
	if _, err := l.call(ctx, r, callLimit); err != nil {
		return nil, err
	}
	select {
	case v := <-l.arrivals:
		if v.by != ByMeet {
			return nil, fmt.Errorf("signal: meet: %w", ProtocolError)
		}
		v.name = r.Address
		return v, nil
	case <-l.done:
		return nil, l.err()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
