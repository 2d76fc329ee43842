package record

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// fill is 32 bytes of one value.
func fill(c byte) (b [32]byte) {
	for i := range b {
		b[i] = c
	}
	return b
}

func TestTheWorkedExampleOfThePackageComment(t *testing.T) {
	e := SignedEntry{Match: fill(0x11), Index: 5, Prev: fill(0x22), Entry: Entry{
		Move: engine.Move{Seat: 1, Kind: engine.Resign}, ThinkMs: 1000, WaitMs: 20, Digest: fill(0x33)}}
	e.Sig = guest.sign(signed(entryDomain, e.Match, e.Index, e.Head()))
	if got := hex.EncodeToString(e.Entry.append(nil)[:7]); got != "86000003e80014" {
		t.Error(got)
	}
	if err := e.Check(guest.key); err != nil {
		t.Error(err)
	}
	if n := len(e.Append(nil)); n != 171 {
		t.Errorf("%d bytes", n)
	}
	head := e.Head()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	if want := "//\t" + hex.EncodeToString(head[:]) + "\n"; !strings.Contains(string(doc), want) {
		t.Errorf("the package comment does not give the head %x", head)
	}
}

func TestEntriesOfEveryKindTravel(t *testing.T) {
	for _, m := range []engine.Move{
		{Kind: engine.Reveal, Layer: fill(7)},
		{Seat: 1, Kind: engine.Split, Data: 0xffff},
		{Kind: engine.Choose, Data: 255},
		{Seat: 1, Kind: engine.Place, Data: 1<<64 - 1},
		{Kind: engine.Flag},
		{Seat: 1, Kind: engine.Resign},
	} {
		e := SignedEntry{Match: fill(1), Index: 1<<32 - 1, Prev: fill(2), Entry: Entry{Move: m, ThinkMs: 1<<32 - 1, WaitMs: 1<<16 - 1, Digest: fill(3)}, Sig: Signature{4}}
		b := e.Append(nil)
		got, err := ParseSignedEntry(b)
		if err != nil || got != e {
			t.Errorf("%v: %+v, %v", m, got, err)
		}
		if n := len(e.Entry.append(nil)); n != entrySize(&e.Entry) || n < minEntry || n > maxEntry {
			t.Errorf("%v: %d bytes", m, n)
		}
		s := Seal{Match: e.Match, Index: e.Index, Prev: e.Prev, Last: e.Entry, Sig: e.Sig}
		if got, err := ParseSeal(s.Append(nil)); err != nil || got != s {
			t.Errorf("seal of %v: %+v, %v", m, got, err)
		}
		for n := range b {
			if _, err := ParseSignedEntry(b[:n]); !errors.Is(err, ErrShort) {
				t.Fatalf("%v cut to %d bytes: %v", m, n, err)
			}
		}
		if _, err := ParseSignedEntry(append(bytes.Clone(b), 0)); !errors.Is(err, ErrTrailing) {
			t.Errorf("%v with a byte more: %v", m, err)
		}
	}
}

func TestMovesThatNoEntryCanHold(t *testing.T) {
	for _, m := range []engine.Move{
		{},
		{Kind: engine.Chance},
		{Kind: engine.Hint},
		{Kind: 9},
		{Seat: 2, Kind: engine.Resign},
		{Kind: engine.Resign, Data: 1},
		{Kind: engine.Flag, Layer: fill(1)},
		{Kind: engine.Reveal, Data: 1},
		{Kind: engine.Split, Data: 1 << 16},
		{Kind: engine.Choose, Data: 256},
		{Kind: engine.Place, Layer: fill(1)},
	} {
		if encodable(&m) {
			t.Errorf("%+v is encodable", m)
		}
		e := SignedEntry{Match: fill(1), Index: 1, Entry: Entry{Move: m}}
		if err := e.Check(host.key); !errors.Is(err, ErrSignature) {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

// None of the domains may be the beginning of another: then no signed or
// hashed message of one is one of another.
func TestNoDomainBeginsAnother(t *testing.T) {
	domains := []string{codeDomain, layerDomain, matchDomain, headDomain, stepDomain, drawDomain, runDomain, runHeadDomain,
		stretchDomain, claimDomain, boardDomain, termsDomain, entryDomain, sealDomain, runSealDomain, ticketDomain, callOffDomain}
	for i, a := range domains {
		for j, b := range domains {
			if i != j && strings.HasPrefix(a, b) {
				t.Errorf("%q begins %q", b, a)
			}
		}
	}
}
