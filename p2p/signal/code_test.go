package signal

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tyler-smith/go-bip39/wordlists"
)

func TestParseCode(t *testing.T) {
	plain := Code{Number: 7, Words: [2]string{"maple", "orbit"}}
	at := func(server string) Code { c := plain; c.Server = server; return c }
	box := Mailbox{0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xee}
	link := Code{Server: "https://play.example.org", Mailbox: box, Words: plain.Words}
	tests := []struct {
		text string
		want Code
	}{
		{"7-maple-orbit", plain},
		{"  7-Maple-ORBIT\n", plain},
		{"7 maple orbit", plain},
		{"7 - maple - orbit", plain},
		{"7\u2013maple\u2013orbit", plain},
		{"7.maple.orbit", plain},
		{"\"7-maple-orbit\"", plain},
		{"the code is 7-maple-orbit, come!", plain},
		{"code:7-maple-orbit", plain},
		{"4294967295-abandon-zoo", Code{Number: 4294967295, Words: [2]string{"abandon", "zoo"}}},
		{"7-maple-orbit 7-maple-orbit", plain},
		{"play.example.org/7-maple-orbit", at("https://play.example.org")},
		{"PLAY.example.org/7 maple orbit", at("https://play.example.org")},
		{"127.0.0.1:8080/7-maple-orbit", at("http://127.0.0.1:8080")},
		{"localhost:8080/7-maple-orbit", at("http://localhost:8080")},
		{"http://play.example.org/7-maple-orbit", at("http://play.example.org")},
		{"https://example.org/sub/path/7-maple-orbit", at("https://example.org/sub/path")},
		{"https://play.example.org/#7-maple-orbit", at("https://play.example.org")},
		{"https://play.example.org#7-maple-orbit", at("https://play.example.org")},
		{link.Link(), link},
		{"<" + link.Link() + ">", link},
		{"Join me: " + link.Link() + ", quick!", link},
		{strings.ToUpper(link.Link()), link},
		{box.String() + "-maple-orbit", Code{Mailbox: box, Words: plain.Words}},
	}
	for _, tt := range tests {
		if got, err := ParseCode(tt.text); err != nil || got != tt.want {
			t.Errorf("%q: %+v, %v", tt.text, got, err)
		}
	}
}

func TestParseCodeRefuses(t *testing.T) {
	for text, why := range map[string]string{
		"":                                      "a code is a number and two words",
		"maple-orbit":                           "a code is a number and two words",
		"7-maple":                               "a code is a number and two words",
		"0-maple-orbit":                         "a code is a number and two words",
		"07-maple-orbit":                        "a code is a number and two words",
		"4294967296-maple-orbit":                "a code is a number and two words",
		"7-mapel-orbit":                         `"mapel" is not one of the words`,
		"7-maple-orbitt":                        `"orbitt" is not one of the words`,
		"7-maple-orbit or 8-maple-orbit":        "two codes",
		"ftp://x.org/7-maple-orbit":             "a code is a number and two words",
		"https://a:b@x.org/7-maple-orbit":       "a code is a number and two words",
		"https://x.org/?q=/7-maple-orbit":       "a code is a number and two words",
		strings.Repeat("7-maple-orbit ", 10000): "too long",
	} {
		c, err := ParseCode(text)
		var ce *CodeError
		if !errors.As(err, &ce) || !strings.Contains(ce.Why, why) {
			t.Errorf("%.40q: %+v, %v", text, c, err)
		}
		if f, _ := FailureOf(err); f != NoSuchCode {
			t.Errorf("%.40q: failure %s", text, f.Name())
		}
	}
}

func TestCodeForms(t *testing.T) {
	c := Code{Server: "https://play.example.org", Number: 7, Mailbox: Mailbox{1}, Words: [2]string{"maple", "orbit"}}
	for _, tt := range []struct{ what, got, want string }{
		{"short", c.String(), "7-maple-orbit"},
		{"full", c.Full(), "play.example.org/7-maple-orbit"},
		{"link", c.Link(), "https://play.example.org/#aeaaaaaaaaaaaaaaaaaaaaaaaa-maple-orbit"},
		{"secret", c.Secret(), "maple-orbit"},
		{"on this machine", Code{Server: "http://127.0.0.1:80", Number: 7, Words: c.Words}.Full(), "127.0.0.1:80/7-maple-orbit"},
		{"without TLS", Code{Server: "http://x.org", Number: 7, Words: c.Words}.Full(), "http://x.org/7-maple-orbit"},
		{"without server", Code{Number: 7, Words: c.Words}.Full(), "7-maple-orbit"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.what, tt.got, tt.want)
		}
	}
}

func TestEveryWordIsOneOfACode(t *testing.T) {
	if len(wordlists.English) != 2048 {
		t.Fatalf("%d words", len(wordlists.English))
	}
	for _, w := range wordlists.English {
		if !isWord(w) {
			t.Errorf("%q is not found", w)
		}
	}
	seen := map[string]bool{}
	for range 2000 {
		for _, w := range NewWords() {
			seen[w] = true
		}
	}
	// 4000 draws of 2048 leave out e^-1.95 of them on average, 291.
	if len(seen) < 1600 || len(seen) > 1900 {
		t.Errorf("4000 draws gave %d words", len(seen))
	}
}

func TestServerURL(t *testing.T) {
	for text, want := range map[string]string{
		"play.example.org":            "https://play.example.org",
		"play.example.org:8443/":      "https://play.example.org:8443",
		"HTTPS://Play.Example.org/x/": "https://play.example.org/x",
		"ws://10.0.0.1:80":            "http://10.0.0.1:80",
		"wss://x.org":                 "https://x.org",
		"[::1]:8080":                  "http://[::1]:8080",
		"127.1.2.3":                   "http://127.1.2.3",
		" x.org ":                     "https://x.org",
	} {
		if got, err := ServerURL(text); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "https://", "/path", ":80", "x.org:0", "x.org:70000", "x.org?q", "x.org#f", "u@x.org",
		"ftp://x.org", "x org", "x.org/a b", "x.org/%2f", strings.Repeat("x", 300), "[::1", "x.org:", "\x00"} {
		got, err := ServerURL(text)
		if err == nil {
			t.Errorf("%q: %q", text, got)
		}
		if f, _ := FailureOf(err); err != nil && f != NoServer {
			t.Errorf("%q: failure %s", text, f.Name())
		}
	}
}

func FuzzParseCode(f *testing.F) {
	f.Add("7-maple-orbit")
	f.Add("https://play.example.org/#aeaaaaaaaaaaaaaaaaaaaaaaaa-maple-orbit")
	f.Add("127.0.0.1:8080/7-maple-orbit")
	f.Add("[::1]:80/7 Maple\u2014orbit.")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCode(text)
		if err != nil {
			if !utf8.ValidString(err.Error()) {
				t.Errorf("error is no text: %q", err)
			}
			return
		}
		again := c.String()
		if c.Server != "" {
			again = c.Server + "/" + again
		}
		for _, form := range []string{again, c.Full()} {
			if d, err := ParseCode(form); err != nil || d != c {
				t.Errorf("%q is %+v, but %q is %+v, %v", text, c, form, d, err)
			}
		}
		if c.Number == 0 && c.Server != "" {
			if d, err := ParseCode(c.Link()); err != nil || d != c {
				t.Errorf("link %q is %+v, %v", c.Link(), d, err)
			}
		}
	})
}

func FuzzServerURL(f *testing.F) {
	f.Add("https://play.example.org:8443/path/")
	f.Add("[::1]:80")
	f.Fuzz(func(t *testing.T, text string) {
		u, err := ServerURL(text)
		if err != nil {
			return
		}
		if again, err := ServerURL(u); err != nil || again != u {
			t.Errorf("%q is %q, which is %q, %v", text, u, again, err)
		}
	})
}
