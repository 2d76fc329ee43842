package record

// MaxMatch is the largest .cleave file of a match in bytes.
const MaxMatch = 64 << 10

// A Log is the content of the .cleave file of a match: the signed terms, the
// entries, and as few signatures as carry them. It is well formed, no more:
// only a Verified is believed.
type Log struct{ unwritten int }

// ParseLog reads a .cleave file of a match, whole. It refuses a run's with
// ErrSeats.
func ParseLog(b []byte) (Log, error) { panic("record: being written") }

// Append appends the bytes of the file to b.
func (l Log) Append(b []byte) []byte { panic("record: being written") }

// Terms are what the log was made under.
func (l Log) Terms() Terms { panic("record: being written") }
