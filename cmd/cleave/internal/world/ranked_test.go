package world

import (
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
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/info" || asked.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		json.NewEncoder(w).Encode(ranking.Info{API: 1, Server: record.Key{1}.String(), NowMs: time.Now().UnixMilli()})
	}))
	defer server.Close()
	w, err := Open(vault.Memory("p"), "1", server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for end := time.Now().Add(2 * time.Minute); w.ranking() == nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the server was asked %d times, and is not known", asked.Load())
		}
	}
}
