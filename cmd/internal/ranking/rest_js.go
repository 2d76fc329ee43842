package ranking

import "time"

// rest lets the browser draw and answer in the middle of long work: a page has
// one thread for all.
func rest() { time.Sleep(time.Millisecond) }
