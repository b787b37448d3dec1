package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/progress"
	"omniscope/perceive"
	"omniscope/run/journal"
)

// A Task is a run as plain data. Its JSON is the run's manifest in the journal and opens the same run on
// any machine. It holds no secret.
type Task interface {
	// Open reads and checks all inputs, and opens the models and tools. It asks, spends and writes nothing, and needs no
	// journal.
	Open(ctx context.Context, m *Machine) (Units, error)
	// Listed describes the run for lists.
	Listed() Listing
}

// Units are an opened Task: what a run does, unit by unit. Any process that opened the Task may do any unit, in any
// order, and again. Do is safe for concurrent use.
type Units interface {
	Plan() *Plan
	// Claim takes the place of the results, and refuses one with results of other runs. It is called before the journal is
	// opened, and not at all if only a part of the units is done.
	Claim(ctx context.Context) error
	// Begin is called before the first unit, when the journal is open and the models are connected to it.
	Begin(ctx context.Context, e *Env) error
	// Do does a unit. A failed call is an outcome; an error stops the run.
	Do(ctx context.Context, unit int) (Done, error)
	// Write writes the results, after the last unit. It asks nothing.
	Write(ctx context.Context) error
	// Close closes the inputs, the models and the journal.
	Close() error
}

// A Plan is what an opened Task will do.
type Plan struct {
	journal.Description // the run's name, kind and manifest: all that shapes its answers

	Units   int
	Unit    string                // what one is called; "" = sample
	ID      func(unit int) string // nil = its number
	Order   func() []int          // the units to do, once the run has begun; nil = all, by number
	First   int                   // how many of them are done before the others begin, and are shown as the progress; 0 = all
	Workers int                   // units at a time
	Waiting int                   // answers that may wait to be stored at a time; 0 = two for each call

	Models *Models // that are asked
	Memory Memory
	Tools  []perceive.Tool // that look at clips
	CPU    bool            // bound by processors, not by calls
	// Arithmetic is that of the networks that the run computes with; "" = it has none.
	Arithmetic string
	Here       error // why no other machine can do a part of it; nil = any can

	// Ordered adds further data for workers to the order; nil = the description is enough.
	Ordered func(*Order)

	// Warm prepares units that cost less together; nil = none do.
	Warm func(ctx context.Context, units []int) error
	// Over reports whether the run came to its end, so that the next fresh run begins from the start; nil = it always does.
	Over func() bool
}

// Memory is what the journal keeps of a run.
type Memory int

const (
	Answers Memory = iota // of models and tools
	Scores                // of networks, which can be computed again
	Nothing               // there is no journal: all costs nothing and is always the same
)

// An Env is passed to Units when a run begins.
type Env struct {
	Results bool         // results are written; false = only the journal keeps the answers
	Part    Shard        // the part that is done; the zero value means all units
	Note    func(string) // shows the latest step next to the progress
}

// Done is the result of doing a unit. The zero value means that the unit may be done again, and that no failure is known.
type Done struct {
	Complete bool   // all of it is in the journal
	Failed   string // why something of it is not; "" = nothing failed
}

// DoneAs is a unit that ended with an outcome. what names the unit in the reason; "" = the reason does.
func DoneAs(o omniscope.Outcome, what, why string) Done {
	if o == omniscope.OK {
		return Done{Complete: true}
	}
	why = cmp.Or(why, o.String())
	if what != "" {
		why = what + ": " + strings.TrimPrefix(why, what+": ")
	}
	return Done{Failed: why}
}

// A Listing describes a run in one line.
type Listing struct {
	Command string   // such as eval omni-cloze
	What    []string // files
	By      string   // model
}

// A Machine has the settings of a process for its runs, and what they share. It does not shape answers.
// The zero value, and nil, do as the commands without flags.
type Machine struct {
	Calls    *Calls    // nil = the usual ones of the kind of runs
	Shared   *Shared   // budget and endpoints; nil = of this run alone
	Warnings io.Writer // also gets the names of models and the origin of their keys; nil = os.Stderr

	Out   string                   // folder or file of the results; "" = where the kind's command writes them
	Force bool                     // write over results of other settings
	Used  func(document.UsageInfo) // is called with what the run took, if it asks a model; nil = not wanted

	// Folder is where relative paths of a run's description start; "" = in the working folder.
	Folder string

	// Address gives a role's endpoint, as At does; nil = that of the environment.
	Address func(*Role)

	// Progress shows how far the units of a run are; nil = nothing is shown. state describes the calls so far.
	Progress func(units int, state func() []string) *progress.Display

	Order *Order // from the command that distributed the run; nil = not a worker
}

// shows shows how far the units of a run are.
func (m *Machine) shows(units int, state func() []string) *progress.Display {
	if m == nil || m.Progress == nil {
		return progress.Silent(units)
	}
	return m.Progress(units, state)
}

// At is where a path of a run's description is.
func (m *Machine) At(path string) string { return Below(m.Folder, path) }

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
		return nil, omniscope.Usagef("run %s is of the kind %q, which this version does not have: run its command again, which pays for no answer of this journal twice", r.Name, r.Kind)
	}
	t := k[i].New()
	if err := json.Unmarshal([]byte(r.Manifest), t); err != nil {
		return nil, fmt.Errorf("manifest of run %s: %w", r.Name, err)
	}
	return t, nil
}

// OnlyHere is the error for runs that other machines cannot do in parts.
var OnlyHere = omniscope.Usagef("it is repeated by its own command, which asks and computes nothing twice")

// Describe describes a run of a kind by all that shapes it. Its name begins with prefix.
func Describe(kind, prefix string, spec any) (journal.Description, error) {
	text, err := json.Marshal(spec)
	name := fmt.Sprintf("%s-%.6x", prefix, sha256.Sum256(text))
	return journal.Description{Name: name, Kind: kind, Manifest: string(text)}, err
}

// ModelOf returns the model of a role; "" if r is nil.
func ModelOf(r *Role) string {
	if r == nil {
		return ""
	}
	return r.Model
}

// OpenWork opens a run that the journal describes, to do a part of it, as a process on another
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
	m := &Machine{Calls: c, Warnings: warnings, Folder: o.Folder, Order: o}
	u, err := t.Open(ctx, m)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", r.Name, err)
	}
	if err := checkSame(u.Plan(), &r, o); err != nil {
		return nil, errors.Join(err, u.Close())
	}
	w, err := Part(ctx, u, m, Shard{})
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", r.Name, err)
	}
	return w, nil
}

// checkSame refuses a run that would be another one here than the journal describes.
func checkSame(p *Plan, r *journal.Run, o *Order) error {
	switch tools := namesOf(p.Tools); {
	case p.Here != nil:
		return fmt.Errorf("run %s: %w", r.Name, p.Here)
	case p.Name != r.Name:
		return omniscope.Invalidf("run %s: it would be another run here, %s: prompts differ, or media, or tools that look at clips, or the versions of omniscope", r.Name, p.Name)
	case o.Tools != nil && !slices.Equal(tools, o.Tools):
		return omniscope.Invalidf("run %s looks at clips by %s, and this machine would by %s: have the same everywhere, or name those that all have with --tools",
			r.Name, list(o.Tools), list(tools))
	}
	return nil
}

func describedRun(ctx context.Context, c *Calls, name string, warnings io.Writer) (journal.Run, error) {
	kinds, err := c.journals()
	if err != nil {
		return journal.Run{}, err
	}
	s, err := kinds.OpenExisting(ctx, c.JournalAt(), warnings)
	if err != nil {
		return journal.Run{}, err
	}
	defer s.Close()
	return journal.FindRun(ctx, s, name)
}

func list(names []string) string { return cmp.Or(strings.Join(names, ", "), "nothing") }
