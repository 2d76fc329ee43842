package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cleavegame/cleave/assets/assetstest"
)

func get(h http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestWithoutTheGame(t *testing.T) {
	h := handlerOf(fstest.MapFS{})
	if w := get(h, "/"); w.Code != 200 || !strings.Contains(w.Body.String(), "built without the game") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := get(h, "/web.go"); w.Code != 404 {
		t.Errorf("/web.go: %d", w.Code)
	}
}

func packed(s string) *fstest.MapFile {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return &fstest.MapFile{Data: b.Bytes()}
}

func theGame() http.Handler {
	return handlerOf(fstest.MapFS{
		"index.html.gz":             packed("<p>game"),
		"index.html.br":             {Data: []byte("page in brotli")},
		"game-0123456789ab.wasm.gz": packed("plain"),
		"game-0123456789ab.wasm.br": {Data: []byte("game in brotli")},
	})
}

func TestFilesComeInTheFormThatIsTaken(t *testing.T) {
	h := theGame()
	for _, c := range []struct{ path, accept, body, encoding, kind, cache string }{
		{"/", "", "<p>game", "", "text/html; charset=utf-8", "no-cache"},
		{"/", "gzip, deflate, br, zstd", "page in brotli", "br", "text/html; charset=utf-8", "no-cache"},
		{"/index.html", "br;q=0, identity", "<p>game", "", "text/html; charset=utf-8", "no-cache"},
		{"/game-0123456789ab.wasm", "br", "game in brotli", "br", "application/wasm", "public, max-age=31536000, immutable"},
		{"/game-0123456789ab.wasm", "brotli", "plain", "", "application/wasm", "public, max-age=31536000, immutable"},
	} {
		w := get(h, c.path, "Accept-Encoding", c.accept)
		got := w.Header()
		if w.Code != 200 || w.Body.String() != c.body || got.Get("Content-Encoding") != c.encoding || got.Get("Content-Type") != c.kind || got.Get("Cache-Control") != c.cache {
			t.Errorf("%s for %q: %d %q %v", c.path, c.accept, w.Code, w.Body, got)
		}
	}
	w := get(h, "/", "Accept-Encoding", "gzip;q=0.5")
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(z); err != nil || string(b) != "<p>game" {
		t.Errorf("%q, %v", b, err)
	}
	for _, path := range []string{"/index.html.gz", "/nothing", "/web.go", "/dist/index.html", "/../web.go"} {
		if w := get(h, path); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestAFileIsNotSentTwice(t *testing.T) {
	h := theGame()
	tag := get(h, "/").Header().Get("ETag")
	if w := get(h, "/", "If-None-Match", tag); w.Code != 304 || w.Body.Len() != 0 {
		t.Errorf("%d with %d bytes", w.Code, w.Body.Len())
	}
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

func TestThePolicyIsStrict(t *testing.T) {
	got := get(theGame(), "/").Header().Get("Content-Security-Policy")
	for _, bad := range []string{"unsafe-inline", "'unsafe-eval'", "http:", "https:", "*", "blob:", "data:"} {
		if strings.Contains(got, bad) {
			t.Errorf("the policy has %s: %s", bad, got)
		}
	}
	if !strings.HasPrefix(got, "default-src 'none'") {
		t.Errorf("the policy is %q", got)
	}
}

// What the page says once the game is there it was told by the game, whose
// catalogue has a text for each of its words, and none that it does not say.
func TestThePageSaysWhatTheGameGaveIt(t *testing.T) {
	page, err := os.ReadFile("page/page.js")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, m := range regexp.MustCompile(`\btold\.(\w+)`).FindAllSubmatch(page, -1) {
		said[string(m[1])] = true
	}
	texts := assetstest.Texts(t)
	game, err := os.ReadFile("../../../cleave/main_js.go")
	if err != nil {
		t.Fatal(err)
	}
	for word := range said {
		if texts["page."+word] == nil {
			t.Errorf("the page says %q, which has no text", word)
		}
		if !bytes.Contains(game, []byte(`"`+word+`"`)) {
			t.Errorf("the page says %q, which the game does not tell it", word)
		}
	}
	for id := range texts {
		if word, ok := strings.CutPrefix(id, "page."); ok && !said[word] {
			t.Errorf("the text %q is spare", id)
		}
	}
	_, after, ok := bytes.Cut(page, []byte("what the game calls"))
	if !ok {
		t.Fatal("the page has another shape")
	}
	// Words of a sentence, between quotes.
	if m := regexp.MustCompile("[\"`][A-Z][a-z]+ [a-z][^\"`]*[\"`]").Find(after); m != nil {
		t.Errorf("the page says %s by itself", m)
	}
}
