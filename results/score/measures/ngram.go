package measures

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"omniscope/metric"
	"omniscope/metric/ngram"
	"omniscope/metric/textnorm"
	"omniscope/results/score"
)

// BLEU is sacrebleu's BLEU. language is the code that the tokenizer was chosen
// by, and "" if it was not; width is how many digits sacrebleu's forms have
// behind the point.
func BLEU(b *ngram.BLEU, language string, width int) *score.Measure {
	sentences := b.Sentences()
	line := func(counts []float64, b *ngram.BLEU, signature string, text bool) string {
		score := b.Score(counts)
		return sacrebleu{"BLEU", score.Value, signature, score.String(), width}.print(text)
	}
	return &score.Measure{
		Metric: metric.Metric{Name: "bleu", Fields: b.Fields(),
			Scores: []metric.Score{{Name: "bleu", Title: "BLEU", Digits: 2,
				Value:   func(sum metric.Counts) (float64, bool) { return b.Score(sum).Value, true },
				Segment: func(counts metric.Counts) (float64, bool) { return sentences.Score(counts).Value, true }}}},
		Title: "BLEU", Texts: score.Trimmed,
		Signature: func(refs int, segment bool) string {
			if segment {
				return sentences.Signature(refs)
			}
			return b.Signature(refs)
		},
		Count: func(ctx context.Context, in *score.Input, system score.Column) ([][]float64, error) {
			return countSegments(ctx, in, system, func(hyp string, refs []string) []float64 { return b.Counts(hyp, refs...) })
		},
		Warn: func(in *score.Input) []string {
			warnings := append(unusualLanguage(language, "texts are cut by 13a, the tokenizer of all languages but Chinese"), looksTokenized(in)...)
			return append(warnings, looksUnsplit(in, b.Words, "BLEU counts each sentence as one word: cut them with --tokenize zh (Chinese) or char, or name the language with --lang")...)
		},
		Detail: func(sum []float64) (title, value string) {
			account, _, _ := strings.Cut(b.Score(sum).String(), " ratio")
			return "precisions", account + ")"
		},
		Python: score.Python{Segments: true, Text: true, Lines: func(s *score.Scored, text, perSegment bool) []string {
			if perSegment {
				return s.Each(0, func(counts []float64) string { return line(counts, sentences, s.SegmentSignature, true) })
			}
			return []string{line(s.Systems[0].Sum, b, s.Signature, text)}
		}},
	}
}

// ChrF is sacrebleu's chrF or chrF++. width is that of BLEU.
func ChrF(c *ngram.ChrF, width int) *score.Measure {
	line := func(s *score.Scored, counts []float64, text bool) string {
		return sacrebleu{name: c.Name(), value: c.Score(counts), signature: s.Signature, width: width}.print(text)
	}
	return &score.Measure{
		Metric: metric.Metric{Name: "chrf", Fields: c.Fields(),
			Scores: []metric.Score{{Name: "chrf", Title: c.Name(), Digits: 2,
				Value: func(sum metric.Counts) (float64, bool) { return c.Score(sum), true }}}},
		Title: c.Name(), Texts: score.Trimmed,
		Signature: func(refs int, _ bool) string { return c.Signature(refs) },
		Count: func(ctx context.Context, in *score.Input, system score.Column) ([][]float64, error) {
			return countSegments(ctx, in, system, func(hyp string, refs []string) []float64 { return c.Counts(hyp, refs...) })
		},
		Python: score.Python{Segments: true, Text: true, Lines: func(s *score.Scored, text, perSegment bool) []string {
			if perSegment {
				return s.Each(0, func(counts []float64) string { return line(s, counts, true) })
			}
			return []string{line(s, s.Systems[0].Sum, text)}
		}},
	}
}

// looksUnsplit warns of texts in scripts without blanks between words, that words does not cut, either.
func looksUnsplit(in *score.Input, words func(line string) []string, so string) (warnings []string) {
	for _, c := range append(slices.Clone(in.Refs), in.Systems...) {
		var all []string
		for _, text := range c.Texts {
			if textnorm.HasSpaceless(text) {
				all = append(all, words(text)...)
			}
		}
		if textnorm.Unsplit(all) {
			warnings = append(warnings, fmt.Sprintf("%s: the texts have hardly a blank between words, and %s", c.Path, so))
		}
	}
	return warnings
}

// looksTokenized warns, as sacrebleu does, of hypotheses that were cut into words
// already: tokenizers would cut them again.
func looksTokenized(in *score.Input) (warnings []string) {
	const many = 100
	for _, c := range in.Systems {
		n := 0
		for _, text := range c.Texts {
			if strings.HasSuffix(text, " .") {
				n++
			}
		}
		if n >= many {
			warnings = append(warnings, fmt.Sprintf("%s: %d lines end with a blank and a full stop, as if they had been tokenised; BLEU is for texts as people write them", c.Path, n))
		}
	}
	return warnings
}
