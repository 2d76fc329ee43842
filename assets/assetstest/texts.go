// Package assetstest reads the assets for tests.
package assetstest

import (
	"encoding/json"
	"testing"

	"github.com/cleavegame/cleave/assets"
)

// Texts are the English texts by their ids: a string, or a map of plural forms.
func Texts(t testing.TB) map[string]any {
	t.Helper()
	file, err := assets.Texts.ReadFile("texts/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]any
	if err := json.Unmarshal(file, &texts); err != nil {
		t.Fatal(err)
	}
	return texts
}
