package lockstep

// A Now is the present time as the driver read it just before the call, in
// milliseconds. Mono never runs backwards while the process lives and may stand
// still while the machine sleeps; its origin means nothing. Wall is Unix time,
// and may jump either way.
type Now struct {
	Mono int64
	Wall int64
}

// An Action is one thing for the driver to do: a Persist, a Send or a Show.
// The driver carries actions out in the order of the list. What a Persist
// holds must be on the disk before any later action of the list is carried
// out, in this or a later list; if it cannot be, the driver carries out
// nothing more of the list, drops the session, and says that the disk is full.
// Several Persists in a row may share one fsync.
type Action interface{ action() }

// A Persist is one record to append to the journal of a match. Journal names
// the match by the nonce that this side put into its terms, and First says
// that the journal begins with this record. Resume takes the records of one
// journal in the order in which they were appended.
type Persist struct {
	Journal Journal
	First   bool
	Bytes   []byte
}

// A Journal names the journal of one match on this side: the side's own nonce
// in its terms, which no other match has.
type Journal [16]byte

// A Send is one frame, of at most MaxFrame bytes, for the pipe. It may be
// dropped when there is no pipe.
type Send struct{ Frame []byte }

// A Show is one event for whoever watches the session.
type Show struct{ Event Event }

func (Persist) action() {}
func (Send) action()    {}
func (Show) action()    {}

// emit appends an action to the list that the present call returns.
func (s *Session) emit(a Action) { s.out = append(s.out, a) }

// show appends an event to it.
func (s *Session) show(e Event) { s.out = append(s.out, Show{e}) }

// refuse tells the caller of a command that it was not carried out.
func (s *Session) refuse(r Reason) { s.show(Refused{Reason: r}) }
