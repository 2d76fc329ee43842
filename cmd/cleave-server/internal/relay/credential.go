package relay

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/pion/turn/v5"
)

// credentialLife must exceed the longest match, because credentials are checked
// again at every refresh.
const credentialLife = 12 * time.Hour

func usernameFor(seat string, expiry time.Time) string {
	return strconv.FormatInt(expiry.Unix(), 10) + ":" + seat
}

// password is the draft's: SHA-1 is what TURN clients' servers agree on, and an
// HMAC of it is unbroken.
func password(secret []byte, username string) string {
	mac := hmac.New(sha1.New, secret)
	mac.Write([]byte(username))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// parseUsername reads "<expiry>:<seat>" in the one form that is given out.
func parseUsername(username string) (expiry int64, seat string, ok bool) {
	number, seat, found := strings.Cut(username, ":")
	expiry, err := strconv.ParseInt(number, 10, 64)
	if !found || err != nil || strconv.FormatInt(expiry, 10) != number || seat == "" || len(seat) > 128 || strings.Contains(seat, ":") {
		return 0, "", false
	}
	return expiry, seat, true
}

// authenticate gives pion the key with which to check a request. It is asked at
// every request that changes an allocation.
func (s *Server) authenticate(r *turn.RequestAttributes) (seat string, key []byte, ok bool) {
	return s.authenticateAt(r.Username, time.Now())
}

func (s *Server) authenticateAt(username string, now time.Time) (seat string, key []byte, ok bool) {
	expiry, seat, ok := parseUsername(username)
	if !ok || expiry < now.Unix() {
		s.board.stats.refused.Add(1)
		return "", nil, false
	}
	return seat, turn.GenerateAuthKey(username, realm, password(s.secret, username)), true
}
