// Package session makes runs from their descriptions: it opens the inputs, the models and the journal that a Spec names,
// runs or forecasts the work, and writes the folder of results. The engine is in package run, what a benchmark scores in
// the folders of package bench.
package session
