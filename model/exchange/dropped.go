package exchange

import (
	"context"
	"slices"
	"strings"
	"sync"

	"omniscope/model"
)

// An Option is a part of a request that some models refuse. Options add up as bits.
type Option uint8

// The options.
const (
	Schema    Option = 1 << iota // structured output; the prompt and the reader of the answer do its work
	MaxTokens                    // under its usual name
	Seed
	Temperature // the model's own instead
	TopP
)

// LeftOut names the options of a request that are among o. A limit under another name is not left out.
func (o Option) LeftOut(req *model.Request) (names []string) {
	for _, option := range []struct {
		bit   Option
		given bool
		name  string
	}{
		{Schema, req.Schema != nil, "response_format"}, {Seed, req.Params.Seed != nil, "seed"},
		{Temperature, req.Params.Temperature != nil, "temperature"}, {TopP, req.Params.TopP != nil, "top_p"},
	} {
		if o.Has(option.bit) && option.given {
			names = append(names, option.name)
		}
	}
	return names
}

// SaysAny reports whether one of some words is in a text.
func SaysAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// Has reports whether one of some options is among o.
func (o Option) Has(some Option) bool { return o&some != 0 }

// Dropped remembers which options each model refused, once it has answered without them. Without an answer
// nothing is kept: the text of an error may quote a request that was refused for another reason.
type Dropped struct {
	mu      sync.RWMutex
	byModel map[string]Option
}

// Ask tries a request, and again without each option that an error refuses. refused returns the options of the request that an error
// is about and that were not left out; 0 = it is about something else.
func (d *Dropped) Ask(ctx context.Context, req *model.Request, try func(context.Context, *model.Request, Option) (*model.Response, error),
	refused func(req *model.Request, err error, without Option) Option) (*model.Response, error) {
	known := d.of(req.Model)
	for without := known; ; {
		resp, err := try(ctx, req, without)
		if err == nil {
			if without != known {
				d.keep(req.Model, without)
			}
			return resp, nil
		}
		more := refused(req, err, without) &^ without
		if more == 0 {
			return nil, err
		}
		without |= more
	}
}

func (d *Dropped) of(name string) Option {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.byModel[name]
}

// keep adds options to a model's. Other calls may have added others meanwhile.
func (d *Dropped) keep(name string, found Option) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byModel == nil {
		d.byModel = make(map[string]Option)
	}
	d.byModel[name] |= found
}
