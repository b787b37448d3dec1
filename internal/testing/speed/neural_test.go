package speed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/tools/neuralgen"
)

// BenchmarkNeural scores 2,000 triples by COMET and 5,000 pairs by BERTScore with networks of random weights in the real
// shapes, which take the same time as trained ones: a system, a second one on the same references, and the second again.
// NETWORKS names a folder that keeps the networks, 3.8 GB; SHARE has it score fewer texts.
func BenchmarkNeural(b *testing.B) {
	if testing.Short() || os.Getenv("NETWORKS") == "" {
		b.Skip("NETWORKS names no folder for the networks")
	}
	for _, c := range []struct {
		metric, shape string
		texts         int
		flags         []string
	}{
		{"comet", "comet", 2000, []string{"--src", "src.txt"}},
		{"bertscore", "roberta-large", 5000, []string{"--lang", "en"}},
	} {
		network := filepath.Join(os.Getenv("NETWORKS"), c.shape)
		work := b.TempDir()
		for _, system := range []string{"first", "second", "again"} {
			b.Run(fmt.Sprintf("metric=%s/system=%s/by=omniscope", c.metric, system), func(b *testing.B) {
				makeNetwork(b, network, c.shape)
				makeTexts(b, work, share(b, c.texts))
				hyp := strings.Replace(system, "again", "second", 1) + ".txt"
				for b.Loop() {
					cmd := program(b, append([]string{"score", c.metric, "--hyp", hyp, "--ref", "ref.txt", "--model", network,
						"--set", "cache-dir=" + filepath.Join(work, "cache"), "--quiet"}, c.flags...)...)
					cmd.Dir = work
					timed(b, cmd)
				}
			})
		}
	}
}

func makeNetwork(b *testing.B, dir, shape string) {
	b.Helper()
	if ondisk.Exists(filepath.Join(dir, "model.json")) {
		return
	}
	s, err := neuralgen.Find(shape)
	if err == nil {
		err = neuralgen.Write(dir, s, neuralgen.Options{Seed: 1})
	}
	fixture.OK(b, err)
}

// makeTexts writes references, sources, and two systems of the same length that share no text.
func makeTexts(b *testing.B, dir string, n int) {
	b.Helper()
	l := neuralgen.Texts(n, 12, "en", 1)
	fixture.OK(b, l.Write(dir))
	var second strings.Builder
	for _, h := range l.Hypotheses {
		first, rest, _ := strings.Cut(h, " ")
		fmt.Fprintf(&second, "%s %s .\n", rest, first)
	}
	write(b, filepath.Join(dir, "second.txt"), second.String())
	fixture.OK(b, os.Rename(filepath.Join(dir, "hyp.txt"), filepath.Join(dir, "first.txt")))
}
