// Package eval is the kind of runs that score predictions on a benchmark: a Spec names both, and a judge where the benchmark
// asks one. Score does a run and returns its results, Estimate says what it would cost.
package eval
