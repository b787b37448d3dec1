package wrap_test

import (
	"context"
	"errors"
	"testing"

	"omniscope"
	"omniscope/internal/testing/runtest"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
)

// lateImage is a request whose picture is made when it is needed.
func lateImage(loads *int, err error) *model.Request {
	part := model.Part{Kind: model.ImagePart, MIME: "image/jpeg", Digest: "frame 1", Load: func(context.Context) ([]byte, error) {
		*loads++
		return []byte("picture"), err
	}}
	return &model.Request{Step: "a", Attempt: 1, Model: "m", Messages: []model.Message{{Role: model.User, Parts: []model.Part{part}}}}
}

func TestMediaAreLoadedForCallsThatAreMade(t *testing.T) {
	var got []byte
	m := wrap.Stack(provider(func(_ context.Context, req *model.Request) (*model.Response, error) {
		got = req.Messages[0].Parts[0].Data
		return &model.Response{Text: "a dog", Finish: model.Stop}, nil
	}), wrap.Options{Name: "p/m", Once: &run.Once{Journal: runtest.NewMemory()}})
	loads := 0
	for range 2 {
		resp, err := m.Generate(t.Context(), lateImage(&loads, nil))
		if err != nil || resp.Text != "a dog" {
			t.Fatal(resp, err)
		}
	}
	if string(got) != "picture" || loads != 1 {
		t.Errorf("the provider got %q; the picture was made %d times, want once: the second call is remembered", got, loads)
	}
}

func TestMediaThatCannotBeLoaded(t *testing.T) {
	calls := 0
	m := wrap.Stack(provider(func(context.Context, *model.Request) (*model.Response, error) {
		calls++
		return &model.Response{Text: "a dog"}, nil
	}), wrap.Options{Retry: &wrap.Policy{Tries: 3}})
	loads := 0
	if _, err := m.Generate(t.Context(), lateImage(&loads, errors.New("no frame"))); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("%v, want an Invalid error", err)
	}
	req := lateImage(&loads, nil)
	req.Messages[0].Parts[0].Digest = ""
	if _, err := m.Generate(t.Context(), req); omniscope.KindOf(err) != omniscope.Internal {
		t.Errorf("without a digest: %v, want an Internal error", err)
	}
	if calls != 0 || loads != 1 {
		t.Errorf("%d calls, %d loads; want none, 1", calls, loads)
	}
}

func TestNothingIsLoadedOnceTheRunStops(t *testing.T) {
	m := wrap.Stack(provider(instant), wrap.Options{})
	soft, stop := context.WithCancel(t.Context())
	req := lateImage(new(int), nil)
	req.Messages[0].Parts[0].Load = func(ctx context.Context) ([]byte, error) {
		stop() // the user interrupts while a film is decoded
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if _, err := m.Generate(run.WithStop(soft), req); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that the run was stopped", err)
	}
	loads := 0
	if _, err := m.Generate(run.WithStop(soft), lateImage(&loads, nil)); !errors.Is(err, context.Canceled) || loads != 0 {
		t.Errorf("%v after %d loads; want none", err, loads)
	}
}

// TestMediaByAddress: a call that sent the bytes and one that names an address are the
// same call.
func TestMediaByAddress(t *testing.T) {
	var got model.Part
	m := wrap.Stack(provider(func(_ context.Context, req *model.Request) (*model.Response, error) {
		got = req.Messages[0].Parts[0]
		return &model.Response{Text: "a dog", Finish: model.Stop}, nil
	}), wrap.Options{Name: "p/m", Once: &run.Once{Journal: runtest.NewMemory()}})
	links, loads := 0, 0
	linked := lateImage(&loads, nil)
	linked.Messages[0].Parts[0].Load = nil
	linked.Messages[0].Parts[0].Link = func(context.Context) (model.Linked, error) {
		links++
		return model.Linked{URL: "http://127.0.0.1/x.jpg", Bytes: 7, SHA256: "abc"}, nil
	}
	for _, req := range []*model.Request{linked, lateImage(&loads, nil), linked} {
		resp, err := m.Generate(t.Context(), req)
		if err != nil || len(resp.Sent) != 1 || resp.Sent[0] != (model.SentMedia{Kind: model.ImagePart, Parts: 1, Bytes: 7, SHA256: "abc"}) {
			t.Errorf("%+v, %v", resp, err)
		}
	}
	if got.URL != "http://127.0.0.1/x.jpg" || got.Data != nil || links != 1 || loads != 0 {
		t.Errorf("the provider got %q and %q; %d addresses made, %d loads", got.URL, got.Data, links, loads)
	}
}
