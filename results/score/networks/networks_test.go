package networks_test

import (
	"math"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/tools/neuralgen"
	"omniscope/metric/neural/installed"
	"omniscope/results/score"
	"omniscope/results/score/networks"
)

func TestMeasuresOfNetworks(t *testing.T) {
	root := t.TempDir()
	fixture.OK(t, neuralgen.WriteRoot(root, neuralgen.Options{Seed: 1}))
	n, err := installed.Open(installed.Options{Root: root, NoCache: true})
	fixture.OK(t, err)
	defer n.Close()
	in := &score.Input{Systems: []score.Column{{Name: "a", Path: "a.txt", Texts: []string{"gleich", "eins zwei"}}},
		Refs: []score.Column{{Texts: []string{"gleich", "drei vier"}}}, Source: &score.Column{Texts: []string{"same", "three four"}}}
	for _, c := range []struct {
		name      string
		m         *networks.Measure
		signature string
		same      float64 // the score of equal texts; NaN = not known
		lines     int     // of the published program, with segments
	}{
		{"rescaled", networks.BERTScore(networks.BERTScoreOptions{Lang: "de", Scoring: "strict"}), "rescaled:de", 1, 3},
		{"not rescaled", networks.BERTScore(networks.BERTScoreOptions{Lang: "de", Scoring: "official", NoRescale: true}), "rescaled:no", 1, 3},
		{"COMET", networks.COMET(""), "comet:2.2.4|", math.NaN(), 3},
	} {
		if err := c.m.Open(n); err != nil {
			t.Fatal(c.name, err)
		}
		s, err := c.m.Score(t.Context(), in, 0)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if !strings.Contains(s.Signature, c.signature) || len(c.m.Warnings) == 0 {
			t.Errorf("%s: signature %s, warnings %q", c.name, s.Signature, c.m.Warnings)
		}
		rows := s.Systems[0].Rows
		if !math.IsNaN(c.same) && !(math.Abs(rows[0][0]-c.same) < 1e-5) || !(rows[1][0] != rows[0][0]) {
			t.Errorf("%s: %v", c.name, rows)
		}
		if lines := c.m.Python.Lines(s, false, true); len(lines) != c.lines {
			t.Errorf("%s: the published program would print %q", c.name, lines)
		}
	}
}
