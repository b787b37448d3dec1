package eval

import (
	"context"
	"errors"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/runtest"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/perceive"
	"omniscope/run"
	"omniscope/session/tools"
)

// An eye reports what a model sees, which is remembered; an empty reply is of no use.
type eye struct {
	perceive.Tool
	model model.Model
}

func (e eye) Observe(ctx context.Context, _ *perceive.Clip, question string) (*perceive.Answer, error) {
	resp, err := e.model.Generate(ctx, &model.Request{Model: "m", Step: question, Attempt: 1, Messages: []model.Message{model.Text(model.User, question)}})
	if err == nil && resp.Text == "" {
		err = &omniscope.Error{Kind: omniscope.Malformed, Err: errors.New("the reply is empty")}
	}
	return &perceive.Answer{}, err
}

type modelFunc func(context.Context, *model.Request) (*model.Response, error)

func (f modelFunc) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	return f(ctx, req)
}

// TestAskFailedObservers has a journal with an empty reply, and a model that answers by now.
func TestAskFailedObservers(t *testing.T) {
	once, asked, reply := &run.Once{Journal: runtest.NewMemory()}, 0, ""
	observer := tools.AskedAgain{Tool: eye{model: wrap.Stack(modelFunc(func(context.Context, *model.Request) (*model.Response, error) {
		asked++
		return &model.Response{Text: reply}, nil
	}), wrap.Options{Name: "openai/m", Once: once})}}
	for _, c := range []struct {
		name      string
		askFailed bool
		reply     string
		asked     int
		ok        bool
	}{
		{"the first command", false, "", 1, false},
		{"the same again", false, "a tone", 0, false},
		{"asking again", true, "", 1, false},
		{"asking again, with an answer", true, "a tone", 1, true},
		{"there is an answer", true, "another tone", 0, true},
	} {
		ctx := t.Context()
		if c.askFailed {
			ctx = run.WithAskFailed(ctx, time.Now())
		}
		asked, reply = 0, c.reply
		if _, err := observer.Observe(ctx, nil, "What is to be heard?"); asked != c.asked || (err == nil) != c.ok {
			t.Errorf("%s: %d calls, %v; want %d", c.name, asked, err, c.asked)
		}
	}
}
