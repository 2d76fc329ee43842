package ui

import (
	"github.com/ebitenui/ebitenui/widget"
)

// buildProof shows what the deal was made from, what promised it, and how to
// deal it again.
func (r *soloResult) buildProof(e *Env) (*widget.Container, widget.Focuser) {
	w, p := e.ColumnWidth(), r.proof
	copyIt := e.Button("solo.copy_command", Primary, func() { r.copy(e, p.Command, "solo.copied") })
	from := "solo.proof_text"
	switch r.choice.Level {
	case "daily":
		from = "solo.proof_daily"
	case "arena":
		from = "solo.proof_arena"
	}
	content := []widget.PreferredSizeLocateableWidget{
		e.Words(e.T(from), Body, e.Theme.Ink, w),
		e.caption("solo.seed"),
		e.Words(spaced(p.Seed), Body, e.Theme.Ink, w),
	}
	add := func(p ...widget.PreferredSizeLocateableWidget) { content = append(content, p...) }
	if p.Anchor != "" {
		add(e.caption("solo.anchor"), e.Words(spaced(p.Anchor), Body, e.Theme.Ink, w))
		if p.Leads {
			add(e.Words(e.T("solo.anchor_leads", Vars{"Day": day(p.Day), "N": p.Layer}), Body, e.Theme.Ink, w))
		} else {
			add(e.Words(e.T("solo.anchor_fails", Vars{"Day": day(p.Day)}), Body, e.Theme.Danger, w))
		}
	}
	add(e.Words(e.T("solo.proof_again"), Body, e.Theme.Ink, w), e.Words(p.Command, Small, e.Theme.Faint, w), copyIt,
		e.Words(e.T("solo.proof_check"), Body, e.Theme.Ink, w), e.Words(p.Check, Small, e.Theme.Faint, w),
		e.Button("solo.copy_check", Plain, func() { r.copy(e, p.Check, "solo.copied") }))
	add(e.fault(r.fault)...)
	if r.said != "" {
		add(e.plaque(r.said))
	}
	head, _ := e.head(e.T("solo.proof"), func() { r.proven, r.said, r.fault = false, "", nil; r.screen.Ask() })
	root, scroll := e.pinned(append([]widget.PreferredSizeLocateableWidget{head}, content...))
	r.screen.Scroll = scroll
	return root, copyIt
}

// seedText is the seed in hexadecimal.
func seedText(s SoloState) string {
	const digits = "0123456789abcdef"
	seed := s.Seed()
	text := make([]byte, 0, 64)
	for _, b := range seed {
		text = append(text, digits[b>>4], digits[b&15])
	}
	return string(text)
}

// spaced parts a long number into groups of eight, so that it can break.
func spaced(s string) string {
	var out []byte
	for i := range len(s) {
		if i > 0 && i%8 == 0 {
			out = append(out, ' ')
		}
		out = append(out, s[i])
	}
	return string(out)
}
