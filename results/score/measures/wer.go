package measures

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"omniscope/internal/pyrepr"
	"omniscope/internal/rows"
	"omniscope/metric"
	"omniscope/metric/textnorm"
	"omniscope/results/score"
)

// WER is the word error rate of jiwer. scheme names the form in which texts are
// compared, one of textnorm.Schemes; "" compares them as they are. language is
// the code that the scheme was chosen by, and "" if it was not.
func WER(scheme, language string) *score.Measure {
	normalize, name := textnorm.Schemes[scheme], scheme
	if normalize == nil {
		name = "none"
	}
	rate := func(sum metric.Counts) (float64, bool) { return editsOf(sum).Rate() }
	return &score.Measure{
		Metric: metric.Metric{Name: "wer", Fields: []string{"hits", "substitutions", "deletions", "insertions"},
			Scores: []metric.Score{{Name: "wer", Title: "WER", Digits: 4, Lower: true, Value: rate}}},
		Title:     "WER",
		Signature: func(int, bool) string { return "norm:" + name + "|version:omniscope-1(jiwer-3.0.5)" },
		Detail: func(sum []float64) (title, value string) {
			e := editsOf(sum)
			return "of words", fmt.Sprintf("%d: subs %d dels %d ins %d", e.Words(), e.Substitutions, e.Deletions, e.Insertions)
		},
		Count: func(ctx context.Context, in *score.Input, system score.Column) ([][]float64, error) {
			rows := make([][]float64, in.Len())
			err := score.EachSegment(ctx, len(rows), func(i int) (err error) {
				rows[i], err = countWordErrors(in.Refs[0], system, i, normalize)
				return err
			})
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
			value, _ := rate(s.Systems[0].Sum) // references have words, or counting would have failed
			return []string{pyrepr.Float(value)}
		}},
	}
}

// editsOf reads a row of counts.
func editsOf(counts []float64) metric.Edits {
	return metric.Edits{Hits: int(counts[0]), Substitutions: int(counts[1]), Deletions: int(counts[2]), Insertions: int(counts[3])}
}

func countWordErrors(refs, hyps score.Column, segment int, normalize textnorm.Scheme) ([]float64, error) {
	ref, err := normalized(refs, segment, normalize)
	if err != nil {
		return nil, err
	}
	if len(textnorm.Words(ref)) == 0 {
		err := errors.New("the reference has no words, and so no word error rate")
		if text := refs.Texts[segment]; strings.TrimSpace(text) != "" {
			err = rows.Quoting(err, text)
		}
		return nil, rows.BadLine(refs.Path, refs.Lines[segment], err)
	}
	hyp, err := normalized(hyps, segment, normalize)
	if err != nil {
		return nil, err
	}
	e, err := metric.WER([]string{ref}, []string{hyp})
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

// WordErrors counts the word errors of a file of text against another that
// belongs to it line by line. A carriage return within a line ends none.
func WordErrors(ctx context.Context, ref, hyp, scheme string) (sum metric.Edits, err error) {
	m := WER(scheme, "")
	m.Texts = score.WholeLine
	files := score.Files{Refs: []string{ref}, Hyps: []string{hyp}, As: score.AsText}
	in, err := files.Read(ctx, m)
	if err != nil {
		return sum, err
	}
	rows, err := m.Count(ctx, in, in.Systems[0])
	for _, counts := range rows {
		if err == nil {
			sum = sum.Add(editsOf(counts))
		}
	}
	return sum, err
}
