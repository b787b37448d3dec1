package compare

import (
	"fmt"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
	"omniscope/metric"
	"omniscope/metric/stats"
)

const (
	noScore      = string(document.NoScore)
	notAvailable = "–"
)

// scale is how a score's values are shown: percent with one digit, others with
// three, as in the report of one run. fine asks for one digit more.
func scale(s metric.Score, fine bool) (factor float64, digits int) {
	factor, digits = 1, 3
	if s.Percent {
		factor, digits = 100, 1
	}
	if fine {
		digits++
	}
	return factor, digits
}

func fixed(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-") // a rounded -0.04 is not negative
	}
	return s
}

// Number writes a value of a score; fine asks for one digit more than in a report, as for differences and deviations.
func Number(d metric.Score, v float64, fine bool) string {
	factor, digits := scale(d, fine)
	return fixed(v*factor, digits)
}

// signed writes a difference with its sign.
func signed(v float64, digits int) string {
	s := fixed(v, digits)
	if strings.HasPrefix(s, "-") || strings.Trim(s, "0.") == "" {
		return s
	}
	return "+" + s
}

// Heading is the heading of a column of scores.
func Heading(s metric.Score) string {
	if s.Lower {
		return s.Title + " ↓"
	}
	return s.Title
}

// Scored writes a score of a results document with its interval.
func Scored(def metric.Score, s omniscope.Score) string {
	factor, digits := scale(def, false)
	switch {
	case s.Value == nil && (s.Why != "" || s.N+s.Unscored == 0):
		return notAvailable
	case s.Value == nil:
		return noScore
	case s.Interval == nil:
		return fixed(*s.Value*factor, digits)
	}
	return fmt.Sprintf("%s [%s, %s]", fixed(*s.Value*factor, digits), fixed(s.Interval.Low*factor, digits), fixed(s.Interval.High*factor, digits))
}

// span writes a whole number that scores share, or its range where they do not.
func span(numbers []int) string {
	if len(numbers) == 0 {
		return "0"
	}
	low, high := numbers[0], numbers[0]
	for _, n := range numbers {
		low, high = min(low, n), max(high, n)
	}
	if low == high {
		return quantity.Grouped(low)
	}
	return quantity.Grouped(low) + "–" + quantity.Grouped(high)
}

// within writes an interval, a dash where there is none.
func within(iv stats.Interval, write func(float64) string) string {
	if !iv.Known {
		return notAvailable
	}
	return "[" + write(iv.Low) + ", " + write(iv.High) + "]"
}

// methods gathers how the intervals or tests of a table were made, and why they could
// not be.
type methods struct {
	made, not []string
}

func (m *methods) add(iv stats.Interval) { m.addMethod(iv.Method) }

func (m *methods) addMethod(method string) {
	if why, not := strings.CutPrefix(method, "not available: "); not {
		m.not = append(m.not, why)
	} else {
		m.made = append(m.made, method)
	}
}

// note adds them to a table's note.
func (m methods) note(note string) string { return m.noteOf("interval", note) }

func (m methods) noteOf(what, note string) string {
	if len(m.made) > 0 {
		note += "; " + what + "s: " + strings.Join(distinct(m.made), ", ")
	}
	if len(m.not) > 0 {
		note += "; no " + what + ": " + strings.Join(distinct(m.not), ", ")
	}
	return note
}
