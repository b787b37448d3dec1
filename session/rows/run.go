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

// A Run is a run that asks one model about texts. What is asked, and what is written of the
// answers, is its user's business.
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
	d, err := r.describe()
	if err != nil {
		return used, err
	}
	models := session.NewModels(r.ready())
	defer func() { err = errors.Join(err, models.Close()) }()
	m, err := models.Open(ctx, r.Role)
	if err != nil {
		return used, err
	}
	if err := errors.Join(models.Begin(ctx, &session.Plan{Description: d}), models.Watch()); err != nil {
		return used, err
	}
	r.source = strings.Join(models.Sources(), "; ")
	models.Announce(r.Warnings)
	if err := work(m.Judge); err != nil {
		return used, errors.Join(m.Explain(err), models.Journal.StoppedBy(err))
	}
	if used, err = models.Usage(ctx); err != nil {
		return used, err
	}
	return used, models.Journal.EndFresh()
}

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
