package cli

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
)

var idCommand = &command{
	name:  "id",
	args:  "show | export [FILE] | import [FILE] [--replace] [--passphrase-file F]",
	short: "show, export or import the key that is this player",
	long: `
  id show           the player code, the key, the name, and where the data is.
                    A fresh profile gets its key here.
  id export         prints the secret as 24 words. Whoever has them is you.
  id export FILE    writes the secret to FILE, encrypted under a passphrase.
  id import         reads 24 words from standard input.
  id import FILE    reads FILE, asking for its passphrase.

A passphrase is asked for on the terminal, or read from the first line of the
file that --passphrase-file names ("-" for standard input). An import into a
profile that has another key needs --replace; the old key is kept beside it.`,
	exits: []exit{{exitLocked, "another process is using the profile (import)"}, {exitDiskFull, "the disk is full"}},
	bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
		replace := fs.Bool("replace", false, "import: replace the key that the profile has")
		passFile := fs.String("passphrase-file", "", "read the passphrase from the first line of `F`")
		return func(_ context.Context, c *call) error {
			if len(c.args) < 1 || len(c.args) > 2 {
				return usagef("id takes show, export or import, and at most one file")
			}
			file := ""
			if len(c.args) == 2 {
				file = c.args[1]
			}
			switch c.args[0] {
			case "show":
				if file != "" {
					return usagef("id show takes no file")
				}
				return c.idShow()
			case "export":
				return c.idExport(file, *passFile)
			case "import":
				return c.idImport(file, *passFile, *replace)
			}
			return usagef("id takes show, export or import, not %q", c.args[0])
		}
	},
}

func (c *call) idShow() error {
	v, id, err := c.lookAt()
	if err != nil {
		return err
	}
	defer v.Close()
	name, err := v.Name()
	if err != nil {
		return err
	}
	unfinished, err := v.Journals()
	if err != nil {
		return err
	}
	key := record.Key(id.Key())
	for _, p := range v.Problems() {
		c.note("%v", p)
	}
	if c.json {
		c.emit(struct {
			Player     string `json:"player"`
			Key        string `json:"key"`
			Name       string `json:"name"`
			Profile    string `json:"profile"`
			Data       string `json:"data"`
			Unfinished int    `json:"unfinished"`
		}{record.PlayerCode(key), key.String(), name, v.Profile(), v.Where(), len(unfinished)})
		return nil
	}
	if name == "" {
		name = "(none yet)"
	}
	fmt.Fprintf(c.Stdout, "player code  %s\nkey          %s\nname         %s\nprofile      %s\ndata         %s\n",
		record.PlayerCode(key), key, name, v.Profile(), v.Where())
	if n := len(unfinished); n > 0 {
		fmt.Fprintf(c.Stdout, "unfinished   %d\n", n)
	}
	return nil
}

func (c *call) idExport(file, passFile string) error {
	v, id, err := c.lookAt()
	if err != nil {
		return err
	}
	defer v.Close()
	if file == "" {
		c.note("Whoever has these words is you. Keep them on paper, and show them to nobody.")
		if c.json {
			c.emit(struct {
				Words string `json:"words"`
			}{id.Words()})
			return nil
		}
		fmt.Fprintln(c.Stdout, id.Words())
		return nil
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s is there already", file)
	}
	pass, err := c.passphrase(passFile, true)
	if err != nil {
		return err
	}
	data, err := id.Encrypt(pass)
	if err != nil {
		return err
	}
	// Never over something that may be an export itself.
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("writing the export: %w", err)
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("writing the export: %w", err)
	}
	if c.json {
		c.emit(struct {
			File string `json:"file"`
		}{file})
		return nil
	}
	fmt.Fprintf(c.Stdout, "%s holds the key, encrypted. Without the passphrase nobody can open it, you neither.\n", file)
	return nil
}

func (c *call) idImport(file, passFile string, replace bool) error {
	var id *vault.Identity
	if file == "" {
		text, err := io.ReadAll(io.LimitReader(c.Stdin, 4096))
		if err != nil {
			return fmt.Errorf("reading the words: %w", err)
		}
		if id, err = vault.ParseWords(string(text)); err != nil {
			return err
		}
	} else {
		data, err := readFile(file, 64<<10)
		if err != nil {
			return err
		}
		pass, err := c.passphrase(passFile, false)
		if err != nil {
			return err
		}
		if id, err = vault.Decrypt(data, pass); err != nil {
			return err
		}
	}
	v, err := c.open()
	if err != nil {
		return err
	}
	defer v.Close()
	if err := v.Import(id, replace); err != nil {
		if errors.Is(err, vault.ErrHasKey) {
			return fmt.Errorf("%w; --replace puts the imported one in its place", err)
		}
		return err
	}
	code := record.PlayerCode(id.Key())
	if c.json {
		c.emit(struct {
			Player  string `json:"player"`
			Profile string `json:"profile"`
		}{code, v.Profile()})
		return nil
	}
	fmt.Fprintf(c.Stdout, "profile %s is now player %s\n", v.Profile(), code)
	return nil
}

// passphrase reads a passphrase: from the file, or from the terminal, there
// twice when it is a new one.
func (c *call) passphrase(file string, fresh bool) (string, error) {
	if file != "" {
		in := c.Stdin
		if file != "-" {
			f, err := os.Open(file)
			if err != nil {
				return "", fmt.Errorf("reading the passphrase: %w", err)
			}
			defer f.Close()
			in = f
		}
		line, err := bufio.NewReader(io.LimitReader(in, 4096)).ReadString('\n')
		if err != nil && err != io.EOF {
			return "", fmt.Errorf("reading the passphrase: %w", err)
		}
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			return "", usagef("the passphrase is empty")
		}
		return line, nil
	}
	tty, ok := c.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(tty.Fd())) {
		return "", usagef("there is no terminal to ask for a passphrase on; use --passphrase-file")
	}
	ask := func(prompt string) (string, error) {
		fmt.Fprint(c.Stderr, prompt)
		b, err := term.ReadPassword(int(tty.Fd()))
		fmt.Fprintln(c.Stderr)
		return string(b), err
	}
	first, err := ask("Passphrase: ")
	if err != nil {
		return "", fmt.Errorf("reading the passphrase: %w", err)
	}
	if first == "" {
		return "", usagef("the passphrase is empty")
	}
	if fresh {
		again, err := ask("Once more:  ")
		if err != nil {
			return "", fmt.Errorf("reading the passphrase: %w", err)
		}
		if again != first {
			return "", errors.New("the two passphrases differ")
		}
	}
	return first, nil
}

// readFile reads a file of at most limit bytes.
func readFile(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &unreadableError{name, err}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, &unreadableError{name, err}
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, limit)
	}
	return data, nil
}

// An unreadableError says that a file cannot be read, which is no word on what
// is in it.
type unreadableError struct {
	file string
	err  error
}

func (e *unreadableError) Error() string { return e.file + " " + e.why() }

func (e *unreadableError) why() string {
	cause := e.err
	if p := (*fs.PathError)(nil); errors.As(cause, &p) {
		cause = p.Err // the file's name stands in front already
	}
	return "cannot be read: " + cause.Error()
}

func (e *unreadableError) Unwrap() error { return e.err }
