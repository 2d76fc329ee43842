//go:build !js

package lan

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/cleavegame/cleave/p2p"
)

// maxText is the longest name in bytes of UTF-8.
const maxText = 60

var b64 = base64.RawURLEncoding.Strict()

var errAnnouncement = errors.New("lan: malformed announcement")

// txt returns the strings of room's TXT record. All of it is ASCII that
// needs no escaping, and each string is far below the 255 bytes at which the
// library goes silent.
func txt(room p2p.Room) []string {
	matters := "friendly"
	if room.Rated {
		matters = "rated"
	}
	return []string{
		"v=" + strconv.Itoa(int(room.Version)),
		"k=" + b64.EncodeToString(room.Key[:]),
		"id=" + room.Instance,
		"n=" + b64.EncodeToString([]byte(room.Player)),
		"r=" + b64.EncodeToString([]byte(room.Name)),
		"s=" + string(room.State),
		"c=" + room.Clocks,
		"m=" + matters,
	}
}

// parseTXT reads the strings of a TXT record. What it accepts, txt gives back
// but for the order and strings that it does not know.
func parseTXT(record []string) (p2p.Room, error) {
	fields := make(map[string]string, 8)
	for _, s := range record {
		name, value, ok := strings.Cut(s, "=")
		if !ok || !strings.Contains(" v k id n r s c m ", " "+name+" ") || name == "" {
			continue
		}
		if _, twice := fields[name]; twice || len(value) > 100 {
			return p2p.Room{}, errAnnouncement
		}
		fields[name] = value
	}
	if len(fields) != 8 {
		return p2p.Room{}, errAnnouncement
	}
	var room p2p.Room
	version, err := strconv.ParseUint(fields["v"], 10, 16)
	if err != nil || version == 0 || strconv.FormatUint(version, 10) != fields["v"] {
		return p2p.Room{}, errAnnouncement
	}
	room.Version = uint16(version)
	key, err := b64.DecodeString(fields["k"])
	if err != nil || len(key) != len(room.Key) || [32]byte(key) == [32]byte{} {
		return p2p.Room{}, errAnnouncement
	}
	room.Key = [32]byte(key)
	id, err := peer.Decode(fields["id"])
	if err != nil || id.String() != fields["id"] {
		return p2p.Room{}, errAnnouncement
	}
	room.Instance = fields["id"]
	for _, text := range []struct {
		field string
		to    *string
	}{{"n", &room.Player}, {"r", &room.Name}} {
		raw, err := b64.DecodeString(fields[text.field])
		if err != nil || checkText(string(raw)) != nil {
			return p2p.Room{}, errAnnouncement
		}
		*text.to = string(raw)
	}
	room.State, room.Clocks = p2p.RoomState(fields["s"]), fields["c"]
	if !knownState(room.State) || !knownClocks(room.Clocks) {
		return p2p.Room{}, errAnnouncement
	}
	switch fields["m"] {
	case "rated":
		room.Rated = true
	case "friendly":
	default:
		return p2p.Room{}, errAnnouncement
	}
	return room, nil
}

func knownState(s p2p.RoomState) bool {
	switch s {
	case p2p.RoomOpen, p2p.RoomLocked, p2p.RoomFull, p2p.RoomPlaying:
		return true
	}
	return false
}

func knownClocks(s string) bool { return s == "standard" || s == "double" || s == "off" }

// checkText refuses what is too long, is no text, or could do something to
// the terminal or the line that it is shown in.
func checkText(s string) error {
	if len(s) > maxText {
		return fmt.Errorf("lan: a name of %d bytes, more than %d", len(s), maxText)
	}
	if !utf8.ValidString(s) {
		return errors.New("lan: a name that is not UTF-8")
	}
	for _, r := range s {
		// Joiners (U+200C, U+200D) are part of emoji and some scripts; the
		// characters that turn the direction of what follows are not.
		turns := r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
		if unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || turns {
			return errors.New("lan: a name with control characters")
		}
	}
	return nil
}
