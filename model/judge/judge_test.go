package judge_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/model"
	"omniscope/model/judge"
)

// replies is a model that gives one reply after another and notes what it was
// asked. A reply is a text, a *model.Response or an error.
type replies struct {
	list []any
	was  []*model.Request
}

func (r *replies) Generate(_ context.Context, req *model.Request) (*model.Response, error) {
	if len(r.was) >= len(r.list) {
		return nil, errors.New("asked too often")
	}
	next := r.list[len(r.was)]
	r.was = append(r.was, req)
	switch v := next.(type) {
	case error:
		return nil, v
	case *model.Response:
		return v, nil
	}
	return &model.Response{Text: next.(string)}, nil
}

func failing(kind omniscope.Kind) error {
	return &omniscope.Error{Kind: kind, Op: "ask", Err: errors.New("broken")}
}

// yes is a question that only "yes" answers.
func yes() judge.Question[bool] {
	return judge.Question[bool]{
		Step:     "7",
		Messages: []model.Message{model.Text(model.System, "be brief"), model.Text(model.User, "is it?")},
		Schema:   func() *model.Schema { return &model.Schema{Name: "yes"} },
		Read: func(reply string) (bool, error) {
			if reply != "yes" {
				return false, fmt.Errorf("it says %q", reply)
			}
			return true, nil
		},
	}
}

func TestAsk(t *testing.T) {
	transient := failing(omniscope.Transient)
	cut := &model.Response{Text: "ye", Finish: model.Length}
	refusal := &model.Response{Refusal: "no thanks"}
	for _, c := range []struct {
		name     string
		attempts int
		replies  []any
		outcome  omniscope.Outcome
		asked    int
	}{
		{"once", 3, []any{"yes"}, omniscope.OK, 1},
		{"until it can be read", 3, []any{"no", "no", "yes"}, omniscope.OK, 3},
		{"no more often than allowed", 2, []any{"no", "no", "yes"}, omniscope.Unparsed, 2},
		{"once where nothing is said", 0, []any{"no", "yes"}, omniscope.Unparsed, 1},
		{"again after a transient failure", 3, []any{transient, "no", "yes"}, omniscope.OK, 3},
		{"failed to the end", 2, []any{transient, transient}, omniscope.Failed, 2},
		{"an exhausted call is not tried again", 3, []any{failing(omniscope.Exhausted), "yes"}, omniscope.Failed, 1},
		{"nor one the model declined", 3, []any{failing(omniscope.Declined), "yes"}, omniscope.Refused, 1},
		{"nor one outside the protocol", 3, []any{failing(omniscope.Malformed), "yes"}, omniscope.Unparsed, 1},
		{"nor one that was not valid", 3, []any{failing(omniscope.Invalid), "yes"}, omniscope.Failed, 1},
		{"a refusal in words is asked again", 2, []any{refusal, "yes"}, omniscope.OK, 2},
		{"a refusal to the end", 2, []any{refusal, refusal}, omniscope.Refused, 2},
		{"cut off to the end", 2, []any{cut, cut}, omniscope.Truncated, 2},
		{"cut off, but whole", 2, []any{&model.Response{Text: "yes", Finish: model.Length}}, omniscope.OK, 1},
		{"the last attempt decides", 2, []any{cut, "no"}, omniscope.Unparsed, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &replies{list: c.replies}
			answer, err := judge.Ask(t.Context(), &judge.Judge{Model: m, Request: "m", Attempts: c.attempts}, yes())
			if err != nil || answer.Outcome != c.outcome || answer.Value != (c.outcome == omniscope.OK) {
				t.Errorf("got %+v, %v, want %v", answer, err, c.outcome)
			}
			if len(m.was) != c.asked || len(answer.Attempts) != c.asked {
				t.Errorf("asked %d times, %d attempts, want %d", len(m.was), len(answer.Attempts), c.asked)
			}
			for i, a := range answer.Attempts {
				if failed := reflect.TypeOf(c.replies[i]) == reflect.TypeOf(transient); failed != (a.Response == nil) || (a.Err == nil) != (a.Outcome == omniscope.OK) {
					t.Errorf("attempt %d: %+v", i+1, a)
				}
			}
		})
	}
}

// The first asking is the published one; later ones tell what was wrong.
func TestRepairConversation(t *testing.T) {
	m := &replies{list: []any{"no", failing(omniscope.Transient), "", "yes"}}
	q := yes()
	if _, err := judge.Ask(t.Context(), &judge.Judge{Model: m, Request: "m", Attempts: 4}, q); err != nil {
		t.Fatal(err)
	}
	tail := func(reply, why string) []model.Message {
		return []model.Message{model.Text(model.Assistant, reply), model.Text(model.User, "That reply cannot be used: "+why+
			". Answer the same task again. Reply with the JSON object alone, in the form that was asked for.")}
	}
	for i, want := range [][]model.Message{nil, tail("no", `it says "no"`), tail("no", `it says "no"`), tail("(empty)", `it says ""`)} {
		req := m.was[i]
		if got := req.Messages[2:]; !reflect.DeepEqual(req.Messages[:2], q.Messages) || len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("attempt %d: asked %+v", i+1, req.Messages)
		}
		if req.Step != "7" || req.Attempt != i+1 || req.Model != "m" || (req.Schema != nil) != (i > 0) {
			t.Errorf("attempt %d: asked %+v", i+1, req)
		}
	}
}

func TestAskWithoutASchema(t *testing.T) {
	m, q := &replies{list: []any{"no", "yes"}}, yes()
	q.Schema = nil
	if _, err := judge.Ask(t.Context(), &judge.Judge{Model: m, Attempts: 2}, q); err != nil || m.was[1].Schema != nil {
		t.Errorf("%v, %+v", err, m.was[1])
	}
}

func TestErrorsThatStopRun(t *testing.T) {
	plain := errors.New("the disk is full")
	for _, err := range []error{failing(omniscope.Budget), failing(omniscope.Denied), failing(omniscope.Internal), failing(omniscope.Usage),
		plain, context.Canceled, fmt.Errorf("waiting: %w", context.Canceled)} {
		m := &replies{list: []any{"no", err, "yes"}}
		_, got := judge.Ask(t.Context(), &judge.Judge{Model: m, Attempts: 3}, yes())
		if !errors.Is(got, err) || len(m.was) != 2 {
			t.Errorf("%v: the run was told %v after %d calls", err, got, len(m.was))
		}
	}
}

// A call that fails because the run is winding down is no outcome.
func TestRunEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := judge.Ask(ctx, &judge.Judge{Model: &replies{list: []any{failing(omniscope.Transient), "yes"}}, Attempts: 2}, yes())
	if err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("got %v", err)
	}
}
