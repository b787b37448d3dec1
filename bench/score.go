package bench

import (
	"context"
	"iter"
	"maps"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"omniscope"
	"omniscope/metric"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/stats"
)

// Options say how to run an evaluation.
type Options struct {
	Engine  run.Engine
	Known   map[string]bool // steps that are remembered: their units come last
	Tally   *wrap.Tally     // of the calls; nil when no model is asked
	Records *Records        // per-question lines; nil = not wanted
	Seed    uint64          // of the intervals
	Done    func(n int)     // told after each unit, for progress; may be nil
}

// Score judges every unit of ev and returns the results. When the run is cut
// short it returns the error that did it; what was answered by then is in the
// journal.
func Score(ctx context.Context, b Benchmark, ev Evaluation, profile Profile, o Options) (*omniscope.Results, error) {
	started := time.Now()
	s := &scoring{agree: true, info: b.Info(), ev: ev, totals: newTotals(b.Info().Metric, ev.Plan().Units), options: o,
		outcomes: make(map[string]int), differences: make(map[string]*omniscope.Difference)}
	if o.Records != nil {
		o.Records.expect(ev.Plan().Units)
	}
	if err := o.Engine.Run(ctx, s.jobs(), s.do); err != nil {
		return nil, err
	}
	judged := time.Since(started)
	r := s.results(profile)
	r.Usage = usage(o.Tally)
	r.Usage.Seconds = judged.Seconds()
	return r, nil
}

type scoring struct {
	info    Info
	ev      Evaluation
	totals  *totals
	options Options

	mu          sync.Mutex
	outcomes    map[string]int
	differences map[string]*omniscope.Difference
	warnings    warnings
	done        int
	agree       bool // all profiles counted every unit the same
}

// jobs yields the units that nothing is remembered of first: a run that was
// cut short makes its first new call at once.
func (s *scoring) jobs() iter.Seq[run.Job] {
	plan := s.ev.Plan()
	return func(yield func(run.Job) bool) {
		for _, known := range []bool{false, true} {
			for i := range plan.Units {
				step := plan.Steps(i)
				if s.options.Known[step] == known && !yield(run.Job{ID: step, Seq: i}) {
					return
				}
			}
		}
	}
}

func (s *scoring) do(ctx context.Context, job run.Job) error {
	r, err := s.ev.Evaluate(ctx, job.Seq)
	if err != nil {
		return err
	}
	s.totals.add(job.Seq, r)
	if s.options.Records != nil {
		if err := s.options.Records.add(job.Seq, r.Records); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcomes[r.Outcome.String()]++
	s.agree = s.agree && sameTallies(r.Tallies[Official], r.Tallies[Strict])
	s.differ(r)
	s.warnings.add(job.Seq, r.Warnings)
	s.done++
	if s.options.Done != nil {
		s.options.Done(s.done)
	}
	return nil
}

func sameTallies(a, b []Tally) bool {
	return slices.EqualFunc(a, b, func(a, b Tally) bool {
		return a.Dimension == b.Dimension && a.Group == b.Group && slices.Equal(a.Counts, b.Counts)
	})
}

func (s *scoring) differ(r *Result) {
	for _, d := range r.Differences {
		known, ok := s.differences[d.What]
		if !ok {
			known = &omniscope.Difference{What: d.What, Official: d.Official, Strict: d.Strict}
			s.differences[d.What] = known
		}
		known.Samples++
		known.Items += d.Items
	}
}

func (s *scoring) results(profile Profile) *omniscope.Results {
	s.totals.finish()
	plan := s.ev.Plan()
	r := &omniscope.Results{
		Schema:    omniscope.ResultsSchema,
		Benchmark: omniscope.BenchmarkInfo{Name: s.info.Name, Title: s.info.Title, Paper: s.info.Paper},
		System:    plan.System,
		Profile:   profile.String(),
		Samples:   plan.Units,
		Outcomes:  s.outcomes,
		Warnings:  append(append([]string{}, plan.Warnings...), s.warnings.list()...),
	}
	r.Judge.Prompts, r.Judge.Baseline = plan.Prompts, plan.Baseline
	r.Run.Inputs = plan.Inputs
	r.Differences = make([]omniscope.Difference, 0, len(s.differences))
	for _, what := range slices.Sorted(maps.Keys(s.differences)) {
		r.Differences = append(r.Differences, *s.differences[what])
	}
	for p := range Profile(numProfiles) {
		info := omniscope.ProfileInfo{Name: p.String()}
		if p > 0 && s.agree {
			info.Slices = r.Profiles[0].Slices
		} else {
			info.Slices = s.slices(p)
		}
		r.Profiles = append(r.Profiles, info)
	}
	r.Headline = omniscope.Headline{Profile: profile.String(), Scores: overall(r.Profiles[profile])}
	r.Status = omniscope.NoScore
	for _, score := range r.Headline.Scores {
		if score.Value != nil {
			r.Status = omniscope.Scored
		}
	}
	return r
}

func overall(p omniscope.ProfileInfo) map[string]omniscope.Score {
	for _, s := range p.Slices {
		if s.Dimension == "overall" {
			return s.Scores
		}
	}
	return map[string]omniscope.Score{}
}

// slices scores every slice of a profile, several at a time, in a fixed order.
func (s *scoring) slices(p Profile) []omniscope.Slice {
	keys := slices.Clone(s.totals.names)
	slices.SortFunc(keys, compareSlices)
	out := make([]omniscope.Slice, len(keys))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			var g gathering
			for i := range next {
				out[i] = s.slice(p, keys[i], &g)
			}
		})
	}
	for i := range keys {
		next <- i
	}
	close(next)
	workers.Wait()
	return out
}

// compareSlices puts the whole first, then dimensions and groups by name.
func compareSlices(a, b sliceKey) int {
	rank := func(k sliceKey) string {
		if k.dimension == "overall" {
			return ""
		}
		return k.dimension + "\x00" + k.group
	}
	if ra, rb := rank(a), rank(b); ra < rb {
		return -1
	} else if ra > rb {
		return 1
	}
	return 0
}

func (s *scoring) slice(p Profile, key sliceKey, g *gathering) omniscope.Slice {
	m := s.info.Metric
	c := s.totals.clustersOf(p, s.totals.slices[key], g)
	sum := metric.Counts(c.Total())
	out := omniscope.Slice{Dimension: key.dimension, Group: key.group,
		Counts: make(map[string]float64), Scores: make(map[string]omniscope.Score)}
	for i, name := range m.Fields {
		out.Counts[name] = sum[i]
	}
	statistics := make([]stats.Statistic, len(m.Scores))
	for i, score := range m.Scores {
		statistics[i] = func(sum []float64) (float64, bool) { return score.Value(sum) }
	}
	intervals := stats.Clustered(c, statistics, stats.Options{Seed: s.options.Seed})
	for i, score := range m.Scores {
		out.Scores[score.Name] = oneScore(score, sum, intervals[i], c.Len())
	}
	return out
}

func oneScore(def metric.Score, sum metric.Counts, interval stats.Interval, clusters int) omniscope.Score {
	out := omniscope.Score{Name: def.Name, N: def.N(sum), Unscored: def.Unscored(sum), Clusters: clusters}
	if v, ok := def.Value(sum); ok && finite(v) {
		out.Value = &v
	}
	if low, high, ok := def.Bounds(sum); ok && finite(low) && finite(high) {
		out.Bounds = &omniscope.Bounds{Low: low, High: high}
	}
	if def.Share && !interval.Known && out.Value != nil && out.Unscored == 0 && clusters > 1 && (*out.Value == 0 || *out.Value == 1) {
		// All clusters agree, so that resampling them says nothing. Each counts
		// as one observation, which is the widest reading of so few facts.
		interval = stats.Wilson(*out.Value*float64(clusters), float64(clusters), stats.DefaultLevel)
		interval.Method += " where all clusters agree"
	}
	if interval.Known && out.Value != nil {
		out.Interval = &omniscope.Interval{Low: interval.Low, High: interval.High, Level: interval.Level, Method: interval.Method}
	}
	return out
}

// finite reports whether v is a number that JSON can hold.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func usage(t *wrap.Tally) omniscope.UsageInfo {
	if t == nil {
		return omniscope.UsageInfo{}
	}
	return omniscope.UsageInfo{
		Calls: int(t.Answers.Load() + t.Failed.Load()), Remembered: int(t.Remembered.Load()), Failed: int(t.Failed.Load()),
		Retries: int(t.Retries.Load()), RateLimited: int(t.RateLimited.Load()),
		TokensIn: int(t.TokensIn.Load()), TokensOut: int(t.TokensOut.Load()),
	}
}
