package benchtest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/model/scripted"
)

// staged is a benchmark that asks twice about a caption: which keypoints it
// has, and then, of each of those, whether the subject is right.
type staged struct{}

func (staged) Info() bench.Info {
	return bench.Info{Name: "staged", Title: "Staged", Paper: "none", Licence: "none", Judge: "some/model", Metric: &hits,
		StepKeys: "LINE/keypoints, then LINE/KEYPOINT"}
}

type captions struct {
	lines *rows.File
	in    bench.Inputs
	units int
}

func (staged) Open(ctx context.Context, in bench.Inputs) (bench.Evaluation, error) {
	path := in.Predictions
	if in.Data != "" {
		path = in.Data
	}
	lines, err := rows.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	e := &captions{lines: lines, in: in, units: lines.Len()}
	if in.Limit > 0 {
		e.units = in.Limit
	}
	return e, nil
}

func (e *captions) Plan() *bench.Plan {
	return &bench.Plan{System: "s", Units: e.units, Steps: func(i int) string { return fmt.Sprintf("%d/keypoints", i) },
		Inputs: map[string]string{e.lines.Path: e.lines.Digest}, Protocol: "staged1",
		Prompts: []judge.PromptInfo{{Name: "keypoints", Digest: "0", From: "built in"}}}
}

func (e *captions) Close() error { return e.lines.Close() }

func (e *captions) question(step, text string) judge.Question[[]string] {
	return judge.Question[[]string]{Step: step, Messages: []model.Message{model.Text(model.User, step+" "+text)},
		Read: func(reply string) ([]string, error) {
			if reply == "" {
				return nil, errors.New("it is empty")
			}
			return strings.Fields(reply), nil
		}}
}

func (e *captions) first(i int) (judge.Question[[]string], error) {
	text, err := e.lines.At(i)
	return e.question(e.Plan().Steps(i), string(text)), err
}

func (e *captions) Requests(i int) ([]*model.Request, error) {
	q, err := e.first(i)
	return []*model.Request{{Step: q.Step, Attempt: 1, Model: e.in.Judge.Request, Messages: q.Messages}}, err
}

func (e *captions) Evaluate(ctx context.Context, i int) (*bench.Result, error) {
	q, err := e.first(i)
	if err != nil {
		return nil, err
	}
	keypoints, err := judge.Ask(ctx, e.in.Judge, q)
	if err != nil {
		return nil, err
	}
	counts := metric.Counts{0, 0, 0}
	outcome := keypoints.Outcome
	if outcome != omniscope.OK {
		counts[2]++
	}
	for _, keypoint := range keypoints.Value {
		subject, err := judge.Ask(ctx, e.in.Judge, e.question(fmt.Sprintf("%d/%s", i, keypoint), keypoint))
		if err != nil {
			return nil, err
		}
		switch {
		case subject.Outcome != omniscope.OK:
			outcome = subject.Outcome
			counts[2]++
		case subject.Value[0] == "right":
			counts[0]++
		default:
			counts[1]++
		}
	}
	tallies := []bench.Tally{{Dimension: "overall", Counts: counts}}
	unit := fmt.Sprint(i)
	return &bench.Result{Unit: unit, Cluster: unit, Outcome: outcome, Tallies: [2][]bench.Tally{tallies, tallies},
		Records: [][]byte{fmt.Appendf(nil, "{\"unit\":%d,\"keypoints\":%d}\n", i, len(keypoints.Value))}}, nil
}

func TestUnitsWithTwoRounds(t *testing.T) {
	in := bench.Inputs{Predictions: fixture.File(t, "lines.jsonl", "first\nsecond\n"), Judge: &judge.Judge{Request: "m", Model: scripted.New(map[string][]scripted.Reply{
		"0/keypoints": {{Text: "x y"}}, "0/x": {{Text: "right"}}, "0/y": {{Text: "wrong"}},
		"1/keypoints": {{Text: "z"}}, "1/z": {{Text: ""}},
	})}}
	benchtest.Run(t, staged{}, in, options)

	ev, err := staged{}.Open(t.Context(), in)
	fixture.OK(t, err)
	defer ev.Close()
	r, err := bench.Score(t.Context(), staged{}, ev, bench.Strict, options(2))
	fixture.OK(t, err)
	if got := r.Headline.Scores["hits"]; *got.Value != 0.5 || got.Unscored != 1 || got.Bounds.High != 2.0/3 || r.Outcomes["unparsed"] != 1 {
		t.Errorf("%+v, outcomes %v", got, r.Outcomes)
	}
}
