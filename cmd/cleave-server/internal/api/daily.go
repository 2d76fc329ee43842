package api

import (
	"context"
	"net/http"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/ledger"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
)

// RunContests fills arenas and replays the runs of the day before, until ctx
// ends. It is not Run, which must not wait for either.
func (s *Server) RunContests(ctx context.Context) error {
	const look = 30 * time.Second
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		nowMs := time.Now().UnixMilli()
		if _, err := s.config.Ledger.FillArenas(ctx, nowMs); err != nil && ctx.Err() == nil {
			s.config.Log.Error("filling arenas", "err", err)
		}
		replayed, flagged, err := s.config.Ledger.ReplayNight(ctx, nowMs)
		if err != nil && ctx.Err() == nil {
			s.config.Log.Error("replaying runs again", "err", err)
		}
		if replayed > 0 {
			s.config.Log.Info("runs replayed again", "runs", replayed, "flagged", len(flagged))
		}
		for _, r := range flagged {
			s.config.Log.Warn("a run does not hold any more", "run", r.Run, "reason", int(r.Reason))
		}
		timer.Reset(look)
	}
}

func (s *Server) daily(w http.ResponseWriter, r *request) error {
	d, err := s.config.Ledger.Daily(r.nowMs(), r.URL.Query().Get("day"))
	if err != nil {
		return err
	}
	send(w, http.StatusOK, d)
	return nil
}

func (s *Server) anchors(w http.ResponseWriter, r *request) error {
	send(w, http.StatusOK, s.config.Ledger.Anchors(r.nowMs()))
	return nil
}

func (s *Server) attempt(w http.ResponseWriter, r *request) error {
	var ask ranking.AttemptRequest
	if err := parse(r.body, &ask); err != nil {
		return err
	}
	a, err := s.config.Ledger.OpenAttempt(r.Context(), r.nowMs(), r.key, ask)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, a)
	return nil
}

func (s *Server) profile(w http.ResponseWriter, r *request) error {
	var ask ranking.ProfileRequest
	if err := parse(r.body, &ask); err != nil {
		return err
	}
	p, err := s.config.Ledger.SetProfile(r.Context(), r.nowMs(), r.key, ask)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, p)
	return nil
}

func (s *Server) uploadRun(w http.ResponseWriter, r *request) error {
	answer, known, err := s.config.Ledger.KnownRun(r.Context(), r.body)
	if err != nil {
		return err
	}
	if !known {
		v, err := s.judgeRun(r)
		if err != nil {
			return err
		}
		if answer, err = s.config.Ledger.UploadRun(r.Context(), r.nowMs(), v); err != nil {
			return err
		}
		s.config.Log.Info("run", "run", answer.Run.Run, "contest", answer.Contest, "state", string(answer.State), "reason", int(answer.Reason), "score", answer.Score)
	}
	send(w, http.StatusOK, answer)
	return nil
}

// judgeRun reads a run, and has its bot play again where that may change what
// becomes of it.
func (s *Server) judgeRun(r *request) (v judge.RunVerdict, err error) {
	err = s.replay(r.Context(), func() error {
		v, err = judge.ReadRun(r.body, s.config.Games, s.config.Ledger.Key())
		return err
	})
	if err != nil || v.Judged() {
		return v, err
	}
	v, known, err := s.config.Ledger.Welcome(r.Context(), r.nowMs(), v)
	if err != nil || known {
		return v, err
	}
	err = s.replay(r.Context(), func() error {
		v, err = v.PlayAgain()
		return err
	})
	return v, err
}

func (s *Server) run(w http.ResponseWriter, r *request) error {
	id, err := matchID(r)
	if err != nil {
		return err
	}
	a, err := s.config.Ledger.Run(r.Context(), id)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, a)
	return nil
}

func (s *Server) runLog(w http.ResponseWriter, r *request) error {
	id, err := matchID(r)
	if err != nil {
		return err
	}
	file, err := s.config.Ledger.RunFile(r.Context(), r.nowMs(), id)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+r.PathValue("id")+`.cleave"`)
	w.Write(file)
	return nil
}

func (s *Server) board(w http.ResponseWriter, r *request) error {
	q := r.URL.Query()
	offset, err := number(q.Get("offset"), 0)
	if err != nil {
		return err
	}
	limit, err := number(q.Get("limit"), page)
	if err != nil {
		return err
	}
	b, err := s.config.Ledger.Board(r.Context(), r.nowMs(), ledger.BoardAsk{Kind: ranking.BoardKind(r.PathValue("board")), Of: q.Get("of"),
		Country: q.Get("country"), Player: q.Get("player"), Offset: offset, Limit: limit})
	if err != nil {
		return err
	}
	send(w, http.StatusOK, b)
	return nil
}

func (s *Server) arenas(w http.ResponseWriter, r *request) error {
	a, err := s.config.Ledger.Arenas(r.Context(), r.nowMs())
	if err != nil {
		return err
	}
	send(w, http.StatusOK, a)
	return nil
}

func (s *Server) enter(w http.ResponseWriter, r *request) error {
	var ask ranking.AttemptRequest
	if err := parse(r.body, &ask); err != nil {
		return err
	}
	a, err := s.config.Ledger.EnterArena(r.Context(), r.nowMs(), r.key, ask)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, a)
	return nil
}

func (s *Server) arena(w http.ResponseWriter, r *request) error {
	a, err := s.config.Ledger.Arena(r.Context(), r.nowMs(), r.PathValue("id"))
	if err != nil {
		return err
	}
	send(w, http.StatusOK, a)
	return nil
}
