package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/harness"
	"omniscope/internal/input"
	"omniscope/internal/ondisk"
	"omniscope/session"
	"omniscope/session/catalog"
)

// A harnessLog is a log of another harness that is scored in place of a file of predictions.
type harnessLog struct {
	read *harness.Import
	text *os.File // the predictions that were made of it
}

// close removes what was made; nil is none.
func (l *harnessLog) close() error {
	if l == nil {
		return nil
	}
	return l.text.Close()
}

// openHarnessLog reads a log of another harness where the predictions are one. The context that it
// returns has the benchmark find predictions of its own form there: no benchmark knows of harnesses.
// nil = they are no such log.
func (e *Evaluation) openHarnessLog(ctx context.Context, in *bench.Inputs) (context.Context, *harnessLog, error) {
	if len(in.Folders)+len(in.Parts) > 0 {
		return ctx, nil, nil
	}
	if !ondisk.IsFile(in.Predictions) {
		return ctx, nil, nil // a pipe is read as what it is said to be
	}
	g, err := harness.Look(ctx, in.Predictions)
	if omniscope.KindOf(err) == omniscope.Invalid && (g == nil || strings.HasSuffix(in.Predictions, ".eval")) {
		return ctx, nil, err // a log that was cut off
	}
	if err != nil {
		return ctx, nil, nil // the benchmark says what is wrong with the file
	}
	h := harness.Recognise(catalog.Harnesses, g)
	if h == nil {
		return ctx, nil, nil
	}
	writer, ok := e.benchmark.(bench.AnswerWriter)
	if !ok || in.Data == "" {
		return ctx, nil, omniscope.Invalidf("%s is a log of %s, in which texts may stand that no model wrote: write its answers with `omniscope import %s %[1]s` and the benchmark that it is of, and give those", in.Predictions, h.Title, h.Name)
	}
	if in.CaptionField != "" {
		return ctx, nil, omniscope.Invalidf("%s is a log of %s, whose answers are read from where it keeps them and not from the field %q: leave --caption-field out", in.Predictions, h.Title, in.CaptionField)
	}
	if e.Info.JudgeOptional && in.Judge != nil {
		return ctx, nil, omniscope.Invalidf("%s is a log of %s, and a model is named that answers from captions: if the log has captions, write them with `omniscope import %s` and the benchmark that it is of, and give those; if it has answers, leave the model out", in.Predictions, h.Title, h.Name)
	}
	l, err := readHarnessLog(ctx, &harness.Request{Harness: h, Benchmark: writer, Data: in.Data, Paths: []string{in.Predictions}, System: in.System,
		AnyQuestions: bench.Given(e.benchmark)[bench.AnyQuestions] == "true"})
	if err != nil {
		return ctx, nil, err
	}
	in.System = l.read.Answers.System
	return input.Instead(ctx, in.Predictions, l.text, l.read.Digest()), l, nil
}

// readHarnessLog reads a log, all of which must be clear.
func readHarnessLog(ctx context.Context, r *harness.Request) (*harnessLog, error) {
	read, err := harness.Read(ctx, r)
	if err == nil {
		err = read.Whole()
	}
	if err == nil && len(read.Answers.List) == 0 {
		err = errors.New("none of its samples has an answer")
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, omniscope.Invalidf("%s is a log of %s and cannot be scored as it is (%w): look into it with `omniscope import %s %[1]s --bench %[5]s --data %[6]s -o predictions.jsonl`, and score what that writes",
			r.Paths[0], r.Harness.Title, err, r.Harness.Name, r.Benchmark.Info().Name, r.Data)
	}
	text, err := input.Temporary()
	if err != nil {
		return nil, err
	}
	if _, err := r.Benchmark.WriteAnswers(text, read.Answers); err != nil {
		return nil, errors.Join(err, text.Close())
	}
	return &harnessLog{read, text}, nil
}

// tell says what was recognised, and warns where samples were left out or are odd.
func (l *harnessLog) tell(path string, models *session.Models, plan *bench.Plan) {
	if l == nil {
		return
	}
	told := path + " is " + l.read.Told()
	models.Asks(told)
	plan.Warnings = append(plan.Warnings, l.read.Warnings...)
	if l.read.Suspicions() > 0 || l.read.Lacking() > 0 || len(l.read.Differ) > 0 {
		plan.Warnings = append(plan.Warnings, told+fmt.Sprintf("; `omniscope import %s` says which", l.read.Harness.Name))
	}
}

// ImportVerdict is an error if too many samples of a log have no answer, or if the harness judges too many
// answers otherwise. allowed and differing are the largest allowed shares; details is the file that lists them.
func ImportVerdict(i *harness.Import, allowed, differing float64, details string) error {
	switch lacking, all := i.Lacking(), i.Matched(); {
	case len(i.Answers.List) == 0:
		return fmt.Errorf("%w: none of the %d samples of the log has an answer; %s says why", session.ErrTooManyFailures, all, details)
	case float64(lacking) > allowed*float64(all):
		return fmt.Errorf("%w: %d of the %d samples of the log have no answer, more than --max-failures %g allows; %s says why", session.ErrTooManyFailures, lacking, all, allowed, details)
	case float64(len(i.Differ)) > differing*float64(i.Judged):
		return fmt.Errorf("%w: %s, more than --max-differences %g allows; the lines with \"differs\" in %s are these: either the answers are read wrongly on one side, or the log has other questions", session.ErrTooManyFailures, i.Disagreement(), differing, details)
	}
	return nil
}
