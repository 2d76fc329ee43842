package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/cleavegame/cleave/engine"
)

// Limits of a run. One that reaches a limit ends there, by rule.
const (
	// MaxRun is the largest .cleave file of a run in bytes.
	MaxRun = 512 << 10
	// MaxPlacements is the largest number of placements in a run.
	MaxPlacements = 65_535

	// stretchLen is after how many entries a run notes the digest.
	stretchLen = 64
	// maxRunEntries leaves room for 65,535 placements with a hint or a second
	// chance after each, more than any ruleset gives, within MaxRun.
	maxRunEntries = 2 * MaxPlacements
)

const (
	runDomain     = "cleave/run/1"      // of the run's id
	runHeadDomain = "cleave/run-head/1" // of head(0)
	stretchDomain = "cleave/stretch/1"  // of the head after a stretch
	claimDomain   = "cleave/claim/1"    // of the final head
	runSealDomain = "cleave/run-seal/1" // of the signature
	boardDomain   = "cleave/board/1"    // of the final board

	flagAttempt = 1 // in the flags of a run's terms
	flagBot     = 2

	maxAttempt = 255
	maxBotName = 32
)

// RunTerms are what a run is played under. They are its player's alone.
type RunTerms struct {
	Version uint16   // of the protocol, see Protocol
	Rules   string   // of the ruleset, such as "streak/1"
	Params  []byte   // the ruleset's own, at most 255 bytes
	Key     Key      // the player
	Seed    [32]byte // of the deal
	Nonce   [16]byte // fresh for each run
	Attempt []byte   // the endpoint's leave to enter a daily or an arena, at most 255 bytes; nil for none
	Bot     *Bot     // who played, nil for a person
}

// A Bot names a player that is a program, so that its run can be played again.
type Bot struct {
	Name    string   // 1 to 32 bytes of printable ASCII
	Version uint16   // of the bot
	Seed    [32]byte // of its own chance
	Nodes   uint32   // budget of a decision
}

// A Solo is a position of a one-seat ruleset, which says what its player may
// claim.
type Solo interface {
	engine.Position
	// BestCombo is the most lines that one placement cleared, or what the
	// ruleset counts as its best combo.
	BestCombo() int
	// Board is the board as it is.
	Board() engine.Board
}

// A Claim is what the player of a run says it came to.
type Claim struct {
	Score int32
	Combo uint16   // the best, see Solo
	Board [32]byte // SHA-256("cleave/board/1" || final board)
}

// ClaimOf is the claim that a position allows.
func ClaimOf(pos Solo) Claim {
	b := binary.BigEndian.AppendUint64([]byte(boardDomain), uint64(pos.Board()))
	return Claim{Score: pos.Outcome().Score[0], Combo: uint16(pos.BestCombo()), Board: sha256.Sum256(b)}
}

func (c Claim) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(c.Score))
	b = binary.BigEndian.AppendUint16(b, c.Combo)
	return append(b, c.Board[:]...)
}

func (r *reader) claim() Claim {
	return Claim{Score: int32(r.uint32()), Combo: r.uint16(), Board: r.hash()}
}

// Append appends the canonical encoding to b. It panics on a field over its
// length.
func (t RunTerms) Append(b []byte) []byte {
	if len(t.Attempt) > maxAttempt || t.Bot != nil && !botName(t.Bot.Name) {
		panic("record: an attempt or a bot that terms cannot hold")
	}
	var flags byte
	if len(t.Attempt) > 0 {
		flags |= flagAttempt
	}
	if t.Bot != nil {
		flags |= flagBot
	}
	b = binary.BigEndian.AppendUint16(b, t.Version)
	b = append(b, flags)
	b = appendRules(b, t.Rules, t.Params)
	b = append(b, t.Key[:]...)
	b = append(b, t.Seed[:]...)
	b = append(b, t.Nonce[:]...)
	if len(t.Attempt) > 0 {
		b = append(append(b, byte(len(t.Attempt))), t.Attempt...)
	}
	if t.Bot != nil {
		b = append(append(b, byte(len(t.Bot.Name))), t.Bot.Name...)
		b = binary.BigEndian.AppendUint16(b, t.Bot.Version)
		b = append(b, t.Bot.Seed[:]...)
		b = binary.BigEndian.AppendUint32(b, t.Bot.Nodes)
	}
	return b
}

// botName reports whether s can name a bot.
func botName(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return 0 < len(s) && len(s) <= maxBotName
}

// ParseRunTerms reads the bytes of a run's terms, whole. What it returns is
// well formed, no more: see Check.
func ParseRunTerms(b []byte) (RunTerms, error) {
	r := read(b, MaxObject)
	t := r.runTerms()
	if err := r.end(); err != nil {
		return RunTerms{}, err
	}
	return t, nil
}

func (r *reader) runTerms() RunTerms {
	var t RunTerms
	t.Version = r.uint16()
	if r.err == nil && t.Version != Protocol {
		r.refuse(ErrProtocol)
	}
	flags := r.byte()
	if flags&^(flagAttempt|flagBot) != 0 {
		r.refuse(ErrReserved)
	}
	t.Rules, t.Params = r.rules()
	t.Key = r.key()
	t.Seed = r.hash()
	t.Nonce = r.nonce()
	if flags&flagAttempt != 0 {
		t.Attempt = bytes.Clone(r.take(int(r.byte())))
		if r.err == nil && len(t.Attempt) == 0 {
			r.refuse(ErrReserved) // none is said by the flag
		}
	}
	if flags&flagBot != 0 {
		t.Bot = &Bot{Name: string(r.take(int(r.byte()))), Version: r.uint16(), Seed: r.hash(), Nodes: r.uint32()}
		if r.err == nil && !botName(t.Bot.Name) {
			r.refuse(ErrBotName)
		}
	}
	return t
}

// ID is the run's id: SHA-256("cleave/run/1" || encoding).
func (t RunTerms) ID() ID { return sha256.Sum256(t.Append([]byte(runDomain))) }

// Check refuses terms under which no run can be played: an unknown version,
// ruleset or parameter, or a key that is none. Whether an attempt is good its
// endpoint knows. The error is or wraps a Reason.
func (t RunTerms) Check(games Games) error {
	_, _, err := t.start(games)
	return err
}

// start is Check, and returns the run's id and the first position.
func (t *RunTerms) start(games Games) (ID, Solo, error) {
	if t.Version != Protocol {
		return ID{}, nil, ErrProtocol
	}
	game, err := games.find(t.Rules, seatsRun)
	if err != nil {
		return ID{}, nil, err
	}
	if err := t.Key.Check(); err != nil {
		return ID{}, nil, err
	}
	if len(t.Params) > maxParams {
		return ID{}, nil, ErrUnknownParams
	}
	if t.Bot != nil && !botName(t.Bot.Name) {
		return ID{}, nil, ErrBotName
	}
	if len(t.Attempt) > maxAttempt {
		return ID{}, nil, ErrTooLarge
	}
	pos, err := game.Start(t.Seed, t.Params)
	if err != nil {
		return ID{}, nil, fmt.Errorf("%w: %w", ErrUnknownParams, err)
	}
	return t.ID(), pos.(Solo), nil
}

// A Run is one solo game while it is played. It is not for several
// goroutines at once.
type Run struct {
	terms   RunTerms
	id      ID
	pos     Solo
	moves   []runMove
	digests [][32]byte // after every 64th entry
	placed  int
}

// BeginRun starts a run.
func BeginRun(t RunTerms, games Games) (*Run, error) {
	id, pos, err := t.start(games)
	if err != nil {
		return nil, err
	}
	return &Run{terms: t, id: id, pos: pos}, nil
}

// Apply adds a placement, a second chance or a hint. Refused: *IllegalError
// with the engine's reason, and ErrFull when the run has reached its limit.
func (r *Run) Apply(m engine.Move) error {
	n := len(r.moves) + 1
	packed, ok := packMove(m)
	if !ok {
		return &IllegalError{Index: uint32(n), Move: &engine.IllegalMove{Move: m, Reason: "no entry of a run can hold it"}}
	}
	if r.placed == MaxPlacements || n > maxRunEntries {
		return ErrFull
	}
	next, err := soloStep(r.pos, n, packed)
	if err != nil {
		return err
	}
	r.pos = next
	r.moves = append(r.moves, packed)
	if packed.kind() == engine.Place {
		r.placed++
	}
	if n%stretchLen == 0 {
		r.digests = append(r.digests, next.Digest())
	}
	return nil
}

// soloStep is the position after entry n.
func soloStep(pos Solo, n int, packed runMove) (Solo, error) {
	next, err := pos.Apply(packed.move())
	if err != nil {
		return nil, &IllegalError{Index: uint32(n), Move: asIllegal(packed.move(), err)}
	}
	return next.(Solo), nil
}

// ID is the run's id.
func (r *Run) ID() ID { return r.id }

// Len is how many entries the run has.
func (r *Run) Len() int { return len(r.moves) }

// Position is the state of the game.
func (r *Run) Position() Solo { return r.pos }

// Full reports whether the run has reached its limit, where it ends by rule.
func (r *Run) Full() bool { return r.placed == MaxPlacements || len(r.moves) == maxRunEntries }

// Finish claims what the run came to and has its player sign it. It is
// ErrEntryCount for a run without an entry.
func (r *Run) Finish(sign Signer) (RunLog, error) {
	if len(r.moves) == 0 {
		return RunLog{}, ErrEntryCount
	}
	l := RunLog{terms: r.terms, moves: r.moves[:len(r.moves):len(r.moves)], digests: r.digests[:len(r.digests):len(r.digests)]}
	if len(r.moves)%stretchLen != 0 {
		l.digests = append(l.digests, r.pos.Digest())
	}
	l.claim = ClaimOf(r.pos)
	l.sig = sign(l.message(r.id, l.head(r.id)))
	return l, nil
}
