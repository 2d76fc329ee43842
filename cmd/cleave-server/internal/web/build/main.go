// Command build makes the web client: the game for js/wasm and the page around
// it, into dist beside package web, whose binary then serves it.
//
//	go run ./cmd/cleave-server/internal/web/build [-quick]
//
// It is run in the repository's root. Each file but the page, the manifest and
// the service worker gets the hash of its content into its name, so that it can
// be kept for ever; {{NAME}} in the files of page/ stands for such a name. Every
// file is left compressed with gzip and Brotli, and not plain. -quick compresses
// less, for who builds often.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
)

const (
	home = "cmd/cleave-server/internal/web"
	dist = home + "/dist"
)

func main() {
	quick := flag.Bool("quick", false, "compress less")
	version := flag.String("version", "development", "the game's version")
	flag.Parse()
	if err := build(*quick, *version); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// A site is what is written: contents by name.
type site struct {
	quick bool
	names map[string]string // the name with the hash, by the plain one
	sizes string
}

func build(quick bool, version string) error {
	game, err := compile(version)
	if err != nil {
		return err
	}
	glue, err := glue()
	if err != nil {
		return err
	}
	// Not before: package web does not compile beside an empty dist.
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(dist + "/*")
	if err != nil {
		return err
	}
	for _, f := range old {
		if err := os.Remove(f); err != nil {
			return err
		}
	}
	s := &site{quick: quick, names: map[string]string{"size": fmt.Sprint(len(game))}}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{"game.wasm", game}, {"wasm_exec.js", glue}, {"icon.png", icon(192)}, {"icon-512.png", icon(512)},
	} {
		if err := s.hashed(f.name, f.data); err != nil {
			return err
		}
	}
	for _, name := range []string{"icon.svg", "page.css", "sound.js", "page.js"} {
		data, err := s.fill(name)
		if err != nil {
			return err
		}
		if err := s.hashed(name, data); err != nil {
			return err
		}
	}
	return s.entry()
}

// entry writes the files that keep their names.
func (s *site) entry() error {
	files := []string{"/", "/manifest.webmanifest"}
	all := sha256.New()
	for _, name := range []string{"game.wasm", "wasm_exec.js", "icon.png", "icon-512.png", "icon.svg", "page.css", "sound.js", "page.js"} {
		files = append(files, "/"+s.names[name])
		fmt.Fprintln(all, s.names[name])
	}
	list, err := json.Marshal(files)
	if err != nil {
		return err
	}
	s.names["files"] = string(list)
	// What a browser asks for beside a file that is no page.
	if err := s.write("favicon.ico", icon(48)); err != nil {
		return err
	}
	for _, name := range []string{"index.html", "manifest.webmanifest", "sw.js"} {
		s.names["version"] = hex.EncodeToString(all.Sum(nil))[:12]
		data, err := s.fill(name)
		if err != nil {
			return err
		}
		all.Write(data)
		if err := s.write(name, data); err != nil {
			return err
		}
	}
	fmt.Print(s.sizes)
	return nil
}

// fill reads a file of page/ and puts names in.
func (s *site) fill(name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(home, "page", name))
	if err != nil {
		return nil, err
	}
	var pairs []string
	for k, v := range s.names {
		pairs = append(pairs, "{{"+k+"}}", v)
	}
	text := strings.NewReplacer(pairs...).Replace(string(data))
	if at := strings.Index(text, "{{"); at >= 0 {
		return nil, fmt.Errorf("%s: nothing is called %.40q", name, text[at:])
	}
	return []byte(text), nil
}

func (s *site) hashed(name string, data []byte) error {
	sum := sha256.Sum256(data)
	ext := filepath.Ext(name)
	s.names[name] = strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:6]) + ext
	return s.write(s.names[name], data)
}

// write leaves a file compressed in both ways.
func (s *site) write(name string, data []byte) error {
	// At 11 Brotli takes three times as long for another 4 %, and a larger window
	// gains nothing here.
	level, quality := gzip.BestCompression, 10
	if s.quick {
		level, quality = gzip.BestSpeed, 2
	}
	var gz, br bytes.Buffer
	g, err := gzip.NewWriterLevel(&gz, level)
	if err != nil {
		return err
	}
	b := brotli.NewWriterOptions(&br, brotli.WriterOptions{Quality: quality, LGWin: 22})
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{g, b} {
		if _, err := w.Write(data); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	s.sizes += fmt.Sprintf("%9d bytes, gzip %8d, brotli %8d  %s\n", len(data), gz.Len(), br.Len(), name)
	if err := os.WriteFile(filepath.Join(dist, name+".gz"), gz.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dist, name+".br"), br.Bytes(), 0o644)
}

// The icon's cells, as page/icon.svg draws them: a block, cloven. Each is
// [x, y] of its corner on a field of 512.
var cells = [2][][2]int{
	{{84, 136}, {164, 136}, {84, 216}, {84, 296}, {164, 296}},
	{{268, 136}, {348, 136}, {188, 216}, {268, 216}, {348, 216}, {268, 296}, {348, 296}},
}

// icon draws the icon for systems that take no SVG.
func icon(size int) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	fill := func(r image.Rectangle, c color.NRGBA) {
		draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(img.Bounds(), color.NRGBA{0xf3, 0xf0, 0xe9, 255})
	for i, tint := range [2]color.NRGBA{{0x1f, 0x7a, 0x70, 255}, {0xb1, 0x4a, 0x26, 255}} {
		for _, c := range cells[i] {
			fill(image.Rect(c[0]*size/512, c[1]*size/512, (c[0]+76)*size/512, (c[1]+76)*size/512), tint)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic("build: the icon: " + err.Error())
	}
	return b.Bytes()
}
