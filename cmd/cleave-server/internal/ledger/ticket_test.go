package ledger

import (
	"fmt"
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

func (d *desk) work(p judgetest.Signer) uint64 {
	proof, _ := ranking.Work(d.key, p.Key, ranking.WorkBits, func() bool { return false })
	return proof
}

func (d *desk) tickets(p judgetest.Signer, ask ranking.TicketRequest, want int) []record.Ticket {
	d.t.Helper()
	got, err := d.Tickets(d.t.Context(), d.now, p.Key, ask)
	if err != nil {
		d.t.Fatal(err)
	}
	if len(got) != want {
		d.t.Fatalf("%d tickets, want %d", len(got), want)
	}
	for _, k := range got {
		if err := k.Check(p.Key, d.key, d.now/1000); err != nil {
			d.t.Fatal(err)
		}
	}
	return got
}

func (d *desk) noTickets(p judgetest.Signer, ask ranking.TicketRequest, want ranking.Reason) {
	d.t.Helper()
	_, err := d.Tickets(d.t.Context(), d.now, p.Key, ask)
	d.refused(err, want)
}

// spend uses tickets up in matches against somebody new each.
func (d *desk) spend(p judgetest.Signer, tickets []record.Ticket) {
	d.t.Helper()
	for _, k := range tickets {
		other := judgetest.NewSigner(string(k.Serial[:]))
		table := d.sitWith(p, other, string(k.Serial[:]), [2]record.Ticket{k, d.ticket(other, "x"+string(k.Serial[:]), d.now)})
		d.upload(table.Play(20).Resign(0).Seal(), ranking.StateConfirmed, ranking.None)
	}
}

func TestAllowanceOfTickets(t *testing.T) {
	d := newDesk(t)
	d.noTickets(alice, ranking.TicketRequest{Count: 3}, ranking.WorkNeeded)
	d.noTickets(alice, ranking.TicketRequest{Count: 3, Work: d.work(bob)}, ranking.WorkNeeded)
	for _, count := range []int{-1, 0, 11} {
		d.noTickets(alice, ranking.TicketRequest{Count: count}, ranking.BadRequest)
	}
	first := d.tickets(alice, ranking.TicketRequest{Count: 3, Work: d.work(alice)}, 3)
	d.tickets(alice, ranking.TicketRequest{Count: 10}, 2) // five a day in the first week
	d.noTickets(alice, ranking.TicketRequest{Count: 1}, ranking.NoMoreToday)
	d.now += day
	d.tickets(alice, ranking.TicketRequest{Count: 10}, 5)
	d.now += day
	d.noTickets(alice, ranking.TicketRequest{Count: 1}, ranking.TooManyTickets) // ten outstanding
	d.spend(alice, first)
	d.tickets(alice, ranking.TicketRequest{Count: 10}, 3)
	d.restart()
	d.noTickets(alice, ranking.TicketRequest{Count: 1}, ranking.TooManyTickets)

	// After a week there are twenty a day.
	d.now += 8 * day // all have expired
	for range 2 {
		d.spend(alice, d.tickets(alice, ranking.TicketRequest{Count: 10}, 10))
	}
	d.noTickets(alice, ranking.TicketRequest{Count: 1}, ranking.NoMoreToday)
}

func TestTermsThatEndedGiveATicketBack(t *testing.T) {
	d := newDesk(t)
	mine := d.tickets(alice, ranking.TicketRequest{Count: 5, Work: d.work(alice)}, 5)
	d.noTickets(alice, ranking.TicketRequest{Count: 1}, ranking.NoMoreToday)
	unplayed := d.sitWith(alice, bob, "unplayed", [2]record.Ticket{mine[0], d.ticket(bob, "b0", d.now)})
	played := d.sitWith(alice, bob, "played", [2]record.Ticket{mine[1], d.ticket(bob, "b1", d.now)})
	d.upload(played.Play(20), ranking.StateUnrated, ranking.Unfinished)
	foreign := d.sit(bob, carol, "foreign")
	ended := func(tables ...*judgetest.Table) ranking.TicketRequest {
		ask := ranking.TicketRequest{Count: 5}
		for _, table := range tables {
			ask.Ended = append(ask.Ended, ranking.NewSignedTerms(table.Terms, table.Sigs))
		}
		return ask
	}
	d.noTickets(alice, ended(foreign), ranking.NotYourMatch)
	d.noTickets(alice, ended(played), ranking.NoMoreToday)
	broken := ended(unplayed)
	broken.Ended[0].Signatures[1] = broken.Ended[0].Signatures[0]
	d.noTickets(alice, broken, ranking.WrongSignatures)
	broken.Ended[0].Terms = broken.Ended[0].Terms[1:]
	d.noTickets(alice, broken, ranking.BadRequest)

	d.tickets(alice, ended(unplayed, unplayed, played), 1)
	d.noTickets(alice, ended(unplayed), ranking.NoMoreToday) // once
	if m := d.state(unplayed); m.State != ranking.StateOpen {
		t.Errorf("the ended match is %s", m.State)
	}
	// The other player gets his back, too, beside the three that are left of
	// his day's five.
	ask := ended(unplayed)
	ask.Work = d.work(bob)
	d.tickets(bob, ask, 4)
}

// Leaving is free until the first reveal; who lets three opened matches end so
// within an hour can open no more for a while. What he plays all the same counts
// when it is complete.
func TestThreeMatchesAnHourMayEndBeforeTheyBegin(t *testing.T) {
	d := newDesk(t)
	others := []judgetest.Signer{bob, carol, bob, carol}
	var tables []*judgetest.Table
	for i, other := range others[:3] {
		tables = append(tables, d.sit(alice, other, fmt.Sprint("left", i)))
		d.opened(tables[i])
		d.now += 10 * minute
	}
	more := d.sit(alice, carol, "more")
	hand := func(p judgetest.Signer) error {
		_, _, err := d.Hand(t.Context(), d.now, p.Key, more.Terms, more.Sigs)
		return err
	}
	d.refused(hand(alice), ranking.LeftTooOften)
	if err := hand(carol); err != nil { // who let one end so
		t.Fatal(err)
	}
	// One that is open already stays so, for who comes back to it.
	if _, opening, err := d.Hand(t.Context(), d.now, alice.Key, tables[2].Terms, tables[2].Sigs); err != nil || opening == nil {
		t.Fatal(opening, err)
	}
	// Of one it turns out that it began.
	d.upload(tables[1].Play(4), ranking.StateUnrated, ranking.Unfinished)
	if err := hand(alice); err != nil {
		t.Fatal(err)
	}
	fourth := d.sit(alice, bob, "fourth")
	d.opened(fourth)
	last := d.sit(alice, bob, "last")
	_, _, err := d.Hand(t.Context(), d.now, alice.Key, last.Terms, last.Sigs)
	d.refused(err, ranking.LeftTooOften)
	d.now = t0 + 61*minute
	d.opened(last)
	full := d.sit(alice, carol, "full")
	_, _, err = d.Hand(t.Context(), d.now, alice.Key, full.Terms, full.Sigs)
	d.refused(err, ranking.LeftTooOften)
	d.upload(full.PlayOut().Seal(), ranking.StateConfirmed, ranking.None)
}

func TestOpening(t *testing.T) {
	d := newDesk(t)
	table := d.sit(alice, bob, "m")
	_, _, err := d.Hand(t.Context(), d.now, carol.Key, table.Terms, table.Sigs)
	d.refused(err, ranking.NotYourMatch)
	_, err = d.Opened(t.Context(), d.now, table.Terms.ID())
	d.refused(err, ranking.NotFound)
	one := d.opened(table)
	d.now += minute
	d.restart()
	_, opening, err := d.Hand(t.Context(), d.now, bob.Key, table.Terms, table.Sigs)
	if err != nil || opening == nil || *opening != one || one.Kind != ranking.Opened || one.Check(d.key) != nil {
		t.Errorf("%+v %v", opening, err)
	}
	if m := d.state(table); m.OpenedMs != t0 || m.State != ranking.StateOpen {
		t.Errorf("%+v", m)
	}
	// Not after the first reveal is known, not under a ticket used before, and
	// not under an expired one.
	played := d.sit(alice, bob, "played")
	d.upload(played.Play(5), ranking.StateUnrated, ranking.Unfinished)
	_, _, err = d.Hand(t.Context(), d.now, bob.Key, played.Terms, played.Sigs)
	d.refused(err, ranking.AlreadyDecided)
	_, err = d.Opened(t.Context(), d.now, played.Terms.ID())
	d.refused(err, ranking.AlreadyDecided)
	again := d.sitWith(alice, carol, "again", [2]record.Ticket{table.Terms.Tickets[0], d.ticket(carol, "c", d.now)})
	_, _, err = d.Hand(t.Context(), d.now, alice.Key, again.Terms, again.Sigs)
	d.refused(err, ranking.TicketSpent)
	old := d.sitWith(alice, carol, "old", [2]record.Ticket{d.ticket(alice, "o", d.now-7*day), d.ticket(carol, "p", d.now)})
	_, _, err = d.Hand(t.Context(), d.now, alice.Key, old.Terms, old.Sigs)
	d.refused(err, ranking.TicketTooOld)
}
