package rating

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"omniscope"
	"omniscope/metric/stats"
	"omniscope/people"
)

// Tables implements people.Tabler: means of systems, agreement, and people.
func (Kind) Tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	ratings, err := Ratings(ctx, w)
	if err != nil {
		return nil, err
	}
	if len(ratings) == 0 {
		return []omniscope.Table{{Name: "means", Title: "Mean ratings", Note: "There are no ratings yet.", Columns: []string{"system"}}}, nil
	}
	seed, _ := strconv.ParseUint(w.Project().Settings[settingSeed], 10, 64) // else 0, a seed like any other
	return TablesOf(ratings, seed), nil
}

// HasAlpha implements people.Agreer: table agreement has all scales.
func (Kind) HasAlpha(string, string) bool { return true }

// Apart implements people.Agreer.
func (Kind) Apart(item *people.Item) bool {
	p, err := pairOf(item)
	return err == nil && p.Control != None
}

// TablesOf are the tables of ratings: means of systems, agreement, and people.
func TablesOf(ratings []Rating, seed uint64) []omniscope.Table {
	return []omniscope.Table{means(ratings, seed), agreement(ratings, seed), raters(ratings)}
}

// clusters are the ratings of a system on a scale: a row for each clip, with their sum and number.
func clusters(ratings []Rating, system, scale string) stats.Clusters {
	c := stats.Clusters{Width: 2}
	at := make(map[string]int) // row of a clip
	for _, r := range ratings {
		if r.Control != None || r.System != system || r.Scale != scale {
			continue
		}
		i, ok := at[r.Clip]
		if !ok {
			i = c.Len()
			at[r.Clip], c.Rows = i, append(c.Rows, 0, 0)
		}
		c.Rows[2*i] += float64(r.Value)
		c.Rows[2*i+1]++
	}
	return c
}

func meanOf(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }

// means is the table of systems, the best of each scale first.
func means(ratings []Rating, seed uint64) omniscope.Table {
	table := omniscope.Table{Name: "means", Title: "Mean ratings", Columns: []string{"scale", "system", "mean", "95% interval", "ratings", "clips"}, Numbers: []int{2, 4, 5},
		Note: "Over all ratings of a system, without controls. Intervals resample clips."}
	for _, scale := range scalesIn(ratings) {
		type line struct {
			mean  float64
			cells []string
		}
		var lines []line
		for _, system := range systemsIn(ratings) {
			c := clusters(ratings, system, scale)
			mean, _ := meanOf(c.Total())
			iv := stats.Scores(c, []stats.Statistic{meanOf}, nil, stats.Options{Seed: seed})[0]
			lines = append(lines, line{mean, []string{scale, system, fmt.Sprintf("%.2f", mean), interval(iv, 2), fmt.Sprintf("%.0f", c.Total()[1]), strconv.Itoa(c.Len())}})
		}
		slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.mean, a.mean) })
		for _, l := range lines {
			table.Rows = append(table.Rows, l.cells)
		}
	}
	return table
}

func interval(iv stats.Interval, digits int) string {
	if !iv.Known {
		return ""
	}
	return fmt.Sprintf("%.*f to %.*f", digits, iv.Low, digits, iv.High)
}

// fewest is how many pairs it takes for a figure of agreement to say something.
const fewest = 10

// agreement is the table of how far people agree on each scale.
func agreement(ratings []Rating, seed uint64) omniscope.Table {
	table := omniscope.Table{Name: "agreement", Title: "Agreement", Columns: []string{"scale", "what", "value", "95% interval", "of"},
		Note: "Without controls. Alpha (ordinal) and ICC correct for chance: 1 is full agreement. ICC(2,1) is of one person's rating, ICC(2,k) of the mean of k people (Shrout and Fleiss 1979). Intervals resample clips."}
	for _, scale := range scalesIn(ratings) {
		u := unitsOf(ratings, scale)
		for _, f := range append(u.pairwise(), u.icc()...) {
			cells := []string{scale, f.what, "not known", "", f.of}
			if f.items < fewest {
				cells[4] += fmt.Sprintf("; at least %d are needed", fewest)
			} else if value, ok := f.stat(f.rows.Total()); ok {
				iv := stats.Clustered(f.rows, []stats.Statistic{f.stat}, stats.Options{Seed: seed})[0]
				cells[2], cells[3] = fmt.Sprintf("%.3f", value), interval(iv, 3)
			}
			table.Rows = append(table.Rows, cells)
		}
	}
	return table
}

// A figure is a statistic of rows by clip.
type figure struct {
	what, of string
	items    int
	rows     stats.Clusters
	stat     stats.Statistic
}

// units are the ratings of pairs on one scale.
type units struct {
	clips  []string                  // in order
	items  map[string][]string       // by clip
	values map[string]map[string]int // by item and person
	people []string
}

func unitsOf(ratings []Rating, scale string) *units {
	u := &units{items: make(map[string][]string), values: make(map[string]map[string]int)}
	for _, r := range ratings {
		if r.Control != None || r.Scale != scale {
			continue
		}
		if u.items[r.Clip] == nil {
			u.clips = append(u.clips, r.Clip)
		}
		if u.values[r.Item] == nil {
			u.items[r.Clip], u.values[r.Item] = append(u.items[r.Clip], r.Item), make(map[string]int)
		}
		u.values[r.Item][r.Person] = r.Value
		if !slices.Contains(u.people, r.Person) {
			u.people = append(u.people, r.Person)
		}
	}
	slices.Sort(u.people)
	return u
}

// rows adds up the rows of each clip's items. An item without a row is left out.
func (u *units) rows(width int, row func(values map[string]int) []float64) (c stats.Clusters, items int) {
	c.Width = width
	for _, clip := range u.clips {
		sum, any := make([]float64, width), false
		for _, item := range u.items[clip] {
			one := row(u.values[item])
			if one == nil {
				continue
			}
			items, any = items+1, true
			for i, x := range one {
				sum[i] += x
			}
		}
		if any {
			c.Rows = append(c.Rows, sum...)
		}
	}
	return c, items
}

// pairwise are the figures of pairs that two people or more rated.
func (u *units) pairwise() []figure {
	same, items := u.rows(2, func(values map[string]int) []float64 {
		agree, all := 0.0, 0.0
		given := slices.Collect(maps.Values(values))
		for i, v := range given {
			for _, other := range given[:i] {
				all++
				if v == other {
					agree++
				}
			}
		}
		if all == 0 {
			return nil
		}
		return []float64{agree, all}
	})
	alpha, _ := u.rows(steps*steps, func(values map[string]int) []float64 {
		if len(values) < 2 {
			return nil
		}
		var given []int
		for _, v := range values {
			given = append(given, v-1)
		}
		return stats.AlphaRow(steps, given)
	})
	of := fmt.Sprintf("%d pairs that two people or more rated", items)
	return []figure{
		{"two people give the same value", of, items, same, meanOf},
		{"Krippendorff's alpha (ordinal)", of, items, alpha, stats.Alpha(make([]float64, steps), stats.Ordinal)},
	}
}

// icc are the figures of the pairs that everybody rated, as they want the same people for all.
func (u *units) icc() []figure {
	k := len(u.people)
	rows, items := u.rows(k+3, func(values map[string]int) []float64 {
		if len(values) < k || k < 2 {
			return nil
		}
		given := make([]float64, k)
		for i, person := range u.people {
			given[i] = float64(values[person])
		}
		return stats.ICCRow(given)
	})
	of := fmt.Sprintf("%d pairs that all %d people rated", items, k)
	return []figure{{"ICC(2,1)", of, items, rows, stats.ICC(k)}, {fmt.Sprintf("ICC(2,%d)", k), of, items, rows, stats.ICCMean(k)}}
}

// raters is the table of those who rated: how they use the scales, and what they make of controls.
func raters(ratings []Rating) omniscope.Table {
	table := omniscope.Table{Personal: true, Name: "raters", Title: "People", Columns: []string{"person", "ratings", "mean", "hidden originals rated 5", "the same again", "within 1 again", "median time"}, Numbers: []int{1, 2},
		Note: "A hidden original is the original in place of a reconstruction. Again: a pair that was shown a second time to the same person. Mean without controls."}
	of := make(map[string]*rater)
	for _, r := range ratings {
		if of[r.Person] == nil {
			of[r.Person] = &rater{before: make(map[[2]string]Rating)}
		}
		of[r.Person].add(r)
	}
	for _, person := range slices.Sorted(maps.Keys(of)) {
		p := of[person]
		p.repeats()
		slices.Sort(p.times)
		mean := ""
		if p.ratings > 0 {
			mean = fmt.Sprintf("%.2f", float64(p.sum)/float64(p.ratings))
		}
		table.Rows = append(table.Rows, []string{person, strconv.Itoa(p.ratings), mean, share(p.best, p.originals), share(p.same, p.again), share(p.near, p.again),
			p.times[len(p.times)/2].Round(time.Second).String()})
	}
	return table
}

// A rater counts what one person gave.
type rater struct {
	ratings, sum      int
	best, originals   int // hidden originals that got the best value, and all
	same, near, again int // repeats with the same value, or one beside it, and all
	before            map[[2]string]Rating
	second            []Rating
	times             []time.Duration
}

func (p *rater) add(r Rating) {
	p.times = append(p.times, r.Active)
	switch r.Control {
	case HiddenOriginal:
		p.originals++
		if r.Value == steps {
			p.best++
		}
	case Repeat:
		p.second = append(p.second, r)
	default:
		p.ratings++
		p.sum += r.Value
		p.before[[2]string{r.Item, r.Scale}] = r
	}
}

// repeats compares repeats with what the same person gave the pair before.
func (p *rater) repeats() {
	for _, r := range p.second {
		before, ok := p.before[[2]string{r.First, r.Scale}]
		if !ok {
			continue
		}
		p.again++
		switch r.Value - before.Value {
		case 0:
			p.same++
			p.near++
		case 1, -1:
			p.near++
		}
	}
}

func share(n, of int) string {
	if of == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d", n, of)
}
