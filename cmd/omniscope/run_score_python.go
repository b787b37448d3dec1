package main

import (
	"strconv"
	"strings"
)

// A pythonForm says what the published program of a measure prints.
type pythonForm struct {
	several  bool // systems at a time
	segments bool // it can print the scores of segments
	text     bool // it has a form of text beside its form of JSON
	lines    func(s *scored, text, perSegment bool) []string
}

// checkPython refuses what the published program has no form for.
func (o *scoreOptions) checkPython(m *measure) error {
	switch {
	case o.Format != formatPython && o.Format != formatPythonText:
		return nil
	case max(len(o.Hyps), 1)*max(len(o.HypFields), 1) > 1 && !m.python.several:
		return usagef("--format %s is for one system, as the published program's", o.Format)
	case o.PerSegment && !m.python.segments:
		return usagef("--format %s has no --per-segment here: the published program prints no segments", o.Format)
	case o.Format == formatPythonText && !m.python.text:
		return usagef("--format python-text is for BLEU and chrF; what other programs print is --format python")
	}
	return nil
}

// each are the lines of one system's segments.
func (s *scored) each(system int, line func(counts []float64) string) []string {
	var lines []string
	for _, counts := range s.systems[system].rows {
		lines = append(lines, line(counts))
	}
	return lines
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
	fields := []field{stringField("name", s.name), floatField("score", rounded), stringField("signature", s.signature)}
	if s.verbose != "" {
		fields = append(fields, stringField("verbose_score", s.verbose))
	}
	for part := range strings.SplitSeq(s.signature, "|") {
		name, value, _ := strings.Cut(part, ":")
		fields = append(fields, stringField(name, value))
	}
	lines := make([]string, len(fields))
	for i, f := range fields {
		lines[i] = " " + string(appendJSON(nil, f.name)) + ": " + f.json
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}"
}
