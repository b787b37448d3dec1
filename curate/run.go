package curate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/visible"
	"omniscope/people"
)

// A program runs the commands of steps.
type program interface {
	// Flags returns the names of the flags of a command, such as of "curate collect".
	Flags(command string) ([]string, error)
	// Do runs a command.
	Do(ctx context.Context, args []string) error
	// People opens a project of people's work to read it. A project that is not there is an error of kind NotFound.
	People(ctx context.Context, dir string) (*people.Workplace, error)
	// Version names the program in the records of steps.
	Version() string
}

// A Run does the steps of a project.
type Run struct {
	*Project
	Program program
	Until   string // the last step to do; "" = all
	Redo    string // the step that is done again
	Accept  string // the step whose failures are accepted
	DryRun  bool   // only print the commands

	Out, ErrOut io.Writer // results; progress
}

// Do does the steps that are not done, one after another, until people have to work. The same call continues after any
// interruption.
func (r *Run) Do(ctx context.Context) (err error) {
	if err := r.check(); err != nil {
		return err
	}
	unlock, err := outfile.LockFolder(r.Dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if r.Redo != "" {
		if err := r.putAside(); err != nil {
			return err
		}
	}
	for i := range r.Recipe.Steps {
		s := &r.Recipe.Steps[i]
		goOn, err := r.step(ctx, s)
		if err != nil || !goOn {
			return err
		}
		if s.Name == r.Until {
			return nil
		}
	}
	if r.DryRun {
		return nil
	}
	_, err = fmt.Fprintf(r.Out, "all steps of %s are done\n", visible.Line(r.Dir))
	return err
}

// check refuses wrong settings of any step, and missing sources, before the first step is paid for.
func (r *Run) check() error {
	for _, name := range []string{r.Until, r.Redo, r.Accept} {
		if name == "" {
			continue
		}
		s, err := r.Recipe.Step(name)
		if err != nil {
			return err
		}
		if name == r.Accept && len(s.People) > 0 {
			return omniscope.Usagef("--accept-failures %s: people work at this step, and nothing fails there", name)
		}
	}
	if r.Redo != "" && r.DryRun {
		return omniscope.Usagef("--redo puts results aside: leave out --dry-run")
	}
	for i := range r.Recipe.Steps {
		if _, err := r.args(&r.Recipe.Steps[i]); err != nil {
			return err
		}
	}
	if !ondisk.Exists(r.Sources) && !r.DryRun {
		return omniscope.Usagef("the sources %s are not there: write the list, or name another in %s", r.Sources, filepath.Join(r.Dir, File))
	}
	return nil
}

func (r *Run) putAside() error {
	s, err := r.Recipe.Step(r.Redo)
	if err != nil {
		return err
	}
	to, err := r.Project.Redo(s, time.Now())
	if err == nil {
		fmt.Fprintf(r.ErrOut, "the results of step %s were put aside to %s\n", r.Redo, visible.Line(to))
	}
	return err
}

// step does a step that is not done. goOn = false: people have to work.
func (r *Run) step(ctx context.Context, s *recipeStep) (goOn bool, err error) {
	state, err := r.State(s)
	if err != nil {
		return false, err
	}
	switch state {
	case stepDone:
		return true, nil
	case stepChanged:
		return false, omniscope.Usagef("step %s was done with other settings, or with other results of the steps before it: do it again with `omniscope curate run %s --redo %s`, which puts its results aside", s.Name, r.Dir, s.Name)
	}
	args, err := r.args(s)
	if err != nil {
		return false, err
	}
	if r.DryRun {
		_, err := fmt.Fprintf(r.Out, "%s: omniscope %s\n", s.Name, visible.Line(strings.Join(args, " ")))
		return true, err
	}
	if err := os.MkdirAll(r.Folder(s.Name), 0o755); err != nil {
		return false, err
	}
	fmt.Fprintf(r.ErrOut, "step %s: %s\n", s.Name, s.About)
	if len(s.People) > 0 {
		return r.peopleStep(ctx, s, args, state)
	}
	if err := r.Program.Do(ctx, args); err != nil {
		if s.Name != r.Accept || ctx.Err() != nil || stopsProject(err) {
			return false, fmt.Errorf("step %s: %w", s.Name, err)
		}
		fmt.Fprintf(r.ErrOut, "warning: step %s failed, which is accepted: %v\n", s.Name, err)
	}
	return true, r.Finish(s, false, r.Program.Version())
}

// stopsProject reports whether an error is of more than single items.
func stopsProject(err error) bool {
	kind := omniscope.KindOf(err)
	return kind == omniscope.Usage || kind == omniscope.Invalid || kind == omniscope.NotFound || kind.EndsRun()
}

// args are the arguments of a step's command. Its calls are remembered in the project's folder.
func (r *Run) args(s *recipeStep) ([]string, error) {
	flags, err := r.Program.Flags(s.Command)
	if err != nil {
		return nil, err
	}
	args, err := r.Args(s, flags)
	if err == nil && slices.Contains(flags, "work-dir") {
		args = append(args, "--work-dir="+filepath.Join(r.Dir, "work"))
	}
	return args, err
}

// peopleStep makes a project of people's work, or takes the results of their work.
func (r *Run) peopleStep(ctx context.Context, s *recipeStep, args []string, state stepState) (goOn bool, err error) {
	dir := r.PeopleFolder(s.Name)
	if state == stepReady {
		if err := r.makePeople(ctx, dir, args); err != nil {
			return false, fmt.Errorf("step %s: %w", s.Name, err)
		}
		if err := r.Finish(s, true, r.Program.Version()); err != nil {
			return false, err
		}
	}
	open, all, err := openTasks(ctx, r.Program, dir)
	if err != nil {
		return false, err
	}
	if open > 0 {
		media := ""
		if folder := r.MediaFolder(s); folder != "" {
			media = " --media " + folder
		}
		_, err := fmt.Fprintf(r.Out, "step %s waits for people: %d of %d items at its stages are open. They work with\n  omniscope people serve %s%s\nRun the same command again when they are done.\n", s.Name, open, all, visible.Line(dir), visible.Line(media))
		return false, err
	}
	export := append(append([]string{"people", "export", dir}, s.People...), "--out", r.Folder(s.Name), "--force")
	if err := r.Program.Do(ctx, export); err != nil {
		return false, fmt.Errorf("step %s: %w", s.Name, err)
	}
	return true, r.Finish(s, false, r.Program.Version())
}

// makePeople makes a project, unless a command that was killed has made it already. An unfinished project holds no
// work yet, and is made again.
func (r *Run) makePeople(ctx context.Context, dir string, args []string) error {
	if ondisk.Exists(dir) {
		w, err := r.Program.People(ctx, dir)
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
	return r.Program.Do(ctx, args)
}

// openTasks returns how many tasks of a people's project are not done, and how many there are.
func openTasks(ctx context.Context, program program, dir string) (open, all int, err error) {
	w, err := program.People(ctx, dir)
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

// Status is the funnel of a project as a table.
func (p *Project) Status(ctx context.Context, program program) (omniscope.Table, error) {
	t := omniscope.Table{Name: "steps", Title: "Steps", Columns: []string{"step", "what it does", "state", "items", "left out"}, Numbers: []int{3, 4}}
	for i := range p.Recipe.Steps {
		s := &p.Recipe.Steps[i]
		state, err := p.State(s)
		if err != nil {
			return t, err
		}
		shown := string(state)
		if state == stepWaiting {
			open, all, err := openTasks(ctx, program, p.PeopleFolder(s.Name))
			if err != nil {
				return t, err
			}
			if shown = "people are done; run it"; open > 0 {
				shown = fmt.Sprintf("waiting for people: %d of %d open", open, all)
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
