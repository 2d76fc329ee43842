package record

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPlayerCode(t *testing.T) {
	for _, c := range []struct {
		code Code
		want string
	}{
		{Code{}, "0000-0000-0000-0000"},
		{Code{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, "ZZZZ-ZZZZ-ZZZZ-ZZZZ"},
		{Code{0x08}, "1000-0000-0000-0000"},
		{Code{9: 1}, "0000-0000-0000-0001"},
		{Code{0x00, 0x44, 0x32, 0x14, 0xc7, 0x42, 0x54, 0xb6, 0x35, 0xcf}, "0123-4567-89AB-CDEF"},
	} {
		if got := c.code.String(); got != c.want {
			t.Errorf("%x: %s, want %s", c.code, got, c.want)
		}
	}
	if got := PlayerCode(host.key); got != "ZTAD-VM4K-FJ8G-K4A3" {
		t.Errorf("the tests' host is %s", got)
	}
}

func TestParsePlayerCodeForgives(t *testing.T) {
	want, err := ParsePlayerCode("01AB-0000-111Z-YX01")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{
		"01AB0000111ZYX01", "01ab-0000-111z-yx01", "oiab oooo lilz yxol",
		" OLab--OOOO-illz\tYXo1\n", "01AB\u201300o0\u2014111Z\u00a0YX01",
	} {
		if got, err := ParsePlayerCode(s); err != nil || got != want {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "-", "01AB-0000-111Z-YX0", "01AB-0000-111Z-YX011", "U1AB-0000-111Z-YX01", "01AB_0000_111Z_YX01",
		"01AB-0000-111Z-YX0é", "01AB-0000-111Z-YX0\xff", strings.Repeat("0", 17), strings.Repeat("0", 1<<16)} {
		if _, err := ParsePlayerCode(s); !errors.Is(err, ErrPlayerCode) {
			t.Errorf("%.20q: %v", s, err)
		}
	}
}

func TestCodesReadBackAsTheyAreWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Code(rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "code"))
		got, err := ParsePlayerCode(c.String())
		if err != nil || got != c {
			t.Fatalf("%v: %v, %v", c, got, err)
		}
	})
}
