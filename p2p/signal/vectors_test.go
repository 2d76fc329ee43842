package signal

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"testing/cryptotest"
)

var update = flag.Bool("update", false, "rewrite the vectors in testdata")

// golden compares v, as JSON, with a file of testdata.
func golden(t *testing.T, name string, v any) {
	t.Helper()
	got, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what it was:\n%s", path, got)
	}
}

type hexBytes []byte

func (b hexBytes) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(b)), nil }

// A pairVector is one pairing from its inputs to its last byte. The draws are
// what each side took from its source of randomness, in order.
type pairVector struct {
	Name        string   `json:"name"`
	Secret      string   `json:"secret"`
	Context     string   `json:"context"`
	Version     uint16   `json:"version"`
	HostHello   hexBytes `json:"host_hello"`
	GuestHello  hexBytes `json:"guest_hello"`
	Salt        hexBytes `json:"cpace_salt,omitempty"`
	HostScalar  hexBytes `json:"host_scalar"` // before its reduction for CPace; the private key for X25519
	GuestScalar hexBytes `json:"guest_scalar,omitempty"`
	Associated  hexBytes `json:"associated"`
	Start       hexBytes `json:"start"`
	Answer      hexBytes `json:"answer"`
	Shared      hexBytes `json:"shared"`
	Transcript  hexBytes `json:"transcript"`
	Root        hexBytes `json:"root"`

	HostFresh    hexBytes `json:"host_fresh"`
	GuestFresh   hexBytes `json:"guest_fresh"`
	HostSeed     hexBytes `json:"host_ed25519_seed"`
	GuestSeed    hexBytes `json:"guest_ed25519_seed"`
	HostBinding  hexBytes `json:"host_binding"`
	GuestBinding hexBytes `json:"guest_binding"`
	GuestConfirm hexBytes `json:"guest_confirm"`
	HostConfirm  hexBytes `json:"host_confirm"`
	HostSigns    hexBytes `json:"host_signs"`
	HostProof    hexBytes `json:"host_proof"`
	GuestSigns   hexBytes `json:"guest_signs"`
	GuestProof   hexBytes `json:"guest_proof"`
	Session      hexBytes `json:"session"`
	FirstPlain   hexBytes `json:"hosts_first_message"`
	FirstSealed  hexBytes `json:"hosts_first_message_sealed"`
}

func TestPairVectors(t *testing.T) {
	var vectors []pairVector
	for i, secret := range []string{"maple-orbit", ""} {
		vectors = append(vectors, makePairVector(t, uint64(i+1), secret))
	}
	golden(t, "pairing.json", vectors)
}

// makePairVector runs both sides of a pairing by hand, in one fixed order.
func makePairVector(t *testing.T, seed uint64, secret string) pairVector {
	hc, gc := configs(secret)
	host, err := newPairing(nil, hc)
	if err != nil {
		t.Fatal(err)
	}
	guest, err := newPairing(nil, gc)
	if err != nil {
		t.Fatal(err)
	}
	v := pairVector{
		Name: "code", Secret: secret, Context: hc.Context, Version: 1,
		HostHello: host.own.append(nil), GuestHello: guest.own.append(nil),
		HostSeed: append([]byte{1}, make([]byte, 31)...), GuestSeed: append([]byte{2}, make([]byte, 31)...),
		HostBinding: hc.Binding, GuestBinding: gc.Binding, FirstPlain: []byte("offer"),
	}
	if secret == "" {
		v.Name = "public room"
	}
	host.peer, guest.peer = guest.own, host.own
	host.version, guest.version = 1, 1
	host.ad = appendAssociated(nil, 1, host.own, guest.own, hc.Context)
	guest.ad = host.ad
	v.Associated = host.ad

	if secret != "" {
		// The same draws twice: once to see them, once to use them.
		cryptotest.SetGlobalRandom(t, seed)
		v.Salt, v.HostScalar, v.GuestScalar = make([]byte, 16), make([]byte, 64), make([]byte, 64)
		for _, b := range [][]byte{v.Salt, v.HostScalar, v.GuestScalar} {
			rand.Read(b)
		}
	}
	cryptotest.SetGlobalRandom(t, seed)
	x, start, err := startExchange(secret, host.ad)
	if err != nil {
		t.Fatal(err)
	}
	answer, shared, err := answerExchange(secret, host.ad, start)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := x.finish(answer); err != nil || !bytes.Equal(again, shared) {
		t.Fatal("the two sides do not share a key", err)
	}
	if secret != "" {
		if !bytes.Equal(start[:16], v.Salt) {
			t.Fatal("the draws are not what was used")
		}
	} else {
		// What the guest drew is not shown by the library; the host's is
		// enough to check the exchange.
		v.HostScalar = x.share.Bytes()
	}
	v.Start, v.Answer, v.Shared = start, answer, shared
	for _, p := range []*pairing{host, guest} {
		if err := p.derive(start, answer, shared); err != nil {
			t.Fatal(err)
		}
	}
	copy(host.ownCard.fresh[:], bytes.Repeat([]byte{0x11}, 32))
	copy(guest.ownCard.fresh[:], bytes.Repeat([]byte{0x22}, 32))
	host.peerCard, guest.peerCard = guest.ownCard, host.ownCard
	v.HostFresh, v.GuestFresh = host.ownCard.fresh[:], guest.ownCard.fresh[:]
	v.Transcript, v.Root = host.transcript[:], host.keys.root
	confirm := func(p *pairing) []byte {
		b := append([]byte{kindConfirm}, p.keys.confirmation(p.Role, p.transcript)...)
		return p.seal.append(b, kindConfirm, p.ownCard.append(nil))
	}
	v.GuestConfirm, v.HostConfirm = confirm(guest), confirm(host)
	if err := host.readConfirm(v.GuestConfirm[1:]); err != nil {
		t.Fatal(err)
	}
	if err := guest.readConfirm(v.HostConfirm[1:]); err != nil {
		t.Fatal(err)
	}
	proof := func(p *pairing) (signs, message []byte) {
		signs = p.bound(p.Role)
		sig := p.Sign(signs)
		return signs, p.seal.append([]byte{kindSealed}, kindSealed, sig[:])
	}
	v.HostSigns, v.HostProof = proof(host)
	v.GuestSigns, v.GuestProof = proof(guest)
	session := host.channel().Session()
	if session != guest.channel().Session() {
		t.Fatal("the session secrets differ")
	}
	v.Session = session[:]
	v.FirstSealed = host.seal.append([]byte{kindSealed}, kindSealed, v.FirstPlain)
	return v
}

func TestResumeVectors(t *testing.T) {
	session, match := [32]byte(bytes.Repeat([]byte{0x33}, 32)), [32]byte(bytes.Repeat([]byte{0x44}, 32))
	address := ResumeAddress(session, match)
	golden(t, "resume.json", struct {
		Session hexBytes `json:"session"`
		Match   hexBytes `json:"match"`
		Address hexBytes `json:"address"`
		Secret  string   `json:"secret"`
	}{session[:], match[:], address[:], ResumeSecret(session, match)})
}

// A badVector is a message that must be refused where it stands.
type badVector struct {
	What    string   `json:"what"`
	Message hexBytes `json:"message"`
}

func TestListingVectors(t *testing.T) {
	key, sign := identity(1)
	l := Listing{
		Instance: Mailbox(bytes.Repeat([]byte{0x55}, 16)), Key: key, Player: "Zoë", Name: "Friday", State: RoomStateLocked,
		Clocks: "double", Rated: true, Version: 1,
	}
	b, err := l.Append(nil, sign)
	if err != nil {
		t.Fatal(err)
	}
	bad := func(what string, at int, by byte) badVector {
		c := bytes.Clone(b)
		c[at] = by
		return badVector{what, c}
	}
	refused := []badVector{
		bad("an unknown format", 0, 2),
		bad("an unknown state", 49, 4),
		bad("unknown clocks", 50, 3),
		bad("rated is neither 0 nor 1", 51, 2),
		bad("a name longer than what follows", 54, 61),
		bad("a signature that does not hold", len(b)-40, 0),
		{"a byte too many", append(bytes.Clone(b), 0)},
		{"a byte too few", b[:len(b)-1]},
	}
	for _, v := range refused {
		if _, err := ParseListing(v.Message); err == nil {
			t.Errorf("%s is accepted", v.What)
		}
	}
	golden(t, "listing.json", struct {
		Seed     hexBytes    `json:"ed25519_seed"`
		Instance hexBytes    `json:"instance"`
		Key      hexBytes    `json:"key"`
		State    string      `json:"state"`
		Clocks   string      `json:"clocks"`
		Rated    bool        `json:"rated"`
		Version  uint16      `json:"version"`
		Player   string      `json:"player"`
		Name     string      `json:"name"`
		Bytes    hexBytes    `json:"bytes"`
		Refused  []badVector `json:"refused"`
	}{append([]byte{1}, make([]byte, 31)...), l.Instance[:], l.Key[:], l.State, l.Clocks, l.Rated, l.Version, l.Player, l.Name, b, refused})
}

func TestCodeVectors(t *testing.T) {
	type vector struct {
		Text    string `json:"text"`
		Server  string `json:"server,omitempty"`
		Number  uint32 `json:"number,omitempty"`
		Mailbox string `json:"mailbox,omitempty"`
		Secret  string `json:"secret,omitempty"`
		Refused string `json:"refused,omitempty"`
	}
	var vectors []vector
	for _, text := range []string{
		"7-maple-orbit", " 7 Maple ORBIT ", "play.example.org/7-maple-orbit", "127.0.0.1:8080/7-maple-orbit",
		"https://play.example.org/#aeaqcaibaeaqcaibaeaqcaibae-maple-orbit",
		"come: HTTPS://PLAY.EXAMPLE.ORG/#AEAQCAIBAEAQCAIBAEAQCAIBAE-MAPLE-ORBIT!",
		"7-mapel-orbit", "maple-orbit", "0-maple-orbit", "7-maple-orbit 8-maple-orbit",
	} {
		c, err := ParseCode(text)
		v := vector{Text: text, Server: c.Server, Number: c.Number}
		switch {
		case err != nil:
			v.Refused = err.(*CodeError).Why
		case c.Number == 0:
			v.Mailbox, v.Secret = hex.EncodeToString(c.Mailbox[:]), c.Secret()
		default:
			v.Secret = c.Secret()
		}
		vectors = append(vectors, v)
	}
	golden(t, "codes.json", vectors)
}
