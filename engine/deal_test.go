package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"testing"
)

func TestDrawIsAByteOfTheBlock(t *testing.T) {
	seed := Deal(sha256.Sum256([]byte("deal")))
	for _, n := range []uint32{0, 1, 31, 32, 33, 1000, 65_537, 1<<32 - 1} {
		block := append(append([]byte("cleave/deal/1"), seed[:]...), binary.BigEndian.AppendUint32(nil, n/32)...)
		sum := sha256.Sum256(block)
		if got := seed.Draw(n); got != sum[n%32] {
			t.Errorf("piece %d is decided by %d, want %d", n, got, sum[n%32])
		}
	}
}

func TestParseSlots(t *testing.T) {
	got, err := ParseSlots("I2:2 O4:1 V3:1")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"##", "##", "#/#", "#/#", "##/##", "##/#.", "##/.#", ".#/##", "#./##"}
	if len(got) != len(want) {
		t.Fatalf("%d slots, want %d", len(got), len(want))
	}
	for i, text := range want {
		if got[i] != piece(t, text) {
			t.Errorf("slot %d is\n%s\nwant %s", i, got[i].Text(), text)
		}
	}
	for _, bad := range []string{"I2", "I2:", "I2:0", "I2:-1", "I2:1000", "K9:1", ":1", "I2:1:2"} {
		if slots, err := ParseSlots(bad); err == nil {
			t.Errorf("%q makes %d slots", bad, len(slots))
		}
	}
}

func TestFamiliesAreOfTheirSize(t *testing.T) {
	for name, picture := range families {
		p := piece(t, picture)
		if int(name[len(name)-1]-'0') != p.Size() || !Connected(p.Cells()) || p.Text() != redrawn(t, picture) {
			t.Errorf("%s is drawn with %d cells", name, p.Size())
		}
	}
}

// redrawn is a picture with newlines for slashes, as it is drawn.
func redrawn(t *testing.T, picture string) string {
	cells, rows, cols, err := ParsePicture(picture)
	if err != nil {
		t.Fatal(err)
	}
	return cells.draw(rows, cols)
}

func TestMustSlotsPanics(t *testing.T) {
	for _, c := range []struct {
		size int
		text string
	}{{1, "I2:1"}, {2, "I2:x"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q makes %d slots", c.text, c.size)
				}
			}()
			MustSlots(c.size, c.text)
		}()
	}
}
