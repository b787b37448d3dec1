package capricorn

import (
	"testing"

	"omniscope/bench"
)

// TestPartOfTheAnnotations: the released file names or the option distinguish CapRiCorn-1K from -1K-V.
func TestPartOfTheAnnotations(t *testing.T) {
	for _, c := range []struct{ file, option, want string }{
		{"a/annotations.jsonl", "", "audio-visual"},
		{"a/annotations_vision_only.jsonl.gz", "", "visual"},
		{"annotations_vision_only/mine.jsonl", "", ""},
		{"my_annotations.jsonl", "", ""},
		{"my_annotations.jsonl", "visual", "visual"},
		{"annotations_vision_only.jsonl", "audio-visual", "audio-visual"},
	} {
		e := &evaluation{b: Benchmark{Annotations: c.option}, in: bench.Inputs{Data: c.file}}
		if got := e.part()["modality"]; got != c.want {
			t.Errorf("%s, --annotations %q: %q, want %q", c.file, c.option, got, c.want)
		}
	}
}
