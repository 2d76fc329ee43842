//go:build !js

package lan

import (
	"fmt"
	"io"
	"net"
	"testing"
)

// A port of which somebody else has a part, such as the outgoing connection of
// another program, is not taken with the rest: guests who came by that part
// would find nobody, or a stranger.
func TestAPortIsTakenWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	c, err := newCarriers()
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for network, take := range map[string]func(port int) (io.Closer, error){
		"tcp4": func(port int) (io.Closer, error) { return net.Listen("tcp4", fmt.Sprintf(":%d", port)) },
		"udp4": func(port int) (io.Closer, error) { return net.ListenPacket("udp4", fmt.Sprintf(":%d", port)) },
		"tcp6": func(port int) (io.Closer, error) { return net.Listen("tcp6", fmt.Sprintf(":%d", port)) },
		"udp6": func(port int) (io.Closer, error) { return net.ListenPacket("udp6", fmt.Sprintf(":%d", port)) },
	} {
		port := 0
		var other io.Closer
		for range 20 { // somebody may be quicker
			if port, err = freePort(); err != nil {
				t.Fatal(err)
			}
			if other, err = take(port); err == nil {
				break
			}
		}
		if err != nil {
			t.Logf("%s: %v", network, err) // this machine has no such family
			continue
		}
		if e, err := c.listenOn(port); err == nil {
			e.close()
			t.Errorf("took port %d of which somebody else has %s", port, network)
		}
		other.Close()
		e, err := c.listenOn(port)
		if err != nil {
			t.Errorf("%s: nothing of port %d is left over from the refusal, but: %v", network, port, err)
			continue
		}
		e.close()
	}
}
