package api

import (
	"context"
	"encoding/hex"
	"net/http"
	"net/url"
	"strconv"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

func (s *Server) tickets(w http.ResponseWriter, r *request) error {
	return signed(w, r, func(ctx context.Context, nowMs int64, player record.Key, ask ranking.TicketRequest) (ranking.TicketAnswer, error) {
		tickets, err := s.config.Ledger.Tickets(ctx, nowMs, player, ask)
		a := ranking.TicketAnswer{Tickets: [][]byte{}}
		for _, t := range tickets {
			a.Tickets = append(a.Tickets, t.Append(nil))
		}
		s.figures.issued.Add(uint64(len(tickets)))
		return a, err
	})
}

func (s *Server) upload(w http.ResponseWriter, r *request) error {
	answer, known, err := s.config.Ledger.Known(r.Context(), r.body)
	if err != nil {
		return err
	}
	if !known {
		verdict, err := s.read(r, r.body)
		if err != nil {
			return err
		}
		if answer, err = s.config.Ledger.Upload(r.Context(), r.nowMs(), verdict); err != nil {
			return err
		}
		s.config.Log.Info("log", "match", answer.Match, "state", string(answer.State), "reason", int(answer.Reason), "leaf", answer.Receipt.Leaf)
		s.decided(answer)
	}
	send(w, http.StatusOK, answer)
	return nil
}

// read has the judge replay a log.
func (s *Server) read(r *request, log []byte) (v judge.Verdict, err error) {
	err = replay(r.Context(), s.replays, func() error {
		v, err = judge.Read(log, s.config.Games, s.config.Ledger.Key(), r.nowMs())
		return err
	})
	return v, err
}

func (s *Server) prove(w http.ResponseWriter, r *request) error {
	answer, err := s.config.Ledger.Prove(r.Context(), r.nowMs(), r.body)
	if err != nil {
		return err
	}
	s.config.Log.Info("proof of fraud", "match", answer.Match, "state", string(answer.State), "reason", int(answer.Reason))
	s.decided(answer)
	send(w, http.StatusOK, answer)
	return nil
}

// decided tells who holds a stream, and the job loop.
func (s *Server) decided(a ranking.UploadAnswer) {
	if a.State == ranking.StatePending {
		s.wake()
		return
	}
	event := ranking.Event{Event: ranking.EventDecided, State: a.State, Reason: a.Reason, Receipt: &a.Receipt}
	s.hub.tell(a.Receipt.Match, event)
}

func (s *Server) claim(w http.ResponseWriter, r *request) error {
	return signed(w, r, func(ctx context.Context, nowMs int64, player record.Key, ask ranking.ClaimRequest) (a ranking.ClaimAnswer, err error) {
		verdict, err := s.read(r, ask.Log)
		if err != nil {
			return a, err
		}
		var off []record.Signature
		for _, sig := range ask.CalledOff {
			if len(sig) != len(record.Signature{}) || len(off) == 2 {
				return a, ranking.Refuse(ranking.BadRequest, "two signatures of 64 bytes call a match off")
			}
			off = append(off, record.Signature(sig))
		}
		receipt, fresh, err := s.config.Ledger.Claim(ctx, nowMs, player, ask.Kind, off, verdict)
		return s.claimed(receipt, fresh, err, ranking.EventClaimed)
	})
}

func (s *Server) withdraw(w http.ResponseWriter, r *request) error {
	return signed(w, r, func(ctx context.Context, nowMs int64, player record.Key, ask ranking.WithdrawRequest) (a ranking.ClaimAnswer, err error) {
		id, err := parseID(ask.Match)
		if err != nil {
			return a, err
		}
		receipt, fresh, err := s.config.Ledger.Withdraw(ctx, nowMs, player, id)
		return s.claimed(receipt, fresh, err, ranking.EventWithdrawn)
	})
}

// claimed is the answer about a claim, which who holds a stream is told once.
func (s *Server) claimed(r ranking.Receipt, fresh bool, err error, event ranking.EventKind) (a ranking.ClaimAnswer, _ error) {
	if err != nil {
		return a, err
	}
	a = ranking.ClaimAnswer{Match: hex.EncodeToString(r.Match[:]), Reason: r.Reason, Receipt: r}
	if r.Reason != ranking.None {
		a.Text = r.Reason.Text()
	}
	if fresh {
		s.config.Log.Info("claim", "event", string(event), "match", a.Match, "entry", r.Index)
		s.hub.tell(r.Match, ranking.Event{Event: event, Receipt: &r})
	}
	return a, nil
}

func parseID(text string) (record.ID, error) {
	id, ok := ranking.ParseMatchID(text)
	if !ok {
		return id, ranking.Refuse(ranking.BadRequest, "the id of a match or a run is 64 hexadecimal digits")
	}
	return id, nil
}

func (s *Server) match(w http.ResponseWriter, r *request) error {
	return ofID(w, r, s.config.Ledger.Match)
}

func (s *Server) log(w http.ResponseWriter, r *request) error {
	return fileOf(w, r, s.config.Ledger.Log)
}

// page is how many lines of a ladder come when none are asked for.
const page = 100

func (s *Server) ladder(w http.ResponseWriter, r *request) error {
	q := r.URL.Query()
	offset, limit, err := pageOf(q)
	if err != nil {
		return err
	}
	l, err := s.config.Ledger.Ladder(r.nowMs(), q.Get("season"), offset, limit)
	return answer(w, l, err)
}

// pageOf is the part of a table that a query asks for.
func pageOf(q url.Values) (offset, limit int, err error) {
	if offset, err = number(q.Get("offset"), 0); err == nil {
		limit, err = number(q.Get("limit"), page)
	}
	return offset, limit, err
}

func number(text string, otherwise int) (int, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, ranking.Refuse(ranking.BadRequest, "offset and limit are whole numbers")
	}
	return int(n), nil
}

func (s *Server) player(w http.ResponseWriter, r *request) error {
	p, err := s.config.Ledger.Player(r.Context(), r.nowMs(), r.PathValue("code"))
	return answer(w, p, err)
}
