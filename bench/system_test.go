package bench_test

import (
	"testing"

	"omniscope/bench"
)

func TestSystemNames(t *testing.T) {
	for path, want := range map[string]string{"/x/my-model.v2.jsonl": "my-model.v2", "a.csv": "a", "b": "b"} {
		if got := bench.SystemName(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestScoringNames(t *testing.T) {
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		if got, ok := bench.ParseScoring(p.String()); !ok || got != p {
			t.Errorf("%v came back as %v, %v", p, got, ok)
		}
	}
	if _, ok := bench.ParseScoring("lenient"); ok {
		t.Error("an unknown scoring was read")
	}
}
