package record

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"github.com/cleavegame/cleave/engine"
)

// The toy is a one-seat game for the tests and vectors of runs. Params are
// empty or one byte 1. Pieces are single cells on 8x8: placing slot s (0 to
// 2) on the empty cell c gives s+1 points, and when the row of c is full it
// clears and counts one to the row of clears, of which the best is the best
// combo; any placement that clears nothing ends that row. The run is over
// when the board has 56 cells filled, or with params 1 never; a second chance
// empties the board, at most three times (with params 1 any number, and none
// is counted); hints do nothing. The state is seed
// (32), board (8), score (4), placements (4), combo, best, chances, params,
// and its digest is SHA-256("cleave/state/toy/1" || state).
type toy struct{}

const toyRules = "toy/1"

func (toy) Rules() string { return toyRules }
func (toy) Seats() int    { return 1 }

func (toy) Start(seed [32]byte, params []byte) (engine.Position, error) {
	if len(params) > 1 || len(params) == 1 && params[0] != 1 {
		return nil, errors.New("toy: params")
	}
	return toyState{seed: seed, endless: len(params) == 1}, nil
}

type toyState struct {
	seed                  [32]byte
	board                 engine.Board
	score                 int32
	placed                int32
	combo, best, chances8 uint8
	endless               bool
}

func (s toyState) over() bool { return !s.endless && s.board.Count() >= 56 }

func (s toyState) Owes() int {
	if s.over() {
		return engine.Nobody
	}
	return 0
}
func (s toyState) Awaits() engine.Kind         { return engine.Place }
func (s toyState) MayDecide(int) engine.Kind   { return engine.Place }
func (s toyState) Check(m engine.Move) error   { _, err := s.Apply(m); return err }
func (s toyState) Fields() []engine.Field      { return nil }
func (s toyState) BestCombo() int              { return int(s.best) }
func (s toyState) Board() engine.Board         { return s.board }
func (s toyState) illegal(m engine.Move) error { return &engine.IllegalMove{Move: m, Reason: "toy"} }
func (s toyState) Digest() [32]byte            { return sha256.Sum256(s.Append([]byte("cleave/state/toy/1"))) }

func (s toyState) Outcome() engine.Outcome {
	o := engine.Outcome{Over: s.over(), Winner: engine.Nobody, Score: [2]int32{s.score}, Rounds: int(s.placed)}
	if o.Over {
		o.End = engine.Played
	}
	return o
}

func (s toyState) Append(b []byte) []byte {
	b = append(b, s.seed[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(s.board))
	b = binary.BigEndian.AppendUint32(b, uint32(s.score))
	b = binary.BigEndian.AppendUint32(b, uint32(s.placed))
	b = append(b, s.combo, s.best, s.chances8)
	if s.endless {
		return append(b, 1)
	}
	return append(b, 0)
}

func (s toyState) Apply(m engine.Move) (engine.Position, error) {
	switch m.Kind {
	case engine.Hint:
		return s, nil
	case engine.Chance:
		if s.chances8 == 3 && !s.endless {
			return nil, s.illegal(m)
		}
		s.board = 0
		if !s.endless {
			s.chances8++
		}
		return s, nil
	case engine.Place:
	default:
		return nil, s.illegal(m)
	}
	slot, cell := m.Data>>8, m.Data&0xff
	if s.over() || slot > 2 || cell > 63 || s.board>>cell&1 != 0 {
		return nil, s.illegal(m)
	}
	s.board |= 1 << cell
	s.score += int32(slot) + 1
	s.placed++
	if row := engine.Board(0xff) << (cell / 8 * 8); s.board&row == row {
		s.board &^= row
		s.combo++
		s.best = max(s.best, s.combo)
	} else {
		s.combo = 0
	}
	return s, nil
}

// toyTerms are the terms of a run of the toy.
func toyTerms() RunTerms {
	return RunTerms{Version: Protocol, Rules: toyRules, Key: host.key, Seed: [32]byte{1}, Nonce: [16]byte{2}}
}

// spot is a placement of the toy.
func spot(slot, cell int) engine.Move {
	return engine.Move{Kind: engine.Place, Data: uint64(slot<<8 | cell)}
}
