package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/local"
	"omniscope/session/catalog"
)

// Replay scores a run again with a judge that answers from memory only.
func Replay(ctx context.Context, s journal.Store, r journal.Run, by About) (*document.Results, bench.Info, error) {
	spec := &Spec{}
	if r.Kind == evalKind {
		if err := json.Unmarshal([]byte(r.Manifest), spec); err != nil {
			return nil, bench.Info{}, fmt.Errorf("manifest of run %s: %w", r.Name, err)
		}
	}
	if r.Kind != evalKind || spec.judge() == nil {
		return nil, bench.Info{}, omniscope.Usagef("run %s was judged by no model and has no answers to score again: an audit, predict, score and eval mcif are repeated by their own commands, as are those of curate; they ask and compute nothing twice", r.Name)
	}
	spec.Allow = true // what was scored once is scored again
	past := &past{store: s, run: r.Name}
	e, err := openPast(ctx, spec, past, memory{s, r.Name})
	if err != nil {
		return nil, bench.Info{}, err
	}
	defer e.Close()
	results, err := e.replay(ctx, s, r.Name, by)
	if err != nil {
		return nil, e.Info, err
	}
	past.warn(results)
	return results, e.Info, nil
}

// openPast opens a run's evaluation with a judge that remembers.
func openPast(ctx context.Context, spec *Spec, answers *past, journal run.Journal) (*Evaluation, error) {
	b, err := spec.benchmark()
	if err != nil {
		return nil, err
	}
	m, err := modelOfPast(spec.judge(), answers)
	if err != nil {
		return nil, err
	}
	calls := &Calls{AnyEndpoint: true}
	e := newEvaluation(spec, &Running{Machine: Machine{Calls: calls}}, b)
	e.Judge = m
	if err := e.openRoles(ctx, func(r *Role) (*Model, error) { return modelOfPast(r, answers) }); err != nil {
		return nil, err
	}
	if err := e.open(ctx); err != nil {
		return nil, err
	}
	once := &run.Once{Journal: journal, AnySource: true}
	for _, m := range e.asked() {
		m.connect(once)
	}
	if e.observers != nil {
		e.observers.once = func() *run.Once { return once }
	}
	return e, nil
}

// modelOfPast is a role's model that answers what it answered.
func modelOfPast(role *Role, answers *past) (*Model, error) {
	provider, name, err := catalog.SplitModel(role.Model)
	if err != nil {
		return nil, err
	}
	m := &Model{Role: role, Meter: &wrap.Meter{}, local: true, ByStep: provider.ByStep, provider: answers, Source: role.Source}
	return m, m.setJudge(name)
}

func (e *Evaluation) replay(ctx context.Context, s journal.Store, name string, by About) (*document.Results, error) {
	if err := unchanged(e.Spec.Inputs, e.Read.Inputs); err != nil {
		return nil, err
	}
	profile, _ := bench.ParseScoring(e.Spec.Profile)
	results, err := bench.Score(ctx, e.benchmark, e.opened, profile, bench.Options{
		Seed: e.Spec.Seed, Meters: metersOf(e.asked()), Engine: &local.Engine{Workers: runtime.NumCPU()}})
	if err != nil {
		return nil, err
	}
	if err := e.examinePast(ctx, memory{s, name}); err != nil {
		return nil, err
	}
	e.Spec.asThen(results)
	results.Usage.Calls, results.Usage.Failed = 0, 0 // calls that memory could not answer were not made
	used, err := s.Usage(ctx, name, wrap.CostOf)
	if err != nil {
		return nil, err
	}
	results.Run = document.RunInfo{ID: name, Version: by.Version, Command: by.Command, Finished: time.Now().UTC(), Inputs: e.Read.Inputs}
	e.describe(results, by)
	results.Usage = usageOf(used, nil, results.Usage)
	return results, nil
}

// asThen names the prompts the run was asked with, and warns of those that have
// changed since.
func (s *Spec) asThen(r *document.Results) {
	for i, p := range r.Judge.Prompts {
		if then := s.PromptDigests[p.Name]; then != "" && then != p.Digest {
			r.Judge.Prompts[i].Digest = then
			r.Warnings = append(r.Warnings, fmt.Sprintf("the prompt %s has changed since the run (%s then, %s now); these are the answers to the one of then", p.Name, then, p.Digest))
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
			return omniscope.Invalidf("%s has changed since the run (SHA-256 is now %s): its scores cannot be recomputed from it", path, d)
		}
	}
	return nil
}

// A past is the provider of a replay. Asked for what the journal does not
// remember under the request's key, it gives what the run was given for the
// same step and attempt: the failure, or the answer to a prompt that this version
// words differently.
type past struct {
	store journal.Store
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
func (p *past) warn(r *document.Results) {
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
	store journal.Store
	run   string
}

func (m memory) Lookup(ctx context.Context, key run.Key, _ string) (*run.Entry, error) {
	return m.store.RunAnswer(ctx, m.run, key)
}

func (memory) Append(context.Context, *run.Entry) error { return nil }
