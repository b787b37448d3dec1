package collect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/results/report"
)

// A stage is how many files one rule left out.
type stage struct {
	Rule string `json:"rule"`
	Out  int    `json:"out"`
	Left int    `json:"left"`
}

// funnel counts what each rule left out, in the order in which rules are applied.
func funnel(all []*candidate) (stages []stage) {
	out := make(map[string]int)
	for _, k := range all {
		out[k.rule]++
	}
	left := len(all)
	for _, rule := range RuleNames {
		left -= out[rule.Name]
		stages = append(stages, stage{rule.Name, out[rule.Name], left})
	}
	return stages
}

// Tables shows the funnel, what was accepted by category and bin, and what was left out, for people.
func (r *Results) Tables() *report.Comparison {
	c := &report.Comparison{
		Title: fmt.Sprintf("%d of %d files accepted", len(r.Collected), len(r.Collected)+len(r.Rejected)), Warnings: append([]string{}, r.Warnings...), Rest: "funnel.md",
		Tables: []omniscope.Table{r.funnelTable()},
	}
	if len(r.Collected) > 0 {
		c.Tables = append(c.Tables, r.cellTable(), r.clipTable())
	}
	if len(r.Rejected) > 0 {
		c.Tables = append(c.Tables, r.rejectedTable())
	}
	return c
}

func (r *Results) funnelTable() omniscope.Table {
	t := omniscope.Table{Name: "funnel", Title: "Funnel", Note: "Each file counts at the first rule that refuses it.",
		Columns: []string{"rule", "what is measured", "limit", "left out", "left"}, Numbers: []int{3, 4}}
	for i, s := range r.Funnel {
		t.Rows = append(t.Rows, []string{s.Rule, RuleNames[i].About, r.limit(s.Rule), strconv.Itoa(s.Out), strconv.Itoa(s.Left)})
	}
	return t
}

// limit is a rule's limit as a table shows it.
func (r *Results) limit(rule string) string {
	a := &r.About.Rules
	orAny := func(limit string, bounded bool) string {
		if !bounded {
			return "any"
		}
		return limit
	}
	count := func(n int) string { return orAny(strconv.Itoa(n), n != 0) }
	return map[string]string{
		ruleHeight:       fmt.Sprintf("≥ %d", a.MinHeight),
		ruleMinSeconds:   fmt.Sprintf("≥ %g", a.MinSeconds),
		ruleMaxSeconds:   orAny(fmt.Sprintf("≤ %g", a.MaxSeconds), a.MaxSeconds != 0),
		ruleTransitions:  fmt.Sprintf("≥ %d", a.MinTransitions),
		ruleSilent:       fmt.Sprintf("≤ %g", a.MaxSilentShare),
		ruleStill:        fmt.Sprintf("≤ %g", a.MaxStillShare),
		ruleSubtitles:    fmt.Sprintf("≤ %g", a.MaxSubtitleShare),
		ruleContaminated: fmt.Sprintf("%d files", r.Files),
		ruleCategory:     count(a.MaxPerCategory),
		ruleBin:          count(a.MaxPerBin),
		ruleClips:        count(a.MaxClips),
		ruleSource:       orAny("1", a.OnePerSource),
	}[rule]
}

// cellTable counts accepted clips by category and bin of lengths.
func (r *Results) cellTable() omniscope.Table {
	counts := make(map[cell]int)
	for _, c := range r.Collected {
		counts[cell{c.Category, c.DurationBin}]++
	}
	t := omniscope.Table{Name: "cells", Title: "Accepted by category and length", Columns: []string{"category", "length", "clips"}, Numbers: []int{2}}
	for _, at := range slices.SortedFunc(maps.Keys(counts), func(a, b cell) int { return cmp.Or(cmp.Compare(a.category, b.category), cmp.Compare(a.bin, b.bin)) }) {
		t.Rows = append(t.Rows, []string{cmp.Or(at.category, "none"), at.bin, strconv.Itoa(counts[at])})
	}
	return t
}

func (r *Results) clipTable() omniscope.Table {
	t := omniscope.Table{Name: "accepted", Title: "Accepted", Columns: []string{"id", "from", "to", "cuts", "segment"}, Numbers: []int{1, 2, 3}}
	for _, c := range r.Collected {
		t.Rows = append(t.Rows, []string{c.ID, fmt.Sprintf("%.2f", c.Span[0]), fmt.Sprintf("%.2f", c.Span[1]), strconv.Itoa(c.Transitions), c.Why})
	}
	return t
}

func (r *Results) rejectedTable() omniscope.Table {
	t := omniscope.Table{Name: "rejected", Title: "Left out", Columns: []string{"id", "rule", "reason"}}
	for _, c := range r.Rejected {
		t.Rows = append(t.Rows, []string{c.ID, c.Rule, c.Reason})
	}
	return t
}
