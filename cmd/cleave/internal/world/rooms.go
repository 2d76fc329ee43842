package world

import (
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/ui"
)

// clocks are the words for the clocks of a room.
var clocks = map[string]lockstep.Clocks{
	"standard": lockstep.ClocksStandard, "double": lockstep.ClocksDouble, "off": lockstep.ClocksOff,
}

func clocksWord(c lockstep.Clocks) string {
	for word, v := range clocks {
		if v == c {
			return word
		}
	}
	return "standard"
}

// room is a table in its waiting room: a seat, and who is there.
type room struct {
	*seat
	world *World
	host  bool

	mu   sync.Mutex
	wait ui.Waiting
}

// sit opens a table on a path and follows it in the background.
func (w *World) sit(path table.Path, r lockstep.Room, wait ui.Waiting) (*room, error) {
	name := w.name()
	cfg := table.Config{Vault: w.vault, Path: path, Name: name, Room: r, Ranking: w.ranking(), Outbox: w.outbox}
	t, err := table.New(cfg)
	if err != nil {
		path.Close()
		return nil, told(err)
	}
	return w.follow(t, path, name, wait), nil
}

// follow runs a table until it ends, and then closes its path.
func (w *World) follow(t *table.Table, path table.Path, name string, wait ui.Waiting) *room {
	wait.Me = ui.Person{Name: name, Code: w.Account().Code}
	room := &room{seat: w.newSeat(t, name), world: w, host: wait.Host, wait: wait}
	room.seat.ruled = w.verdict
	w.work.Go(func() {
		room.seat.run(w.ctx, room.take)
		room.over()
		if err := path.Close(); err != nil {
			w.note("closing the table", err)
		}
	})
	return room
}

// take takes in what concerns the waiting room.
func (r *room) take(e table.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e := e.(type) {
	case table.Invited:
		r.wait.Code, r.wait.Link = e.Code, e.Link
		r.show("waiting")
		if e.Port != 0 {
			r.wait.Address = addresses(e.Port)
		}
	case table.Visited:
		r.wait.Notice = notice(e.Err)
	case table.Noted:
		r.wait.Notice = noted(e)
	case table.Joined:
		r.show("room")
		r.wait.Path, r.wait.Peer.Code = pathWord(e.Info.Path), record.PlayerCode(e.Info.Peer)
		if !e.Again {
			r.world.Attention("")
		}
	case table.FromSession:
		r.session(e.Event)
	}
}

func (r *room) session(e lockstep.Event) {
	switch e := e.(type) {
	case lockstep.Met:
		r.wait.Peer.Name = e.Peer.Name
	case lockstep.RoomChanged:
		r.wait.Name, r.wait.Ready = e.Room.Name, e.Ready
		r.wait.Clocks, r.wait.Friendly = clocksWord(e.Room.Clocks), e.Room.Friendly
		r.wait.Counts = counts(e.Why)
	case lockstep.Started:
		r.show(begun)
	case lockstep.PeerLeft:
		r.wait.Notice = ui.Notice{ID: "waiting.left", Name: r.wait.Peer.Name}
		r.wait.Peer, r.wait.Ready = ui.Person{}, [2]bool{}
		if r.host {
			r.show("waiting")
		} else {
			r.show("ended")
		}
	case lockstep.Refused:
		r.wait.Notice = ui.Notice{ID: roomReason(e.Reason)}
	}
}

// begun is the phase of a room whose match has begun.
const begun = "match"

// show goes to a phase. From a match, none leads back: one that is gone on with
// begins before its players have met again, and a slow screen, which may not
// have looked yet, still goes to it. The caller holds r.mu.
func (r *room) show(phase string) {
	if r.wait.Phase != begun {
		r.wait.Phase = phase
	}
}

// counts says why a match will not count, nothing if it will.
func counts(why []lockstep.Reason) []ui.Notice {
	list := make([]ui.Notice, len(why))
	for i, w := range why {
		list[i] = ui.Notice{ID: roomReason(w)}
	}
	return list
}

// noted is what a table says beside its events.
func noted(e table.Noted) ui.Notice {
	switch e.About {
	case table.NotedUnseen:
		return ui.Notice{ID: "waiting.unseen"}
	case table.NotedNoRanking:
		return ui.Notice{ID: "waiting.no_ranking"}
	}
	return ui.Notice{ID: "problem.other", Name: e.Text}
}

func pathWord(path string) string {
	switch path {
	case "quic", "tcp":
		return "lan"
	}
	return path
}

// over says why the table ended.
func (r *room) over() {
	why := r.seat.failed()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wait.Failure = why
	r.show("ended")
}

// Room shows the waiting room.
func (r *room) Room() ui.Waiting {
	snap := r.table.Snapshot()
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.wait
	w.Bars = bars(snap)
	return w
}

// bars grades a connection by its round trip.
func bars(s *table.Snapshot) int {
	switch ms := s.RoundTripMs; {
	case !s.Connected:
		return 0
	case ms < 60:
		return 4
	case ms < 150:
		return 3
	case ms < 400:
		return 2
	}
	return 1
}

// Ready says that one is ready, or not any more.
func (r *room) Ready(on bool) { r.table.Ready(on) }

// Start begins the match.
func (r *room) Start() { r.table.Start() }

// Change sets clocks and whether the match counts.
func (r *room) Change(words string, friendly bool) {
	r.mu.Lock()
	name := r.wait.Name
	r.mu.Unlock()
	r.table.SetRoom(lockstep.Room{Name: name, Clocks: clocks[words], Friendly: friendly})
}

// Host opens a room.
func (w *World) Host(c ui.RoomChoice) (ui.Table, error) {
	if c.Name == "" {
		c.Name = "Cleave"
	}
	name := w.name()
	var path table.Path
	switch c.Way {
	case "lan":
		p, err := table.HostLAN(w.id, table.LANRoom{Player: name, Name: c.Name, Password: c.Password, Clocks: c.Clocks, Rated: !c.Friendly})
		if err != nil {
			return nil, told(err)
		}
		path = p
	default:
		if w.server == "" {
			return nil, ui.Notice{ID: "problem.no_server"}
		}
		path = table.HostServer(w.id, table.ServerRoom{Server: w.server, List: c.Listed, Player: name, Name: c.Name,
			Password: c.Password, Clocks: c.Clocks, Rated: !c.Friendly})
	}
	return w.sit(path, lockstep.Room{Name: c.Name, Clocks: clocks[c.Clocks], Friendly: c.Friendly},
		ui.Waiting{Host: true, Name: c.Name, Clocks: c.Clocks, Friendly: c.Friendly, Phase: "opening"})
}

// Join goes to a room.
func (w *World) Join(c ui.JoinChoice) (ui.Table, error) {
	var path table.Path
	var err error
	switch {
	case c.Code != "" && looksLikeAddress(c.Code):
		path, err = table.JoinLAN(w.id, table.LANVisit{Addr: c.Code, Password: c.Password})
	case c.Code != "":
		path, err = table.JoinServer(w.id, table.ServerVisit{Server: w.server, Code: c.Code, Password: c.Password})
	case c.Address != "":
		path, err = table.JoinLAN(w.id, table.LANVisit{Addr: c.Address, Password: c.Password})
	case c.Listed:
		path, err = table.JoinServer(w.id, table.ServerVisit{Server: w.server, Room: c.Room, Password: c.Password})
	default:
		path, err = table.JoinLAN(w.id, table.LANVisit{Room: c.Room, Password: c.Password})
	}
	if err != nil {
		return nil, told(err)
	}
	return w.sit(path, lockstep.Room{}, ui.Waiting{Phase: "meeting"})
}

// looksLikeAddress tells host:port from an invite code.
func looksLikeAddress(s string) bool {
	host, port, err := net.SplitHostPort(strings.TrimSpace(s))
	if err != nil || host == "" || strings.Contains(s, "/") {
		return false
	}
	n, err := strconv.Atoi(port)
	return err == nil && n > 0 && n < 1<<16
}

// addresses are where a room on this machine can be reached by hand.
func addresses(port int) string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	var list []string
	for _, a := range all {
		ip, ok := a.(*net.IPNet)
		if ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() {
			list = append(list, net.JoinHostPort(ip.IP.String(), strconv.Itoa(port)))
		}
	}
	return strings.Join(list, "  ")
}

// HasUnfinished says whether there is a match to go on with.
func (w *World) HasUnfinished() bool {
	open, err := table.Unfinish(w.vault, time.Now())
	if err != nil {
		w.note("reading unfinished matches", err)
	}
	return len(open) > 0
}

// Unfinished returns the match that this profile is still in.
func (w *World) Unfinished() (ui.Table, bool) {
	open, err := table.Unfinish(w.vault, time.Now())
	if err != nil {
		w.note("reading unfinished matches", err)
		return nil, false
	}
	for _, u := range open {
		path, err := table.OpenPath(w.id, u)
		if err != nil {
			w.note("going on with a match", err)
			continue
		}
		t, err := table.Resume(table.Config{Vault: w.vault, Path: path, Name: u.Name, Ranking: w.ranking(), Outbox: w.outbox}, u)
		if err != nil {
			path.Close()
			w.note("going on with a match", err)
			continue
		}
		return w.follow(t, path, u.Name, ui.Waiting{Host: path.Host(), Phase: "meeting", Peer: ui.Person{Name: u.PeerName, Code: record.PlayerCode(u.Peer)}}), true
	}
	return nil, false
}
