// Package verify compares a checkpoint with the model that its training started from, tensor by tensor and bit for bit, and
// says whether what was to be frozen is unchanged and what was to be trained has changed (Omni-Captioner paper, arXiv
// 2510.12720, section 4.1).
//
// It computes nothing with the model: that it has learnt something is not among its verdicts.
package verify

import (
	"context"
	"runtime"

	"omniscope"
	"omniscope/train"
)

// schema names the form of a Report's JSON.
const schema = "omniscope.train-verify/1"

// The parts of a Qwen Omni thinker about which there are verdicts. A projector inside the audio tower counts to it.
const (
	visualPart = "visual"
	audioPart  = "audio_tower"
	llm        = "model"
)

// Options say what is compared. Base and Checkpoint are folders with model.safetensors, or with model.safetensors.index.json and
// its shards, or single files.
type Options struct {
	Base, Checkpoint string
	Stage            train.Stage
	Threads          int                     // that compare; 0 = one for each processor
	Progress         func(done, total int64) // bytes read of both; may be nil, is called by several goroutines
}

// A Report is what the comparison came to.
type Report struct {
	Schema     string       `json:"schema"`
	Base       string       `json:"base"`
	Checkpoint string       `json:"checkpoint"`
	Stage      train.Stage  `json:"stage"`
	Passed     bool         `json:"passed"`
	Failures   []string     `json:"failures"` // in words, with what probably happened
	Notes      []string     `json:"notes"`    // what is no failure and may be one's concern
	Parts      []*modelPart `json:"parts"`
}

// A modelPart is all tensors with names that begin with one word, such as visual, after an optional "thinker.".
type modelPart struct {
	Name            string   `json:"name"`
	Tensors         int      `json:"tensors"` // compared, in both models
	Equal           int      `json:"equal"`
	Changed         int      `json:"changed"`
	Missing         int      `json:"missing"`          // from the checkpoint
	New             int      `json:"new"`              // only in the checkpoint
	Elements        int64    `json:"elements"`         // compared
	ChangedElements int64    `json:"changed_elements"` // whose bits differ
	LargestChange   float64  `json:"largest_change"`   // absolute, of one floating point number
	RelativeChange  *float64 `json:"relative_change"`  // Euclidean norm of the change over that of the base; null where that is 0

	equal, changed, missing, added []string    // names of tensors
	matrices, unchanged            int64       // elements in tensors of two or more sides, and in those of them that are equal
	broken                         []notFinite // tensors with numbers that are not finite
}

// ChangedShare is the share of elements that changed.
func (p *modelPart) ChangedShare() float64 {
	if p.Elements == 0 {
		return 0
	}
	return float64(p.ChangedElements) / float64(p.Elements)
}

// notFinite says of a tensor how many of its numbers are NaN or infinite.
type notFinite struct {
	name             string
	base, checkpoint int64
}

// Run compares the two models. That the checkpoint is not what the stage should have made is in the report; an error says that
// the files could not be compared.
func Run(ctx context.Context, o Options) (*Report, error) {
	if !o.Stage.Valid() {
		return nil, omniscope.Usagef("there is no %s: 1 or 2", o.Stage)
	}
	if o.Threads < 1 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	base, err := open(o.Base)
	if err != nil {
		return nil, err
	}
	defer base.close()
	trained, err := open(o.Checkpoint)
	if err != nil {
		return nil, err
	}
	defer trained.close()
	parts, err := compare(ctx, base, trained, o)
	if err != nil {
		return nil, err
	}
	r := &Report{Schema: schema, Base: o.Base, Checkpoint: o.Checkpoint, Stage: o.Stage, Failures: []string{}, Notes: []string{}, Parts: parts}
	r.judge()
	r.Passed = len(r.Failures) == 0
	return r, nil
}
