package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/textnorm"
	"omniscope/metric"
	"omniscope/record"
)

// werOfFiles prints the word errors of two files that belong together line by
// line.
func werOfFiles(ctx context.Context, out io.Writer, refPath, hypPath string, normalize scheme) error {
	refs, err := linesOf(ctx, refPath, normalize)
	if err != nil {
		return err
	}
	hyps, err := linesOf(ctx, hypPath, normalize)
	if err != nil {
		return err
	}
	switch {
	case len(refs) == 0:
		return invalidf("%s has no lines", refPath)
	case len(refs) != len(hyps):
		return invalidf("%s has %d lines and %s %d: they must belong together line by line", refPath, len(refs), hypPath, len(hyps))
	}
	for i, ref := range refs {
		if len(textnorm.Words(ref)) == 0 {
			return record.BadLine(refPath, i+1, errors.New("the reference has no words, and so no word error rate"))
		}
	}
	edits, err := metric.WER(refs, hyps)
	if err != nil {
		return invalidf("%s: %s", refPath, advice(err))
	}
	rate, _ := edits.Rate()
	_, err = fmt.Fprintf(out, "wer %s subs %d dels %d ins %d hits %d\n", record.Shortest(rate),
		edits.Substitutions, edits.Deletions, edits.Insertions, edits.Hits)
	return err
}

func invalidf(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf(format, args...)}
}

// linesOf reads a file of text, each line in normal form if there is a scheme.
func linesOf(ctx context.Context, path string, normalize scheme) (lines []string, err error) {
	f, err := input.Open(ctx, path, input.Texts)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return lines, record.EachText(f, func(number int, line string) error {
		if normalize != nil {
			text, err := normalize(line)
			if err != nil {
				return record.BadLine(f.Path, number, record.Quoting(err, line))
			}
			line = text
		}
		lines = append(lines, line)
		return nil
	})
}
