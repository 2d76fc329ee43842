package rtc

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"syscall/js"

	"github.com/cleavegame/cleave/p2p/signal"
)

// A Certificate is the DTLS certificate of one connection, made before pairing.
type Certificate struct {
	inner       js.Value // RTCCertificate
	fingerprint [32]byte
}

// NewCertificate asks the browser for a self-signed P-256 certificate. It waits
// for promises: call it from a goroutine, not from an event's handler.
func NewCertificate() (*Certificate, error) {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	c, err := newCertificate(ctx)
	if err != nil {
		return nil, fmt.Errorf("rtc: %w: certificate: %w", signal.WebRTCUnavailable, err)
	}
	return c, nil
}

func newCertificate(ctx context.Context) (*Certificate, error) {
	class := js.Global().Get("RTCPeerConnection")
	if !class.Truthy() {
		return nil, errNoWebRTC
	}
	var promise js.Value
	err := try(func() {
		promise = class.Call("generateCertificate", map[string]any{"name": "ECDSA", "namedCurve": "P-256"})
	})
	if err != nil {
		return nil, err
	}
	inner, err := await(ctx, promise)
	if err != nil {
		return nil, err
	}
	c := &Certificate{inner: inner}
	if c.fingerprint, err = ownFingerprint(inner); err == nil {
		return c, nil
	}
	c.fingerprint, err = offeredFingerprint(ctx, class, inner)
	return c, err
}

// ownFingerprint asks the certificate, which not every browser can answer.
func ownFingerprint(certificate js.Value) (sum [32]byte, err error) {
	if certificate.Get("getFingerprints").Type() != js.TypeFunction {
		return sum, errFingerprint
	}
	var prints js.Value
	if err := try(func() { prints = certificate.Call("getFingerprints") }); err != nil {
		return sum, err
	}
	for i := range prints.Length() {
		p := prints.Index(i)
		sum, err = parseFingerprint("a=fingerprint:" + p.Get("algorithm").String() + " " + p.Get("value").String())
		if err == nil {
			return sum, nil
		}
	}
	return sum, errFingerprint
}

// offeredFingerprint reads it from an offer that nobody gets.
func offeredFingerprint(ctx context.Context, class, certificate js.Value) (sum [32]byte, err error) {
	var pc, promise js.Value
	err = try(func() {
		pc = class.New(map[string]any{"certificates": []any{certificate}})
		pc.Call("createDataChannel", channelLabel)
		promise = pc.Call("createOffer")
	})
	if !pc.IsUndefined() {
		defer pc.Call("close")
	}
	if err != nil {
		return sum, err
	}
	d, err := await(ctx, promise)
	if err != nil {
		return sum, err
	}
	for line := range strings.Lines(d.Get("sdp").String()) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "a=fingerprint:") {
			return parseFingerprint(line)
		}
	}
	return sum, errFingerprint
}

// Binding is the SHA-256 fingerprint of the certificate, which the pairing binds.
func (c *Certificate) Binding() []byte { return bytes.Clone(c.fingerprint[:]) }
