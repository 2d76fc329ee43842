package rtc

import (
	"fmt"
	"os"
	"syscall/js"
	"testing"
)

// The tests that need an RTCPeerConnection run in a browser, or in a runtime
// that has one.
func TestMain(m *testing.M) {
	if !js.Global().Get("RTCPeerConnection").Truthy() {
		fmt.Println("NOT RUN: no RTCPeerConnection here")
		os.Exit(0)
	}
	os.Exit(m.Run())
}
