package duel

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

func TestTableIsThePublishedOne(t *testing.T) {
	var raw []byte
	for _, b := range blocks {
		raw = binary.BigEndian.AppendUint16(raw, uint16(b))
	}
	sum := sha256.Sum256(raw)
	const want = "1071c0226781894aff578a71df1b8df09c7ad46d88367d71ac226cb66515e576"
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
	hexes := func(bs []Block) string {
		var words []string
		for _, b := range bs {
			words = append(words, fmt.Sprintf("%04x", uint16(b)))
		}
		return strings.Join(words, " ")
	}
	if got, want := hexes(blocks[:8]), "03fd 05df 05fb 05fd 06fb 06fd 07cf 07dd"; got != want {
		t.Errorf("begins %s, want %s", got, want)
	}
	if got, want := hexes(blocks[Blocks-4:]), "fc8c fd11 fd44 fd88"; got != want {
		t.Errorf("ends %s, want %s", got, want)
	}
}

func TestSplitsPerBlock(t *testing.T) {
	count := map[int]int{}
	for _, b := range blocks {
		masks, n := b.Splits()
		count[n]++
		var with [5]int
		for _, m := range masks[:n] {
			with[bits.OnesCount16(m)]++
			if !b.IsSplit(m) || b.IsSplit(uint16(b)^m) {
				t.Errorf("%04x: split %04x must be legal by its smaller part only", uint16(b), m)
			}
		}
		if with[3] == 0 || with[4] == 0 {
			t.Errorf("%04x lacks a 3+6 or a 4+5 split", uint16(b))
		}
	}
	want := map[int]int{3: 352, 4: 528, 5: 60, 6: 12}
	if fmt.Sprint(count) != fmt.Sprint(want) {
		t.Errorf("splits per block %v, want %v", count, want)
	}
}

func TestDrawVectors(t *testing.T) {
	fill := func(f func(i int) byte) (b [32]byte) {
		for i := range b {
			b[i] = f(i)
		}
		return b
	}
	for _, v := range []struct {
		name   string
		random [32]byte
		index  int
		block  Block
		splits string
	}{
		{"zeros", [32]byte{}, 0, 0x03fd, "008c 00cc 0111 0311"},
		{"ones", fill(func(int) byte { return 0xff }), 206, 0x31be, "008c 008e 3100 3110"},
		{"counting", fill(func(i int) byte { return byte(i) }), 1, 0x05df, "0111 0113 04c0 04c8"},
		{"sha256 of duel", sha256.Sum256([]byte("duel")), 470, 0x6f31, "0031 0111 0131 4c00 6c00"},
	} {
		b := Draw(v.random)
		if b != v.block || b != BlockAt(v.index) {
			t.Errorf("%s: %04x, want %04x at %d", v.name, uint16(b), uint16(v.block), v.index)
		}
		masks, n := b.Splits()
		var words []string
		for _, m := range masks[:n] {
			words = append(words, fmt.Sprintf("%04x", m))
		}
		if got := strings.Join(words, " "); got != v.splits {
			t.Errorf("%s: splits %s, want %s", v.name, got, v.splits)
		}
	}
}

// The table of connected masks is made by growing; the flood fill of engine is
// another way to the same answer.
func TestConnectedAgreesWithFloodFill(t *testing.T) {
	for m := uint16(1); m != 0; m++ {
		if connected.has(m) != engine.Connected(frameCells(m)) {
			t.Fatalf("%04x: grown %v, flooded %v", m, connected.has(m), !connected.has(m))
		}
	}
}

func TestPiecesUpToTurning(t *testing.T) {
	seen := map[uint8]bool{}
	for _, b := range blocks {
		masks, n := b.Splits()
		for _, m := range masks[:n] {
			seen[shapeOf[m]] = true
			seen[shapeOf[uint16(b)^m]] = true
		}
	}
	count := map[int]int{}
	for i := range seen {
		count[shapes[i].Pieces[0].Size()]++
	}
	want := map[int]int{3: 2, 4: 7, 5: 17, 6: 49}
	if fmt.Sprint(count) != fmt.Sprint(want) || len(seen) != Shapes || len(shapes) != Shapes {
		t.Errorf("%d pieces by size %v, want 75 as %v", len(seen), count, want)
	}
}

func TestThreeByThreeHas32Splits(t *testing.T) {
	square := uint16(0x0777)
	n := 0
	for _, part := range smallParts {
		if isSplit(Block(square), part) {
			n++
		}
	}
	if n != 32 {
		t.Errorf("%d splits of the 3x3 square, want 32", n)
	}
}

func TestBlockDrawingsParseBack(t *testing.T) {
	for _, b := range blocks {
		got, err := ParseBlock(b.Text())
		if err != nil || got != b {
			t.Fatalf("%04x drawn and read back is %04x, %v", uint16(b), uint16(got), err)
		}
	}
	for _, bad := range []string{
		"", "####\n####\n#...", "####\n####\n#...\n....\n....", "###.\n###.\n###.\n....",
		"....\n####\n####\n#...", "####\n####\n#..?\n....",
	} {
		if b, err := ParseBlock(bad); err == nil {
			t.Errorf("%q read as %04x", bad, uint16(b))
		}
	}
}

func BenchmarkMakeTables(b *testing.B) {
	for b.Loop() {
		makeConnected()
		makeSmallParts()
		makeBlocks()
		makeShapes()
	}
}
