package ui

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var update = flag.Bool("update", false, "write the goldens anew")

// Goldens are kept small: each scene shrunk, in the colours of one palette.
// They tell when a scene looks different from how somebody last looked at it;
// a GPU that rounds otherwise changes nothing.
const (
	shades   = 6  // of each of red, green and blue
	mostMean = 5  // of 255: how far the shrunk pictures may differ on average
	mostFar  = 80 // how far one pixel may be off and count as the same
	mostOff  = 12 // how many pixels of a thousand may be further off
)

func goldenPalette() color.Palette {
	var p color.Palette
	for r := range shades {
		for g := range shades {
			for b := range shades {
				at := func(v int) uint8 { return uint8(v * 255 / (shades - 1)) }
				p = append(p, color.RGBA{at(r), at(g), at(b), 255})
			}
		}
	}
	for grey := range 40 {
		v := uint8(grey * 255 / 39)
		p = append(p, color.RGBA{v, v, v, 255})
	}
	return p
}

// shrink averages squares of n by n pixels.
func shrink(img *image.RGBA, n int) *image.RGBA {
	w, h := img.Rect.Dx()/n, img.Rect.Dy()/n
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var sum [3]int
			for dy := range n {
				row := img.Pix[img.PixOffset(x*n, y*n+dy):]
				for dx := range n {
					for k := range sum {
						sum[k] += int(row[4*dx+k])
					}
				}
			}
			at := out.Pix[out.PixOffset(x, y):]
			for k := range sum {
				at[k] = uint8(sum[k] / (n * n))
			}
			at[3] = 255
		}
	}
	return out
}

// quantise puts a picture into the palette of the goldens.
func quantise(img *image.RGBA, p color.Palette) *image.Paletted {
	out := image.NewPaletted(img.Rect, p)
	known := map[color.RGBA]uint8{}
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			c := img.RGBAAt(x, y)
			i, ok := known[c]
			if !ok {
				i = uint8(p.Index(c))
				known[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
	return out
}

// compare says how a picture differs from its golden, "" if it does not.
func compare(got, want *image.Paletted) string {
	if got.Rect != want.Rect {
		return fmt.Sprintf("it is %v and was %v", got.Rect, want.Rect)
	}
	sum, off, n := 0, 0, got.Rect.Dx()*got.Rect.Dy()
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			a, b := got.At(x, y).(color.RGBA), want.At(x, y)
			r, g, bl, _ := b.RGBA()
			d := 0
			for _, pair := range [3][2]int{{int(a.R), int(r >> 8)}, {int(a.G), int(g >> 8)}, {int(a.B), int(bl >> 8)}} {
				d = max(d, max(pair[0]-pair[1], pair[1]-pair[0]))
			}
			sum += d
			if d > mostFar {
				off++
			}
		}
	}
	if mean := float64(sum) / float64(n); mean > mostMean || off*1000 > mostOff*n {
		return fmt.Sprintf("it differs by %.1f of 255 on average, %d of %d pixels are far off", mean, off, n)
	}
	return ""
}

// TestScenesLookAsTheyDid compares each scene at the size of a phone and of a
// desktop, light and dark, with how it looked.
func TestScenesLookAsTheyDid(t *testing.T) {
	p, some := goldenPalette(), regexp.MustCompile(*only)
	for _, size := range []struct {
		name    string
		w, h, n int
	}{{"phone", 360, 640, 2}, {"desktop", 1280, 800, 4}} {
		for _, theme := range []string{"light", "dark"} {
			set := DefaultSettings()
			set.Theme = theme
			for _, s := range shots {
				if !some.MatchString(s.name) {
					continue
				}
				_, dst := s.take(t, size.w, size.h, set)
				got := quantise(shrink(pixels(dst), size.n), p)
				path := filepath.Join("testdata", size.name+"-"+theme, s.name+".png")
				if *update {
					writeGolden(t, path, got)
					continue
				}
				want, err := readGolden(path)
				if err != nil {
					t.Errorf("%s: %v (look at the scene, then run with -update)", path, err)
					continue
				}
				if diff := compare(got, want); diff != "" {
					t.Errorf("%s: %s", path, diff)
					if *pictures != "" {
						writePicture(t, size.name+"-"+theme+"-"+s.name, got)
					}
				}
			}
		}
	}
}

func writeGolden(t *testing.T, path string, img image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err := enc.Encode(f, img); err != nil {
		t.Fatal(err)
	}
}

func readGolden(path string) (*image.Paletted, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		return nil, err
	}
	p, ok := img.(*image.Paletted)
	if !ok {
		return nil, fmt.Errorf("it has no palette")
	}
	return p, nil
}

// A golden that differs is found: the comparison itself can fail.
func TestComparisonFindsADifference(t *testing.T) {
	a := image.NewRGBA(image.Rect(0, 0, 60, 60))
	b := image.NewRGBA(a.Rect)
	for i := range a.Pix {
		a.Pix[i], b.Pix[i] = 240, 240
	}
	p := goldenPalette()
	if diff := compare(quantise(a, p), quantise(b, p)); diff != "" {
		t.Error(diff)
	}
	for y := range 12 {
		for x := range 12 {
			b.SetRGBA(x, y, color.RGBA{20, 60, 60, 255})
		}
	}
	if compare(quantise(a, p), quantise(b, p)) == "" {
		t.Error("a large spot is not found")
	}
}
