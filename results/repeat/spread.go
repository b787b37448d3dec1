package repeat

import (
	"fmt"
	"slices"

	"omniscope"
	"omniscope/metric"
	"omniscope/metric/stats"
	"omniscope/results/compare"
)

// A spread is one score over all repetitions.
type spread struct {
	Name   string          `json:"name"`
	Title  string          `json:"title"`
	Mean   omniscope.Score `json:"mean"`   // n and unscored are of all repetitions together
	Values []*float64      `json:"values"` // of each repetition, over the same samples; null = no score

	SD    *float64 `json:"sd"` // between repetitions, with n-1; null as the others: a repetition has no score
	Min   *float64 `json:"min"`
	Max   *float64 `json:"max"`
	Range *float64 `json:"range"`

	Samples  int         `json:"samples"`  // that all repetitions scored
	LeftOut  int         `json:"left_out"` // that some repetition did not score
	Variance *components `json:"variance"` // null: fewer than 2 samples have the score
}

// components are the variance of the samples' own scores: see stats.Components.
type components struct {
	Between float64  `json:"between"`      // samples
	Within  float64  `json:"within"`       // a sample, between repetitions
	Share   *float64 `json:"within_share"` // of the sum; null: all values are the same
	Samples int      `json:"samples"`      // that have the score in each repetition
}

// spread summarises a score without its mean.
func (t *table) spread(d metric.Score, units string, sides []stats.Clusters) spread {
	s := spread{Name: d.Name, Title: d.Title, Variance: t.components(d, units)}
	for _, mark := range units {
		if mark == '+' {
			s.Samples++
		} else {
			s.LeftOut++
		}
	}
	var known []float64
	for _, side := range sides {
		v, ok := d.Value(side.Total())
		if !ok {
			s.Values = append(s.Values, nil)
			continue
		}
		s.Values, known = append(s.Values, &v), append(known, v)
	}
	if len(known) == len(sides) {
		_, sd := stats.MeanDeviation(known)
		low, high := slices.Min(known), slices.Max(known)
		distance := high - low
		s.SD, s.Min, s.Max, s.Range = &sd, &low, &high, &distance
	}
	return s
}

// shift warns of a difference between the highest and the lowest repetition that the samples' chance does not explain: the interval
// of the mean does not cover it. The test exchanges the two repetitions of random clusters; its p is corrected (Bonferroni) for all pairs.
func (t *table) shift(d metric.Score, repetitions []repetition, o Options) string {
	const alpha, swaps = 0.05, 10_000
	if len(t.units) == 0 {
		return ""
	}
	sides := t.sides(t.scored(d), len(o.Metric.Fields))
	having := compare.Holding(d, sides...)
	low, high := -1, -1
	values := make([]float64, len(sides))
	for r := range sides {
		sides[r] = compare.Chosen(sides[r], having)
		v, ok := d.Value(sides[r].Total())
		if !ok {
			return ""
		}
		values[r] = v
		if low < 0 || v < values[low] {
			low = r
		}
		if high < 0 || v > values[high] {
			high = r
		}
	}
	value := func(sum []float64) (float64, bool) { return d.Value(sum) }
	test := stats.PermutationTest(sides[low], sides[high], []stats.Statistic{value}, stats.Options{Seed: o.Seed, Resamples: swaps})[0]
	if pairs := float64(len(sides) * (len(sides) - 1) / 2); !test.Known || test.P*pairs >= alpha {
		return ""
	}
	return fmt.Sprintf("%s and %s differ in %s by more than chance of the answers explains, %s and %s: something else may have changed between them, and the interval does not cover it",
		repetitions[low].Name, repetitions[high].Name, d.Title, compare.Number(d, values[low], false), compare.Number(d, values[high], false))
}

// components splits the variance of the marked units' own scores. Units without the score in some repetition are left out.
func (t *table) components(d metric.Score, units string) *components {
	var rows [][]float64
	for i, u := range t.units {
		if units[i] == '+' {
			if values, ok := valuesOf(d, u); ok {
				rows = append(rows, values)
			}
		}
	}
	between, within, ok := stats.Components(rows)
	if !ok {
		return nil
	}
	c := &components{Between: between, Within: within, Samples: len(rows)}
	if between+within > 0 {
		share := within / (between + within)
		c.Share = &share
	}
	return c
}

// valuesOf are a unit's own values of a score, by repetition.
func valuesOf(d metric.Score, unit []compare.Unit) ([]float64, bool) {
	values := make([]float64, len(unit))
	for r, u := range unit {
		v, ok := d.Value(u.Counts)
		if !ok {
			return nil, false
		}
		values[r] = v
	}
	return values, true
}
