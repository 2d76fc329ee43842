package rendezvous

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/cleavegame/cleave/p2p/signal"
)

// record is every message at the server's sockets, and the requests that
// opened them.
type record struct {
	mu       sync.Mutex
	messages [][]byte
}

func (r *record) add(data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.messages = append(r.messages, bytes.Clone(data))
}

// find returns where one of the secrets occurs in the record: raw, in hex or
// in base64, whatever stands before it.
func (r *record) find(secrets map[string][]byte) []string {
	// One search through all of them at once; no secret spans two.
	all := bytes.Join(r.messages, []byte("\x00 next \x00"))
	var found []string
	for name, secret := range secrets {
		for form, needle := range disguises(secret) {
			if i := bytes.Index(all, needle); i >= 0 {
				found = append(found, fmt.Sprintf("%s (%s) in %q", name, form, all[max(0, i-20):min(len(all), i+60)]))
			}
		}
	}
	return found
}

// disguises are the ways in which bytes may stand in a text.
func disguises(secret []byte) map[string][]byte {
	forms := map[string][]byte{
		"raw": secret,
		"hex": []byte(hex.EncodeToString(secret)),
		"HEX": []byte(strings.ToUpper(hex.EncodeToString(secret))),
	}
	for name, enc := range map[string]*base64.Encoding{"base64": base64.RawStdEncoding, "base64url": base64.RawURLEncoding} {
		for before := range 3 {
			text := enc.EncodeToString(append(make([]byte, before), secret...))
			// The first characters hold bits of what stands before, the last
			// one perhaps of what stands after.
			text = text[(before*8+5)/6:]
			if (before+len(secret))%3 != 0 {
				text = text[:len(text)-1]
			}
			forms[fmt.Sprintf("%s after %d", name, before)] = []byte(text)
		}
	}
	return forms
}

func TestDisguisesAreFound(t *testing.T) {
	secret := []byte("a=candidate:1 1 udp")
	for before := range 7 {
		for after := range 4 {
			text := append(append(make([]byte, before), secret...), make([]byte, after)...)
			for name, data := range map[string]string{
				"raw": string(text), "hex": hex.EncodeToString(text), "HEX": strings.ToUpper(hex.EncodeToString(text)),
				"base64": base64.StdEncoding.EncodeToString(text), "base64url": base64.RawURLEncoding.EncodeToString(text),
			} {
				r := record{messages: [][]byte{[]byte("{\"x\":\"" + data + "\"}")}}
				if len(r.find(map[string][]byte{"it": secret})) == 0 {
					t.Errorf("%s, %d bytes before and %d after, is not found", name, before, after)
				}
			}
		}
	}
}

func randomText(n int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	b := make([]byte, n)
	rand.Read(b)
	for i := range b {
		b[i] = letters[int(b[i])%len(letters)]
	}
	return string(b)
}

// longWords draws two words of seven letters or more, which do not turn up in
// random bytes by chance.
func longWords() [2]string {
	var words []string
	for len(words) < 2 {
		for _, w := range signal.NewWords() {
			if len(w) >= 7 {
				words = append(words, w)
			}
		}
	}
	return [2]string(words)
}

// spied runs pairings over a recorded server and returns the record and what
// must not be in it. plant, if there is one, is what a guest does wrong.
func spied(t *testing.T, pairings int, plant func(ctx context.Context, g *signal.Visit, sdp, name string)) (*record, map[string][]byte) {
	rec := &record{}
	secrets := map[string][]byte{"a candidate": []byte("a=candidate"), "an SDP": []byte("v=0\r\no=-")}
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, server: New(Config{Limits: Limits{Joins: 1000, Hosts: 1000}}), clients: newListener()}
		w.server.tap = rec.add
		ctx, stop := context.WithCancel(context.Background())
		w.stop = stop
		w.http = &http.Server{Handler: http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			var b bytes.Buffer
			r.Write(&b)
			rec.add(b.Bytes())
			w.server.ServeHTTP(rw, r)
		})}
		w.runs.Go(func() { w.server.Run(ctx) })
		w.runs.Go(func() { w.http.Serve(w.clients) })
		for i := range pairings {
			pairOnce(t, w, i, secrets, plant)
		}
		w.shutDown()
	})
	return rec, secrets
}

func pairOnce(t *testing.T, w *world, i int, secrets map[string][]byte, plant func(context.Context, *signal.Visit, string, string)) {
	var v6 [16]byte
	rand.Read(v6[:])
	v6[0], v6[1] = 0x20, 0x01
	address := netip.AddrFrom16(v6)
	words, name, room := longWords(), randomText(16), randomText(16)
	sdp := "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\na=candidate:1 1 udp 1 " + address.String() + " 5000 typ host\r\n"
	from := netip.AddrPortFrom(address, 1000).String()
	hostKey, guestKey := playerOf(byte(2*i)), playerOf(byte(2*i+1))
	for what, secret := range map[string][]byte{
		"a word": []byte(words[0]), "another word": []byte(words[1]), "the name": []byte(name), "the room": []byte(room),
		"the host's key": hostKey.key[:], "the guest's key": guestKey.key[:],
		"an address": []byte(address.String()), "the bytes of an address": v6[:],
	} {
		secrets[fmt.Sprintf("%s of pairing %d", what, i)] = secret
	}
	_, hosting, code := w.hosting(from)
	guest := w.dial(from)
	if i%2 == 0 {
		code = asTyped(code)
	}
	h, g := meetUp(t, hosting, guest, code)
	secret := words[0] + "-" + words[1]
	done := make(chan struct{})
	go func() {
		defer close(done)
		c, err := signal.Pair(t.Context(), g, guestKey.config(signal.Guest, g, secret))
		if err != nil {
			t.Error(err)
			return
		}
		c.Send(t.Context(), []byte(sdp))
		c.Send(t.Context(), []byte("name "+name))
		if plant != nil {
			plant(t.Context(), g, sdp, name)
		}
		c.Receive(t.Context())
		c.Receive(t.Context())
	}()
	c, err := signal.Pair(t.Context(), h, hostKey.config(signal.Host, h, secret))
	if err != nil {
		t.Fatal(err)
	}
	c.Receive(t.Context())
	c.Receive(t.Context())
	c.Send(t.Context(), []byte(sdp))
	c.Send(t.Context(), []byte("room "+room))
	<-done
}

func TestServerSeesNothing(t *testing.T) {
	rec, secrets := spied(t, 100, nil)
	for _, leak := range rec.find(secrets) {
		t.Error(leak)
	}
	// Two versions, a start, an answer, two confirmations, two proofs and
	// four messages of each pairing were relayed, in and out.
	sealed, sealedSeen := map[string]int{}, 0
	for _, m := range rec.messages {
		if len(m) > 4 && m[0] == 0 && m[4] >= 4 {
			sealed[string(m[4:])]++
			sealedSeen++
		}
	}
	if sealedSeen != 100*8*2 {
		t.Errorf("%d sealed messages in the record, want 1600", sealedSeen)
	}
	for m, n := range sealed {
		if n != 2 { // once on its way in, once on its way out
			t.Errorf("%x was seen %d times", m, n)
		}
	}
}

func TestPlantedLeaksAreFound(t *testing.T) {
	for name, plant := range map[string]func(context.Context, *signal.Visit, string, string){
		"an SDP that is not sealed": func(ctx context.Context, g *signal.Visit, sdp, _ string) { g.Send(ctx, []byte("\x06"+sdp)) },
		"a name in base64": func(ctx context.Context, g *signal.Visit, _, name string) {
			g.Send(ctx, []byte("\x06"+base64.StdEncoding.EncodeToString([]byte("my name is "+name+"!"))))
		},
		"a name in hex": func(ctx context.Context, g *signal.Visit, _, name string) {
			g.Send(ctx, []byte("\x06"+hex.EncodeToString([]byte(name))))
		},
	} {
		rec, secrets := spied(t, 1, plant)
		if len(rec.find(secrets)) == 0 {
			t.Errorf("%s was not found", name)
		}
	}
}
