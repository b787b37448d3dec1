package benchdata

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric/stats"
	"omniscope/session/catalog"
)

// statistics describe the samples of a benchmark's file.
type statistics struct {
	Schema string            `json:"schema"` // "omniscope.data-stats/1"
	Data   string            `json:"data"`
	All    statisticsGroup   `json:"all"`
	Groups []statisticsGroup `json:"groups"` // in the order of their dimensions
}

// A statisticsGroup is the statistics of the samples with one value of a dimension.
type statisticsGroup struct {
	Dimension   string   `json:"dimension,omitempty"` // category, subcategory, track or language; "" = all samples
	Value       string   `json:"value,omitempty"`
	Samples     int      `json:"samples"`
	Media       int      `json:"media"`        // different files
	Seconds     *float64 `json:"seconds"`      // of the samples with a known length, each medium once; null = no length is known
	Mean        *float64 `json:"mean_seconds"` // of a medium with a known length
	PromptWords *float64 `json:"prompt_words"` // mean of the samples with a prompt; null = no sample has one

	files   map[string]float64 // length of each medium; 0 = unknown
	prompts []float64
}

// Describe counts the samples of a benchmark's file.
func Describe(ctx context.Context, dataset bench.Dataset, path string) (*statistics, error) {
	s := &statistics{Schema: "omniscope.data-stats/1", Data: path, All: statisticsGroup{files: make(map[string]float64)}}
	groups := make(map[[2]string]*statisticsGroup)
	for sample, err := range dataset.Samples(ctx, path) {
		if err != nil {
			return nil, err
		}
		s.All.add(sample)
		for i, value := range []string{sample.Category, sample.Subcategory, sample.Track, sample.Language} {
			if value == "" {
				continue
			}
			key := [2]string{dimensions[i], value}
			if groups[key] == nil {
				groups[key] = &statisticsGroup{Dimension: key[0], Value: value, files: make(map[string]float64)}
			}
			groups[key].add(sample)
		}
	}
	s.All.finish()
	for _, g := range groups {
		g.finish()
		s.Groups = append(s.Groups, *g)
	}
	slices.SortFunc(s.Groups, func(a, b statisticsGroup) int {
		return cmp.Or(cmp.Compare(slices.Index(dimensions, a.Dimension), slices.Index(dimensions, b.Dimension)), cmp.Compare(a.Value, b.Value))
	})
	return s, nil
}

var dimensions = []string{"category", "subcategory", "track", "language"}

func (g *statisticsGroup) add(s omniscope.Sample) {
	g.Samples++
	if name := cmp.Or(s.Media.Video, s.Media.Audio, s.Media.Text); name != "" {
		g.files[name] = max(g.files[name], s.Seconds)
	}
	if s.Prompt != "" {
		g.prompts = append(g.prompts, float64(len(strings.Fields(s.Prompt))))
	}
}

func (g *statisticsGroup) finish() {
	g.Media = len(g.files)
	var known []float64
	sum := 0.0
	for _, name := range slices.Sorted(maps.Keys(g.files)) {
		if seconds := g.files[name]; seconds > 0 {
			known, sum = append(known, seconds), sum+seconds
		}
	}
	if len(known) > 0 {
		mean := sum / float64(len(known))
		g.Seconds, g.Mean = &sum, &mean
	}
	if len(g.prompts) > 0 {
		words, _ := stats.MeanDeviation(g.prompts)
		g.PromptWords = &words
	}
}

// Table is the statistics as a table.
func (s *statistics) Table() catalog.List {
	t := catalog.List{Columns: []string{"samples of", "samples", "media", "seconds", "mean", "words of prompt"}}
	for _, g := range append([]statisticsGroup{s.All}, s.Groups...) {
		name := strings.TrimSpace(g.Dimension + " " + g.Value)
		t.Rows = append(t.Rows, []string{cmp.Or(name, "the file"), fmt.Sprint(g.Samples), fmt.Sprint(g.Media), number(g.Seconds), number(g.Mean), number(g.PromptWords)})
	}
	return t
}

func number(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f", *x)
}
