package ui

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strconv"

	"github.com/hajimehoshi/ebiten/v2"
)

// The card that a result is shared as is a square of so many pixels, drawn as a
// screen of so many per design pixel.
const (
	cardSide  = 1080
	cardScale = 2.25
)

// words are the result as one would tell a friend.
func (r *soloResult) words(e *Env) string {
	text := e.T("share.words", Vars{"Game": r.title(e), "Score": number(r.run.Score), "Facts": r.facts(e)})
	if r.choice.Contest() {
		return text // everybody has the deal
	}
	return text + "\n" + e.T("share.seed", Vars{"Seed": seedText(r.state)})
}

// title is the game, with the day or the arena.
func (r *soloResult) title(e *Env) string {
	switch {
	case r.choice.Arena != "":
		return e.T("solo.streak") + " · " + arenaName(e, r.choice.Arena)
	case r.proof.Day != "":
		return soloName(e, r.choice) + " · " + day(r.proof.Day)
	}
	return soloName(e, r.choice)
}

// card is the result as a picture, drawn by what draws the screen: in the
// colours of the player's settings, whatever the size of the window and of its
// text. It is called from Update.
func (r *soloResult) card(e *Env) ([]byte, error) {
	set := e.Settings
	set.TextPercent = 100
	set.Music = 0
	c := NewEnv(set)
	c.Paint = e.Paint
	c.Resize(cardSide, cardSide, cardScale)
	// A picture of its own: reading one that shares its texture with all the
	// others reads that whole texture.
	dst := ebiten.NewImageWithOptions(image.Rect(0, 0, cardSide, cardSide), &ebiten.NewImageOptions{Unmanaged: true})
	defer dst.Deallocate()
	dst.Fill(c.Theme.Ground)
	r.drawCard(c, dst)
	img := image.NewRGBA(dst.Bounds())
	dst.ReadPixels(img.Pix)
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return nil, fmt.Errorf("ui: a card: %w", err)
	}
	return out.Bytes(), nil
}

func (r *soloResult) drawCard(c *Env, dst *ebiten.Image) {
	t, m, w := c.Theme, c.Px(26), c.W-2*c.Px(26)
	mid := c.W / 2
	c.Type.Draw(dst, "Cleave", m, c.Px(38), Heading, Left, t.Accent)
	c.fitted(dst, r.title(c), c.W-m, c.Px(38), w-c.Type.Width("Cleave", Heading)-c.Px(16), Right, t.Ink, Strong, Body, Small)
	c.fitted(dst, number(r.run.Score), mid, c.Px(92), w, Centre, t.Ink, Display)
	c.fitted(dst, r.facts(c), mid, c.Px(132), w, Centre, t.Faint, Body, Small)
	side := c.Px(264)
	c.board(dst, Rect{mid - side/2, c.Px(158), side, side}, r.state.Board(), 0, soloSize)
	foot := c.H - c.Px(30)
	code := shortCode(r.world.Account().Code)
	c.fitted(dst, c.T("share.player", Vars{"Code": code}), m, foot, w*0.62, Left, t.Faint, Body, Small)
	if r.proof.Day == "" {
		c.fitted(dst, r.run.At.Local().Format("2 Jan 2006"), c.W-m, foot, w*0.36, Right, t.Faint, Body, Small)
	}
}

// saveCard gives the player the card as a file.
func (r *soloResult) saveCard(e *Env) {
	r.said, r.fault = "", nil
	file, err := r.card(e)
	path := ""
	if err == nil {
		path, err = r.world.Keep("cleave-"+r.choice.Game+"-"+strconv.Itoa(r.run.Score)+".png", file)
	}
	switch {
	case err != nil:
		r.fault = err
	case path == "":
		r.said = e.T("share.downloaded")
	default:
		r.said = e.T("share.saved", Vars{"Path": path})
	}
	r.screen.Longer()
}
