package main

import (
	"strconv"
	"strings"

	"omniscope/record"
	"omniscope/score"
)

// checkPython refuses what the published program has no form for.
func (o *scoreOptions) checkPython(m *score.Measure) error {
	switch {
	case o.Format != formatPython && o.Format != formatPythonText:
		return nil
	case max(len(o.Hyps), 1)*max(len(o.HypFields), 1) > 1 && !m.Python.Several:
		return usagef("--format %s is for one system, as the published program's", o.Format)
	case o.PerSegment && !m.Python.Segments:
		return usagef("--format %s has no --per-segment here: the published program prints no segments", o.Format)
	case o.Format == formatPythonText && !m.Python.Text:
		return usagef("--format python-text is for BLEU and chrF; what other programs print is --format python")
	}
	return nil
}

// A sacrebleuScore is what sacrebleu prints of a score.
type sacrebleuScore struct {
	name      string
	value     float64
	signature string
	verbose   string // "" = nothing
	width     int    // digits behind the point
}

// print is sacrebleu's line, or its JSON.
func (s sacrebleuScore) print(text bool) string {
	value := strconv.FormatFloat(s.value, 'f', s.width, 64)
	if text {
		return strings.TrimSpace(s.name + "|" + s.signature + " = " + value + " " + s.verbose)
	}
	rounded, _ := strconv.ParseFloat(value, 64) // it was printed just now
	fields := []record.Field{record.String("name", s.name), record.Float("score", rounded), record.String("signature", s.signature)}
	if s.verbose != "" {
		fields = append(fields, record.String("verbose_score", s.verbose))
	}
	for part := range strings.SplitSeq(s.signature, "|") {
		name, value, _ := strings.Cut(part, ":")
		fields = append(fields, record.String(name, value))
	}
	lines := make([]string, len(fields))
	for i, f := range fields {
		lines[i] = " " + string(record.AppendJSON(nil, f.Name)) + ": " + f.JSON
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}"
}
