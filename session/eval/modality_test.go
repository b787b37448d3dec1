package eval

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/fixture"
	"omniscope/session/catalog"
)

// TestModalityOfAnswers: the modality is from the file that predict wrote next to the answers, unless
// the user names one.
func TestModalityOfAnswers(t *testing.T) {
	const head = `{"run": "x", "spec": {"modality": "audio"}}` + "\n"
	for _, c := range []struct {
		name, details, named string
		other                bool // the benchmark's prompts do not name the modality
		want, warning        string
	}{
		{"not named", head, "", false, "audio", ""},
		{"named as it is", head, "audio", false, "audio", ""},
		{"named otherwise", head, "visual", false, "visual", "the answers were made with modality audio"},
		{"answers of elsewhere", "", "", false, "audio-visual", ""},
		{"text, which no caption is of", `{"run": "x", "spec": {"modality": "text"}}` + "\n", "", false, "audio-visual", ""},
		{"a damaged file", "{\n", "", false, "audio-visual", "is not known"},
		{"another benchmark", head, "", true, "audio-visual", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if c.details != "" {
				fixture.OK(t, os.WriteFile(filepath.Join(dir, "a.details.jsonl"), []byte(c.details), 0o644))
			}
			s := &Spec{Predictions: filepath.Join(dir, "a.jsonl"), Modality: "audio-visual", ModalityOfAnswers: c.named == ""}
			if c.named != "" {
				s.Modality = c.named
			}
			warnings := strings.Join(s.takeModality(t.Context(), benchmarkOf(t, map[bool]string{false: "omni-cloze", true: "capricorn"}[c.other])), "\n")
			if s.Modality != c.want || c.warning == "" && warnings != "" || !strings.Contains(warnings, c.warning) {
				t.Errorf("modality %s, %q", s.Modality, warnings)
			}
		})
	}
}

func benchmarkOf(t *testing.T, name string) bench.Benchmark {
	b, err := catalog.Benchmark(name)
	fixture.OK(t, err)
	return b
}

// TestFilterOfAnswers: MCIF scores the samples that the model was asked, unless the user names others.
func TestFilterOfAnswers(t *testing.T) {
	for _, c := range []struct {
		made    string
		options map[string]string
		want    string
		warning string
	}{
		{"text", nil, "text", ""},
		{"audio", map[string]string{"track": "long"}, "audio", ""},
		{"audio-visual", nil, "video", ""},
		{"visual", map[string]string{"filter-modality": "video"}, "video", ""},
		{"text", map[string]string{"filter-modality": "audio"}, "audio", "were made with modality text"},
		{"text", map[string]string{"compat": "true"}, "", ""},
		{"", nil, "", ""},
	} {
		dir := t.TempDir()
		fixture.OK(t, os.WriteFile(filepath.Join(dir, "a.details.jsonl"), fmt.Appendf(nil, `{"run": "x", "spec": {"modality": %q}}`+"\n", c.made), 0o644))
		s := &Spec{Predictions: filepath.Join(dir, "a.xml"), Options: c.options}
		warnings := strings.Join(s.takeModality(t.Context(), benchmarkOf(t, "mcif")), "\n")
		if s.Options["filter-modality"] != c.want || c.warning == "" && warnings != "" || !strings.Contains(warnings, c.warning) {
			t.Errorf("%s, %v: filter %q, want %q; %q", c.made, c.options, s.Options["filter-modality"], c.want, warnings)
		}
	}
}
