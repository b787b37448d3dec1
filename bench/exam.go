package bench

import (
	"context"
	"fmt"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/run"
)

// An Examiner is an Evaluation with ten items that have known answers, in the form of its questions. A judge that
// answers many of them wrongly cannot judge.
type Examiner interface {
	Exam() ([]ExamItem, error)
}

// An ExamItem is a question of an examination. It is asked once, as the run asks first.
type ExamItem struct {
	Request *model.Request
	ask     func(context.Context) (examAnswer, error)
}

type examAnswer struct {
	outcome omniscope.Outcome
	right   bool
}

// NewExamItem makes an item of a question, to which right knows the right values.
func NewExamItem[T any](j *judge.Judge, q judge.Question[T], right func(T) bool) ExamItem {
	return ExamItem{
		Request: q.First(j),
		ask: func(ctx context.Context) (examAnswer, error) {
			// Its replies are no part of the run: neither of what can be read, nor of what stops it.
			once := *j
			once.Attempts, once.Readings, once.Reasons, once.Streak = 1, nil, nil, nil
			answer, err := judge.Ask(run.WithoutAskFailed(ctx), &once, q) // an answer of no use is a wrong one
			return examAnswer{answer.Outcome, answer.Outcome == omniscope.OK && right(answer.Value)}, err
		},
	}
}

// Examine asks all items through an engine. A reply that cannot be read is a wrong answer; a call that fails is not an answer.
func Examine(ctx context.Context, engine run.Engine, items []ExamItem) (*document.ExamInfo, error) {
	answers := make([]examAnswer, len(items))
	jobs := func(yield func(run.Job) bool) {
		for i := range items {
			if !yield(run.Job{ID: items[i].Request.Step, Seq: i}) {
				return
			}
		}
	}
	err := engine.Run(ctx, jobs, func(ctx context.Context, job run.Job) (err error) {
		answers[job.Seq], err = items[job.Seq].ask(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &document.ExamInfo{Items: len(items)}
	for i, a := range answers {
		switch {
		case a.right:
			out.Right++
			continue
		case a.outcome == omniscope.Failed || a.outcome == omniscope.Pending:
			out.Failed++
			continue
		case a.outcome != omniscope.OK:
			out.Unreadable++
		}
		out.Wrong++
		out.WrongItems = append(out.WrongItems, items[i].Request.Step)
	}
	return out, nil
}

// mostWrong is how many items of an examination a judge may answer wrongly.
const mostWrong = 3

// FailedExam describes an examination with too many wrong answers; "" = the judge passed, or was not examined.
func FailedExam(j *document.JudgeInfo) string {
	if j.Exam == nil || j.Exam.Wrong <= mostWrong {
		return ""
	}
	return fmt.Sprintf("the judge answered %d of %d examination items wrong", j.Exam.Wrong, j.Exam.Items)
}
