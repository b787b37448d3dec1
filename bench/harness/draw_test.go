package harness

import (
	"testing"

	"omniscope/bench"
)

func TestTextsThatAScorerRead(t *testing.T) {
	for _, c := range []struct{ answer, filtered, want string }{
		{"<think>A</think> B", "", "B"},
		{"A</think>B", "", "B"},
		{"<analysis>A</analysis>B", "", "B"},
		{"<think>A", "", "<think>A"},
		{"<THINK>A</THINK>B", "", "<THINK>A</THINK>B"},
		{"<think>A</think>B", "B.", "B."},
	} {
		s := Sample{Answer: c.answer, Fields: map[string]string{}}
		if c.filtered != "" {
			s.Fields["filtered_resps"] = c.filtered
		}
		if got := s.scored(); got != c.want {
			t.Errorf("%q is read as %q, want %q", c.answer, got, c.want)
		}
	}
}

// named is a benchmark by its name alone.
type named struct {
	bench.AnswerWriter
	name string
}

func (n named) Info() bench.Info { return bench.Info{Name: n.name} }

func TestDrawnByTheHarness(t *testing.T) {
	options := []string{"Dog barking", "Rain on a roof", "Man speaking", "Car passing"}
	for answer, want := range map[string]string{
		"B":                    "",
		"(B)":                  "",
		"**B**":                "drawn by lmms-eval, omniscope reads B",
		`{"answer": "B"}`:      "drawn by lmms-eval, omniscope reads B",
		"<think>A or</think>b": "drawn by lmms-eval, omniscope reads B",
	} {
		s := Sample{Answer: answer, Fields: map[string]string{}}
		r := &Request{Harness: &Harness{Name: "lmms-eval", Title: "lmms-eval"}, Benchmark: named{name: "mmau"}}
		if got := s.drawn(r, options, 1); got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
		if r.Harness = (&Harness{Name: "vlmevalkit"}); s.drawn(r, options, 1) != "" {
			t.Errorf("%q is drawn by VLMEvalKit", answer)
		}
	}
	worldsense := &Request{Harness: &Harness{Name: "lmms-eval", Title: "lmms-eval"}, Benchmark: named{name: "worldsense"}}
	for answer, want := range map[string]string{"b": "taken for A by lmms-eval, omniscope reads B", "rain on a roof": "taken for A by lmms-eval, omniscope reads B", "**B**": ""} {
		s := Sample{Answer: answer, Fields: map[string]string{}}
		if got := s.drawn(worldsense, options, 1); got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}
