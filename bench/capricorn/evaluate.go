package capricorn

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"omniscope"
	"omniscope/bench"
	"omniscope/model"
	"omniscope/model/judge"
)

// An evaluation is one set of captions opened for scoring.
type evaluation struct {
	b       Benchmark
	in      bench.Inputs
	judge   *judge.Judge // nil = the offline reader
	prompts prompts
	data    *data
	known   *past // judgements of an earlier run's files; may be empty
	plan    *bench.Plan

	mu     sync.Mutex
	scores []videoScore // by unit, for the published metric files
	worst  worst
	effect *effects
}

func (e *evaluation) Plan() *bench.Plan { return e.plan }

func (e *evaluation) Close() error { return errors.Join(e.data.Close(), e.known.Close()) }

func (e *evaluation) newPlan() *bench.Plan {
	system := e.in.System
	if system == "" {
		system = bench.SystemName(e.in.Predictions)
	}
	p := &bench.Plan{
		System: system, Units: len(e.data.units), Of: e.data.of, Part: e.part(),
		Steps:    func(i int) string { return e.stepOf(i) },
		Inputs:   map[string]string{e.in.Data: e.data.rows.Digest, e.in.Predictions: e.data.captions.Digest},
		Protocol: "judge-mode:" + e.b.mode() + "|" + readers,
		Data:     hex.EncodeToString(e.data.digest.Sum(nil)[:6]),
		Warnings: e.data.warnings,
		Baseline: e.judge == nil,
		Further:  "one for each subject that is mentioned more than once",
	}
	if e.judge == nil {
		p.Protocol += "|" + offlineReader
	}
	if e.b.Continue != "" {
		e.planContinued(p)
	}
	if e.judge != nil {
		for _, prompt := range e.promptsInUse() {
			p.Prompts = append(p.Prompts, prompt.Info())
		}
	}
	return p
}

// part distinguishes CapRiCorn-1K from CapRiCorn-1K-V (the annotations have the same form); nil = not known.
func (e *evaluation) part() map[string]string {
	modality := e.b.Annotations
	name, _, _ := strings.Cut(filepath.Base(e.in.Data), ".")
	switch {
	case modality != "":
	case name == "annotations_vision_only":
		modality = string(omniscope.Visual)
	case name == "annotations":
		modality = string(omniscope.AudioVisual)
	default:
		return nil
	}
	return map[string]string{"modality": modality}
}

// planContinued adds the earlier run's files to the inputs and to the signature,
// because these files do not say which judge they come from.
func (e *evaluation) planContinued(p *bench.Plan) {
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(e.known.inputs)) {
		p.Inputs[path] = e.known.inputs[path]
		fmt.Fprintln(h, e.known.inputs[path])
	}
	p.Protocol += fmt.Sprintf("|continued:%x", h.Sum(nil)[:6])
	n := 0
	for _, place := range e.data.units {
		if _, ok := e.known.first[place.id]; ok {
			n++
		}
	}
	p.Warnings = append(slices.Clone(p.Warnings), fmt.Sprintf("%d of %d videos have judgements in %s: they are those of the judge and the prompts of that run", n, p.Units, e.b.Continue))
}

func (e *evaluation) promptsInUse() []*judge.Prompt {
	if e.b.Batched {
		return []*judge.Prompt{e.prompts.batch, e.prompts.cluster}
	}
	return []*judge.Prompt{e.prompts.subject, e.prompts.other, e.prompts.cluster}
}

// stepOf names the first call of unit i.
func (e *evaluation) stepOf(i int) string {
	p := e.data.units[i]
	switch {
	case e.b.Batched:
		return p.id + "/batch"
	case p.first == "":
		return p.id
	}
	return p.first
}

// Requests implements bench.Evaluation. It returns the calls about events; the
// number of calls about subjects depends on their answers.
func (e *evaluation) Requests(i int) ([]*model.Request, error) {
	if e.judge == nil {
		return nil, nil
	}
	u, err := e.openUnit(i)
	if err != nil || u.unasked != "" {
		return nil, err
	}
	e.known.fill(u)
	var out []*model.Request
	_, events := u.openEvents()
	if e.b.Batched && len(events) > 0 {
		q := e.batchQuestion(u.v, events, nil, nil)
		return []*model.Request{q.First(e.batchJudge(len(events)))}, nil
	}
	seen := make(map[string]bool) // a repeated event counts once: how often it is asked depends on the replies
	for _, ev := range events {
		if q := e.prompts.eventQuestion(u.v, ev, 0); !seen[q.Step] {
			seen[q.Step] = true
			out = append(out, q.First(e.judge))
		}
	}
	return out, nil
}

// batchQuestion makes one question about several events, with the wanted form if the judge gets it with the first asking.
func (e *evaluation) batchQuestion(v *video, events []event, found map[int]judgement, kept []keeper) judge.Question[struct{}] {
	q := e.prompts.batchQuestion(v, events, found, kept)
	if e.judge.Schema {
		q.Schema = func() *model.Schema { return batchSchema(events) }
	}
	return q
}

// openUnit reads unit i and decides whether the judge is asked about it.
func (e *evaluation) openUnit(i int) (*unit, error) {
	v, err := e.data.load(i)
	if err != nil {
		return nil, err
	}
	u := newUnit(v, e.in.Scoring, e.b.Batched)
	u.offline = e.judge == nil
	place := e.data.units[i]
	if place.captions > 1 && !place.clash {
		u.differ(whatTwice, len(v.events), "the published script scores the video once for each; here it is scored once", "score it once")
	}
	switch {
	case v.absent:
		u.skip(skipReason{whatNoCaption, omniscope.Missing}, "vanish from the means")
	case v.null:
		u.skipInStrict(skipReason{whatNullCaption, omniscope.Missing}, "asks about the word None")
	case place.clash:
		u.skipInStrict(skipReason{whatClash, omniscope.Unparsed}, "the last is scored; the published script scores the video once for each")
	case v.caption == "":
		u.skipInStrict(skipReason{whatEmpty, omniscope.Abstained}, "asks about them as about any other")
	}
	return u, nil
}

// Evaluate implements bench.Evaluation.
func (e *evaluation) Evaluate(ctx context.Context, i int) (*bench.Result, error) {
	u, err := e.openUnit(i)
	if err != nil {
		return nil, err
	}
	if u.unasked == "" {
		if err := e.judgeUnit(ctx, u); err != nil {
			return nil, err
		}
	}
	u.computeOutcome()
	return e.result(i, u)
}

func (e *evaluation) judgeUnit(ctx context.Context, u *unit) error {
	e.known.fill(u)
	if e.judge == nil {
		u.readOffline()
	} else if err := u.askEvents(ctx, e); err != nil {
		return err
	}
	return u.askGroups(ctx, e)
}

func (e *evaluation) result(i int, u *unit) (*bench.Result, error) {
	records, err := u.records()
	if err != nil {
		return nil, fmt.Errorf("video %s: %w", u.v.id, err)
	}
	r := &bench.Result{Unit: u.v.id, Cluster: u.v.id, Outcome: u.outcome, Records: records, Verdicts: u.verdicts(),
		Differences: u.differences, Warnings: u.warnings()}
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		r.Tallies[p] = u.tallies(p)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.scores[i] = u.videoScore(r.Tallies[bench.Official])
	e.effect.add(i, u)
	e.worst.add(i, u)
	return r, nil
}
