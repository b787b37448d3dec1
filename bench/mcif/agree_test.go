package mcif

import (
	"path/filepath"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/metric"
)

// agrees checks that official scoring, made of summed counts, has the numbers
// that the published program's line has.
func agrees(t *testing.T, e *evaluation, r *document.Results) (compared int) {
	t.Helper()
	whole := overall(r, bench.Official).Scores
	if e.stop != nil {
		for name, s := range whole {
			if s.Value != nil {
				t.Errorf("official has %s %v, but the published program stops: %v", name, *s.Value, e.stop)
			}
		}
		return 0
	}
	names := map[string]string{"QA-BERTScore": metric.QABERTScore, "SUM-BERTScore": metric.SumBERTScore, "ASR-WER": metric.ASRWER, "TRANS-COMET": metric.TransCOMET}
	published, _ := e.published()
	for _, s := range published {
		got := whole[names[s.Key]]
		if names[s.Key] == "" {
			part := partNamed(r, strings.TrimSuffix(strings.TrimPrefix(s.Key, "QA-"), "-BERTScore"))
			if part == nil {
				continue // a type and an origin of one name, which are one there
			}
			got = part.Scores[metric.QABERTScore]
		}
		if got.Value == nil || !alike(*got.Value, s.Value) {
			t.Errorf("%s: official has %v, the published program prints %v", s.Key, got.Value, s.Value)
		}
		compared++
	}
	return compared
}

// partNamed finds the slice of a type or origin of questions, nil if both have
// the name.
func partNamed(r *document.Results, label string) *document.Slice {
	kind, origin := slice(r, bench.Official, "qa_type", label), slice(r, bench.Official, "qa_origin", label)
	if kind == nil {
		return origin
	}
	if origin == nil {
		return kind
	}
	return nil
}

func TestOfficialPublishedNumbers(t *testing.T) {
	folder := golden.Path(t, "mcif")
	compared := 0
	for _, c := range readLines[evalCase](t, filepath.Join(folder, "eval_cases.jsonl")) {
		b := benchmarkOf(t, c.Args)
		b.Scorers = lengths()
		in := bench.Inputs{Predictions: fixture.File(t, "hyp.xml", c.HypXML)}
		if c.Reference != nil {
			in.Data = filepath.Join(folder, "build", *c.Reference)
		} else {
			in.Data = fixture.File(t, "ref.xml", *c.ReferenceXML)
		}
		ev, err := b.Open(t.Context(), in)
		if err != nil {
			if _, ok := publishedReason(err); !ok {
				t.Errorf("%s: %v", c.ID, err)
			}
			continue // there are no results
		}
		r, err := bench.Score(t.Context(), b, ev, bench.Official, benchtest.Workers(1))
		fixture.OK(t, err)
		compared += agrees(t, ev.(*evaluation), r)
	}
	if compared < 300 {
		t.Errorf("only %d numbers were compared", compared)
	}
	t.Logf("%d numbers", compared)
}
