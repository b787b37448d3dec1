package ngram_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/metric/ngram"
)

// A vector is a line of testdata/vectors.jsonl: invented texts, with the numbers
// of functions in Python that follow sacrebleu 2.4.3's rules by means of the
// modules re and regex, and so share no code with this package.
type vector struct {
	Hyp   string
	Refs  []string
	Words map[string]string
	BLEU  []float64
	ChrF  []float64
}

// The settings of a vector's scores, in order.
var (
	vectorBLEU = []ngram.BLEUOptions{
		{Tokenizer: ngram.Tok13a},
		{Tokenizer: ngram.TokZh, EffectiveOrder: true},
		{Tokenizer: ngram.TokIntl, Smoothing: ngram.SmoothFloor, EffectiveOrder: true},
		{Tokenizer: ngram.TokChar, Lowercase: true, Smoothing: ngram.SmoothAddK, EffectiveOrder: true},
		{Tokenizer: ngram.TokNone, Lowercase: true, Smoothing: ngram.SmoothNone, EffectiveOrder: true},
	}
	vectorChrF = []ngram.ChrFOptions{{}, {WordOrder: 2}, {WordOrder: 2, Beta: 3, Spaces: true, Lowercase: true, EpsSmoothing: true}}
)

func TestVectors(t *testing.T) {
	f, err := os.Open("testdata/vectors.jsonl")
	fixture.OK(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		var v vector
		fixture.OK(t, json.Unmarshal(lines.Bytes(), &v))
		for name, want := range v.Words {
			if got := strings.Join(ngram.Tokenizer(name).Words(v.Hyp), " "); got != want {
				t.Errorf("line %d: %s of %q\n got %q\nwant %q", n, name, v.Hyp, got, want)
			}
		}
		for i, o := range vectorBLEU {
			b := newBLEU(t, o)
			near(t, fmt.Sprintf("line %d: %s of %q", n, b.Signature(len(v.Refs)), v.Hyp), b.Score(b.Counts(v.Hyp, v.Refs...)).Value, v.BLEU[i], 1e-9)
		}
		for i, o := range vectorChrF {
			c := newChrF(t, o)
			near(t, fmt.Sprintf("line %d: %s of %q", n, c.Signature(len(v.Refs)), v.Hyp), c.Score(c.Counts(v.Hyp, v.Refs...)), v.ChrF[i], 1e-9)
		}
	}
	fixture.OK(t, lines.Err())
}

// Segments may be added up in any grouping: the counts are whole numbers.
func TestCountsAddUp(t *testing.T) {
	b, c := newBLEU(t, ngram.BLEUOptions{}), newChrF(t, ngram.ChrFOptions{WordOrder: 2})
	hyps := []string{"The lake froze in March.", "Nobody skated, not even once.", "It thawed."}
	refs := [][]string{{"The lake froze over in March.", "Nobody skated on it, not once.", "Then it thawed."}}
	for name, counts := range map[string]func(string, ...string) []float64{"BLEU": b.Counts, "chrF": c.Counts} {
		whole := sum(counts, hyps, refs)
		first, rest := sum(counts, hyps[:1], refs), sum(counts, hyps[1:], [][]string{refs[0][1:]})
		for i := range whole {
			if whole[i] != first[i]+rest[i] {
				t.Errorf("%s: count %d is %v of the whole, %v and %v of its parts", name, i, whole[i], first[i], rest[i])
			}
		}
	}
}
