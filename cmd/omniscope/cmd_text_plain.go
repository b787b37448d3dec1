package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"omniscope"
	"omniscope/internal/textnorm"
	"omniscope/metric"
)

// werOfFiles prints the word errors of two files that belong together line by
// line.
func werOfFiles(out io.Writer, refPath, hypPath string, normalize scheme) error {
	refs, err := linesOf(refPath, normalize)
	if err != nil {
		return err
	}
	hyps, err := linesOf(hypPath, normalize)
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
			return badLine(refPath, i+1, errors.New("the reference has no words, and so no word error rate"))
		}
	}
	edits, err := metric.WER(refs, hyps)
	if err != nil {
		return invalidf("%s: %s", refPath, advice(err))
	}
	rate, _ := edits.Rate()
	_, err = fmt.Fprintf(out, "wer %s subs %d dels %d ins %d hits %d\n", shortest(rate),
		edits.Substitutions, edits.Deletions, edits.Insertions, edits.Hits)
	return err
}

func invalidf(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf(format, args...)}
}

// linesOf reads a file of text, each line in normal form if there is a scheme.
func linesOf(path string, normalize scheme) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Err: err}
	}
	defer f.Close()
	return linesFrom(path, f, normalize)
}

func linesFrom(name string, in io.Reader, normalize scheme) (lines []string, err error) {
	r := bufio.NewReader(in)
	for number := 1; ; number++ {
		line, err := readLine(r)
		switch {
		case errors.Is(err, io.EOF) && line == "":
			return lines, nil
		case errors.Is(err, errLongLine):
			return nil, badLine(name, number, err)
		case err != nil && !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		if number == 1 {
			line = strings.TrimPrefix(line, byteOrderMark)
		}
		if err := checkUTF8(line); err != nil {
			return nil, badLine(name, number, err)
		}
		text := line
		if normalize != nil {
			if text, err = normalize(line); err != nil {
				return nil, badLine(name, number, quoting(err, line))
			}
		}
		lines = append(lines, text)
	}
}
