package lockstep

import (
	"crypto/ed25519"
	"slices"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/lockstep/record"
)

var serverPriv = [2]ed25519.PrivateKey{
	ed25519.NewKeyFromSeed([]byte(strings.Repeat("s", 32))),
	ed25519.NewKeyFromSeed([]byte(strings.Repeat("t", 32))),
}

// ticket issues one, good for so many hours from the time at which pairs
// begin.
func ticket(server int, player record.Key, serial byte, hours int64) record.Ticket {
	return ticketFor(server, player, serial, hours*3600)
}

func ticketFor(server int, player record.Key, serial byte, seconds int64) record.Ticket {
	priv := serverPriv[server]
	now := int64(1_700_000_000)
	return record.IssueTicket(player, record.Key(priv.Public().(ed25519.PublicKey)), [16]byte{serial, player[0]},
		now-3600, now+seconds, func(m []byte) record.Signature { return record.Signature(ed25519.Sign(priv, m)) })
}

// rated gives a side three tickets of one server.
func rated(i int, c *Config) {
	for serial := range byte(3) {
		c.Tickets = append(c.Tickets, ticket(0, c.Key, serial, 100))
	}
}

func TestWhyAMatchWillNotCount(t *testing.T) {
	rows := []struct {
		name   string
		change func(i int, c *Config)
		want   [2][]Reason
	}{
		{"both have tickets", rated, [2][]Reason{nil, nil}},
		{"friendly", func(i int, c *Config) { rated(i, c); c.Room.Friendly = true },
			[2][]Reason{{WhyFriendly}, {WhyFriendly}}},
		{"double clocks", func(i int, c *Config) { rated(i, c); c.Room.Clocks = ClocksDouble },
			[2][]Reason{{WhyClocks}, {WhyClocks}}},
		{"no tickets at all", nil, [2][]Reason{{WhyNoTicket}, {WhyNoTicket}}},
		{"the guest has none", func(i int, c *Config) {
			if i == 0 {
				rated(i, c)
			}
		}, [2][]Reason{{WhyPeerNoTicket}, {WhyNoTicket}}},
		{"the guest's has 23 hours to run", func(i int, c *Config) {
			c.Tickets = []record.Ticket{ticket(0, c.Key, 1, 100-77*int64(i))}
		}, [2][]Reason{{WhyPeerNoTicket}, {WhyNoTicket}}},
		// A day and a little: the peer's clock may be ahead.
		{"both have a day and 59 minutes to run", func(i int, c *Config) {
			c.Tickets = []record.Ticket{ticketFor(0, c.Key, 1, 24*3600+59*60)}
		}, [2][]Reason{{WhyNoTicket}, {WhyNoTicket}}},
		{"both have a day and 61 minutes to run", func(i int, c *Config) {
			c.Tickets = []record.Ticket{ticketFor(0, c.Key, 1, 24*3600+61*60)}
		}, [2][]Reason{nil, nil}},
		{"different servers", func(i int, c *Config) { c.Tickets = []record.Ticket{ticket(i, c.Key, 1, 100)} },
			[2][]Reason{{WhyNoServer}, {WhyNoServer}}},
		{"the second server is common", func(i int, c *Config) {
			if i == 0 {
				c.Tickets = append(c.Tickets, ticket(1, c.Key, 1, 100))
			}
			c.Tickets = append(c.Tickets, ticket(0, c.Key, 1, 100))
		}, [2][]Reason{nil, nil}},
		{"somebody else's ticket", func(i int, c *Config) {
			c.Tickets = []record.Ticket{ticket(0, c.Peer, 1, 100)}
		}, [2][]Reason{{WhyNoTicket}, {WhyNoTicket}}},
		{"a ticket that nobody signed", func(i int, c *Config) {
			rated(i, c)
			for n := range c.Tickets {
				c.Tickets[n].Sig[0] ^= 1
			}
		}, [2][]Reason{{WhyNoTicket}, {WhyNoTicket}}},
		{"the guest's journal is not safe", func(i int, c *Config) { rated(i, c); c.Unsafe = i == 1 },
			[2][]Reason{{WhyPeer}, {WhyJournal}}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := newPair(t, row.change)
			p.connect()
			for i := range 2 {
				if got := p.s[i].View().Room.Why; !slices.Equal(got, row.want[i]) {
					t.Errorf("side %d: %v, want %v", i, got, row.want[i])
				}
			}
			p.ready()
			p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
			for i := range 2 {
				m := p.s[i].match
				if m == nil {
					t.Fatalf("no match: %s", p.said(i))
				}
				if m.terms.Rated != (row.want[0] == nil) {
					t.Errorf("side %d: rated %v", i, m.terms.Rated)
				}
				spent := 0
				for _, e := range p.events[i] {
					if e, ok := e.(TicketSpent); ok {
						spent++
						if e.Ticket != m.terms.Tickets[m.seat] {
							t.Error("another ticket was spent than stands in the terms")
						}
					}
				}
				if (spent == 1) != m.terms.Rated {
					t.Errorf("side %d spent %d tickets", i, spent)
				}
			}
		})
	}
}

// A ticket is spent before this side's signature under it leaves, and never
// goes into other terms.
func TestTicketsAreUsedOnce(t *testing.T) {
	p := newPair(t, rated)
	used := map[[16]byte]bool{}
	p.connect()
	p.ready()
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	for n := range 4 {
		m := p.s[0].match
		if want := n < 3; m.terms.Rated != want {
			t.Fatalf("match %d: rated %v", n, m.terms.Rated)
		}
		if m.terms.Rated {
			for _, k := range m.terms.Tickets {
				if used[k.Serial] {
					t.Errorf("match %d uses a ticket again", n)
				}
				used[k.Serial] = true
			}
		}
		p.do(0, func(s *Session) []Action { return s.Resign(p.now()) })
		for i := range 2 {
			p.do(i, func(s *Session) []Action { return s.Rematch(p.now(), true) })
		}
	}
}

// A Ready stands for what was shown: when the verdict turns, it is taken back.
func TestReadyIsForTheVerdictShown(t *testing.T) {
	p := newPair(t, rated)
	p.connect()
	p.ready()
	p.do(1, func(s *Session) []Action { return s.SetTickets(p.now(), nil) })
	for i := range 2 {
		v := p.s[i].View().Room
		if len(v.Why) == 0 || v.Ready != [2]bool{} {
			t.Errorf("side %d: %+v", i, v)
		}
	}
	p.clear()
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	if p.said(0) != "Refused(both players must be ready first)" {
		t.Error(p.said(0))
	}
}

// The first reveal of a rated match waits until the driver says whether the
// match is opened, but not for ever.
func TestFirstRevealWaitsForTheOpening(t *testing.T) {
	p := newPair(t, func(i int, c *Config) { rated(i, c); c.OpenWaitMs = 5000 })
	p.begin()
	if p.s[0].match.chain.Len() != 0 {
		t.Fatal("revealed before the opening")
	}
	p.do(0, func(s *Session) []Action { return s.Opened(p.now(), true) })
	if p.s[0].match.chain.Len() != 1 {
		t.Error("seat 0 does not reveal once opened")
	}
	p.wait(5100)
	if p.s[0].match.chain.Len() < 2 {
		t.Error("seat 1 waits for ever")
	}
	if !p.s[0].View().Opened || p.s[1].View().Opened {
		t.Error("opened is not what the drivers said")
	}
}
