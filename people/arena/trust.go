package arena

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"omniscope"
	"omniscope/metric/stats"
)

// fewest is how many battles it takes for a figure of agreement to say something.
const fewest = 10

// trust is the table of what shows how far votes can be trusted: whether a side is preferred, and
// how far people agree with each other, and with themselves, on the same two captions.
func (t *tally) trust(casts []cast, seed uint64) omniscope.Table {
	table := omniscope.Table{Name: "trust", Title: "Votes", Columns: []string{"what", "value", "95% interval", "of"},
		Note: "Intervals of agreement resample clips. Alpha corrects for chance: 1 is full agreement, 0 what chance gives."}
	table.Rows = append(table.Rows, row("share won by the left side", float64(t.left)/float64(max(1, t.leftOver)), t.leftOver > 0,
		stats.Wilson(float64(t.left), float64(t.leftOver), stats.DefaultLevel), fmt.Sprintf("%d votes for a side", t.leftOver)))
	across, within := agreements(casts)
	table.Rows = append(table.Rows, across.rows("agreement of two people", "battles that two people voted on", seed)...)
	table.Rows = append(table.Rows, within.rows("agreement of people with themselves", "battles that came again to the same person", seed)...)
	return table
}

func row(what string, value float64, known bool, i stats.Interval, of string) []string {
	cells := []string{what, "not known", "", of}
	if known {
		cells[1] = fmt.Sprintf("%.3f", value)
	}
	if known && i.Known {
		cells[2] = fmt.Sprintf("%.3f to %.3f", i.Low, i.High)
	}
	return cells
}

// Agreement is of votes on the same two captions, by clip.
type agreement struct {
	battles int
	same    map[string][]float64 // pairs of votes that agree, and all
	alpha   map[string][]float64 // coincidences
}

func newAgreement() *agreement {
	return &agreement{same: make(map[string][]float64), alpha: make(map[string][]float64)}
}

// add adds the votes on one battle, as numbers of winners.
func (a *agreement) add(clip string, votes []int) {
	if len(votes) < 2 {
		return
	}
	a.battles++
	agree, all := 0.0, 0.0
	for i, v := range votes {
		for _, other := range votes[:i] {
			all++
			if v == other {
				agree++
			}
		}
	}
	addTo(a.same, clip, []float64{agree, all})
	addTo(a.alpha, clip, stats.AlphaRow(len(winners), votes))
}

func addTo(rows map[string][]float64, clip string, row []float64) {
	if rows[clip] == nil {
		rows[clip] = make([]float64, len(row))
	}
	for i, x := range row {
		rows[clip][i] += x
	}
}

// rows are the share of votes that agree and Krippendorff's alpha, with intervals by clip.
func (a *agreement) rows(what, of string, seed uint64) [][]string {
	of = fmt.Sprintf("%d %s", a.battles, of)
	if a.battles < fewest {
		return [][]string{row(what, 0, false, stats.Interval{}, of+fmt.Sprintf("; at least %d are needed", fewest))}
	}
	share := func(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }
	var out [][]string
	for _, one := range []struct {
		what string
		rows map[string][]float64
		stat stats.Statistic
	}{{what, a.same, share}, {what + ", Krippendorff's alpha (nominal)", a.alpha, stats.Alpha(make([]float64, len(winners)), stats.Nominal)}} {
		var c stats.Clusters
		for _, clip := range slices.Sorted(maps.Keys(one.rows)) {
			c.Width = len(one.rows[clip])
			c.Rows = append(c.Rows, one.rows[clip]...)
		}
		value, known := one.stat(c.Total())
		out = append(out, row(one.what, value, known, stats.Clustered(c, []stats.Statistic{one.stat}, stats.Options{Seed: seed})[0], of))
	}
	return out
}

// agreements are of different people on the same two captions, by the first vote of each, and of
// people with themselves where the captions came again.
func agreements(casts []cast) (across, within *agreement) {
	across, within = newAgreement(), newAgreement()
	type battle struct {
		clip   string
		people []string         // in the order in which they voted
		votes  map[string][]int // by person
	}
	of := make(map[string]*battle)
	var order []string
	for _, c := range casts {
		if c.Vote.Winner == cannot {
			continue
		}
		b := of[c.First]
		if b == nil {
			b = &battle{clip: c.Clip, votes: make(map[string][]int)}
			of[c.First], order = b, append(order, c.First)
		}
		if b.votes[c.Person] == nil {
			b.people = append(b.people, c.Person)
		}
		b.votes[c.Person] = append(b.votes[c.Person], slices.Index(winners, c.onFirstSides()))
	}
	for _, first := range order {
		b := of[first]
		var votes []int
		for _, person := range b.people {
			votes = append(votes, b.votes[person][0])
			within.add(b.clip, b.votes[person])
		}
		across.add(b.clip, votes)
	}
	return across, within
}

// onFirstSides is the vote as if the captions stood on the sides on which they were shown first.
func (c *cast) onFirstSides() winnerField {
	swapped := map[winnerField]winnerField{leftWins: right, right: leftWins}
	if other, ok := swapped[c.Vote.Winner]; ok && c.Item != c.First {
		return other
	}
	return c.Vote.Winner
}

// voters is the table of those who voted: somebody whose left share is far from a half does not
// look at both sides.
func voters(casts []cast) omniscope.Table {
	table := omniscope.Table{Personal: true, Name: "voters", Title: "Voters", Columns: []string{"voter", "votes", "left", "right", "tie", "both bad", "cannot judge", "share of left wins", "95% interval", "median time"}, Numbers: []int{1, 2, 3, 4, 5, 6, 7},
		Note: "The share of left wins is of votes for a side. Its interval is Wilson's; one that leaves out 0.5 shows a preference for a side."}
	counts, times := make(map[string]map[winnerField]int), make(map[string][]time.Duration)
	for _, c := range casts {
		if counts[c.Person] == nil {
			counts[c.Person] = make(map[winnerField]int)
		}
		counts[c.Person][c.Vote.Winner]++
		times[c.Person] = append(times[c.Person], c.Active)
	}
	for _, person := range slices.Sorted(maps.Keys(counts)) {
		n := counts[person]
		cells := []string{person, strconv.Itoa(len(times[person]))}
		for _, w := range winners {
			cells = append(cells, strconv.Itoa(n[w]))
		}
		left, sides := float64(n[leftWins]), float64(n[leftWins]+n[right])
		share := row("", left/max(1, sides), sides > 0, stats.Wilson(left, sides, stats.DefaultLevel), "")
		slices.Sort(times[person])
		middle := times[person][len(times[person])/2].Round(time.Second)
		table.Rows = append(table.Rows, append(cells, share[1], share[2], middle.String()))
	}
	return table
}
