package record

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the vectors anew")

// A vector is one line of testdata/vectors.jsonl; testdata/README.md says
// what its fields mean.
type vector struct {
	Object string   `json:"object"`
	Name   string   `json:"name"`
	Hex    string   `json:"hex,omitempty"`
	Zeros  int      `json:"zeros,omitempty"` // bytes of zero behind Hex
	Text   string   `json:"text,omitempty"`  // of a player code
	Key    string   `json:"key,omitempty"`
	Server string   `json:"server,omitempty"`
	Now    int64    `json:"now,omitempty"`
	Sigs   []string `json:"signatures,omitempty"`
	Held   []string `json:"held,omitempty"` // entries and seals, in order
	Error  string   `json:"error"`          // name of the reason, "" for none
	Entry  int      `json:"entry,omitempty"`
	Signed bool     `json:"signed,omitempty"`
	Hash   string   `json:"hash,omitempty"` // id or head
	Result string   `json:"result,omitempty"`
}

func (v vector) bytes() []byte {
	b, err := hex.DecodeString(v.Hex)
	if err != nil {
		panic(err)
	}
	return append(b, make([]byte, v.Zeros)...)
}

// run does what the vector asks and returns it with what came out.
func (v vector) run(t *testing.T) vector {
	b := v.bytes()
	v.Error, v.Entry, v.Signed, v.Hash, v.Result = "", 0, false, "", ""
	var err error
	var again []byte
	switch v.Object {
	case "key":
		_, err = ParseKey(b)
	case "player code":
		var c Code
		if c, err = ParsePlayerCode(v.Text); err == nil {
			v.Hash = hex.EncodeToString(c[:])
		}
	case "ticket":
		var x Ticket
		if x, err = ParseTicket(b); err == nil {
			again = x.Append(nil)
			err = x.Check(hexKey(v.Key), hexKey(v.Server), v.Now)
		}
	case "terms":
		var x Terms
		if x, err = ParseTerms(b); err == nil {
			again = x.Append(nil)
			if err = x.Check(games); err == nil {
				id := x.ID()
				v.Hash = hex.EncodeToString(id[:])
			}
		}
	case "entry":
		var x SignedEntry
		if x, err = ParseSignedEntry(b); err == nil {
			again = x.Append(nil)
			head := x.Head()
			v.Hash = hex.EncodeToString(head[:])
			err = x.Check(hexKey(v.Key))
		}
	case "seal":
		var x Seal
		if x, err = ParseSeal(b); err == nil {
			again = x.Append(nil)
			head := x.Head()
			v.Hash = hex.EncodeToString(head[:])
			err = x.Check(hexKey(v.Key))
		}
	case "fraud":
		var x Fraud
		if x, err = ParseFraud(b); err == nil {
			again = x.Append(nil)
			err = x.Check()
		}
	case "match":
		var l Log
		if l, err = ParseLog(b); err == nil {
			again = l.Append(nil)
			var x Verified
			if x, err = Verify(l, games); err == nil {
				head := x.Head()
				v.Hash = hex.EncodeToString(head[:])
				o := x.Outcome()
				v.Result = fmt.Sprintf("complete %v sealed %v winner %d score %d %d rounds %d", x.Complete(), x.Sealed(), o.Winner, o.Score[0], o.Score[1], o.Rounds)
			}
		}
	case "run terms":
		var x RunTerms
		if x, err = ParseRunTerms(b); err == nil {
			again = x.Append(nil)
			if err = x.Check(games); err == nil {
				id := x.ID()
				v.Hash = hex.EncodeToString(id[:])
			}
		}
	case "run":
		var l RunLog
		if l, err = ParseRunLog(b); err == nil {
			again = l.Append(nil)
			var x VerifiedRun
			if x, err = VerifyRun(l, games); err == nil {
				head := x.Head()
				v.Hash = hex.EncodeToString(head[:])
				v.Result = fmt.Sprintf("complete %v score %d combo %d", x.Complete(), x.Claim().Score, x.Claim().Combo)
			}
		}
	case "chain":
		err = v.runChain(t, b)
	default:
		t.Fatalf("vector %q of object %q", v.Name, v.Object)
	}
	if again != nil && !bytes.Equal(again, b) {
		t.Errorf("%s %q does not encode to what it was read from", v.Object, v.Name)
	}
	if err != nil {
		v.Error = reasonOf(err).Name()
		if ve, ok := err.(*VerifyError); ok {
			v.Entry, v.Signed = ve.Entry, ve.Signed
		}
	}
	return v
}

// runChain begins a match on terms, lets it accept what is held, all of which
// it must, or be told it need not, and returns what it says of the last.
func (v vector) runChain(t *testing.T, terms []byte) error {
	x, err := ParseTerms(terms)
	if err != nil {
		t.Fatal(err)
	}
	var sigs [2]Signature
	for seat, s := range v.Sigs {
		hex.Decode(sigs[seat][:], []byte(s))
	}
	m, err := Begin(x, sigs, games)
	if err != nil {
		return err
	}
	for i, h := range v.Held {
		if err := m.acceptHex(t, h); i == len(v.Held)-1 {
			return err
		} else if err != nil {
			t.Errorf("%s: statement %d: %v", v.Name, i, err)
		}
	}
	return nil
}

// acceptHex is Accept or AcceptSeal of "entry HEX" or "seal HEX".
func (m *Match) acceptHex(t *testing.T, s string) error {
	kind, h, _ := strings.Cut(s, " ")
	b, err := hex.DecodeString(h)
	if err != nil {
		t.Fatal(err)
	}
	if kind == "seal" {
		s, err := ParseSeal(b)
		if err != nil {
			return err
		}
		return m.AcceptSeal(s)
	}
	e, err := ParseSignedEntry(b)
	if err != nil {
		return err
	}
	return m.Accept(e)
}

func hexKey(s string) Key {
	b, _ := hex.DecodeString(s)
	return Key(b)
}

func hexOf(b []byte) string { return hex.EncodeToString(b) }

// notInVectors are the reasons that no bytes of reasonable length lead to, and
// the test that has them instead.
var notInVectors = map[Reason]string{
	ErrNoServer:    "TestTermsAreRefused",
	ErrNoTicket:    "TestTermsAreRefused",
	ErrNotRated:    "TestTermsAreRefused",
	ErrFull:        "TestAMatchRefuses, TestARunEndsAtItsLimit",
	ErrStaleResign: "TestResignations",
}

func TestVectors(t *testing.T) {
	made := makeVectors(t)
	file := filepath.Join("testdata", "vectors.jsonl")
	var text bytes.Buffer
	for i, v := range made {
		got := v.run(t)
		want := v.Error
		if got.Error != want {
			t.Errorf("%s %q: got %q, want %q", v.Object, v.Name, got.Error, want)
		}
		made[i] = got
		line, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	names := map[string]bool{}
	for line := range bytes.Lines(kept) {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		if names[v.Object+v.Name] {
			t.Errorf("two vectors are called %s %q", v.Object, v.Name)
		}
		names[v.Object+v.Name] = true
		seen[v.Error] = true
		if got := v.run(t); fmt.Sprint(got) != fmt.Sprint(v) {
			t.Errorf("%s %q: %+v, the file says %+v", v.Object, v.Name, got, v)
		}
	}
	if !bytes.Equal(kept, text.Bytes()) {
		t.Error("testdata/vectors.jsonl is not what the tests make today; -update writes it")
	}
	for r := range reasons {
		if _, elsewhere := notInVectors[r]; seen[r.Name()] == elsewhere {
			t.Errorf("%v: in the vectors: %v", r, !elsewhere)
		}
	}
}

func TestReasonsAreNamedOnce(t *testing.T) {
	names := map[string]bool{"": true, "unknown": true}
	for r, n := range reasons {
		if names[n.name] || n.text == "" {
			t.Errorf("reason %d: name %q, text %q", r, n.name, n.text)
		}
		names[n.name] = true
	}
	if Reason(0).Name() != "unknown" || Reason(255).Error() != "record: unknown reason" {
		t.Error("an unknown reason")
	}
}
