// Package speed holds benchmarks of the program against others that do the same job. It holds
// no tests. docs/performance.md has the results; `make bench` prints them.
package speed
