//go:build !js

package rtc

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pion/logging"
)

// troubles is how many warnings are remembered.
const troubles = 3

// troubleLog is pion's logger. It writes nothing and remembers the last
// warnings, because a refused relay is told to the log and nowhere else.
type troubleLog struct {
	mu    sync.Mutex
	texts []string
}

// NewLogger is part of logging.LoggerFactory.
func (t *troubleLog) NewLogger(scope string) logging.LeveledLogger {
	return &scopeLog{troubleLog: t, scope: scope}
}

// last is the last warnings, or "".
func (t *troubleLog) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.texts, "; ")
}

type scopeLog struct {
	*troubleLog
	scope string
}

// keepf keeps a warning with particulars. Those without ("failed to ping without
// candidate pairs") are about the course of things and would displace these.
func (l *scopeLog) keepf(format string, args ...any) {
	text := l.scope + ": " + fmt.Sprintf(format, args...)
	l.mu.Lock()
	defer l.mu.Unlock()
	if slices.Contains(l.texts, text) {
		return
	}
	if len(l.texts) == troubles {
		l.texts = l.texts[1:]
	}
	l.texts = append(l.texts, text)
}

func (*scopeLog) Trace(string)          {}
func (*scopeLog) Tracef(string, ...any) {}
func (*scopeLog) Debug(string)          {}
func (*scopeLog) Debugf(string, ...any) {}
func (*scopeLog) Info(string)           {}
func (*scopeLog) Infof(string, ...any)  {}
func (*scopeLog) Warn(string)           {}
func (*scopeLog) Error(string)          {}

func (l *scopeLog) Warnf(format string, args ...any)  { l.keepf(format, args...) }
func (l *scopeLog) Errorf(format string, args ...any) { l.keepf(format, args...) }
