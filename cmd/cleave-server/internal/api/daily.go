package api

import (
	"context"
	"net/http"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/ledger"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// lookEvery is how often it is looked whether there is something to do for
// arenas, and for the night.
const lookEvery = 30 * time.Second

// RunArenas fills arenas and closes them, until ctx ends. It is not Run, which
// must not wait while AI players play.
func (s *Server) RunArenas(ctx context.Context) error { return s.each(ctx, s.fillArenas) }

// RunNights replays the runs of the day before, until ctx ends. It is neither of
// the others, since a night may take hours.
func (s *Server) RunNights(ctx context.Context) error { return s.each(ctx, s.replayNight) }

// each does something now and then, until ctx ends.
func (s *Server) each(ctx context.Context, do func(ctx context.Context, nowMs int64)) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		do(ctx, s.now().UnixMilli())
		timer.Reset(lookEvery)
	}
}

func (s *Server) fillArenas(ctx context.Context, nowMs int64) {
	if _, err := s.config.Ledger.FillArenas(ctx, nowMs); err != nil && ctx.Err() == nil {
		s.config.Log.Error("filling arenas", "err", err)
	}
}

func (s *Server) replayNight(ctx context.Context, nowMs int64) {
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
}

func (s *Server) daily(w http.ResponseWriter, r *request) error {
	d, err := s.config.Ledger.Daily(r.nowMs(), r.URL.Query().Get("day"))
	return answer(w, d, err)
}

func (s *Server) anchors(w http.ResponseWriter, r *request) error {
	return answer(w, s.config.Ledger.Anchors(r.nowMs()), nil)
}

func (s *Server) attempt(w http.ResponseWriter, r *request) error {
	return signed(w, r, s.config.Ledger.OpenAttempt)
}

func (s *Server) profile(w http.ResponseWriter, r *request) error {
	return signed(w, r, s.config.Ledger.SetProfile)
}

func (s *Server) enter(w http.ResponseWriter, r *request) error {
	return signed(w, r, s.config.Ledger.EnterArena)
}

func (s *Server) uploadRun(w http.ResponseWriter, r *request) error {
	a, known, err := s.config.Ledger.KnownRun(r.Context(), r.body)
	if known || err != nil {
		return answer(w, a, err)
	}
	v, err := s.judgeRun(r)
	if err != nil {
		return err
	}
	// A bot has played for longer, perhaps, than an answer may take.
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
	if a, err = s.config.Ledger.UploadRun(r.Context(), r.nowMs(), v); err == nil {
		s.config.Log.Info("run", "run", a.Run.Run, "contest", a.Contest, "state", string(a.State), "reason", int(a.Reason), "score", a.Score)
	}
	return answer(w, a, err)
}

// judgeRun reads a run, and has its bot play again where that may change what
// becomes of it.
func (s *Server) judgeRun(r *request) (v judge.RunVerdict, err error) {
	err = replay(r.Context(), s.replays, func() error {
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
	err = replay(r.Context(), s.bots, func() error {
		v, err = v.PlayAgain(r.Context())
		return err
	})
	return v, err
}

func (s *Server) run(w http.ResponseWriter, r *request) error {
	return ofID(w, r, s.config.Ledger.Run)
}

func (s *Server) runLog(w http.ResponseWriter, r *request) error {
	return fileOf(w, r, func(ctx context.Context, id record.ID) ([]byte, error) {
		return s.config.Ledger.RunFile(ctx, r.nowMs(), id)
	})
}

func (s *Server) board(w http.ResponseWriter, r *request) error {
	q := r.URL.Query()
	offset, limit, err := pageOf(q)
	if err != nil {
		return err
	}
	b, err := s.config.Ledger.Board(r.Context(), r.nowMs(), ledger.BoardAsk{Kind: ranking.BoardKind(r.PathValue("board")), Of: q.Get("of"),
		Country: q.Get("country"), Player: q.Get("player"), Offset: offset, Limit: limit})
	return answer(w, b, err)
}

func (s *Server) arenas(w http.ResponseWriter, r *request) error {
	a, err := s.config.Ledger.Arenas(r.Context(), r.nowMs())
	return answer(w, a, err)
}

func (s *Server) arena(w http.ResponseWriter, r *request) error {
	a, err := s.config.Ledger.Arena(r.Context(), r.nowMs(), r.PathValue("id"))
	return answer(w, a, err)
}
