package suite

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"omniscope/internal/plot"
	"omniscope/metric"
	"omniscope/results/compare"
)

// curves are the scores over each axis of the sweep that has numbers, a chart for each
// benchmark and score; nil if there is no such axis. The figures of CapRiCorn-1K's
// appendix C, and Figure 6 of the Omni-Captioner paper, are of this kind.
func curves(outcomes []Outcome, metrics map[string]*metric.Metric) (charts []*plot.Chart) {
	for _, benchmark := range benchmarksOf(outcomes) {
		own := ofBenchmark(outcomes, benchmark)
		m := metrics[benchmark]
		if m == nil {
			continue
		}
		for _, axis := range axesOf(own) {
			for _, d := range m.Scores {
				if c := curve(rowsOf(own), axis, d); c != nil {
					charts = append(charts, c)
				}
			}
		}
	}
	return charts
}

// curve is a score over an axis, a line for each model, profile, judge and point of
// the other axes; nil if no line has two points.
func curve(rows []row, axis string, d metric.Score) *plot.Chart {
	c := &plot.Chart{X: axisName(axis), Y: compare.Heading(d)}
	factor := 1.0
	if d.Percent {
		factor = 100
	}
	index := make(map[string]int)
	for _, r := range rows {
		x, err := strconv.ParseFloat(r.Point.Text(axis), 64)
		s, ok := r.results.Headline.Scores[d.Name]
		if err != nil || !ok || s.Value == nil {
			continue
		}
		c.Title = titleOf(r.results)
		name := r.lineName(axis, severalJudges(rows))
		if _, there := index[name]; !there {
			index[name] = len(c.Lines)
			c.Lines = append(c.Lines, plot.Line{Name: name})
		}
		p := plot.Point{X: x, Y: *s.Value * factor, Low: *s.Value * factor, High: *s.Value * factor}
		if s.Interval != nil {
			p.Low, p.High = s.Interval.Low*factor, s.Interval.High*factor
		}
		line := &c.Lines[index[name]]
		line.Points = append(line.Points, p)
	}
	for _, l := range c.Lines {
		slices.SortStableFunc(l.Points, func(a, b plot.Point) int { return cmp.Compare(a.X, b.X) })
	}
	if !slices.ContainsFunc(c.Lines, func(l plot.Line) bool { return len(l.Points) > 1 }) {
		return nil
	}
	return c
}

// lineName is what a line's points have in common.
func (r row) lineName(axis string, judge bool) string {
	parts := []string{r.Model}
	if r.Profile != "" {
		parts = append(parts, r.Profile)
	}
	for _, p := range r.Point {
		if p.Name != axis {
			parts = append(parts, axisName(p.Name)+"="+p.Values[0])
		}
	}
	if judge {
		parts = append(parts, "judged by "+r.results.Judge.Name)
	}
	return strings.Join(parts, ", ")
}
