// Package web serves the game to browsers, where the binary was built with it:
// the files that its command build leaves in dist, beside this one.
//
// dist holds each file compressed twice, NAME.gz and NAME.br, and not plain. A
// client that takes neither gets it unpacked as it goes. Names with a hash in
// them are kept by browsers for a year; the page, the manifest and the service
// worker are asked for each time, by ETag.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// The pattern takes this folder as it is, so that the package compiles when
// dist has not been built.
//
//go:embed *
var folder embed.FS

// Handler serves the game at /, or says in words that it is not there.
func Handler() http.Handler {
	dist, err := fs.Sub(folder, "dist")
	if err != nil {
		return http.HandlerFunc(without)
	}
	return handlerOf(dist)
}

func handlerOf(dist fs.FS) http.Handler {
	f := &files{all: map[string]*file{}}
	packed, err := fs.Glob(dist, "*.gz")
	if err != nil {
		panic("web: " + err.Error())
	}
	for _, name := range packed {
		if err := f.add(dist, strings.TrimSuffix(name, ".gz")); err != nil {
			panic("web: the embedded game: " + err.Error())
		}
	}
	if f.all["index.html"] == nil {
		return http.HandlerFunc(without)
	}
	f.all[""] = f.all["index.html"]
	return f
}

const withoutText = `This is a Cleave server. It introduces players to each other and keeps the ladder,
but it was built without the game, so there is nothing to play on this page
(make web builds the game, and the server after it has it).

The ladder: /v1/ladder
`

func without(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	io.WriteString(w, withoutText)
}

// policy lets the page load and reach nothing but its own server, and run no
// code but its files and the game. WebRTC is not its business.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// kinds are the types of the files; the system's own table is not to be
// trusted with them.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".wasm": "application/wasm", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/png",
}

// kept is the name of a file that never changes.
var kept = regexp.MustCompile(`-[0-9a-f]{12}\.[a-z]+$`)

type file struct {
	kind   string
	etag   string
	kept   bool
	gz, br []byte
}

type files struct{ all map[string]*file }

func (f *files) add(dist fs.FS, name string) error {
	gz, err := fs.ReadFile(dist, name+".gz")
	if err != nil {
		return err
	}
	br, err := fs.ReadFile(dist, name+".br")
	if err != nil {
		return err
	}
	sum := sha256.Sum256(gz)
	f.all[name] = &file{kind: kinds[path.Ext(name)], etag: `"` + hex.EncodeToString(sum[:12]) + `"`, kept: kept.MatchString(name), gz: gz, br: br}
	return nil
}

// ServeHTTP serves a file in the smallest form that the client takes.
func (f *files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	is := f.all[strings.TrimPrefix(r.URL.Path, "/")]
	if is == nil {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "there is nothing to do here but read", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
	h.Set("Content-Type", is.kind)
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", is.etag)
	h.Set("Cache-Control", "no-cache")
	if is.kept {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if strings.Contains(r.Header.Get("If-None-Match"), is.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	takes := r.Header.Get("Accept-Encoding")
	switch {
	case accepts(takes, "br"):
		h.Set("Content-Encoding", "br")
		send(w, r, is.br)
	case accepts(takes, "gzip"):
		h.Set("Content-Encoding", "gzip")
		send(w, r, is.gz)
	default:
		unpacked(w, r, is.gz)
	}
}

// accepts reports whether an Accept-Encoding takes a coding by name.
func accepts(header, coding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), coding) {
			weight = strings.ReplaceAll(weight, " ", "")
			return weight != "q=0" && !strings.HasPrefix(weight, "q=0.000")
		}
	}
	return false
}

func send(w http.ResponseWriter, r *http.Request, data []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	if r.Method != http.MethodHead {
		w.Write(data)
	}
}

func unpacked(w http.ResponseWriter, r *http.Request, gz []byte) {
	if r.Method == http.MethodHead {
		return
	}
	z, err := gzip.NewReader(bytes.NewReader(gz))
	if err != nil {
		panic("web: the embedded game: " + err.Error())
	}
	// Nobody is left to tell when the client has gone.
	_, _ = io.Copy(w, z)
}
