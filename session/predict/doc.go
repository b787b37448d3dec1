// Package predict is the kind of runs that ask a model about the samples of a benchmark or about clips, and write its answers
// in the form that package session/eval scores. Ask does a run.
package predict
