package cloze

import (
	"context"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/model/wrap"
	"omniscope/run"
)

// modelFunc is a model that does not know which step it is asked about, as those behind endpoints.
type modelFunc func(text string) string

func (f modelFunc) Generate(_ context.Context, req *model.Request) (*model.Response, error) {
	return &model.Response{Text: f(req.Messages[0].Parts[0].Text), Finish: model.Stop}, nil
}

// TestRoundsAskAnew: a journal remembers replies by their messages. A later round asks the same as the first, whose replies were of no
// use, and must not be given those again.
func TestRoundsAskAnew(t *testing.T) {
	leak, leaked := leaking(t)
	mended := leaked
	mended.Answer = "zebra crossing"
	repairs := 0
	answers := modelFunc(func(text string) string {
		if !strings.Contains(text, leaked.Answer) || !strings.Contains(text, "[BLANK_1]") {
			return replyOf(t, leak)
		}
		if repairs++; repairs <= 3 {
			return "I cannot."
		}
		return repairOf(t, mended, "")
	})
	journal := runtest.NewMemory()
	stacked := wrap.Stack(answers, wrap.Options{Name: "some/model", Source: "test", Once: &run.Once{Journal: journal}})
	for range 2 { // the second time all is remembered
		d := &Drafter{Rules: Paper(), Rounds: 3, Asker: &judge.Judge{Name: "some/model", Request: "model", Attempts: 3, Model: stacked}}
		fixture.OK(t, d.LoadPrompts(nil, ""))
		out, err := d.New(t.Context(), approved)
		fixture.OK(t, err)
		if !out.Sound || out.Asked != 1+3+1 || repairs != 4 {
			t.Errorf("asked %d times, %d of them to mend: %+v", out.Asked, repairs, out)
		}
	}
}
