package ui

import (
	"errors"

	"github.com/ebitenui/ebitenui/widget"
)

// A Notice is a sentence for the player that has its cause beyond the screen:
// the id of a text, and what stands in it. As an error it says what a method of
// World could not do.
type Notice struct {
	ID   string
	Name string // {{.Name}}
	N, M int    // {{.N}}, of which there may be one or several, and {{.M}}
	// Why is the id of a text that stands in this one as {{.Why}}.
	Why string
}

// Error is for a log; players are shown Env.Tell.
func (n Notice) Error() string {
	s := n.ID
	if n.Why != "" {
		s += ": " + n.Why
	}
	if n.Name != "" {
		s += " (" + n.Name + ")"
	}
	return s
}

// Tell is a notice in the player's language, "" for none. One whose text is not
// here, as of a server that is newer than this program, is told by its Name.
func (e *Env) Tell(n Notice) string {
	if n.ID == "" {
		return ""
	}
	if !e.texts.Has(n.ID) {
		return sentence(n.Name)
	}
	why := ""
	switch {
	case n.Why != "" && e.texts.Has(n.Why):
		why = e.T(n.Why)
	case n.Why != "":
		why = e.T("problem.unknown")
	}
	return sentence(e.T(n.ID, Vars{"Name": n.Name, "N": n.N, "M": n.M, "Why": why}))
}

// Sorry is an error in the player's language: what happened and, if anything
// can be done, what.
func (e *Env) Sorry(err error) string {
	var n Notice
	if errors.As(err, &n) {
		return e.Tell(n)
	}
	return sentence(e.T("problem.other", Vars{"Name": err.Error()}))
}

// fault is what went wrong, as a line of a page; nothing for nil.
func (e *Env) fault(err error) []widget.PreferredSizeLocateableWidget {
	if err == nil {
		return nil
	}
	return []widget.PreferredSizeLocateableWidget{e.Words(e.Sorry(err), Body, e.Theme.Danger, e.ColumnWidth())}
}
