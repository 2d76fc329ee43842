package vault

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"
)

// Memory returns a vault that keeps everything in memory and is gone with the
// process: for tests, for bots that play both seats, and for a browser that
// refuses to store.
func Memory(profile string) *Vault {
	return &Vault{store: &memory{blobs: map[string][]byte{}}, profile: profile, where: "memory"}
}

// memory is a store of nothing but a map. A journal is the bytes its file
// would have, so that both read alike.
type memory struct {
	mu    sync.Mutex
	blobs map[string][]byte
}

func (s *memory) put(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blobs[name] = bytes.Clone(data)
	return nil
}

func (s *memory) get(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.blobs[name]
	if !ok {
		return nil, ErrNotFound
	}
	return bytes.Clone(b), nil
}

func (s *memory) remove(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.blobs, name)
	return nil
}

func (s *memory) rename(from, to string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.blobs[from]
	if !ok {
		return ErrNotFound
	}
	delete(s.blobs, from)
	s.blobs[to] = b
	return nil
}

func (s *memory) list(prefix string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for n := range s.blobs {
		if strings.HasPrefix(n, prefix) && !strings.HasPrefix(n, "quarantine/") {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out, nil
}

func (s *memory) records(name string) ([][]byte, error) {
	data, err := s.get(name)
	if err != nil {
		return nil, err
	}
	records, _, err := decodeJournal(data)
	return records, err
}

func (s *memory) journal(name string) (appender, [][]byte, error) {
	data, err := s.get(name)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, nil, err
	}
	records, good, err := decodeJournal(data)
	if err != nil {
		return nil, nil, err
	}
	if good == 0 {
		data, good = []byte(journalMagic), len(journalMagic)
	}
	if err := s.put(name, data[:good]); err != nil {
		return nil, nil, err
	}
	return &memoryJournal{s: s, name: name}, records, nil
}

func (s *memory) quarantine(name string) (string, error) {
	to := "quarantine/" + name
	for {
		if _, err := s.get(to); err != nil {
			return to, s.rename(name, to)
		}
		to += "+"
	}
}

func (s *memory) close() error { return nil }

type memoryJournal struct {
	s    *memory
	name string
}

func (j *memoryJournal) append(records [][]byte) error {
	j.s.mu.Lock()
	defer j.s.mu.Unlock()
	for _, r := range records {
		j.s.blobs[j.name] = appendFrame(j.s.blobs[j.name], r)
	}
	return nil
}

func (j *memoryJournal) close() error { return nil }
