package vault

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"time"
)

// OutboxDays is how long a parcel is tried before it is given up.
const OutboxDays = 14

// A Parcel is something that a server has not taken yet.
type Parcel struct {
	ID      string    `json:"id"`     // names it: a match's id and what it is
	Kind    string    `json:"kind"`   // what it is, for whoever sends it
	Server  string    `json:"server"` // base URL
	Created time.Time `json:"created"`
	Next    time.Time `json:"next"` // not to be tried before
	Tries   int       `json:"tries"`
	Last    string    `json:"last,omitempty"` // what went wrong last
	Body    []byte    `json:"body"`
}

// PutParcel keeps a parcel, replacing one of the same ID.
func (v *Vault) PutParcel(p Parcel) error {
	if err := checkID(p.ID); err != nil {
		return err
	}
	v.kept.Lock()
	defer v.kept.Unlock()
	return v.storeJSON("outbox-"+p.ID, p)
}

// ReplaceParcel puts next in the place of p, or removes p if next is nil. When
// another body has taken p's place since it was read (the seal came while the
// log without it was being sent) that one stays as it is.
func (v *Vault) ReplaceParcel(p Parcel, next *Parcel) error {
	if err := checkID(p.ID); err != nil {
		return err
	}
	v.kept.Lock()
	defer v.kept.Unlock()
	var now Parcel
	ok, err := v.loadJSON("outbox-"+p.ID, &now)
	switch {
	case err != nil:
		return err
	case !ok || !bytes.Equal(now.Body, p.Body):
		return nil
	case next == nil:
		return v.store.remove("outbox-" + p.ID)
	}
	return v.storeJSON("outbox-"+p.ID, *next)
}

// Parcels lists the parcels that are not yet too old, in the order of Next,
// and removes those that are.
func (v *Vault) Parcels(now time.Time) ([]Parcel, error) {
	names, err := v.store.list("outbox-")
	if err != nil {
		return nil, err
	}
	var out []Parcel
	for _, n := range names {
		var p Parcel
		ok, err := v.loadJSON(n, &p)
		if err != nil {
			return out, err
		}
		if !ok {
			continue
		}
		if now.Sub(p.Created) > OutboxDays*24*time.Hour {
			if err := v.store.remove(n); err != nil && !errors.Is(err, ErrReadOnly) {
				return out, err
			}
			continue
		}
		p.ID = strings.TrimPrefix(n, "outbox-")
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b Parcel) int { return a.Next.Compare(b.Next) })
	return out, nil
}

// RemoveParcel removes a parcel that was taken.
func (v *Vault) RemoveParcel(id string) error {
	if err := checkID(id); err != nil {
		return err
	}
	return v.store.remove("outbox-" + id)
}
