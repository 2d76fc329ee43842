package vault

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"sync"
	"time"
)

// The frames of a journal. A journal begins with the eight bytes "CLVJRNL1";
// each record is
//
//	u32be length | u32be CRC-32C of length's four bytes and the payload | payload
//
// A record is torn when the bytes end inside it, or when it is the last and
// its checksum does not hold, or when nothing but zero bytes follows (what some
// file systems leave after a power cut). Torn tails are dropped: the append
// that left them never returned, so nothing was sent on the strength of them.
// Anything else that does not read is damage.
const (
	journalMagic = "CLVJRNL1"
	frameHead    = 8
	// maxRecord is far above what a session persists (an entry, terms, a
	// frame of 4 KiB) and bounds what a damaged length can ask for.
	maxRecord = 1 << 20
	// maxJournal bounds a whole journal: a match is 64 KiB at most.
	maxJournal = 16 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func frameSum(length, payload []byte) uint32 {
	return crc32.Update(crc32.Checksum(length, castagnoli), castagnoli, payload)
}

func appendFrame(b, payload []byte) []byte {
	at := len(b)
	b = binary.BigEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.BigEndian.AppendUint32(b, frameSum(b[at:at+4], payload))
	return append(b, payload...)
}

// decodeJournal returns the records and how many bytes of data they and the
// magic take; what is behind those bytes is a torn tail. The error is a
// *damage. Records alias data.
func decodeJournal(data []byte) (records [][]byte, good int, err error) {
	if len(data) < len(journalMagic) {
		if strings.HasPrefix(journalMagic, string(data)) || zeros(data) {
			return nil, 0, nil
		}
		return nil, 0, &damage{"it does not begin like a journal"}
	}
	if string(data[:len(journalMagic)]) != journalMagic {
		if zeros(data) {
			return nil, 0, nil
		}
		return nil, 0, &damage{"it does not begin like a journal"}
	}
	good = len(journalMagic)
	for good < len(data) {
		rest := data[good:]
		if len(rest) < frameHead {
			return records, good, nil
		}
		n := int64(binary.BigEndian.Uint32(rest))
		end := frameHead + n
		if end > int64(len(rest)) {
			if n > maxRecord && !zeros(rest[frameHead:]) {
				return records, good, &damage{fmt.Sprintf("record %d says it has %d bytes", len(records), n)}
			}
			return records, good, nil
		}
		payload := rest[frameHead:end]
		if frameSum(rest[:4], payload) != binary.BigEndian.Uint32(rest[4:]) || n > maxRecord {
			if end == int64(len(rest)) || zeros(rest) {
				return records, good, nil
			}
			return records, good, &damage{fmt.Sprintf("the checksum of record %d does not hold", len(records))}
		}
		records = append(records, payload)
		good += int(end)
	}
	return records, good, nil
}

func zeros(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// PastDays is how long the journal of an ended match is kept: proofs of fraud
// are taken for 7 days after a confirmation, which may itself come 14 days
// after the match.
const PastDays = 21

// A Journal is the write-ahead record of one match. It is used by one
// goroutine.
type Journal struct {
	v    *Vault
	name string
	app  appender
	once sync.Once
}

// Name is the journal's name, which OpenJournal takes.
func (j *Journal) Name() string { return j.name }

// Append stores the records in order; they are on the disk when it returns
// nil. After an error none of them counts (ErrDiskFull: it may be tried again;
// ErrBroken: it may not).
func (j *Journal) Append(records ...[]byte) error {
	for _, r := range records {
		if len(r) > maxRecord {
			return errRecordSize(r)
		}
	}
	if err := j.app.append(records); err != nil {
		return fmt.Errorf("writing the match's journal: %w", err)
	}
	return nil
}

// Close closes the journal and leaves its match unfinished.
func (j *Journal) Close() error {
	var err error
	j.once.Do(func() { err = j.app.close() })
	return err
}

// Finish closes the journal of a match that needs it no longer, and keeps it
// among the past ones.
func (j *Journal) Finish(now time.Time) error {
	if err := j.Close(); err != nil {
		return err
	}
	return j.v.FinishJournal(j.name, now)
}

// CreateJournal begins the journal of a new match under a name that no other
// has (small letters, digits, dashes). It is there with its first records or
// not at all.
func (v *Vault) CreateJournal(name string, records ...[]byte) (*Journal, error) {
	if err := checkID(name); err != nil {
		return nil, err
	}
	if _, err := v.store.records("match-" + name); !errors.Is(err, ErrNotFound) {
		if err == nil {
			err = fmt.Errorf("vault: there is a journal %q already", name)
		}
		return nil, err
	}
	for _, r := range records {
		if len(r) > maxRecord {
			return nil, errRecordSize(r)
		}
	}
	data := []byte(journalMagic)
	for _, r := range records {
		data = appendFrame(data, r)
	}
	if err := v.store.put("match-"+name, data); err != nil {
		return nil, fmt.Errorf("beginning a match's journal: %w", err)
	}
	app, _, err := v.store.journal("match-" + name)
	if err != nil {
		return nil, fmt.Errorf("beginning a match's journal: %w", err)
	}
	return &Journal{v: v, name: name, app: app}, nil
}

func errRecordSize(r []byte) error {
	return fmt.Errorf("vault: a journal record of %d bytes is over %d", len(r), maxRecord)
}

// Journals lists the unfinished matches by their journals' names.
func (v *Vault) Journals() ([]string, error) {
	names, err := v.store.list("match-")
	for i, n := range names {
		names[i] = strings.TrimPrefix(n, "match-")
	}
	return names, err
}

// OpenJournal opens an unfinished match's journal for more and returns its
// records. A damaged one is quarantined and its match is lost: without its
// whole journal nothing may be signed in a match again.
func (v *Vault) OpenJournal(name string) (*Journal, [][]byte, error) {
	if err := checkID(name); err != nil {
		return nil, nil, err
	}
	if _, err := v.store.records("match-" + name); errors.Is(err, ErrNotFound) {
		return nil, nil, err
	}
	app, records, err := v.store.journal("match-" + name)
	var d *damage
	if errors.As(err, &d) {
		return nil, nil, v.spoil("match-"+name, d.reason)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("opening a match's journal: %w", err)
	}
	return &Journal{v: v, name: name, app: app}, records, nil
}

// ReadJournal returns the records of an unfinished match's journal without
// opening it.
func (v *Vault) ReadJournal(name string) ([][]byte, error) {
	if err := checkID(name); err != nil {
		return nil, err
	}
	records, err := v.store.records("match-" + name)
	var d *damage
	if errors.As(err, &d) {
		return nil, v.spoil("match-"+name, d.reason)
	}
	return records, err
}

// FinishJournal moves a journal from the unfinished to the past ones.
func (v *Vault) FinishJournal(name string, now time.Time) error {
	if err := checkID(name); err != nil {
		return err
	}
	return v.store.rename("match-"+name, "past-"+now.UTC().Format(pastStamp)+"-"+name)
}

// pastStamp is the time in the name of a past journal.
const pastStamp = "20060102t150405"

// PrunePast removes the journals of matches that ended long ago (PastDays).
func (v *Vault) PrunePast(now time.Time) error {
	names, err := v.store.list("past-")
	if err != nil {
		return err
	}
	limit := "past-" + now.UTC().AddDate(0, 0, -PastDays).Format(pastStamp)
	for _, n := range names {
		if n < limit {
			if err := v.store.remove(n); err != nil {
				return err
			}
		}
	}
	return nil
}
