package layers

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// folders are the fifteen folders with Go from the top down. A package imports its own
// folder and folders further down, never up. docs/architecture.md describes them in the
// same order.
var folders = []string{
	"cmd", "web", "train", "curate", "session", "people", "results", "bench",
	"detective", "perceive", "model", "metric", "run", "media", "internal", ".",
}

// siblings lists which packages of one folder import each other. A package may always
// import the packages of the folders above its own, and leaves of internal each other.
var siblings = map[string][]string{
	"bench":                   {"bench/document"},
	"bench/capricorn":         {"bench/document"},
	"bench/captions":          {"bench/document"},
	"bench/choice":            {"bench/document"},
	"bench/claims":            {"bench/document"},
	"bench/demo":              {"bench/demo/clips"},
	"bench/mcif":              {"bench/document", "bench/mcif/mcifxml"},
	"bench/omnicloze":         {"bench/document"},
	"curate/collect":          {"curate/fingerprint"},
	"detective":               {"detective/claims"},
	"detective/plant":         {"detective/claims"},
	"media":                   {"media/pcm", "media/plane", "media/wav"},
	"media/cache":             {"media/wav"},
	"media/pcm":               {"media/wav"},
	"metric":                  {"metric/textnorm"},
	"metric/neural":           {"metric/neural/encoder", "metric/neural/gemm", "metric/neural/isa", "metric/neural/tokenizer", "metric/neural/vec", "metric/neural/weights", "metric/textnorm"},
	"metric/neural/encoder":   {"metric/neural/gemm", "metric/neural/isa", "metric/neural/vec"},
	"metric/neural/gemm":      {"metric/neural/isa"},
	"metric/neural/installed": {"metric/neural/isa", "metric/neural/models", "metric/remember"},
	"metric/neural/models":    {"metric/neural/encoder", "metric/neural/tokenizer", "metric/neural/weights"},
	"metric/neural/tokenizer": {"metric/textnorm"},
	"metric/neural/vec":       {"metric/neural/isa"},
	"metric/ngram":            {"metric/textnorm"},
	"model/anthropic":         {"model/exchange"},
	"model/gemini":            {"model/exchange"},
	"model/judge":             {"model/marks", "model/symptoms"},
	"model/judge/baseline":    {"model/judge/wording"},
	"model/judge/letters":     {"model/marks"},
	"model/openai":            {"model/exchange"},
	"model/symptoms":          {"model/marks"},
	"people/capricorn":        {"people/match"},
	"people/cloze":            {"people/captions"},
	"people/judge":            {"people/sqlite"},
	"people/labels":           {"people/match"},
	"perceive/all":            {"perceive/asr", "perceive/ocr", "perceive/scene", "perceive/sound", "perceive/speech"},
	"perceive/mcp":            {"perceive/program"},
	"perceive/speech":         {"perceive/asr", "perceive/speech/onnx"},
	"results/cite":            {"results/compare", "results/report"},
	"results/curve":           {"results/compare"},
	"results/export":          {"results/report", "results/tablefile"},
	"results/leaderboard":     {"results/compare"},
	"results/push":            {"results/export", "results/report", "results/tablefile"},
	"results/repeat":          {"results/compare", "results/report"},
	"results/report":          {"results/tablefile"},
	"session":                 {"session/catalog"}, // and no kind of run
	"session/caption":         {"session/catalog", "session/production", "session/tools", "session/tools/own"},
	"session/config":          {"session/catalog"},
	"session/eval":            {"session/benchdata", "session/catalog", "session/tools"},
	"session/measure":         {"session/eval", "session/predict"},
	"session/predict":         {"session/benchdata", "session/caption", "session/catalog"},
	"session/probe":           {"session/predict"},
	"session/benchdata":       {"session/catalog"},
	"session/doctor":          {"session/benchdata", "session/catalog", "session/config"},
	"session/reconstruct":     {"session/production"},
	"train/check":             {"train/clip", "train/tokens"},
	"train/dataset":           {"train/clip"},
}

// barred lists imports that point down and are still wrong.
var barred = []struct{ pkg, imports, why string }{
	{"bench", "run/journal", "a benchmark does not know where answers are kept: session opens the journal"},
	{"bench", "model/openai", "a benchmark asks any model.Model: session chooses the provider"},
	{"bench", "model/anthropic", "a benchmark asks any model.Model: session chooses the provider"},
	{"bench", "model/gemini", "a benchmark asks any model.Model: session chooses the provider"},
	{"detective", "perceive/all", "a detective gets its tools from its user"},
	{"detective", "run/journal", "a detective does not know where answers are kept: session opens the journal"},
	{"detective/claims", "model", "rules for English sentences ask no model: detective does"},
	{"detective/claims", "run", "rules for English sentences have nothing to remember: detective does"},
	{"perceive", "run", "a tool observes a clip; its user remembers the observation"},
	{"results", "model/openai", "results reads what runs wrote and asks no model"},
	{"people", "model/openai", "people answer here, not models"},
	{"metric", "media", "a metric is arithmetic on counts and texts"},
	{"model", "media", "a model gets bytes: bench/predict prepares media"},
}

// suites are test code in packages of their own, so that every implementation can run them.
var suites = []string{"benchtest", "captionstest", "foreign", "harnesstest", "journaltest", "logtest", "modeltest", "peopletest", "runtest", "tasktest"}

func TestImportsGoDown(t *testing.T) {
	for _, f := range sources(t) {
		if f.test || isDevelopment(f.pkg) {
			continue
		}
		for _, i := range f.imports {
			imported, ok := ours(i.path)
			if !ok {
				continue
			}
			if why := refuse(f.pkg, imported); why != "" {
				t.Errorf("%s:%d: package %s must not import %s: %s", f.path, i.line, f.pkg, imported, why)
			}
		}
	}
}

// refuse returns why package pkg must not import another of ours, or "".
func refuse(pkg, imported string) string {
	from, to := slices.Index(folders, folderOf(pkg)), slices.Index(folders, folderOf(imported))
	switch {
	case isDevelopment(imported):
		return "it is for development and not part of the program; use it in a _test.go file"
	case from < 0 || to < 0:
		return "one of them is in none of the fifteen folders of docs/architecture.md"
	case from > to:
		return "imports go down the list of docs/architecture.md; what both need belongs further down, or in the root if it is a word"
	case from == to && folderOf(pkg) != "internal" && !within(pkg, imported) && !slices.Contains(siblings[pkg], imported):
		return "packages of one folder are independent; if it must be, add the pair to siblings in internal/testing/layers"
	}
	for _, b := range barred {
		if within(pkg, b.pkg) && within(imported, b.imports) {
			return b.why
		}
	}
	return ""
}

func TestRefusedImports(t *testing.T) {
	for _, c := range []struct {
		pkg, imports string
		want         bool
	}{
		{"bench/omnicloze", "model/judge/wording", true},
		{"bench/omnicloze", "internal/jsonfast", true},
		{"bench/omnicloze", "internal/testing/fake", false},
		{"bench/omnicloze", "run/journal", false},
		{"bench/omnicloze", "bench/mcif", false},
		{"bench", "bench/omnicloze", false},
		{"bench", "results/report", false},
		{"model/openai", "model/wrap", false},
		{"model/openai", "model/exchange", true},
		{"run/journal", "model", false},
		{"run/local", "run", true},
		{"run", "run/local", false},
		{"session/catalog", "bench/omnicloze", true},
		{"internal/jsonfast", "model/judge", false},
		{"cmd/omniscope", "run/journal/sqlite", true},
		{"cmd/omniscope", "internal/testing/fake", false},
		{"detective", "perceive", true},
		{"detective", "perceive/all", false},
	} {
		if why := refuse(c.pkg, c.imports); (why == "") != c.want {
			t.Errorf("%s imports %s: want allowed = %t, got reason %q", c.pkg, c.imports, c.want, why)
		}
	}
}

// TestEveryPairOfFoldersHasOneDirection finds folders that import each other, over all
// files of the program.
func TestEveryPairOfFoldersHasOneDirection(t *testing.T) {
	pairs := make(map[[2]string]string)
	for _, f := range sources(t) {
		if f.test || isDevelopment(f.pkg) {
			continue
		}
		for _, i := range f.imports {
			if imported, ok := ours(i.path); ok && folderOf(imported) != folderOf(f.pkg) {
				pairs[[2]string{folderOf(f.pkg), folderOf(imported)}] = f.path
			}
		}
	}
	for pair, file := range pairs {
		if back, ok := pairs[[2]string{pair[1], pair[0]}]; ok && pair[0] < pair[1] {
			t.Errorf("%s and %s import each other, in %s and %s", pair[0], pair[1], file, back)
		}
	}
	t.Logf("%d pairs of folders", len(pairs))
}

func TestSiblingsInUse(t *testing.T) {
	used := make(map[[2]string]bool)
	for _, f := range sources(t) {
		for _, i := range f.imports {
			if imported, ok := ours(i.path); ok && !f.test {
				used[[2]string{f.pkg, imported}] = true
			}
		}
	}
	for pkg, imports := range siblings {
		for _, imported := range imports {
			if !used[[2]string{pkg, imported}] {
				t.Errorf("%s no longer imports %s: remove the pair from siblings", pkg, imported)
			}
		}
	}
}

func TestSuitesOnlyInTests(t *testing.T) {
	for _, f := range sources(t) {
		for _, i := range f.imports {
			imported, _ := ours(i.path)
			name, ok := strings.CutPrefix(imported, "internal/testing/")
			if ok && !f.test && slices.Contains(suites, name) && !within(f.pkg, "internal/testing") {
				t.Errorf("%s:%d: package %s imports the suite %s: import it in a _test.go file", f.path, i.line, f.pkg, name)
			}
		}
	}
}

// TestRootFolders checks the folders at the root: the fifteen with Go, and those without.
func TestRootFolders(t *testing.T) {
	entries, err := os.ReadDir(moduleRoot)
	fixture.OK(t, err)
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !slices.Contains(folders, e.Name()) &&
			!slices.Contains([]string{"bin", "demo-report", "deploy", "dist", "docs", "omniscope-work", "python", "scripts"}, e.Name()) {
			t.Errorf("%s is none of the folders of docs/architecture.md: move it into one of them", e.Name())
		}
	}
}

func TestRootImportsStandardLibraryOnly(t *testing.T) {
	for _, f := range sources(t) {
		for _, i := range f.imports {
			if f.pkg == "." && !f.test && !isStandard(i.path) {
				t.Errorf("%s:%d: the root imports %q: everybody imports the root, so this would be everybody's dependency; move what needs it to a package of its own", f.path, i.line, i.path)
			}
		}
	}
}

// owners are the only packages that may import a library, so that it can be
// exchanged in one place.
var owners = map[string]string{
	"github.com/chromedp/chromedp": "internal/testing/browser",
	"github.com/jackc/pgx":         "internal/pgserver run/journal/pg people/pg run/river internal/testing/pgtest",
	"github.com/riverqueue":        "run/river",
	"github.com/spf13/cobra":       "cmd/omniscope",
	"github.com/valyala/fastjson":  "bench/omnicloze",
	"modernc.org/sqlite":           "run/journal/sqlite people/sqlite",
}

func TestLibraryOwners(t *testing.T) {
	for _, f := range sources(t) {
		for _, i := range f.imports {
			for library, owner := range owners {
				if strings.HasPrefix(i.path+"/", library+"/") && !slices.Contains(strings.Fields(owner), f.pkg) && !f.test {
					t.Errorf("%s:%d: package %s imports %q, which only %s may: use that package instead", f.path, i.line, f.pkg, i.path, owner)
				}
			}
		}
	}
}

func TestPackageNames(t *testing.T) {
	vague := []string{"util", "utils", "common", "helper", "helpers", "types", "base", "misc", "shared"}
	for _, f := range sources(t) {
		for _, name := range []string{f.name, path.Base(f.pkg)} {
			if slices.Contains(vague, strings.TrimSuffix(name, "_test")) {
				t.Errorf("%s: a package called %q says nothing of what is in it: name it after what it computes or adapts", f.path, name)
			}
		}
	}
}

func TestNoInitFunctions(t *testing.T) {
	for _, f := range sources(t) {
		if f.init > 0 && !f.test {
			t.Errorf("%s:%d: func init runs wherever the package is imported: list things explicitly, as package catalog does, or start them in main", f.path, f.init)
		}
	}
}

func TestFileLengths(t *testing.T) {
	const most = 600
	for _, f := range sources(t) {
		if f.lines > most {
			t.Errorf("%s has %d lines, more than %d: it holds more than one idea", f.path, f.lines, most)
		}
	}
}

// ours returns the folder of one of our packages, "." for the root.
func ours(importPath string) (pkg string, ok bool) {
	if importPath == modulePath {
		return ".", true
	}
	return strings.CutPrefix(importPath, modulePath+"/")
}

// folderOf returns the folder at the root that a package is in.
func folderOf(pkg string) string {
	folder, _, _ := strings.Cut(pkg, "/")
	return folder
}

// within reports whether pkg is the package outer or is in a folder below it.
func within(pkg, outer string) bool { return pkg == outer || strings.HasPrefix(pkg, outer+"/") }

// isDevelopment reports whether a package is for tests and tools: it may import what it
// needs, and the program does not import these packages.
func isDevelopment(pkg string) bool {
	return within(pkg, "internal/testing") || within(pkg, "internal/tools")
}

func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".") && first != modulePath
}

// gjson follows nesting until the stack ends, which ends the program: jsonfast bounds it.
func TestValidityIsBounded(t *testing.T) {
	for _, f := range sources(t) {
		if f.pkg == "internal/jsonfast" || f.test {
			continue
		}
		text, err := os.ReadFile(path.Join(moduleRoot, f.path))
		fixture.OK(t, err)
		if strings.Contains(string(text), "gjson.Valid") {
			t.Errorf("%s calls gjson.Valid or gjson.ValidBytes: call jsonfast's", f.path)
		}
	}
}
