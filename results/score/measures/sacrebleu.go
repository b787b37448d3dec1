package measures

import (
	"strconv"
	"strings"

	"omniscope/internal/jsonfast"
	"omniscope/internal/rows"
)

// A sacrebleu is what sacrebleu prints of a score.
type sacrebleu struct {
	name      string
	value     float64
	signature string
	verbose   string // "" = nothing
	width     int    // digits behind the point
}

// print is sacrebleu's line, or its JSON.
func (s sacrebleu) print(text bool) string {
	value := strconv.FormatFloat(s.value, 'f', s.width, 64)
	if text {
		return strings.TrimSpace(s.name + "|" + s.signature + " = " + value + " " + s.verbose)
	}
	rounded, _ := strconv.ParseFloat(value, 64) // it was printed just now
	fields := []rows.Field{rows.String("name", s.name), rows.Float("score", rounded), rows.String("signature", s.signature)}
	if s.verbose != "" {
		fields = append(fields, rows.String("verbose_score", s.verbose))
	}
	for part := range strings.SplitSeq(s.signature, "|") {
		name, value, _ := strings.Cut(part, ":")
		fields = append(fields, rows.String(name, value))
	}
	lines := make([]string, len(fields))
	for i, f := range fields {
		lines[i] = " " + string(jsonfast.AppendRaw(nil, f.Name)) + ": " + f.JSON
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}"
}
