package ranking

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cleavegame/cleave/lockstep/record"
)

// FuzzAnswers has a server say anything to the questions of dailies and arenas.
// A client believes a deal, an attempt or a receipt only with the signature of
// the server whose key it knows.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{"{}", "null", "[]", `{"day":"2026-11-30","seed":"00"}`,
		`{"anchors":[{"year":2026,"anchor":"00","signature":"AA"}]}`,
		`{"contest":"2026-11-30","number":1,"attempt":"AAAA","seed":"00"}`,
		`{"run":"00","state":"counted","receipt":{"kind":"counted","server":"","match":"","head":"","signature":""},"place":{"percentile":null}}`,
		`{"kind":"day","players":[{"rank":1}],"place":{"neighbours":[{}]}}`,
		`{"arenas":[{"entrants":null}]}`,
	} {
		f.Add([]byte(body))
	}
	var says []byte // what the server answers now
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(says)
	}))
	defer server.Close()
	f.Fuzz(func(t *testing.T, body []byte) {
		says = body
		c, err := NewClient(Config{URL: server.URL, Server: serverKey, Key: playerKey, Sign: playerSign})
		if err != nil {
			t.Fatal(err)
		}
		c.server, c.known = serverKey, true
		ctx := t.Context()
		c.Daily(ctx, "")
		c.Board(ctx, BoardAsk{Kind: DayBoard})
		c.Arenas(ctx)
		c.Arena(ctx, "00")
		c.Run(ctx, record.ID{})
		if all, err := c.Anchors(ctx); err == nil {
			for _, a := range all {
				if !a.Check(serverKey) {
					t.Errorf("an anchor that nobody signed: %+v", a)
				}
			}
		}
		if a, _, err := c.OpenAttempt(ctx, "", [16]byte{1}); err == nil && a.Check(serverKey, playerKey) != nil {
			t.Errorf("an attempt that nobody opened: %+v", a)
		}
		if a, err := c.UploadRun(ctx, nil); err == nil && a.Receipt.Check(serverKey) != nil {
			t.Errorf("a receipt that nobody signed: %+v", a)
		}
	})
}
