package vault

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"syscall/js"
	"time"
)

// A database is a store in IndexedDB: one object store of blobs by name, a
// journal being the bytes that its file would have. All of it is also in
// memory (a profile is some hundred kilobytes), so that reading never waits.
// Each change is one transaction of strict durability, and counts in memory
// only when that is complete: a transaction is kept whole or not at all, so
// that no journal of a browser has a torn end of its own making.
//
// A journal is put whole with each append. The journal of a match is at most
// 64 KiB, and simple is safe.
type database struct {
	kept     *memory
	db       js.Value
	readOnly bool
	unlock   func() // nil for a reader

	mu sync.Mutex // one change at a time
}

const (
	databaseVersion = 1
	blobStore       = "blobs"
)

func openDatabase(name string, readOnly bool) (*database, error) {
	idb := js.Global().Get("indexedDB")
	if !idb.Truthy() {
		return nil, ErrNoStorage
	}
	var request js.Value
	if err := attempt(func() { request = idb.Call("open", name, databaseVersion) }); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNoStorage, err)
	}
	upgrade := js.FuncOf(func(js.Value, []js.Value) any {
		request.Get("result").Call("createObjectStore", blobStore)
		return nil
	})
	defer upgrade.Release()
	request.Set("onupgradeneeded", upgrade)
	if err := settled(request, "onsuccess", "onerror", "onblocked"); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNoStorage, err)
	}
	s := &database{kept: &memory{blobs: map[string][]byte{}}, db: request.Get("result"), readOnly: readOnly}
	if err := s.load(); err != nil {
		s.db.Call("close")
		return nil, fmt.Errorf("%w (%w)", ErrNoStorage, err)
	}
	return s, nil
}

// load reads everything.
func (s *database) load() error {
	return attemptErr(func() error {
		store := s.db.Call("transaction", blobStore, "readonly").Call("objectStore", blobStore)
		names, blobs := store.Call("getAllKeys"), store.Call("getAll")
		// The requests of a transaction are answered in order.
		if err := settled(blobs, "onsuccess", "onerror"); err != nil {
			return err
		}
		keys, values := names.Get("result"), blobs.Get("result")
		for i := range keys.Length() {
			v := values.Index(i)
			b := make([]byte, v.Get("byteLength").Int())
			js.CopyBytesToGo(b, v)
			s.kept.blobs[keys.Index(i).String()] = b
		}
		return nil
	})
}

// A change is what one transaction does: blobs to put, nil ones to remove.
type change map[string][]byte

// apply makes a change last, and then known.
func (s *database) apply(doing string, c change) error {
	if s.readOnly {
		return ErrReadOnly
	}
	err := attemptErr(func() error {
		t := s.db.Call("transaction", blobStore, "readwrite", map[string]any{"durability": "strict"})
		store := t.Call("objectStore", blobStore)
		for name, data := range c {
			if data == nil {
				store.Call("delete", name)
				continue
			}
			a := js.Global().Get("Uint8Array").New(len(data))
			js.CopyBytesToJS(a, data)
			store.Call("put", a, name)
		}
		return settled(t, "oncomplete", "onabort", "onerror")
	})
	if err != nil {
		var full *browserError
		if errors.As(err, &full) && full.name == "QuotaExceededError" {
			return fmt.Errorf("vault: %s: %w (%w)", doing, ErrDiskFull, err)
		}
		return fmt.Errorf("vault: %s: %w", doing, err)
	}
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	for name, data := range c {
		if data == nil {
			delete(s.kept.blobs, name)
			continue
		}
		s.kept.blobs[name] = bytes.Clone(data)
	}
	return nil
}

func (s *database) put(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if data == nil {
		data = []byte{}
	}
	return s.apply("storing "+name, change{name: data})
}

func (s *database) get(name string) ([]byte, error) { return s.kept.get(name) }

func (s *database) remove(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.apply("removing "+name, change{name: nil})
}

func (s *database) rename(from, to string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.move(from, to)
}

// move renames; the caller holds s.mu.
func (s *database) move(from, to string) error {
	b, err := s.kept.get(from)
	if err != nil {
		return err
	}
	if from == to {
		return nil
	}
	return s.apply("renaming "+from, change{from: nil, to: b})
}

func (s *database) list(prefix string) ([]string, error) { return s.kept.list(prefix) }

func (s *database) records(name string) ([][]byte, error) { return s.kept.records(name) }

func (s *database) journal(name string) (appender, [][]byte, error) {
	if s.readOnly {
		return nil, nil, ErrReadOnly
	}
	data, err := s.kept.get(name)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, nil, err
	}
	records, good, err := decodeJournal(data)
	if err != nil {
		return nil, nil, err
	}
	if good == 0 {
		data, good = []byte(journalMagic), len(journalMagic)
		if err := s.put(name, data); err != nil {
			return nil, nil, err
		}
	} else if good < len(data) {
		if err := s.put(name, data[:good]); err != nil {
			return nil, nil, err
		}
	}
	return &databaseJournal{s: s, name: name}, records, nil
}

func (s *database) quarantine(name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to := "quarantine/" + name + "." + time.Now().UTC().Format("20060102t150405")
	for {
		if _, err := s.kept.get(to); err != nil {
			return to, s.move(name, to)
		}
		to += "+"
	}
}

func (s *database) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.db.Call("close")
	if s.unlock != nil {
		s.unlock()
		s.unlock = nil
	}
	return nil
}

type databaseJournal struct {
	s      *database
	name   string
	closed bool
}

func (j *databaseJournal) append(records [][]byte) error {
	if j.closed {
		return errors.New("vault: the journal is closed")
	}
	if len(records) == 0 {
		return nil
	}
	j.s.mu.Lock()
	defer j.s.mu.Unlock()
	data, err := j.s.kept.get(j.name)
	if err != nil {
		return err
	}
	for _, r := range records {
		data = appendFrame(data, r)
	}
	if len(data) > maxJournal {
		return fmt.Errorf("vault: %s would be over %d bytes", j.name, maxJournal)
	}
	return j.s.apply("writing "+j.name, change{j.name: data})
}

func (j *databaseJournal) close() error {
	j.closed = true
	return nil
}

// A browserError is what IndexedDB said.
type browserError struct{ name, message string }

func (e *browserError) Error() string { return e.name + ": " + e.message }

// settled waits for a request or transaction: nil after the event named first,
// an error after any other.
func settled(target js.Value, good string, bad ...string) error {
	done := make(chan error, 1)
	tell := func(err error) {
		select {
		case done <- err:
		default:
		}
	}
	on := js.FuncOf(func(js.Value, []js.Value) any { tell(nil); return nil })
	off := js.FuncOf(func(_ js.Value, args []js.Value) any {
		e := &browserError{"Error", "the browser gave no reason"}
		if v := target.Get("error"); v.Truthy() {
			e = &browserError{v.Get("name").String(), v.Get("message").String()}
		} else if len(args) > 0 && args[0].Get("type").String() == "blocked" {
			e = &browserError{"Blocked", "another tab is in the way"}
		}
		tell(e)
		return nil
	})
	target.Set(good, on)
	for _, b := range bad {
		target.Set(b, off)
	}
	err := <-done
	target.Set(good, js.Null())
	for _, b := range bad {
		target.Set(b, js.Null())
	}
	on.Release()
	off.Release()
	return err
}

// attempt calls f and returns what JavaScript threw in it.
func attempt(f func()) error {
	return attemptErr(func() error { f(); return nil })
}

func attemptErr(f func() error) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case js.Error:
			err = &browserError{e.Get("name").String(), e.Get("message").String()}
		default:
			panic(e)
		}
	}()
	return f()
}
