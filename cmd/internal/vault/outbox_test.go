//go:build unix

package vault

import (
	"bytes"
	"errors"
	"testing"
	"time"
)

func TestATicketIsUsedOnce(t *testing.T) {
	for name, v := range map[string]*Vault{"memory": Memory("p"), "files": mustOpen(t, t.TempDir())} {
		t.Run(name, func(t *testing.T) {
			srv := [32]byte{9}
			mk := func(n byte, d time.Duration) Ticket {
				return Ticket{Server: srv, Serial: [16]byte{n}, Expires: noon.Add(d), Bytes: []byte{n}}
			}
			must(t, v.AddTickets(noon, mk(1, 48*time.Hour), mk(2, 30*time.Hour), mk(3, time.Hour), mk(4, -time.Hour)))
			must(t, v.AddTickets(noon, mk(2, 30*time.Hour)))
			ts, err := v.Tickets(srv, noon.Add(24*time.Hour))
			must(t, err)
			if len(ts) != 2 || ts[0].Serial[0] != 2 || ts[1].Serial[0] != 1 || ts[0].Bytes[0] != 2 {
				t.Fatalf("got %v", ts)
			}
			must(t, v.SpendTicket(srv, ts[0].Serial))
			if err := v.SpendTicket(srv, ts[0].Serial); !errors.Is(err, ErrNotFound) {
				t.Errorf("spent twice: %v", err)
			}
			must(t, v.AddTickets(noon, ts[0])) // the server thinks it unused
			if ts, _ := v.Tickets(srv, noon.Add(24*time.Hour)); len(ts) != 1 || ts[0].Serial[0] != 1 {
				t.Errorf("a spent ticket came back: %v", ts)
			}
			if ts, _ := v.Tickets([32]byte{8}, noon); len(ts) != 0 {
				t.Errorf("another server's: %v", ts)
			}
		})
	}
}

func TestOutbox(t *testing.T) {
	v := mustOpen(t, t.TempDir())
	must(t, v.PutParcel(Parcel{ID: "b", Kind: "log", Created: noon, Next: noon.Add(2 * time.Minute), Body: []byte{0, 255}}))
	must(t, v.PutParcel(Parcel{ID: "a", Created: noon, Next: noon.Add(3 * time.Minute)}))
	must(t, v.PutParcel(Parcel{ID: "old", Created: noon.AddDate(0, 0, -15)}))
	ps, err := v.Parcels(noon)
	must(t, err)
	if len(ps) != 2 || ps[0].ID != "b" || !bytes.Equal(ps[0].Body, []byte{0, 255}) {
		t.Fatalf("got %+v", ps)
	}
	must(t, v.RemoveParcel("b"))
	must(t, v.RemoveParcel("b"))
	if ps, _ := v.Parcels(noon); len(ps) != 1 {
		t.Errorf("got %+v", ps)
	}
	if err := v.PutParcel(Parcel{ID: "../x"}); err == nil {
		t.Error("an ID that leaves the folder was taken")
	}
}

func TestAParcelThatWasReplacedMeanwhileStays(t *testing.T) {
	v := Memory("p")
	old := Parcel{ID: "a", Created: noon, Body: []byte("unsealed")}
	must(t, v.PutParcel(old))
	retry := old
	retry.Tries = 1
	must(t, v.ReplaceParcel(old, &retry))
	if ps, _ := v.Parcels(noon); len(ps) != 1 || ps[0].Tries != 1 {
		t.Errorf("got %+v", ps)
	}
	must(t, v.PutParcel(Parcel{ID: "a", Created: noon, Body: []byte("sealed")}))
	must(t, v.ReplaceParcel(old, nil))
	must(t, v.ReplaceParcel(old, &retry))
	if ps, _ := v.Parcels(noon); len(ps) != 1 || string(ps[0].Body) != "sealed" || ps[0].Tries != 0 {
		t.Errorf("got %+v", ps)
	}
	must(t, v.ReplaceParcel(Parcel{ID: "a", Body: []byte("sealed")}, nil))
	must(t, v.ReplaceParcel(old, &retry))
	if ps, _ := v.Parcels(noon); len(ps) != 0 {
		t.Errorf("got %+v", ps)
	}
}
