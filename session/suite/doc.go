// Package suite reads files that name many runs at once: every model on every
// benchmark, in every profile, at every point of a sweep. It says which runs
// there are and with which flags each is done, and makes tables and curves of
// what came of them. It runs nothing.
package suite
