package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/bench"
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
				if err := os.WriteFile(filepath.Join(dir, "a.details.jsonl"), []byte(c.details), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			s := &Spec{Predictions: filepath.Join(dir, "a.jsonl"), Modality: "audio-visual", ModalityOfAnswers: c.named == ""}
			if c.named != "" {
				s.Modality = c.named
			}
			warnings := strings.Join(s.takeModality(t.Context(), bench.Info{Modality: !c.other}), "\n")
			if s.Modality != c.want || c.warning == "" && warnings != "" || !strings.Contains(warnings, c.warning) {
				t.Errorf("modality %s, %q", s.Modality, warnings)
			}
		})
	}
}
