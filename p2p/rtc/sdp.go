package rtc

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Errors of a session description.
var (
	errFingerprint = errors.New("fingerprint is not the one that was bound at pairing")
	errDescription = errors.New("description is not of one data channel")
)

// checkSDP reports why sdp is not a description of one data channel secured by
// the certificate with the given SHA-256 fingerprint. The DTLS stack compares
// the certificate with the fingerprint in the description; this comparison is
// what ties the description to the pairing.
func checkSDP(sdp string, bound [32]byte) error {
	sections, prints := 0, 0
	for line := range strings.SplitSeq(sdp, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.HasPrefix(line, "m=") {
			sections++
			if !strings.HasPrefix(line, "m=application ") || !strings.HasSuffix(line, " webrtc-datachannel") {
				return errDescription
			}
		}
		if len(line) < 2 || line[:2] != "a=" || !strings.HasPrefix(strings.ToLower(line), "a=fingerprint") {
			continue
		}
		prints++
		got, err := parseFingerprint(line)
		if err != nil {
			return err
		}
		if got != bound {
			return errFingerprint
		}
	}
	if sections != 1 {
		return errDescription
	}
	if prints == 0 {
		return fmt.Errorf("%w: there is none", errFingerprint)
	}
	return nil
}

// parseFingerprint reads "a=fingerprint:sha-256 AB:CD:…". Another hash is
// refused: it could not be compared.
func parseFingerprint(line string) (sum [32]byte, err error) {
	value, ok := strings.CutPrefix(strings.ToLower(line), "a=fingerprint:sha-256 ")
	if !ok || len(value) != 3*len(sum)-1 {
		return sum, fmt.Errorf("%w: %q", errFingerprint, line)
	}
	for i := range sum {
		if i > 0 && value[3*i-1] != ':' {
			return sum, fmt.Errorf("%w: %q", errFingerprint, line)
		}
		if _, err := hex.Decode(sum[i:i+1], []byte(value[3*i:3*i+2])); err != nil {
			return sum, fmt.Errorf("%w: %q", errFingerprint, line)
		}
	}
	return sum, nil
}
