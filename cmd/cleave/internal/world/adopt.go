package world

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/ui"
)

// maxAccountFile is more than an exported account has, in bytes.
const maxAccountFile = 64 << 10

// The lines around an exported account, which is an armored age file.
const (
	armorBegins = "-----BEGIN AGE ENCRYPTED FILE-----"
	armorEnds   = "-----END AGE ENCRYPTED FILE-----"
	armorWidth  = 64
)

// Recover finds the account that words or an exported file give back.
func (w *World) Recover(from, passphrase string) (string, error) {
	w.found = nil
	id, err := recovered(strings.TrimSpace(from), passphrase)
	switch {
	case err != nil:
		return "", told(err)
	case id.Key() == w.id.Key():
		return "", ui.Notice{ID: "problem.same_account"}
	case w.HasUnfinished():
		return "", ui.Notice{ID: "problem.unfinished"}
	}
	w.found = id
	return record.PlayerCode(id.Key()), nil
}

func recovered(from, passphrase string) (*vault.Identity, error) {
	if strings.HasPrefix(from, armorBegins) {
		return vault.Decrypt(rearm(from), passphrase)
	}
	if len(strings.Fields(from)) > 12 {
		return vault.ParseWords(from)
	}
	if rest, ok := strings.CutPrefix(from, "~"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			from = filepath.Join(home, rest)
		}
	}
	info, err := os.Stat(from)
	if err != nil {
		return nil, err
	}
	if info.IsDir() || info.Size() > maxAccountFile {
		return nil, vault.ErrKeyFile
	}
	file, err := os.ReadFile(from)
	if err != nil {
		return nil, err
	}
	return vault.Decrypt(file, passphrase)
}

// rearm breaks the text of an exported account into its lines again: a field of
// one line has lost them.
func rearm(text string) []byte {
	text = strings.TrimPrefix(text, armorBegins)
	text, _, _ = strings.Cut(text, armorEnds)
	body := strings.Join(strings.Fields(text), "")
	var b strings.Builder
	b.WriteString(armorBegins + "\n")
	for ; len(body) > armorWidth; body = body[armorWidth:] {
		b.WriteString(body[:armorWidth] + "\n")
	}
	b.WriteString(body + "\n" + armorEnds + "\n")
	return []byte(b.String())
}

// Adopt makes the account that was found the profile's. The key before stays in
// the profile's folder.
func (w *World) Adopt() error {
	if w.found == nil {
		return ui.Notice{ID: "problem.not_found"}
	}
	return told(w.vault.Import(w.found, true))
}
