package api

import (
	"encoding/hex"
	"net/http"
	"strconv"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

func (s *Server) tickets(w http.ResponseWriter, r *request) error {
	var ask ranking.TicketRequest
	if err := parse(r.body, &ask); err != nil {
		return err
	}
	tickets, err := s.config.Ledger.Tickets(r.Context(), r.nowMs(), r.key, ask)
	if err != nil {
		return err
	}
	answer := ranking.TicketAnswer{Tickets: [][]byte{}}
	for _, t := range tickets {
		answer.Tickets = append(answer.Tickets, t.Append(nil))
	}
	s.figures.issued.Add(uint64(len(tickets)))
	send(w, http.StatusOK, answer)
	return nil
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
	err = s.replay(r.Context(), func() error {
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
	var ask ranking.ClaimRequest
	if err := parse(r.body, &ask); err != nil {
		return err
	}
	verdict, err := s.read(r, ask.Log)
	if err != nil {
		return err
	}
	var off []record.Signature
	for _, sig := range ask.CalledOff {
		if len(sig) != len(record.Signature{}) || len(off) == 2 {
			return ranking.Refuse(ranking.BadRequest, "two signatures of 64 bytes call a match off")
		}
		off = append(off, record.Signature(sig))
	}
	receipt, fresh, err := s.config.Ledger.Claim(r.Context(), r.nowMs(), r.key, ask.Kind, off, verdict)
	if err != nil {
		return err
	}
	if fresh {
		s.config.Log.Info("claim", "match", hex.EncodeToString(receipt.Match[:]), "entry", receipt.Index, "kind", string(ask.Kind))
		s.hub.tell(receipt.Match, ranking.Event{Event: ranking.EventClaimed, Receipt: &receipt})
	}
	send(w, http.StatusOK, claimAnswer(receipt))
	return nil
}

func claimAnswer(r ranking.Receipt) ranking.ClaimAnswer {
	a := ranking.ClaimAnswer{Match: hex.EncodeToString(r.Match[:]), Reason: r.Reason, Receipt: r}
	if r.Reason != ranking.None {
		a.Text = r.Reason.Text()
	}
	return a
}

func (s *Server) withdraw(w http.ResponseWriter, r *request) error {
	var ask ranking.WithdrawRequest
	if err := parse(r.body, &ask); err != nil {
		return err
	}
	id, ok := ranking.ParseMatchID(ask.Match)
	if !ok {
		return ranking.Refuse(ranking.BadRequest, "a match id is 64 hexadecimal digits")
	}
	receipt, fresh, err := s.config.Ledger.Withdraw(r.Context(), r.nowMs(), r.key, id)
	if err != nil {
		return err
	}
	if fresh {
		s.config.Log.Info("claim withdrawn", "match", ask.Match, "entry", receipt.Index)
		s.hub.tell(id, ranking.Event{Event: ranking.EventWithdrawn, Receipt: &receipt})
	}
	send(w, http.StatusOK, claimAnswer(receipt))
	return nil
}

func matchID(r *request) (record.ID, error) {
	id, ok := ranking.ParseMatchID(r.PathValue("id"))
	if !ok {
		return id, ranking.Refuse(ranking.BadRequest, "a match id is 64 hexadecimal digits")
	}
	return id, nil
}

func (s *Server) match(w http.ResponseWriter, r *request) error {
	id, err := matchID(r)
	if err != nil {
		return err
	}
	m, err := s.config.Ledger.Match(r.Context(), id)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, m)
	return nil
}

func (s *Server) log(w http.ResponseWriter, r *request) error {
	id, err := matchID(r)
	if err != nil {
		return err
	}
	log, err := s.config.Ledger.Log(r.Context(), id)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+r.PathValue("id")+`.cleave"`)
	w.Write(log)
	return nil
}

// page is how many lines of a ladder come when none are asked for.
const page = 100

func (s *Server) ladder(w http.ResponseWriter, r *request) error {
	q := r.URL.Query()
	offset, err := number(q.Get("offset"), 0)
	if err != nil {
		return err
	}
	limit, err := number(q.Get("limit"), page)
	if err != nil {
		return err
	}
	l, err := s.config.Ledger.Ladder(r.nowMs(), q.Get("season"), offset, limit)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, l)
	return nil
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
	if err != nil {
		return err
	}
	send(w, http.StatusOK, p)
	return nil
}
