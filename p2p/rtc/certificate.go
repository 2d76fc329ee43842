//go:build !js

package rtc

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"

	"github.com/pion/webrtc/v4"

	"github.com/cleavegame/cleave/p2p/signal"
)

// A Certificate is the DTLS certificate of one connection, made before pairing.
type Certificate struct {
	inner       webrtc.Certificate
	fingerprint [32]byte
}

// NewCertificate makes a self-signed P-256 certificate.
func NewCertificate() (*Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("rtc: %w: making a key: %w", signal.WebRTCUnavailable, err)
	}
	inner, err := webrtc.GenerateCertificate(key)
	if err != nil {
		return nil, fmt.Errorf("rtc: %w: making a certificate: %w", signal.WebRTCUnavailable, err)
	}
	c := &Certificate{inner: *inner}
	prints, err := inner.GetFingerprints()
	if err != nil {
		return nil, fmt.Errorf("rtc: %w: certificate: %w", signal.WebRTCUnavailable, err)
	}
	for _, p := range prints {
		if c.fingerprint, err = parseFingerprint("a=fingerprint:" + p.Algorithm + " " + p.Value); err == nil {
			return c, nil
		}
	}
	return nil, fmt.Errorf("rtc: %w: certificate without a SHA-256 fingerprint", signal.WebRTCUnavailable)
}

// Binding is the SHA-256 fingerprint of the certificate, which the pairing binds.
func (c *Certificate) Binding() []byte { return bytes.Clone(c.fingerprint[:]) }
