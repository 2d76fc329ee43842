package rtc

import (
	"errors"
	"strings"
	"testing"
)

const soundPrint = "01:02:03:04:05:06:07:08:09:0A:0B:0C:0D:0E:0F:10:11:12:13:14:15:16:17:18:19:1A:1B:1C:1D:1E:1F:20"

var soundSum = func() (s [32]byte) {
	for i := range s {
		s[i] = byte(i + 1)
	}
	return s
}()

const soundSDP = "v=0\r\no=- 1 2 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\na=fingerprint:sha-256 " + soundPrint +
	"\r\na=group:BUNDLE 0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:0\r\n"

func TestCheckSDP(t *testing.T) {
	const media = "m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n"
	for _, tt := range []struct {
		name, sdp string
		want      error
	}{
		{"sound", soundSDP, nil},
		{"small letters", strings.ReplaceAll(soundSDP, soundPrint, strings.ToLower(soundPrint)), nil},
		{"the same twice", soundSDP + "a=fingerprint:sha-256 " + soundPrint + "\r\n", nil},
		{"bare line ends", strings.ReplaceAll(soundSDP, "\r", ""), nil},
		{"no fingerprint", strings.ReplaceAll(soundSDP, "a=fingerprint", "a=x"), errFingerprint},
		{"another", strings.Replace(soundSDP, "01:02", "02:02", 1), errFingerprint},
		{"another after the right one", soundSDP + "a=fingerprint:sha-256 " + strings.Replace(soundPrint, "01:", "00:", 1) + "\r\n", errFingerprint},
		{"another hash", strings.Replace(soundSDP, "sha-256", "sha-1", 1), errFingerprint},
		{"another hash after the right one", soundSDP + "a=fingerprint:sha-1 01:02\r\n", errFingerprint},
		{"capital letters", soundSDP + "A=FINGERPRINT:sha-1 01:02\r\n", nil}, // no attribute: attributes are small letters
		{"capital name", soundSDP + "a=Fingerprint:sha-1 01:02\r\n", errFingerprint},
		{"too short", strings.Replace(soundSDP, ":20", "", 1), errFingerprint},
		{"too long", strings.Replace(soundSDP, ":20", ":20:21", 1), errFingerprint},
		{"no hex", strings.Replace(soundSDP, ":20", ":2g", 1), errFingerprint},
		{"no colon", strings.Replace(soundSDP, ":20", "-20", 1), errFingerprint},
		{"no section", strings.Replace(soundSDP, media, "", 1), errDescription},
		{"two sections", soundSDP + media, errDescription},
		{"sound and video", soundSDP + "m=video 9 UDP/TLS/RTP/SAVPF 96\r\n", errDescription},
		{"other application", strings.Replace(soundSDP, "webrtc-datachannel", "5000", 1), errDescription},
		{"empty", "", errDescription},
	} {
		if err := checkSDP(tt.sdp, soundSum); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

func FuzzCheckSDP(f *testing.F) {
	f.Add(soundSDP)
	f.Fuzz(func(t *testing.T, sdp string) {
		if checkSDP(sdp, soundSum) == nil && !strings.Contains(strings.ToUpper(sdp), soundPrint) {
			t.Errorf("accepted without the fingerprint: %q", sdp)
		}
	})
}
