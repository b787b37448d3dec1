package journaltest

import (
	"testing"

	"omniscope/run/journal"
)

// EarlierRuns are runs of versions without kinds, and the kind that each has to get.
var EarlierRuns = []journal.Description{
	{Name: "0123456789ab", Kind: "eval", Manifest: `{"spec":2,"benchmark":"mmau","predictions":"a.json"}`},
	{Name: "1123456789ab", Kind: "eval", Manifest: `{"benchmark":"capricorn","predictions":"c.jsonl","judge":"openai/m"}`},
	{Name: "2123456789ab", Kind: "score", Manifest: `{"command":"score comet","predictions":"a"}`},
	{Name: "3123456789ab", Kind: "score", Manifest: `{"command":"eval mcif","predictions":"out.xml"}`},
	{Name: "investigate-1", Kind: "caption", Manifest: `{"modality":"av","detective":"offline"}`},
	{Name: "predict-1", Kind: "predict", Manifest: `{"dataset":"mmau"}`},
	{Name: "audit-1", Kind: "audit", Manifest: `{"splitter":"offline"}`},
	{Name: "probe-1", Kind: "probe", Manifest: `{"modality":"audio"}`},
	{Name: "curate-1", Kind: "rows", Manifest: `{"command":"curate cloze mend"}`},
	{Name: "recovered-7", Kind: "", Manifest: `{}`},
}

// CheckKinds checks that a journal of an earlier version, in which the EarlierRuns are, was given their kinds.
func CheckKinds(t *testing.T, s journal.Store) {
	t.Helper()
	runs, err := s.List(t.Context())
	if err != nil || len(runs) != len(EarlierRuns) {
		t.Fatalf("%d runs, %v; want %d", len(runs), err, len(EarlierRuns))
	}
	for i, want := range EarlierRuns {
		if runs[i].Description != want {
			t.Errorf("got %+v, want %+v", runs[i].Description, want)
		}
	}
}
