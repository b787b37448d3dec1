package reconstruct

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/metric/stats"
	"omniscope/people/rating"
	"omniscope/results/correlate"
)

// A Relation is how far mean ratings on a scale go with a score over systems.
type Relation struct {
	Scale, Score string
	Systems      []string // that have both
	Pearson      stats.Correlation
	Clips        stats.Interval // of Pearson's r, by resampling the clips that were rated
	Fisher       stats.Interval // of Pearson's r, by taking the systems for a sample of more
	Pair         *correlate.Pair
}

// accCov is the column of the mean of accuracy and coverage, as CapRiCorn-1K sets it against ratings.
const accCov = "Acc/Cov"

// AddAccCov adds the mean of the columns Acc and Cov, whatever stands before these in their names, such as
// the name of a benchmark. It returns the columns that go into the paper's Figure 4: that mean, and Ref;
// nil = the scores have none of them.
func AddAccCov(v *correlate.Values) (columns []string, err error) {
	find := func(name string) string {
		i := slices.IndexFunc(v.Columns, func(c correlate.Column) bool { return c.Name == name || strings.HasSuffix(c.Name, " "+name) })
		if i < 0 {
			return ""
		}
		return v.Columns[i].Name
	}
	if acc, cov := find("Acc"), find("Cov"); acc != "" && cov != "" {
		if err := v.AddMean(accCov, acc, cov); err != nil {
			return nil, err
		}
		columns = append(columns, accCov)
	}
	if ref := find("Ref"); ref != "" {
		columns = append(columns, ref)
	}
	return columns, nil
}

// Relate sets the mean ratings of systems on each scale against columns of scores. Controls do not count.
func Relate(ratings []rating.Rating, scores *correlate.Values, columns []string, seed uint64) (out []Relation, err error) {
	v := &correlate.Values{Systems: slices.Clone(scores.Systems), Columns: slices.Clone(scores.Columns)}
	scales := scalesOf(ratings)
	for _, scale := range scales {
		if err := addMeans(v, ratings, scale, seed); err != nil {
			return nil, err
		}
	}
	pairs, err := v.Pairs(columns, scales)
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		r := Relation{Scale: p.Y.Name, Score: p.X.Name, Systems: p.Systems, Pearson: p.Pearson, Fisher: p.Interval, Pair: p}
		var xs []float64
		for _, s := range p.Systems {
			xs = append(xs, p.X.Of[s].Value)
		}
		rows := byClip(ratings, r.Scale, p.Systems)
		r.Clips = stats.Correlated(rows, func(sum []float64) (float64, bool) { return pearsonOf(sum, xs) }, stats.Options{Seed: seed})
		out = append(out, r)
	}
	return out, nil
}

func scalesOf(ratings []rating.Rating) (scales []string) {
	for _, r := range ratings {
		if r.Control == rating.None && !slices.Contains(scales, r.Scale) {
			scales = append(scales, r.Scale)
		}
	}
	return scales
}

// byClip are the ratings on a scale, a row for each clip: of each system their sum and number.
func byClip(ratings []rating.Rating, scale string, systems []string) stats.Clusters {
	c := stats.Clusters{Width: 2 * len(systems)}
	at := make(map[string]int)
	for _, r := range ratings {
		s := slices.Index(systems, r.System)
		if r.Control != rating.None || r.Scale != scale || s < 0 {
			continue
		}
		row, known := at[r.Clip]
		if !known {
			row = c.Len()
			at[r.Clip], c.Rows = row, append(c.Rows, make([]float64, c.Width)...)
		}
		c.Rows[row*c.Width+2*s] += float64(r.Value)
		c.Rows[row*c.Width+2*s+1]++
	}
	return c
}

// pearsonOf is r of the means in a row of sums and numbers with xs.
func pearsonOf(sum, xs []float64) (float64, bool) {
	means := make([]float64, len(xs))
	for i := range xs {
		if sum[2*i+1] == 0 {
			return 0, false
		}
		means[i] = sum[2*i] / sum[2*i+1]
	}
	r := stats.Pearson(xs, means)
	return r.R, r.Known
}

// addMeans adds the column of a scale: the mean rating of each system, with its interval by resampling clips.
func addMeans(v *correlate.Values, ratings []rating.Rating, scale string, seed uint64) error {
	var systems []string
	for _, r := range ratings {
		if r.Control == rating.None && r.Scale == scale && !slices.Contains(systems, r.System) {
			systems = append(systems, r.System)
		}
	}
	slices.Sort(systems)
	for _, s := range systems {
		rows := byClip(ratings, scale, []string{s})
		of := func(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }
		mean, _ := of(rows.Total())
		value := correlate.Value{Value: mean, Low: mean, High: mean}
		if iv := stats.Scores(rows, []stats.Statistic{of}, nil, stats.Options{Seed: seed})[0]; iv.Known {
			value.Low, value.High = iv.Low, iv.High
		}
		if err := v.Set(scale, s, value); err != nil {
			return omniscope.Invalidf("the scores and the ratings both have a column of that name: %w", err)
		}
	}
	return nil
}

// RelationTable is the table of relations.
func RelationTable(all []Relation) omniscope.Table {
	t := omniscope.Table{Name: "relations", Title: "Ratings against scores, over systems", Numbers: []int{2, 3},
		Columns: []string{"scale", "score", "systems", "Pearson r", "95 % interval (clips)", "95 % interval (systems)"},
		Note: "r is of the mean ratings of systems. The first interval resamples the clips that were rated, and keeps systems and scores as they are; the second one is Fisher's, " +
			"which takes systems for a sample of more (4 at least). Of two systems r is 1 or -1 whatever they are. CapRiCorn-1K reports 0.987 for each scale."}
	for _, r := range all {
		value := "–"
		if r.Pearson.Known {
			value = fmt.Sprintf("%.3f", r.Pearson.R)
		}
		t.Rows = append(t.Rows, []string{r.Scale, r.Score, strconv.Itoa(len(r.Systems)), value, between(r.Clips), between(r.Fisher)})
	}
	return t
}

func between(iv stats.Interval) string {
	if why, few := strings.CutPrefix(iv.Method, "not available: "); few && strings.HasPrefix(why, "too few") {
		return why
	}
	if !iv.Known {
		return "–"
	}
	return fmt.Sprintf("%.3f to %.3f", iv.Low, iv.High)
}

// WriteTable writes a table as CSV.
func WriteTable(w io.Writer, t omniscope.Table) error {
	out := csv.NewWriter(w)
	_ = out.Write(t.Columns) // Error has it
	_ = out.WriteAll(t.Rows)
	return out.Error()
}

// Reveal replaces the codes of systems by their names.
func Reveal(ratings []rating.Rating, systems map[string]string) error {
	for i := range ratings {
		r := &ratings[i]
		if r.Control == rating.HiddenOriginal {
			continue
		}
		system, ok := systems[r.System]
		if !ok {
			return omniscope.Invalidf("the ratings are of %q, which the folder's key does not know: are they of other reconstructions?", r.System)
		}
		r.System = system
	}
	return nil
}
