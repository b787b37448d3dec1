package arena

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"omniscope"
	"omniscope/metric/stats"
	"omniscope/people"
)

// trust is the table of what shows how far votes can be trusted: whether a side is preferred, and
// how far people agree with each other, and with themselves, on the same two captions.
func (t *tally) trust(casts []cast, seed uint64) omniscope.Table {
	table := omniscope.Table{Name: "trust", Title: "Votes", Columns: []string{"what", "value", "95% interval", "of"},
		Note: "Intervals of agreement resample clips. Alpha corrects for chance: 1 is full agreement, 0 what chance gives."}
	value, interval := shareOf(t.left, t.leftOver)
	table.Rows = append(table.Rows, []string{"share won by the left side", value, interval, fmt.Sprintf("%d votes for a side", t.leftOver)})
	across, within := agreements(casts)
	table.Rows = append(table.Rows, across.rows("agreement of two people", "battles that two people voted on", seed)...)
	table.Rows = append(table.Rows, within.rows("agreement of people with themselves", "battles that came again to the same person", seed)...)
	return table
}

// shareOf prints the share of votes for a side that the left side won.
func shareOf(left, sides int) (value, interval string) {
	value, interval = people.Printed("%.3f", float64(left)/float64(max(1, sides)), sides > 0, stats.Wilson(float64(left), float64(sides), stats.DefaultLevel))
	return cmp.Or(value, "not known"), interval
}

// An agreement is of votes on the same two captions.
type agreement struct{ same, alpha *people.Figure }

func newAgreement() *agreement {
	return &agreement{people.NewFigure(2), people.NewFigure(len(winners) * len(winners))}
}

// add adds the votes on one battle, as numbers of winners.
func (a *agreement) add(clip string, votes []int) {
	if len(votes) < 2 {
		return
	}
	same, all := people.SamePairs(votes)
	a.same.Add(clip, 1, same, all)
	a.alpha.Add(clip, 1, stats.AlphaRow(len(winners), votes)...)
}

// rows are the share of votes that agree and Krippendorff's alpha, if there are enough votes.
func (a *agreement) rows(what, of string, seed uint64) [][]string {
	out := [][]string{a.same.Row(what, people.Share, of, seed)}
	if a.alpha.N >= people.Fewest {
		out = append(out, a.alpha.Row(what+", Krippendorff's alpha (nominal)", stats.Alpha(make([]float64, len(winners)), stats.Nominal), of, seed))
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
	var all []*battle
	for _, c := range casts {
		if c.Vote.Winner == cannot {
			continue
		}
		b := of[c.First]
		if b == nil {
			b = &battle{clip: c.Clip, votes: make(map[string][]int)}
			of[c.First], all = b, append(all, b)
		}
		if b.votes[c.Person] == nil {
			b.people = append(b.people, c.Person)
		}
		b.votes[c.Person] = append(b.votes[c.Person], slices.Index(winners, c.onFirstSides()))
	}
	slices.SortStableFunc(all, func(a, b *battle) int { return cmp.Compare(a.clip, b.clip) })
	for _, b := range all {
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
		value, interval := shareOf(n[leftWins], n[leftWins]+n[right])
		table.Rows = append(table.Rows, append(cells, value, interval, people.MiddleTime(times[person])))
	}
	return table
}
