package table

import "time"

// maxQueue bounds the events kept for a reader that has stopped reading.
const maxQueue = 10_000

func (t *Table) tell(e Event) {
	if len(t.queue) < maxQueue {
		t.queue = append(t.queue, e)
	}
}

// next is where the oldest event not read yet goes.
func (t *Table) next() (chan<- Event, Event) {
	if len(t.queue) == 0 {
		return nil, nil
	}
	return t.events, t.queue[0]
}

// drain lets a reader that is there have the last events.
func (t *Table) drain() {
	patience := time.After(time.Second)
	for len(t.queue) > 0 {
		select {
		case t.events <- t.queue[0]:
			t.queue = t.queue[1:]
		case <-patience:
			return
		}
	}
}
