// Package vault keeps one profile's data: the key that is the player, the
// name and settings, tickets, the journal of each unfinished match, the outbox
// of what a server has not taken yet, finished logs with their index, and the
// bundles that a desync leaves.
//
// # Promises
//
// What a method has stored is on the disk when the method returns: files are
// written beside their place, synced, renamed and the folder synced; a journal
// record is written and synced. A file that does not read back is moved to
// quarantine and named in Problems: it is never overwritten and never lost.
// One process at a time writes to a profile; a second one gets a *LockedError
// that says which process was first, or a view that refuses to store.
//
// A Vault may be used by several goroutines. It knows nothing of what it
// keeps: tickets, journal records, logs and bundles are bytes to it.
//
// # Layout
//
// A profile is one flat set of named blobs and journals; on a disk each is a
// file under DIR/PROFILE:
//
//	lock                    held while a process has the profile open; its pid
//	key                     the secret key (format: Identity), mode 0600
//	key.old-HEX             keys that an import replaced, by public key
//	settings                JSON; fields this version does not know are kept
//	tickets                 JSON: tickets to use and the serials already used
//	match-NAME              the journal of an unfinished match
//	past-NAME               the journal of an ended one, kept for PastDays
//	outbox-ID               JSON: something to hand to a server
//	log-ID                  a finished match, the .cleave file
//	run-SLOT                the journal of a solo game in progress
//	runlog-ID               a solo game that has ended, the .cleave file
//	runs                    a journal of JSON records, one per solo game kept
//	receipt-ID              a server's receipt for it
//	index                   a journal of JSON records, one per saved log
//	bundle-ID               what a desync left
//	quarantine/             what did not read back, by name and time
//
// Files whose names begin with "tmp-" were being written when the program died
// and are removed at the next Open.
package vault

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// DefaultProfile is the profile used when none is named.
const DefaultProfile = "default"

// Errors of the world around the vault.
var (
	// ErrDiskFull is wrapped by every error that comes of a full disk or
	// quota. What was to be stored is not, and what was there still is.
	ErrDiskFull = errors.New("the disk is full")
	// ErrReadOnly is returned by methods that store, of a vault opened with
	// View.
	ErrReadOnly = errors.New("vault: this profile is open for reading only")
	// ErrNotFound is returned when nothing of that name is kept.
	ErrNotFound = errors.New("vault: not found")
	// ErrBroken is returned by a journal after a sync has failed: what is on
	// the disk is unknown until the profile is opened again.
	ErrBroken = errors.New("vault: the journal can no longer be trusted to reach the disk; restart the program")
)

// A LockedError says that another process has the profile open.
type LockedError struct {
	Dir string // the profile's folder
	PID int    // the first process, 0 if it could not be read
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("vault: another program is already using the profile in %s; close it first, or use another --profile", e.Dir)
	}
	return fmt.Sprintf("vault: process %d is already using the profile in %s; close it first, or use another --profile", e.PID, e.Dir)
}

// A CorruptError says that something kept did not read back, and where it was
// put.
type CorruptError struct {
	Name   string // what it was
	Where  string // where it is now
	Reason string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("vault: %s is damaged (%s); it is kept in %s", e.Name, e.Reason, e.Where)
}

// A store is the place where a vault's blobs and journals are kept: a folder
// natively, a database in a browser. Names are of the letters a to z, digits,
// '-' and '.'. Each method is durable when it returns, and may be called from
// several goroutines.
type store interface {
	// put stores a blob whole or not at all.
	put(name string, data []byte) error
	// get returns a blob, or ErrNotFound.
	get(name string) ([]byte, error)
	// remove removes a blob or journal; that there is none is no error.
	remove(name string) error
	// rename renames a blob or journal, replacing what had the new name.
	rename(from, to string) error
	// list returns the names with the prefix, in ascending order.
	list(prefix string) ([]string, error)
	// journal opens the journal for appending, making it if there is none,
	// and returns its records. A torn tail is dropped; damage anywhere else
	// is a *damage and leaves the journal alone.
	journal(name string) (appender, [][]byte, error)
	// records reads a journal without opening it: ErrNotFound, *damage.
	records(name string) ([][]byte, error)
	// quarantine moves a blob or journal out of the way and says where to.
	quarantine(name string) (string, error)
	// close gives the store up.
	close() error
}

// An appender adds records to one journal.
type appender interface {
	// append stores the records, all or none as far as the caller can tell.
	append(records [][]byte) error
	close() error
}

// damage is what a store returns for a journal that is not merely torn.
type damage struct{ reason string }

func (d *damage) Error() string { return d.reason }

// A Vault is one open profile.
type Vault struct {
	store   store
	profile string
	where   string

	// kept is held while one blob is read, changed and stored.
	kept sync.Mutex

	mu       sync.Mutex // guards what follows
	problems []error
	id       *Identity // nil until first used
}

// ProfileError says why a profile's name cannot be used.
type ProfileError struct{ Name string }

func (e *ProfileError) Error() string {
	return fmt.Sprintf("vault: %q cannot be a profile's name; use 1 to 32 letters, digits, dashes or underscores", e.Name)
}

func checkProfile(name string) error {
	if len(name) < 1 || len(name) > 32 {
		return &ProfileError{name}
	}
	for _, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return &ProfileError{name}
		}
	}
	return nil
}

// Open opens a profile for this process alone. dir is the folder of all
// profiles ("" for DefaultDir); profile "" is DefaultProfile. The error is a
// *LockedError when another process was first.
func Open(dir, profile string) (*Vault, error) { return open(dir, profile, false) }

// View opens a profile for reading, even while another process has it open.
// Methods that would store return ErrReadOnly. A profile that is not there
// reads as empty.
func View(dir, profile string) (*Vault, error) { return open(dir, profile, true) }

func open(dir, profile string, readOnly bool) (*Vault, error) {
	if profile == "" {
		profile = DefaultProfile
	}
	if err := checkProfile(profile); err != nil {
		return nil, err
	}
	s, where, err := openStore(dir, profile, readOnly)
	if err != nil {
		return nil, err
	}
	return &Vault{store: s, profile: profile, where: where}, nil
}

// Close gives the profile up for the next process. Journals still open are
// closed by it.
func (v *Vault) Close() error { return v.store.close() }

// Profile is the profile's name.
func (v *Vault) Profile() string { return v.profile }

// Where says where the data is kept, for a person: a folder, or "memory".
func (v *Vault) Where() string { return v.where }

// Problems lists what did not read back since the vault was opened, each a
// *CorruptError.
func (v *Vault) Problems() []error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]error(nil), v.problems...)
}

// spoil moves name to quarantine, notes that, and returns the note.
func (v *Vault) spoil(name, reason string) error {
	where, err := v.store.quarantine(name)
	if err != nil && !errors.Is(err, ErrReadOnly) {
		return fmt.Errorf("moving the damaged %s away: %w", name, err)
	}
	if where == "" {
		where = v.where
	}
	e := &CorruptError{Name: name, Where: where, Reason: reason}
	v.mu.Lock()
	v.problems = append(v.problems, e)
	v.mu.Unlock()
	return e
}

// checkID refuses names from outside that could leave the flat set.
func checkID(id string) error {
	if id == "" || len(id) > 100 || strings.HasPrefix(id, ".") {
		return fmt.Errorf("vault: %q cannot be a name", id)
	}
	for _, c := range []byte(id) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return fmt.Errorf("vault: %q cannot be a name", id)
		}
	}
	return nil
}
