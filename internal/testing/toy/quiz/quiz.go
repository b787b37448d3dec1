// Package quiz is a benchmark for tests: multiple choice, of which an extractor, if
// there is one, and then a judge reads the chosen letter.
package quiz

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/internal/testing/toy/exact"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

// Benchmark is the quiz.
type Benchmark struct {
	Letters string // that an answer may be
}

// New returns the quiz with its defaults.
func New() *Benchmark { return &Benchmark{Letters: "ABCD"} }

// Info implements bench.Benchmark.
func (*Benchmark) Info() bench.Info {
	return bench.Info{
		Name: "quiz", Title: "Quiz: multiple choice for tests", Paper: "none", Licence: "none", Judge: "parrot/letters", StepKeys: "the question's id",
		Roles:  []bench.RoleInfo{{Name: "extractor", Help: "model that finds the letter in an answer of several words, before the judge is asked"}},
		Asking: bench.Asking{OfficialAttempts: 1, Attempts: 1}, Metric: &exact.Metric, Examples: "  omniscope eval quiz -p answers.jsonl",
		Files: bench.Files{Predictions: "file of answers: JSON Lines with id, key and answer"},
	}
}

// Options implements bench.Optioned.
func (b *Benchmark) Options() []bench.Option {
	return []bench.Option{{Name: "letters", Help: "letters that an answer may be", Value: bench.Text(&b.Letters)}}
}

type row struct{ ID, Key, Answer string }

type evaluation struct {
	b    *Benchmark
	in   bench.Inputs
	rows []row
	plan bench.Plan
}

// Open implements bench.Benchmark.
func (b *Benchmark) Open(ctx context.Context, in bench.Inputs) (bench.Evaluation, error) {
	lines, err := rows.Open(ctx, in.Predictions)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	e := &evaluation{b: b, in: in, rows: make([]row, lines.Len())}
	err = lines.Check(ctx, func(i int, text []byte) error {
		if err := json.Unmarshal(text, &e.rows[i]); err != nil || e.rows[i].ID == "" {
			return lines.Bad(i, text, errors.New("want id, key and answer"))
		}
		return nil
	})
	e.plan = bench.Plan{System: bench.SystemName(in.Predictions), Units: len(e.rows), Steps: func(i int) string { return e.rows[i].ID },
		Inputs: map[string]string{in.Predictions: lines.Digest}, Protocol: "quiz1", Data: lines.Digest[:12]}
	return e, err
}

func (e *evaluation) Plan() *bench.Plan { return &e.plan }
func (e *evaluation) Close() error      { return nil }

func (e *evaluation) question(i int) judge.Question[string] {
	return judge.Question[string]{Step: e.rows[i].ID, Messages: []model.Message{model.Text(model.User, "Repeat the answer: "+e.rows[i].Answer)},
		Read: func(reply string) (string, error) {
			if len(reply) != 1 || !strings.Contains(e.b.Letters, reply) {
				return "", fmt.Errorf("%q is none of the letters %s", reply, e.b.Letters)
			}
			return reply, nil
		}}
}

// Requests implements bench.Evaluation.
func (e *evaluation) Requests(i int) ([]*model.Request, error) {
	q := e.question(i)
	return []*model.Request{{Step: q.Step, Attempt: 1, Model: e.in.Judge.Request, Messages: q.Messages, Params: e.in.Judge.Params}}, nil
}

// ask goes along the chain until a model finds a letter.
func (e *evaluation) ask(ctx context.Context, i int) (answer judge.Answer[string], err error) {
	q := e.question(i)
	if extractor := e.in.Roles["extractor"]; extractor != nil {
		first := q
		first.Step += "/extractor"
		if answer, err = judge.Ask(ctx, extractor, first); err != nil || answer.Outcome == omniscope.OK {
			return answer, err
		}
	}
	return judge.Ask(ctx, e.in.Judge, q)
}

// Evaluate implements bench.Evaluation.
func (e *evaluation) Evaluate(ctx context.Context, i int) (*bench.Result, error) {
	if e.in.Judge == nil {
		return nil, omniscope.Usagef("the quiz wants a --judge")
	}
	answer, err := e.ask(ctx, i)
	if err != nil {
		return nil, err
	}
	counts := metric.Counts{0, 0, 1}
	if answer.Outcome == omniscope.OK {
		counts[1] = 1
		if answer.Value == e.rows[i].Key {
			counts[0] = 1
		}
	}
	r := &bench.Result{Unit: e.rows[i].ID, Cluster: e.rows[i].ID, Outcome: answer.Outcome}
	for scoring := range r.Tallies {
		r.Tallies[scoring] = []bench.Tally{{Dimension: "overall", Counts: counts}}
	}
	return r, nil
}
