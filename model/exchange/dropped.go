package exchange

import (
	"sync"

	"omniscope/model"
)

// An Option is a part of a request that some models refuse. Options add up as bits.
type Option uint8

// The options.
const (
	Schema      Option = 1 << iota // structured output; the prompt and the reader of the answer do its work
	MaxTokens                      // under its usual name
	Temperature                    // the model's own instead
	TopP
)

// Has reports whether one of some options is among o.
func (o Option) Has(some Option) bool { return o&some != 0 }

// Dropped remembers which options each model refused, once it has answered without them. Without an answer
// nothing is kept: the text of an error may quote a request that was refused for another reason.
type Dropped struct {
	mu      sync.RWMutex
	byModel map[string]Option
}

// Ask tries a request, and again without each option that an error refuses. refused returns the options that an error is about
// and that were not left out; 0 = it is about something else.
func (d *Dropped) Ask(name string, try func(without Option) (*model.Response, error), refused func(err error, without Option) Option) (*model.Response, error) {
	known := d.of(name)
	for without := known; ; {
		resp, err := try(without)
		if err == nil {
			if without != known {
				d.keep(name, without)
			}
			return resp, nil
		}
		more := refused(err, without) &^ without
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
