package api

import (
	"net/http"
	"testing"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
)

func TestABodyIsOneObject(t *testing.T) {
	s := newSite(t, plenty)
	s.meet(alice)
	for body, want := range map[string]int{
		"{}": http.StatusOK, " \n{\"country\":\"NP\"}\t": http.StatusOK, `{"country":"NP","of a newer client":[1]}`: http.StatusOK,
		"": 400, "null": 400, "[]": 400, "7": 400, `"{}"`: 400, "{}{}": 400, "{} x": 400, `{"country":7}`: 400, "\xef\xbb\xbf{}": 400, "\xff": 400,
	} {
		status, _, got := s.send(s.signed(alice, "/v1/profile", []byte(body), ranking.NewNonce(s.nowMs())))
		if status != want || want == 400 && s.refusal(got).Reason != ranking.BadRequest {
			t.Errorf("%q: %d %s", body, status, got)
		}
	}
}
