// Package speed holds benchmarks of the program, next to others that do the same job. docs/performance.md has the
// results; `make bench` prints them.
package speed
