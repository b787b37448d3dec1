package labels

import (
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

// Tables implements people.Tabler: how far the first two people of each task agree. Recordings are
// resampled for the intervals.
func (Kind) Tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	table := omniscope.Table{Name: "agreement", Title: "Agreement", Columns: []string{"what", "value", "95% interval", "of"},
		Note: fmt.Sprintf("Two stretches are the same if they share at least %g of the time that they cover together. Two people who look at fewer than 10 things have no figure.", leastOverlap)}
	figures := make(map[string]*figure)
	var order []string
	for _, id := range w.Items() {
		item, err := w.Item(ctx, id)
		if err != nil {
			return nil, err
		}
		t, err := taskOf(item)
		if err != nil {
			return nil, err
		}
		done, err := w.Done(ctx, id, stage)
		if err != nil {
			return nil, err
		}
		for i := range t.Controls {
			c := &t.Controls[i]
			if figures[c.Name] == nil {
				figures[c.Name] = newFigure(c)
				order = append(order, c.Name)
			}
			if len(done) > 1 {
				figures[c.Name].compare(sectionName(i), c, &done[0], &done[1])
			}
		}
	}
	for _, name := range order {
		table.Rows = append(table.Rows, figures[name].row(name))
	}
	return []omniscope.Table{table}, nil
}

// A figure is how far two people agree on one control, with a row of sums for each task.
type figure struct {
	what string
	of   string
	stat stats.Statistic
	rows stats.Clusters
	n    int // things that were compared
}

func newFigure(c *controlTag) *figure {
	if c.marks() {
		return &figure{what: "stretches, F1", of: "stretches", stat: match.F1, rows: stats.Clusters{Width: 3}}
	}
	return &figure{what: "same answer", of: "answers", rows: stats.Clusters{Width: 2},
		stat: func(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }}
}

func (f *figure) compare(section string, c *controlTag, a, b *people.Done) {
	if c.marks() {
		one, other := spansOf(section, a), spansOf(section, b)
		pairs := match.Pairs(len(one), len(other), func(i, k int) float64 { return match.Overlap(one[i], other[k]) }, leastOverlap)
		f.rows.Rows = append(f.rows.Rows, float64(len(pairs)), float64(len(one)), float64(len(other)))
		f.n += max(len(one), len(other))
		return
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
	f.rows.Rows = append(f.rows.Rows, same, all)
	f.n += int(all)
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
		switch {
		case a.Start < b.Start || a.Start == b.Start && a.End < b.End:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	return out
}

func (f *figure) row(name string) []string {
	const fewest = 10
	cells := []string{name + ": " + f.what, "not known", "", fmt.Sprintf("%d %s", f.n, f.of)}
	if f.n < fewest {
		cells[3] += fmt.Sprintf("; at least %d are needed", fewest)
		return cells
	}
	if value, known := f.stat(f.rows.Total()); known {
		cells[1] = fmt.Sprintf("%.3f", value)
		if i := stats.Clustered(f.rows, []stats.Statistic{f.stat}, stats.Options{})[0]; i.Known {
			cells[2] = fmt.Sprintf("%.3f to %.3f", i.Low, i.High)
		}
	}
	return cells
}
