//go:build !js

package ranking

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/lockstep/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func receipt() Receipt {
	return Receipt{Kind: Confirmed, Server: serverKey, Match: record.ID{1}, Head: record.Head{2}, TimeMs: 1_790_000_000_123, Reason: None, Leaf: 7}.Sign(serverSign)
}

func TestReceipts(t *testing.T) {
	r := receipt()
	if err := r.Check(serverKey); err != nil {
		t.Fatal(err)
	}
	claim := Receipt{Kind: Claimed, Server: serverKey, TimeMs: 1, Reason: ClaimUndecided, Leaf: -1, Player: playerKey, Index: 21}.Sign(serverSign)
	for _, want := range []Receipt{r, claim} {
		b, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Receipt
		if err := json.Unmarshal(b, &got); err != nil || got != want {
			t.Errorf("%s reads back as %+v, %v", b, got, err)
		}
	}
	for name, change := range map[string]func(*Receipt){
		"kind": func(r *Receipt) { r.Kind = Accepted }, "unknown kind": func(r *Receipt) { r.Kind = "eaten" },
		"server": func(r *Receipt) { r.Server = playerKey }, "match": func(r *Receipt) { r.Match[0]++ }, "head": func(r *Receipt) { r.Head[31]++ },
		"time": func(r *Receipt) { r.TimeMs++ }, "reason": func(r *Receipt) { r.Reason = Forged }, "leaf": func(r *Receipt) { r.Leaf = -1 },
		"player": func(r *Receipt) { r.Player = playerKey }, "index": func(r *Receipt) { r.Index = 1 }, "signature": func(r *Receipt) { r.Signature[0]++ },
	} {
		bad := receipt()
		change(&bad)
		if err := bad.Check(serverKey); !errors.Is(err, ErrReceipt) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if err := r.Check(playerKey); !errors.Is(err, ErrReceipt) {
		t.Errorf("of another server: %v", err)
	}
}

func TestMalformedReceipts(t *testing.T) {
	good, _ := json.Marshal(receipt())
	for _, c := range [][2]string{
		{`"confirmed"`, `"eaten"`}, {`"match":"01`, `"match":"0`}, {`"match":"01`, `"match":"zz`}, {`"head":"02`, `"head":"02ff`},
		{`"server":"`, `"server":"A`}, {`"signature":"`, `"signature":"\n`}, {`"timeMs":1`, `"timeMs":"1"`},
	} {
		bad := strings.Replace(string(good), c[0], c[1], 1)
		if bad == string(good) {
			t.Fatalf("%s is not in %s", c[0], good)
		}
		var r Receipt
		if err := json.Unmarshal([]byte(bad), &r); err == nil || r != (Receipt{}) {
			t.Errorf("%s was read as %+v", bad, r)
		}
	}
}

func FuzzReceipt(f *testing.F) {
	good, _ := json.Marshal(receipt())
	f.Add(good)
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var r Receipt
		if json.Unmarshal(b, &r) != nil {
			return
		}
		again, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var r2 Receipt
		if err := json.Unmarshal(again, &r2); err != nil || r2 != r {
			t.Errorf("%s becomes %s", b, again)
		}
	})
}

func FuzzCheckRequest(f *testing.F) {
	f.Add("/v1/tickets", playerKey.String(), "AAAAAAAAAAAAAAAAAAAAAA", strings.Repeat("A", 86), []byte("{}"))
	f.Fuzz(func(t *testing.T, path, key, nonce, sig string, body []byte) {
		r := httptest.NewRequest(http.MethodPost, "http://h/", nil)
		r.URL.Path = path
		r.Header.Set(keyHeader, key)
		r.Header.Set(nonceHeader, nonce)
		r.Header.Set(signatureHeader, sig)
		if _, _, ok := CheckRequest(r, body, serverKey); ok {
			t.Error("a request that nobody signed")
		}
	})
}

func TestWork(t *testing.T) {
	never := func() bool { return false }
	proof, ok := Work(serverKey, playerKey, 12, never)
	if !ok || !CheckWork(serverKey, playerKey, proof, 12) {
		t.Fatal(proof, ok)
	}
	if CheckWork(playerKey, serverKey, proof, 12) || CheckWork(serverKey, serverKey, proof, 12) || CheckWork(serverKey, playerKey, proof+1, 12) {
		t.Error("the proof is good for something else")
	}
	if CheckWork(serverKey, playerKey, MaxWork, 0) {
		t.Error("a proof that JSON cannot hold")
	}
	if _, ok := Work(serverKey, playerKey, 256, func() bool { return true }); ok {
		t.Error("did not stop")
	}
	for n, hash := range map[int][32]byte{0: {0x80}, 7: {1}, 8: {0, 0x80}, 15: {0, 1}, 256: {}} {
		if got := leadingZeros(hash); got != n {
			t.Errorf("%x has %d zero bits, got %d", hash[:2], n, got)
		}
	}
}

func TestReasonsHaveSentences(t *testing.T) {
	for r, text := range reasons {
		if text == "" || strings.HasSuffix(text, ".") || strings.ToLower(text[:1]) != text[:1] {
			t.Errorf("%d: %q", r, text)
		}
		if (r < 101 || r > 299) && (r < 301 || r > 399) && (r < 401 || r > 499) && (r < 501 || r > 599) {
			t.Errorf("%d is out of the ranges", r)
		}
	}
	if got := Reason(999).Text(); !strings.Contains(got, "999") {
		t.Error(got)
	}
	for r, temporary := range map[Reason]bool{NotALog: false, Friendly: false, NotAuthentic: false, SlowDown: true, NoMoreToday: true, DiskFull: true, Stopping: true, TooLate: false} {
		if r.Temporary() != temporary {
			t.Errorf("%d: temporary %v", r, !temporary)
		}
	}
	e := (&Refusal{Reason: 999, Text: "the moon is full", Detail: "quite"}).Error()
	if e != "ranking: 999: the moon is full (quite)" {
		t.Error(e)
	}
}

// TestReasonNumbers holds the numbers: they are permanent.
func TestReasonNumbers(t *testing.T) {
	var lines []string
	for n := Reason(1); n < 600; n++ {
		if text, ok := reasons[n]; ok {
			b, _ := json.Marshal(map[string]any{"number": n, "text": text})
			lines = append(lines, string(b))
		}
	}
	golden(t, "reasons.jsonl", []byte(strings.Join(lines, "\n")+"\n"))
}

// TestVectors is one example of all that is signed or hashed, for other
// implementations.
func TestVectors(t *testing.T) {
	nonce := Nonce{0, 0, 1, 0xa0, 0xc4, 0x5b, 0x5e, 0x7b, 1, 2, 3, 4, 5, 6, 7, 8}
	body := []byte(`{"count":3}`)
	r := httptest.NewRequest(http.MethodPost, "http://cleave.example/v1/tickets?x=1", bytes.NewReader(body))
	SignRequest(r, body, serverKey, playerKey, nonce, playerSign)
	if k, n, ok := CheckRequest(r, body, serverKey); !ok || k != playerKey || n != nonce {
		t.Fatal("a request that was signed does not check")
	}
	work, _ := Work(serverKey, playerKey, 16, func() bool { return false })
	claim := Receipt{Kind: Claimed, Server: serverKey, Match: record.ID{3}, Head: record.Head{4}, TimeMs: 5, Reason: ClaimUndecided, Leaf: -1, Player: playerKey, Index: 6}.Sign(serverSign)
	counted := Receipt{Kind: Counted, Server: serverKey, Match: record.ID{7}, Head: record.Head{8}, TimeMs: 9, Leaf: -1, Player: playerKey, Index: 2}.Sign(serverSign)
	withdrawn := Receipt{Kind: Withdrawn, Server: serverKey, Match: record.ID{3}, Head: record.Head{4}, TimeMs: 6, Leaf: -1, Player: playerKey, Index: 6}.Sign(serverSign)
	hash := sha256.Sum256([]byte("server"))
	player := sha256.Sum256([]byte("player"))
	b, err := json.MarshalIndent(map[string]any{
		"serverSeed": hex.EncodeToString(hash[:]),
		"playerSeed": hex.EncodeToString(player[:]),
		"request": map[string]any{"method": "POST", "path": "/v1/tickets?x=1", "body": string(body), "signed": hex.EncodeToString(requestMessage(serverKey, "POST", "/v1/tickets?x=1", body, nonce)),
			"headers": map[string]string{keyHeader: r.Header.Get(keyHeader), nonceHeader: r.Header.Get(nonceHeader), signatureHeader: r.Header.Get(signatureHeader)}},
		"work": map[string]any{"bits": 16, "smallestProof": work},
		"receipts": []any{map[string]any{"receipt": receipt(), "signed": hex.EncodeToString(receipt().message())}, map[string]any{"receipt": claim, "signed": hex.EncodeToString(claim.message())},
			map[string]any{"receipt": counted, "signed": hex.EncodeToString(counted.message())}, map[string]any{"receipt": withdrawn, "signed": hex.EncodeToString(withdrawn.message())}},
		"attempts": attemptVectors(),
		"year":     yearVector(),
	}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "vectors.json", append(b, '\n'))
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what it was:\n%s", path, got)
	}
}

func TestTexts(t *testing.T) {
	if id, ok := ParseMatchID(strings.Repeat("0a", 32)); !ok || id[31] != 10 {
		t.Error(id, ok)
	}
	for _, bad := range []string{"", strings.Repeat("0", 63), strings.Repeat("g", 64), strings.Repeat("0", 65)} {
		if _, ok := ParseMatchID(bad); ok {
			t.Errorf("%q is a match id", bad)
		}
	}
	if k, err := ParseKeyText(playerKey.String()); err != nil || k != playerKey {
		t.Error(k, err)
	}
	if _, err := ParseKeyText("x"); !errors.Is(err, record.ErrKeyLength) {
		t.Error(err)
	}
	if _, err := ParseKeyText(record.Key{1}.String()); !errors.Is(err, record.ErrKeySmallOrder) {
		t.Error(err)
	}
	if got := NewSignedTerms(record.Terms{}, [2]record.Signature{{1}, {2}}); !reflect.DeepEqual(len(got.Signatures[1]), 64) || got.Signatures[1][0] != 2 {
		t.Error(got)
	}
}
