//go:build !unix

package players

import "os/exec"

// Without process groups only the command itself can be killed.
func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
