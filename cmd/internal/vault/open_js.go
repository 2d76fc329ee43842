package vault

import (
	"errors"
	"fmt"
	"strings"
	"syscall/js"
)

// DefaultDir is empty in a browser: there are no folders.
func DefaultDir() string { return "" }

// Errors of a browser that keeps nothing for this page. What is played with a
// Memory vault then does not count.
var (
	// ErrNoStorage is wrapped by the error of Open when the browser has no
	// IndexedDB for this page, or refuses it.
	ErrNoStorage = errors.New("vault: this browser keeps no data for this page")
	// ErrNoLocks is the error of Open when the browser cannot promise that
	// only one tab writes. It has no Web Locks on a page that came over plain
	// http.
	ErrNoLocks = errors.New("vault: this browser cannot keep a second tab from writing at the same time")
)

// openStore opens the IndexedDB database of a profile, and the Web Lock that
// keeps other tabs from it for as long as this one lives.
func openStore(_, profile string, readOnly bool) (store, string, error) {
	name := "cleave-" + strings.ToLower(profile)
	where := "this browser"
	var unlock func()
	if !readOnly {
		var err error
		if unlock, err = lockTab(name); err != nil {
			return nil, "", err
		}
	}
	s, err := openDatabase(name, readOnly)
	if err != nil {
		if unlock != nil {
			unlock()
		}
		return nil, "", err
	}
	s.unlock = unlock
	return s, where, nil
}

// lockTab takes the Web Lock of a profile; a tab that has it is told by a
// *LockedError. The browser takes it back when the tab is gone, however that
// ends.
func lockTab(name string) (unlock func(), err error) {
	locks := js.Global().Get("navigator").Get("locks")
	if !locks.Truthy() {
		return nil, ErrNoLocks
	}
	granted := make(chan bool, 1)
	refused := make(chan error, 1)
	var release js.Value
	executor := js.FuncOf(func(_ js.Value, args []js.Value) any {
		release = args[0]
		return nil
	})
	held := js.Global().Get("Promise").New(executor)
	executor.Release()
	with := js.FuncOf(func(_ js.Value, args []js.Value) any {
		ok := len(args) > 0 && args[0].Truthy()
		granted <- ok
		if !ok {
			return nil
		}
		return held
	})
	no := js.FuncOf(func(_ js.Value, args []js.Value) any {
		refused <- fmt.Errorf("%w (%s)", ErrNoLocks, reason(args))
		return nil
	})
	locks.Call("request", name, map[string]any{"mode": "exclusive", "ifAvailable": true}, with).Call("catch", no)
	select {
	case ok := <-granted:
		if !ok {
			return nil, &LockedError{Dir: "another tab of this browser"}
		}
		return func() { release.Invoke() }, nil
	case err := <-refused:
		return nil, err
	}
}

func reason(args []js.Value) string {
	if len(args) == 0 || args[0].Type() != js.TypeObject {
		return "no reason given"
	}
	return args[0].Get("name").String() + ": " + args[0].Get("message").String()
}
