//go:build unix

package vault

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockFile takes the lock and writes the pid into it. The kernel drops the
// lock with the process, however that ends.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errLocked
		}
		return nil, err
	}
	if err := f.Truncate(0); err == nil {
		// Only for the sentence that a second process shows.
		fmt.Fprintf(f, "%d\n", os.Getpid())
	}
	return f, nil
}

// unlockFile gives the lock up at once, even if a program that is just being
// started still holds a copy of the file.
func unlockFile(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}

func diskQuota(err error) bool { return errors.Is(err, syscall.EDQUOT) }
