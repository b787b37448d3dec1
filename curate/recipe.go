package curate

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/internal/yamlfile"
)

//go:embed recipes
var recipes embed.FS

// RecipeNames are the recipes that there are.
var RecipeNames = []string{"omni-cloze", "capricorn", "mcif", "mcif-drafts"}

// A recipe is how a benchmark of a kind is built: commands that follow one another.
type recipe struct {
	Name     string `yaml:"-"`
	About    string
	Sources  string // what the project's sources are, for the file that a new project begins with
	Settings string // flags that a new project has to fill in, as YAML; it stands in that file
	Steps    []recipeStep
	Results  []string // files and folders that came of it, such as {release}/release
}

// A recipeStep is one command of a recipe.
type recipeStep struct {
	Name  string
	About string

	// Command is the command without the program's name. {out} stands for the step's folder, {sources} for the project's
	// sources, {project} for its folder, and {NAME} for the folder of an earlier step.
	Command string

	After []string // steps before it on which it rests beside those that its command names

	// People are exports of the people's project that the command makes in {out}/project. The step waits until
	// people have done all tasks, and then writes these exports to {out}. Empty = the step needs no people.
	People []string
	Media  string // the folder with the clips that people see, such as {collect}

	Reads  []string // folders below the project's that the command reads without naming them
	Writes []string // folders below the project's that it writes to, beside its own

	Items    string   // file in {out} with a line of JSON for each item that goes on; "" = it says nothing of single items
	Rejected string   // the same for items that do not
	Also     []string // further files with a line for each item, which a trace shows
}

// OpenRecipe returns a recipe by its name.
func OpenRecipe(name string) (*recipe, error) {
	if err := spelling.CheckChoice("recipe", name, RecipeNames); err != nil {
		return nil, err
	}
	text, err := recipes.ReadFile("recipes/" + name + ".yaml")
	if err != nil {
		return nil, err
	}
	r := &recipe{Name: name}
	if err = yamlfile.Decode(text, r); err == nil {
		err = r.check()
	}
	if err != nil {
		return nil, fmt.Errorf("recipe %s: %w", name, err)
	}
	return r, nil
}

// placeholder is a part of a command that is filled in.
var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// ours are the placeholders that are no names of steps.
var ours = []string{"out", "sources", "project"}

func (r *recipe) check() error {
	var earlier []string
	for i := range r.Steps {
		s := &r.Steps[i]
		if s.Name == "" || slices.Contains(earlier, s.Name) || slices.Contains(ours, s.Name) {
			return fmt.Errorf("step %d: the name %q is empty or taken", i+1, s.Name)
		}
		for _, name := range s.uses() {
			if !slices.Contains(earlier, name) && !slices.Contains(ours, name) {
				return fmt.Errorf("step %s: {%s} is no step before it", s.Name, name)
			}
		}
		earlier = append(earlier, s.Name)
	}
	for _, result := range r.Results {
		for _, name := range (&recipeStep{Command: result}).uses() {
			if !slices.Contains(earlier, name) {
				return fmt.Errorf("result %s: {%s} is no step", result, name)
			}
		}
	}
	return nil
}

// uses are the names of the placeholders of a step's command, and of further steps on which it rests.
func (s *recipeStep) uses() (names []string) {
	for _, p := range placeholder.FindAllString(s.Command+s.Media, -1) {
		names = append(names, strings.Trim(p, "{}"))
	}
	return append(names, s.After...)
}

// Step returns a step by its name.
func (r *recipe) Step(name string) (*recipeStep, error) {
	var names []string
	for i := range r.Steps {
		if r.Steps[i].Name == name {
			return &r.Steps[i], nil
		}
		names = append(names, r.Steps[i].Name)
	}
	return nil, omniscope.Usagef("there is no step %q: the steps are %s", name, strings.Join(names, ", "))
}
