package questions

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/model/wrap"
	"omniscope/run"
)

// modelFunc is a model that knows the text it is sent and not the step, as those behind endpoints.
type modelFunc func(text string) string

func (f modelFunc) Generate(_ context.Context, req *model.Request) (*model.Response, error) {
	return &model.Response{Text: f(req.Messages[0].Parts[0].Text), Finish: model.Stop}, nil
}

// remembered asks a model through a journal, as a run does.
func remembered(m model.Model) *judge.Judge {
	stacked := wrap.Stack(m, wrap.Options{Name: "some/model", Source: "test", Once: &run.Once{Journal: runtest.NewMemory()}})
	return &judge.Judge{Name: "some/model", Request: "model", Attempts: 3, Model: stacked}
}

func said(t *testing.T, o object) string {
	t.Helper()
	text, err := json.Marshal(o)
	fixture.OK(t, err)
	return string(text)
}

// TestRoundsAskAnew: a later round asks the same as the first, whose replies were of no use, and must not be given those again.
func TestRoundsAskAnew(t *testing.T) {
	want, faulty := sound(t), sound(t)
	change(faulty, 8, func(q *draftQuestion) { q.Text = "Were goats left out?" })
	repairs := 0
	d := &Drafter{Rounds: 3, Asker: remembered(modelFunc(func(text string) string {
		switch {
		case strings.HasPrefix(text, "A recorded talk"):
			return said(t, asked(want))
		case strings.HasPrefix(text, "Write questions"):
			return said(t, drafted(faulty))
		}
		if repairs++; repairs <= 3 {
			return "I cannot."
		}
		return said(t, object{"question": "Which animals were left out?", "answer": "Goats were left out.", "label": "A", "from": []string{"T8"}})
	}))}
	fixture.OK(t, d.LoadPrompts(nil, ""))
	for range 2 { // the second time all is remembered
		out, err := d.New(t.Context(), want.Talk)
		fixture.OK(t, err)
		if _, rejected := out.Rows("m"); len(rejected) > 0 || out.Asked != 2+3+1 || repairs != 4 {
			t.Errorf("asked %d times, %d of them to mend, rejected %+v", out.Asked, repairs, rejected)
		}
	}
}

// TestRunsAskAnew: a draft of one question has one order. The second blind run is asked all the same, and the judge may say something
// else than in the first.
func TestRunsAskAnew(t *testing.T) {
	d := sound(t)
	d.Questions = d.Questions[7:8]
	blind, graded := 0, 0
	number := regexp.MustCompile(`(?m)^Question (\d+):`)
	tester := &Tester{Runs: 3, Asker: remembered(modelFunc(func(text string) string {
		if strings.HasPrefix(text, "Compare") {
			if graded++; graded == 1 {
				return "I cannot."
			}
			return said(t, object{number.FindStringSubmatch(text)[1]: "right"})
		}
		if !strings.Contains(text, "The passages:") {
			if blind++; blind == 3 {
				return said(t, object{"8": "NONE"})
			}
		}
		return said(t, object{"8": "Goats."})
	}))}
	fixture.OK(t, tester.LoadPrompts(nil, ""))
	for range 2 {
		out, err := tester.Test(t.Context(), d)
		fixture.OK(t, err)
		if fmt.Sprint(found(out)) != "[sense 8]" || out.Failed() || blind != 3 { // sight answers it, which is said to need the sound
			t.Errorf("blind runs asked %d times: %+v", blind, out)
		}
	}
}
