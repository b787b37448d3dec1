package labels

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/metric/stats"
	"omniscope/people"
	"omniscope/people/match"
)

// leastOverlap is from where on two people mean the same stretch.
const leastOverlap = 0.5

// tables are how far the first two people of each task agree. Recordings are resampled for the intervals.
func tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	table := omniscope.Table{Name: "agreement", Title: "Agreement", Columns: []string{"what", "value", "95% interval", "of"},
		Note: fmt.Sprintf("Two stretches are the same if they share at least %g of the time that they cover together. Two people who look at fewer than 10 things have no figure.", leastOverlap)}
	figures := make(map[string]*figure)
	var order []string
	err := people.EachItem(ctx, w, taskOf, func(item *people.Item, t *taskRecord, all map[string][]people.Done) error {
		for i := range t.Controls {
			c := &t.Controls[i]
			if figures[c.Name] == nil {
				figures[c.Name] = newFigure(c)
				order = append(order, c.Name)
			}
			if done := all[stage]; len(done) > 1 {
				n, sums := compare(sectionName(i), c, &done[0], &done[1])
				figures[c.Name].Add(item.ID+"/"+sectionName(i), n, sums...)
			}
		}
		return nil
	}, stage)
	for _, name := range order {
		f := figures[name]
		table.Rows = append(table.Rows, f.Row(name+": "+f.what, f.stat, f.of, 0))
	}
	return []omniscope.Table{table}, err
}

// A figure is how far two people agree on one control, with a row of sums for each task.
type figure struct {
	*people.Figure
	what, of string
	stat     stats.Statistic
}

func newFigure(c *controlTag) *figure {
	if c.marks() {
		return &figure{people.NewFigure(3), "stretches, F1", "stretches", match.F1}
	}
	return &figure{people.NewFigure(2), "same answer", "answers", people.Share}
}

// compare are the sums of two people's answers, and of how many things they are.
func compare(section string, c *controlTag, a, b *people.Done) (n int, sums []float64) {
	if c.marks() {
		one, other := spansOf(section, a), spansOf(section, b)
		pairs := match.Pairs(len(one), len(other), func(i, k int) float64 { return match.Overlap(one[i], other[k]) }, leastOverlap)
		return max(len(one), len(other)), []float64{float64(len(pairs)), float64(len(one)), float64(len(other))}
	}
	same, all := 0.0, 0.0
	for key, v := range a.Answers {
		other, ok := b.Answers[key]
		if name, _, _ := strings.Cut(key, "/"); name != section || !ok {
			continue
		}
		if all++; answerOf(v) == answerOf(other) {
			same++
		}
	}
	return int(all), []float64{same, all}
}

// answerOf is an answer as one text.
func answerOf(v people.Value) string {
	chosen := slices.Clone(v.Texts(fieldValue))
	slices.Sort(chosen)
	return strconv.FormatBool(v.Struck()) + v.Text(fieldValue) + strings.Join(chosen, "\x00")
}

func spansOf(section string, d *people.Done) (out []match.Span) {
	for key, v := range d.Answers {
		start, end, ok := v.Span(fieldSpan)
		if name, _, _ := strings.Cut(key, "/"); name == section && ok && !v.Struck() {
			out = append(out, match.Span{Start: start, End: end})
		}
	}
	slices.SortFunc(out, func(a, b match.Span) int { // so that pairs do not depend on the order of a map
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return out
}
