package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/session/catalog"
)

// ModelOfPast is a role's model that answers what it answered.
func ModelOfPast(role *Role, answers *Past) (*Model, error) {
	provider, name, err := catalog.SplitModel(role.Model)
	if err != nil {
		return nil, err
	}
	m := &Model{Role: role, Meter: &wrap.Meter{}, Local: true, ByStep: provider.ByStep, provider: answers, Source: role.Source}
	return m, m.setJudge(name)
}

// Unchanged compares the inputs' digests with the digests of the run.
func Unchanged(then, now map[string]string) error {
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

// A Past is the provider of a replay. Asked for what the journal does not
// remember under the request's key, it gives what the run was given for the
// same step and attempt: the failure, or the answer to a prompt that this version
// words differently.
type Past struct {
	Store journal.Store
	Run   string

	Reworded, Unknown atomic.Int64
}

func (p *Past) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	var last *wrap.Result
	for c, err := range p.Store.Calls(ctx, p.Run, req.Step) {
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
		p.Unknown.Add(1)
		return nil, &omniscope.Error{Kind: omniscope.Transient, Err: fmt.Errorf("no remembered answer to %s, attempt %d", req.Step, req.Attempt)}
	case last.Error != "":
		return nil, &omniscope.Error{Kind: failureKind(last.Kind), Err: errors.New(last.Error)}
	}
	p.Reworded.Add(1)
	return last.Response(), nil
}

// Warn adds warnings about answers that were not found by their requests.
func (p *Past) Warn(r *document.Results) {
	if n := p.Reworded.Load(); n > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d answers were given to requests that this version words otherwise; they were found by step and attempt", n))
	}
	if n := p.Unknown.Load(); n > 0 {
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

// Remembered is what one run remembers, only to be read.
type Remembered struct {
	Store journal.Store
	Run   string
}

func (m Remembered) Lookup(ctx context.Context, key run.Key, _ string) (*run.Entry, error) {
	return m.Store.RunAnswer(ctx, m.Run, key)
}

func (Remembered) Append(context.Context, *run.Entry) error { return nil }
