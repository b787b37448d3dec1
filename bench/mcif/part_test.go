package mcif

import (
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/fixture"
)

// TestPromptsOfOutputs: file names, predict's details or the option distinguish fixed from mixed prompts.
func TestPromptsOfOutputs(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"fixed": "x/MCIF1.0.IF.long.de.src.fixedprompts.xml", "mixed": "MCIF1.0.IF.long.de.src.mixedprompts.xml", "other": "mixedprompts/mine.xml"} {
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name+".details.jsonl"), []byte(`{"run": "a", "spec": {"data": "`+data+`"}}`+"\n"), 0o644))
	}
	for _, c := range []struct{ file, option, want string }{
		{"audio_long_de_fixed_model_output.xml.gz", "", "fix"},
		{"mllm_short_en_random_model_output.xml", "", "mix"},
		{"out.xml", "", ""},
		{"out.xml", "mix", "mix"},
		{"audio_long_de_fixed_model_output.xml", "mix", "mix"},
		{filepath.Join(dir, "fixed.xml"), "", "fix"},
		{filepath.Join(dir, "mixed.jsonl"), "", "mix"},
		{filepath.Join(dir, "other.xml"), "", ""},
	} {
		if got := (Benchmark{Prompts: c.option}).promptsOf(c.file); got != c.want {
			t.Errorf("%s, --prompt-set %q: %q, want %q", c.file, c.option, got, c.want)
		}
	}
}
