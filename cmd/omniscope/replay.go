package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/catalog"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/report"
	"omniscope/run"
	"omniscope/run/local"
	"omniscope/store"
)

// replay scores a run again with a judge that answers from memory only.
func replay(cmd *cobra.Command, s *store.Store, r store.Run, asJSON bool) error {
	var o evalOptions
	if err := json.Unmarshal([]byte(r.Manifest), &o); err != nil {
		return fmt.Errorf("manifest of run %s: %w", r.Name, err)
	}
	if o.Benchmark == "" {
		return usagef("run %s is no evaluation and has no scores: an investigation or an audit is repeated by its own command, which asks nothing twice", r.Name)
	}
	o.atFolder()
	o.JSON, o.Allow = asJSON, true // what was scored once is scored again
	b, err := catalog.Benchmark(o.Benchmark)
	if err != nil {
		return err
	}
	b = o.configured(b)
	_, name, err := catalog.SplitModel(o.Judge)
	if err != nil {
		return err
	}
	j := &judging{tally: &wrap.Meter{}, name: o.Judge}
	if err := j.setJudge(&o, name); err != nil {
		return err
	}
	j.byStep = strings.HasPrefix(o.Judge, "scripted/")
	past := &past{store: s, run: r.Name}
	j.inner, j.source = past, o.Source
	j.local, o.AnyEndpoint = true, true
	j.connect(&o, memory{s, r.Name})

	in, err := o.inputs()
	if err != nil {
		return err
	}
	in.Judge = j.judge
	ev, err := b.Open(cmd.Context(), in)
	if err != nil {
		return err
	}
	defer ev.Close()
	if err := unchanged(o.Inputs, ev.Plan().Inputs); err != nil {
		return err
	}
	results, err := bench.Score(cmd.Context(), b, ev, in.Profile, bench.Options{
		Seed: o.Seed, Meter: j.tally, Engine: &local.Engine{Workers: runtime.NumCPU()}})
	if err != nil {
		return err
	}
	o.asThen(results)
	results.Usage.Calls, results.Usage.Failed = 0, 0 // calls that memory could not answer were not made
	used, err := s.Usage(cmd.Context(), r.Name, wrap.CostOf)
	if err != nil {
		return err
	}
	results.Run = omniscope.RunInfo{ID: r.Name, Version: version(), Command: safeArgs(os.Args), Finished: time.Now().UTC(), Inputs: ev.Plan().Inputs}
	describeJudge(results, ev.Plan(), &o, j)
	results.Usage = usageOf(used, nil, results.Usage)
	past.warn(results)
	if o.JSON {
		return errors.Join(report.JSON(documentOut(cmd), results), verdictOf(results, 1))
	}
	width, color := terminal(cmd.OutOrStdout())
	return errors.Join(report.Text(cmd.OutOrStdout(), results, report.TextOptions{Columns: report.Columns(b.Info().Metric), Width: width, Color: color}),
		verdictOf(results, 1))
}

// asThen names the prompts the run was asked with, and warns of those that have
// changed since.
func (o *evalOptions) asThen(r *omniscope.Results) {
	for i, p := range r.Judge.Prompts {
		if then := o.PromptDigests[p.Name]; then != "" && then != p.Digest {
			r.Judge.Prompts[i].Digest = then
			r.Warnings = append(r.Warnings, fmt.Sprintf("the prompt %s has changed since the run (%s then, %s now); these are the answers to the one of then", p.Name, then, p.Digest))
		}
	}
}

// atFolder makes the manifest's relative paths start from the folder they were
// given in.
func (o *evalOptions) atFolder() {
	for _, path := range []*string{&o.Predictions, &o.Data, &o.Prompts} {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(o.Folder, *path)
		}
	}
}

// unchanged compares the inputs' digests with those of the run.
func unchanged(then, now map[string]string) error {
	digests := make(map[string]bool)
	for _, d := range then {
		digests[d] = true
	}
	for path, d := range now {
		if !digests[d] {
			return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%s has changed since the run (SHA-256 is now %s): its scores cannot be recomputed from it", path, d)}
		}
	}
	return nil
}

// A past is the provider of a replay. Asked for what the journal does not
// remember under the request's key, it gives what the run was given for the
// same step and attempt: the failure, or the answer to words that this version
// puts otherwise.
type past struct {
	store *store.Store
	run   string

	reworded, unknown atomic.Int64
}

func (p *past) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	var last *wrap.Result
	for c, err := range p.store.Calls(ctx, p.run, req.Step) {
		if err != nil {
			return nil, err
		}
		if c.Damaged != nil && c.Attempt == req.Attempt {
			return nil, &omniscope.Error{Kind: omniscope.Internal, Err: c.Damaged}
		}
		r := new(wrap.Result)
		if c.Attempt == req.Attempt && json.Unmarshal(c.Result, r) == nil {
			last = r
		}
	}
	switch {
	case last == nil:
		p.unknown.Add(1)
		return nil, &omniscope.Error{Kind: omniscope.Transient, Err: fmt.Errorf("no remembered answer to %s, attempt %d", req.Step, req.Attempt)}
	case last.Error != "":
		return nil, &omniscope.Error{Kind: failureKind(last.Kind), Err: errors.New(last.Error)}
	}
	p.reworded.Add(1)
	return last.Response(), nil
}

// warn says where the replay could not go by the requests alone.
func (p *past) warn(r *omniscope.Results) {
	if n := p.reworded.Load(); n > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d answers were given to requests that this version words otherwise; they were found by step and attempt", n))
	}
	if n := p.unknown.Load(); n > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d questions have no remembered answer", n))
	}
}

// failureKind reads the kind of a failure that concerned one call only.
func failureKind(name string) omniscope.Kind {
	for _, kind := range []omniscope.Kind{omniscope.Exhausted, omniscope.Declined, omniscope.Malformed, omniscope.Invalid} {
		if kind.String() == name {
			return kind
		}
	}
	return omniscope.Transient
}

// memory is what one run remembers, only to be read.
type memory struct {
	store *store.Store
	run   string
}

func (m memory) Lookup(ctx context.Context, key run.Key, _ string) (*run.Entry, error) {
	return m.store.RunAnswer(ctx, m.run, key)
}

func (memory) Append(context.Context, *run.Entry) error { return nil }
