package world

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/cmd/internal/contest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/signal"
)

// faults are the errors that may reach the player, by their names in the code.
var faults = map[string]error{
	"contest.ErrNoChance":     contest.ErrNoChance,
	"contest.ErrNotFetched":   contest.ErrNotFetched,
	"ranking.ErrAnchor":       ranking.ErrAnchor,
	"ranking.ErrOtherServer":  ranking.ErrOtherServer,
	"ranking.ErrReceipt":      ranking.ErrReceipt,
	"ranking.ErrUnreachable":  ranking.ErrUnreachable,
	"ranking.Refusal":         ranking.Refuse(ranking.NotFound, ""),
	"record.AuthorError":      &record.AuthorError{},
	"record.AwaitedError":     &record.AwaitedError{},
	"record.DigestError":      &record.DigestError{},
	"record.ForkError":        &record.ForkError{},
	"record.HeadError":        &record.HeadError{},
	"record.IllegalError":     &record.IllegalError{},
	"record.IndexError":       &record.IndexError{},
	"record.Reason":           record.ErrMagic,
	"record.VerifyError":      &record.VerifyError{Reason: record.ErrMagic},
	"signal.CodeError":        &signal.CodeError{},
	"signal.Failure":          signal.NoRoute,
	"signal.PairError":        &signal.PairError{Failure: signal.WrongCode},
	"signal.ServerError":      &signal.ServerError{},
	"solo.ErrNoHint":          solo.ErrNoHint,
	"solo.ErrOver":            solo.ErrOver,
	"table.ErrRankingUnknown": table.ErrRankingUnknown,
	"table.OtherPlayerError":  &table.OtherPlayerError{},
	"vault.CorruptError":      &vault.CorruptError{},
	"vault.ErrBroken":         vault.ErrBroken,
	"vault.ErrDiskFull":       vault.ErrDiskFull,
	"vault.ErrHasKey":         vault.ErrHasKey,
	"vault.ErrKeyFile":        vault.ErrKeyFile,
	"vault.ErrNotFound":       vault.ErrNotFound,
	"vault.ErrPassphrase":     vault.ErrPassphrase,
	"vault.ErrReadOnly":       vault.ErrReadOnly,
	"vault.ErrWords":          vault.ErrWords,
	"vault.LockedError":       &vault.LockedError{},
	"vault.ProfileError":      &vault.ProfileError{},
}

// unseen are the others, and why no player sees them.
var unseen = map[string]string{
	"classic.ErrParams":       "it makes a record fail, which is told by its reason",
	"duel.ErrParams":          "the same",
	"streak.ErrParams":        "the same",
	"engine.IllegalMove":      "the screen offers no such move; in a record it has a reason",
	"games.ErrOtherMoves":     "runs of bots are judged by the server and by cleavectl",
	"games.ErrUnknownBot":     "the same",
	"lockstep.ErrBundle":      "bundles are read by cleavectl",
	"lockstep.ErrJournal":     "the match is left out, and logged",
	"p2p.ErrBusy":             "what is lost is sent again",
	"p2p.ErrClosed":           "a new way is tried",
	"p2p.ErrTooLarge":         "no frame is",
	"ranking.ErrAttempt":      "the server's answer is refused before",
	"ranking.ErrStreamClosed": "the stream is opened again",
	"table.ErrLeft":           "the table is left",
	"table.ErrNotBack":        "of players at a terminal",
	"table.NotRatedError":     "the same",
	"vault.ErrNoLocks":        "the page says so when it begins, and plays without",
	"vault.ErrNoStorage":      "the same",
}

// Each error that the game's packages have a name for is told by a text, or
// there is a reason for which nobody sees it.
func TestEveryNamedErrorIsToldOrUnseen(t *testing.T) {
	names := map[string]bool{}
	for _, dir := range ownImports(t, "cmd/cleave/internal/world") {
		each(t, dir, func(f *ast.File) {
			for _, name := range errorsOf(f) {
				names[f.Name.Name+"."+name] = true
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if faults[name] == nil && unseen[name] == "" {
			t.Errorf("%s is told by no text", name)
		}
	}
	for name, err := range faults {
		if !names[name] {
			t.Errorf("%s is no error", name)
		}
		if n := notice(fmt.Errorf("doing something: %w", err)); n.ID == "problem.other" {
			t.Errorf("%s is told in its own words", name)
		}
	}
	for name := range unseen {
		if !names[name] || faults[name] != nil {
			t.Errorf("%s is no error, or is told", name)
		}
	}
}

// ownImports are the folders of what a package imports of this module, and what
// that imports, without the screen, which tells errors and makes none.
func ownImports(t *testing.T, from string) []string {
	found := map[string]bool{}
	var add func(dir string)
	add = func(dir string) {
		each(t, dir, func(f *ast.File) {
			for _, im := range f.Imports {
				path, _ := strconv.Unquote(im.Path.Value)
				own, ok := strings.CutPrefix(path, "github.com/cleavegame/cleave/")
				if ok && own != "ui" && own != "assets" && !found[own] {
					found[own] = true
					add(own)
				}
			}
		})
	}
	add(from)
	if len(found) < 15 {
		t.Fatalf("only %d packages are imported", len(found))
	}
	return slices.Sorted(maps.Keys(found))
}

// each parses the files of a folder, of every system, but no tests.
func each(t *testing.T, dir string, do func(*ast.File)) {
	files, err := filepath.Glob(filepath.Join("../../../..", dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no files: %v", dir, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		do(f)
	}
}

// errorsOf are the exported variables and types of a file that are errors.
func errorsOf(f *ast.File) []string {
	var list []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if name.IsExported() && strings.HasPrefix(name.Name, "Err") {
						list = append(list, name.Name)
					}
				}
			}
		case *ast.FuncDecl:
			if name := receiver(d); d.Name.Name == "Error" && ast.IsExported(name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// receiver is the type whose method a function is, "" for none.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// What the screen calls returns no error but one that is told: nil, told(…), a
// notice, or what a function that does the same returns.
func TestTheScreenIsGivenNoOtherErrors(t *testing.T) {
	telling := map[string]bool{"told": true, "through": true, "sit": true}
	looked := 0
	each(t, "cmd/cleave/internal/world", func(f *ast.File) {
		for _, d := range f.Decls {
			m, ok := d.(*ast.FuncDecl)
			if !ok || receiver(m) == "" || !m.Name.IsExported() && !telling[m.Name.Name] || m.Type.Results == nil {
				continue
			}
			results := m.Type.Results.List
			if last, ok := results[len(results)-1].Type.(*ast.Ident); !ok || last.Name != "error" {
				continue
			}
			looked++
			ast.Inspect(m.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					return false
				case *ast.ReturnStmt:
					if len(n.Results) > 0 && !isTold(n.Results[len(n.Results)-1], telling) {
						t.Errorf("%s.%s returns an error that is not told", receiver(m), m.Name.Name)
					}
				}
				return true
			})
		}
	})
	if looked < 20 {
		t.Errorf("only %d methods were looked at", looked)
	}
}

func isTold(e ast.Expr, telling map[string]bool) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil"
	case *ast.CompositeLit:
		of, ok := e.Type.(*ast.SelectorExpr)
		return ok && of.Sel.Name == "Notice"
	case *ast.SelectorExpr:
		return e.Sel.Name == "trouble" // a notice
	case *ast.CallExpr:
		switch f := e.Fun.(type) {
		case *ast.Ident:
			return telling[f.Name]
		case *ast.SelectorExpr:
			return telling[f.Sel.Name]
		}
	}
	return false
}
