package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"omniscope"
)

const (
	noScore    = string(omniscope.NoScore)
	noInterval = "–"
)

// finite returns the number that v points at. NaN and infinities are none: they
// must not be read as a score.
func finite(v *float64) (float64, bool) {
	if v == nil || math.IsNaN(*v) || math.IsInf(*v, 0) {
		return 0, false
	}
	return *v, true
}

func (c Column) number(v float64) string {
	digits := 3
	if c.Percent {
		v, digits = v*100, 1
	}
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-") // a rounded -0.04 is not a negative score
	}
	return s
}

func (c Column) value(s omniscope.Score) string {
	v, ok := finite(s.Value)
	if !ok {
		return noScore
	}
	return c.number(v)
}

// interval returns the interval in brackets, a dash where a value has none, and
// nothing where there is no value.
func (c Column) interval(s omniscope.Score) string {
	if _, ok := finite(s.Value); !ok {
		return ""
	}
	low, high, ok := intervalEnds(s)
	if !ok {
		return noInterval
	}
	return "[" + c.number(low) + ", " + c.number(high) + "]"
}

func intervalEnds(s omniscope.Score) (low, high float64, ok bool) {
	if s.Interval == nil {
		return 0, 0, false
	}
	low, lowOK := finite(&s.Interval.Low)
	high, highOK := finite(&s.Interval.High)
	return low, high, lowOK && highOK
}

// bounds returns the bounds where something is unscored, else nothing.
func (c Column) bounds(s omniscope.Score) string {
	low, high, ok := boundEnds(s)
	if !ok || s.Unscored == 0 {
		return ""
	}
	dash := "–"
	if low < 0 {
		dash = " to " // a dash between minus signs cannot be read
	}
	return c.number(low) + dash + c.number(high)
}

func boundEnds(s omniscope.Score) (low, high float64, ok bool) {
	if s.Bounds == nil {
		return 0, 0, false
	}
	low, lowOK := finite(&s.Bounds.Low)
	high, highOK := finite(&s.Bounds.High)
	return low, high, lowOK && highOK
}

// plain returns a value with its interval, where it has one.
func (c Column) plain(s omniscope.Score) string {
	return strings.TrimSpace(c.value(s) + " " + c.interval(s))
}

// span returns a count that the scores of a slice share, or its range where
// they do not.
func span(s omniscope.Slice, columns []Column, count func(omniscope.Score) int) string {
	low, high, seen := 0, 0, false
	for _, c := range columns {
		score, ok := s.Scores[c.Name]
		if !ok {
			continue
		}
		n := count(score)
		if !seen {
			low, high, seen = n, n, true
		}
		low, high = min(low, n), max(high, n)
	}
	if low == high {
		return grouped(low)
	}
	return grouped(low) + "–" + grouped(high)
}

func scored(s omniscope.Score) int   { return s.N }
func unscored(s omniscope.Score) int { return s.Unscored }
func clusters(s omniscope.Score) int { return s.Clusters }

// grouped writes a whole number in groups of three digits.
func grouped(n int) string {
	s := strconv.Itoa(n)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// things counts things, one or many.
func things(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + one + "s"
}

func dollars(v float64) string {
	if v != 0 && v < 1 {
		return fmt.Sprintf("$%.4f", v)
	}
	return fmt.Sprintf("$%.2f", v)
}
