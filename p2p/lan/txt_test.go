//go:build !js

package lan

import (
	"slices"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/p2p"
)

// sample is a room as it is announced; its peer id is that of a fixed key.
var sample = p2p.Room{
	Key: [32]byte{1, 2, 3}, Player: "Zoë (♟)", Name: `Alice\ "Smith"`, State: p2p.RoomLocked,
	Clocks: "double", Rated: true, Version: 1, Instance: "12D3KooWHHzSeKaY8xuZVzkLbKFfvNgPPeKhFBGrMbNzbm5akpqu",
}

func TestTXT(t *testing.T) {
	record := txt(sample)
	want := []string{
		"v=1",
		"k=AQIDAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"id=12D3KooWHHzSeKaY8xuZVzkLbKFfvNgPPeKhFBGrMbNzbm5akpqu",
		"n=Wm_DqyAo4pmfKQ",
		"r=QWxpY2VcICJTbWl0aCI",
		"s=locked",
		"c=double",
		"m=rated",
	}
	if !slices.Equal(record, want) {
		t.Errorf("record is %q, want %q", record, want)
	}
	got, err := parseTXT(append([]string{"later=x", "no equals sign", "=", ""}, record...))
	if err != nil || !sameRoom(got, sample) {
		t.Errorf("read back as %+v, %v", got, err)
	}
	slices.Reverse(record)
	if _, err := parseTXT(record); err != nil {
		t.Errorf("in another order: %v", err)
	}
}

func TestMalformedTXTIsRefused(t *testing.T) {
	for name, record := range malformed() {
		if room, err := parseTXT(record); err == nil {
			t.Errorf("%s: accepted as %+v", name, room)
		}
	}
}

func malformed() map[string][]string {
	bad := map[string][]string{"nothing": nil}
	for i, s := range txt(sample) {
		field, _, _ := strings.Cut(s, "=")
		bad["without "+field] = slices.Delete(txt(sample), i, i+1)
		bad["twice "+field] = append(txt(sample), s)
		bad["empty "+field] = slices.Replace(txt(sample), i, i+1, field+"=")
		bad["long "+field] = slices.Replace(txt(sample), i, i+1, s+strings.Repeat("A", 200))
	}
	// A player and a room may be without a name.
	delete(bad, "empty n")
	delete(bad, "empty r")
	put := func(name, s string) {
		field, _, _ := strings.Cut(s, "=")
		record := txt(sample)
		i := slices.IndexFunc(record, func(s string) bool { return strings.HasPrefix(s, field+"=") })
		record[i] = s
		bad[name] = record
	}
	put("version 0", "v=0")
	put("version with a zero before it", "v=01")
	put("version too large", "v=65536")
	put("version with a sign", "v=+1")
	put("key too short", "k=AQID")
	put("key with padding", "k=AQIDAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
	put("key in other bits", "k=AQIDAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB")
	put("key of zeros", "k=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	put("peer id of nothing", "id=12D3KooW")
	put("peer id in another form", "id=bafzaajaiaejcaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
	put("name too long", "n="+b64.EncodeToString([]byte(strings.Repeat("x", 61))))
	put("name not UTF-8", "n="+b64.EncodeToString([]byte{0xff}))
	put("name that clears the screen", "n="+b64.EncodeToString([]byte("\x1b[2J")))
	put("name that turns the line", "r="+b64.EncodeToString([]byte("\u202egnp.exe")))
	put("name on two lines", "r="+b64.EncodeToString([]byte("a\nb")))
	put("name escaped by the library", `n=Zo\195\171`)
	put("unknown state", "s=ajar")
	put("unknown clocks", "c=never")
	put("neither rated nor friendly", "m=both")
	return bad
}

func FuzzTXT(f *testing.F) {
	f.Add(strings.Join(txt(sample), "\x00"))
	for _, record := range malformed() {
		f.Add(strings.Join(record, "\x00"))
	}
	f.Fuzz(func(t *testing.T, raw string) {
		room, err := parseTXT(strings.Split(raw, "\x00"))
		if err != nil {
			return
		}
		again, err := parseTXT(txt(room))
		if err != nil || !sameRoom(room, again) {
			t.Errorf("%+v comes back as %+v, %v", room, again, err)
		}
		for _, s := range txt(room) {
			if len(s) > 255 || strings.ContainsAny(s, "\\\"") {
				t.Errorf("%q cannot be announced", s)
			}
		}
	})
}
