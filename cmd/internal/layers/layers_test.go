package layers

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/cleavegame/cleave/"

// A rule says which packages of ours a package may import. A name that ends in
// /... stands for the packages below it, and for itself.
type rule struct {
	pkg string
	may string
	why string
}

// The first rule that fits a package holds for it.
var rules = []rule{
	{"engine", "", "the rules depend on nothing"},
	{"engine/bot", "engine/...", "a player of the rules, and nothing more"},
	{"engine/duel", "engine", "one game knows the frame, not its sisters"},
	{"engine/streak", "engine", "one game knows the frame, not its sisters"},
	{"engine/classic", "engine", "one game knows the frame, not its sisters"},

	{"engine/enginetest", "engine", "boards by hand, for tests"},

	{"lockstep", "lockstep/record engine", "agreement on any ruleset, over any pipe"},
	{"lockstep/record", "engine", "what server and tools need; the games are given to it"},

	{"p2p", "", "opaque frames between peers"},
	{"p2p/signal", "", "the contract that both ends of the rendezvous share"},
	{"p2p/conntest", "p2p", "what every Conn must pass"},
	{"p2p/nstest", "", "network namespaces for tests"},
	{"p2p/nodetest", "", "a page's code in Node, for tests"},
	{"p2p/memnet", "p2p", "a pipe in memory"},
	{"p2p/lan", "p2p p2p/signal", "a pipe, and the pairing that authenticates it"},
	{"p2p/rtc", "p2p p2p/signal", "a pipe, and the pairing that authenticates it"},

	{"assets", "", "embedded files and their accessors"},
	{"assets/assetstest", "assets", "the texts by their ids, for tests"},
	{"ui", "assets engine/... lockstep lockstep/record p2p ui/...", "shows, and decides nothing about a match"},
	{"ui/...", "assets engine/... lockstep lockstep/record p2p ui/...", "shows, and decides nothing about a match"},

	{"cmd/internal/games", "engine/... lockstep/record", "the one table of rulesets"},
	{"cmd/internal/vault", "lockstep/record", "one profile's data: keys, tickets and journals"},
	{"cmd/internal/table", "lockstep/... p2p/... engine/... cmd/internal/vault cmd/internal/ranking cmd/internal/games cmd/internal/players",
		"the only place where agreement meets the pipes"},
	{"cmd/internal/solo", "lockstep/record engine/... cmd/internal/vault cmd/internal/games", "one solo game: journal, hints, log"},
	{"cmd/internal/contest", "lockstep/record cmd/internal/vault cmd/internal/solo cmd/internal/ranking", "runs that count, for one profile at one server"},
	{"cmd/internal/players", "engine/...", "who decides at a seat, for the tools"},
	{"cmd/internal/players/...", "engine/... cmd/internal/players", "an example for who writes a bot"},
	{"cmd/internal/ranking", "lockstep/record engine", "the shared contract of the ranking server"},
	{"cmd/internal/rating", "", "numbers in, numbers out"},
	{"cmd/internal/audit", "lockstep/record engine/... cmd/internal/games cmd/internal/ranking cmd/internal/rating", "recomputes a ladder"},
	{"cmd/internal/layers", "", "this test"},
	{"cmd/internal/browsertest", "", "the game in a real browser"},
	{"cmd/internal/e2e", "cmd/internal/... engine/... lockstep/... p2p/...", "whole programs played against each other"},

	{"cmd/cleave", "ui assets cmd/internal/... cmd/cleave/...", "connects"},
	{"cmd/cleave/...", "ui assets cmd/internal/... engine/... lockstep/... p2p p2p/signal cmd/cleave/...", "connects; of p2p it names types"},
	{"cmd/cleavectl", "cmd/internal/... cmd/cleavectl/... engine/... lockstep/...", "connects, without a screen"},
	{"cmd/cleavectl/...", "cmd/internal/... cmd/cleavectl/... engine/... lockstep/... p2p p2p/signal", "connects, without a screen"},
	{"cmd/cleave-server/...", "lockstep/record engine/... p2p/signal assets cmd/internal/games cmd/internal/ranking cmd/internal/rating cmd/cleave-server/internal/...",
		"a server replays and keeps; of arenas it plays the AI entrants"},
}

// homes are the only packages that may import a third-party module.
var homes = map[string]string{
	"github.com/grandcat/zeroconf":        "p2p/lan",
	"github.com/libp2p/":                  "p2p/lan",
	"github.com/quic-go/":                 "p2p/lan",
	"github.com/multiformats/":            "p2p/lan",
	"github.com/pion/webrtc":              "p2p/rtc",
	"github.com/andybalholm/brotli":       "cmd/cleave-server/internal/web",
	"github.com/pion/turn":                "cmd/cleave-server/internal/relay",
	"github.com/coder/websocket":          "p2p/signal",
	"filippo.io/cpace":                    "p2p/signal",
	"filippo.io/age":                      "cmd/internal/vault",
	"github.com/adrg/xdg":                 "cmd/internal/vault",
	"modernc.org/sqlite":                  "cmd/cleave-server/internal/store",
	"github.com/jackc/pgx":                "cmd/cleave-server/internal/store",
	"github.com/hajimehoshi/ebiten":       "ui",
	"github.com/ebitengine/oto":           "cmd/cleave",
	"github.com/ebitenui/":                "ui",
	"github.com/nicksnyder/go-i18n":       "ui",
	"github.com/skip2/go-qrcode":          "ui cmd/cleave-server/internal/web",
	"github.com/rivo/uniseg":              "ui",
	"github.com/lucasb-eyer/go-colorful":  "ui",
	"github.com/gen2brain/beeep":          "cmd/cleave",
	"golang.org/x/mod":                    "cmd/cleave-server/internal/ledger cmd/internal/audit",
	"github.com/prometheus/client_golang": "cmd/cleave-server",
}

// impure are the standard packages that engine/... and lockstep/... do
// without: with them two machines could see two different worlds.
var impure = []string{"time", "os", "net", "sync", "math/rand", "math/rand/v2", "crypto/rand", "log", "log/slog"}

type listed struct {
	ImportPath string
	Name       string
	Imports    []string
	Deps       []string
}

// list returns the packages of the module as they are built for goos, with
// their non-test imports.
func list(t *testing.T, goos, goarch string) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Imports,Deps", module+"...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list for %s: %v\n%s", goos, err, stderr.String())
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		p.ImportPath = strings.TrimPrefix(p.ImportPath, module)
		all = append(all, p)
	}
}

func fits(pattern, pkg string) bool {
	root, below := strings.CutSuffix(pattern, "/...")
	return pkg == root || below && strings.HasPrefix(pkg, root+"/")
}

func fitsAny(patterns, pkg string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(p string) bool { return fits(p, pkg) })
}

func ruleFor(pkg string) (rule, bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return fits(r.pkg, pkg) })
	if i < 0 {
		return rule{}, false
	}
	return rules[i], true
}

func TestImportsPointDown(t *testing.T) {
	for _, target := range [][2]string{{"linux", "amd64"}, {"js", "wasm"}} {
		for _, p := range list(t, target[0], target[1]) {
			r, ok := ruleFor(p.ImportPath)
			if !ok {
				t.Errorf("%s: package %s is not in the table of layers", target[0], p.ImportPath)
				continue
			}
			for _, imp := range p.Imports {
				ours, isOurs := strings.CutPrefix(imp, module)
				if isOurs && !fitsAny(r.may, ours) {
					t.Errorf("%s: %s imports %s; it may import %q (%s)", target[0], p.ImportPath, ours, r.may, r.why)
				}
			}
		}
	}
}

func TestEachModuleHasOneHome(t *testing.T) {
	for _, p := range list(t, "linux", "amd64") {
		for _, imp := range p.Imports {
			for mod, home := range homes {
				if !strings.HasPrefix(imp, mod) {
					continue
				}
				at := slices.ContainsFunc(strings.Fields(home), func(h string) bool { return fits(h+"/...", p.ImportPath) })
				if !at {
					t.Errorf("%s imports %s, whose home is %s", p.ImportPath, imp, home)
				}
			}
		}
	}
}

func TestRulesAndAgreementArePure(t *testing.T) {
	for _, p := range list(t, "linux", "amd64") {
		if !fits("engine/...", p.ImportPath) && !fits("lockstep/...", p.ImportPath) {
			continue
		}
		for _, imp := range p.Imports {
			if slices.Contains(impure, imp) && !(p.ImportPath == "engine/bot" && strings.HasPrefix(imp, "math/rand")) {
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
			if first, _, _ := strings.Cut(imp, "/"); strings.Contains(first, ".") && !strings.HasPrefix(imp, module) {
				t.Errorf("%s imports %s, which is not in the standard library", p.ImportPath, imp)
			}
		}
	}
}

func TestToolsDoNotLinkTheScreen(t *testing.T) {
	for _, p := range list(t, "linux", "amd64") {
		if p.Name != "main" || fits("cmd/cleave/...", p.ImportPath) {
			continue
		}
		for _, d := range p.Deps {
			if strings.HasPrefix(d, "github.com/hajimehoshi/ebiten") {
				t.Errorf("%s links %s", p.ImportPath, d)
			}
		}
	}
}

// TestThePageIsSmall: a browser speaks HTTP and WebSocket itself, and what Go
// has for them is a fifth of the page.
func TestThePageIsSmall(t *testing.T) {
	found := false
	for _, p := range list(t, "js", "wasm") {
		if p.ImportPath != "cmd/cleave" {
			continue
		}
		found = true
		for _, d := range p.Deps {
			switch d {
			case "net/http", "crypto/tls", "crypto/x509", "github.com/coder/websocket", "html/template", "database/sql":
				t.Errorf("the page links %s", d)
			}
		}
	}
	if !found {
		t.Error("there is no page")
	}
}
