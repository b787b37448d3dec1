package mcif

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// Every published sample that is scored is asked, with the media of its
// reference, in both sets of prompts.
func TestSamplesOfBuiltTestSets(t *testing.T) {
	for _, set := range []string{"case_a", "case_b"} {
		dir := golden.Path(t, "mcif/build", set, "OUT")
		asked, err := filepath.Glob(filepath.Join(dir, "*.src.*prompts.xml"))
		if err != nil || len(asked) == 0 {
			t.Fatal(dir, err)
		}
		for _, path := range asked {
			name := filepath.Base(path)
			stem, prompts, _ := strings.Cut(name, ".src.")
			refs, err := mcifxml.ReadReferences(t.Context(), filepath.Join(dir, stem+".ref.xml"), "", "", mcifxml.Options{})
			fixture.OK(t, err)
			samples := make(map[string]omniscope.Sample)
			for s, err := range (Benchmark{}).Samples(t.Context(), path) {
				if err != nil {
					t.Fatal(name, err)
				}
				samples[string(s.ID)] = s
			}
			for _, r := range refs.Samples {
				for _, id := range r.IDs {
					s := samples[id]
					if s.Prompt == "" || s.Language != refs.Lang || s.Track != refs.Track {
						t.Errorf("%s, sample %s: %+v", name, id, s)
					}
					folder := strings.ToUpper(refs.Track) + "_AUDIOS/"
					if audio, below := strings.CutPrefix(s.Media.Audio, folder); !below || !slices.Contains(strings.Split(r.AudioPath, ","), audio) {
						t.Errorf("%s, sample %s hears %q, its reference %q", name, id, s.Media.Audio, r.AudioPath)
					}
				}
			}
			if prompts == "" || len(samples) == 0 {
				t.Errorf("%s: %d samples", name, len(samples))
			}
		}
	}
}
