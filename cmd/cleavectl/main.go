// Command cleavectl is Cleave without a display: it plays, hosts, joins,
// verifies and shows matches, and keeps a profile's key. `cleavectl help` lists
// what it can do.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/cleavegame/cleave/cmd/cleavectl/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal ends the program as it would any other.
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Main(ctx, cli.System(), os.Args[1:]))
}
