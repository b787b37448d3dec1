// Package curve shows scores over what samples and runs are like: length of the answer,
// inquiries, frames, pixels, length of the clip, slices of the benchmark, languages.
package curve

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/predict"
	"omniscope/internal/plot"
	"omniscope/metric"
	"omniscope/metric/stats"
	"omniscope/results"
	"omniscope/results/compare"
)

// Options say what is shown.
type Options struct {
	By      string   // quantity, dimension of slices, part of names, or part of signatures
	Names   string   // what the parts of systems' names mean, see pattern; "" = nothing
	Scores  []string // by name; nil = all
	Bins    int      // of a quantity, in each run; 0 = each run is one point
	Scoring bench.Scoring
	Seed    uint64
}

// curves are the lines of runs.
type curves struct {
	By     string
	Places []string // of the axis, where it has names; nil = numbers
	Lines  []curveLine
	Notes  []string
	Scores []metric.Score
}

// A curveLine is a run, or what runs of one system have in common.
type curveLine struct {
	Name   string
	Points []curvePoint
}

// A curvePoint is the samples of one place.
type curvePoint struct {
	X        float64 // mean, or number of the place
	Where    string  // range of the quantity, or name of the place
	Units    int     // 0 = not known
	Values   map[string]omniscope.Score
	Clusters int
}

// quantities are what the details of a run say of a sample, in the order of help.
var quantities = []struct {
	name, about string
	of          func(p *predict.Prediction) (float64, bool)
}{
	{"words", "words of the answer", func(p *predict.Prediction) (float64, bool) { return float64(p.Length()), p.Outcome == omniscope.OK }},
	{"inquiries", "inquiries of the detective", func(p *predict.Prediction) (float64, bool) { return float64(p.Inquiries), p.Inquiries > 0 }},
	{"frames", "frames that were sent", func(p *predict.Prediction) (float64, bool) {
		if p.Sent.Frames == nil {
			return 0, false
		}
		return float64(p.Sent.Frames.Count), true
	}},
	{"pixels", "pixels of a frame", func(p *predict.Prediction) (float64, bool) {
		if p.Sent.Frames == nil {
			return 0, false
		}
		return float64(p.Sent.Frames.Width * p.Sent.Frames.Height), true
	}},
	{"seconds", "length of the clip", func(p *predict.Prediction) (float64, bool) { return p.Sent.Seconds, p.Sent.Seconds > 0 }},
	{"tokens", "tokens of the request, as the endpoint counts them", func(p *predict.Prediction) (float64, bool) {
		if p.Usage == nil {
			return 0, false
		}
		return float64(p.Usage.TokensIn), p.Usage.TokensIn > 0 && !p.Usage.Estimated
	}},
}

// Quantities lists them for help.
func Quantities() string {
	var all []string
	for _, q := range quantities {
		all = append(all, q.name+" ("+q.about+")")
	}
	return strings.Join(all, ", ")
}

func quantityNames() string {
	var all []string
	for _, q := range quantities {
		all = append(all, q.name)
	}
	return strings.Join(all, ", ")
}

// Of makes the curves of runs of one benchmark.
func Of(ctx context.Context, runs []*compare.Run, m *metric.Metric, o Options) (*curves, error) {
	c := &curves{By: o.By, Notes: append([]string{"scoring " + o.Scoring.String()}, compare.Remarks(runs, m, o.Scoring)...)}
	for _, s := range m.Scores {
		if o.Scores == nil || slices.Contains(o.Scores, s.Name) {
			c.Scores = append(c.Scores, s)
		}
	}
	if len(c.Scores) < max(1, len(o.Scores)) {
		var names []string
		for _, s := range m.Scores {
			names = append(names, s.Name)
		}
		return nil, omniscope.Usagef("--score takes %s", strings.Join(names, ", "))
	}
	for _, q := range quantities {
		if q.name == o.By {
			return c, c.overQuantity(ctx, runs, m, q.of, o)
		}
	}
	if c.overSlices(runs, o) {
		return c, nil
	}
	if over, err := c.overNames(runs, o); over || err != nil {
		return c, err
	}
	return c, c.overRuns(runs, o)
}

// overQuantity has a line for each run, whose samples are put into bins of equal size;
// or without bins a point for each run, joined by system.
func (c *curves) overQuantity(ctx context.Context, runs []*compare.Run, m *metric.Metric, of func(*predict.Prediction) (float64, bool), o Options) error {
	var leftOut []string // by folder, for an error
	leave := func(r *compare.Run, why string) {
		c.Notes = append(c.Notes, r.Label()+" is left out: "+why)
		leftOut = append(leftOut, r.Dir+" is left out: "+why)
	}
	for _, r := range runs {
		details, why, err := r.Details(ctx)
		if err != nil {
			return err
		}
		if details == nil {
			leave(r, why)
			continue
		}
		units, err := r.Units(ctx, m, o.Scoring)
		if err != nil {
			return err
		}
		placed := place(units, details, of)
		if len(placed) == 0 {
			leave(r, fmt.Sprintf("no sample has a value of %s", o.By))
			continue
		}
		if n := len(units) - len(placed); n > 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("%s: %s is not known of %d of %d samples, which are left out", r.Label(), o.By, n, len(units)))
		}
		if o.Bins == 0 {
			c.join(r.Results.System, point(placed, c.Scores, o.Seed))
			continue
		}
		line := curveLine{Name: r.Label()}
		for _, bin := range binned(placed, o.Bins) {
			line.Points = append(line.Points, point(bin, c.Scores, o.Seed))
		}
		c.Lines = append(c.Lines, line)
	}
	for _, l := range c.Lines {
		slices.SortStableFunc(l.Points, func(a, b curvePoint) int { return cmp.Compare(a.X, b.X) })
	}
	if len(c.Lines) == 0 {
		return omniscope.Usagef("nothing to show: %s", strings.Join(leftOut, "; "))
	}
	return nil
}

// join adds a point to the line of its name.
func (c *curves) join(name string, p curvePoint) {
	i := slices.IndexFunc(c.Lines, func(l curveLine) bool { return l.Name == name })
	if i < 0 {
		i = len(c.Lines)
		c.Lines = append(c.Lines, curveLine{Name: name})
	}
	c.Lines[i].Points = append(c.Lines[i].Points, p)
}

// placed is a unit with its quantity.
type placed struct {
	compare.Unit
	x float64
}

func place(units []compare.Unit, d *results.Details, of func(*predict.Prediction) (float64, bool)) (all []placed) {
	for _, u := range units {
		if p := d.Predictions[omniscope.SampleID(u.Name)]; p != nil {
			if x, known := of(p); known {
				all = append(all, placed{u, x})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.x, b.x) })
	return all
}

// binned cuts the units into bins of about the same number, in the order of the quantity.
// Equal quantities stay together, so there may be fewer bins.
func binned(all []placed, bins int) (out [][]placed) {
	for start := 0; start < len(all); {
		left := bins - len(out)
		end := start + int(math.Ceil(float64(len(all)-start)/float64(max(1, left))))
		for end < len(all) && all[end].x == all[end-1].x {
			end++
		}
		out = append(out, all[start:end])
		start = end
	}
	return out
}

// point scores the units of a bin; intervals resample its clusters.
func point(bin []placed, scores []metric.Score, seed uint64) curvePoint {
	p := curvePoint{Units: len(bin), Where: number(bin[0].x), Values: make(map[string]omniscope.Score)}
	if last := bin[len(bin)-1].x; last != bin[0].x {
		p.Where += "–" + number(last)
	}
	rows := make(map[string]metric.Counts)
	for _, u := range bin {
		p.X += u.x / float64(len(bin))
		if rows[u.Cluster] == nil {
			rows[u.Cluster] = make(metric.Counts, len(u.Counts))
		}
		rows[u.Cluster].Add(u.Counts)
	}
	c := stats.Clusters{Width: len(bin[0].Counts)}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		c.Rows = append(c.Rows, rows[name]...)
	}
	p.Clusters = len(rows)
	total := metric.Counts(c.Total())
	var statistics []stats.Statistic
	var shares []bool
	for _, s := range scores {
		shares = append(shares, s.Share)
		statistics = append(statistics, func(sum []float64) (float64, bool) { return s.Value(sum) })
	}
	intervals := stats.Scores(c, statistics, shares, stats.Options{Seed: seed})
	for i, s := range scores {
		if v, ok := s.Value(total); ok {
			score := omniscope.Score{Value: &v, N: s.N(total)}
			if iv := intervals[i]; iv.Known {
				score.Interval = &omniscope.Interval{Low: iv.Low, High: iv.High, Level: iv.Level, Method: iv.Method}
			}
			p.Values[s.Name] = score
		}
	}
	return p
}

// overSlices has a line for each run over the slices of a dimension. It reports whether
// a run has them.
func (c *curves) overSlices(runs []*compare.Run, o Options) bool {
	for _, r := range runs {
		line := curveLine{Name: r.Label()}
		for _, p := range r.Results.Scorings {
			for _, s := range p.Slices {
				if p.Name == o.Scoring.String() && s.Dimension == o.By {
					line.Points = append(line.Points, c.named(s.Group, s.Scores))
				}
			}
		}
		if len(line.Points) > 0 {
			c.Lines = append(c.Lines, line)
		}
	}
	return len(c.Lines) > 0
}

// overNames has the runs over a part of their systems' names, joined by the others.
func (c *curves) overNames(runs []*compare.Run, o Options) (over bool, err error) {
	p, err := newPattern(o.Names)
	if p == nil || err != nil || !slices.Contains(p.parts, o.By) {
		return false, err
	}
	for _, r := range runs {
		value, others, ok := p.of(r.Results.System, o.By)
		if !ok {
			return false, omniscope.Usagef("the system %q is not named like %s", r.Results.System, o.Names)
		}
		if whole, ok := r.Overall(o.Scoring); ok {
			c.join(others, c.named(value, whole.Scores))
		}
	}
	return len(c.Lines) > 0, nil
}

// overRuns has the runs over a part of their signatures, such as lang, joined by system.
func (c *curves) overRuns(runs []*compare.Run, o Options) error {
	parts := make(map[string]bool)
	for _, r := range runs {
		value := ""
		for part := range strings.SplitSeq(r.Results.Signature, "|") {
			if name, v, named := strings.Cut(part, ":"); named {
				parts[name] = true
				if name == o.By {
					value = v
				}
			}
		}
		if whole, ok := r.Overall(o.Scoring); ok && value != "" {
			c.join(r.Results.System, c.named(value, whole.Scores))
		}
	}
	if len(c.Lines) == 0 {
		return omniscope.Usagef("--by %s is no quantity (%s), no dimension of the runs' slices (%s) and no part of their signatures (%s)", o.By,
			quantityNames(), strings.Join(dimensions(runs), ", "), strings.Join(slices.Sorted(maps.Keys(parts)), ", "))
	}
	return nil
}

func dimensions(runs []*compare.Run) (names []string) {
	for _, r := range runs {
		for _, p := range r.Results.Scorings {
			for _, s := range p.Slices {
				if s.Dimension != "overall" && !slices.Contains(names, s.Dimension) {
					names = append(names, s.Dimension)
				}
			}
		}
	}
	return names
}

// named is a point at a place with a name.
func (c *curves) named(name string, scores map[string]omniscope.Score) curvePoint {
	i := slices.Index(c.Places, name)
	if i < 0 {
		i = len(c.Places)
		c.Places = append(c.Places, name)
	}
	p := curvePoint{X: float64(i), Where: name, Values: scores}
	for _, s := range scores {
		p.Clusters = max(p.Clusters, s.Clusters)
	}
	return p
}

// Table has a row for each point.
func (c *curves) Table() omniscope.Table {
	t := omniscope.Table{Name: "curve", Title: "Scores over " + c.By, Columns: []string{"line", c.By, "clusters"}, Numbers: []int{2}}
	for _, s := range c.Scores {
		t.Columns = append(t.Columns, compare.Heading(s))
	}
	for _, l := range c.Lines {
		for _, p := range l.Points {
			row := []string{l.Name, p.Where, strconv.Itoa(p.Clusters)}
			for _, s := range c.Scores {
				row = append(row, compare.Scored(s, p.Values[s.Name]))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Note = strings.Join(append([]string{"with 95 % intervals"}, c.Notes...), "; ")
	return t
}

// Charts has a chart for each score; of one line a single chart with all shares.
func (c *curves) Charts() (charts []*plot.Chart) {
	shares := &plot.Chart{Title: c.title(), X: c.By, Y: "%", Names: c.Places}
	for _, s := range c.Scores {
		chart := &plot.Chart{Title: s.Title, X: c.By, Y: compare.Heading(s), Names: c.Places}
		factor := 1.
		if s.Percent {
			factor = 100
		}
		for _, l := range c.Lines {
			line := plot.Line{Name: l.Name}
			for _, p := range l.Points {
				if score := p.Values[s.Name]; score.Value != nil {
					at := plot.Point{X: p.X, Y: *score.Value * factor}
					at.Low, at.High = at.Y, at.Y
					if score.Interval != nil {
						at.Low, at.High = score.Interval.Low*factor, score.Interval.High*factor
					}
					line.Points = append(line.Points, at)
				}
			}
			if len(line.Points) > 0 {
				chart.Lines = append(chart.Lines, line)
			}
		}
		switch {
		case len(chart.Lines) == 0:
		case len(c.Lines) == 1 && s.Percent:
			chart.Lines[0].Name = compare.Heading(s)
			shares.Lines = append(shares.Lines, chart.Lines...)
		default:
			charts = append(charts, chart)
		}
	}
	if len(shares.Lines) > 0 {
		charts = append([]*plot.Chart{shares}, charts...)
	}
	return charts
}

func (c *curves) title() string {
	if len(c.Lines) == 1 {
		return c.Lines[0].Name
	}
	return "Scores over " + c.By
}

// number writes a quantity.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 5, 64) }
