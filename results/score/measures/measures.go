// Package measures makes the measures of texts that need no network: word error
// rate, BLEU and chrF. It joins their counts (packages metric and metric/ngram)
// to what package score wants of a measure, and prints as jiwer and sacrebleu do.
package measures

import (
	"context"
	"fmt"

	"omniscope/internal/langcode"
	"omniscope/results/score"
)

// countSegments counts the segments of a system, several at a time.
func countSegments(ctx context.Context, in *score.Input, system score.Column, count func(hyp string, refs []string) []float64) ([][]float64, error) {
	rows := make([][]float64, in.Len())
	err := score.EachSegment(ctx, len(rows), func(i int) error {
		rows[i] = count(system.Texts[i], in.References(i))
		return nil
	})
	return rows, err
}

// unusualLanguage warns of a language that is not known, or that is known by
// another code. effect says how its texts are treated then.
func unusualLanguage(language, effect string) []string {
	if language == "" {
		return nil
	}
	usual, ok := langcode.Check(language)
	if ok {
		return nil
	}
	advice := "write a code of two letters, such as en"
	if usual != "" {
		advice = "write " + usual
	}
	return []string{fmt.Sprintf("--lang %s is not known, and %s: %s", language, effect, advice)}
}
