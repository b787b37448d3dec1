// Package eval is the kind of runs that score predictions on a benchmark: a Spec names both, and a judge where the benchmark
// asks one. Score does a run and returns its results, Estimate forecasts its cost.
package eval
