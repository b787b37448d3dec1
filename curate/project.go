package curate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/settings"
	"omniscope/internal/spelling"
	"omniscope/internal/yamlfile"
)

// File is the project's file in its folder.
const File = "curate.yaml"

// A Project is a benchmark that is being built.
type Project struct {
	Dir      string
	Recipe   *recipe
	Sources  string                       // path
	settings map[string]settings.Settings // of the steps' commands, by step
}

// projectFile is what File says.
type projectFile struct {
	Recipe   string
	Sources  string
	Settings map[string]settings.Settings
}

// Init makes a project's folder with a file that its owner goes on to fill in.
func Init(dir string, r *recipe) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return omniscope.Usagef("%w", err)
	}
	path := filepath.Join(dir, File)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return omniscope.Usagef("%s is there already: the project is made; go on with `omniscope curate run %s`", path, dir)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(r.projectFile())
	return errors.Join(err, f.Close())
}

// projectFile is the text of a new project's file.
func (r *recipe) projectFile() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# A project of omniscope curate: %s.\n# `omniscope curate run` does the next steps, `omniscope curate status` says how far they are.\n\nrecipe: %s\n\n", r.About, r.Name)
	fmt.Fprintf(&b, "# %s\n%s\n\n", strings.ReplaceAll(strings.TrimSpace(r.Sources), "\n", "\n# "), "sources: sources.jsonl")
	b.WriteString("# Flags of the steps' commands, by step. {project} stands for this folder. The steps are:\n")
	for _, s := range r.Steps {
		command, _, _ := strings.Cut(s.Command, " {")
		fmt.Fprintf(&b, "#   %-12s %s (omniscope %s)\n", s.Name, s.About, flagless(command))
	}
	b.WriteString("settings:\n")
	for line := range strings.Lines(strings.TrimRight(r.Settings, "\n") + "\n") {
		b.WriteString("  " + line)
	}
	return b.String()
}

// flagless is a command up to its first flag.
func flagless(command string) string {
	name, _, _ := strings.Cut(command, " --")
	return name
}

// Open reads a project's file.
func Open(dir string) (*Project, error) {
	path := filepath.Join(dir, File)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, omniscope.Usagef("there is no project in %s: make one with `omniscope curate init %s`", dir, dir)
	}
	if err != nil {
		return nil, err
	}
	var file projectFile
	if err := yamlfile.Decode(text, &file); err != nil {
		return nil, omniscope.Invalidf("%s: %w", path, err)
	}
	p := &Project{Dir: dir, settings: file.Settings}
	if p.Recipe, err = OpenRecipe(file.Recipe); err != nil {
		return nil, omniscope.Invalidf("%s: %w", path, err)
	}
	if p.Sources = file.Sources; p.Sources == "" {
		return nil, omniscope.Invalidf("%s: it names no sources: write sources: and a file or folder", path)
	}
	if !filepath.IsAbs(p.Sources) {
		p.Sources = filepath.Join(dir, p.Sources)
	}
	return p, p.checkSettings(path)
}

func (p *Project) checkSettings(path string) error {
	for name, list := range p.settings {
		if _, err := p.Recipe.Step(name); err != nil {
			line := 0
			if len(list) > 0 {
				line = list[0].Line
			}
			return omniscope.Invalidf("%s: line %d: settings: %w", path, line, err)
		}
	}
	return nil
}

// Folder is where a step's results are.
func (p *Project) Folder(step string) string { return filepath.Join(p.Dir, "steps", step) }

// PeopleFolder is where a step's project of people's work is.
func (p *Project) PeopleFolder(step string) string { return filepath.Join(p.Folder(step), "project") }

// MediaFolder is the folder with the clips that people see at a step; "" = it has none.
func (p *Project) MediaFolder(s *recipeStep) string { return p.fill(s, s.Media) }

// ofProject are flags that a project gives by itself, or that would leave a step without results.
var ofProject = []string{"out", "work-dir", "dry-run", "shard", "engine"}

// Args are the arguments of a step's command: the recipe's, and the project's settings as flags. flags are the names of the
// command's flags.
func (p *Project) Args(s *recipeStep, flags []string) ([]string, error) {
	var args []string
	for part := range strings.FieldsSeq(s.Command) {
		args = append(args, p.fill(s, part))
	}
	for _, setting := range p.settings[s.Name] {
		if slices.Contains(ofProject, setting.Name) || slices.Contains(strings.Fields(s.Command), "--"+setting.Name) {
			return nil, omniscope.Invalidf("%s: line %d: --%s of step %s is for the project to say: leave it out", filepath.Join(p.Dir, File), setting.Line, setting.Name, s.Name)
		}
		if !slices.Contains(flags, setting.Name) {
			return nil, omniscope.Invalidf("%s: line %d: `omniscope %s` has no flag --%s%s", filepath.Join(p.Dir, File), setting.Line, flagless(s.Command), setting.Name, spelling.FlagHint("--"+setting.Name, flags))
		}
		for _, value := range setting.Values {
			args = append(args, "--"+setting.Name+"="+strings.ReplaceAll(value, "{project}", p.Dir))
		}
	}
	return args, nil
}

// fill fills in the placeholders of a part of a command.
func (p *Project) fill(s *recipeStep, part string) string {
	return placeholder.ReplaceAllStringFunc(part, func(at string) string {
		switch name := strings.Trim(at, "{}"); name {
		case "out":
			return p.Folder(s.Name)
		case "sources":
			return p.Sources
		case "project":
			return p.Dir
		default:
			return p.Folder(name)
		}
	})
}
