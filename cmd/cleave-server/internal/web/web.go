// Package web serves the game to browsers, where the binary was built with it:
// the files that the build leaves in dist, beside this one.
package web

import (
	"embed"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
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
	if err == nil {
		_, err = fs.Stat(dist, "index.html")
	}
	if err != nil {
		return http.HandlerFunc(without)
	}
	return &files{dist}
}

const withoutText = `This is a Cleave server. It introduces players to each other and keeps the ladder,
but it was built without the game, so there is nothing to play on this page.

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

type files struct{ dist fs.FS }

// ServeHTTP serves a file, and where the build left NAME.gz beside it, that one
// to who reads gzip: the game is megabytes.
func (f *files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	if strings.HasSuffix(name, ".gz") {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		w.Header().Set("Content-Type", kind)
	}
	w.Header().Add("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		if _, err := fs.Stat(f.dist, name+".gz"); err == nil {
			w.Header().Set("Content-Encoding", "gzip")
			name += ".gz"
		}
	}
	http.ServeFileFS(w, r, f.dist, name)
}
