package relay

import (
	"fmt"
	"log/slog"

	"github.com/pion/logging"
)

// logTo gives what pion says, all of it, to a logger at debug level. What is an
// error to pion is a client's business (wrong credentials, a refused peer), and
// the counters tell how often.
type logTo struct{ log *slog.Logger }

// NewLogger is part of logging.LoggerFactory.
func (l logTo) NewLogger(scope string) logging.LeveledLogger {
	return leveled{l.log.With("scope", scope)}
}

type leveled struct{ log *slog.Logger }

// Each packet would have a line of these two.

func (leveled) Trace(string)          {}
func (leveled) Tracef(string, ...any) {}
func (leveled) Debug(string)          {}
func (leveled) Debugf(string, ...any) {}

func (l leveled) Info(msg string)                   { l.log.Debug(msg) }
func (l leveled) Infof(format string, args ...any)  { l.log.Debug(fmt.Sprintf(format, args...)) }
func (l leveled) Warn(msg string)                   { l.log.Debug(msg) }
func (l leveled) Warnf(format string, args ...any)  { l.log.Debug(fmt.Sprintf(format, args...)) }
func (l leveled) Error(msg string)                  { l.log.Debug(msg) }
func (l leveled) Errorf(format string, args ...any) { l.log.Debug(fmt.Sprintf(format, args...)) }
