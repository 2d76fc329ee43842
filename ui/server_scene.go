package ui

import (
	"github.com/ebitenui/ebitenui/widget"
)

// servers is where one says which server brings friends together and keeps the
// ladder.
type servers struct {
	menu
	address string
	fault   error
}

func newServers(w World, back func() Scene) *servers {
	s := &servers{menu: menu{world: w, back: back}}
	s.address, _ = w.Server()
	s.screen.Build = s.build
	return s
}

func (s *servers) build(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	field := e.Field("servers.field", s.address, e.T("servers.hint"), func(v string) { s.address = v }, s.use)
	content := []widget.PreferredSizeLocateableWidget{
		e.Words(e.T("servers.explained"), Body, e.Theme.Faint, width),
		field,
		e.Button("servers.use", Primary, s.use),
	}
	content = append(content, e.fault(s.fault)...)
	return s.sheet(e, e.T("servers.title"), field, content...)
}

func (s *servers) use() {
	if err := s.world.SetServer(s.address); err != nil {
		s.fault = err
		s.screen.Stale()
		return
	}
	s.next = s.back()
}

// Update waits for an address.
func (s *servers) Update(e *Env, c *Controls) Scene { return s.update(s, e, c) }
