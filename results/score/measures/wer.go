package measures

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"omniscope"
	"omniscope/internal/pyrepr"
	"omniscope/internal/rows"
	"omniscope/metric"
	"omniscope/metric/textnorm"
	"omniscope/results/score"
)

// WER is the word error rate of jiwer. scheme names the form in which texts are
// compared, one of textnorm.Schemes; "" compares them as they are. language is
// the code that the scheme was chosen by, and "" if it was not. empty is what
// references without words count as, a rule of metric.WordErrors; "" refuses them.
func WER(scheme, language, empty string) *score.Measure {
	normalize, name := textnorm.Schemes[scheme], scheme
	if normalize == nil {
		name = "none"
	}
	wordless := 0 // references of the last count
	rate := func(sum metric.Counts) (float64, bool) { return editsOf(sum).Rate() }
	return &score.Measure{
		Metric: metric.Metric{Name: "wer", Fields: []string{"hits", "substitutions", "deletions", "insertions"},
			Scores: []metric.Score{{Name: "wer", Title: "WER", Digits: 4, Lower: true, Value: rate}}},
		Title: "WER",
		Signature: func(int, bool) string {
			rule := ""
			if empty != "" {
				rule = fmt.Sprintf("|empty-ref:%s(%d)", empty, wordless)
			}
			return "norm:" + name + rule + "|version:omniscope-1(jiwer-3.0.5)"
		},
		EmptyRefs: map[string]string{metric.SkipEmpty: "they are left out", metric.CountEmpty: "words said there are insertions"}[empty],
		LeftOut:   func(counts []float64) bool { return empty == metric.SkipEmpty && editsOf(counts).Words() == 0 },
		Detail: func(sum []float64) (title, value string) {
			e := editsOf(sum)
			return "of words", fmt.Sprintf("%d: subs %d dels %d ins %d", e.Words(), e.Substitutions, e.Deletions, e.Insertions)
		},
		Count: func(ctx context.Context, in *score.Input, system score.Column) ([][]float64, error) {
			rows := make([][]float64, in.Len())
			err := score.EachSegment(ctx, len(rows), func(i int) (err error) {
				rows[i], err = countWordErrors(in.Refs[0], system, i, normalize, empty)
				return err
			})
			if err != nil {
				return nil, err
			}
			if wordless = withoutWords(rows); wordless == len(rows) {
				err = omniscope.Invalidf("%s: no reference has words, so the word error rate is undefined", in.Refs[0].Where())
			}
			return rows, err
		},
		Warn: func(in *score.Input) []string {
			unsplit := looksUnsplit(in, textnorm.Words, "a sentence counts as one word: put blanks between words, or between characters")
			if scheme != textnorm.WhisperBasic {
				return unsplit
			}
			return append(unusualLanguage(language, "texts are normalised by whisper-basic, the normaliser of all languages but English"), unsplit...)
		},
		Python: score.Python{Lines: func(s *score.Scored, _, _ bool) []string {
			value, _ := rate(s.Systems[0].Sum) // some references have words, or counting would have failed
			return []string{pyrepr.Float(value)}
		}},
	}
}

// withoutWords counts the segments with a reference without words.
func withoutWords(rows [][]float64) (n int) {
	for _, counts := range rows {
		if editsOf(counts).Words() == 0 {
			n++
		}
	}
	return n
}

// editsOf reads a row of counts.
func editsOf(counts []float64) metric.Edits {
	return metric.Edits{Hits: int(counts[0]), Substitutions: int(counts[1]), Deletions: int(counts[2]), Insertions: int(counts[3])}
}

func countWordErrors(refs, hyps score.Column, segment int, normalize textnorm.Scheme, empty string) ([]float64, error) {
	ref, err := normalized(refs, segment, normalize)
	if err != nil {
		return nil, err
	}
	if empty == "" && len(textnorm.Words(ref)) == 0 {
		err := errors.New("the reference has no words, and so no word error rate (--empty-ref skip leaves such lines out, --empty-ref count takes what was said there for insertions)")
		if text := refs.Texts[segment]; strings.TrimSpace(text) != "" {
			err = rows.Quoting(err, text)
		}
		return nil, rows.BadLine(refs.Path, refs.Lines[segment], err)
	}
	hyp, err := normalized(hyps, segment, normalize)
	if err != nil {
		return nil, err
	}
	e, _, err := metric.WordErrors([]string{ref}, []string{hyp}, empty)
	if err != nil {
		return nil, rows.BadLine(refs.Path, refs.Lines[segment], errors.New(metric.Advice(err)))
	}
	return []float64{float64(e.Hits), float64(e.Substitutions), float64(e.Deletions), float64(e.Insertions)}, nil
}

func normalized(c score.Column, segment int, normalize textnorm.Scheme) (string, error) {
	text := c.Texts[segment]
	if normalize == nil {
		return text, nil
	}
	out, err := normalize(text)
	if err != nil {
		return "", rows.BadLine(c.Path, c.Lines[segment], rows.Quoting(err, text))
	}
	return out, nil
}
