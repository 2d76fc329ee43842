// Package cli is the commands of cleavectl: what each takes, prints and exits
// with. Nothing in it needs a display.
//
// # Output
//
// What a script wants goes to standard output, everything for a person who
// watches goes to standard error. With --json standard output is JSON, one
// object a line; a command that fails prints {"error": TEXT, "exit": N} as its
// last line; where two programs could not meet it also has "failure", the
// reason's name, and "detail".
//
// # Exit codes
//
//	0        it worked
//	1        it did not, for a reason told on standard error; a log does not hold
//	2        the command line makes no sense
//	3        what was looked at holds, but is unfinished or has no seal
//	4        another process is using the profile
//	5        the disk is full
//	6        the match was to be rated and cannot be (--rated)
//	7        the match ended without a result (the other side left for good, or
//	         the two programs disagreed)
//	10 to 30 the two programs could not meet, by the reasons of package signal
//	130      interrupted
package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/p2p/signal"
)

// The exit codes that more than one command uses.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitPartial     = 3
	exitLocked      = 4
	exitDiskFull    = 5
	exitNotRated    = 6
	exitNoResult    = 7
	exitInterrupted = 130
)

// An Env is the world a command runs in.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
}

// System is the Env of the process.
func System() Env { return Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr} }

// A command is one word of the command line.
type command struct {
	name  string
	args  string // as the usage line shows them
	short string // one line of the list
	long  string // what help adds
	exits []exit // what it may exit with, beyond 0, 1 and 2
	bind  func(*flag.FlagSet) func(ctx context.Context, c *call) error
}

type exit struct {
	code int
	when string
}

// A call is one command being carried out.
type call struct {
	Env
	args    []string // what is left when flags are taken out
	json    bool
	profile string
	data    string
}

// usageError is answered with exit code 2 and the way to the help.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, a ...any) error { return &usageError{fmt.Sprintf(format, a...)} }

// exitError is an error with an exit code of its own; a nil Err says nothing.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func commands() []*command {
	return []*command{
		hostCommand, joinCommand, lanCommand, roomsCommand, duelCommand, streakCommand, classicCommand, dailyCommand, arenaCommand,
		verifyCommand, showCommand, submitCommand, ticketsCommand, idCommand,
	}
}

// Main carries out one command line and returns the exit code.
func Main(ctx context.Context, env Env, args []string) int {
	if len(args) == 0 {
		fmt.Fprint(env.Stderr, overview())
		return exitUsage
	}
	name, rest := args[0], args[1:]
	if name == "help" || name == "--help" || name == "-h" {
		return help(env, rest)
	}
	cmd := find(name)
	if cmd == nil {
		fmt.Fprintf(env.Stderr, "cleavectl: there is no command %q; `cleavectl help` lists them\n", name)
		return exitUsage
	}
	c := &call{Env: env}
	fs, run := cmd.flags(c)
	positional, err := parse(fs, rest)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(env.Stdout, cmd.help())
		return exitOK
	}
	if err != nil {
		err = &usageError{err.Error()}
		c.json = c.json || wantsJSON(rest) // which may stand behind what is wrong
	} else {
		c.args = positional
		err = run(ctx, c)
	}
	return c.finish(ctx, cmd, err)
}

// wantsJSON reports whether --json is among the flags.
func wantsJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "-json")
}

// finish tells what went wrong and gives the exit code.
func (c *call) finish(ctx context.Context, cmd *command, err error) int {
	code := exitCode(ctx, err)
	var bare *exitError
	silent := err == nil || (errors.As(err, &bare) && bare.err == nil)
	if !silent {
		text := err.Error()
		failure, paired := signal.FailureOf(err)
		if paired && code == failure.ExitCode() {
			text = failure.Error() // the sentence without where it came from
		}
		if code == exitInterrupted {
			text = "interrupted"
		}
		fmt.Fprintf(c.Stderr, "cleavectl %s: %s\n", cmd.name, text)
		var u *usageError
		if errors.As(err, &u) {
			fmt.Fprintf(c.Stderr, "usage: cleavectl %s %s   (`cleavectl help %s` says more)\n", cmd.name, cmd.args, cmd.name)
		}
		if c.json {
			told := event{"error": text, "exit": code}
			if paired && code == failure.ExitCode() {
				told["failure"], told["detail"] = failure.Name(), err.Error()
			}
			c.emit(told)
		}
	}
	return code
}

func exitCode(ctx context.Context, err error) int {
	var (
		usage  *usageError
		exit   *exitError
		locked *vault.LockedError
		name   *vault.ProfileError
	)
	switch failure, paired := signal.FailureOf(err); {
	case err == nil:
		return exitOK
	case errors.As(err, &usage), errors.As(err, &name):
		return exitUsage
	case errors.As(err, &exit):
		return exit.code
	case errors.As(err, &locked):
		return exitLocked
	case errors.Is(err, vault.ErrDiskFull):
		return exitDiskFull
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case paired:
		return failure.ExitCode()
	default:
		return exitFailed
	}
}

func find(name string) *command {
	i := slices.IndexFunc(commands(), func(c *command) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return commands()[i]
}

// flags makes the command's flag set with the flags that all commands take.
func (cmd *command) flags(c *call) (*flag.FlagSet, func(context.Context, *call) error) {
	fs := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	fs.BoolVar(&c.json, "json", false, "print JSON, one object a line")
	fs.StringVar(&c.profile, "profile", vault.DefaultProfile, "the profile to use, `NAME`")
	fs.StringVar(&c.data, "data", "", "the folder of all profiles, `DIR` (the system's data folder if not given)")
	return fs, cmd.bind(fs)
}

// parse takes flags wherever they stand and returns the rest; what is behind
// "--" is no flag.
func parse(fs *flag.FlagSet, args []string) ([]string, error) {
	var positional []string
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		rest := fs.Args()
		if n := len(args) - len(rest); n > 0 && args[n-1] == "--" {
			return append(positional, rest...), nil
		}
		if len(rest) == 0 {
			break
		}
		positional, args = append(positional, rest[0]), rest[1:]
	}
	return positional, nil
}

func help(env Env, args []string) int {
	if len(args) == 0 {
		fmt.Fprint(env.Stdout, overview())
		return exitOK
	}
	cmd := find(args[0])
	if cmd == nil {
		fmt.Fprintf(env.Stderr, "cleavectl: there is no command %q\n", args[0])
		return exitUsage
	}
	fmt.Fprint(env.Stdout, cmd.help())
	return exitOK
}

func overview() string {
	var b strings.Builder
	b.WriteString("cleavectl plays and checks Cleave without a display.\n\n")
	for _, cmd := range commands() {
		fmt.Fprintf(&b, "  %-8s %s\n", cmd.name, cmd.short)
	}
	b.WriteString("\n`cleavectl help COMMAND` says what a command takes and what it exits with.\n")
	b.WriteString("To play a friend on this network: one runs `cleavectl host --lan --player human`,\n")
	b.WriteString("the other `cleavectl join --lan --player human`.\n")
	return b.String()
}

func (cmd *command) help() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "usage: cleavectl %s %s\n\n%s\n", cmd.name, cmd.args, strings.TrimSpace(cmd.long))
	b.WriteString("\nFlags:\n")
	fs, _ := cmd.flags(&call{})
	fs.VisitAll(func(f *flag.Flag) {
		arg, use := flag.UnquoteUsage(f)
		if arg != "" {
			arg = " " + arg
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "0s" {
			use += " (" + f.DefValue + ")"
		}
		fmt.Fprintf(&b, "  --%-22s %s\n", f.Name+arg, use)
	})
	b.WriteString("\nExit codes:\n")
	exits := append([]exit{{exitOK, "it worked"}, {exitFailed, "it did not; the reason is on standard error"}, {exitUsage, "the command line makes no sense"},
		{exitInterrupted, "interrupted"}}, cmd.exits...)
	// A command's own words for a code stand for the general ones.
	for i, e := range exits {
		if slices.ContainsFunc(exits[i+1:], func(o exit) bool { return o.code == e.code }) {
			exits[i].when = ""
		}
	}
	slices.SortStableFunc(exits, func(a, b exit) int { return a.code - b.code })
	for _, e := range exits {
		if e.when != "" {
			fmt.Fprintf(&b, "  %-4d %s\n", e.code, e.when)
		}
	}
	return b.String()
}

// emit prints one JSON object as a line of standard output.
func (c *call) emit(v any) {
	c.Stdout.Write(append(mustJSON(v), '\n'))
}

func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("cli: " + err.Error())
	}
	return data
}

// note tells a person something on standard error.
func (c *call) note(format string, a ...any) { fmt.Fprintf(c.Stderr, format+"\n", a...) }

// open opens the call's profile for itself.
func (c *call) open() (*vault.Vault, error) {
	v, err := vault.Open(c.data, c.profile)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// look opens the call's profile for reading if another process is using it,
// else as open does, so that a fresh profile gets its key.
func (c *call) look() (*vault.Vault, error) {
	v, err := c.open()
	var locked *vault.LockedError
	if errors.As(err, &locked) {
		return vault.View(c.data, c.profile)
	}
	return v, err
}

// lookAt is look, with the profile's key.
func (c *call) lookAt() (*vault.Vault, *vault.Identity, error) {
	v, err := c.look()
	if err != nil {
		return nil, nil, err
	}
	id, err := v.Identity()
	if err != nil {
		v.Close()
		return nil, nil, err
	}
	return v, id, nil
}
