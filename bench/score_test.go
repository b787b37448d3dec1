package bench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/run/local"
)

// share is right answers of all that were judged.
var share = metric.Metric{
	Name: "share", Fields: []string{"right", "wrong"},
	Scores: []metric.Score{{
		Name: "share", Title: "share",
		Value:    func(c metric.Counts) (float64, bool) { return c[0] / (c[0] + c[1]), c[0]+c[1] > 0 },
		Bounds:   func(c metric.Counts) (low, high float64, ok bool) { return 0, 1, true },
		N:        func(c metric.Counts) int { return int(c[0] + c[1]) },
		Unscored: func(metric.Counts) int { return 0 },
	}},
}

// listed is a benchmark whose results are a list.
type listed []*bench.Result

func (l listed) Info() bench.Info { return bench.Info{Name: "listed", Metric: &share} }

func (l listed) Open(context.Context, bench.Inputs) (bench.Evaluation, error) { return l, nil }

func (l listed) Plan() *bench.Plan {
	return &bench.Plan{System: "s", Units: len(l), Steps: func(i int) string { return l[i].Unit }, Warnings: []string{"of the plan"}}
}

func (l listed) Requests(int) ([]*model.Request, error) { return nil, nil }

func (l listed) Evaluate(_ context.Context, i int) (*bench.Result, error) {
	if l[i].Outcome == omniscope.Failed {
		return nil, &omniscope.Error{Kind: omniscope.Budget, Err: errors.New("used up")}
	}
	return l[i], nil
}

func (l listed) Close() error { return nil }

// both are tallies that all scorings share.
func both(tallies ...bench.Tally) (out [2][]bench.Tally) {
	out[bench.Official], out[bench.Strict] = tallies, tallies
	return out
}

func overall(right, wrong float64) bench.Tally {
	return bench.Tally{Dimension: "overall", Counts: metric.Counts{right, wrong}}
}

// many makes n units in clusters of two; every third unit differs by scoring.
func many(n int) (l listed) {
	for i := range n {
		r := &bench.Result{
			Unit: fmt.Sprint("u", i), Cluster: fmt.Sprint("c", i/2), Outcome: omniscope.OK, Records: [][]byte{fmt.Appendf(nil, "{\"n\":%d}\n", i)},
			Tallies: both(overall(float64(i%5)+0.1, float64(i%3)), bench.Tally{Dimension: "kind", Group: fmt.Sprint("k", i%4), Counts: metric.Counts{float64(i % 5), 1e-3}}),
		}
		if i%3 == 0 {
			r.Tallies[bench.Strict] = []bench.Tally{overall(1, 0)}
			r.Differences = []bench.UnitDifference{{What: "third", Official: "a", Strict: "b", Items: 2}}
			r.Warnings = []string{fmt.Sprintf("unit %03d", i), "the same to all"}
		}
		l = append(l, r)
	}
	return l
}

// An engine in a test does the jobs in an order of its own.
type shuffled struct{ seed uint64 }

func (e shuffled) Run(ctx context.Context, jobs iter.Seq[run.Job], do run.Func) error {
	list := slices.Collect(jobs)
	rand.New(rand.NewPCG(e.seed, 0)).Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	for _, job := range list {
		if err := do(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

func scored(t *testing.T, l listed, o bench.Options) *document.Results {
	t.Helper()
	r, err := bench.Score(t.Context(), l, l, bench.Strict, o)
	fixture.OK(t, err)
	r.Usage = document.UsageInfo{}
	return r
}

func slice(t *testing.T, r *document.Results, p bench.Scoring, dimension, group string) document.Slice {
	t.Helper()
	for _, s := range r.Scorings[p].Slices {
		if s.Dimension == dimension && s.Group == group {
			return s
		}
	}
	t.Fatalf("%v has no slice %s %s", p, dimension, group)
	return document.Slice{}
}

func TestResultsIndependentOfOrder(t *testing.T) {
	units := many(500)
	want := scored(t, units, bench.Options{Engine: &local.Engine{}, Seed: 7})
	for seed := range uint64(5) {
		if got := scored(t, units, bench.Options{Engine: shuffled{seed}, Seed: 7}); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: got %+v\nwant %+v", seed, got, want)
		}
	}
	if got := scored(t, units, bench.Options{Engine: &local.Engine{Workers: 8}, Seed: 7}); !reflect.DeepEqual(got, want) {
		t.Errorf("eight at a time: got %+v\nwant %+v", got, want)
	}
}

func TestCountsAddUp(t *testing.T) {
	counts := []metric.Counts{{0.5, 1}, {1 << 50, 3}, {-2, 0}, {1e-12, 1 << 40}, {7, 0}}
	var units listed
	sum := metric.Counts{0, 0}
	for i, c := range counts {
		units = append(units, &bench.Result{Unit: fmt.Sprint(i), Cluster: fmt.Sprint(i), Outcome: omniscope.OK,
			Tallies: both(bench.Tally{Dimension: "overall", Counts: c})})
		sum.Add(c)
	}
	got := slice(t, scored(t, units, bench.Options{Engine: &local.Engine{}}), bench.Strict, "overall", "").Counts
	if got["right"] != sum[0] || got["wrong"] != sum[1] {
		t.Errorf("got %v, want %v", got, sum)
	}
}

func TestUnitsOfOneCluster(t *testing.T) {
	r := scored(t, many(10), bench.Options{Engine: &local.Engine{}})
	whole, kind := slice(t, r, bench.Official, "overall", ""), slice(t, r, bench.Official, "kind", "k0")
	if whole.Scores["share"].Clusters != 5 || kind.Scores["share"].Clusters != 2 { // one of kind k0's has nothing to count
		t.Errorf("%d clusters in all and %d of kind k0, want 5 and 2", whole.Scores["share"].Clusters, kind.Scores["share"].Clusters)
	}
}

func TestClustersOfScore(t *testing.T) {
	units := many(40)
	alone := slice(t, scored(t, units, bench.Options{Engine: &local.Engine{}}), bench.Strict, "overall", "").Scores["share"]
	for i := range 100 {
		units = append(units, &bench.Result{Unit: fmt.Sprint("idle", i), Cluster: fmt.Sprint("idle", i), Outcome: omniscope.OK,
			Tallies: both(bench.Tally{Dimension: "overall", Counts: metric.Counts{0, 0}})})
	}
	among := slice(t, scored(t, units, bench.Options{Engine: &local.Engine{}}), bench.Strict, "overall", "").Scores["share"]
	if !reflect.DeepEqual(alone, among) {
		t.Errorf("among clusters that say nothing of it the score is %+v, alone %+v", among, alone)
	}
}

func TestIntervalOfOneCluster(t *testing.T) {
	for n, want := range map[int]bool{2: false, 4: false, 24: true} {
		score := slice(t, scored(t, many(n), bench.Options{Engine: &local.Engine{}}), bench.Official, "overall", "").Scores["share"]
		if (score.Interval != nil) != want || score.Value == nil {
			t.Errorf("%d units in clusters of two: %+v", n, score)
		}
		if want && (score.Interval.Low > *score.Value || score.Interval.High < *score.Value || score.Interval.Level != 0.95) {
			t.Errorf("%v lies outside %+v", *score.Value, *score.Interval)
		}
	}
}

func TestScoringsDiffer(t *testing.T) {
	r := scored(t, many(4), bench.Options{Engine: &local.Engine{}})
	official, strict := slice(t, r, bench.Official, "overall", ""), slice(t, r, bench.Strict, "overall", "")
	if official.Counts["wrong"] != 3 || strict.Counts["wrong"] != 3 || official.Counts["right"] != 0.1+1.1+2.1+3.1 || strict.Counts["right"] != 1+1.1+2.1+1 {
		t.Errorf("official %v, strict %v", official.Counts, strict.Counts)
	}
	if got := *r.Headline.Scores["share"].Value; r.Headline.Scoring != "strict" || got != *strict.Scores["share"].Value {
		t.Errorf("the headline is %s: %v", r.Headline.Scoring, got)
	}
	want := []document.Difference{{What: "third", Samples: 2, Items: 4, Official: "a", Strict: "b"}}
	if !reflect.DeepEqual(r.Differences, want) {
		t.Errorf("differences %+v", r.Differences)
	}
	if r.Scorings[0].Slices[0].Dimension != "overall" || len(r.Scorings[0].Slices) != 5 {
		t.Errorf("slices %+v", r.Scorings[0].Slices)
	}
}

// TestOneReasonTwoTreatments shows that the results do not depend on which unit comes first
// where one reason made the scorings differ in two ways.
func TestOneReasonTwoTreatments(t *testing.T) {
	units := many(4)
	units[0].Differences[0].Official, units[3].Differences[0].Official = "z", "a"
	want := []document.Difference{{What: "third", Samples: 1, Items: 2, Official: "a", Strict: "b"}, {What: "third", Samples: 1, Items: 2, Official: "z", Strict: "b"}}
	if r := scored(t, units, bench.Options{Engine: &local.Engine{}}); !reflect.DeepEqual(r.Differences, want) {
		t.Errorf("differences %+v", r.Differences)
	}
}

func TestWarningsBounded(t *testing.T) {
	few := scored(t, many(9), bench.Options{Engine: shuffled{1}}).Warnings
	if want := []string{"of the plan", "the same to all", "unit 000", "unit 003", "unit 006"}; !slices.Equal(few, want) {
		t.Errorf("got %q, want %q", few, want)
	}
	all := scored(t, many(3000), bench.Options{Engine: shuffled{1}}).Warnings
	if len(all) != 52 || all[50] != "unit 144" || all[51] != "there were further warnings; the first 50 are shown" {
		t.Errorf("%d warnings, the last %q", len(all), all[len(all)-3:])
	}
}

func TestRecordsInInputOrder(t *testing.T) {
	records, err := bench.NewRecords(filepath.Join(t.TempDir(), "records"))
	fixture.OK(t, err)
	scored(t, many(300), bench.Options{Engine: shuffled{3}, Records: []*bench.Records{records}})
	for range 2 { // writing them changes nothing
		var out strings.Builder
		n, err := records.WriteTo(&out)
		if err != nil || n != int64(out.Len()) {
			t.Fatalf("%d bytes, %v", n, err)
		}
		lines := strings.SplitAfter(out.String(), "\n")
		if len(lines) != 301 {
			t.Fatalf("%d lines", len(lines))
		}
		for i, line := range lines[:300] {
			if want := fmt.Sprintf("{\"n\":%d}\n", i); line != want {
				t.Fatalf("line %d is %q, want %q", i, line, want)
			}
		}
	}
	if err := records.Close(); err != nil {
		t.Error(err)
	}
}

// What is remembered costs nothing, so that what is not starts at once.
func TestUnknownStepsFirst(t *testing.T) {
	var order []string
	engine := watched(func(job run.Job) { order = append(order, fmt.Sprint(job.ID, "=", job.Seq)) })
	var done []int
	scored(t, many(5), bench.Options{Engine: engine, Known: map[string]bool{"u0": true, "u3": true}, Done: func(n int) { done = append(done, n) }})
	if got := strings.Join(order, " "); got != "u1=1 u2=2 u4=4 u0=0 u3=3" {
		t.Errorf("done in the order %s", got)
	}
	if !slices.Equal(done, []int{1, 2, 3, 4, 5}) {
		t.Errorf("told %v", done)
	}
}

// watched is an engine that tells of each job before it does it.
type watched func(run.Job)

func (w watched) Run(ctx context.Context, jobs iter.Seq[run.Job], do run.Func) error {
	for job := range jobs {
		w(job)
		if err := do(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

func TestErrorEndsRun(t *testing.T) {
	units := many(5)
	units[3].Outcome = omniscope.Failed
	_, err := bench.Score(t.Context(), units, units, bench.Strict, bench.Options{Engine: &local.Engine{}})
	if omniscope.KindOf(err) != omniscope.Budget {
		t.Errorf("the run ended with %v", err)
	}
}

func TestNothingToScore(t *testing.T) {
	empty := &bench.Result{Unit: "u", Cluster: "u", Outcome: omniscope.Missing, Tallies: both(overall(0, 0))}
	for _, units := range []listed{nil, {empty}, {empty, empty}} {
		r := scored(t, units, bench.Options{Engine: &local.Engine{}})
		if r.Status != document.NoScore || r.Headline.Scores["share"].Value != nil {
			t.Errorf("%d units: %s, %+v", len(units), r.Status, r.Headline)
		}
		if text, err := json.Marshal(r); err != nil || strings.Contains(string(text), "NaN") {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// A score that is no number is no score, and must not spoil the document.
func TestScoreNaN(t *testing.T) {
	units := listed{{Unit: "u", Cluster: "u", Outcome: omniscope.OK, Tallies: both(overall(1, -1))}}
	broken := share
	broken.Scores = slices.Clone(share.Scores)
	broken.Scores[0].Value = func(c metric.Counts) (float64, bool) { return c[0] / (c[0] + c[1]), true }
	r, err := bench.Score(t.Context(), measured{units, &broken}, units, bench.Strict, bench.Options{Engine: &local.Engine{}})
	fixture.OK(t, err)
	if _, err := json.Marshal(r); err != nil || r.Headline.Scores["share"].Value != nil {
		t.Errorf("%v, %+v", err, r.Headline)
	}
}

// measured is a benchmark with another metric.
type measured struct {
	bench.Benchmark
	metric *metric.Metric
}

func (m measured) Info() bench.Info { return bench.Info{Name: "measured", Metric: m.metric} }

func TestUsageOfCalls(t *testing.T) {
	var tally wrap.Meter
	tally.Answers.Add(5)
	tally.Failed.Add(2)
	tally.Remembered.Add(3)
	tally.TokensIn.Add(70)
	r, err := bench.Score(t.Context(), many(2), many(2), bench.Strict, bench.Options{Engine: &local.Engine{}, Meters: []*wrap.Meter{&tally}})
	fixture.OK(t, err)
	if u := r.Usage; u.Calls != 7 || u.Failed != 2 || u.Remembered != 3 || u.TokensIn != 70 {
		t.Errorf("got %+v", u)
	}
}
