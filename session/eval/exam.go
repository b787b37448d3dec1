package eval

import (
	"context"
	"errors"
	"fmt"
	"io"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/model/wrap"
	"omniscope/run/local"
	"omniscope/session"
)

// examItems are the items by which the judge is examined; nil = it is not. Scripts, people and the offline
// baseline are not: an examination shows what a model's answers are worth.
func (e *Evaluation) examItems() ([]bench.ExamItem, error) {
	x, ok := e.opened.(bench.Examiner)
	if !ok || e.options.Calls.SkipExam || e.Judge == nil || e.Judge.Judge == nil || e.Judge.Local {
		return nil, nil
	}
	if asks, err := e.asksAnything(); err != nil || !asks {
		return nil, err
	}
	return x.Exam()
}

// asksAnything reports whether a unit has a question: nearly always the first one has.
func (e *Evaluation) asksAnything() (bool, error) {
	for i := range e.Read.Units {
		if requests, err := e.opened.Requests(i); err != nil || len(requests) > 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// examine examines the judge. The journal remembers its answers, so that it costs one call an item once for each
// benchmark, model and its settings. A model that cannot be asked stops the run only if the run asks it, too.
func (e *Evaluation) examine(ctx context.Context, warnings io.Writer) error {
	items, err := e.examItems()
	if err != nil || len(items) == 0 {
		return err
	}
	e.exam, err = bench.Examine(ctx, &local.Engine{Workers: len(items)}, items)
	switch kind := omniscope.KindOf(err); {
	case err == nil:
	case ctx.Err() != nil || errors.Is(err, context.Canceled) || !kind.EndsRun():
		return err
	default:
		e.unexamined = err
		return nil
	}
	if failed := bench.FailedExam(&document.JudgeInfo{Exam: e.exam}); failed != "" {
		fmt.Fprintf(warnings, "warning: %s: its scores are marked and have no rank\n", failed)
	}
	return nil
}

// examinePast reads the examination of a run that is scored again: it counts only if memory has all its answers.
func (e *Evaluation) examinePast(ctx context.Context, answers session.Remembered) error {
	x, ok := e.opened.(bench.Examiner)
	if !ok || e.Judge == nil || e.Judge.Judge == nil {
		return nil
	}
	items, err := x.Exam()
	if err != nil || len(items) == 0 {
		return err
	}
	for _, item := range items {
		_, key, err := wrap.Canonical(wrap.KeyName(e.Judge.Role.Model, e.Judge.ByStep, item.Request), item.Request)
		if err != nil {
			return err
		}
		if entry, err := answers.Lookup(ctx, key, ""); err != nil || entry == nil {
			return err
		}
	}
	e.exam, err = bench.Examine(ctx, &local.Engine{Workers: len(items)}, items)
	return err
}

// describeExam adds the examination to the results.
func (e *Evaluation) describeExam(r *document.Results) {
	switch x := e.exam; {
	case e.unexamined != nil:
		r.Warnings = append(r.Warnings, fmt.Sprintf("the judge was not examined: %v", e.unexamined))
	case x != nil && x.Failed > 0:
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d calls of the judge's examination failed: run the same command again", x.Failed, x.Items))
	}
	if e.exam == nil {
		return
	}
	r.Judge.Exam = e.exam
	bench.Mark(r)
	if failed := bench.FailedExam(&r.Judge); failed != "" {
		r.Warnings = append(r.Warnings, failed+": no score of this run is to be trusted; take another judge")
	}
}

// addExam counts the examination of the judge, once for all runs of a command.
func (d *Forecast) addExam(ctx context.Context, e *Evaluation) error {
	items, err := e.examItems()
	if err != nil {
		return err
	}
	judge := d.asked[0]
	for _, item := range items {
		remembered, key, err := judge.IsKnown(ctx, item.Request)
		switch {
		case err != nil:
			return err
		case remembered:
			d.Remembered++
		case e.models.Shared.ForecastOnce(judge.Model.Source, key):
			judge.Call(item.Request)
			judge.Most.AskOnce(item.Request)
			d.Exam++
		}
	}
	return nil
}
