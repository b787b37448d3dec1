// Package repeat summarises repetitions: runs of one system on the same samples with the same settings and other seeds.
//
// It reads what the runs wrote, as package compare does, and asks no model. Runs of different systems or settings are
// compared by package compare. docs/repeat.md explains the numbers.
package repeat

import (
	"context"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric"
	"omniscope/results/compare"
)

// Schema names the form of a Document's JSON.
const Schema = "omniscope.repeat/1"

// file and page are where a Document is kept next to the folders of its repetitions.
const (
	file = "repeat.json"
	page = "repeat.md"
)

const mostNamed = 20 // samples that are listed by name

// Options define how repetitions are summarised.
type Options struct {
	Metric *metric.Metric // of the benchmark; required
	Seed   uint64         // of the resamples
}

// A Document is the summary of repetitions.
type Document struct {
	Schema      string                 `json:"schema"`
	Benchmark   document.BenchmarkInfo `json:"benchmark"`
	System      string                 `json:"system"`
	Judge       string                 `json:"judge"`
	Scoring     string                 `json:"profile"`   // asked for
	Signature   string                 `json:"signature"` // its parts that all repetitions share
	Repetitions []repetition           `json:"repetitions"`
	Samples     int                    `json:"samples"`
	LeftOut     int                    `json:"left_out"` // samples that were not judged in some repetition
	LeftOutIDs  []string               `json:"left_out_samples,omitempty"`
	Scorings    []scoring              `json:"profiles"`
	Verdicts    *verdicts              `json:"verdicts,omitempty"` // nil = no item has a verdict in all repetitions
	LeastStable []unstable             `json:"least_stable"`
	Warnings    []string               `json:"warnings"`

	metric *metric.Metric
}

// A repetition is one of the runs.
type repetition struct {
	Name     string            `json:"name"` // its folder, as short as distinguishes it
	Run      string            `json:"run"`
	Differs  map[string]string `json:"differs"`  // parts of the signature that distinguish it, such as seed
	Unjudged int               `json:"unjudged"` // samples
	Outcomes map[string]int    `json:"outcomes"`
}

// A scoring has the scores of a profile.
type scoring struct {
	Name   string   `json:"name"`
	Scores []spread `json:"scores"`
}

// Of summarises the repetitions in the folders dirs, at least two. Runs that are not repetitions of one thing, and two runs of
// one repetition, are errors. The result depends on the runs, their order and the options only.
func Of(ctx context.Context, dirs []string, o Options) (*Document, error) {
	if len(dirs) < 2 {
		return nil, omniscope.Usagef("repetitions are summarised over two folders or more, got %d", len(dirs))
	}
	runs, err := compare.Open(ctx, dirs)
	if err != nil {
		return nil, err
	}
	differs, warnings, err := check(runs)
	if err != nil {
		return nil, err
	}
	d := newDocument(runs, differs, o)
	d.Warnings = append(d.Warnings, warnings...)
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		t, err := read(ctx, runs, o.Metric, p)
		if err != nil {
			return nil, err
		}
		scores := t.spreads(o.Metric, o.Seed)
		scores = slices.DeleteFunc(scores, func(s spread) bool { return !compare.HasScore(runs, p, s.Name) })
		d.Scorings = append(d.Scorings, scoring{p.String(), scores})
		if p.String() == d.Scoring {
			d.describe(t, o)
		}
	}
	return d, nil
}

// newDocument has what the runs' documents hold.
func newDocument(runs []*compare.Run, differs []compare.Contrast, o Options) *Document {
	first := runs[0].Results
	d := &Document{Schema: Schema, Benchmark: first.Benchmark, System: first.System, Judge: first.Judge.Shown(), Scoring: first.Scoring,
		Signature: shared(first.Signature), Samples: first.Samples, LeastStable: []unstable{}, Warnings: marks(runs), metric: o.Metric}
	if first.Judge.Baseline {
		d.Warnings = append(d.Warnings, first.Judge.Shown()+" is a baseline, not comparable with published scores")
	}
	for i, r := range runs {
		one := repetition{Name: r.Label(), Run: r.Results.Run.ID, Differs: map[string]string{}, Outcomes: map[string]int{}}
		for _, c := range differs {
			one.Differs[c.Name] = c.Values[i]
		}
		d.Repetitions = append(d.Repetitions, one)
	}
	return d
}

// describe adds what the samples are like in the profile that was asked for.
func (d *Document) describe(t *table, o Options) {
	for r := range d.Repetitions {
		for _, u := range t.units {
			d.Repetitions[r].Outcomes[u[r].Outcome.String()]++
			if !u[r].Judged() {
				d.Repetitions[r].Unjudged++
			}
		}
	}
	for i, u := range t.units {
		if t.complete[i] {
			continue
		}
		if d.LeftOut++; d.LeftOut <= mostNamed {
			d.LeftOutIDs = append(d.LeftOutIDs, u[0].Name)
		}
	}
	d.Verdicts = t.verdicts(o.Seed)
	d.LeastStable = t.leastStable(d.headline())
	if text := t.shift(d.headline(), d.Repetitions, o); text != "" {
		d.Warnings = append(d.Warnings, text)
	}
	if t.constant() {
		d.Warnings = append(d.Warnings, "no sample differs between the repetitions: the endpoint may ignore the seed, or the temperature is 0")
	}
}

// marks lists the marks of the runs, each once.
func marks(runs []*compare.Run) []string {
	out := []string{}
	for _, r := range runs {
		for _, mark := range r.Results.Marks {
			if !slices.Contains(out, mark) {
				out = append(out, mark)
			}
		}
	}
	return out
}

// shared leaves out the parts of a signature in which repetitions may differ.
func shared(signature string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(signature, "|"), func(part string) bool {
		name, _, named := strings.Cut(part, ":")
		return named && (slices.Contains(varying, name) || name == version)
	}), "|")
}
