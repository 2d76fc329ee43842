package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/assets/assetstest"
)

// composed are the beginnings of the ids that are put together from parts, and
// so are not found whole in the code.
var composed = []string{"result.they_left", "result.you_left", "result.called_off", "result.not_begun", "result.desync", "result.claimed", "result.closed", "level.", "room.", "clocks.", "lobby.lan.", "lobby.server.", "waiting.path_", "waiting.opening", "waiting.meeting", "proof.", "settings.", "failure.", "reason.", "ranking.", "record.", "verdict.", "outbox.", "problem.", "waiting.left", "waiting.unseen", "waiting.no_ranking",
	"solo.classic", "solo.streak", "solo.level_", "solo.combo_", "solo.helped_", "help.streak.title", "help.classic.title", "daily.counted", "daily.waiting", "daily.playing", "daily.refused", "daily.empty",
	"daily.back", "arena.back", "board.day", "board.month", "board.all", "trouble.", "sunday.", "account.nameless", "page."}

// Every text that the code names is there, and every text that is there is
// used.
func TestTextsAreNeitherMissingNorSpare(t *testing.T) {
	texts := assetstest.Texts(t)
	literals := map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := parser.ParseFile(token.NewFileSet(), name, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if n.Kind == token.STRING {
					s, _ := strconv.Unquote(n.Value)
					literals[s] = true
				}
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) > 0 && (f.Sel.Name == "T" || f.Sel.Name == "Button" || f.Sel.Name == "Title") {
					if lit, ok := n.Args[0].(*ast.BasicLit); ok {
						id, _ := strconv.Unquote(lit.Value)
						asked[id] = true
					}
				}
			}
			return true
		})
	}
	for id := range asked {
		if texts[id] == nil && !strings.HasSuffix(id, ".") && !strings.HasSuffix(id, "_") {
			t.Errorf("the text %q is missing", id)
		}
	}
	for id := range texts {
		used := literals[id]
		for _, c := range composed {
			used = used || strings.HasPrefix(id, c)
		}
		for _, end := range []string{"_first", "_you"} { // the same, said another way
			used = used || strings.HasSuffix(id, end) && literals[strings.TrimSuffix(id, end)]
		}
		if !used {
			t.Errorf("the text %q is spare", id)
		}
	}
}

func TestPseudoLocaleIsLonger(t *testing.T) {
	en, xa := NewTexts("en"), NewTexts(Pseudo)
	for _, id := range []string{"title.motto", "rules.time", "match.leave"} {
		a, b := len([]rune(en.T(id))), len([]rune(xa.T(id)))
		if b < a*14/10-1 {
			t.Errorf("%s: %d letters in the pseudo-locale, %d in English", id, b, a)
		}
	}
}
