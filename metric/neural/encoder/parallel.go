package encoder

import "omniscope/internal/parallel"

// parallelRows calls do for stretches that make up 0 to n-1. They are short, as
// a machine that does other things too can be slow on any of its cores.
func parallelRows(threads, n int, do func(from, to int)) {
	const stretch = 16
	parallel.Do(threads, (n+stretch-1)/stretch, func(_, i int) {
		do(i*stretch, min(n, (i+1)*stretch))
	})
}
