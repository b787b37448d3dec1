// Package measure checks and forecasts runs that ask a model about a benchmark and score its answers, before the model is asked.
// The asking itself is in session/predict, the scoring in session/eval.
package measure
