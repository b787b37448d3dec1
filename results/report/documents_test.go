package report

import (
	"time"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/metric"
	"omniscope/model/judge"
)

// A part is one slice of a test document: its counts, in the order of
// metric.Cloze, and the clips behind them.
type part struct {
	dimension, group string
	counts           metric.Counts
	clips            int
}

// slice scores a part as package bench does. Its intervals are made up: there
// is one where there are several clips.
func (p part) slice() document.Slice {
	s := document.Slice{Dimension: p.dimension, Group: p.group,
		Counts: make(map[string]float64), Scores: make(map[string]omniscope.Score)}
	for i, name := range metric.Cloze.Fields {
		s.Counts[name] = p.counts[i]
	}
	for _, def := range metric.Cloze.Scores {
		score := omniscope.Score{Name: def.Name, N: def.N(p.counts), Unscored: def.Unscored(p.counts), Clusters: p.clips}
		if v, ok := def.Value(p.counts); ok {
			score.Value = &v
			if p.clips > 1 {
				score.Interval = &omniscope.Interval{Low: v - 0.03125, High: v + 0.0625, Level: 0.95, Method: "cluster bootstrap percentile"}
			}
		}
		if low, high, ok := def.Bounds(p.counts); ok {
			score.Bounds = &omniscope.Bounds{Low: low, High: high}
		}
		s.Scores[def.Name] = score
	}
	return s
}

func scoring(name string, parts ...part) document.ScoringInfo {
	p := document.ScoringInfo{Name: name}
	for _, part := range parts {
		p.Slices = append(p.Slices, part.slice())
	}
	return p
}

// results makes a document with scorings; strict is shown.
func results(official, strict document.ScoringInfo) *document.Results {
	r := &document.Results{
		Schema: document.Schema,
		Run: document.RunInfo{ID: "0a1b2c3d4e5f", Version: "0.1.0",
			Command:  []string{"omniscope", "eval", "omni-cloze", "captions of it's.jsonl", "--judge", "openai/gpt-4o"},
			Finished: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
			Inputs:   map[string]string{"omni_cloze.jsonl": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"}},
		Benchmark: document.BenchmarkInfo{Name: "omni-cloze", Title: "Omni-Cloze: cloze test", Paper: "arXiv 2510.12720"},
		System:    "captioner-7b",
		Judge: document.JudgeInfo{Name: "openai/gpt-4o", Answered: map[string]int{"gpt-4o-2024-11-20": 580},
			Sources: map[string]int{"api.openai.com": 580},
			Prompts: []judge.PromptInfo{{Name: "judge.txt", Digest: "0123456789ab", From: "built in"}}},
		Scoring: "strict", Status: document.Scored,
		Signature:   "omni-cloze|profile:strict|judge:openai/gpt-4o|prompt:0123456789ab|reader1|omniscope:0.1.0",
		Scorings:    []document.ScoringInfo{official, strict},
		Differences: []document.Difference{},
		Samples:     580,
		Outcomes:    map[string]int{"ok": 575, "abstained": 5},
		Usage: document.UsageInfo{Calls: 581, Remembered: 0, Failed: 1, Retries: 4, RateLimited: 2,
			TokensIn: 1234567, TokensOut: 89012, CostUSD: new(3.5), Seconds: 83.44},
		Warnings: []string{},
	}
	r.Headline = document.Headline{Scoring: "strict", Scores: overall(strict).Scores}
	return r
}

func whole580(unjudged, forced float64) []part {
	return []part{
		{"overall", "", metric.Counts{9000, 3000, 5400 - unjudged, unjudged, forced}, 580},
		{"category", "Film & Animation", metric.Counts{3000, 1000, 1800, 0, 0}, 200},
		{"category", "Sports", metric.Counts{6000, 2000, 3600 - unjudged, unjudged, forced}, 380},
		{"modality", "audio", metric.Counts{2000, 2500, 2300, 0, 0}, 580},
		{"modality", "audio-visual", metric.Counts{1000, 200, 2000, 0, 0}, 580},
		{"modality", "visual", metric.Counts{6000, 300, 1100 - unjudged, unjudged, forced}, 580},
		{"subcategory", "Behind-the-scenes documentaries", metric.Counts{3000, 1000, 1800, 0, 0}, 200},
		{"subcategory", "Extreme sports", metric.Counts{6000, 1980, 3590 - unjudged, unjudged, forced}, 379},
		{"subcategory", "Table tennis", metric.Counts{0, 20, 10, 0, 0}, 1},
	}
}

func normal() *document.Results {
	return results(scoring("official", whole580(0, 0)...), scoring("strict", whole580(0, 0)...))
}

// unscoredAndDiffering has a reply that official forces and strict leaves out.
func unscoredAndDiffering() *document.Results {
	r := results(scoring("official", whole580(0, 30)...), scoring("strict", whole580(30, 0)...))
	r.Outcomes = map[string]int{"ok": 574, "abstained": 5, "unparsed": 1}
	r.Differences = []document.Difference{
		{What: "no usable reply", Samples: 1, Items: 30, Official: "not given for every blank", Strict: "left unjudged"},
		{What: "reply not in the published form, but clear", Samples: 12, Items: 360,
			Official: "not given for every blank", Strict: "read as it was meant"},
	}
	for i := range 13 {
		r.Warnings = append(r.Warnings, "uuid "+string(rune('a'+i))+": unparsed after 3 attempts: want 30 keys, got 29, and a tail that makes this line too long for the width")
	}
	return r
}

// officialAsked is the same with the other headline.
func officialAsked() *document.Results {
	r := unscoredAndDiffering()
	r.Scoring, r.Warnings = "official", nil
	r.Headline = document.Headline{Scoring: "official", Scores: overall(r.Scorings[0]).Scores}
	return r
}

func nothingJudged() *document.Results {
	parts := []part{{"overall", "", metric.Counts{0, 0, 0, 90, 0}, 3}, {"modality", "audio", metric.Counts{0, 0, 0, 90, 0}, 3}}
	r := results(scoring("official", parts...), scoring("strict", parts...))
	r.Status, r.Samples, r.Outcomes = document.NoScore, 3, map[string]int{"failed": 2, "missing": 1}
	return r
}

func oneClip() *document.Results {
	parts := []part{{"overall", "", metric.Counts{10, 12, 8, 0, 0}, 1}, {"modality", "audio", metric.Counts{3, 4, 13, 0, 0}, 1}}
	r := results(scoring("official", parts...), scoring("strict", parts...))
	r.Samples, r.Outcomes = 1, map[string]int{"ok": 1}
	r.Judge = document.JudgeInfo{Name: "offline/lexical", Baseline: true}
	r.Usage = document.UsageInfo{Seconds: 0.2}
	return r
}

func unknownCost() *document.Results {
	r := normal()
	r.Usage = document.UsageInfo{Calls: 1, Remembered: 579, RateLimited: 1, TokensIn: 2000, TokensOut: 150, Seconds: 2}
	return r
}

// hostile has names that would break a table or steer a terminal.
func hostile() *document.Results {
	const name = "a|b\nc\r\n# d\x1b[31m\u202e<img src=x>\x00 `e` *f* [g](http://h) \\| \u009b2J \xff 生命"
	parts := []part{{"overall", "", metric.Counts{10, 12, 8, 0, 0}, 2}, {name, name, metric.Counts{3, 4, 13, 1, 0}, 2}}
	r := results(scoring("official", parts...), scoring("strict", parts...))
	r.System, r.Judge.Name, r.Signature, r.Benchmark.Title = name, name, name, name
	r.Judge.Answered, r.Judge.Sources = map[string]int{name: 1}, map[string]int{name: 1}
	r.Judge.Prompts[0].Name, r.Run.ID = name, name
	r.Run.Inputs, r.Run.Command = map[string]string{name: "00"}, []string{"omniscope", name}
	r.Warnings, r.Outcomes = []string{name}, map[string]int{name: 1}
	r.Differences = []document.Difference{{What: name, Official: name, Strict: name, Samples: 1, Items: 1}}
	return r
}
