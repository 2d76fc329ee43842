package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

func get(h http.Handler, path, encoding string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	if encoding != "" {
		r.Header.Set("Accept-Encoding", encoding)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestWithoutTheGame(t *testing.T) {
	h := http.HandlerFunc(without)
	if w := get(h, "/", ""); w.Code != 200 || !strings.Contains(w.Body.String(), "built without the game") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := get(h, "/web.go", ""); w.Code != 404 {
		t.Errorf("/web.go: %d", w.Code)
	}
}

func TestFiles(t *testing.T) {
	h := &files{fstest.MapFS{
		"index.html":   {Data: []byte("<p>game")},
		"game.wasm":    {Data: []byte("plain")},
		"game.wasm.gz": {Data: []byte("zipped")},
	}}
	for _, c := range []struct{ path, accept, body, encoding, kind string }{
		{"/", "", "<p>game", "", "text/html; charset=utf-8"},
		{"/game.wasm", "", "plain", "", "application/wasm"},
		{"/game.wasm", "br, gzip", "zipped", "gzip", "application/wasm"},
	} {
		w := get(h, c.path, c.accept)
		if w.Code != 200 || w.Body.String() != c.body || w.Header().Get("Content-Encoding") != c.encoding || w.Header().Get("Content-Type") != c.kind {
			t.Errorf("%s: %d %q %v", c.path, w.Code, w.Body, w.Header())
		}
	}
	for _, path := range []string{"/game.wasm.gz", "/nothing", "/web.go"} {
		if w := get(h, path, ""); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}
