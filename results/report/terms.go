package report

import (
	"cmp"

	"omniscope/bench/document"
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
