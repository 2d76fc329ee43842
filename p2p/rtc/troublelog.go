//go:build !js

package rtc

import (
	"fmt"
	"sync"

	"github.com/pion/logging"
)

// troubleLog is pion's logger. It writes nothing and remembers the last warning,
// because a refused relay is told to the log and nowhere else.
type troubleLog struct {
	mu   sync.Mutex
	text string
}

func (t *troubleLog) NewLogger(scope string) logging.LeveledLogger {
	return &scopeLog{troubleLog: t, scope: scope}
}

// last is the last warning or error, or "".
func (t *troubleLog) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text
}

type scopeLog struct {
	*troubleLog
	scope string
}

func (l *scopeLog) keep(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = l.scope + ": " + text
}

func (*scopeLog) Trace(string)          {}
func (*scopeLog) Tracef(string, ...any) {}
func (*scopeLog) Debug(string)          {}
func (*scopeLog) Debugf(string, ...any) {}
func (*scopeLog) Info(string)           {}
func (*scopeLog) Infof(string, ...any)  {}

func (l *scopeLog) Warn(msg string)                   { l.keep(msg) }
func (l *scopeLog) Warnf(format string, args ...any)  { l.keep(fmt.Sprintf(format, args...)) }
func (l *scopeLog) Error(msg string)                  { l.keep(msg) }
func (l *scopeLog) Errorf(format string, args ...any) { l.keep(fmt.Sprintf(format, args...)) }
