package speed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidwall/gjson"

	"omniscope/internal/rows"
	"omniscope/internal/testing/benchgen"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/tools/neuralgen"
)

// BenchmarkTexts scores 20,000 segments of about 20 words, as processes: omniscope with an interval, which the others do
// not make here.
func BenchmarkTexts(b *testing.B) {
	dir := b.TempDir()
	fixture.OK(b, neuralgen.Texts(20_000, 20, "en", 1).Write(dir))
	hyp, ref := filepath.Join(dir, "hyp.txt"), filepath.Join(dir, "ref.txt")
	for _, c := range []struct {
		metric, peer string
		flags        []string
	}{
		{"wer", "jiwer", []string{"--lang", "en", "--set", "normalizer=none"}},
		{"bleu", "sacrebleu", nil},
		{"chrf", "sacrebleu", nil},
	} {
		b.Run(fmt.Sprintf("metric=%s/by=%s", c.metric, c.peer), func(b *testing.B) {
			for b.Loop() {
				timed(b, peer(b, "texts.py", c.metric, hyp, ref))
			}
		})
		b.Run(fmt.Sprintf("metric=%s/by=omniscope", c.metric), func(b *testing.B) {
			for b.Loop() {
				timed(b, program(b, append([]string{"score", c.metric, "--hyp", hyp, "--ref", ref}, c.flags...)...))
			}
		})
	}
}

// BenchmarkRows reads 100,000 rows of JSON Lines, checks them and reads a field of each.
func BenchmarkRows(b *testing.B) {
	path := filepath.Join(b.TempDir(), "rows.jsonl")
	makeRows(b, path, benchgen.ClozeOptions{Rows: 100_000, Blanks: 4, Words: 100})
	b.Run("by=polars", func(b *testing.B) {
		for b.Loop() {
			timed(b, peer(b, "rows.py", path))
		}
	})
	b.Run("by=omniscope", func(b *testing.B) {
		for b.Loop() {
			timed(b, command("rows", path))
		}
	})
}

// readRows prints how many bytes the captions of a file have. It reads as the benchmarks of omniscope read rows.
func readRows(args []string) error {
	f, err := rows.Open(context.Background(), args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	sizes := make([]int, f.Len())
	err = f.Check(context.Background(), func(i int, text []byte) error {
		if err := rows.CheckJSON(text); err != nil {
			return err
		}
		sizes[i] = len(gjson.GetBytes(text, "predicted_caption").Str)
		return nil
	})
	total := 0
	for _, n := range sizes {
		total += n
	}
	fmt.Fprintln(os.Stdout, total)
	return err
}
