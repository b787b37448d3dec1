package mcif

import (
	"encoding/json"
	"io"

	"omniscope/bench"
)

// A pairLine is a line of pairs.jsonl: texts that a neural scorer is to
// compare. Value is empty there, and filled in by whoever has the scorer.
type pairLine struct {
	Scorer     string   `json:"scorer"` // bertscore or comet
	Lang       string   `json:"lang"`
	Unit       string   `json:"unit"`
	Source     string   `json:"src,omitempty"`
	Hypothesis string   `json:"mt"`
	Reference  string   `json:"ref"`
	Value      *float64 `json:"value"`
}

// writePairs writes what the neural scorers compare in either scoring, in
// order, each pair once.
func (e *evaluation) writePairs(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	written := make(map[pairLine]bool)
	for _, u := range e.units {
		for _, l := range e.pairLines(u) {
			if written[l.key()] {
				continue
			}
			written[l.key()] = true
			if err := out.Encode(l); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *evaluation) pairLines(u *unit) []pairLine {
	switch {
	case u.ref.Task == trans && len(u.missing) == 0 && len(u.lines()) == len(u.sources()):
		return append(e.cutPairs(u, bench.Strict), e.cutPairs(u, bench.Official)...)
	case (u.ref.Task == qa || u.ref.Task == sum) && len(u.ref.IDs) == 1 && len(u.missing) == 0:
		return []pairLine{{Scorer: "bertscore", Lang: e.b.Lang, Unit: u.ref.IID, Hypothesis: u.hypotheses[0], Reference: u.ref.Text}}
	}
	return nil
}

func (e *evaluation) cutPairs(u *unit, p bench.Scoring) []pairLine {
	var t Triples
	if p == bench.Strict && u.cut.strict.err == nil || p == bench.Official && u.cut.official.err == nil {
		t.add(u, p)
	}
	var lines []pairLine
	for i := range t.Hypotheses {
		lines = append(lines, pairLine{Scorer: "comet", Lang: e.b.Lang, Unit: u.ref.IID, Source: t.Sources[i], Hypothesis: t.Hypotheses[i], Reference: t.References[i]})
	}
	return lines
}
