package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
)

// notes explains the marks that occur in a scoring's table.
// withBounds and withIntervals are the parts of it that show these.
func notes(p, withBounds, withIntervals document.ScoringInfo, t terms) []string {
	out := []string{units(t.columns), counts(overall(p), t.columns), intervals(withIntervals, t)}
	if anyScore(withIntervals, t.columns, lacksInterval) {
		out = append(out, noInterval+" no interval: "+whyNoInterval(p, t))
	}
	if anyScore(withBounds, t.columns, hasBounds) {
		out = append(out, "bounds: the lowest and highest value if the unscored "+quantity.Plural(t.item)+" had been scored")
	}
	for _, r := range reasons(overall(p), t.columns) {
		out = append(out, r.String())
	}
	out = slices.DeleteFunc(out, func(s string) bool { return s == "" })
	return append(out, forced(p)...)
}

func units(columns []Column) string {
	var parts []string
	if slices.ContainsFunc(columns, func(c Column) bool { return c.Percent }) {
		parts = append(parts, "scores in percent")
	}
	if slices.ContainsFunc(columns, func(c Column) bool { return c.Lower }) {
		parts = append(parts, "↓ lower is better")
	}
	return strings.Join(parts, "; ")
}

// counts says how much each score was made of, where they are made of different
// things: the table can only show a range.
func counts(s document.Slice, columns []Column) string {
	var parts []string
	kinds := make(map[[2]int]bool)
	for _, c := range columns {
		score := s.Scores[c.Name]
		if !counted(score) {
			continue
		}
		kinds[[2]int{score.N, score.Unscored}] = true
		part := c.Title + " " + quantity.Grouped(score.N)
		if score.Unscored != 0 {
			part += " (" + quantity.Grouped(score.Unscored) + " unscored)"
		}
		parts = append(parts, part)
	}
	if len(kinds) < 2 {
		return ""
	}
	return "n overall: " + strings.Join(parts, " · ")
}

// intervals names the level and the methods of the intervals there are.
func intervals(p document.ScoringInfo, t terms) string {
	kinds, level := make(map[string]bool), 0.0
	anyScore(p, t.columns, func(c Column, s omniscope.Score) bool {
		if _, _, ok := intervalEnds(s); ok {
			kinds[s.Interval.Method] = true
			level = s.Interval.Level
		}
		return false
	})
	if len(kinds) == 0 {
		return ""
	}
	n := span(overall(p), t.columns, clusters)
	return fmt.Sprintf("[low, high] %.4g%% interval by %s; %s %s overall", 100*level, strings.Join(slices.Sorted(maps.Keys(kinds)), ", or "), n, quantity.Plural(t.cluster))
}

// whyNoInterval lists the reasons for missing intervals, in the order of the scores.
func whyNoInterval(p document.ScoringInfo, t terms) string {
	var all []string
	anyScore(p, t.columns, func(c Column, s omniscope.Score) bool {
		why := strings.NewReplacer("clusters", quantity.Plural(t.cluster), "clips", quantity.Plural(t.cluster)).Replace(s.NoInterval)
		if lacksInterval(c, s) && why != "" && !slices.Contains(all, why) {
			all = append(all, why)
		}
		return false
	})
	if len(all) == 0 { // a document of before the reasons were kept
		return "fewer than 2 " + quantity.Plural(t.cluster) + ", or no variation between them"
	}
	return strings.Join(all, ", or ")
}

// forcedCount is the count of questions that a scoring counts as "not given"
// though the judge did not say so.
const forcedCount = "forced_not_given"

func forced(p document.ScoringInfo) []string {
	n := int(overall(p).Counts[forcedCount])
	if n <= 0 {
		return nil
	}
	return []string{quantity.Things(n, "blank") + " counted as not given because the reply could not be used"}
}

func lacksInterval(c Column, s omniscope.Score) bool { return c.interval(s) == noInterval }

func hasBounds(c Column, s omniscope.Score) bool { return c.bounds(s) != "" }

func anyScore(p document.ScoringInfo, columns []Column, is func(Column, omniscope.Score) bool) bool {
	for _, s := range p.Slices {
		for _, c := range columns {
			if score, ok := s.Scores[c.Name]; ok && is(c, score) {
				return true
			}
		}
	}
	return false
}
