//go:build !js

package main

import (
	"log/slog"
	"os"
	"os/exec"
	"time"

	"github.com/ebitengine/oto/v3"
)

const probeFlag = "probe-sound"

// probeSound opens the sound device as the game would, in a process of its
// own: in the game itself a device that fails ends the game loop.
func probeSound() int {
	ctx, ready, err := oto.NewContext(&oto.NewContextOptions{SampleRate: 48000, ChannelCount: 2, Format: oto.FormatFloat32LE})
	if err != nil {
		return 1
	}
	<-ready
	time.Sleep(50 * time.Millisecond) // errors of the device come a moment later
	if ctx.Err() != nil {
		return 1
	}
	return 0
}

// soundWorks reports whether the sound device can be opened.
func soundWorks() bool {
	self, err := os.Executable()
	if err != nil {
		return false
	}
	if err := exec.Command(self, "-"+probeFlag).Run(); err != nil {
		slog.Info("no sound: there is no sound device that works")
		return false
	}
	return true
}
