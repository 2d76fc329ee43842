package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/signal"
)

// tell shows a person, or a script, what happens.
func (s *seat) tell(e table.Event) {
	if s.first != nil && s.first(e) {
		return
	}
	c := s.c
	switch e := e.(type) {
	case table.Visited:
		why := e.Err.Error()
		if f, ok := signal.FailureOf(e.Err); ok {
			why = f.Error()
		}
		c.say(event{"event": "visited", "error": why, "detail": e.Err.Error()}, "somebody tried to come: %s", why)
	case table.Joined:
		code := record.PlayerCode(e.Info.Peer)
		c.say(event{"event": "connected", "player": code, "path": e.Info.Path, "again": e.Again}, "connected to %s (%s)", code, e.Info.Path)
	case table.Parted:
		c.say(event{"event": "parted"}, "the connection is lost; looking for the other player")
	case table.Noted:
		c.note("%s", e.Text)
	case table.Saved:
		s.write(e)
	case table.Bundled:
		c.say(event{"event": "bundle", "file": e.Where}, "what the two programs disagree on is kept in %s", e.Where)
	case table.Delivered:
		c.say(event{"event": "receipt", "match": fmt.Sprintf("%x", e.Match[:]), "kind": e.Kind, "text": e.Text, "receipt": rawJSON(e.Receipt)}, "ranking server: %s %s", e.Kind, e.Text)
	case table.Undelivered:
		after := ""
		if e.Later {
			after = "; it will be tried again"
		}
		c.say(event{"event": "undelivered", "match": fmt.Sprintf("%x", e.Match[:]), "kind": e.Kind, "error": e.Err.Error(), "later": e.Later}, "ranking server: %s not taken: %v%s", e.Kind, e.Err, after)
	case table.FromSession:
		s.tellSession(e.Event)
	}
}

func (s *seat) tellSession(e lockstep.Event) {
	c := s.c
	switch e := e.(type) {
	case lockstep.Met:
		c.say(event{"event": "met", "name": e.Peer.Name, "player": record.PlayerCode(e.Peer.Key), "client": e.Peer.Client}, "playing %s (%s)", e.Peer.Name, record.PlayerCode(e.Peer.Key))
	case lockstep.RoomChanged:
		why := make([]string, len(e.Why))
		for i, w := range e.Why {
			why[i] = w.String()
		}
		s.why = strings.Join(why, "; ")
		c.emitIf(event{"event": "room-changed", "room": e.Room.Name, "ready": e.Ready, "unrated": why})
	case lockstep.Started:
		id := fmt.Sprintf("%x", e.ID[:])
		c.note("match %s begins, %s; you are %s", id[:16], ratedWord(e.Terms.Rated), seatName[e.Seat])
		if !e.Terms.Rated && s.why != "" {
			c.note("it does not count: %s", s.why)
		}
		c.emitIf(event{"event": "started", "match": id, "seat": e.Seat, "rated": e.Terms.Rated})
	case lockstep.Resumed:
		id := fmt.Sprintf("%x", e.ID[:])
		c.say(event{"event": "resumed", "match": id}, "match %s goes on", id[:16])
	case lockstep.Applied:
		c.emitIf(event{"event": "entry", "entry": e.Index, "seat": e.Entry.Move.Seat, "kind": kindName(e.Entry.Move.Kind)})
	case lockstep.Trouble:
		c.note("connection trouble")
	case lockstep.Offline:
		c.say(event{"event": "offline"}, "the other player is offline")
	case lockstep.Back:
		c.say(event{"event": "back"}, "the other player is back")
	case lockstep.Desync:
		c.say(event{"event": "desync", "entry": e.Index, "reason": e.Reason.String()}, "the two programs disagree at entry %d: %v", e.Index, e.Reason)
	case lockstep.ClaimDue:
		c.say(event{"event": "claim-due", "entry": e.Claim.Index}, "the other player has stayed away too long")
	case lockstep.ClaimMade:
		c.say(event{"event": "claim-made", "entry": e.Claim.Index}, "the match is claimed; nothing is played while the claim stands")
	case lockstep.ClaimGone:
		c.say(event{"event": "claim-gone"}, "the other player has gone on; there is nothing to claim any more")
	case lockstep.CallOffOffered:
		c.say(event{"event": "call-off-offered"}, "the other player offers to call the match off")
	case lockstep.Unsealed:
		c.say(event{"event": "unsealed"}, "the other player's last signature has not come")
	case lockstep.Fraud:
		c.say(event{"event": "fraud"}, "the other player has signed two different moves for one turn")
	case lockstep.Refused:
		c.say(event{"event": "refused", "reason": e.Reason.String(), "by_peer": e.ByPeer}, "refused: %v", e.Reason)
	case lockstep.RematchOffered:
		c.emitIf(event{"event": "rematch-offered"})
	case lockstep.RematchRefused:
		c.say(event{"event": "rematch-refused"}, "no rematch")
	case lockstep.PeerLeft:
		c.say(event{"event": "peer-left"}, "the other player has left")
	}
}

// event is one line of --json.
type event map[string]any

// say tells a person of what happens, and a script of the same.
func (c *call) say(e event, format string, a ...any) {
	c.note(format, a...)
	c.emitIf(e)
}

func (c *call) emitIf(e event) {
	if c.json {
		c.emit(e)
	}
}

// write keeps the log where --out wants it.
func (s *seat) write(e table.Saved) {
	if s.f.out == "" || !e.Sealed && !e.Last {
		return
	}
	n := slices.Index(s.wrote, e.ID)
	if n < 0 {
		n = len(s.wrote)
		s.wrote = append(s.wrote, e.ID)
	}
	name := outName(s.f.out, n+1)
	if err := os.WriteFile(name, e.Log, 0o644); err != nil {
		s.c.note("writing the log: %v", err)
	}
}

// outName is FILE for the first match, then FILE-2 and so on, in front of the
// file's extension.
func outName(file string, n int) string {
	if n == 1 {
		return file
	}
	ext := filepath.Ext(file)
	return strings.TrimSuffix(file, ext) + "-" + strconv.Itoa(n) + ext
}

// result prints how a match ended.
func (s *seat) result(m table.Finished) {
	c, out := s.c, m.Result.Outcome
	id := fmt.Sprintf("%x", m.ID[:])
	how := "no result"
	if m.Result.End == lockstep.ByEngine {
		switch {
		case out.Winner == m.Seat:
			how = "won"
		case out.Winner == 1-m.Seat:
			how = "lost"
		case out.End != engineNoResult:
			how = "draw"
		}
	}
	if c.json {
		c.emit(event{
			"event": "finished", "match": id, "seat": m.Seat, "result": how, "end": endText(m.Result),
			"score": [2]int32{out.Score[m.Seat], out.Score[1-m.Seat]}, "rated": m.Terms.Rated, "sealed": m.Sealed,
			"opponent": record.PlayerCode(m.Terms.Keys[1-m.Seat]),
		})
		return
	}
	seal := "sealed"
	if !m.Sealed {
		seal = "unsealed"
	}
	fmt.Fprintf(c.Stdout, "RESULT %s %s %d %d %s %s\n", id, strings.ReplaceAll(how, " ", "-"), out.Score[m.Seat], out.Score[1-m.Seat], ratedWord(m.Terms.Rated), seal)
}

func endText(r lockstep.Result) string {
	switch r.End {
	case lockstep.ByEngine:
		return endName(r.Outcome.End)
	case lockstep.Abandoned:
		return "the other player stayed away"
	case lockstep.CalledOff:
		return "called off by both"
	case lockstep.NotBegun:
		return "somebody left before it began"
	case lockstep.Desynced:
		return "the two programs disagreed"
	case lockstep.Claimed:
		return "decided by claim"
	}
	return "unfinished"
}
