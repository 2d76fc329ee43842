//go:build !js

package lan

import (
	"errors"
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
		// Another program may be quicker than any of these steps, but not each time.
		for range 20 {
			if err = wholeOrNotAtAll(t, c, network, take); err == nil {
				break
			}
		}
		switch {
		case errors.Is(err, errLeftOver):
			t.Errorf("%s: %v", network, err)
		case err != nil:
			t.Logf("%s: %v", network, err) // this machine has no such family
		}
	}
}

var errLeftOver = errors.New("something of a port is left over from the refusal")

// wholeOrNotAtAll has somebody else take a part of a port, which must not be
// taken then, and can be once it is free again.
func wholeOrNotAtAll(t *testing.T, c *carriers, network string, take func(port int) (io.Closer, error)) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	other, err := take(port)
	if err != nil {
		return err
	}
	if e, err := c.listenOn(port); err == nil {
		e.close()
		t.Errorf("took port %d of which somebody else has %s", port, network)
	}
	other.Close()
	e, err := c.listenOn(port)
	if err != nil {
		return fmt.Errorf("%w: port %d: %w", errLeftOver, port, err)
	}
	e.close()
	return nil
}
