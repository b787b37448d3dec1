package correlate

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
	"omniscope/internal/input"
	"omniscope/internal/rows"
	"omniscope/internal/spreadsheet"
	"omniscope/metric/stats"
)

// table reads a CSV file with a header. do gets a line's cells by the header's names.
func table(ctx context.Context, path string, needs []string, do func(line int, header []string, cell map[string]string) error) error {
	f, err := input.Open(ctx, path, input.Texts)
	if err != nil {
		return err
	}
	defer f.Close()
	var header []string
	lines := 0
	err = rows.EachRecord(f, '#', func(line int, cells []string) error {
		err := error(nil)
		switch {
		case header == nil:
			header = slices.Clone(cells)
			for _, name := range needs {
				if err == nil && !slices.Contains(header, name) {
					err = fmt.Errorf("there is no column %q: the header wants %s", name, strings.Join(needs, ", "))
				}
			}
		case len(cells) != len(header):
			err = fmt.Errorf("wrong number of fields: %d, and the header has %d", len(cells), len(header))
		default:
			lines++
			row := make(map[string]string, len(header))
			for i, name := range header {
				row[name] = spreadsheet.Text(cells[i])
			}
			err = do(line, header, row)
		}
		if err != nil {
			return omniscope.Invalidf("%s:%d: %w", path, line, err)
		}
		return nil
	})
	if err == nil && lines == 0 {
		return omniscope.Invalidf("%s has no rows: it wants a header with %s, and a line for each row", path, strings.Join(needs, ", "))
	}
	return err
}

func numberOf(name, text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s is %q, which is not a number", name, text)
	}
	return v, nil
}

// AddTable adds the columns of a CSV table: a header with the column system, and a number
// in each other column; an empty cell is a value that is not known.
func (v *Values) AddTable(ctx context.Context, path string) error {
	return table(ctx, path, []string{"system"}, func(_ int, header []string, cell map[string]string) error {
		system := cell["system"]
		if system == "" {
			return fmt.Errorf("system is empty")
		}
		for _, name := range header {
			if name == "system" || cell[name] == "" {
				continue
			}
			number, err := numberOf(name, cell[name])
			if err == nil {
				err = v.set(name, system, exactly(number))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Names of the columns that come from battles.
const (
	eloMeasure   = "Elo"
	bradleyTerry = "Bradley-Terry"
)

// AddBattles adds ratings of systems from a CSV table of battles with the columns a, b and
// winner; winner is the name of a system, or a, b or tie. An optional column clip groups the
// battles of one clip. Elo depends on the order of the battles: its interval is the range over
// 1,000 random orders. Bradley-Terry does not: its interval resamples clips, or battles where
// there is no such column.
func (v *Values) AddBattles(ctx context.Context, path string, seed uint64) error {
	systems, battles, clusters, err := readBattles(ctx, path)
	if err != nil {
		return err
	}
	ranges := stats.EloOrders(len(systems), battles, 1000, seed, stats.EloOptions{})
	for i, elo := range stats.Elo(len(systems), battles, stats.EloOptions{}) {
		if err := v.set(eloMeasure, systems[i], Value{elo, min(elo, ranges[i].Low), max(elo, ranges[i].High)}); err != nil {
			return omniscope.Invalidf("%s: %w", path, err)
		}
	}
	v.Notes = append(v.Notes, fmt.Sprintf("%s: %d battles; the range of Elo is over 1,000 orders of them", path, len(battles)))
	group := stats.GroupBattles(len(systems), battles)
	for _, note := range group.Notes(systems) {
		v.Notes = append(v.Notes, path+": "+note)
	}
	if len(group.Rated) == 0 {
		return nil
	}
	battles, clusters = group.Among(battles, clusters)
	ranked, _, err := stats.RankBattles(len(group.Rated), battles, clusters, stats.Davidson, stats.Options{Seed: seed, Resamples: 500})
	if err != nil {
		v.Notes = append(v.Notes, fmt.Sprintf("%s: no Bradley-Terry ratings: %v", path, err))
		return nil
	}
	for i, r := range ranked {
		value := exactly(r.Rating)
		if r.Interval.Known {
			value.Low, value.High = r.Interval.Low, r.Interval.High
		}
		if err := v.set(bradleyTerry, systems[group.Rated[i]], value); err != nil {
			return omniscope.Invalidf("%s: %w", path, err)
		}
	}
	return nil
}

// readBattles reads a table of battles. clusters has the number of each battle's clip.
func readBattles(ctx context.Context, path string) (systems []string, battles []stats.Battle, clusters []int, err error) {
	clips := make(map[string]int)
	index := func(name string) int {
		i := slices.Index(systems, name)
		if i < 0 {
			i = len(systems)
			systems = append(systems, name)
		}
		return i
	}
	err = table(ctx, path, []string{"a", "b", "winner"}, func(line int, _ []string, cell map[string]string) error {
		result, err := resultOf(cell["a"], cell["b"], cell["winner"])
		if err != nil {
			return err
		}
		clip := cmp.Or(cell["clip"], fmt.Sprint("line ", line))
		if _, there := clips[clip]; !there {
			clips[clip] = len(clips)
		}
		battles = append(battles, stats.Battle{A: index(cell["a"]), B: index(cell["b"]), Result: result})
		clusters = append(clusters, clips[clip])
		return nil
	})
	return systems, battles, clusters, err
}

// resultOf reads the result of a battle of a and b.
func resultOf(a, b, winner string) (stats.Result, error) {
	if a == "" || b == "" || a == b {
		return 0, fmt.Errorf("a battle of %q and %q: two systems are wanted", a, b)
	}
	if winner == "a" && b == winner || winner == "b" && a == winner || winner == "tie" && (a == winner || b == winner) {
		return 0, fmt.Errorf("the winner %q is a system as well as a column or a tie: give the systems other names", winner)
	}
	switch winner {
	case "a", a:
		return stats.WonByA, nil
	case "b", b:
		return stats.WonByB, nil
	case "tie":
		return stats.Tied, nil
	}
	return 0, fmt.Errorf("the winner is %q: it is %q, %q or tie", winner, a, b)
}

// AddRatings adds mean ratings by people: a CSV table with the columns system, item, rater
// and rating, and a column question where several things were rated. The interval
// resamples items. A note says how far raters agree.
func (v *Values) AddRatings(ctx context.Context, path string, seed uint64) error {
	all := make(map[string]*question)
	var order []string
	err := table(ctx, path, []string{"system", "item", "rater", "rating"}, func(_ int, _ []string, cell map[string]string) error {
		number, err := numberOf("rating", cell["rating"])
		if err != nil {
			return err
		}
		name := "rating"
		if cell["question"] != "" {
			name = cell["question"]
		}
		if all[name] == nil {
			all[name] = &question{units: make(map[unit]map[string]float64)}
			order = append(order, name)
		}
		return all[name].add(cell["system"], cell["item"], cell["rater"], number)
	})
	if err != nil {
		return err
	}
	for _, name := range order {
		q := all[name]
		for _, system := range q.systems {
			if err := v.set(name, system, q.mean(system, seed)); err != nil {
				return omniscope.Invalidf("%s: %w", path, err)
			}
		}
		v.Notes = append(v.Notes, fmt.Sprintf("%s: %s by %d raters, %s", path, name, len(q.raters), q.agreement()))
	}
	return nil
}

// A question is what people rated.
type question struct {
	systems, items, raters []string
	units                  map[unit]map[string]float64 // ratings by rater
}

type unit struct{ system, item string }

func (q *question) add(system, item, rater string, rating float64) error {
	if system == "" || item == "" || rater == "" {
		return fmt.Errorf("system, item or rater is empty")
	}
	for _, known := range []struct {
		list *[]string
		name string
	}{{&q.systems, system}, {&q.items, item}, {&q.raters, rater}} {
		if !slices.Contains(*known.list, known.name) {
			*known.list = append(*known.list, known.name)
		}
	}
	u := unit{system, item}
	if q.units[u] == nil {
		q.units[u] = make(map[string]float64)
	}
	if _, twice := q.units[u][rater]; twice {
		return fmt.Errorf("%s has rated item %s of %s already", rater, item, system)
	}
	q.units[u][rater] = rating
	return nil
}

// mean is over all ratings of a system.
func (q *question) mean(system string, seed uint64) Value {
	c := stats.Clusters{Width: 2}
	for _, item := range q.items {
		ratings := q.units[unit{system, item}]
		if len(ratings) == 0 {
			continue
		}
		sum := 0.
		for _, rater := range slices.Sorted(maps.Keys(ratings)) {
			sum += ratings[rater]
		}
		c.Rows = append(c.Rows, sum, float64(len(ratings)))
	}
	of := func(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }
	mean, _ := of(c.Total())
	value := exactly(mean)
	if iv := stats.Scores(c, []stats.Statistic{of}, nil, stats.Options{Seed: seed})[0]; iv.Known {
		value.Low, value.High = iv.Low, iv.High
	}
	return value
}

// agreement is Krippendorff's alpha over the ratings as an order.
func (q *question) agreement() string {
	values := make(map[float64]bool)
	for _, ratings := range q.units {
		for _, r := range ratings {
			values[r] = true
		}
	}
	scale := slices.Sorted(maps.Keys(values))
	const most = 200
	if len(q.raters) < 2 || len(scale) > most {
		return "whose agreement is not known"
	}
	sum := make([]float64, len(stats.AlphaRow(len(scale), nil)))
	for _, ratings := range q.units {
		var given []int
		for _, r := range ratings {
			at, _ := slices.BinarySearch(scale, r)
			given = append(given, at)
		}
		for i, x := range stats.AlphaRow(len(scale), given) {
			sum[i] += x
		}
	}
	alpha, ok := stats.Alpha(scale, stats.Ordinal)(sum)
	if !ok {
		return "whose agreement is not known"
	}
	return fmt.Sprintf("Krippendorff's alpha (ordinal) %.3f", alpha)
}
