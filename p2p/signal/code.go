package signal

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tyler-smith/go-bip39/wordlists"
)

// A Mailbox is the random name of one place at a rendezvous server.
type Mailbox [16]byte

// mailboxText is lower-case letters and digits only, so that a link survives
// whatever is done to its capitals. 26 characters.
var mailboxText = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

const mailboxLen = 26

func (m Mailbox) String() string { return mailboxText.EncodeToString(m[:]) }

// ParseMailbox reads what String wrote.
func ParseMailbox(s string) (Mailbox, error) {
	var m Mailbox
	if len(s) != mailboxLen {
		return m, &CodeError{Text: clip(s), Why: "a mailbox has 26 characters"}
	}
	b, err := mailboxText.DecodeString(s)
	if err != nil || mailboxText.EncodeToString(b) != s {
		return m, &CodeError{Text: clip(s), Why: "not the name of a mailbox"}
	}
	return Mailbox(b), nil
}

// A Code is an invitation: where the mailbox is, and two words that never
// leave the two programs.
type Code struct {
	// Server is the rendezvous server's base URL, such as
	// "https://play.example.org"; empty for the server of the settings.
	Server string
	// Number is the mailbox's number, from 1; 0 in a link, which names it by
	// Mailbox. A host's own code has both.
	Number  uint32
	Mailbox Mailbox
	Words   [2]string
}

// A CodeError says why a text is no code. Nothing has been tried with it, so
// no code was spent.
type CodeError struct{ Text, Why string }

func (e *CodeError) Error() string {
	return "signal: " + strconv.Quote(e.Text) + " is not an invite code: " + e.Why
}

// Unwrap makes a mistyped code the same failure as an unknown one.
func (e *CodeError) Unwrap() error { return NoSuchCode }

func clip(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}

// NewWords draws the two words of a new code.
func NewWords() [2]string {
	var b [4]byte
	rand.Read(b[:])
	list := wordlists.English
	// 2048 words: 11 bits each, without bias.
	return [2]string{list[binary.BigEndian.Uint16(b[:])%2048], list[binary.BigEndian.Uint16(b[2:])%2048]}
}

func isWord(s string) bool {
	_, ok := slices.BinarySearch(wordlists.English, s)
	return ok
}

// Secret is the code's secret for PairConfig.
func (c Code) Secret() string { return c.Words[0] + "-" + c.Words[1] }

// String is the short form, "7-maple-orbit", that is read out loud. A code
// without a number is written by its mailbox.
func (c Code) String() string {
	where := c.Mailbox.String()
	if c.Number != 0 {
		where = strconv.FormatUint(uint64(c.Number), 10)
	}
	return where + "-" + c.Secret()
}

// Full is the short form with the server before it,
// "play.example.org/7-maple-orbit"; the scheme is written only where a reader
// would assume another.
func (c Code) Full() string {
	if c.Server == "" {
		return c.String()
	}
	short := c.Server
	if _, rest, ok := strings.Cut(c.Server, "://"); ok {
		if normal, err := ServerURL(rest); err == nil && normal == c.Server {
			short = rest
		}
	}
	return short + "/" + c.String()
}

// Link is the form for a browser: mailbox and words stand in the fragment,
// which no browser sends to any server.
func (c Code) Link() string { return c.Server + "/#" + c.Mailbox.String() + "-" + c.Secret() }

// maxCodeText bounds what ParseCode looks at, in bytes: a pasted message, not
// a pasted book.
const maxCodeText = 2048

// ParseCode finds the one invite code in what a person typed or pasted:
// "7-maple-orbit", with spaces or capitals, with a server before it, or a
// link, alone or with other text around it. The error is a *CodeError.
func ParseCode(text string) (Code, error) {
	if len(text) > maxCodeText {
		return Code{}, &CodeError{Text: clip(text), Why: "it is too long"}
	}
	tokens := tokenize(text)
	var found *Code
	for i := 0; i+2 < len(tokens); i++ {
		c, ok := codeAt(text, tokens[i:i+3])
		if !ok {
			continue
		}
		if found != nil && *found != c {
			return Code{}, &CodeError{Text: clip(text), Why: "there are two codes in it"}
		}
		found = &c
	}
	if found == nil {
		return Code{}, &CodeError{Text: clip(text), Why: whyNoCode(tokens)}
	}
	return *found, nil
}

// A token is a run of ASCII letters and digits, lowered.
type token struct {
	text       string
	start, end int
}

func tokenize(text string) []token {
	var tokens []token
	start := -1
	for i := 0; i <= len(text); i++ {
		if i < len(text) && isAlnum(text[i]) {
			if start < 0 {
				start = i
			}
		} else if start >= 0 {
			tokens = append(tokens, token{strings.ToLower(text[start:i]), start, i})
			start = -1
		}
	}
	return tokens
}

func isAlnum(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// codeAt reads a code from three tokens, and the server from what stands
// directly before them.
func codeAt(text string, t []token) (Code, bool) {
	c := Code{Words: [2]string{t[1].text, t[2].text}}
	if !isWord(t[1].text) || !isWord(t[2].text) || !joined(text, t[0], t[1]) || !joined(text, t[1], t[2]) {
		return Code{}, false
	}
	if m, err := ParseMailbox(t[0].text); err == nil {
		c.Mailbox = m
	} else if n, ok := parseNumber(t[0].text); ok {
		c.Number = n
	} else {
		return Code{}, false
	}
	before := text[:t[0].start]
	before = before[strings.LastIndexAny(before, " \t\r\n<>\"'()[]{}|,;")+1:]
	rest, fragment := strings.CutSuffix(before, "#")
	rest, path := strings.CutSuffix(rest, "/")
	if rest == "" && !fragment {
		return c, !path
	}
	if !path && !fragment {
		// Some "code:7-maple-orbit", without a server.
		return c, !strings.Contains(rest, "/") && rest[len(rest)-1] == ':'
	}
	server, err := ServerURL(rest)
	if err != nil {
		return Code{}, false
	}
	c.Server = server
	return c, true
}

// joined reports whether two tokens stand as near to each other as those of a
// code do: a dash of any kind, or blanks, between them.
func joined(text string, a, b token) bool {
	between := text[a.end:b.start]
	return len(between) <= 8 && strings.Trim(between, " \t\r\n\u00a0-_.\u2010\u2011\u2012\u2013\u2014\u2212") == ""
}

func parseNumber(s string) (uint32, bool) {
	n, err := strconv.ParseUint(s, 10, 32)
	return uint32(n), err == nil && n != 0 && s[0] != '0'
}

// whyNoCode gives the most useful sentence about a text without a code.
func whyNoCode(tokens []token) string {
	if len(tokens) >= 3 {
		t := tokens[len(tokens)-3:]
		if _, ok := parseNumber(t[0].text); ok {
			for _, w := range t[1:] {
				if !isWord(w.text) {
					return strconv.Quote(clip(w.text)) + " is not one of the words that codes are made of"
				}
			}
		}
	}
	return "a code is a number and two words, such as 7-maple-orbit"
}

// ServerURL reads the address of a server as a person writes it and returns
// its base URL without a final slash. Without a scheme it is https, or http on
// the machine itself.
func ServerURL(s string) (string, error) {
	bad := func(why string) (string, error) { return "", &ServerError{Text: clip(s), Why: why} }
	if len(s) > 255 {
		return bad("it is too long")
	}
	scheme, rest, ok := strings.Cut(strings.TrimSpace(s), "://")
	if !ok {
		scheme, rest = "", strings.TrimSpace(s)
	}
	u, err := url.Parse("x://" + rest)
	if err != nil || u.Host == "" || u.Hostname() == "" {
		return bad("there is no host in it")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery || strings.ContainsAny(rest, "#?\\%") {
		return bad("only scheme, host, port and path may stand in it")
	}
	host := strings.ToLower(u.Host)
	for i := 0; i < len(host); i++ {
		if !isAlnum(host[i]) && !strings.ContainsRune("-.:[]_", rune(host[i])) {
			return bad("the host may hold only letters, digits, dots and dashes")
		}
	}
	if strings.HasSuffix(host, ":") {
		return bad("the port is missing")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return bad("the port is not one")
		}
	}
	for i := 0; i < len(u.Path); i++ {
		if !isAlnum(u.Path[i]) && !strings.ContainsRune("-._~/", rune(u.Path[i])) {
			return bad("the path may hold only letters, digits, dots and dashes")
		}
	}
	switch strings.ToLower(scheme) {
	case "":
		scheme = "https"
		if h := u.Hostname(); h == "localhost" || h == "::1" || strings.HasPrefix(h, "127.") {
			scheme = "http"
		}
	case "https", "wss":
		scheme = "https"
	case "http", "ws":
		scheme = "http"
	default:
		return bad("the scheme must be https or http")
	}
	return scheme + "://" + host + strings.TrimRight(u.Path, "/"), nil
}

// A ServerError says why a text is no address of a server.
type ServerError struct{ Text, Why string }

func (e *ServerError) Error() string {
	return "signal: " + strconv.Quote(e.Text) + " is not the address of a server: " + e.Why
}

// Unwrap makes an address that cannot be one a server that cannot be reached.
func (e *ServerError) Unwrap() error { return NoServer }
