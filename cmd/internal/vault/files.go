//go:build !js

package vault

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/adrg/xdg"
)

// DefaultDir is the folder of all profiles where the system keeps such data.
func DefaultDir() string { return filepath.Join(xdg.DataHome, "cleave") }

// PicturesDir is the folder where the player's system keeps pictures; where it
// has none, that of downloads, else the player's own.
func PicturesDir() string {
	for _, dir := range []string{xdg.UserDirs.Pictures, xdg.UserDirs.Download} {
		if i, err := os.Stat(dir); err == nil && i.IsDir() {
			return dir
		}
	}
	return xdg.Home
}

func openStore(dir, profile string, readOnly bool) (store, string, error) {
	if dir == "" {
		dir = DefaultDir()
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, "", fmt.Errorf("vault: finding the data folder: %w", err)
	}
	dir = filepath.Join(dir, profile)
	s := &files{dir: dir, readOnly: readOnly}
	if readOnly {
		return s, dir, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, "", world("making the data folder", err)
	}
	if s.lock, err = lockFile(filepath.Join(dir, "lock")); err != nil {
		if errors.Is(err, errLocked) {
			return nil, "", &LockedError{Dir: dir, PID: lockHolder(filepath.Join(dir, "lock"))}
		}
		return nil, "", world("locking the profile", err)
	}
	if err := s.sweep(); err != nil {
		unlockFile(s.lock)
		return nil, "", err
	}
	return s, dir, nil
}

var errLocked = errors.New("locked by another process")

// lockHolder reads who holds the lock; the file may be empty for a moment
// while its holder writes it.
func lockHolder(path string) int {
	for range 20 {
		b, err := os.ReadFile(path)
		if err == nil {
			if pid, err := strconv.Atoi(strings.TrimSpace(string(b))); err == nil {
				return pid
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	return 0
}

// files keeps everything in one folder.
type files struct {
	dir      string
	readOnly bool
	lock     *os.File

	// step, when a test set it, is called before each step of storing, and
	// its error stands for the step's own.
	step func(step, name string) error

	mu   sync.Mutex // one write at a time
	open []*fileJournal
}

// sweep removes what was being written when an earlier process died.
func (s *files) sweep() error {
	tmp, err := filepath.Glob(filepath.Join(s.dir, "tmp-*"))
	if err != nil {
		return err
	}
	for _, f := range tmp {
		if err := os.Remove(f); err != nil {
			return world("removing a left-over file", err)
		}
	}
	return nil
}

// world wraps an error of the file system, and says so when the disk is full.
func world(doing string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || diskQuota(err) {
		return fmt.Errorf("vault: %s: %w (%w)", doing, ErrDiskFull, err)
	}
	return fmt.Errorf("vault: %s: %w", doing, err)
}

func (s *files) at(step, name string) error {
	if s.step != nil {
		return s.step(step, name)
	}
	return nil
}

func (s *files) path(name string) string { return filepath.Join(s.dir, name) }

func (s *files) put(name string, data []byte) error {
	if s.readOnly {
		return ErrReadOnly
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.putLocked(name, data); err != nil {
		return world("storing "+name, err)
	}
	return nil
}

func (s *files) putLocked(name string, data []byte) (err error) {
	f, err := os.CreateTemp(s.dir, "tmp-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err = s.at("write", name); err == nil {
		_, err = f.Write(data)
	}
	if err != nil {
		return err
	}
	if err = s.at("sync", name); err == nil {
		err = f.Sync()
	}
	if err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = s.at("rename", name); err == nil {
		err = os.Rename(f.Name(), s.path(name))
	}
	if err != nil {
		return err
	}
	if err = s.at("syncdir", name); err == nil {
		err = s.syncDir(s.dir)
	}
	return err
}

// syncDir makes renames in a folder durable, where the system can.
func (s *files) syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func (s *files) get(name string) ([]byte, error) {
	f, err := os.Open(s.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, world("reading "+name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxJournal+1))
	if err != nil {
		return nil, world("reading "+name, err)
	}
	if len(data) > maxJournal {
		return nil, fmt.Errorf("vault: %s is over %d bytes", name, maxJournal)
	}
	return data, nil
}

func (s *files) remove(name string) error {
	if s.readOnly {
		return ErrReadOnly
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := os.Remove(s.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = s.syncDir(s.dir)
	}
	if err != nil {
		return world("removing "+name, err)
	}
	return nil
}

func (s *files) rename(from, to string) error {
	if s.readOnly {
		return ErrReadOnly
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := os.Rename(s.path(from), s.path(to))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	if err == nil {
		err = s.syncDir(s.dir)
	}
	if err != nil {
		return world("renaming "+from, err)
	}
	return nil
}

func (s *files) list(prefix string) ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, world("reading the data folder", err)
	}
	var out []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasPrefix(e.Name(), prefix) {
			out = append(out, e.Name())
		}
	}
	slices.Sort(out)
	return out, nil
}

func (s *files) records(name string) ([][]byte, error) {
	data, err := s.get(name)
	if err != nil {
		return nil, err
	}
	records, _, err := decodeJournal(data)
	return records, err
}

func (s *files) journal(name string) (appender, [][]byte, error) {
	if s.readOnly {
		return nil, nil, ErrReadOnly
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := os.Lstat(s.path(name)); errors.Is(err, fs.ErrNotExist) {
		if err := s.putLocked(name, []byte(journalMagic)); err != nil {
			return nil, nil, world("beginning "+name, err)
		}
	}
	data, err := s.get(name)
	if err != nil {
		return nil, nil, err
	}
	records, good, err := decodeJournal(data)
	if err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(s.path(name), os.O_RDWR, 0)
	if err != nil {
		return nil, nil, world("opening "+name, err)
	}
	j := &fileJournal{s: s, f: f, name: name, size: int64(good)}
	if good < len(data) || good == 0 {
		if err := j.cut(); err != nil {
			f.Close()
			return nil, nil, world("dropping the torn end of "+name, err)
		}
	}
	s.open = append(s.open, j)
	return j, records, nil
}

func (s *files) quarantine(name string) (string, error) {
	if s.readOnly {
		return s.path(name), ErrReadOnly
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	dir := s.path("quarantine")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", world("making the quarantine", err)
	}
	stem := filepath.Join(dir, name+"."+time.Now().UTC().Format("20060102t150405"))
	to := stem
	for i := 2; ; i++ {
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			break
		}
		to = fmt.Sprintf("%s-%d", stem, i)
	}
	err := os.Rename(s.path(name), to)
	if err == nil {
		if err = s.syncDir(dir); err == nil {
			err = s.syncDir(s.dir)
		}
	}
	if err != nil {
		return "", world("moving "+name+" to quarantine", err)
	}
	return to, nil
}

func (s *files) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.open {
		j.shut()
	}
	s.open = nil
	if s.lock == nil {
		return nil
	}
	err := unlockFile(s.lock)
	s.lock = nil
	if err != nil {
		return world("unlocking the profile", err)
	}
	return nil
}
