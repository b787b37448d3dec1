package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/internal/visible"
	"omniscope/metric"
	"omniscope/metric/stats"
)

// ErrWorse ends a comparison in which the new run is worse than its base, beyond chance.
var ErrWorse = errors.New("worse")

// ErrUnscored ends a comparison in which so much of the new run is unscored that a drop could hide in it.
var ErrUnscored = errors.New("too much is unscored")

// A Check says when a run counts as worse than its base.
type Check struct {
	Scores      []string // names; nil = all that both runs have
	Level       float64  // chance of a false alarm for all scores together, in (0, 0.5)
	Margin      float64  // the drop that is allowed, in points: of a percentage, 1 is one percentage point
	MaxFailures float64  // share of the base's items that the new run may leave unscored though the base scored them
}

// lowestLevel is the lowest level of a Check: below, the swaps of a test would take long.
const lowestLevel = 0.001

// validate refuses what is no check.
func (c *Check) validate() error {
	switch {
	case !(c.Level >= lowestLevel && c.Level < 0.5):
		return omniscope.Usagef("--level is a chance from %g to below 0.5, not %g", lowestLevel, c.Level)
	case !(c.Margin >= 0 && c.Margin <= 1e6):
		return omniscope.Usagef("--margin is a number of points, 0 or more, not %g", c.Margin)
	case !(c.MaxFailures >= 0 && c.MaxFailures <= 1):
		return omniscope.Usagef("--max-failures is a share from 0 to 1, not %g", c.MaxFailures)
	}
	return nil
}

// checkedScore is what a check found.
type checkedScore struct {
	Worse    []string // a sentence for each score that is worse
	Unscored []string // and for each of which too much is unscored
}

// Err is ErrWorse where a score is worse, else ErrUnscored where too much is unscored. Its text has both,
// in one line, whatever the runs are called: the logs of builds read some lines as commands.
func (c checkedScore) Err() error {
	all := slices.Concat(c.Worse, c.Unscored)
	switch {
	case len(c.Worse) > 0:
		return checkError{visible.Line(strings.Join(all, "; ")), ErrWorse}
	case len(c.Unscored) > 0:
		return checkError{visible.Line(strings.Join(all, "; ")), ErrUnscored}
	}
	return nil
}

type checkError struct {
	text string
	is   error
}

func (e checkError) Error() string        { return e.text }
func (e checkError) Is(target error) bool { return target == e.is }

// check adds the table of the check to a comparison of two runs, as the first after what the runs are.
func (s *session) check(c *Comparison, pairs []*pair) error {
	if len(pairs) != 1 {
		return omniscope.Usagef("two runs are checked, the base and the new one, got %d", len(s.runs))
	}
	if err := s.options.Check.validate(); err != nil {
		return err
	}
	p := pairs[0]
	scores, warnings, err := s.checkedScores(p)
	if err != nil {
		return err
	}
	g := &gate{Check: *s.options.Check, pair: p}
	g.swaps = max(swaps, int(20*float64(len(scores))/g.Level)) // enough for the smallest p that Holm asks for
	g.examine(scores, p.counts(p.base, s.fields), p.counts(p.run, s.fields), s.options.Seed)
	for i := range g.drops {
		g.drops[i].countUnscored(p)
	}
	c.Summary = g.table()
	c.Tables = slices.Insert(c.Tables, 1, c.Summary)
	c.Warnings = slices.Concat(c.Warnings, s.judgeWarning(), warnings, g.warnings())
	c.Checked = checkedScore{Worse: g.worse(), Unscored: g.tooMuchUnscored()}
	return nil
}

// judgeWarning says that the judges differ. Comparisons may be about judges, and say nothing of it; a check never is.
func (s *session) judgeWarning() (warnings []string) {
	for _, c := range s.differ {
		if c.Name == judgePart {
			warnings = append(warnings, "the judge differs: "+c.Describe(s.runs)+"; a drop may come from that")
		}
	}
	return warnings
}

// checkedScores are the scores to check. Those that the user names have to be there.
func (s *session) checkedScores(p *pair) (scores []metric.Score, warnings []string, err error) {
	var names []string
	for _, d := range s.scores {
		names = append(names, d.Name)
	}
	named := s.options.Check.Scores
	for _, name := range named {
		if err := spelling.CheckChoice("fail-if-worse", name, names); err != nil {
			return nil, nil, err
		}
	}
	for _, d := range s.scores {
		if named != nil && !slices.Contains(named, d.Name) {
			continue
		}
		if _, ok := d.Value(p.counts(p.base, s.fields).Total()); ok {
			scores = append(scores, d)
			continue
		}
		if named != nil {
			return nil, nil, omniscope.Invalidf("%s has no score %s of the units that both runs have: there is nothing to compare the new run with", p.base.Dir, d.Name)
		}
		warnings = append(warnings, fmt.Sprintf("%s is not checked: %s has no such score", d.Title, p.base.label))
	}
	if len(scores) == 0 {
		return nil, nil, omniscope.Invalidf("%s has no score of the units that both runs have: there is nothing to compare the new run with", p.base.Dir)
	}
	return scores, warnings, nil
}

// A gate is a check of a pair of runs.
type gate struct {
	Check
	pair  *pair
	swaps int // of sides, for a p-value
	drops []drop

	counted int // scores that can vary
}

// A drop is what is found out about one score.
type drop struct {
	stats.Test
	score     metric.Score
	base, run float64
	has       bool    // the new run has the score
	corrected float64 // P, by Holm
	least     float64 // the smallest corrected P that so many clusters can give
	clusters  int
	constant  bool    // no exchange of sides changes the score: P is always 1, and the test does not count
	needed    int     // clusters for a P that could be small enough; 0 = no number is enough
	found     float64 // smallest true drop that is found with the chance power, in units of the score; 0 = not known

	newly, items int // items of the base's units that only the new run left unscored, of how many
}

// examine tests the scores. a and b are the counts of base and new run by cluster.
func (g *gate) examine(scores []metric.Score, a, b stats.Clusters, seed uint64) {
	opts := stats.Options{Seed: seed, Resamples: g.swaps}
	totalA, totalB := metric.Counts(a.Total()), metric.Counts(b.Total())
	p, least := make([]float64, len(scores)), make([]float64, len(scores))
	cas, cbs := make([]stats.Clusters, len(scores)), make([]stats.Clusters, len(scores))
	for i, score := range scores {
		having := Holding(score, a, b)
		cas[i], cbs[i] = Chosen(a, having), Chosen(b, having)
		if stats.Varies(cas[i], cbs[i], func(sum []float64) (float64, bool) { return score.Value(sum) }) {
			g.counted++
		}
	}
	tests := float64(max(1, g.counted))
	for i, score := range scores {
		d := drop{score: score}
		ca, cb := cas[i], cbs[i]
		d.base, _ = score.Value(totalA)
		d.run, d.has = score.Value(totalB)
		factor, _ := scale(score, true)
		value := func(sum []float64) (float64, bool) { return score.Value(sum) }
		d.Test = stats.DropTest(ca, cb, stats.Drop{Value: value, Lower: score.Lower, Margin: g.Margin / factor, Weights: weights(score, ca, cb)}, opts)
		d.clusters, d.constant = ca.Len(), !stats.Varies(ca, cb, value)
		if se, ok := stats.PairedError(ca, cb, value); ok {
			d.found = g.Margin/factor + stats.DetectableEffect(se, 1-2*g.Level/tests, power)
		}
		p[i], least[i] = d.P, stats.LeastP(d.clusters, opts)
		if d.constant {
			p[i], least[i] = math.NaN(), math.NaN()
		}
		g.drops = append(g.drops, d)
	}
	corrected, lowest := stats.Holm(p), stats.Holm(least)
	for i := range g.drops {
		d := &g.drops[i]
		d.corrected, d.least = corrected[i], lowest[i]
		if d.constant {
			d.corrected, d.least = d.P, stats.LeastP(d.clusters, opts)
		}
		d.needed = stats.ClustersForP(g.Level/tests, opts)
	}
}

// weights are the items of each cluster in both runs, by which an allowed drop is spread. Clusters
// without items get none of it.
func weights(d metric.Score, a, b stats.Clusters) []float64 {
	w, some := make([]float64, a.Len()), false
	for k := range w {
		w[k] = float64(d.N(a.Rows[k*a.Width:(k+1)*a.Width]) + d.N(b.Rows[k*b.Width:(k+1)*b.Width]))
		some = some || w[k] > 0
	}
	if !some {
		return nil
	}
	return w
}

// countUnscored counts, unit by unit, items that the base scored and the new run did not. What the new
// run scores beyond the base makes up for none of them: a drop could hide in what is gone.
func (d *drop) countUnscored(p *pair) {
	for name, u := range p.base.units {
		scored := d.score.N(u.Counts)
		d.items += scored + d.score.Unscored(u.Counts)
		v, ok := p.run.units[name]
		if !ok {
			d.newly += scored
			continue
		}
		more := d.score.Unscored(v.Counts) - d.score.Unscored(u.Counts)
		d.newly += min(scored, max(0, more))
	}
}
