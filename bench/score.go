package bench

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
)

// Options say how to run an evaluation.
type Options struct {
	Engine  run.Engine
	Known   map[string]bool // steps that are remembered: their units come last
	Meters  []*wrap.Meter   // of the calls, one for each model that is asked
	Records []*Records      // the benchmark's lines, by Info.Records; nil = not wanted
	Counts  *Records        // lines of each unit's counts and verdicts, for comparisons; nil = not wanted
	Seed    uint64          // of the intervals
	Done    func(n int)     // called after each unit, for progress; may be nil
}

// Score judges every unit of ev and returns the results. When the run is cut
// short it returns the error that did it; what was answered by then is in the
// journal.
func Score(ctx context.Context, b Benchmark, ev Evaluation, scoring Scoring, o Options) (*document.Results, error) {
	s := NewScorer(b, ev, o)
	err := o.Engine.Run(ctx, s.jobs(ctx), func(ctx context.Context, job run.Job) error {
		_, err := s.Do(ctx, job.Seq)
		return err
	})
	if err = cmp.Or(s.cold, err); err != nil {
		return nil, err
	}
	return s.Results(scoring), nil
}

// A Scorer judges the units of an evaluation and adds their counts up. Its methods but Results
// are safe for concurrent use.
type Scorer struct {
	info    Info
	ev      Evaluation
	totals  *totals
	options Options
	started time.Time
	told    Explanation
	cold    error // why the units could not be warmed

	mu          sync.Mutex
	outcomes    map[string]int
	failed      []int          // units
	why         map[string]int // reasons of failed units
	differences map[treatment]*document.Difference
	warnings    warnings
	done        int
	agree       bool // all scorings counted every unit the same
}

// NewScorer makes a Scorer of an evaluation. It does not use the Engine of its options.
func NewScorer(b Benchmark, ev Evaluation, o Options) *Scorer {
	s := &Scorer{agree: true, info: b.Info(), ev: ev, totals: newTotals(b.Info().Metric, ev.Plan().Units), options: o, started: time.Now(),
		outcomes: make(map[string]int), why: make(map[string]int), differences: make(map[treatment]*document.Difference)}
	for _, r := range o.Records {
		r.expect(ev.Plan().Units)
	}
	if o.Counts != nil {
		o.Counts.expect(ev.Plan().Units)
	}
	return s
}

// Results returns the results of all units. Call it after the last unit is done.
func (s *Scorer) Results(scoring Scoring) *document.Results {
	judged := time.Since(s.started)
	if e, ok := s.ev.(Explainer); ok {
		s.told = e.Explain()
	}
	r := s.results(scoring)
	if f, ok := s.ev.(Finisher); ok {
		f.Finish(r)
	}
	r.Usage = UsageOf(s.options.Meters)
	r.Usage.Seconds = judged.Seconds()
	return r
}

// WarmUnits is how many units are warmed at a time: enough to keep an encoder
// busy, and the first results do not wait for the last texts.
const WarmUnits = 256

// jobs yields a job for each unit, and warms units before.
func (s *Scorer) jobs(ctx context.Context) iter.Seq[run.Job] {
	warmer, ok := s.ev.(Warmer)
	plan := s.ev.Plan()
	return func(yield func(run.Job) bool) {
		for part := range slices.Chunk(slices.Collect(s.Units()), WarmUnits) {
			if ok {
				if s.cold = warmer.Warm(ctx, part); s.cold != nil {
					return
				}
			}
			for _, unit := range part {
				if !yield(run.Job{ID: plan.Steps(unit), Seq: unit}) {
					return
				}
			}
		}
	}
}

// Units yields all units, units without remembered calls first: a run that
// continues after an interruption makes its first new call at once.
func (s *Scorer) Units() iter.Seq[int] {
	plan := s.ev.Plan()
	return func(yield func(int) bool) {
		for _, known := range []bool{false, true} {
			for i := range plan.Units {
				if s.options.Known[plan.Steps(i)] == known && !yield(i) {
					return
				}
			}
		}
	}
}

// Do judges a unit and counts its result.
func (s *Scorer) Do(ctx context.Context, unit int) (*Result, error) {
	r, err := s.ev.Evaluate(ctx, unit)
	if err != nil {
		return nil, err
	}
	s.totals.add(unit, r)
	if err := s.record(unit, r); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcomes[r.Outcome.String()]++
	if r.Outcome.IsFailure() {
		s.failed = append(s.failed, unit)
		if r.Why != "" && len(s.why) < mostReasons {
			s.why[r.Why]++
		}
	}
	s.agree = s.agree && sameTallies(r.Tallies[Official], r.Tallies[Strict])
	s.differ(r)
	s.warnings.add(unit, r.Warnings)
	s.done++
	if s.options.Done != nil {
		s.options.Done(s.done)
	}
	return r, nil
}

// failedSamples returns the ids of the first samples that could not be judged.
func (s *Scorer) failedSamples() (ids []string) {
	slices.Sort(s.failed)
	for _, unit := range s.failed[:min(len(s.failed), document.MostFailed)] {
		ids = append(ids, s.ev.Plan().Steps(unit))
	}
	return ids
}

// mostReasons is how many different reasons of failed units are counted.
const mostReasons = 1000

// commonestReason is the commonest reason of failed units with its count; "" = no reason is known.
func (s *Scorer) commonestReason() string {
	most := ""
	for _, why := range slices.Sorted(maps.Keys(s.why)) {
		if most == "" || s.why[why] > s.why[most] {
			most = why
		}
	}
	if most == "" {
		return ""
	}
	return fmt.Sprintf("%s (%s)", model.FirstWords(most), quantity.Of(s.why[most], "sample", "samples"))
}

// record keeps a unit's lines.
func (s *Scorer) record(seq int, r *Result) error {
	for i, records := range s.options.Records {
		if err := records.Add(seq, r.Records[i]); err != nil {
			return err
		}
	}
	if s.options.Counts == nil {
		return nil
	}
	return s.options.Counts.Add(seq, countLine(s.info.Metric, r))
}

func sameTallies(a, b []Tally) bool {
	return slices.EqualFunc(a, b, func(a, b Tally) bool {
		return a.Dimension == b.Dimension && a.Group == b.Group && slices.Equal(a.Counts, b.Counts)
	})
}

// A treatment is how the scorings differ: units that one reason touched in two ways are two
// lines of the results, whichever comes first.
type treatment struct{ what, official, strict string }

func (a treatment) compare(b treatment) int {
	return cmp.Or(cmp.Compare(a.what, b.what), cmp.Compare(a.official, b.official), cmp.Compare(a.strict, b.strict))
}

func (s *Scorer) differ(r *Result) {
	for _, d := range r.Differences {
		key := treatment{d.What, d.Official, d.Strict}
		known, ok := s.differences[key]
		if !ok {
			known = &document.Difference{What: d.What, Official: d.Official, Strict: d.Strict}
			s.differences[key] = known
		}
		known.Samples++
		known.Items += d.Items
	}
}

func (s *Scorer) results(scoring Scoring) *document.Results {
	s.totals.finish()
	plan := s.ev.Plan()
	r := &document.Results{
		Schema:    document.Schema,
		Benchmark: document.BenchmarkInfo{Name: s.info.Name, Title: s.info.Title, Paper: s.info.Paper, Cluster: s.info.Cluster, Item: s.info.Item},
		System:    plan.System,
		Scoring:   scoring.String(),
		Samples:   plan.Units,
		Outcomes:  s.outcomes,
		Failed:    s.failedSamples(),
		FailedWhy: s.commonestReason(),
		Tables:    s.told.Tables,
		Warnings:  append([]string{}, slices.Concat(plan.Warnings, s.told.Warnings, s.warnings.list())...),
	}
	if n := s.outcomes[omniscope.Pending.String()]; n > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d samples wait for people's answers and are not scored in full: run the same command again when they have answered", n, plan.Units))
	}
	r.Judge.Prompts, r.Judge.Baseline = plan.Prompts, plan.Baseline
	r.Run.Inputs = plan.Inputs
	r.Data = document.DataInfo{Samples: plan.Of, Part: plan.Part}
	Mark(r)
	r.Differences = make([]document.Difference, 0, len(s.differences))
	for _, key := range slices.SortedFunc(maps.Keys(s.differences), treatment.compare) {
		d := *s.differences[key]
		d.Effects = s.told.Effects[key.what]
		r.Differences = append(r.Differences, d)
	}
	for p := range Scoring(numScorings) {
		info := document.ScoringInfo{Name: p.String()}
		if p > 0 && s.agree && maps.Equal(s.told.Why[0], s.told.Why[p]) {
			info.Slices = r.Scorings[0].Slices
		} else {
			info.Slices = s.slices(p)
		}
		r.Scorings = append(r.Scorings, info)
	}
	r.Headline = document.Headline{Scoring: scoring.String(), Scores: overall(r.Scorings[scoring])}
	if text := s.unclear(r); scoring == Official && text != "" {
		r.Warnings = append(r.Warnings, text)
	}
	r.Status = document.NoScore
	for _, score := range r.Headline.Scores {
		if score.Value != nil {
			r.Status = document.Scored
		}
	}
	return r
}

// unclear is a warning about judged items that official counts and strict cannot: their replies contradict themselves, or
// have not been asked for; "" = there are few. Samples without an answer are marked anyway.
func (s *Scorer) unclear(r *document.Results) string {
	name := s.info.Metric.Scores[0].Name
	official, strict := overall(r.Scorings[Official])[name], overall(r.Scorings[Strict])[name]
	n, all := strict.Unscored-official.Unscored, strict.N+strict.Unscored
	if missing, _ := Lacking(r); !Many(n, all) || Many(missing, r.Samples) || len(r.Judge.Prompts) == 0 {
		return ""
	}
	return fmt.Sprintf("official counts %s of %s items that strict leaves unjudged: see the differences between the profiles", quantity.Grouped(n), quantity.Grouped(all))
}

func overall(p document.ScoringInfo) map[string]omniscope.Score {
	for _, s := range p.Slices {
		if s.Dimension == "overall" {
			return s.Scores
		}
	}
	return map[string]omniscope.Score{}
}

// finite reports whether v is a number that JSON can hold.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// UsageOf is what the calls of all models took.
func UsageOf(meters []*wrap.Meter) (u document.UsageInfo) {
	for _, t := range meters {
		lost := t.Lost()
		estimated, _ := t.Estimated()
		u.Calls += int(t.Answers.Load() + t.Failed.Load())
		u.Remembered += int(t.Remembered.Load())
		u.Failed += int(t.Failed.Load())
		u.Retries += int(t.Retries.Load())
		u.RateLimited += int(t.RateLimited.Load())
		u.TokensIn += int(t.TokensIn.Load()) + lost.TokensIn
		u.Cached += int(t.Cached.Load())
		u.TokensOut += int(t.TokensOut.Load()) + lost.TokensOut
		u.Lost.Tries += lost.Tries
		u.Lost.TokensIn += lost.TokensIn
		u.Lost.TokensOut += lost.TokensOut
		u.Estimated += estimated
	}
	return u
}
