package ranking

import (
	"context"
	"encoding/hex"

	"github.com/cleavegame/cleave/lockstep/record"
)

// A ClaimKind says what is claimed.
type ClaimKind string

// The kinds of claims.
const (
	// Silence: no frame has come for 30 s.
	Silence ClaimKind = "silence"
	// Overdue: the entry that the other owes is 30 s over its limit.
	Overdue ClaimKind = "overdue"
	// CallOff: the claimer offers to call the match off, or says that both
	// have called it off.
	CallOff ClaimKind = "call-off"
)

// ClaimRequest is the body of POST /v1/claims.
type ClaimRequest struct {
	Kind ClaimKind `json:"kind"`
	// Log is the match so far (base64 of the .cleave bytes); the claim is
	// about the entry after its last.
	Log []byte `json:"log"`
	// CalledOff is both players' signatures by seat, of a match that both
	// have called off (see record.CallOffMessage); otherwise none.
	CalledOff [][]byte `json:"calledOff,omitempty"`
}

// ClaimAnswer is the answer to it.
type ClaimAnswer struct {
	Match   string  `json:"match"`
	Reason  Reason  `json:"reason"` // why the match is not rated as it is
	Text    string  `json:"text"`
	Receipt Receipt `json:"receipt"`
}

// WithdrawRequest is the body of POST /v1/withdrawals.
type WithdrawRequest struct {
	Match string `json:"match"` // hex
}

// Claim files a claim with the log so far. It may be repeated.
func (c *Client) Claim(ctx context.Context, claim ClaimRequest) (ClaimAnswer, error) {
	return c.file(ctx, "/v1/claims", claim)
}

// Withdraw takes back what this player has claimed in a match, so that it may
// sign in it again. It may be repeated. NotFound says that no claim of it has
// come.
func (c *Client) Withdraw(ctx context.Context, match record.ID) (ClaimAnswer, error) {
	return c.file(ctx, "/v1/withdrawals", WithdrawRequest{Match: hex.EncodeToString(match[:])})
}

func (c *Client) file(ctx context.Context, path string, ask any) (ClaimAnswer, error) {
	server, err := c.ServerKey(ctx)
	if err != nil {
		return ClaimAnswer{}, err
	}
	var answer ClaimAnswer
	if err := c.post(ctx, path, ask, &answer); err != nil {
		return ClaimAnswer{}, err
	}
	return answer, answer.Receipt.Check(server)
}
