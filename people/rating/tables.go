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

// tables are means of systems, agreement, and people.
func tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	ratings, err := Ratings(ctx, w)
	if err != nil {
		return nil, err
	}
	if len(ratings) == 0 {
		return []omniscope.Table{{Name: "means", Title: "Mean ratings", Note: "There are no ratings yet.", Columns: []string{"system"}}}, nil
	}
	project := w.Project()
	return TablesOf(ratings, project.Seed()), nil
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
			mean, _ := people.Share(c.Total())
			value, interval := people.Printed("%.2f", mean, true, stats.Scores(c, []stats.Statistic{people.Share}, nil, stats.Options{Seed: seed})[0])
			lines = append(lines, line{mean, []string{scale, system, value, interval, fmt.Sprintf("%.0f", c.Total()[1]), strconv.Itoa(c.Len())}})
		}
		slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.mean, a.mean) })
		for _, l := range lines {
			table.Rows = append(table.Rows, l.cells)
		}
	}
	return table
}

// agreement is the table of how far people agree on each scale.
func agreement(ratings []Rating, seed uint64) omniscope.Table {
	table := omniscope.Table{Name: "agreement", Title: "Agreement", Columns: []string{"scale", "what", "value", "95% interval", "of"},
		Note: "Without controls. Alpha (ordinal) and ICC correct for chance: 1 is full agreement. ICC(2,1) is of one person's rating, ICC(2,k) of the mean of k people (Shrout and Fleiss 1979). Intervals resample clips."}
	for _, scale := range scalesIn(ratings) {
		for _, row := range unitsOf(ratings, scale).figures(seed) {
			table.Rows = append(table.Rows, append([]string{scale}, row...))
		}
	}
	return table
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

// figures are of the pairs that two people or more rated; the ICC, which wants the same people for all, is of
// the pairs that all people rated.
func (u *units) figures(seed uint64) [][]string {
	k := len(u.people)
	same, alpha, icc := people.NewFigure(2), people.NewFigure(steps*steps), people.NewFigure(k+3)
	for _, clip := range u.clips {
		for _, item := range u.items[clip] {
			var given []int
			var values []float64
			for _, person := range u.people {
				if v, ok := u.values[item][person]; ok {
					given, values = append(given, v-1), append(values, float64(v))
				}
			}
			if len(given) < 2 {
				continue
			}
			equal, all := people.SamePairs(given)
			same.Add(clip, 1, equal, all)
			alpha.Add(clip, 1, stats.AlphaRow(steps, given)...)
			if len(given) == k {
				icc.Add(clip, 1, stats.ICCRow(values)...)
			}
		}
	}
	const two = "pairs that two people or more rated"
	every := fmt.Sprintf("pairs that all %d people rated", k)
	return [][]string{
		same.Row("two people give the same value", people.Share, two, seed),
		alpha.Row("Krippendorff's alpha (ordinal)", stats.Alpha(make([]float64, steps), stats.Ordinal), two, seed),
		icc.Row("ICC(2,1)", stats.ICC(k), every, seed),
		icc.Row(fmt.Sprintf("ICC(2,%d)", k), stats.ICCMean(k), every, seed),
	}
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
		mean := ""
		if p.ratings > 0 {
			mean = fmt.Sprintf("%.2f", float64(p.sum)/float64(p.ratings))
		}
		table.Rows = append(table.Rows, []string{person, strconv.Itoa(p.ratings), mean, share(p.best, p.originals), share(p.same, p.again), share(p.near, p.again), people.MiddleTime(p.times)})
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
