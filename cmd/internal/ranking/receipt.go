package ranking

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"

	"github.com/cleavegame/cleave/lockstep/record"
)

// A ReceiptKind says what the server has received or decided.
type ReceiptKind string

// The kinds of receipts.
const (
	// Opened: both players handed in the co-signed terms and held a
	// connection; the match can be claimed.
	Opened ReceiptKind = "opened"
	// Accepted: a log was received and is kept; it is not decided yet.
	Accepted ReceiptKind = "accepted"
	// Confirmed: the result is a leaf of the public log.
	Confirmed ReceiptKind = "confirmed"
	// Unrated: the match was received and will not be rated as it is.
	Unrated ReceiptKind = "unrated"
	// Claimed: a claim was received.
	Claimed ReceiptKind = "claimed"
	// Proven: a proof of fraud was received and holds.
	Proven ReceiptKind = "proven"
	// Counted: a run was received and replayed, and holds. Match is the run's
	// id, Head the hash of its file, Player its player and Index its attempt.
	Counted ReceiptKind = "counted"
	// Flagged: the same of a run that does not hold.
	Flagged ReceiptKind = "flagged"
	// Withdrawn: a player has taken back what it had claimed up to the entry
	// of that index.
	Withdrawn ReceiptKind = "withdrawn"
)

var receiptCodes = map[ReceiptKind]byte{Opened: 1, Accepted: 2, Confirmed: 3, Unrated: 4, Claimed: 5, Proven: 6, Counted: 7, Flagged: 8, Withdrawn: 9}

// A Receipt is the server's signed word. The same question gets the same
// receipt, to the byte, for ever.
type Receipt struct {
	Kind   ReceiptKind
	Server record.Key
	Match  record.ID
	// Head is that of the log received; zero for Opened.
	Head record.Head
	// TimeMs is when it was received or decided, Unix milliseconds.
	TimeMs int64
	Reason Reason
	// Leaf is the index of the leaf of the public log, -1 for none.
	Leaf int64
	// Player is who claimed or withdrew, whose fraud was proven, or whose run it is; else
	// zero.
	Player record.Key
	// Index is that of the entry a claim is about, or the attempt of a run;
	// else 0.
	Index     uint32
	Signature record.Signature
}

// message is what the server signs: "cleave/receipt/1", kind (1 byte), server
// key, match id, head, time (8), reason (2), leaf + 1 (8), player's key,
// index (4); integers big-endian.
func (r Receipt) message() []byte {
	b := append([]byte("cleave/receipt/1"), receiptCodes[r.Kind])
	b = append(b, r.Server[:]...)
	b = append(b, r.Match[:]...)
	b = append(b, r.Head[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(r.TimeMs))
	b = binary.BigEndian.AppendUint16(b, uint16(r.Reason))
	b = binary.BigEndian.AppendUint64(b, uint64(r.Leaf+1))
	b = append(b, r.Player[:]...)
	return binary.BigEndian.AppendUint32(b, r.Index)
}

// Sign returns the receipt with the server's signature.
func (r Receipt) Sign(sign record.Signer) Receipt {
	r.Signature = sign(r.message())
	return r
}

var errMalformedReceipt = errors.New("ranking: malformed receipt")

// ErrReceipt is the error of a receipt that its server has not signed.
var ErrReceipt = errors.New("ranking: the receipt is not signed by the server")

// Check is ErrReceipt unless the receipt is that server's.
func (r Receipt) Check(server record.Key) error {
	if _, known := receiptCodes[r.Kind]; !known || r.Server != server || !server.Verify(r.message(), r.Signature) {
		return ErrReceipt
	}
	return nil
}

// receiptJSON is the receipt as it travels and is kept: hashes in hex, keys
// and the signature in base64url without padding.
type receiptJSON struct {
	Kind      ReceiptKind `json:"kind"`
	Server    string      `json:"server"`
	Match     string      `json:"match"`
	Head      string      `json:"head"`
	TimeMs    int64       `json:"timeMs"`
	Reason    Reason      `json:"reason"`
	Leaf      int64       `json:"leaf"`
	Player    string      `json:"player,omitempty"`
	Index     uint32      `json:"index,omitempty"`
	Signature string      `json:"signature"`
}

// MarshalJSON writes the receipt as the package comment describes it.
func (r Receipt) MarshalJSON() ([]byte, error) {
	j := receiptJSON{Kind: r.Kind, Server: r.Server.String(), Match: hex.EncodeToString(r.Match[:]), Head: hex.EncodeToString(r.Head[:]),
		TimeMs: r.TimeMs, Reason: r.Reason, Leaf: r.Leaf, Index: r.Index, Signature: base64.RawURLEncoding.EncodeToString(r.Signature[:])}
	if r.Player != (record.Key{}) {
		j.Player = r.Player.String()
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes. The signature is not checked.
func (r *Receipt) UnmarshalJSON(b []byte) error {
	var j receiptJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	got := Receipt{Kind: j.Kind, TimeMs: j.TimeMs, Reason: j.Reason, Leaf: j.Leaf, Index: j.Index}
	ok := readHex(j.Match, got.Match[:]) && readHex(j.Head, got.Head[:]) &&
		readBase64(j.Server, got.Server[:]) && readBase64(j.Signature, got.Signature[:]) &&
		(j.Player == "" || readBase64(j.Player, got.Player[:]))
	if _, known := receiptCodes[j.Kind]; !ok || !known {
		return errMalformedReceipt
	}
	*r = got
	return nil
}

func readHex(s string, into []byte) bool {
	if len(s) != 2*len(into) {
		return false
	}
	_, err := hex.Decode(into, []byte(s))
	return err == nil
}

func readBase64(s string, into []byte) bool {
	if len(s) != base64.RawURLEncoding.EncodedLen(len(into)) {
		return false
	}
	n, err := base64.RawURLEncoding.Strict().Decode(into, []byte(s))
	return err == nil && n == len(into)
}

// ParseMatchID reads a match id written in hex.
func ParseMatchID(s string) (record.ID, bool) {
	var id record.ID
	return id, readHex(s, id[:])
}

// ParseKeyText reads a key written in base64url without padding, as
// record.Key.String writes it.
func ParseKeyText(s string) (record.Key, error) {
	var b [32]byte
	if !readBase64(s, b[:]) {
		return record.Key{}, record.ErrKeyLength
	}
	return record.ParseKey(b[:])
}
