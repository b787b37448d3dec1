package exchange

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"omniscope/model"
)

// TestDroppedOptions has a model that refuses options one after the other, and an error about none.
func TestDroppedOptions(t *testing.T) {
	var d Dropped
	var tried []Option
	ask := func(refuses Option, last error) error {
		tried = nil
		_, err := d.Ask(t.Context(), &model.Request{Model: "m"}, func(_ context.Context, _ *model.Request, without Option) (*model.Response, error) {
			tried = append(tried, without)
			if refuses&^without != 0 {
				return nil, errors.New("refused")
			}
			return &model.Response{}, last
		}, func(_ *model.Request, err error, without Option) Option {
			for _, o := range []Option{Schema, MaxTokens, Temperature, TopP} {
				if err != last && refuses.Has(o) && !without.Has(o) {
					return o
				}
			}
			return 0
		})
		return err
	}
	broken := errors.New("broken")
	for _, c := range []struct {
		refuses Option
		last    error
		tried   []Option
	}{
		{Temperature, broken, []Option{0, Temperature}}, // no answer: nothing is kept
		{Temperature | TopP, nil, []Option{0, Temperature, Temperature | TopP}},
		{Temperature | TopP, nil, []Option{Temperature | TopP}}, // remembered
		{Schema, nil, []Option{Temperature | TopP, Schema | Temperature | TopP}},
		{0, nil, []Option{Schema | Temperature | TopP}},
	} {
		if err := ask(c.refuses, c.last); err != c.last || !slices.Equal(tried, c.tried) {
			t.Errorf("%b: %v, tried without %b, want %b", c.refuses, err, tried, c.tried)
		}
	}
}

func TestLeftOutOptions(t *testing.T) {
	one := 1.0
	seed := int64(7)
	req := &model.Request{Schema: &model.Schema{}, Params: model.Params{Temperature: &one, Seed: &seed, MaxTokens: 5}}
	for _, c := range []struct {
		without Option
		want    string
	}{
		{0, ""}, {MaxTokens, ""}, {TopP, ""}, // not given
		{Schema | Temperature, "response_format temperature"},
		{Schema | Seed | Temperature | TopP, "response_format seed temperature"},
	} {
		if got := strings.Join(c.without.LeftOut(req), " "); got != c.want {
			t.Errorf("%b: %q, want %q", c.without, got, c.want)
		}
	}
}
