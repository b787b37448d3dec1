// Package neural scores texts by encoders: BERTScore as bert_score 0.3.13
// computes it, and COMET as unbabel-comet 2.2.4 computes wmt22-comet-da. It
// opens model folders, which package models makes, and remembers what was
// computed in a Cache.
//
// The numbers of a text do not depend on which others it is computed with, on
// the number of threads, or on what was remembered. They are those of the
// published programs within float32's noise.
//
// Whether two scores may be compared, and what they mean for a benchmark, is
// not known here.
package neural

import (
	"errors"
	"io/fs"
	"runtime"
	"slices"

	"omniscope"
	"omniscope/metric/neural/isa"
)

// engineVersion changes with the arithmetic: what a Cache holds of another
// version is not used.
const engineVersion = "omniscope/1"

// Options say how to compute.
type Options struct {
	Threads int     // goroutines at the same time; 0 = as many as Go uses
	Set     isa.Set // instructions, such as isa.Best(); the zero value is plain Go, which is slow
	Cache   *Cache  // nil = nothing is remembered

	// Progress hears how many tokens are done of those that must be encoded,
	// from the goroutine that called Score. Where all is remembered it hears
	// nothing.
	Progress func(done, total int)
}

func (o Options) checked() (Options, error) {
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if !slices.Contains(isa.Available(), o.Set) {
		return o, omniscope.Usagef("this machine has no %v instructions: choose one of %v", o.Set, isa.Available())
	}
	return o, nil
}

// arithmetic names what the bits of a result depend on: matrix products are the
// same with all instruction sets that have fused multiply-adds, and all else is
// the same with any.
func (o Options) arithmetic() string {
	if o.Set == isa.Scalar {
		return engineVersion + " plain"
	}
	return engineVersion + " fused"
}

// unreadable is a failure to read a file of a model folder.
func unreadable(err error) error {
	kind := omniscope.Internal
	if errors.Is(err, fs.ErrNotExist) {
		kind = omniscope.NotFound
	}
	return &omniscope.Error{Kind: kind, Op: "open the model folder", Err: err}
}
