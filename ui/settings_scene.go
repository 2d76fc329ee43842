package ui

import (
	"cmp"
	"slices"

	"github.com/ebitenui/ebitenui/widget"
)

// settings is where the player says how it should look and sound. A choice
// takes effect at once.
type settings struct {
	menu
	set   Settings
	fault error
}

func newSettings(w World) *settings {
	s := &settings{menu: menu{world: w, back: func() Scene { return newTitle(w) }}, set: w.Settings()}
	s.screen.Build = s.build
	return s
}

var (
	themes    = []string{"light", "dark", "contrast"}
	textSizes = []int{100, 125, 150, 200}
	volumes   = []int{0, 30, 60, 100}
	snaps     = []int{6, 9, 15} // tenths of a cell
)

func (s *settings) build(e *Env) (*widget.Container, widget.Focuser) {
	apply := func() {
		e.Apply(s.set)
		s.fault = s.world.Save(s.set)
		s.screen.Stale()
	}
	var content []widget.PreferredSizeLocateableWidget
	var first widget.Focuser
	choose := func(id string, options []string, chosen int, set func(int)) {
		labels := make([]string, len(options))
		for i, o := range options {
			labels[i] = e.T(o)
		}
		row := e.Choice(id, labels, chosen, func(i int) { set(i); apply() })
		if all := row.GetFocusers(); first == nil {
			first = all[max(chosen, 0)]
		}
		content = append(content, e.caption(id), row)
	}
	onOff := func(id string, on *bool) {
		content = append(content, e.Toggle(id, *on, func(v bool) { *on = v; apply() }))
	}
	choose("settings.theme", []string{"settings.light", "settings.dark", "settings.contrast"}, slices.Index(themes, s.set.Theme), func(i int) { s.set.Theme = themes[i] })
	onOff("settings.colour_blind", &s.set.ColourBlind)
	choose("settings.text", []string{"settings.text_100", "settings.text_125", "settings.text_150", "settings.text_200"},
		slices.Index(textSizes, s.set.TextPercent), func(i int) { s.set.TextPercent = textSizes[i] })
	onOff("settings.less_motion", &s.set.LessMotion)
	onOff("settings.left_handed", &s.set.LeftHanded)
	onOff("settings.confirm", &s.set.Confirm)
	choose("settings.snap", []string{"settings.snap_near", "settings.snap_usual", "settings.snap_far"}, nearest(snaps, cmp.Or(s.set.Snap, 9)), func(i int) { s.set.Snap = snaps[i] })
	levels := []string{"settings.off", "settings.quiet", "settings.middle", "settings.loud"}
	choose("settings.music", levels, nearest(volumes, s.set.Music), func(i int) { s.set.Music = volumes[i] })
	choose("settings.effects", levels, nearest(volumes, s.set.Effects), func(i int) { s.set.Effects = volumes[i]; e.Settings = s.set; e.Play(SoundClear) })
	onOff("settings.warnings", &s.set.Warnings)
	content = append(content, e.fault(s.fault)...)
	if _, fixed := s.world.Server(); !fixed {
		content = append(content, e.Button("settings.server", Plain, s.to(func() Scene {
			return newServers(s.world, func() Scene { return newSettings(s.world) })
		})))
	}
	content = append(content, e.Button("settings.licences", Quiet, s.to(func() Scene { return newLicences(s.world) })))
	return s.sheet(e, e.T("settings.title"), first, content...)
}

// nearest is the index of the value nearest to one.
func nearest(values []int, to int) int {
	best := 0
	for i, v := range values {
		if d, b := v-to, values[best]-to; d*d < b*b {
			best = i
		}
	}
	return best
}

// Update waits for choices.
func (s *settings) Update(e *Env, c *Controls) Scene { return s.update(s, e, c) }
