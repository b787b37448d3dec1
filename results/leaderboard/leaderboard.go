// Package leaderboard lists systems by their scores on a benchmark: the systems of the paper, with
// the values as printed, and the user's own runs. A run has a rank only if it is like the published
// rows: the same complete data, the same part of the benchmark, the same judge and protocol. Other
// runs are listed separately, with the reasons.
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
	"omniscope/internal/quantity"
	"omniscope/metric"
	"omniscope/metric/stats"
	"omniscope/results/compare"
)

// A Query selects the systems of a board and the score to sort by.
type Query struct {
	Where         map[string]string // settings, such as track to long
	Slice         string            // NAME=VALUE; "" = what the published rows are of
	By            string            // score; "" = the first that a system has
	Groups        []string          // of the paper, and own; nil = all
	Judge         string            // part of the name of another judge, to show its published rows, or all; "" = the benchmark's
	PublishedData bool              // the user states that the runs' data are the published data
	Scoring       bench.Scoring
	Seed          uint64
}

// own is the group of one's own runs.
const own = "own"

// allJudges is the Query.Judge that shows the rows of every judge.
const allJudges = "all"

// A Board lists the systems that were asked in one way.
type Board struct {
	Benchmark string     `json:"benchmark"`
	Setting   string     `json:"setting"` // NAME=VALUE, with spaces between
	Judge     string     `json:"judge"`   // of the published rows; "" = no model judged
	Slice     string     `json:"slice"`   // NAME=VALUE; "" = all samples
	By        string     `json:"by"`      // score
	Rows      []boardRow `json:"rows"`    // best first, then those without a rank
	Notes     []string   `json:"notes"`

	Scores []metric.Score `json:"-"` // that a row has
	narrow bool           // see Tables
}

// A boardRow is a system.
type boardRow struct {
	Rank      int                   `json:"rank"`      // 1 is best; 0 = it is not comparable, or has no such score
	Why       []string              `json:"why"`       // it is not ranked
	BestRank  int                   `json:"best_rank"` // the interval of the rank, 0 = not known
	LastRank  int                   `json:"last_rank"` //
	Model     string                `json:"model"`     //
	Group     string                `json:"group"`     //
	Source    string                `json:"source"`    // table of the paper, or the run's name
	Published bool                  `json:"published"` //
	N         int                   `json:"n"`         // samples; 0 = not known
	Answered  *int                  `json:"answered"`  // of them, by the system; null = not known
	Judge     string                `json:"judge"`     // or who answers from captions; "" = no model
	Data      string                `json:"data"`      // which these are
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
	Note  string   `json:"note,omitempty"` // what the paper says elsewhere, or the other profile of a run
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
	places := placesOf(cells, runs, q)
	switch {
	case len(places) == 0:
		return nil, omniscope.Usagef("no systems were asked so: there are %s%s", settingsIn(cells), settingsOf(runs, cells))
	case len(places) > mostBoards:
		return nil, omniscope.Usagef("there are %d settings: choose by --where, as in --where %s", len(places), strings.ReplaceAll(places[0].setting, " ", " --where "))
	}
	var boards []*Board
	for _, at := range places {
		b := &Board{Benchmark: info.Name, Setting: at.setting, Judge: cmp.Or(at.judge, judgeOf(info)), Slice: at.slice, Notes: []string{}}
		b.addPublished(cells, at, info, q)
		b.addRuns(at, info, runs, q, cells)
		if len(b.Rows) == 0 {
			continue
		}
		b.By = cmp.Or(q.By, b.first(info.Metric))
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

// judgeOf is the published judge of a benchmark, or the model that answers from captions, without its
// provider.
func judgeOf(info *bench.Info) string {
	_, name, _ := strings.Cut(info.Judge, "/")
	return name
}

// checked fills in what the query leaves open.
func checked(q Query, info *bench.Info, cells []cell, runs []*compare.Run) (Query, error) {
	var names, judges []string
	for _, s := range info.Metric.Scores {
		names = append(names, s.Name)
	}
	if q.By != "" && !slices.Contains(names, q.By) {
		return q, omniscope.Usagef("--by %s: %s has the scores %s", q.By, info.Name, strings.Join(names, ", "))
	}
	for _, c := range cells {
		if c.judge != "" && !slices.Contains(judges, c.judge) {
			judges = append(judges, c.judge)
		}
	}
	if q.Judge != "" && q.Judge != allJudges && !slices.ContainsFunc(judges, func(name string) bool { return containsFold(name, q.Judge) }) {
		return q, omniscope.Usagef("--published-judge %s: the rows of %s that another judge than %s scored are of %s", q.Judge, info.Name, info.Judge, cmp.Or(strings.Join(judges, ", "), "no other judge"))
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

func containsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// A place is what the rows of one board have in common.
type place struct {
	setting, judge string // judge "" = that of the benchmark
	slice          string
	part           bool // the slice is of fewer samples than the published rows are of
}

// placesOf returns the boards to show, in the order of the paper: all that the query allows; if there
// are runs, only the boards that fit a run. Runs without a published board have their own.
func placesOf(cells []cell, runs []*compare.Run, q Query) (places []place) {
	placed := make(map[*compare.Run]bool)
	for _, c := range cells {
		at, s := place{setting: c.setting, judge: c.judge}, parseSetting(c.setting)
		if slices.ContainsFunc(places, func(p place) bool { return p.setting == at.setting && p.judge == at.judge }) || !q.shows(c.judge) || !s.agrees(q.Where) {
			continue
		}
		fits := len(runs) == 0
		for _, r := range runs {
			if s.agrees(partOf(r.Results)) {
				fits, placed[r] = true, true
			}
		}
		of := sliceOfRows(cells, at)
		at.slice, at.part = cmp.Or(q.Slice, of), q.Slice != "" && q.Slice != of
		if fits {
			places = append(places, at)
		}
	}
	for _, r := range runs {
		if s := partOf(r.Results); !placed[r] && setting(q.Where).agrees(s) {
			own := place{setting: s.like(cells), slice: q.Slice, part: q.Slice != ""}
			if !slices.Contains(places, own) {
				places = append(places, own)
			}
		}
	}
	return places
}

// shows reports whether rows by a judge are asked for; "" is the judge of the benchmark.
func (q *Query) shows(judge string) bool {
	return judge == "" || q.Judge == allJudges || q.Judge != "" && containsFold(judge, q.Judge)
}

// sliceOfRows is the slice that the published rows of a place are of: "" where one is of all samples.
// Table 13 of Omni-Cloze is over the audio blanks alone.
func sliceOfRows(cells []cell, at place) (slice string) {
	for _, c := range cells {
		switch {
		case c.setting != at.setting || c.judge != at.judge:
		case c.slice == "":
			return ""
		case slice == "":
			slice = c.slice
		}
	}
	return slice
}

func (b *Board) addPublished(cells []cell, p place, info *bench.Info, q Query) {
	at := make(map[string]int)
	release, _ := bench.BoardRelease(info.Name, parseSetting(p.setting))
	if p.part {
		release.Samples = 0 // no paper gives the number
	}
	for _, c := range cells {
		if c.setting != p.setting || c.judge != p.judge || c.slice != p.slice || q.Groups != nil && !slices.Contains(q.Groups, c.group) {
			continue
		}
		i, there := at[c.model]
		if !there {
			i = len(b.Rows)
			at[c.model] = i
			b.Rows = append(b.Rows, boardRow{Model: c.model, Group: c.group, Source: c.source, Published: true, N: release.Samples, Why: []string{},
				Judge: b.Judge, Data: "published", Scores: make(map[string]boardValue)})
			if c.unknownJudge {
				b.Rows[i].Judge, b.Rows[i].Why = "", []string{"its source names no judge"}
			}
		}
		value := c.value
		if s := info.Metric.Scores[indexOf(info.Metric, c.score)]; s.Percent {
			value /= 100
		}
		b.Rows[i].Scores[c.score] = boardValue{Value: value, Shown: c.shown, Note: c.note}
	}
}

func indexOf(m *metric.Metric, score string) int {
	return slices.IndexFunc(m.Scores, func(s metric.Score) bool { return s.Name == score })
}

// addRuns adds the runs that do not contradict the setting of the board.
func (b *Board) addRuns(at place, info *bench.Info, runs []*compare.Run, q Query, cells []cell) {
	if q.Groups != nil && !slices.Contains(q.Groups, own) {
		return
	}
	among := slices.ContainsFunc(cells, func(c cell) bool { return c.setting == at.setting && c.judge == at.judge })
	twice := differentData(runs)
	for _, r := range runs {
		if !parseSetting(b.Setting).agrees(partOf(r.Results)) {
			continue
		}
		slice, ok := sliceOf(r.Results, q.Scoring, at.slice)
		if !ok {
			b.Notes = append(b.Notes, fmt.Sprintf("%s has no scores of scoring %s, slice %q", r.Results.System, q.Scoring, at.slice))
			continue
		}
		row := newRow(r, slice, info.Metric, q)
		if at.part {
			row.N, row.Answered = samplesOf(r, slice, info.Metric, q.Scoring), nil
		}
		if other, ok := sliceOf(r.Results, 1-q.Scoring, at.slice); ok {
			row.noteOther(other, info.Metric, 1-q.Scoring)
		}
		if among {
			row.Why = append(row.Why, b.reasons(r.Results, info, q)...)
		} else {
			row.Why = append(row.Why, ownReasons(r.Results, q)...)
		}
		if row.Data == sameSize && twice[sizeOf(r.Results)] {
			row.Why = append(row.Why, "another run has other data of the same size: --published-data states that both are published")
		}
		b.Rows = append(b.Rows, row)
	}
	if !among && len(b.Rows) > 0 {
		b.compareOwn()
	}
}

// compareOwn adds the reasons why the runs of a board without published rows cannot be compared with each other.
func (b *Board) compareOwn() {
	var complete []*boardRow
	for i := range b.Rows {
		if len(b.Rows[i].Why) == 0 {
			complete = append(complete, &b.Rows[i])
		}
	}
	why := unlike(complete)
	for _, row := range complete {
		row.Why = append(row.Why, why...)
	}
	b.Notes = append(b.Notes, "no published scores of this setting are known here: ranks are among your runs")
}

func newRow(r *compare.Run, slice document.Slice, m *metric.Metric, q Query) boardRow {
	missing, _ := bench.Lacking(r.Results)
	answered := r.Results.Samples - missing
	row := boardRow{Model: r.Results.System, Group: own, Source: r.Results.Run.ID, N: r.Results.Samples, Answered: &answered, Why: []string{},
		Judge: r.Results.Judge.Shown(), Data: dataName(r.Results, q.PublishedData), Scores: make(map[string]boardValue), run: r}
	for _, s := range m.Scores {
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
	return row
}

// samplesOf counts the samples in a slice of a run; 0 = not known.
func samplesOf(r *compare.Run, part document.Slice, m *metric.Metric, p bench.Scoring) int {
	first := m.Scores[0].Name
	whole, _ := sliceOf(r.Results, p, "")
	switch all, of := whole.Scores[first], part.Scores[first]; r.Results.Samples {
	case all.N + all.Unscored:
		return of.N + of.Unscored
	case all.Clusters:
		return of.Clusters
	}
	return 0
}

// noteOther notes the values that the other profile shows otherwise.
func (r *boardRow) noteOther(other document.Slice, m *metric.Metric, p bench.Scoring) {
	for _, s := range m.Scores {
		v, has := r.Scores[s.Name]
		shown, _, _ := strings.Cut(compare.Scored(s, other.Scores[s.Name]), " [")
		here, _, _ := strings.Cut(v.Shown, " [")
		if has && shown != here {
			v.Note = fmt.Sprintf("scoring %s has %s", p, shown)
			r.Scores[s.Name] = v
		}
	}
}

func sliceOf(r *document.Results, p bench.Scoring, slice string) (document.Slice, bool) {
	dimension, group, _ := strings.Cut(slice, "=")
	for _, scoring := range r.Scorings {
		if scoring.Name != p.String() {
			continue
		}
		for _, s := range scoring.Slices {
			if s.Dimension == cmp.Or(dimension, "overall") && s.Group == group {
				return s, true
			}
		}
	}
	return document.Slice{}, false
}

// first is the first score of the benchmark that a row has, of those with a rank if it can be.
func (b *Board) first(m *metric.Metric) string {
	for _, ranked := range []bool{true, false} {
		for _, s := range m.Scores {
			if b.has(s.Name, func(r boardRow) bool { return len(r.Why) == 0 || !ranked }) {
				return s.Name
			}
		}
	}
	return m.Scores[0].Name
}

// has reports whether a row that counts has a score.
func (b *Board) has(score string, counts func(boardRow) bool) bool {
	return slices.ContainsFunc(b.Rows, func(r boardRow) bool { _, has := r.Scores[score]; return has && counts(r) })
}

// rank gives ranks by the score. Ranks over all samples have intervals, by resampling the clusters
// of the runs; published values are fixed.
func (b *Board) rank(ctx context.Context, m *metric.Metric, q Query) error {
	by := m.Scores[indexOf(m, b.By)]
	var own []*compare.Run
	var rows []int // of own, then of the fixed values
	var fixed []float64
	var others []int
	for i := range b.Rows {
		row := &b.Rows[i]
		v, has := row.Scores[b.By]
		if row.run != nil && len(row.Why) == 0 {
			row.Why = append(row.Why, b.unscoredReason(row.run.Results, q.Scoring)...)
		}
		switch {
		case !has && !row.Published:
			row.Why = append(row.Why, "it has no "+by.Title)
		case !has || len(row.Why) > 0:
		case row.run != nil && b.Slice == "":
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
		if len(own) > 0 {
			row.BestRank, row.LastRank = ranked[k].BestRank, ranked[k].LastRank
		}
	}
	b.Scores = append(b.Scores, slices.DeleteFunc(slices.Clone(m.Scores), func(s metric.Score) bool {
		return !b.has(s.Name, func(boardRow) bool { return true })
	})...)
	return nil
}

// unscoredReason returns the reason of a run with many unscored items, such as empty
// captions: scoring strict asks no judge about them, the published program does.
func (b *Board) unscoredReason(r *document.Results, p bench.Scoring) (why []string) {
	part, _ := sliceOf(r, p, b.Slice)
	if s := part.Scores[b.By]; bench.Many(s.Unscored, s.N+s.Unscored) {
		why = append(why, fmt.Sprintf("%s of %s items have no score in scoring %s", quantity.Grouped(s.Unscored), quantity.Grouped(s.N+s.Unscored), p))
	}
	return why
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

// settingsOf lists the settings of one's own runs, for an error.
func settingsOf(runs []*compare.Run, cells []cell) string {
	var of []string
	for _, r := range runs {
		if s := partOf(r.Results).like(cells); s != "" && !slices.Contains(of, s) {
			of = append(of, s)
		}
	}
	if len(of) == 0 {
		return ""
	}
	return "; your runs are of " + strings.Join(of, ", or of ")
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
