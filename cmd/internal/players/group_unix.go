//go:build unix

package players

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the command the head of a process group, so that what it
// starts can be killed with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills all of the group. A group that is empty is no error.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
