package view

import "testing"

// TestHeadlineOfTheList is official, with strict next to it where it differs, whichever was asked for.
func TestHeadlineOfTheList(t *testing.T) {
	profile := func(name, value string) string {
		return `{"name": "` + name + `", "slices": [{"dimension": "overall", "scores": {"accuracy": {"value": ` + value + `}}}]}`
	}
	for _, c := range []struct{ name, document, want string }{
		{"they differ", `{"headline": {"profile": "strict"}, "profiles": [` + profile("official", "0.092") + `,` + profile("strict", "0.1") + `]}`, "accuracy 9.2 (strict 10.0)"},
		{"they agree", `{"profiles": [` + profile("official", "0.5") + `,` + profile("strict", "0.5") + `]}`, "accuracy 50.0"},
		{"official stops", `{"profiles": [` + profile("official", "null") + `,` + profile("strict", "0.5") + `]}`, "no score (strict: accuracy 50.0)"},
		{"nothing was judged", `{"profiles": [` + profile("official", "null") + `,` + profile("strict", "null") + `]}`, "no score"},
		{"one profile alone", `{"headline": {"scores": {"accuracy": {"value": 0.5}}}, "profiles": []}`, "accuracy 50.0"},
	} {
		if got := headline("omni-cloze", []byte(c.document), metricOf); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestMarksOfTheList reads marks, and computes the marks of older documents.
func TestMarksOfTheList(t *testing.T) {
	for document, want := range map[string]string{
		`{"benchmark": {"name": "omni-cloze"}, "samples": 3, "marks": ["3 of 4 samples", "and more"]}`:                               "3 of 4 samples; and more",
		`{"benchmark": {"name": "omni-cloze"}, "samples": 2320, "marks": []}`:                                                        "",
		`{"benchmark": {"name": "omni-cloze"}, "samples": 3, "sample_outcomes": {"ok": 3}}`:                                          "not the published data, which have 2,320 samples",
		`{"benchmark": {"name": "claims"}, "samples": 4, "sample_outcomes": {"ok": 1, "missing": 3}, "run": {"inputs": {"a": "1"}}}`: "3 of 4 samples without an answer",
	} {
		if got := marksOf([]byte(document)); got != want {
			t.Errorf("%s: %q, want %q", document, got, want)
		}
	}
}
