package windowtest

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/p2p/nstest"
)

func TestLocalNetworkOfTwoMachines(t *testing.T) {
	nstest.Run(t, func(w *nstest.World) {
		network := w.Switch("lan")
		var windows [2]*window
		for i, name := range [2]string{"Ada", "Bob"} {
			m := w.Machine(strings.ToLower(name))
			m.Plug(network, "eth0", "10.88.0."+string(rune('1'+i))+"/24")
			windows[i] = open(t, name, t.TempDir(), func(c *exec.Cmd) *exec.Cmd { return m.Command(c.Path, c.Args[1:]...) })
			windows[i].begin(name)
		}
		playOnOneNetwork(t, windows[0], windows[1])
	})
}
