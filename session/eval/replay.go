package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"time"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/local"
	"omniscope/session"
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
	past := &session.Past{Store: s, Run: r.Name}
	e, err := openPast(ctx, spec, past, session.Remembered{Store: s, Run: r.Name})
	if err != nil {
		return nil, bench.Info{}, err
	}
	defer e.Close()
	results, err := e.replay(ctx, s, r.Name, by)
	if err != nil {
		return nil, e.Info, err
	}
	past.Warn(results)
	return results, e.Info, nil
}

// openPast opens a run's evaluation with a judge that remembers.
func openPast(ctx context.Context, spec *Spec, answers *session.Past, journal run.Journal) (*Evaluation, error) {
	m, err := session.ModelOfPast(spec.judge(), answers)
	if err != nil {
		return nil, err
	}
	e := newEvaluation(spec, &Options{Machine: session.Machine{Calls: &session.Calls{AnyEndpoint: true}}})
	e.Judge = m
	if err := e.setBenchmark(); err != nil {
		return nil, err
	}
	if err := e.openRoles(ctx, func(r *session.Role) (*session.Model, error) { return session.ModelOfPast(r, answers) }); err != nil {
		return nil, err
	}
	if err := e.open(ctx); err != nil {
		return nil, err
	}
	once := &run.Once{Journal: journal, AnySource: true}
	for _, m := range e.asked() {
		m.Connect(once)
	}
	if e.observers != nil {
		e.observers.once = func() *run.Once { return once }
	}
	return e, nil
}

func (e *Evaluation) replay(ctx context.Context, s journal.Store, name string, by About) (*document.Results, error) {
	if err := session.Unchanged(e.Spec.Inputs, e.Read.Inputs); err != nil {
		return nil, err
	}
	profile, _ := bench.ParseScoring(e.Spec.Profile)
	results, err := bench.Score(ctx, e.benchmark, e.opened, profile, bench.Options{
		Seed: e.Spec.Seed, Meters: session.MetersOf(e.asked()), Engine: &local.Engine{Workers: runtime.NumCPU()}})
	if err != nil {
		return nil, err
	}
	if err := e.examinePast(ctx, session.Remembered{Store: s, Run: name}); err != nil {
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
	results.Usage = session.UsageOf(used, nil, results.Usage)
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
