package report

import (
	"cmp"
	"strings"

	"omniscope/bench/document"
	"omniscope/internal/quantity"
)

// terms are what a document's scores and things are called.
type terms struct {
	columns       []Column
	cluster, item string
}

func termsOf(r *document.Results, given []Column) terms {
	return terms{
		columns: columnsOf(r, given),
		cluster: cmp.Or(r.Benchmark.Cluster, "clip"),
		item:    cmp.Or(r.Benchmark.Item, "question"),
	}
}

// things counts things, one or many.
func things(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return quantity.Grouped(n) + " " + plural(one)
}

func plural(one string) string {
	if stem, ok := strings.CutSuffix(one, "ply"); ok {
		return stem + "plies"
	}
	return one + "s"
}
