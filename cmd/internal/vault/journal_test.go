package vault

import (
	"bytes"
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

func encode(records ...[]byte) []byte {
	b := []byte(journalMagic)
	for _, r := range records {
		b = appendFrame(b, r)
	}
	return b
}

func TestJournalForms(t *testing.T) {
	whole := encode([]byte("one"), []byte("two"))
	at2 := len(encode([]byte("one")))
	flip := func(i int) []byte {
		b := bytes.Clone(whole)
		b[i] ^= 1
		return b
	}
	huge := bytes.Clone(whole)
	binary.BigEndian.PutUint32(huge[at2:], 1<<31)
	for name, tc := range map[string]struct {
		data    []byte
		records int
		good    int
		damaged bool
	}{
		"empty":                          {nil, 0, 0, false},
		"half a beginning":               {whole[:5], 0, 0, false},
		"zeros":                          {make([]byte, 100), 0, 0, false},
		"another file":                   {[]byte("hello, world"), 0, 0, true},
		"another short file":             {[]byte("hey"), 0, 0, true},
		"whole":                          {whole, 2, len(whole), false},
		"torn in the payload":            {whole[:len(whole)-1], 1, at2, false},
		"torn in the head":               {whole[:at2+3], 1, at2, false},
		"zeros behind":                   {append(bytes.Clone(whole), make([]byte, 4096)...), 2, len(whole), false},
		"last payload half written":      {flip(len(whole) - 1), 1, at2, false},
		"first payload changed":          {flip(at2 - 1), 0, len(journalMagic), true},
		"first checksum changed":         {flip(len(journalMagic) + 5), 0, len(journalMagic), true},
		"a length beyond all reason":     {huge, 1, at2, true},
		"first length one longer":        {flip(len(journalMagic) + 3), 0, len(journalMagic), true},
		"an empty record":                {encode(nil), 1, len(journalMagic) + frameHead, false},
		"a zero head before more bytes":  {append(append(bytes.Clone(whole), make([]byte, 8)...), 1), 2, len(whole), true},
		"a last record of eight zeros":   {append(bytes.Clone(whole), make([]byte, 8)...), 2, len(whole), false},
		"only the beginning of a record": {append(bytes.Clone(whole), 0), 2, len(whole), false},
	} {
		t.Run(name, func(t *testing.T) {
			records, good, err := decodeJournal(tc.data)
			if len(records) != tc.records || good != tc.good || (err != nil) != tc.damaged {
				t.Errorf("got %d records, %d good bytes, %v; want %d, %d, damaged %v", len(records), good, err, tc.records, tc.good, tc.damaged)
			}
		})
	}
}

// However an append was cut short, what was synced before it reads back.
func TestAnyCutKeepsWhatWasSynced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		synced := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 60), 0, 6).Draw(t, "synced")
		last := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "last")
		head := encode(synced...)
		data := appendFrame(bytes.Clone(head), last)
		cut := rapid.IntRange(len(head), len(data)).Draw(t, "cut")
		got, good, err := decodeJournal(data[:cut])
		if err != nil {
			t.Fatal(err)
		}
		want := synced
		if cut == len(data) {
			want, head = append(want, last), data
		}
		if len(got) != len(want) || good != len(head) {
			t.Fatalf("%d records, %d bytes; want %d, %d", len(got), good, len(want), len(head))
		}
		for i := range want {
			if !bytes.Equal(got[i], want[i]) {
				t.Fatalf("record %d is %x; want %x", i, got[i], want[i])
			}
		}
	})
}

func FuzzJournal(f *testing.F) {
	f.Add([]byte{})
	f.Add(encode([]byte("one"), nil, []byte("two")))
	f.Add(append(encode([]byte("one")), make([]byte, 20)...))
	f.Add([]byte(journalMagic + "\xff\xff\xff\xff\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		records, good, err := decodeJournal(data)
		if good > len(data) {
			t.Fatal("more good bytes than there are")
		}
		if good > 0 && !bytes.Equal(encode(records...), data[:good]) {
			t.Fatal("what was read does not encode back to the same bytes")
		}
		if err == nil && good > 0 {
			// What is dropped as torn stays dropped when more is appended.
			more, _, err := decodeJournal(appendFrame(bytes.Clone(data[:good]), []byte("more")))
			if err != nil || len(more) != len(records)+1 {
				t.Fatalf("after an append: %d records, %v", len(more), err)
			}
		}
	})
}
