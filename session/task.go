package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"omniscope/bench/document"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/progress"
	"omniscope/run/journal"
)

// A Task is a run as plain data. Its JSON is the run's manifest in the journal and opens the same run on
// any machine. It holds no secret.
type Task interface {
	// work opens the run to do a part of it.
	work(ctx context.Context, m *Machine) (*Work, error)
	// listed describes the run for lists.
	listed() listing
}

// A listing describes a run in one line.
type listing struct {
	command string   // such as eval omni-cloze
	what    []string // files
	by      string   // model
}

// A Machine holds what runs share within a process. It does not shape answers.
type Machine struct {
	Calls    *Calls
	Shared   *Shared // budget and endpoints; nil = of this run alone
	Warnings io.Writer

	Out   string                   // folder or file of the results
	Force bool                     // write over results of other settings
	Used  func(document.UsageInfo) // is called with what the run took, if it asks a model; nil = not wanted

	// Folder is where relative paths of a run's description start; "" = in the working folder.
	Folder string

	// Address gives a role's endpoint; nil = that of the environment.
	Address func(*Role)

	// Progress shows how far the units of a run are; nil = nothing is shown. state describes the calls so far.
	Progress func(units int, state func() []string) *progress.Display

	run   string // name that the opened run must have; "" = any
	order *Order // from the command that distributed the run; nil = not a worker
}

// shows shows how far the units of a run are.
func (m *Machine) shows(units int, state func() []string) *progress.Display {
	if m.Progress == nil {
		return progress.Silent(units)
	}
	return m.Progress(units, state)
}

// sameRun returns an error if a task opens another run here than the requested one.
func (m *Machine) sameRun(name string) error {
	if m.run == "" || m.run == name {
		return nil
	}
	return omniscope.Invalidf("it would be another run here, %s: prompts differ, or media, or tools that look at clips, or the versions of omniscope", name)
}

// at is where a path of a run's description is.
func (m *Machine) at(path string) string { return below(m.Folder, path) }

// Kinds are the kinds of runs that a program knows.
type Kinds []Kind

// A Kind is a kind of runs.
type Kind struct {
	Name string      // in journals
	New  func() Task // an empty run, to read a description into
}

// task reads the description of a run.
func (k Kinds) task(r *journal.Run) (Task, error) {
	i := slices.IndexFunc(k, func(one Kind) bool { return one.Name == r.Kind })
	if i < 0 {
		return nil, omniscope.Usagef("run %s is of a kind %q, which this version does not know", r.Name, r.Kind)
	}
	t := k[i].New()
	if err := json.Unmarshal([]byte(r.Manifest), t); err != nil {
		return nil, fmt.Errorf("manifest of run %s: %w", r.Name, err)
	}
	return t, nil
}

// onlyHere is the error for runs that other machines cannot do in parts.
var onlyHere = omniscope.Usagef("it is repeated by its own command, which asks and computes nothing twice")

// describe describes a run of a kind by all that shapes it. Its name begins with prefix.
func describe(kind, prefix string, spec any) (journal.Description, error) {
	text, err := json.Marshal(spec)
	name := fmt.Sprintf("%s-%.6x", prefix, sha256.Sum256(text))
	return journal.Description{Name: name, Kind: kind, Manifest: string(text)}, err
}

// modelOf returns the model of a role; "" if r is nil.
func modelOf(r *Role) string {
	if r == nil {
		return ""
	}
	return r.Model
}

// OpenWork opens the work of a run that the journal describes, as a process on another
// machine does. Keys come from this machine's environment, and so do addresses that are not
// in the order. It refuses
// what would not be that run here: other files, other endpoints, other prompts.
func (k Kinds) OpenWork(ctx context.Context, c *Calls, name string, o *Order, warnings io.Writer) (*Work, error) {
	r, err := describedRun(ctx, c, name, warnings)
	if err != nil {
		return nil, err
	}
	t, err := k.task(&r)
	if err != nil {
		return nil, err
	}
	w, err := t.work(ctx, &Machine{Calls: c, Warnings: warnings, Folder: o.Folder, order: o, run: r.Name})
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", r.Name, err)
	}
	if o.Tools != nil && !slices.Equal(w.Order.Tools, o.Tools) {
		err = omniscope.Invalidf("run %s looks at clips by %s, and this machine would by %s: have the same everywhere, or name those that all have with --tools",
			r.Name, list(o.Tools), list(w.Order.Tools))
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func describedRun(ctx context.Context, c *Calls, name string, warnings io.Writer) (journal.Run, error) {
	s, err := OpenJournal(ctx, c.JournalAt(), warnings)
	if err != nil {
		return journal.Run{}, err
	}
	defer s.Close()
	return journal.FindRun(ctx, s, name)
}

func list(names []string) string { return cmp.Or(strings.Join(names, ", "), "nothing") }
