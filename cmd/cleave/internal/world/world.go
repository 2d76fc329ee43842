// Package world is what the screen sees of everything else: it fills in
// ui.World over the vault and the tables, and keeps what runs in the
// background. It is the composition root of the game; cmd/cleave only reads
// flags and opens the window.
package world

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/ui"
)

// A World is one player's game: its data and its tables.
type World struct {
	vault   *vault.Vault
	id      *vault.Identity
	version string
	server  string // base URL, "" for none; of the screen's goroutine

	fixed bool // server was given from outside

	found *vault.Identity // by Recover; of the screen's goroutine

	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	lan, listed *ears              // of the screen's goroutine
	outbox      *table.Outbox      // nil without a server
	unrank      context.CancelFunc // leaves the server, nil without one
	reviews     reviews
	contests    contests
	attention   func(text string)
	remind      func(text string)
	change      func()

	mu        sync.Mutex
	rankingAt *table.Ranking // nil until it was met
	standing  ui.Standing
	verdicts  map[record.ID]ui.Notice // what the server said
}

// Open takes a profile's vault and returns its world. Close ends it.
func Open(v *vault.Vault, version, server string) (*World, error) {
	id, err := v.Identity()
	if err != nil {
		return nil, err
	}
	for _, problem := range v.Problems() {
		slog.Warn("something kept could not be read", "problem", problem)
	}
	w := &World{vault: v, id: id, version: version, server: server, fixed: server != "", verdicts: map[record.ID]ui.Notice{}}
	w.ctx, w.stop = context.WithCancel(context.Background())
	if server == "" {
		if _, err := v.Setting("server", &w.server); err != nil {
			w.note("reading the server's address", err)
		}
	}
	w.deliver()
	w.rank()
	return w, nil
}

// OnAttention says what to do when the player should look up from something
// else. It is called from several goroutines.
func (w *World) OnAttention(f func(text string)) { w.attention = f }

// OnChange says what to do when something has changed that the screen shows,
// so that it need not look again and again. It is called from several
// goroutines.
func (w *World) OnChange(f func()) { w.change = f }

func (w *World) changed() {
	if w.change != nil {
		w.change()
	}
}

// OnReminder says how the player is reminded of something, whatever is in front.
// It is called from another goroutine, and must be set right after Open.
func (w *World) OnReminder(f func(text string)) {
	w.remind = f
	w.work.Go(w.sundays)
}

// Attention tells the player something.
func (w *World) Attention(text string) {
	if w.attention != nil {
		w.attention(text)
	}
}

// note logs what went wrong where the player need not be asked.
func (w *World) note(doing string, err error) { slog.Warn(doing, "error", err) }

// Close ends what runs in the background and waits for it, at most two
// seconds: a peer that is gone must not keep the window open.
func (w *World) Close() {
	w.stop()
	done := make(chan struct{})
	go func() { w.work.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(2 * time.Second):
		slog.Warn("something did not end in time")
	}
}

// Account is who the player is.
func (w *World) Account() ui.Account {
	name, err := w.vault.Name()
	if err != nil {
		slog.Warn("the name could not be read", "error", err)
	}
	var asked bool
	if _, err := w.vault.Setting("asked_name", &asked); err != nil {
		asked = true
	}
	return ui.Account{Name: name, Code: record.PlayerCode(w.id.Key()), Fresh: name == "" && !asked}
}

// name is what others are shown: the display name, else a word that tells two
// nameless players apart.
func (w *World) name() string {
	a := w.Account()
	if a.Name != "" {
		return a.Name
	}
	return ui.NewTexts(w.Settings().Language).T("account.nameless", ui.Vars{"Code": a.Code[:4]})
}

// SetName stores the display name.
func (w *World) SetName(name string) error {
	name = strings.TrimSpace(name)
	if name != "" && !lockstep.ValidName(name) {
		return ui.Notice{ID: "problem.name"}
	}
	if err := w.vault.SetSetting("asked_name", true); err != nil {
		return told(err)
	}
	return told(w.vault.SetName(name))
}

// Settings returns the stored settings, defaults where there are none.
func (w *World) Settings() ui.Settings {
	s := ui.DefaultSettings()
	if _, err := w.vault.Setting("screen", &s); err != nil {
		slog.Warn("the settings could not be read", "error", err)
		return ui.DefaultSettings()
	}
	return s
}

// Save stores the settings.
func (w *World) Save(s ui.Settings) error { return told(w.vault.SetSetting("screen", s)) }

// Words are the account as 24 words.
func (w *World) Words() ([]string, error) { return strings.Fields(w.id.Words()), nil }

// Export writes the account beside the profile, sealed with a passphrase.
func (w *World) Export(passphrase string) (string, error) {
	if passphrase == "" {
		return "", ui.Notice{ID: "problem.no_passphrase"}
	}
	file, err := w.id.Encrypt(passphrase)
	if err != nil {
		return "", told(err)
	}
	path := filepath.Join(w.vault.Where(), "account.age")
	return path, told(writeFile(path, file))
}

// Version is the program's version.
func (w *World) Version() string { return w.version }
