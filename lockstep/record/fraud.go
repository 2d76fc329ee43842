package record

// A Fraud is a proof that one player signed what no honest player signs: two
// different entries or seals at one index, or an entry at or beyond his own
// resignation. Anyone can check it; it costs him that match.
type Fraud struct {
	Terms Terms
	Seat  int // of the player who signed both
	A, B  Statement
}

// A Statement is one thing that a player signed: an entry, or a seal.
type Statement struct {
	Entry *SignedEntry // nil for a seal
	Seal  *Seal        // nil for an entry
}

// Append appends the encoding of at most MaxObject bytes to b.
func (f Fraud) Append(b []byte) []byte { panic("record: being written") }

// ParseFraud reads the bytes of one proof, whole. It is not checked: see
// Check.
func ParseFraud(b []byte) (Fraud, error) { panic("record: being written") }

// Check is nil exactly when the proof holds. Refused: ErrWrongMatch,
// ErrSignature, ErrSealSignature, ErrAuthor, ErrSealAuthor and ErrNotFraud.
func (f Fraud) Check() error { panic("record: being written") }
