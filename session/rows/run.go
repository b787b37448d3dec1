package rows

import (
	"context"
	"errors"
	"io"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/outfile"
	"omniscope/model/judge"
	"omniscope/run/journal"
	"omniscope/session"
)

// A Run asks one model about texts. The caller chooses the questions and writes the answers.
type Run struct {
	Command  string // such as curate cloze describe
	Files    string // what it is about, as `omniscope journal show` says it
	Spec     any    // all that shapes the run beside the model, as plain data
	Role     *session.Role
	Calls    *session.Calls  // nil = session.TextCalls, which have no journal
	Shared   *session.Shared // nil = of this run alone
	Warnings io.Writer       // nil = os.Stderr

	source string // the model and its address, once it is open; "" = it has no address
}

// Name names the run by all that shapes it, so that the same command finds its run again.
func (r *Run) Name() (string, error) {
	d, err := r.describe()
	return d.Name, err
}

func (r *Run) describe() (journal.Description, error) {
	role := *r.Role
	role.Source = "" // is known once the model is open
	return session.Describe(rowsKind, "curate", struct {
		Command string        `json:"command"`
		Files   string        `json:"predictions"`
		Model   *session.Role `json:"model"`
		Spec    any           `json:"shaped_by"`
	}{r.Command, r.Files, &role, r.Spec})
}

// Do opens the run's journal and its model, and calls work with who asks it. Every answer is in the
// journal before it counts, so that the same command goes on after any interruption. It returns what the
// run took over all its commands, and of that what this one did.
func (r *Run) Do(ctx context.Context, work func(*judge.Judge) error) (used document.UsageInfo, err error) {
	u, err := r.open(ctx, work)
	if err != nil {
		return used, err
	}
	err = session.Finish(ctx, u, u.machine)
	return u.used, err
}

// asking is the only unit of a Run: later questions depend on earlier answers.
type asking struct {
	run       *Run
	work      func(*judge.Judge) error
	machine   *session.Machine
	described journal.Description
	models    *session.Models
	judge     *judge.Judge
	used      document.UsageInfo
}

func (r *Run) open(ctx context.Context, work func(*judge.Judge) error) (*asking, error) {
	d, err := r.describe()
	if err != nil {
		return nil, err
	}
	u := &asking{run: r, work: work, machine: r.ready(), described: d}
	u.models = session.NewModels(u.machine)
	m, err := u.models.Open(ctx, r.Role)
	if err != nil {
		return nil, errors.Join(err, u.models.Close())
	}
	u.judge, r.source = m.Judge, strings.Join(u.models.Sources(), "; ")
	return u, nil
}

// Plan implements session.Units.
func (u *asking) Plan() *session.Plan {
	return &session.Plan{Description: u.described, Units: 1, Unit: "run", Models: u.models, Here: session.OnlyHere}
}

// Claim implements session.Units: work takes the place of its results.
func (u *asking) Claim(context.Context) error { return nil }

// Begin implements session.Units.
func (u *asking) Begin(context.Context, *session.Env) error { return nil }

// Do implements session.Units.
func (u *asking) Do(context.Context, int) (session.Done, error) {
	return session.Done{Complete: true}, u.work(u.judge)
}

// Write implements session.Units: work writes its results.
func (u *asking) Write(ctx context.Context) (err error) {
	u.used, err = u.models.Usage(ctx)
	return err
}

// Close implements session.Units.
func (u *asking) Close() error { return u.models.Close() }

// ready fills in what the run leaves open.
func (r *Run) ready() *session.Machine {
	m := &session.Machine{Calls: r.Calls, Shared: r.Shared, Warnings: r.Warnings}
	m.Ready(session.TextCalls())
	r.Calls, r.Warnings = m.Calls, m.Warnings
	return m
}

// Sign returns the model and its address, for the results in a folder. Results of the same run that were signed at another address
// are an error of kind Usage, except with --any-endpoint and with force. Call it in Do's work, before the first question. "" = there
// are no results, or they are of an earlier version.
func (r *Run) Sign(dir, signed string, force bool) (string, error) {
	switch {
	case signed == "" || force:
		return r.source, nil
	case r.Calls.AnyEndpoint || signed == r.source:
		return signed, nil
	}
	return "", omniscope.Usagef("%s holds the results of %s, and this command asks %s: %s (--any-endpoint keeps answers of any address)", dir, signed, r.source, outfile.OrForce)
}
