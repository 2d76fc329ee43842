package ranking

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"

	"github.com/cleavegame/cleave/lockstep/record"
)

// ErrAnchor is the error of a seed that the published anchor did not promise,
// or of an anchor that the server has not signed.
var ErrAnchor = errors.New("ranking: the day's deal is not the one that was promised")

// Daily is a day's challenge, checked against nothing: see Anchors and
// CheckDaily. Day "" is today by the server's clock.
func (c *Client) Daily(ctx context.Context, day string) (Daily, error) {
	path := "/v1/daily"
	if day != "" {
		path += "?day=" + url.QueryEscape(day)
	}
	var d Daily
	err := c.get(ctx, path, &d)
	return d, err
}

// Anchors are the anchors of the last year, this one and the next, each signed
// by the server.
func (c *Client) Anchors(ctx context.Context) ([]YearAnchor, error) {
	server, err := c.ServerKey(ctx)
	if err != nil {
		return nil, err
	}
	var answer Anchors
	if err := c.get(ctx, "/v1/daily/anchors", &answer); err != nil {
		return nil, err
	}
	var all []YearAnchor
	for _, l := range answer.Anchors {
		a := YearAnchor{Year: l.Year}
		if !readHex(l.Anchor, a.Anchor[:]) || !readBase64(l.Signature, a.Signature[:]) || !a.Check(server) {
			return nil, ErrAnchor
		}
		all = append(all, a)
	}
	return all, nil
}

// CheckDaily is nil when the day's seed is the one that an anchor promised.
func CheckDaily(d Daily, anchors []YearAnchor) error {
	day, ok := ParseDay(d.Day)
	var seed [32]byte
	if !ok || !readHex(d.Seed, seed[:]) {
		return ErrAnchor
	}
	for _, a := range anchors {
		if a.Year == day.Year() && SeedFits(a.Anchor, day, seed) {
			return nil
		}
	}
	return ErrAnchor
}

// MakeKnown tells the server who the player is and the country to be listed
// under, "" for none; it does the proof of work of a new key.
func (c *Client) MakeKnown(ctx context.Context, country string) (Profile, error) {
	var p Profile
	ask := ProfileRequest{Country: country}
	err := c.working(ctx, &ask.Work, func() error { return c.post(ctx, "/v1/profile", ask, &p) })
	return p, err
}

// OpenAttempt opens an attempt at the day's challenge, "" for today's, for the
// run whose terms have the nonce. Asking again with the same nonce, after a
// crash for instance, gives the same attempt.
func (c *Client) OpenAttempt(ctx context.Context, day string, nonce [16]byte) (Attempt, AttemptAnswer, error) {
	return c.attempt(ctx, "/v1/daily/attempts", AttemptRequest{Day: day, Nonce: hex.EncodeToString(nonce[:])})
}

// EnterArena takes a seat in the arena, "" for any that has one, for the run
// whose terms have the nonce. Asking again with it gives the same seat.
func (c *Client) EnterArena(ctx context.Context, arena string, nonce [16]byte) (Attempt, AttemptAnswer, error) {
	return c.attempt(ctx, "/v1/arenas", AttemptRequest{Arena: arena, Nonce: hex.EncodeToString(nonce[:])})
}

func (c *Client) attempt(ctx context.Context, path string, ask AttemptRequest) (Attempt, AttemptAnswer, error) {
	var answer AttemptAnswer
	err := c.working(ctx, &ask.Work, func() error { return c.post(ctx, path, ask, &answer) })
	if err != nil {
		return Attempt{}, answer, err
	}
	a, err := ParseAttempt(answer.Attempt)
	if err != nil {
		return a, answer, err
	}
	server, err := c.ServerKey(ctx)
	if err != nil {
		return a, answer, err
	}
	if err := a.Check(server, c.config.Key); err != nil {
		return a, answer, err
	}
	if hex.EncodeToString(a.Nonce[:]) != ask.Nonce || hex.EncodeToString(a.Seed[:]) != answer.Seed || a.Contest.String() != answer.Contest {
		return a, answer, ErrAttempt
	}
	return a, answer, nil
}

// working does a request, and once more with the proof of work when the server
// wants one.
func (c *Client) working(ctx context.Context, work *uint64, do func() error) error {
	err := do()
	refusal := (*Refusal)(nil)
	if !errors.As(err, &refusal) || refusal.Reason != WorkNeeded {
		return err
	}
	info, err := c.Info(ctx)
	if err != nil {
		return err
	}
	server, err := info.Key()
	if err != nil {
		return err
	}
	var found bool
	if *work, found = Work(server, c.config.Key, info.WorkBits, func() bool { rest(); return ctx.Err() != nil }); !found {
		return context.Cause(ctx)
	}
	return do()
}

// UploadRun hands in a run, the bytes of its .cleave file. It may be repeated.
// A *Refusal says why the server does not take it; a run that is flagged is an
// answer. Where the server does not know the player of an offline run yet, and
// it is this client's, the client makes it known first.
func (c *Client) UploadRun(ctx context.Context, file []byte) (RunAnswer, error) {
	server, err := c.ServerKey(ctx)
	if err != nil {
		return RunAnswer{}, err
	}
	answer, err := c.uploadRun(ctx, file)
	refusal := (*Refusal)(nil)
	if errors.As(err, &refusal) && refusal.Reason == WorkNeeded && c.config.Sign != nil {
		if _, err := c.MakeKnown(ctx, ""); err != nil {
			return RunAnswer{}, err
		}
		answer, err = c.uploadRun(ctx, file)
	}
	if err != nil {
		return RunAnswer{}, err
	}
	return answer, answer.Receipt.Check(server)
}

func (c *Client) uploadRun(ctx context.Context, file []byte) (RunAnswer, error) {
	var answer RunAnswer
	resp, err := c.do(ctx, "POST", "/v1/runs", "application/octet-stream", file, false)
	if err != nil {
		return answer, err
	}
	return answer, decode(resp, &answer)
}

// Run is what the server knows of a run.
func (c *Client) Run(ctx context.Context, id record.ID) (Run, error) {
	var r Run
	err := c.get(ctx, fmt.Sprintf("/v1/runs/%x", id[:]), &r)
	return r, err
}

// RunLog is the file of a run, once it is published.
func (c *Client) RunLog(ctx context.Context, id record.ID) ([]byte, error) {
	resp, err := c.do(ctx, "GET", fmt.Sprintf("/v1/runs/%x/log", id[:]), "", nil, false)
	if err != nil {
		return nil, err
	}
	defer resp.body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.body, record.MaxRun+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if len(b) > record.MaxRun {
		return nil, record.ErrTooLarge
	}
	return b, nil
}

// A BoardAsk says which part of which board is wanted.
type BoardAsk struct {
	Kind    BoardKind
	Of      string // the day or month, "" for the present one; of all time ""
	Country string // "" for the world
	Player  string // the code of whose place is wanted, "" for nobody's
	Offset  int
	Limit   int // lines; 0 is the server's own
}

// Board is one page of a board.
func (c *Client) Board(ctx context.Context, ask BoardAsk) (Board, error) {
	q := url.Values{}
	for name, value := range map[string]string{"of": ask.Of, "country": ask.Country, "player": ask.Player} {
		if value != "" {
			q.Set(name, value)
		}
	}
	for name, value := range map[string]int{"offset": ask.Offset, "limit": ask.Limit} {
		if value > 0 {
			q.Set(name, strconv.Itoa(value))
		}
	}
	path := "/v1/boards/" + url.PathEscape(string(ask.Kind))
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	var b Board
	err := c.get(ctx, path, &b)
	return b, err
}

// Arenas lists the arenas that can be entered.
func (c *Client) Arenas(ctx context.Context) (Arenas, error) {
	var a Arenas
	err := c.get(ctx, "/v1/arenas", &a)
	return a, err
}

// Arena is one arena with its entrants; id is in hex.
func (c *Client) Arena(ctx context.Context, id string) (Arena, error) {
	var a Arena
	err := c.get(ctx, "/v1/arenas/"+url.PathEscape(id), &a)
	return a, err
}
