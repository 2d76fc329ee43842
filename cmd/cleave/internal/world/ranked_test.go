package world

import (
	"crypto/ed25519"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A server that was away when the game was opened is asked again soon: a match
// that counts needs its tickets.
func TestAServerThatWasAwayIsAskedAgain(t *testing.T) {
	var asked atomic.Int32
	public := ed25519.NewKeyFromSeed(make([]byte, 32)).Public().(ed25519.PublicKey)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/info" || asked.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(ranking.Info{API: 1, Server: record.Key(public).String(), NowMs: time.Now().UnixMilli()})
	}))
	defer server.Close()
	w, err := Open(vault.Memory("p"), "1", server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for end := time.Now().Add(2 * time.Minute); w.ranking() == nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the server was asked %d times, and is not known: %+v", asked.Load(), w.Standing())
		}
	}
}
