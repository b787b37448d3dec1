package curate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/people"
)

// fakeProgram notes the commands of steps, and writes the files that they write.
type fakeProgram struct {
	commands []string
	err      error // of the next command
}

func (*fakeProgram) Flags(string) ([]string, error) { return []string{"out", "work-dir"}, nil }
func (*fakeProgram) Version() string                { return "omniscope test" }
func (*fakeProgram) People(context.Context, string) (*people.Workplace, error) {
	return nil, errors.New("no people")
}

func (p *fakeProgram) Do(_ context.Context, args []string) error {
	p.commands = append(p.commands, args[0])
	if err := p.err; err != nil {
		p.err = nil
		return err
	}
	name := map[string]string{"choose": "chosen.jsonl", "write": "notes.jsonl"}[args[0]]
	return os.WriteFile(filepath.Join(args[slices.Index(args, "--out")+1], name), []byte("{\"id\": \"a\"}\n"), 0o644)
}

// undone is a project of two steps, of which none is done, and its run.
func undone(t *testing.T) (*Run, *fakeProgram, *strings.Builder) {
	t.Helper()
	p, prog, out := &Project{Dir: t.TempDir(), Recipe: newRecipe(t, twoSteps)}, &fakeProgram{}, &strings.Builder{}
	p.Sources = filepath.Join(p.Dir, "sources.jsonl")
	write(t, `{"id": "a"}`, p.Sources)
	return &Run{Project: p, Program: prog, Out: out, ErrOut: out}, prog, out
}

func TestRunDoesStepsOnce(t *testing.T) {
	r, prog, out := undone(t)
	r.DryRun = true
	fixture.OK(t, r.Do(t.Context()))
	if !strings.Contains(out.String(), "write: omniscope write ") || !strings.Contains(out.String(), "--work-dir=") || len(prog.commands) > 0 {
		t.Errorf("a dry run: %s, %q", out, prog.commands)
	}
	r.DryRun, r.Until = false, "choose"
	fixture.OK(t, r.Do(t.Context()))
	r.Until = ""
	prog.err = errors.New("interrupted")
	if err := r.Do(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "step write: ") {
		t.Errorf("a failed command: %v", err)
	}
	fixture.OK(t, r.Do(t.Context()))
	if got := strings.Join(prog.commands, " "); got != "choose write write" || states(t, r.Project) != "done done" {
		t.Errorf("commands %q, states %s", got, states(t, r.Project))
	}
	r.Redo = "choose"
	fixture.OK(t, r.Do(t.Context()))
	if got := strings.Join(prog.commands, " "); got != "choose write write choose" {
		t.Errorf("commands %q: the same results leave the second step as it is", got)
	}
	table, err := r.Status(t.Context(), prog)
	fixture.OK(t, err)
	if row := table.Rows[1]; row[2] != "done" || row[3] != "1" {
		t.Errorf("status %q", table.Rows)
	}
}

func TestAcceptedFailures(t *testing.T) {
	for says, err := range map[string]error{"": errors.New("one of ten failed"), "no such model": omniscope.Usagef("no such model")} {
		r, prog, _ := undone(t)
		r.Accept, prog.err = "choose", err
		write(t, "{\"id\": \"a\"}\n", r.Folder("choose"), "chosen.jsonl")
		switch got := r.Do(t.Context()); {
		case says == "" && got != nil:
			t.Errorf("failures of items are not accepted: %v", got)
		case says != "" && (got == nil || !strings.Contains(got.Error(), says)):
			t.Errorf("%v, want %q", got, says)
		}
	}
}
