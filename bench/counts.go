package bench

import (
	"strconv"

	"omniscope"
	"omniscope/internal/jsonfast"
	"omniscope/metric"
)

// CountsFile is where a run keeps what its units came to, for comparing it
// with other runs of the same benchmark.
const CountsFile = "counts.jsonl"

// CasesFile is where a run keeps its units as people look at them, a line each: an
// document.Case.
const CasesFile = "cases.jsonl"

// A CountLine is a unit's line of CountsFile: its counts in the slice of all,
// those that are not 0, and the verdicts on its items.
type CountLine struct {
	Unit     string                       `json:"unit"`
	Cluster  string                       `json:"cluster"`
	Outcome  omniscope.Outcome            `json:"outcome"`
	Official map[string]float64           `json:"official"`
	Strict   map[string]float64           `json:"strict"`
	Verdicts map[string]omniscope.Verdict `json:"verdicts,omitempty"` // by item, strict scoring
}

// countLine writes a unit's line. It is written by hand: a large run has
// hundreds of thousands.
func countLine(m *metric.Metric, r *Result) []byte {
	b := make([]byte, 0, 256+16*len(r.Verdicts))
	b = jsonfast.Append(append(b, `{"unit":`...), r.Unit)
	b = jsonfast.Append(append(b, `,"cluster":`...), r.Cluster)
	b = jsonfast.Append(append(b, `,"outcome":`...), r.Outcome.String())
	b = appendWhole(append(b, `,"official":`...), m, r.Tallies[Official])
	b = appendWhole(append(b, `,"strict":`...), m, r.Tallies[Strict])
	if len(r.Verdicts) > 0 {
		b = append(b, `,"verdicts":`...)
		for i, v := range r.Verdicts {
			b = jsonfast.Append(append(b, opening(i)), v.Item)
			b = jsonfast.Append(append(b, ':'), v.Verdict.String())
		}
		b = append(b, '}')
	}
	return append(b, '}', '\n')
}

// appendWhole names the counts of the slice of all that are not 0.
func appendWhole(b []byte, m *metric.Metric, tallies []Tally) []byte {
	written := 0
	for _, t := range tallies {
		if t.Dimension != "overall" {
			continue
		}
		for i, v := range t.Counts {
			if v == 0 {
				continue
			}
			b = jsonfast.Append(append(b, opening(written)), m.Fields[i])
			b = strconv.AppendFloat(append(b, ':'), v, 'g', -1, 64)
			written++
		}
	}
	if written == 0 {
		b = append(b, '{')
	}
	return append(b, '}')
}

// opening stands before the i-th member of an object.
func opening(i int) byte {
	if i == 0 {
		return '{'
	}
	return ','
}
