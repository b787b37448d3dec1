package report

import (
	"math"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
)

const (
	noScore      = string(document.NoScore)
	noInterval   = "–"
	notAvailable = "–" // a note says why
)

// finite returns the number that v points at. NaN and infinities are none: they
// must not be read as a score.
func finite(v *float64) (float64, bool) {
	if v == nil || math.IsNaN(*v) || math.IsInf(*v, 0) {
		return 0, false
	}
	return *v, true
}

// Number writes a value of the score as people read it, a share as a percentage.
func (c Column) Number(v float64) string {
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

// cell returns a slice's value, or what stands in its place: a dash where the
// score says why there is none, nothing where the slice holds nothing for this
// score but something for others, and else "no score".
func (c Column) cell(s document.Slice) string {
	score := s.Scores[c.Name]
	v, ok := finite(score.Value)
	switch {
	case ok:
		return c.Number(v)
	case score.Why != "" && (s.Dimension == whole || counted(score) || !anyOf(s, counted)):
		return notAvailable
	case counted(score) || !anyOf(s, isShown):
		return noScore
	}
	return ""
}

// counted reports whether there was anything to score.
func counted(s omniscope.Score) bool { return s.N != 0 || s.Unscored != 0 || s.Value != nil }

// isShown reports whether a score counted something or says why it did not.
func isShown(s omniscope.Score) bool { return counted(s) || s.Why != "" }

func anyOf(s document.Slice, is func(omniscope.Score) bool) bool {
	for _, score := range s.Scores {
		if is(score) {
			return true
		}
	}
	return false
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
	return "[" + c.Number(low) + ", " + c.Number(high) + "]"
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
	return c.Number(low) + dash + c.Number(high)
}

func boundEnds(s omniscope.Score) (low, high float64, ok bool) {
	if s.Bounds == nil {
		return 0, 0, false
	}
	low, lowOK := finite(&s.Bounds.Low)
	high, highOK := finite(&s.Bounds.High)
	return low, high, lowOK && highOK
}

// plain returns a cell with its interval, where it has one.
func (c Column) plain(s document.Slice) string {
	return strings.TrimSpace(c.cell(s) + " " + c.interval(s.Scores[c.Name]))
}

// span returns a count that the scores of a slice share, or its range where
// they do not. Scores that the slice holds nothing for have no part in it.
func span(s document.Slice, columns []Column, count func(omniscope.Score) int) string {
	low, high, seen, all := 0, 0, false, !anyOf(s, counted)
	for _, c := range columns {
		score, ok := s.Scores[c.Name]
		if !ok || !all && !counted(score) {
			continue
		}
		n := count(score)
		if !seen {
			low, high, seen = n, n, true
		}
		low, high = min(low, n), max(high, n)
	}
	if low == high {
		return quantity.Grouped(low)
	}
	return quantity.Grouped(low) + "–" + quantity.Grouped(high)
}

func scored(s omniscope.Score) int   { return s.N }
func unscored(s omniscope.Score) int { return s.Unscored }
func clusters(s omniscope.Score) int { return s.Clusters }

func dollars(v float64) string { return quantity.Dollars(v) }
