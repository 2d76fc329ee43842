package ui

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"github.com/cleavegame/cleave/assets"
)

// Pseudo is the locale for tests: English with accents, 40 % longer.
const Pseudo = "en-XA"

// Vars are the named values in a text.
type Vars map[string]any

// Texts says things in one language.
type Texts struct {
	loc    *i18n.Localizer
	pseudo bool
}

// NewTexts are the texts of a language. They may be used in any goroutine.
func NewTexts(lang string) *Texts {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	files, err := assets.Texts.ReadDir("texts")
	if err != nil {
		panic("ui: embedded texts: " + err.Error())
	}
	for _, f := range files {
		if _, err := bundle.LoadMessageFileFS(assets.Texts, "texts/"+f.Name()); err != nil {
			panic("ui: embedded texts: " + err.Error())
		}
	}
	return &Texts{loc: i18n.NewLocalizer(bundle, lang, "en"), pseudo: lang == Pseudo}
}

// Has reports whether there is a text with an id.
func (t *Texts) Has(id string) bool {
	_, err := t.loc.LocalizeMessage(&i18n.Message{ID: id})
	return err == nil
}

// T returns the text with an id. The plural form follows the value named N.
func (t *Texts) T(id string, vars ...Vars) string {
	config := i18n.LocalizeConfig{MessageID: id}
	if len(vars) > 0 {
		config.TemplateData = vars[0]
		config.PluralCount = vars[0]["N"]
	}
	s, err := t.loc.Localize(&config)
	if err != nil && config.PluralCount != nil {
		config.PluralCount = nil // a text with a number in it that has no plural
		s, err = t.loc.Localize(&config)
	}
	if err != nil {
		return "‹" + id + "›" // seen at once, and found by the audit test
	}
	if t.pseudo {
		return pseudo(s)
	}
	return s
}

var accents = strings.NewReplacer("a", "á", "e", "ë", "i", "ï", "o", "ö", "u", "ü", "A", "Å", "E", "É", "O", "Ø", "c", "ç", "n", "ñ", "y", "ý")

// pseudo puts accents on a text and makes it 40 % longer, in words.
func pseudo(s string) string {
	more := utf8.RuneCountInString(s) * 2 / 5
	var b strings.Builder
	b.WriteString(accents.Replace(s))
	for i := 0; i < more; i++ {
		if i%6 == 0 {
			b.WriteByte(' ')
		} else {
			b.WriteByte('~')
		}
	}
	return b.String()
}
