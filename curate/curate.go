// Package curate builds a benchmark step by step in a project's folder: a recipe says which commands follow one another,
// and the folder keeps what each of them wrote. Some steps wait for people.
//
//	curate.yaml ──► recipe ──► step ──► step ──► (people) ──► step ──► released benchmark
//
// It runs nothing itself: a step is a command of omniscope, which whoever uses this package runs. What the steps do is in the
// packages below it and in people, production and session.
package curate

import (
	"fmt"

	"omniscope"
)

func invalid(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf(format, args...)}
}

func usage(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Usage, Err: fmt.Errorf(format, args...)}
}
