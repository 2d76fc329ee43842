// Package assets is everything the screen needs that is not code: fonts,
// texts, pictures. All of it is embedded, so that one file is the whole game.
package assets

import (
	"embed"
	_ "embed"
)

// Inter is the typeface of the game, by the Inter Project Authors, under the
// SIL Open Font License 1.1 (fonts/LICENSE).
var (
	//go:embed fonts/Inter-Regular.otf
	InterRegular []byte
	//go:embed fonts/Inter-Bold.otf
	InterBold []byte
	//go:embed fonts/LICENSE
	InterLicense string
)

// Texts holds one file of texts for each language, texts/LANGUAGE.json, in the
// form that go-i18n reads.
//
//go:embed texts/*.json
var Texts embed.FS
