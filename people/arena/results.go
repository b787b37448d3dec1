package arena

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"omniscope"
	"omniscope/people"
	"omniscope/stats"
)

// A Cast is a vote that was submitted, with the systems it is of.
type Cast struct {
	Seq         int64 // of its event: votes count in this order
	At          time.Time
	Item, Clip  string
	Left, Right string // systems
	Person      string
	Vote        Vote
	Spent       time.Duration
}

// Votes are the submitted votes, in the order in which they were cast.
func Votes(ctx context.Context, w *people.Workplace) ([]Cast, error) {
	var casts []Cast
	for _, t := range w.Tasks() {
		if t.State != people.Submitted {
			continue
		}
		item, err := w.Item(ctx, t.Item)
		if err != nil {
			return nil, err
		}
		b, err := BattleOf(item)
		if err != nil {
			return nil, err
		}
		answers, err := w.Answers(ctx, t.TaskID)
		if err != nil {
			return nil, err
		}
		a := answers[VoteKey]
		c := Cast{Seq: a.Seq, At: a.At, Item: t.Item, Clip: item.Clip, Left: b.Left.System, Right: b.Right.System, Person: t.Person, Spent: t.Spent}
		if err := json.Unmarshal(a.Value, &c.Vote); err != nil {
			return nil, &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("the vote on %s cannot be read: %w", t.TaskID, err)}
		}
		casts = append(casts, c)
	}
	slices.SortFunc(casts, func(a, b Cast) int { return cmp.Compare(a.Seq, b.Seq) })
	return casts, nil
}

// WriteBattles writes votes as CSV, as `omniscope correlate --battles` reads them: a is the left
// system, b the right one. "cannot judge" is no vote and is left out; both bad is a tie, which
// the column said tells from others.
func WriteBattles(to io.Writer, casts []Cast) error {
	out := csv.NewWriter(to)
	err := out.Write([]string{"a", "b", "winner", "clip", "person", "said", "reason", "at"})
	for _, c := range casts {
		winner, voted := map[Winner]string{Left: "a", Right: "b", Tie: "tie", BothBad: "tie"}[c.Vote.Winner]
		if voted {
			err = errors.Join(err, out.Write([]string{c.Left, c.Right, winner, c.Clip, c.Person, string(c.Vote.Winner), c.Vote.Reason, c.At.Format(time.RFC3339Nano)}))
		}
	}
	out.Flush()
	return errors.Join(err, out.Error())
}

// WriteFastChat writes votes in the form of FastChat's battles, a line of JSON each.
func WriteFastChat(to io.Writer, casts []Cast) error {
	out := json.NewEncoder(to)
	out.SetEscapeHTML(false)
	for _, c := range casts {
		winner, voted := map[Winner]string{Left: "model_a", Right: "model_b", Tie: "tie", BothBad: "tie (bothbad)"}[c.Vote.Winner]
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

// Standings are the systems by their ratings, and how far the votes can be trusted.
func Standings(casts []Cast, seed uint64) ([]omniscope.Table, error) {
	t := &tally{number: make(map[string]int), clips: make(map[string]int)}
	for _, c := range casts {
		t.add(c)
	}
	if len(t.battles) == 0 {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Err: errors.New("there are no votes yet")}
	}
	return []omniscope.Table{t.ratings(seed), t.trust(casts, seed)}, nil
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

func (t *tally) add(c Cast) {
	result, voted := map[Winner]stats.Result{Left: stats.WonByA, Right: stats.WonByB, Tie: stats.Tied, BothBad: stats.Tied}[c.Vote.Winner]
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
	ranked, _, err := stats.RankBattles(n, t.battles, t.clusters, stats.Davidson, stats.Options{Seed: seed})
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if err == nil {
			return cmp.Or(cmp.Compare(ranked[b].Rating, ranked[a].Rating), cmp.Compare(t.systems[a], t.systems[b]))
		}
		return cmp.Or(cmp.Compare(elo[b], elo[a]), cmp.Compare(t.systems[a], t.systems[b]))
	})
	if err != nil {
		table.Note += " Bradley-Terry has no ratings yet: some systems never won or tied against the others."
	}
	for _, i := range order {
		row := []string{t.systems[i], strconv.Itoa(t.fought[i]), strconv.Itoa(t.won[i]), fmt.Sprintf("%.0f", elo[i]), fmt.Sprintf("%.0f (%.0f to %.0f)", ranges[i].Median, ranges[i].Low, ranges[i].High), "", "", ""}
		if err == nil {
			r := ranked[i]
			row[5] = fmt.Sprintf("%.0f", r.Rating)
			if r.Interval.Known {
				row[6] = fmt.Sprintf("%.0f to %.0f", r.Interval.Low, r.Interval.High)
			}
			row[7] = fmt.Sprintf("%d to %d", r.BestRank, r.LastRank)
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// trust is the table of what shows how far votes can be trusted: whether a side is preferred, and
// how far two people agree on the same battle.
func (t *tally) trust(casts []Cast, seed uint64) omniscope.Table {
	table := omniscope.Table{Name: "trust", Title: "Votes", Columns: []string{"what", "value", "95% interval", "of"}}
	row := func(what string, value float64, known bool, i stats.Interval, of string) {
		cells := []string{what, "not known", "", of}
		if known {
			cells[1] = fmt.Sprintf("%.3f", value)
			if i.Known {
				cells[2] = fmt.Sprintf("%.3f to %.3f", i.Low, i.High)
			}
		}
		table.Rows = append(table.Rows, cells)
	}
	row("share won by the left side", float64(t.left)/float64(max(1, t.leftOver)), t.leftOver > 0, stats.Wilson(float64(t.left), float64(t.leftOver), stats.DefaultLevel), fmt.Sprintf("%d votes for a side", t.leftOver))
	pairs := agreements(casts)
	same := stats.Clusters{Width: 2}
	alpha := stats.Clusters{Width: len(Winners) * len(Winners)}
	for _, votes := range pairs {
		agree := 0.0
		if votes[0] == votes[1] {
			agree = 1
		}
		same.Rows = append(same.Rows, agree, 1)
		alpha.Rows = append(alpha.Rows, stats.AlphaRow(len(Winners), votes)...)
	}
	of := fmt.Sprintf("%d battles that two people voted on", len(pairs))
	const fewest = 10 // below it a figure says nothing
	if len(pairs) < fewest {
		row("agreement of two people", 0, false, stats.Interval{}, of+fmt.Sprintf("; at least %d are needed", fewest))
		return table
	}
	share := func(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }
	nominal := stats.Alpha(make([]float64, len(Winners)), stats.Nominal)
	for _, one := range []struct {
		what string
		c    stats.Clusters
		stat stats.Statistic
	}{{"agreement of two people", same, share}, {"Krippendorff's alpha (nominal)", alpha, nominal}} {
		value, known := one.stat(one.c.Total())
		row(one.what, value, known, stats.Clustered(one.c, []stats.Statistic{one.stat}, stats.Options{Seed: seed})[0], of)
	}
	return table
}

// agreements are the votes of two people on the same battles, as numbers of Winners.
func agreements(casts []Cast) (out [][]int) {
	of := make(map[string][]int)
	for _, c := range casts {
		if c.Vote.Winner != Cannot {
			of[c.Item] = append(of[c.Item], slices.Index(Winners, c.Vote.Winner))
		}
	}
	for _, c := range casts {
		if votes := of[c.Item]; len(votes) == 2 {
			out = append(out, votes)
			delete(of, c.Item)
		}
	}
	return out
}
