package record

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// wrongSeats is a ruleset that calls itself a match and is for three.
type wrongSeats struct{ engine.Game }

func (wrongSeats) Seats() int { return 3 }

// termsCases are what Check refuses. Those whose fault can be written down are
// vectors too.
var termsCases = []struct {
	name     string
	want     Reason
	rated    bool
	change   func(t *Terms)
	inMemory bool // no bytes have this fault
}{
	{"friendly", 0, false, func(t *Terms) {}, false},
	{"friendly with double limits", 0, false, func(t *Terms) { t.Limits = DoubleLimits }, false},
	{"friendly without limits", 0, false, func(t *Terms) { t.Limits = NoLimits }, false},
	{"rated", 0, true, func(t *Terms) {}, false},
	{"another protocol", ErrProtocol, false, func(t *Terms) { t.Version = 2 }, false},
	{"unknown rules", ErrUnknownRules, false, func(t *Terms) { t.Rules = "duel/2" }, false},
	{"rules with a name too long", ErrUnknownRules, false, func(t *Terms) { t.Rules = strings.Repeat("x", 40) }, true},
	{"rules for one seat", ErrRulesSeats, false, func(t *Terms) { t.Rules = toyRules }, false},
	{"unknown parameters", ErrUnknownParams, false, func(t *Terms) { t.Params = []byte{1} }, false},
	{"parameters too long", ErrUnknownParams, false, func(t *Terms) { t.Params = make([]byte, 256) }, true},
	{"equal keys", ErrSameKeys, false, func(t *Terms) { t.Keys[1] = t.Keys[0] }, false},
	{"equal anchors", ErrSameAnchors, false, func(t *Terms) { t.Anchors[1] = t.Anchors[0] }, false},
	{"equal nonces", ErrSameNonces, false, func(t *Terms) { t.Nonces[1] = t.Nonces[0] }, false},
	{"a key of small order", ErrKeySmallOrder, false, func(t *Terms) { t.Keys[1] = orderEightA }, false},
	{"a second spelling of a key", ErrKeyForm, false, func(t *Terms) { t.Keys[0] = fill(0xff) }, false},
	{"a limit of one's own", ErrLimits, false, func(t *Terms) { t.Limits.SplitMs++ }, false},
	{"one limit off", ErrLimits, false, func(t *Terms) { t.Limits.PlaceMs = 0 }, false},
	{"rated with double limits", ErrRatedLimits, true, func(t *Terms) { t.Limits = DoubleLimits }, false},
	{"rated without limits", ErrRatedLimits, true, func(t *Terms) { t.Limits = NoLimits }, false},
	{"rated without a server", ErrNoServer, true, func(t *Terms) { t.Server = Key{} }, true},
	{"rated, server of small order", ErrKeySmallOrder, true, func(t *Terms) { t.Server = orderTwo }, false},
	{"rated without a ticket", ErrNoTicket, true, func(t *Terms) { t.Tickets[1] = Ticket{} }, true},
	{"rated, another player's ticket", ErrTicketPlayer, true, func(t *Terms) { t.Tickets[0].Player = guest.key }, false},
	{"rated, tickets swapped", ErrTicketPlayer, true, func(t *Terms) { t.Tickets[0], t.Tickets[1] = t.Tickets[1], t.Tickets[0] }, false},
	{"rated, another server's ticket", ErrTicketServer, true, func(t *Terms) { t.Tickets[1].Server = host.key }, false},
	{"rated, one ticket twice", ErrSameTickets, true, func(t *Terms) { t.Tickets[1].Serial = t.Tickets[0].Serial }, false},
	{"rated, a ticket that ends before it begins", ErrTicketTimes, true, func(t *Terms) { t.Tickets[1].Expires = t.Tickets[1].Issued }, false},
	{"rated, a ticket from before time", ErrTicketTimes, true, func(t *Terms) { t.Tickets[1].Issued = -1 }, false},
	{"friendly with a server", ErrNotRated, false, func(t *Terms) { t.Server = server.key }, true},
	{"friendly with a ticket", ErrNotRated, false, func(t *Terms) { t.Tickets[0] = rated(1).Tickets[0] }, true},
}

func TestTermsAreRefused(t *testing.T) {
	for _, c := range termsCases {
		t.Run(c.name, func(t *testing.T) {
			terms := friendly(1)
			if c.rated {
				terms = rated(1)
			}
			c.change(&terms)
			if err := terms.Check(games); reasonOf(err) != c.want {
				t.Errorf("Check: %v, want %v", err, c.want)
			}
			if c.inMemory || c.want == ErrProtocol {
				return
			}
			// What can be written down is refused by the parser, or by Check
			// of what was parsed.
			b := terms.Append(nil)
			parsed, err := ParseTerms(b)
			if err == nil {
				if !reflect.DeepEqual(parsed.Append(nil), b) {
					t.Error("does not encode to what it was read from")
				}
				err = parsed.Check(games)
			}
			if reasonOf(err) != c.want {
				t.Errorf("ParseTerms, Check: %v, want %v", err, c.want)
			}
		})
	}
	seats := friendly(1)
	if err := seats.Check(Games{seats.Rules: wrongSeats{}}); !errors.Is(err, ErrRulesSeats) {
		t.Error(err)
	}
}

func TestEveryByteOfTermsNamesTheMatch(t *testing.T) {
	terms := rated(1)
	b := terms.Append(nil)
	for i := range b {
		flipped := bytes.Clone(b)
		flipped[i] ^= 1
		got, err := ParseTerms(flipped)
		if err == nil && got.ID() == terms.ID() {
			t.Errorf("byte %d is not part of the match id", i)
		}
	}
	for n := range b {
		if _, err := ParseTerms(b[:n]); err == nil {
			t.Fatalf("cut to %d bytes they parse", n)
		}
	}
	if _, err := ParseTerms(append(bytes.Clone(b), 0)); !errors.Is(err, ErrTrailing) {
		t.Error(err)
	}
	if _, err := ParseTerms(make([]byte, MaxObject+1)); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}

func TestTermsThatCannotBeEncodedPanic(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	terms := friendly(1)
	terms.Params = make([]byte, 256)
	terms.Append(nil)
}

// ticketTimes are checks of a ticket at some time: also vectors.
var ticketTimes = []struct {
	name string
	now  int64
	want Reason
}{
	{"when it was issued", issued, 0},
	{"a little before, by a slow clock", issued - 600, 0},
	{"long before", issued - 601, ErrTicketEarly},
	{"with a day to run", issued + 6*24*3600, 0},
	{"with less than a day", issued + 6*24*3600 + 1, ErrTicketExpiring},
	{"expired", issued + 8*24*3600, ErrTicketExpiring},
	{"at the end of time", 1<<63 - 1, ErrTicketExpiring},
	{"before time", -1 << 63, ErrTicketEarly},
}

func TestTickets(t *testing.T) {
	good := rated(1).Tickets[0]
	for _, c := range ticketTimes {
		if err := good.Check(host.key, server.key, c.now); reasonOf(err) != c.want {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err := rated(1).CheckTickets(c.now); reasonOf(err) != c.want {
			t.Errorf("terms %s: %v, want %v", c.name, err, c.want)
		}
	}
	if err := friendly(1).CheckTickets(0); err != nil {
		t.Errorf("friendly terms: %v", err)
	}
	if err := good.Check(guest.key, server.key, issued); !errors.Is(err, ErrTicketPlayer) {
		t.Error(err)
	}
	if err := good.Check(host.key, guest.key, issued); !errors.Is(err, ErrTicketServer) {
		t.Error(err)
	}
	backwards := good
	backwards.Expires = backwards.Issued
	if err := backwards.Check(host.key, server.key, issued); !errors.Is(err, ErrTicketTimes) {
		t.Error(err)
	}
	b := good.Append(nil)
	if len(b) != ticketLen {
		t.Errorf("%d bytes", len(b))
	}
	for i := range b {
		flipped := bytes.Clone(b)
		flipped[i] ^= 0x10
		if got, err := ParseTicket(flipped); err == nil && got.CheckSignature() == nil {
			t.Errorf("byte %d can be changed", i)
		}
	}
	if got, err := ParseTicket(b); err != nil || got != good {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTermsAreSignedForTheirMatchAndSeat(t *testing.T) {
	terms, other := friendly(1), friendly(2)
	sig := terms.Sign(host.sign)
	if err := terms.CheckSignature(0, sig); err != nil {
		t.Error(err)
	}
	if terms.CheckSignature(1, sig) == nil || other.CheckSignature(0, sig) == nil {
		t.Error("the signature holds elsewhere too")
	}
	if terms.Seat(host.key) != 0 || terms.Seat(guest.key) != 1 || terms.Seat(server.key) != engine.Nobody {
		t.Error("seats")
	}
}

func TestLimits(t *testing.T) {
	for kind, want := range map[engine.Kind]uint32{engine.Split: 12_000, engine.Choose: 6_000, engine.Place: 10_000, engine.Reveal: 3_000, engine.Resign: 0} {
		if got := StandardLimits.For(kind); got != want {
			t.Errorf("kind %d: %d", kind, got)
		}
	}
}
