package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A LogInfo is what the index says of a saved log.
type LogInfo struct {
	ID           string    `json:"id"` // match id in hexadecimal
	Saved        time.Time `json:"saved"`
	Rules        string    `json:"rules"`
	Seat         int       `json:"seat"` // one's own
	Opponent     string    `json:"opponent"`
	OpponentName string    `json:"opponent_name,omitempty"`
	Score        [2]int32  `json:"score"` // by seat
	Winner       int       `json:"winner"`
	Result       string    `json:"result"` // in words
	Complete     bool      `json:"complete"`
	Sealed       bool      `json:"sealed"`
	Rated        bool      `json:"rated"`
	Server       string    `json:"server,omitempty"` // ranking server's key
}

// SaveLog keeps a match's log and its line in the index; a later one of the
// same ID (the seal came) takes its place.
func (v *Vault) SaveLog(info LogInfo, log []byte) error {
	if err := checkID(info.ID); err != nil {
		return err
	}
	line, err := json.Marshal(info)
	if err != nil {
		return fmt.Errorf("vault: a log's line: %w", err)
	}
	if err := v.store.put("log-"+info.ID, log); err != nil {
		return fmt.Errorf("saving the match: %w", err)
	}
	// The oldest half is listed without its details from then on.
	return v.addLine("index", line, func(lines [][]byte) [][]byte { return lines[len(lines)/2:] })
}

// listLimit is the size in bytes from which a list is cut down: some twenty
// thousand matches.
var listLimit = 8 << 20

// addLine appends a line to a list. One that has grown beyond the limit is
// first cut down to what shrink keeps of it.
func (v *Vault) addLine(list string, line []byte, shrink func(lines [][]byte) [][]byte) error {
	v.kept.Lock()
	defer v.kept.Unlock()
	app, lines, err := v.store.journal(list)
	var d *damage
	if errors.As(err, &d) {
		// The logs themselves are safe; only the list begins anew.
		var c *CorruptError
		if e := v.spoil(list, d.reason); !errors.As(e, &c) {
			return e
		}
		app, lines, err = v.store.journal(list)
	}
	if err != nil {
		return fmt.Errorf("opening the list %s: %w", list, err)
	}
	defer app.close()
	if journalSize(lines) > listLimit {
		fresh := []byte(journalMagic)
		for _, l := range append(slices.Clip(shrink(lines)), line) {
			fresh = appendFrame(fresh, l)
		}
		if err := v.store.put(list, fresh); err != nil {
			return fmt.Errorf("writing the list %s: %w", list, err)
		}
		return nil
	}
	if err := app.append([][]byte{line}); err != nil {
		return fmt.Errorf("writing the list %s: %w", list, err)
	}
	return nil
}

func journalSize(records [][]byte) (n int) {
	for _, r := range records {
		n += frameHead + len(r)
	}
	return n
}

// latest reads the list of that name: of several lines with one id the last, in
// the place of the first, and where each id stands. A line that does not read is
// passed over, and a damaged list is put aside and begins anew.
func latest[T any](v *Vault, name string, id func(T) string) (out []T, at map[string]int, err error) {
	records, err := v.store.records(name)
	var d *damage
	if errors.As(err, &d) {
		var c *CorruptError
		if e := v.spoil(name, d.reason); !errors.As(e, &c) {
			return nil, nil, e
		}
	} else if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, nil, err
	}
	at = map[string]int{}
	for _, r := range records {
		var info T
		if json.Unmarshal(r, &info) != nil || checkID(id(info)) != nil {
			continue
		}
		if i, ok := at[id(info)]; ok {
			out[i] = info
			continue
		}
		at[id(info)] = len(out)
		out = append(out, info)
	}
	return out, at, nil
}

// Logs lists the saved logs, the newest last. A log whose line was lost is
// listed with its ID alone.
func (v *Vault) Logs() ([]LogInfo, error) {
	out, at, err := latest(v, "index", func(l LogInfo) string { return l.ID })
	if err != nil {
		return nil, err
	}
	names, err := v.store.list("log-")
	if err != nil {
		return nil, err
	}
	var lost []LogInfo
	for _, n := range names {
		id := strings.TrimPrefix(n, "log-")
		if _, ok := at[id]; !ok {
			lost = append(lost, LogInfo{ID: id, Winner: -1})
		}
	}
	return append(lost, out...), nil
}

// Log returns a saved log, or ErrNotFound.
func (v *Vault) Log(id string) ([]byte, error) { return v.blob("log-", id) }

// SaveReceipt keeps a server's receipt for a match.
func (v *Vault) SaveReceipt(id string, receipt []byte) error {
	return v.saveBlob("receipt-", id, receipt)
}

// Receipt returns a server's receipt for a match, or ErrNotFound.
func (v *Vault) Receipt(id string) ([]byte, error) { return v.blob("receipt-", id) }

// SaveBundle keeps what a desync left, and returns where, for a person.
func (v *Vault) SaveBundle(id string, bundle []byte) (string, error) {
	if err := v.saveBlob("bundle-", id, bundle); err != nil {
		return "", err
	}
	return v.where + "/bundle-" + id, nil
}

// Bundles lists the kept bundles by id.
func (v *Vault) Bundles() ([]string, error) {
	names, err := v.store.list("bundle-")
	for i, n := range names {
		names[i] = strings.TrimPrefix(n, "bundle-")
	}
	return names, err
}

// Bundle returns a kept bundle, or ErrNotFound.
func (v *Vault) Bundle(id string) ([]byte, error) { return v.blob("bundle-", id) }

func (v *Vault) saveBlob(prefix, id string, data []byte) error {
	if err := checkID(id); err != nil {
		return err
	}
	if err := v.store.put(prefix+id, data); err != nil {
		return fmt.Errorf("storing %s%s: %w", prefix, id, err)
	}
	return nil
}

func (v *Vault) blob(prefix, id string) ([]byte, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	return v.store.get(prefix + id)
}
