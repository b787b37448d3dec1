// Package leaderboard lists systems by their scores on a benchmark: those that the paper
// published, with the values as they are printed, and runs of one's own among them.
package leaderboard

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric"
	"omniscope/metric/stats"
	"omniscope/results/compare"
)

// A Query says which systems are listed, by what.
type Query struct {
	Where   map[string]string // settings, such as track to long
	Slice   string            // NAME=VALUE; "" = the whole
	By      string            // score; "" = the benchmark's first
	Groups  []string          // of the paper, and own; nil = all
	Scoring bench.Scoring
	Seed    uint64
}

// own is the group of one's own runs.
const own = "own"

// A Board lists the systems that were asked in one way.
type Board struct {
	Benchmark string     `json:"benchmark"`
	Setting   string     `json:"setting"` // NAME=VALUE, with spaces between
	Slice     string     `json:"slice"`   // likewise; "" = the whole
	By        string     `json:"by"`      // score
	Rows      []boardRow `json:"rows"`    // best first
	Notes     []string   `json:"notes"`

	Scores []metric.Score `json:"-"` // that a row has
}

// A boardRow is a system.
type boardRow struct {
	Rank      int                   `json:"rank"`      // 1 is best; 0 = it is not comparable, or has no such score
	BestRank  int                   `json:"best_rank"` // the interval of the rank, 0 = not known
	LastRank  int                   `json:"last_rank"` //
	Model     string                `json:"model"`     //
	Group     string                `json:"group"`     //
	Source    string                `json:"source"`    // table of the paper, or folder of the run
	Published bool                  `json:"published"` //
	Clusters  int                   `json:"clusters"`  // clips, talks or what is independent; 0 = not known
	Scores    map[string]boardValue `json:"scores"`    // by name
	run       *compare.Run
}

// A boardValue is a score. Scores of a paper have no interval.
type boardValue struct {
	Value float64  `json:"value"` // in the unit of results: a fraction where it is shown in percent
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
	Shown string   `json:"shown"`          // as it is printed
	Note  string   `json:"note,omitempty"` // what the paper says elsewhere
}

// mostBoards is how many boards are shown at once.
const mostBoards = 6

// Boards returns a board for each setting, of the paper's rows and of the runs.
func Boards(ctx context.Context, info *bench.Info, runs []*compare.Run, q Query) ([]*Board, error) {
	cells, err := published(info.Name)
	if err != nil {
		return nil, err
	}
	if q, err = checked(q, info, cells, runs); err != nil {
		return nil, err
	}
	settings := settingsOf(cells, runs, q)
	switch {
	case len(settings) == 0:
		return nil, omniscope.Usagef("no systems were asked so: there are %s", settingsIn(cells))
	case len(settings) > mostBoards:
		return nil, omniscope.Usagef("there are %d settings: choose by --where, as in --where %s", len(settings), strings.ReplaceAll(settings[0], " ", " --where "))
	}
	var boards []*Board
	for _, name := range settings {
		b := &Board{Benchmark: info.Name, Setting: name, Slice: q.Slice, By: q.By, Notes: []string{}}
		b.addPublished(cells, info.Metric, q)
		if err := b.addRuns(ctx, info, runs, q); err != nil {
			return nil, err
		}
		if len(b.Rows) == 0 {
			continue
		}
		if err := b.rank(ctx, info.Metric, q); err != nil {
			return nil, err
		}
		b.sort()
		boards = append(boards, b)
	}
	if len(boards) == 0 {
		return nil, omniscope.Usagef("nothing to list: no system of these settings and groups has the slice %q; published slices are %s", q.Slice, slicesIn(cells))
	}
	return boards, nil
}

// checked fills in what the query leaves open.
func checked(q Query, info *bench.Info, cells []cell, runs []*compare.Run) (Query, error) {
	var names []string
	for _, s := range info.Metric.Scores {
		names = append(names, s.Name)
	}
	if q.By = cmp.Or(q.By, names[0]); !slices.Contains(names, q.By) {
		return q, omniscope.Usagef("--by %s: %s has the scores %s", q.By, info.Name, strings.Join(names, ", "))
	}
	if _, says := q.Where["lang"]; !says && len(runs) == 0 {
		for _, c := range cells { // several languages: their average, unless one is asked for
			if parseSetting(c.setting)["lang"] == "avg" {
				q.Where = maps.Clone(q.Where)
				if q.Where == nil {
					q.Where = make(map[string]string)
				}
				q.Where["lang"] = "avg"
				break
			}
		}
	}
	return q, nil
}

// settingsOf are the settings to show, in the order of the paper: all that the query
// allows, and if there are runs, those that they are of.
func settingsOf(cells []cell, runs []*compare.Run, q Query) (names []string) {
	for _, c := range cells {
		s := parseSetting(c.setting)
		ofRun := func(r *compare.Run) bool { return s.agrees(settingOf(r)) }
		if !slices.Contains(names, c.setting) && s.agrees(q.Where) && (len(runs) == 0 || slices.ContainsFunc(runs, ofRun)) {
			names = append(names, c.setting)
		}
	}
	if len(names) == 0 && len(runs) > 0 && len(cells) == 0 {
		return []string{""} // nothing is published
	}
	return names
}

// settingOf is how the model of a run was asked, as its signature says.
func settingOf(r *compare.Run) setting {
	s := make(setting)
	for part := range strings.SplitSeq(r.Results.Signature, "|") {
		if name, value, ok := strings.Cut(part, ":"); ok {
			s[name] = value
		}
	}
	return s
}

func (b *Board) addPublished(cells []cell, m *metric.Metric, q Query) {
	at := make(map[string]int)
	for _, c := range cells {
		if c.setting != b.Setting || c.slice != q.Slice || q.Groups != nil && !slices.Contains(q.Groups, c.group) {
			continue
		}
		i, there := at[c.model]
		if !there {
			i = len(b.Rows)
			at[c.model] = i
			b.Rows = append(b.Rows, boardRow{Model: c.model, Group: c.group, Source: c.source, Published: true, Scores: make(map[string]boardValue)})
		}
		value := c.value
		if s := m.Scores[indexOf(m, c.score)]; s.Percent {
			value /= 100
		}
		b.Rows[i].Scores[c.score] = boardValue{Value: value, Shown: c.shown, Note: c.note}
	}
}

func indexOf(m *metric.Metric, score string) int {
	return slices.IndexFunc(m.Scores, func(s metric.Score) bool { return s.Name == score })
}

func (b *Board) addRuns(ctx context.Context, info *bench.Info, runs []*compare.Run, q Query) error {
	if q.Groups != nil && !slices.Contains(q.Groups, own) {
		return nil
	}
	var datasets []string
	for _, r := range runs {
		if !parseSetting(b.Setting).agrees(settingOf(r)) {
			continue
		}
		slice, ok := sliceOf(r, q)
		if !ok {
			b.Notes = append(b.Notes, fmt.Sprintf("%s has no scores of profile %s, slice %q", r.Dir, q.Scoring, q.Slice))
			continue
		}
		row := boardRow{Model: r.Results.System, Group: own, Source: r.Dir, Scores: make(map[string]boardValue), run: r}
		for _, s := range info.Metric.Scores {
			score := slice.Scores[s.Name]
			row.Clusters = max(row.Clusters, score.Clusters)
			if score.Value != nil {
				v := boardValue{Value: *score.Value, Shown: compare.Scored(s, score)}
				if score.Interval != nil {
					v.Low, v.High = &score.Interval.Low, &score.Interval.High
				}
				row.Scores[s.Name] = v
			}
		}
		if r.Results.Judge.Baseline {
			b.Notes = append(b.Notes, fmt.Sprintf("%s (%s) was judged by %s, a baseline: it has no rank", row.Model, r.Dir, r.Results.Judge.Name))
		}
		b.Rows = append(b.Rows, row)
		if data := settingOf(r)["data"]; !slices.Contains(datasets, data) {
			datasets = append(datasets, data)
		}
	}
	if len(datasets) > 1 {
		b.Notes = append(b.Notes, "the runs are on different data: "+strings.Join(datasets, ", "))
	}
	return ctx.Err()
}

func sliceOf(r *compare.Run, q Query) (document.Slice, bool) {
	dimension, group, _ := strings.Cut(q.Slice, "=")
	for _, p := range r.Results.Scorings {
		if p.Name != q.Scoring.String() {
			continue
		}
		for _, s := range p.Slices {
			if s.Dimension == cmp.Or(dimension, "overall") && s.Group == group {
				return s, true
			}
		}
	}
	return document.Slice{}, false
}

// rank gives ranks by the score. Those of the whole have intervals: the clusters of the
// runs are drawn anew, and published values stay as they are.
func (b *Board) rank(ctx context.Context, m *metric.Metric, q Query) error {
	by := m.Scores[indexOf(m, q.By)]
	var own []*compare.Run
	var rows []int // of own, then of the fixed values
	var fixed []float64
	var others []int
	for i, row := range b.Rows {
		v, has := row.Scores[q.By]
		switch {
		case !has || row.run != nil && row.run.Results.Judge.Baseline:
		case row.run != nil && q.Slice == "":
			own, rows = append(own, row.run), append(rows, i)
		default:
			fixed, others = append(fixed, v.Value), append(others, i)
		}
	}
	sides, err := compare.Aligned(ctx, own, m, q.Scoring)
	if err != nil {
		return err
	}
	ranked, err := stats.RankScores(sides, func(sum []float64) (float64, bool) { return by.Value(sum) }, fixed, by.Lower, stats.Options{Seed: q.Seed})
	if err != nil {
		return err
	}
	for k, i := range append(rows, others...) {
		row := &b.Rows[i]
		row.Rank = ranked[k].Rank
		if q.Slice == "" && len(own) > 0 {
			row.BestRank, row.LastRank = ranked[k].BestRank, ranked[k].LastRank
		}
	}
	for _, s := range m.Scores {
		if slices.ContainsFunc(b.Rows, func(r boardRow) bool { _, has := r.Scores[s.Name]; return has }) {
			b.Scores = append(b.Scores, s)
		}
	}
	return nil
}

// sort puts the best first, and what has no rank last.
func (b *Board) sort() {
	slices.SortStableFunc(b.Rows, func(x, y boardRow) int {
		last := func(rank int) int {
			if rank == 0 {
				return math.MaxInt
			}
			return rank
		}
		return cmp.Compare(last(x.Rank), last(y.Rank))
	})
}

// settingsIn lists the values of each name, for an error.
func settingsIn(cells []cell) string {
	values := make(map[string][]string)
	for _, c := range cells {
		for name, value := range parseSetting(c.setting) {
			if !slices.Contains(values[name], value) {
				values[name] = append(values[name], value)
			}
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, name+"="+strings.Join(values[name], "|"))
	}
	return cmp.Or(strings.Join(parts, ", "), "none that were published")
}

// slicesIn lists the slices, for an error.
func slicesIn(cells []cell) string {
	var names []string
	for _, c := range cells {
		if c.slice != "" && !slices.Contains(names, c.slice) {
			names = append(names, c.slice)
		}
	}
	return cmp.Or(strings.Join(names, ", "), "none but the whole")
}
