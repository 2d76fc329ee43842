//go:build !js

package vault

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

// fileJournal appends to one file.
type fileJournal struct {
	s      *files
	f      *os.File
	name   string
	size   int64 // of what is whole and synced
	broken bool
	closed bool
}

// cut makes the file end at size, with a beginning in any case.
func (j *fileJournal) cut() error {
	if err := j.f.Truncate(j.size); err != nil {
		return err
	}
	if j.size == 0 {
		if _, err := j.f.WriteAt([]byte(journalMagic), 0); err != nil {
			return err
		}
		j.size = int64(len(journalMagic))
	}
	return j.f.Sync()
}

func (j *fileJournal) append(records [][]byte) error {
	j.s.mu.Lock()
	defer j.s.mu.Unlock()
	if j.closed {
		return errors.New("vault: the journal is closed")
	}
	if j.broken {
		return ErrBroken
	}
	var buf []byte
	for _, r := range records {
		buf = appendFrame(buf, r)
	}
	if len(buf) == 0 {
		return nil
	}
	if j.size+int64(len(buf)) > maxJournal {
		return fmt.Errorf("vault: %s would be over %d bytes", j.name, maxJournal)
	}
	err := j.s.at("append", j.name)
	if err == nil {
		_, err = j.f.WriteAt(buf, j.size)
	}
	if err != nil {
		// What was written of it must not stand before a later record.
		if cut := j.cut(); cut != nil {
			j.broken = true
		}
		return world("writing "+j.name, err)
	}
	if err = j.s.at("fsync", j.name); err == nil {
		err = j.f.Sync()
	}
	if err != nil {
		// After a failed sync the kernel may have dropped the pages and
		// report success next time: nothing here can be believed again.
		j.broken = true
		return world("syncing "+j.name, err)
	}
	j.size += int64(len(buf))
	return nil
}

func (j *fileJournal) close() error {
	j.s.mu.Lock()
	defer j.s.mu.Unlock()
	j.s.open = slices.DeleteFunc(j.s.open, func(o *fileJournal) bool { return o == j })
	return j.shut()
}

func (j *fileJournal) shut() error {
	if j.closed {
		return nil
	}
	j.closed = true
	return j.f.Close()
}
