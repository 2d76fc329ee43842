//go:build linux

package rtc

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/cleavegame/cleave/p2p/nstest"
)

func TestMain(m *testing.M) {
	nstest.Main(m, map[string]nstest.Role{"pair": pairRole})
}

// pairRole connects two peers that were not told to use loopback.
func pairRole([]string) int {
	var certificates [2]*Certificate
	for i := range certificates {
		var err error
		if certificates[i], err = NewCertificate(); err != nil {
			fmt.Println("ERROR", err)
			return 1
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	a, b := newWire()
	var both sync.WaitGroup
	for i, w := range []*wire{a, b} {
		both.Go(func() {
			c, err := Connect(ctx, w, Config{Certificate: certificates[i], PeerBinding: certificates[1-i].Binding(), Offerer: i == 1})
			if err != nil {
				fmt.Println("ERROR", err)
				return
			}
			fmt.Println("OPEN", c.Info().Path)
			// Neither closes before the other is open.
			if c.Send([]byte{1}) == nil {
				c.Receive(ctx)
			}
			c.Close()
		})
	}
	both.Wait()
	return 0
}

// Two programs on a machine without a network play each other all the same.
func TestMachineWithoutNetwork(t *testing.T) {
	nstest.Run(t, func(w *nstest.World) {
		p := w.Machine("m").Start("pair")
		for range 2 {
			if got := p.Expect("OPEN"); got != "direct" {
				t.Errorf("path %q", got)
			}
		}
	})
}
