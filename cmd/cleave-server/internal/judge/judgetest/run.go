package judgetest

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

// RunTerms are terms of a run that counts, with an attempt or without.
func RunTerms(p Signer, seed [32]byte, nonce [16]byte, attempt []byte) record.RunTerms {
	return record.RunTerms{Version: record.Protocol, Rules: streak.Rules, Params: streak.Counting.Params(), Key: p.Key, Seed: seed, Nonce: nonce, Attempt: attempt}
}

// PlayRun has a level play a run of the Streak as if it were a person, to the
// end or to so many placements, and returns its file.
func PlayRun(p Signer, t record.RunTerms, level bot.Level, seed uint64, placements int) []byte {
	r, err := record.BeginRun(t, games.All())
	if err != nil {
		panic("judgetest: " + err.Error())
	}
	player := bot.New(level, seed)
	for r.Len() < placements && r.Position().Owes() == 0 {
		if err := r.Apply(player.Streak(r.Position().(streak.State))); err != nil {
			panic("judgetest: " + err.Error())
		}
	}
	l, err := r.Finish(p.Sign)
	if err != nil {
		panic("judgetest: " + err.Error())
	}
	return l.Append(nil)
}

// RunParts are what a run's file is made of, as the format says.
type RunParts struct {
	Terms   record.RunTerms
	Moves   []uint16
	Digests [][32]byte
	Score   int32
	Combo   uint16
	Board   [32]byte
}

// TakeApart reads a file that is well formed.
func TakeApart(file []byte) RunParts {
	log, err := record.ParseRunLog(file)
	if err != nil {
		panic("judgetest: " + err.Error())
	}
	p := RunParts{Terms: log.Terms(), Score: log.Claim().Score, Combo: log.Claim().Combo, Board: log.Claim().Board}
	b := file[8:]
	b = b[2+binary.BigEndian.Uint16(b):]
	n := int(binary.BigEndian.Uint32(b))
	b = b[4:]
	for i := range n {
		p.Moves = append(p.Moves, binary.BigEndian.Uint16(b))
		b = b[2:]
		if (i+1)%64 == 0 || i+1 == n {
			p.Digests = append(p.Digests, [32]byte(b))
			b = b[32:]
		}
	}
	return p
}

// Sign puts the parts together again, signed, whatever they say.
func (p RunParts) Sign(s Signer) []byte {
	terms := p.Terms.Append(nil)
	id := sha256.Sum256(append([]byte("cleave/run/1"), terms...))
	b := append([]byte("CLEAVE"), 1, 1)
	b = binary.BigEndian.AppendUint16(b, uint16(len(terms)))
	b = append(b, terms...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(p.Moves)))
	head := sha256.Sum256(append([]byte("cleave/run-head/1"), id[:]...))
	for i, d := range p.Digests {
		var stretch []byte
		for _, m := range p.Moves[64*i : min(64*i+64, len(p.Moves))] {
			stretch = binary.BigEndian.AppendUint16(stretch, m)
		}
		stretch = append(stretch, d[:]...)
		head = sha256.Sum256(append(append([]byte("cleave/stretch/1"), head[:]...), stretch...))
		b = append(b, stretch...)
	}
	claim := binary.BigEndian.AppendUint32(nil, uint32(p.Score))
	claim = binary.BigEndian.AppendUint16(claim, p.Combo)
	claim = append(claim, p.Board[:]...)
	head = sha256.Sum256(append(append([]byte("cleave/claim/1"), head[:]...), claim...))
	sig := s.Sign(append(append([]byte("cleave/run-seal/1"), id[:]...), head[:]...))
	return append(append(b, claim...), sig[:]...)
}

// Illegal is the parts with a move, somewhere in the run, that its rules do
// not allow.
func (p RunParts) Illegal(at int) RunParts {
	pos := streak.New(p.Terms.Seed, streak.Counting)
	moves := append([]uint16{}, p.Moves...)
	at %= len(moves)
	for _, m := range moves[:at] {
		next, _, err := streak.Apply(pos, engine.Move{Kind: engine.Kind(m >> 12), Data: uint64(m & 0xfff)})
		if err != nil {
			panic("judgetest: " + err.Error())
		}
		pos = next
	}
	for data := range uint16(3 << 8) {
		if pos.Check(engine.Move{Kind: engine.Place, Data: uint64(data)}) != nil {
			moves[at] = uint16(engine.Place)<<12 | data
			break
		}
	}
	p.Moves = moves
	return p
}
