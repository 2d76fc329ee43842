package ranking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cleavegame/cleave/lockstep/record"
)

// maxAnswer bounds what a client reads of an answer, in bytes.
const maxAnswer = 4 << 20

// Errors of a client.
var (
	// ErrUnreachable is wrapped by the error of a request that got no answer
	// of a ranking server: try again later.
	ErrUnreachable = errors.New("ranking: the server cannot be reached")
	// ErrOtherServer is the error when the server at the address has another
	// key than the one that was asked for.
	ErrOtherServer = errors.New("ranking: another server answers at this address")
)

// Config is what a client is made of.
type Config struct {
	// URL is the server's, such as "https://cleave.example" (http or https).
	URL string
	// Server is the key that the server must have; zero to believe the one
	// that it names first.
	Server record.Key
	// Key is the player's, and Sign signs with it. A client without them can
	// do all that needs no player.
	Key  record.Key
	Sign record.Signer
}

// A Client speaks to one ranking server for one player. It may be used by
// several goroutines at once.
type Client struct {
	config Config
	base   string

	mu sync.Mutex
	// server is the key once it is known, and aheadMs how far the server's
	// clock is ahead of ours.
	server  record.Key
	known   bool
	aheadMs int64
}

// NewClient returns a client. It does no I/O.
func NewClient(c Config) (*Client, error) {
	u, err := url.Parse(c.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("ranking: %q is not the URL of a server", c.URL)
	}
	return &Client{config: c, base: strings.TrimRight(c.URL, "/")}, nil
}

// Info asks the server who it is, and learns its clock and key.
func (c *Client) Info(ctx context.Context) (Info, error) {
	var info Info
	if err := c.get(ctx, "/v1/info", &info); err != nil {
		return Info{}, err
	}
	key, err := info.Key()
	if err != nil {
		return Info{}, fmt.Errorf("ranking: reading the server's key: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	want := c.config.Server
	if c.known {
		want = c.server
	}
	if want != (record.Key{}) && want != key {
		return Info{}, ErrOtherServer
	}
	c.server, c.known, c.aheadMs = key, true, info.NowMs-time.Now().UnixMilli()
	return info, nil
}

// ServerKey is the server's key, asked for if it is not known yet.
func (c *Client) ServerKey(ctx context.Context) (record.Key, error) {
	c.mu.Lock()
	key, known := c.server, c.known
	c.mu.Unlock()
	if known {
		return key, nil
	}
	info, err := c.Info(ctx)
	if err != nil {
		return record.Key{}, err
	}
	return info.Key()
}

// Health is nil when the server is up and can store what it is given.
func (c *Client) Health(ctx context.Context) error {
	resp, err := c.do(ctx, "GET", "/healthz", "", nil, false)
	if err != nil {
		return err
	}
	return resp.body.Close()
}

// FetchTickets asks for tickets, at least one and at most so many, and hands in
// terms that ended before the first reveal. It does the proof of work when the
// server wants one. Each ticket is checked before it is returned.
func (c *Client) FetchTickets(ctx context.Context, count int, ended ...SignedTerms) ([]record.Ticket, error) {
	server, err := c.ServerKey(ctx)
	if err != nil {
		return nil, err
	}
	ask := TicketRequest{Count: count, Ended: ended}
	var answer TicketAnswer
	err = c.post(ctx, "/v1/tickets", ask, &answer)
	if refusal := (*Refusal)(nil); errors.As(err, &refusal) && refusal.Reason == WorkNeeded {
		info, infoErr := c.Info(ctx)
		if infoErr != nil {
			return nil, infoErr
		}
		var found bool
		if ask.Work, found = Work(server, c.config.Key, info.WorkBits, func() bool { rest(); return ctx.Err() != nil }); !found {
			return nil, context.Cause(ctx)
		}
		err = c.post(ctx, "/v1/tickets", ask, &answer)
	}
	if err != nil {
		return nil, err
	}
	tickets := make([]record.Ticket, 0, len(answer.Tickets))
	for _, b := range answer.Tickets {
		t, err := record.ParseTicket(b)
		if err == nil {
			err = t.Check(c.config.Key, server, c.nowMs()/1000)
		}
		if err != nil {
			return nil, fmt.Errorf("ranking: reading a ticket: %w", err)
		}
		tickets = append(tickets, t)
	}
	return tickets, nil
}

// Open hands in co-signed terms and keeps a connection, on which the server
// says when the other player has done the same. The first reveal waits for
// EventOpened, or the match cannot be claimed. ctx bounds the stream's life.
func (c *Client) Open(ctx context.Context, t record.Terms, sigs [2]record.Signature) (*Stream, error) {
	body, err := json.Marshal(NewSignedTerms(t, sigs))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	resp, err := c.signed(ctx, "/v1/matches", body)
	if err != nil {
		cancel()
		return nil, err
	}
	server, err := c.ServerKey(ctx)
	if err != nil {
		cancel()
		resp.body.Close()
		return nil, err
	}
	return newStream(resp.body, cancel, server, t.ID()), nil
}

// Upload hands in a log, the bytes of a .cleave file. It may be repeated. A
// *Refusal says why the server does not take it.
func (c *Client) Upload(ctx context.Context, log []byte) (UploadAnswer, error) {
	return c.hand(ctx, "/v1/logs", log)
}

// Prove hands in a proof of fraud (record.Fraud.Append). It may be repeated.
func (c *Client) Prove(ctx context.Context, fraud []byte) (UploadAnswer, error) {
	return c.hand(ctx, "/v1/proofs", fraud)
}

func (c *Client) hand(ctx context.Context, path string, body []byte) (UploadAnswer, error) {
	server, err := c.ServerKey(ctx)
	if err != nil {
		return UploadAnswer{}, err
	}
	resp, err := c.do(ctx, "POST", path, "application/octet-stream", body, false)
	if err != nil {
		return UploadAnswer{}, err
	}
	var answer UploadAnswer
	if err := decode(resp, &answer); err != nil {
		return UploadAnswer{}, err
	}
	return answer, answer.Receipt.Check(server)
}

// Ladder is one page of a season's table; season "" is the present one, limit
// 0 the server's own.
func (c *Client) Ladder(ctx context.Context, season string, offset, limit int) (Ladder, error) {
	q := url.Values{}
	if season != "" {
		q.Set("season", season)
	}
	if offset > 0 {
		q.Set("offset", strconv.Itoa(offset))
	}
	if limit > 0 {
		q.Set("limit", strconv.Itoa(limit))
	}
	path := "/v1/ladder"
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	var l Ladder
	err := c.get(ctx, path, &l)
	return l, err
}

// Match is what the server knows of a match.
func (c *Client) Match(ctx context.Context, id record.ID) (Match, error) {
	var m Match
	err := c.get(ctx, fmt.Sprintf("/v1/matches/%x", id[:]), &m)
	return m, err
}

// Log is the log of a match, the bytes of its .cleave file.
func (c *Client) Log(ctx context.Context, id record.ID) ([]byte, error) {
	resp, err := c.do(ctx, "GET", fmt.Sprintf("/v1/matches/%x/log", id[:]), "", nil, false)
	if err != nil {
		return nil, err
	}
	defer resp.body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.body, record.MaxMatch+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if len(b) > record.MaxMatch {
		return nil, record.ErrTooLarge
	}
	return b, nil
}

// Player is what the server knows of the player with a code.
func (c *Client) Player(ctx context.Context, code string) (Player, error) {
	var p Player
	err := c.get(ctx, "/v1/players/"+url.PathEscape(code), &p)
	return p, err
}

// nowMs is the server's time as far as the client knows it.
func (c *Client) nowMs() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().UnixMilli() + c.aheadMs
}

func (c *Client) get(ctx context.Context, path string, into any) error {
	resp, err := c.do(ctx, "GET", path, "", nil, false)
	if err != nil {
		return err
	}
	return decode(resp, into)
}

// post sends a signed JSON request and reads the JSON answer.
func (c *Client) post(ctx context.Context, path string, body, into any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	resp, err := c.signed(ctx, path, b)
	if err != nil {
		return err
	}
	return decode(resp, into)
}

// signed posts a signed request, once more if the server says that the clock
// by which it was made is wrong.
func (c *Client) signed(ctx context.Context, path string, body []byte) (*answer, error) {
	if c.config.Sign == nil {
		return nil, errors.New("ranking: this needs a player's key")
	}
	if _, err := c.ServerKey(ctx); err != nil {
		return nil, err
	}
	resp, err := c.do(ctx, "POST", path, "application/json", body, true)
	if r := (*Refusal)(nil); errors.As(err, &r) && r.Reason == StaleNonce && r.NowMs > 0 {
		c.mu.Lock()
		c.aheadMs = r.NowMs - time.Now().UnixMilli()
		c.mu.Unlock()
		resp, err = c.do(ctx, "POST", path, "application/json", body, true)
	}
	return resp, err
}

// An answer is what a server sent, whose body is still coming: a read of it
// ends with the context of the request. It must be closed.
type answer struct {
	status      int
	contentType string
	body        io.ReadCloser
}

const statusOK = 200

// do sends one request. A response that it returns has status 200; all others
// are a *Refusal or wrap ErrUnreachable.
func (c *Client) do(ctx context.Context, method, path, contentType string, body []byte, sign bool) (*answer, error) {
	u, err := url.Parse(c.base + path)
	if err != nil {
		return nil, err
	}
	var headers [][2]string
	if contentType != "" {
		headers = append(headers, [2]string{"Content-Type", contentType})
	}
	if sign {
		c.mu.Lock()
		server := c.server
		c.mu.Unlock()
		headers = append(headers, signature(method, u.RequestURI(), body, server, c.config.Key, NewNonce(c.nowMs()), c.config.Sign)...)
	}
	resp, err := exchange(ctx, method, u.String(), headers, body)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if resp.status == statusOK {
		return resp, nil
	}
	defer resp.body.Close()
	var refusal Refusal
	if !isJSON(resp) || json.NewDecoder(io.LimitReader(resp.body, maxAnswer)).Decode(&refusal) != nil || refusal.Reason == None {
		return nil, fmt.Errorf("%w: %s answers with status %d, which is not a ranking server's", ErrUnreachable, c.base, resp.status)
	}
	return nil, &refusal
}

func isJSON(resp *answer) bool {
	kind, _, _ := strings.Cut(resp.contentType, ";")
	return strings.EqualFold(strings.TrimSpace(kind), "application/json")
}

func decode(resp *answer, into any) error {
	defer resp.body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.body, maxAnswer+1))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if len(b) > maxAnswer || !isJSON(resp) {
		return fmt.Errorf("%w: the answer is not a ranking server's", ErrUnreachable)
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("ranking: reading the answer: %w", err)
	}
	return nil
}
