package modeltest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"omniscope"
	"omniscope/model"
)

// A double gives a behaviour's replies and breaks one promise.
type double struct {
	replies map[string]Reply
	spoil   spoiler
}

// A spoiler changes what a faithful model would return.
type spoiler func(context.Context, *model.Request, *model.Response, error) (*model.Response, error)

func (d *double) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	r, ok := d.replies[StepOf(req.Messages[1].Parts[0].Text)]
	if !ok {
		return nil, errors.New("no such step")
	}
	if r.Hang {
		<-ctx.Done()
	}
	if err := ctx.Err(); err != nil {
		return d.spoil(ctx, req, nil, err)
	}
	if r.Failure != omniscope.Internal {
		return d.spoil(ctx, req, nil, &omniscope.Error{Kind: r.Failure, Err: errors.New("as arranged"), RetryAfter: r.RetryAfter})
	}
	if r.Finish == "" {
		r.Finish = model.Stop
	}
	return d.spoil(ctx, req, &model.Response{Text: r.Text, Refusal: r.Refusal, Finish: r.Finish, Model: r.Model,
		Usage: model.Usage{TokensIn: r.TokensIn, TokensOut: r.TokensOut}}, nil)
}

func faithful(_ context.Context, _ *model.Request, resp *model.Response, err error) (*model.Response, error) {
	return resp, err
}

func TestFaithfulModel(t *testing.T) {
	Run(t, Harness{
		Start: func(_ *testing.T, r map[string]Reply) model.Model { return &double{r, faithful} },
	})
}

// always breaks every answer the same way.
func always(change func(*model.Response)) spoiler {
	return func(_ context.Context, _ *model.Request, resp *model.Response, err error) (*model.Response, error) {
		if resp != nil {
			change(resp)
		}
		return resp, err
	}
}

func alwaysFails(with func(*omniscope.Error) error) spoiler {
	return func(_ context.Context, _ *model.Request, resp *model.Response, err error) (*model.Response, error) {
		var e *omniscope.Error
		if errors.As(err, &e) {
			err = with(e)
		}
		return resp, err
	}
}

func TestSuiteFindsBrokenModels(t *testing.T) {
	another := func(kind omniscope.Kind) func(*omniscope.Error) error {
		return func(e *omniscope.Error) error {
			return &omniscope.Error{Kind: kind, Err: e.Err, RetryAfter: e.RetryAfter}
		}
	}
	bare := alwaysFails(func(e *omniscope.Error) error { return e.Err })
	stop := always(func(r *model.Response) { r.Finish = model.Stop })
	hidesCancel := func(_ context.Context, _ *model.Request, resp *model.Response, err error) (*model.Response, error) {
		if err != nil {
			err = &omniscope.Error{Kind: omniscope.Transient, Err: err}
		}
		return resp, err
	}
	for name, spoil := range map[string]spoiler{
		"texts arrive unchanged":       always(func(r *model.Response) { r.Text = strings.TrimSpace(r.Text) }),
		"an empty text is an answer":   always(func(r *model.Response) { r.Refusal = "nothing" }),
		"a cut answer is truncated":    stop,
		"a filtered answer is refused": stop,
		"a refusal is an answer":       always(func(r *model.Response) { r.Text, r.Refusal = r.Refusal, "" }),
		"tokens are counted":           always(func(r *model.Response) { r.Usage.TokensOut = 0 }),
		"the answering model is named": always(func(r *model.Response) { r.Model = "asked-for" }),
		"a transient failure":          alwaysFails(another(omniscope.Invalid)),
		"a wait that is asked for":     alwaysFails(func(e *omniscope.Error) error { return &omniscope.Error{Kind: e.Kind, Err: e.Err} }),
		"a denied call":                alwaysFails(another(omniscope.Transient)),
		"an invalid request":           bare,
		"a declined request":           bare,
		"a malformed reply":            bare,
		"a call cancelled before":      hidesCancel,
		"a call given up meanwhile":    hidesCancel,
		"calls at the same time":       always(func(r *model.Response) { r.Text = "answer 07" }),
		"the request stays as it was": func(_ context.Context, req *model.Request, resp *model.Response, err error) (*model.Response, error) {
			req.Messages[0].Parts[0].Text = ""
			return resp, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, b := range behaviours {
				if b.name == name {
					if b.check(&double{b.replies, spoil}) == nil {
						t.Error("the suite did not notice")
					}
					return
				}
			}
			t.Error("no such behaviour")
		})
	}
}

func TestStepOf(t *testing.T) {
	for text, want := range map[string]string{
		`{"content":"[step:crowd-07] What do you see?"}`: "crowd-07",
		"[step:x":                "",
		"What do you see? [x]":   "",
		request("rich").Step:     "",
		"a [step:1] b [step:2] ": "1",
	} {
		if got := StepOf(text); got != want {
			t.Errorf("StepOf(%q) = %q, want %q", text, got, want)
		}
	}
}
