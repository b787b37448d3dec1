package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/curate"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/version"
	"omniscope/people"
	"omniscope/results/report"
)

func newCurateInit() *cobra.Command {
	var recipe string
	cmd := &cobra.Command{
		Use:   "init PROJECT",
		Short: "Make a project's folder with a file to fill in",
		Long: `Make a folder for a benchmark that is built step by step, with a file curate.yaml that names the steps, the sources, and the
flags that the steps' commands get. Recipes: ` + strings.Join(curate.RecipeNames, ", ") + `.`,
		Example: `  omniscope curate init harbour --recipe omni-cloze`,
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := curate.OpenRecipe(recipe)
			if err != nil {
				return err
			}
			if err := curate.Init(args[0], r); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "made %s: fill it in, and do the first steps with\n  omniscope curate run %s\n", printable(filepath.Join(args[0], curate.File)), printable(args[0]))
			return err
		},
	}
	cmd.Flags().StringVar(&recipe, "recipe", "omni-cloze", "how the benchmark is built: "+strings.Join(curate.RecipeNames, ", "))
	return cmd
}

func newCurateStatus() *cobra.Command {
	var o tablesOut
	cmd := &cobra.Command{
		Use:     "status PROJECT",
		Short:   "Show how far each step is, and how many items went on from it",
		Long:    `Show how far each step of a project is, how many items went on from it and how many did not, and who is waited for.`,
		Example: `  omniscope curate status harbour`,
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := curate.Open(args[0])
			if err != nil {
				return err
			}
			c := report.Comparison{Schema: "omniscope/curate-status/1", Title: "Steps of " + filepath.Base(filepath.Clean(args[0])), Warnings: []string{}}
			files := []tableFile{
				{"status.md", func(to io.Writer) error { return c.Markdown(to) }},
				{"status.json", func(to io.Writer) error { return outfile.JSON(to, c) }},
			}
			if err := o.check(files); err != nil {
				return err
			}
			table, err := curateTable(cmd, p)
			if err != nil {
				return err
			}
			c.Tables = []omniscope.Table{table}
			return o.show(cmd, c, files)
		},
	}
	o.addFlags(cmd.Flags(), "status.md", "status.json")
	return cmd
}

// curateTable is the funnel of a project.
func curateTable(cmd *cobra.Command, p *curate.Project) (omniscope.Table, error) {
	t := omniscope.Table{Name: "steps", Title: "Steps", Columns: []string{"step", "what it does", "state", "items", "left out"}, Numbers: []int{3, 4}}
	for i := range p.Recipe.Steps {
		s := &p.Recipe.Steps[i]
		state, err := p.State(s)
		if err != nil {
			return t, err
		}
		shown := string(state)
		if state == curate.Waiting {
			if shown, err = waitingFor(cmd, p, s); err != nil {
				return t, err
			}
		}
		row := []string{s.Name, s.About, shown, "", ""}
		items, rejected, ok, err := p.Counts(s)
		if err != nil {
			return t, err
		}
		if ok {
			row[3], row[4] = fmt.Sprint(items), fmt.Sprint(rejected)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// openTasks are the tasks of a people's project that are not done, of all there are.
func openTasks(cmd *cobra.Command, dir string) (open, all int, err error) {
	var l peoplePlace
	w, err := l.look(cmd.Context(), dir)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	for _, progress := range w.Progress() {
		all += progress.Items
		open += progress.Items - progress.Done - progress.Skipped
	}
	return open, all, nil
}

func waitingFor(cmd *cobra.Command, p *curate.Project, s *curate.Step) (string, error) {
	open, all, err := openTasks(cmd, p.PeopleFolder(s.Name))
	if err != nil {
		return "", err
	}
	if open == 0 {
		return "people are done; run it", nil
	}
	return fmt.Sprintf("waiting for people: %d of %d open", open, all), nil
}

// curateRun are the flags of curate run.
type curateRun struct {
	until  string // the last step to do; "" = all
	redo   string
	accept string // step whose failures are accepted
	dryRun bool
}

func newCurateRun() *cobra.Command {
	o := &curateRun{}
	cmd := &cobra.Command{
		Use:   "run PROJECT [STEP]",
		Short: "Do the next steps of a project, until people are waited for",
		Long: `Do the steps of a project that are not done, one after another, or those up to STEP. Each is a command of omniscope, which
--dry-run shows, and which goes on from where an earlier one was interrupted: run the same command again after any crash.
Where people have to work, it stops and says how; once they are done, the same command goes on.

A step whose settings changed after it was done, or that rests on one that was done again, is not done again by itself:
--redo STEP puts its results aside, below PROJECT/put-aside, and does it anew.

A step of which single items failed is not done: run the same command again, and only they are tried again. Where that does not
help, --accept-failures STEP goes on without them.`,
		Example: `  omniscope curate run harbour
  omniscope curate run harbour draft
  omniscope curate run harbour --redo draft`,
		Args: checkedArgs(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				o.until = args[1]
			}
			return o.run(cmd, args[0])
		},
	}
	cmd.Flags().StringVar(&o.redo, "redo", "", "step to do again; what it wrote is put aside")
	cmd.Flags().StringVar(&o.accept, "accept-failures", "", "step that counts as done although it failed: items that it did not write are left out")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show the commands of the steps that are not done, and stop")
	return cmd
}

// check refuses what is wrong with flags, settings of any step, or sources, before the first step is paid for.
func (o *curateRun) check(p *curate.Project) error {
	for _, name := range []string{o.until, o.redo, o.accept} {
		if name == "" {
			continue
		}
		s, err := p.Recipe.Step(name)
		if err != nil {
			return err
		}
		if name == o.accept && len(s.People) > 0 {
			return omniscope.Usagef("--accept-failures %s: people work at this step, and nothing fails there", name)
		}
	}
	if o.redo != "" && o.dryRun {
		return omniscope.Usagef("--redo puts results aside: leave out --dry-run")
	}
	for i := range p.Recipe.Steps {
		if _, err := stepArgs(p, &p.Recipe.Steps[i]); err != nil {
			return err
		}
	}
	if !ondisk.Exists(p.Sources) && !o.dryRun {
		return omniscope.Usagef("the sources %s are not there: write the list, or name another in %s", p.Sources, filepath.Join(p.Dir, curate.File))
	}
	return nil
}

func (o *curateRun) run(cmd *cobra.Command, dir string) (err error) {
	p, err := curate.Open(dir)
	if err != nil {
		return err
	}
	if err := o.check(p); err != nil {
		return err
	}
	unlock, err := outfile.LockFolder(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if o.redo != "" {
		if err := redoStep(cmd, p, o.redo); err != nil {
			return err
		}
	}
	for i := range p.Recipe.Steps {
		s := &p.Recipe.Steps[i]
		goOn, err := o.step(cmd, p, s)
		if err != nil || !goOn {
			return err
		}
		if s.Name == o.until {
			return nil
		}
	}
	if o.dryRun {
		return nil
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "all steps of %s are done\n", printable(dir))
	return err
}

func redoStep(cmd *cobra.Command, p *curate.Project, name string) error {
	s, err := p.Recipe.Step(name)
	if err != nil {
		return err
	}
	to, err := p.Redo(s, time.Now())
	if err == nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "what step %s wrote was put aside to %s\n", name, printable(to))
	}
	return err
}

// step does a step that is not done. goOn is false where people are waited for.
func (o *curateRun) step(cmd *cobra.Command, p *curate.Project, s *curate.Step) (goOn bool, err error) {
	state, err := p.State(s)
	if err != nil {
		return false, err
	}
	switch state {
	case curate.Done:
		return true, nil
	case curate.Changed:
		return false, omniscope.Usagef("step %s was done with other settings, or with other results of the steps before it: do it again with `omniscope curate run %s --redo %s`, which puts its results aside", s.Name, p.Dir, s.Name)
	}
	args, err := stepArgs(p, s)
	if err != nil {
		return false, err
	}
	if o.dryRun {
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: omniscope %s\n", s.Name, printable(strings.Join(args, " ")))
		return true, err
	}
	if err := os.MkdirAll(p.Folder(s.Name), 0o755); err != nil {
		return false, err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "step %s: %s\n", s.Name, s.About)
	if len(s.People) > 0 {
		return o.peopleStep(cmd, p, s, args, state)
	}
	if err := runCommand(cmd, args); err != nil {
		if s.Name != o.accept || stopsProject(cmd, err) {
			return false, fmt.Errorf("step %s: %w", s.Name, err)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: step %s failed, which is accepted: %v\n", s.Name, err)
	}
	return true, p.Finish(s, false, version.Program())
}

// stopsProject reports whether an error is of more than single items.
func stopsProject(cmd *cobra.Command, err error) bool {
	kind := omniscope.KindOf(err)
	return cmd.Context().Err() != nil || kind == omniscope.Usage || kind == omniscope.Invalid || kind == omniscope.NotFound || kind.EndsRun()
}

// stepArgs are the arguments of a step's command. What it asks is remembered in the project's folder.
func stepArgs(p *curate.Project, s *curate.Step) ([]string, error) {
	command, _, err := newRoot(nil, nil).Find(strings.Fields(s.Command))
	if err != nil {
		return nil, err
	}
	hasFlag := func(name string) bool { return command.Flag(name) != nil }
	args, err := p.Args(s, hasFlag, flagNames(command))
	if err == nil && hasFlag("work-dir") {
		args = append(args, "--work-dir="+filepath.Join(p.Dir, "work"))
	}
	return args, err
}

// runCommand runs a command of the program within another.
func runCommand(cmd *cobra.Command, args []string) error {
	root := newRoot(cmd.OutOrStdout(), cmd.ErrOrStderr())
	root.SetIn(cmd.InOrStdin())
	root.SetArgs(args)
	return root.ExecuteContext(cmd.Context())
}

// peopleStep makes a project of people's work, or takes what they did.
func (o *curateRun) peopleStep(cmd *cobra.Command, p *curate.Project, s *curate.Step, args []string, state curate.State) (goOn bool, err error) {
	dir := p.PeopleFolder(s.Name)
	if state == curate.Ready {
		if err := makePeopleProject(cmd, dir, args); err != nil {
			return false, fmt.Errorf("step %s: %w", s.Name, err)
		}
		if err := p.Finish(s, true, version.Program()); err != nil {
			return false, err
		}
	}
	open, all, err := openTasks(cmd, dir)
	if err != nil {
		return false, err
	}
	if open > 0 {
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "step %s waits for people: %d of %d items at its stages are open. Have them work with\n  omniscope people serve %s%s\nand run the same command again when they are done.\n", s.Name, open, all, printable(dir), printable(mediaFlag(p, s)))
		return false, err
	}
	export := append(append([]string{"people", "export", dir}, s.People...), "--out", p.Folder(s.Name), "--force")
	if err := runCommand(cmd, export); err != nil {
		return false, fmt.Errorf("step %s: %w", s.Name, err)
	}
	return true, p.Finish(s, false, version.Program())
}

// mediaFlag is the flag of `omniscope people serve` that shows people their clips.
func mediaFlag(p *curate.Project, s *curate.Step) string {
	if folder := p.MediaFolder(s); folder != "" {
		return " --media " + folder
	}
	return ""
}

// makePeopleProject makes a project, unless a command that was killed has made it already. An unfinished project holds no
// work yet, and is made again.
func makePeopleProject(cmd *cobra.Command, dir string, args []string) error {
	if _, err := os.Stat(dir); err == nil {
		var l peoplePlace
		w, err := l.look(cmd.Context(), dir)
		if err == nil {
			return w.Close()
		}
		switch {
		case errors.Is(err, people.ErrUnfinished):
			err = os.RemoveAll(dir)
		case omniscope.KindOf(err) == omniscope.NotFound:
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return runCommand(cmd, args)
}

func newCurateExport() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:     "export PROJECT --out DIR",
		Short:   "Copy a project's results to a folder",
		Long:    `Copy the results of a project whose steps are all done to a folder of its own: the released files, without the project's.`,
		Example: `  omniscope curate export harbour --out harbour-cloze`,
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return omniscope.Usagef("name the folder with --out")
			}
			p, err := curate.Open(args[0])
			if err != nil {
				return err
			}
			names, err := p.Export(out)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", printable(out), printable(strings.Join(names, " ")))
			return err
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder, empty or not there yet")
	return cmd
}

func newCurateTrace() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "trace PROJECT [ITEM...]",
		Short: "Show what each step wrote of an item: where it comes from, what was seen, who agreed",
		Long: `Show all that the steps of a project wrote of items, a line of JSON for each item with the lines of the steps' files, from the
source to the decision of people; of all items where none is named.`,
		Example: `  omniscope curate trace harbour clip-7
  omniscope curate trace harbour --out provenance.jsonl`,
		Args: checkedArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := curate.Open(args[0])
			if err != nil {
				return err
			}
			traces, err := p.Traces(args[1:])
			if err != nil {
				return err
			}
			write := func(to io.Writer) error { return jsonLines(to, slices.Values(traces)) }
			if out == "" {
				return write(documentOut(cmd))
			}
			return outfile.Write(out, write)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write to (default: print)")
	return cmd
}
