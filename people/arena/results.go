package arena

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"omniscope"
	"omniscope/metric/stats"
	"omniscope/people"
)

// A voteRecord is what a person says of a battle.
type voteRecord struct {
	Winner winnerField
	Reason string
}

// A cast is a vote that was submitted, with the systems it is of.
type cast struct {
	Seq         int64 // of its event: votes count in this order
	At          time.Time
	Item, Clip  string
	First       string // the item with the same captions that came first; Item, if this is it
	Left, Right string // systems
	Person      string
	Vote        voteRecord
	Active      time.Duration // how long the person worked on it
}

// voteRecords are the submitted votes, in the order in which they were cast.
func voteRecords(ctx context.Context, w *people.Workplace) ([]cast, error) {
	var casts []cast
	err := people.EachTask(ctx, w, battleOf, func(t *people.Task, item *people.Item, b *battleRecord, answers map[string]people.Current) error {
		a := answers[voteKey]
		casts = append(casts, cast{Seq: a.Seq, At: a.At, Item: t.Item, First: cmp.Or(b.Again, t.Item), Clip: item.Clip,
			Left: b.Left.System, Right: b.Right.System, Person: t.Person, Active: t.Active,
			Vote: voteRecord{winnerField(a.Value.Text(fieldWinner)), a.Value.Text(fieldReason)}})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(casts, func(a, b cast) int { return cmp.Compare(a.Seq, b.Seq) })
	return casts, nil
}

// tables are standings, how far votes can be trusted, and voters.
func tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	casts, err := voteRecords(ctx, w)
	if err != nil {
		return nil, err
	}
	project := w.Project()
	tables, err := standings(casts, project.Seed())
	if omniscope.KindOf(err) == omniscope.Usage { // there are no votes
		return []omniscope.Table{{Name: "standings", Title: "Standings", Note: "There are no votes yet.", Columns: []string{"system"}}}, nil
	}
	return tables, err
}

// writeBattles writes votes as CSV, as `omniscope correlate --battles` reads them: a is the left
// system, b the right one. "cannot judge" is no vote and is left out; both bad is a tie, which
// the column said tells from others.
func writeBattles(to io.Writer, casts []cast) error {
	winners := map[winnerField]string{leftWins: "a", right: "b", tie: "tie", bothBad: "tie"}
	return people.WriteCSV(to, []string{"a", "b", "winner", "clip", "person", "said", "reason", "at"}, func(write func(...string)) {
		for _, c := range casts {
			if winner, voted := winners[c.Vote.Winner]; voted {
				write(c.Left, c.Right, winner, c.Clip, c.Person, string(c.Vote.Winner), c.Vote.Reason, c.At.Format(time.RFC3339Nano))
			}
		}
	})
}

// writeFastChat writes votes in the form of FastChat's battles, a line of JSON each.
func writeFastChat(to io.Writer, casts []cast) error {
	out := people.Lines(to)
	for _, c := range casts {
		winner, voted := map[winnerField]string{leftWins: "model_a", right: "model_b", tie: "tie", bothBad: "tie (bothbad)"}[c.Vote.Winner]
		if !voted {
			continue
		}
		err := out.Encode(struct {
			A      string  `json:"model_a"`
			B      string  `json:"model_b"`
			Winner string  `json:"winner"`
			Judge  string  `json:"judge"`
			At     float64 `json:"tstamp"`
		}{c.Left, c.Right, winner, c.Person, float64(c.At.UnixMicro()) / 1e6})
		if err != nil {
			return err
		}
	}
	return nil
}

// standings are the systems by their ratings, and how far the votes can be trusted.
func standings(casts []cast, seed uint64) ([]omniscope.Table, error) {
	t := &tally{number: make(map[string]int), clips: make(map[string]int)}
	for _, c := range casts {
		t.add(c)
	}
	if len(t.battles) == 0 {
		return nil, omniscope.Usagef("there are no votes yet")
	}
	return []omniscope.Table{t.ratings(seed), t.trust(casts, seed), voters(casts)}, nil
}

// A tally is votes as battles.
type tally struct {
	systems        []string
	number         map[string]int
	clips          map[string]int
	battles        []stats.Battle
	clusters       []int
	fought, won    []int
	left, leftOver int // decided votes that the left side won, and all of them
}

func (t *tally) system(name string) int {
	i, ok := t.number[name]
	if !ok {
		i = len(t.systems)
		t.number[name] = i
		t.systems, t.fought, t.won = append(t.systems, name), append(t.fought, 0), append(t.won, 0)
	}
	return i
}

func (t *tally) add(c cast) {
	result, voted := map[winnerField]stats.Result{leftWins: stats.WonByA, right: stats.WonByB, tie: stats.Tied, bothBad: stats.Tied}[c.Vote.Winner]
	if !voted {
		return
	}
	a, b := t.system(c.Left), t.system(c.Right)
	clip, ok := t.clips[c.Clip]
	if !ok {
		clip = len(t.clips)
		t.clips[c.Clip] = clip
	}
	t.battles, t.clusters = append(t.battles, stats.Battle{A: a, B: b, Result: result}), append(t.clusters, clip)
	t.fought[a]++
	t.fought[b]++
	switch result {
	case stats.WonByA:
		t.won[a]++
		t.left++
		t.leftOver++
	case stats.WonByB:
		t.won[b]++
		t.leftOver++
	}
}

// ratings is the table of systems, the best first.
func (t *tally) ratings(seed uint64) omniscope.Table {
	const orders = 1000
	table := omniscope.Table{Name: "standings", Title: "Standings", Columns: []string{"system", "votes", "won", "Elo", "Elo in other orders", "Bradley-Terry", "95% interval", "ranks"}, Numbers: []int{1, 2, 3, 5},
		Note: "Elo as in the paper, in the order of the votes (start 1000, K 32, scale 400); in 1,000 other orders the median and range. Bradley-Terry with ties (Davidson), mean 1000; intervals by resampling clips. Both bad counts as a tie."}
	n := len(t.systems)
	elo, ranges := stats.Elo(n, t.battles, stats.EloOptions{}), stats.EloOrders(n, t.battles, orders, seed, stats.EloOptions{})
	group := stats.GroupBattles(n, t.battles)
	for _, note := range group.Notes(t.systems) {
		table.Note += " " + strings.ToUpper(note[:1]) + note[1:] + "."
	}
	battles, clusters := group.Among(t.battles, t.clusters)
	ranked, _, err := stats.RankBattles(len(group.Rated), battles, clusters, stats.Davidson, stats.Options{Seed: seed})
	rated := make(map[int]float64) // ratings by system
	for i, r := range ranked {
		rated[group.Rated[i]] = r.Rating
	}
	if err != nil {
		table.Note += " Bradley-Terry has no ratings: " + err.Error() + "."
	}
	switch len(rated) {
	case 0:
		table.Note += " Bradley-Terry has no ratings yet."
	case n:
	default:
		table.Note += " Ranks are among the systems with a rating."
	}
	for _, i := range t.order(group.Undefeated, group.Winless, rated, elo) {
		row := []string{t.systems[i], strconv.Itoa(t.fought[i]), strconv.Itoa(t.won[i]), fmt.Sprintf("%.0f", elo[i]), fmt.Sprintf("%.0f (%.0f to %.0f)", ranges[i].Median, ranges[i].Low, ranges[i].High), "", "", ""}
		if at := slices.Index(group.Rated, i); at >= 0 && at < len(ranked) {
			r := ranked[at]
			row[5], row[6] = people.Printed("%.0f", r.Rating, true, r.Interval)
			row[7] = fmt.Sprintf("%d to %d", r.BestRank, r.LastRank)
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// order are the systems: undefeated, rated, not rated for other reasons, winless; among equal ones by
// their ratings. Without any rating it is that of Elo.
func (t *tally) order(undefeated, winless []int, rated map[int]float64, elo []float64) []int {
	has := func(i int) bool { _, ok := rated[i]; return ok }
	place := func(i int) int {
		switch {
		case len(rated) == 0:
			return 0
		case slices.Contains(undefeated, i):
			return 0
		case has(i):
			return 1
		case slices.Contains(winless, i):
			return 3
		}
		return 2
	}
	order := make([]int, len(t.systems))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		by := cmp.Compare(elo[b], elo[a])
		if has(a) && has(b) {
			by = cmp.Compare(rated[b], rated[a])
		}
		return cmp.Or(cmp.Compare(place(a), place(b)), by, cmp.Compare(t.systems[a], t.systems[b]))
	})
	return order
}
