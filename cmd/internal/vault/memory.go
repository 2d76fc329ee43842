package vault

import (
	"bytes"
	"errors"
	"fmt"
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

// Limit lets a Memory vault hold so many bytes, as a browser's quota would:
// what does not fit returns ErrDiskFull and leaves what was there. A negative
// limit is none. It panics for a vault that is not in memory.
func (v *Vault) Limit(bytes int) {
	s, ok := v.store.(*memory)
	if !ok {
		panic("vault: only a vault in memory can be limited")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit, s.limited = bytes, bytes >= 0
}

// memory is a store of nothing but a map. A journal is the bytes its file
// would have, so that both read alike.
type memory struct {
	mu      sync.Mutex
	blobs   map[string][]byte
	limit   int
	limited bool
}

// room is ErrDiskFull unless so many bytes more fit. The caller holds s.mu.
func (s *memory) room(more int) error {
	if !s.limited {
		return nil
	}
	for _, b := range s.blobs {
		more += len(b)
	}
	if more > s.limit {
		return fmt.Errorf("vault: storing in memory: %w", ErrDiskFull)
	}
	return nil
}

func (s *memory) put(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.room(len(data) - len(s.blobs[name])); err != nil {
		return err
	}
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
	var more []byte
	for _, r := range records {
		more = appendFrame(more, r)
	}
	if err := j.s.room(len(more)); err != nil {
		return err
	}
	j.s.blobs[j.name] = append(j.s.blobs[j.name], more...)
	return nil
}

func (j *memoryJournal) close() error { return nil }
