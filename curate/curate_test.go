package curate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/settings"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/yamlfile"
)

// twoSteps is a recipe of a step that chooses sources, and of one that writes about them.
const twoSteps = `
about: notes about clips
sources: A list.
settings: |
  choose:
    least: 3
steps:
  - name: choose
    about: which clips are fit
    command: choose {sources} --out {out}
    items: chosen.jsonl
    rejected: rejected.jsonl
  - name: write
    about: notes
    command: write {choose}/chosen.jsonl --out {out}
    items: notes.jsonl
`

func newRecipe(t *testing.T, text string) *recipe {
	t.Helper()
	r := &recipe{Name: "omni-cloze"}
	fixture.OK(t, yamlfile.Decode([]byte(text), r))
	fixture.OK(t, r.check())
	return r
}

func write(t *testing.T, text string, elements ...string) {
	t.Helper()
	path := filepath.Join(elements...)
	fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
}

// newProject is a project of two steps, of which both are done.
func newProject(t *testing.T) *Project {
	t.Helper()
	p := &Project{Dir: t.TempDir(), Recipe: newRecipe(t, twoSteps)}
	p.Sources = filepath.Join(p.Dir, "sources.jsonl")
	write(t, `{"id": "a"}`, p.Sources)
	write(t, "{\"id\": \"a\", \"licence\": \"CC BY 4.0\"}\n{\"id\": \"b\"}\n", p.Folder("choose"), "chosen.jsonl")
	write(t, "{\"id\": \"c\", \"why\": \"too short\"}\n", p.Folder("choose"), "rejected.jsonl")
	finish(t, p, "choose")
	write(t, "{\"uuid\": \"a\", \"note\": \"Bars.\"}\n\n", p.Folder("write"), "notes.jsonl")
	finish(t, p, "write")
	return p
}

func finish(t *testing.T, p *Project, name string) {
	t.Helper()
	fixture.OK(t, p.Finish(step(t, p, name), false, "omniscope test"))
}

func step(t *testing.T, p *Project, name string) *recipeStep {
	t.Helper()
	s, err := p.Recipe.Step(name)
	fixture.OK(t, err)
	return s
}

// states are those of all steps.
func states(t *testing.T, p *Project) string {
	t.Helper()
	var all []string
	for i := range p.Recipe.Steps {
		state, err := p.State(&p.Recipe.Steps[i])
		fixture.OK(t, err)
		all = append(all, string(state))
	}
	return strings.Join(all, " ")
}

func TestStates(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(p *Project)
		want string
	}{
		"nothing changed": {func(*Project) {}, "done done"},
		"the sources":     {func(p *Project) { write(t, `{"id": "b"}`, p.Sources) }, "changed done"},
		"a setting":       {func(p *Project) { p.settings = read(t, "write: {style: short}") }, "done changed"},
		"a named file": {func(p *Project) {
			p.settings = read(t, "write: {style: '{project}/style.txt'}")
			must(t, p.Finish(&p.Recipe.Steps[1], false, ""))
			write(t, "long", p.Dir, "style.txt")
		}, "done changed"},
		"a folder of sources": {func(p *Project) {
			p.Sources = filepath.Join(p.Dir, "clips")
			write(t, "a", p.Sources, "a.mp4")
			must(t, p.Finish(&p.Recipe.Steps[0], false, ""))
			must(t, p.Finish(&p.Recipe.Steps[1], false, ""))
			write(t, "b", p.Sources, "b.mp4")
		}, "changed done"},
		"earlier results":  {func(p *Project) { write(t, `{"id": "a"}`, p.Folder("choose"), "chosen.jsonl") }, "done changed"},
		"a picture":        {func(p *Project) { write(t, "x", p.Folder("choose"), "page.html") }, "done done"},
		"the recipe":       {func(p *Project) { p.Recipe.Steps[1].Command += " --more" }, "done changed"},
		"people are asked": {func(p *Project) { must(t, p.Finish(&p.Recipe.Steps[1], true, "")) }, "done waiting"},
		"done again": {func(p *Project) {
			_, err := p.Redo(&p.Recipe.Steps[0], time.Now())
			must(t, err)
		}, "ready changed"},
		"the folder's place": {func(p *Project) {
			moved := filepath.Join(t.TempDir(), "moved")
			must(t, os.Rename(p.Dir, moved))
			p.Dir, p.Sources = moved, filepath.Join(moved, "sources.jsonl")
		}, "done done"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			c.do(p)
			if got := states(t, p); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	fixture.OK(t, err)
}

// read reads settings of steps.
func read(t *testing.T, text string) map[string]settings.Settings {
	t.Helper()
	all := make(map[string]settings.Settings)
	must(t, yamlfile.Decode([]byte(text), &all))
	return all
}

func TestRedoPutsResultsAside(t *testing.T) {
	p := newProject(t)
	to, err := p.Redo(step(t, p, "choose"), time.Now())
	must(t, err)
	if _, err := os.Stat(filepath.Join(to, "chosen.jsonl")); err != nil {
		t.Error(err)
	}
	if _, err := p.Redo(step(t, p, "choose"), time.Now()); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("a step that has not begun: %v", err)
	}
}

func TestDamagedRecord(t *testing.T) {
	p := newProject(t)
	write(t, "{", p.Folder("write"), recordFile)
	if _, err := p.State(step(t, p, "write")); err == nil || !strings.Contains(err.Error(), "--redo write") {
		t.Error(err)
	}
}

func TestCounts(t *testing.T) {
	p := newProject(t)
	items, rejected, ok, err := p.Counts(step(t, p, "choose"))
	if items != 2 || rejected != 1 || !ok || err != nil {
		t.Error(items, rejected, ok, err)
	}
	must(t, os.RemoveAll(p.Folder("write")))
	if _, _, ok, err = p.Counts(step(t, p, "write")); ok || err != nil {
		t.Error("a step that has not begun has counts", err)
	}
}

func TestTraces(t *testing.T) {
	p := newProject(t)
	all, err := p.Traces(nil)
	must(t, err)
	var got []string
	for _, one := range all {
		for _, l := range one.Steps {
			got = append(got, fmt.Sprint(one.ID, " ", l.File, ":", l.Line, " ", l.Rejected, " ", string(l.Row)))
		}
	}
	want := []string{`a steps/choose/chosen.jsonl:1 false {"id": "a", "licence": "CC BY 4.0"}`, `a steps/write/notes.jsonl:1 false {"uuid": "a", "note": "Bars."}`,
		`b steps/choose/chosen.jsonl:2 false {"id": "b"}`, `c steps/choose/rejected.jsonl:1 true {"id": "c", "why": "too short"}`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if one, err := p.Traces([]string{"c"}); len(one) != 1 || err != nil {
		t.Error(one, err)
	}
	if _, err := p.Traces([]string{"z"}); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("an item that is not there: %v", err)
	}
	write(t, "{\"id\": \"a\"}\nnone\n", p.Folder("write"), "notes.jsonl")
	if _, err := p.Traces(nil); err == nil || !strings.Contains(err.Error(), "notes.jsonl:2:") {
		t.Errorf("a broken line: %v", err)
	}
}

func TestArgs(t *testing.T) {
	p := newProject(t)
	p.settings = read(t, "write:\n  style: '{project}/style.txt'\n  model: [one, two words]\n  long: true\n")
	if _, err := p.Args(step(t, p, "write"), []string{"length", "style", "model"}); err == nil || !strings.Contains(err.Error(), "curate.yaml: line 4: `omniscope write {choose}/chosen.jsonl` has no flag --long") {
		t.Errorf("a flag that is not there: %v", err)
	}
	got, err := p.Args(step(t, p, "write"), []string{"style", "model", "long"})
	must(t, err)
	want := []string{"write", p.Folder("choose") + "/chosen.jsonl", "--out", p.Folder("write"), "--style=" + p.Dir + "/style.txt", "--model=one", "--model=two words", "--long=true"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestInit makes a project of each recipe, and opens it.
func TestInit(t *testing.T) {
	for _, name := range RecipeNames {
		t.Run(name, func(t *testing.T) {
			r, err := OpenRecipe(name)
			must(t, err)
			dir := filepath.Join(t.TempDir(), "new")
			must(t, Init(dir, r))
			p, err := Open(dir)
			must(t, err)
			if p.Recipe.Name != name || p.Sources != filepath.Join(dir, "sources.jsonl") || len(p.settings) == 0 {
				t.Errorf("%+v", p)
			}
			if err := Init(dir, r); omniscope.KindOf(err) != omniscope.Usage {
				t.Errorf("made again over it: %v", err)
			}
		})
	}
}

func TestBadProjectFiles(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no recipe":   {"recipe: omni-cloz\nsources: x\n", "omni-cloze"},
		"no sources":  {"recipe: mcif\n", "write sources:"},
		"a step":      {"recipe: mcif\nsources: x\nsettings:\n  biuld:\n    name: x\n", `line 5: settings: there is no step "biuld"`},
		"a field":     {"recipe: mcif\nsource: x\n", "line 2"},
		"twice":       {"recipe: mcif\nsources: x\nsettings:\n  build:\n    name: x\n    name: y\n", "line 6"},
		"no settings": {"recipe: mcif\nsources: x\nsettings:\n  build: 3\n", "line 4"},
		"not YAML":    {"recipe: [", "curate.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, c.text, dir, File)
			if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
	if _, err := Open(t.TempDir()); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "curate init") {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestBadRecipes(t *testing.T) {
	for name, text := range map[string]string{
		"a later step":   "steps: [{name: one, command: 'x {two}'}, {name: two, command: x}]",
		"twice":          "steps: [{name: one, command: x}, {name: one, command: x}]",
		"a name of ours": "steps: [{name: out, command: x}]",
	} {
		r := &recipe{}
		must(t, yamlfile.Decode([]byte(text), r))
		if r.check() == nil {
			t.Errorf("%s: the recipe is taken", name)
		}
	}
}

func TestDeeplyNestedLineHasNoID(t *testing.T) {
	if id := idOf([]byte(`{"id": ` + strings.Repeat("[", 20_000_000))); id != "" {
		t.Errorf("got the id %q", id)
	}
}
