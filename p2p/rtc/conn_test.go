package rtc

import (
	"testing"

	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/conntest"
)

func TestConn(t *testing.T) {
	conntest.Run(t, func(t *testing.T) (a, b p2p.Conn) {
		host, joiner := configs(t)
		return connect(t, host, joiner)
	})
}

func TestInfo(t *testing.T) {
	host, joiner := configs(t)
	a, b := connect(t, host, joiner)
	for _, c := range []*Conn{a, b} {
		info := c.Info()
		if info.Path != "direct" || info.Remote == "" || info.Session != ([32]byte{9}) {
			t.Errorf("info %+v", info)
		}
	}
	if a.Info().Peer != host.Peer || b.Info().Peer != joiner.Peer {
		t.Error("peers mixed up")
	}
}
