package report

import (
	"fmt"
	"time"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
)

// made is a score of a test document: none when n is 0.
func made(value float64, n, talks int) omniscope.Score {
	s := omniscope.Score{N: n, Clusters: talks}
	if n > 0 {
		s.Value = &value
	}
	if n > 0 && talks > 1 {
		s.Interval = &omniscope.Interval{Low: value - 0.125, High: value + 0.0625, Level: 0.95, Method: "cluster bootstrap percentile"}
	}
	return s
}

// mcifSlice makes a slice that has all of the benchmark's scores, as package
// bench does, and something to score for those that are given.
func mcifSlice(dimension, group string, talks int, given map[string]omniscope.Score) document.Slice {
	s := document.Slice{Dimension: dimension, Group: group, Counts: map[string]float64{}, Scores: map[string]omniscope.Score{}}
	for _, c := range mcifColumns {
		score, ok := given[c.Name]
		if !ok {
			score = omniscope.Score{Clusters: talks}
		}
		score.Name = c.Name
		s.Scores[c.Name] = score
	}
	return s
}

const (
	needsModel = "needs the encoder bert-base-multilingual-cased, which is not in models/; get it by omniscope data get bert-base-multilingual-cased"
	stopped    = "the published scorer stops with: '123'"
)

// mcifScoring is of a run in English: a word error rate above 100 %, nothing to
// translate, and no encoder for the summaries.
func mcifScoring(name string) document.ScoringInfo {
	qa := func(value float64, n, talks int) map[string]omniscope.Score {
		return map[string]omniscope.Score{"qa_bertscore": made(value, n, talks)}
	}
	p := document.ScoringInfo{Name: name, Slices: []document.Slice{
		mcifSlice("overall", "", 100, map[string]omniscope.Score{
			"asr_wer": made(1.0341, 18421, 21), "qa_bertscore": made(0.3127, 208, 21),
			"sum_bertscore": {Unscored: 100, Clusters: 100}}),
		mcifSlice("qa_origin", "Abstract", 21, qa(0.2904, 63, 21)),
		mcifSlice("qa_origin", "General", 21, qa(0.4411, 61, 21)),
		mcifSlice("qa_origin", "Transcript", 21, qa(0.2356, 84, 21)),
		mcifSlice("qa_type", "A", 21, qa(0.2716, 41, 21)),
		mcifSlice("qa_type", "AV", 21, qa(0.3311, 104, 21)),
		mcifSlice("qa_type", "NA", 1, qa(-0.0421, 1, 1)),
		mcifSlice("qa_type", "V", 21, qa(0.3002, 62, 21)),
	}}
	return unavailable(p, "sum_bertscore", needsModel)
}

// unavailable takes the values of a score away, as package bench does.
func unavailable(p document.ScoringInfo, name, why string) document.ScoringInfo {
	for _, s := range p.Slices {
		score := s.Scores[name]
		s.Scores[name] = omniscope.Score{Name: name, Why: why, Unscored: score.N + score.Unscored, Clusters: score.Clusters}
	}
	return p
}

func mcif() *document.Results {
	r := &document.Results{
		Schema: document.Schema,
		Run: document.RunInfo{ID: "5e4d3c2b1a09", Version: "0.1.0",
			Command:  []string{"omniscope", "eval", "mcif", "--predictions", "long_en.xml"},
			Finished: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
			Inputs:   map[string]string{"long_en.xml": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"}},
		Benchmark: document.BenchmarkInfo{Name: "mcif", Title: "MCIF: multimodal crosslingual instruction following",
			Paper: "arXiv 2507.19634", Cluster: "talk", Item: "item"},
		System: "listener-7b", Scoring: "strict", Status: document.Scored,
		Signature:   "mcif|profile:strict|track:long|lang:en|norm:english|seed:0|omniscope:0.1.0",
		Scorings:    []document.ScoringInfo{mcifScoring("official"), mcifScoring("strict")},
		Differences: []document.Difference{},
		Samples:     329, Outcomes: map[string]int{"ok": 329},
		Tables:   []omniscope.Table{worstTalks(21), symptoms()},
		Usage:    document.UsageInfo{Seconds: 0.3},
		Warnings: []string{},
	}
	r.Headline = document.Headline{Scoring: "strict", Scores: overall(r.Scorings[1]).Scores}
	return r
}

func worstTalks(n int) omniscope.Table {
	data := omniscope.Table{Name: "worst-talks", Title: "talks with the most word errors", Numbers: []int{1, 2, 3, 4, 5},
		Columns: []string{"talk", "words", "WER", "sub", "del", "ins"}}
	for i := range n {
		data.Rows = append(data.Rows, []string{fmt.Sprintf("2023.long-%d", 101+i), quantity.Grouped(1200 - 13*i),
			fmt.Sprintf("%.1f", 412.5-17.25*float64(i)), fmt.Sprint(101 + i), fmt.Sprint(9 * i), quantity.Grouped(4000 - 170*i)})
	}
	return data
}

func symptoms() omniscope.Table {
	return omniscope.Table{Name: "symptoms", Title: "symptoms", Note: "what answers look like that fail; one answer may show several",
		Columns: []string{"kind", "task", "samples", "share", "first ids"}, Numbers: []int{2, 3},
		Rows: [][]string{
			{"empty", "QA", "3", "1.4 %", "17, 204, 311"},
			{"repeats itself", "ASR", "2", "9.5 %", "5, 128"},
			{"written in another language than was asked for", "SUM", "12", "12.0 %",
				"4, 9, 33, 41, 57, 60, 78, 102, 115, 140, 163, 199, 204, 217, 230, 244, 251, 260, 273, 281"},
			{"回答が別の言語で書かれている", "QA", "1", "0.5 %", "88"},
		}}
}

// mcifStopped has a file that the published scorer stops at: an item is missing.
func mcifStopped() *document.Results {
	r := mcif()
	official := r.Scorings[0]
	for _, name := range []string{"asr_wer", "qa_bertscore", "sum_bertscore"} {
		official = unavailable(official, name, stopped)
	}
	r.Differences = []document.Difference{{What: "no answer for an item", Samples: 1, Items: 1,
		Official: "no scores at all", Strict: "counted as unscored"}}
	r.Outcomes = map[string]int{"ok": 328, "missing": 1}
	r.Tables = r.Tables[1:]
	return r
}

// everyTask has something for all four scores at once.
func everyTask() *document.Results {
	r := mcif()
	for i, name := range []string{"official", "strict"} {
		all := mcifSlice("overall", "", 100, map[string]omniscope.Score{
			"asr_wer": made(1.0341, 118421, 21), "trans_comet": made(0.7912, 5240, 21),
			"qa_bertscore": made(0.3127, 832, 21), "sum_bertscore": made(0.2218, 400, 100)})
		r.Scorings[i] = document.ScoringInfo{Name: name, Slices: append([]document.Slice{all}, r.Scorings[i].Slices[1:]...)}
	}
	r.Headline.Scores = overall(r.Scorings[1]).Scores
	r.Tables = nil
	return r
}

// mcifStoppedOfficial is the same with the other headline, and a table that has
// nothing to tell.
func mcifStoppedOfficial() *document.Results {
	r := mcifStopped()
	r.Scoring, r.Status = "official", document.NoScore
	r.Headline = document.Headline{Scoring: "official", Scores: overall(r.Scorings[0]).Scores}
	r.Tables[0].Rows = nil
	return r
}

// hostileTables has reasons, words and tables that would break a page or steer a
// terminal, rows of all lengths, and more columns than a line holds.
func hostileTables() *document.Results {
	const name = "a|b\nc\r\n# d\x1b[31m\u202e<img src=x>\x00 `e` *f* [g](http://h) \\| \u009b2J \xff 生命"
	r := mcif()
	r.Scorings[0] = unavailable(r.Scorings[0], "qa_bertscore", name)
	r.Benchmark.Cluster, r.Benchmark.Item = "ta\x1b[1mlk|", "it\nem|"
	many := omniscope.Table{Name: name, Numbers: []int{-1, 0, 99}}
	for i := range 40 {
		many.Columns = append(many.Columns, fmt.Sprintf("生命 column %d", i))
	}
	many.Rows = [][]string{{}, {name, name, name}, make([]string, 50)}
	r.Tables = []omniscope.Table{
		{Name: "x", Title: name, Note: name, Columns: []string{name, "b"}, Rows: [][]string{{name, name, name}, {"b"}}},
		many,
		{Name: "no-columns", Rows: [][]string{{name}}},
	}
	return r
}
