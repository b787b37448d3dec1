package leaderboard

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/results"
	"omniscope/results/compare"
	"omniscope/session/catalog"
)

// A madeRun is a run of units with equal counts.
type madeRun struct {
	benchmark, judge, signature string // further parts of the signature
	samples, of                 int
	digest                      string // of its data
	part                        map[string]string
	missing                     int
	counts                      string // fields that each unit adds 1 to, with blanks between
	scores                      map[string]float64
	slice                       string // NAME=VALUE: a slice with the same counts and all scores 1
	change                      func(*document.Results)
}

// open writes the run and opens it.
func (m madeRun) open(t *testing.T) *compare.Run {
	t.Helper()
	b, err := catalog.Benchmark(m.benchmark)
	fixture.OK(t, err)
	info := b.Info()
	dir := t.TempDir()
	var lines strings.Builder
	sums := make(map[string]float64)
	for i := range m.samples {
		counts := make(map[string]float64)
		for field := range strings.FieldsSeq(m.counts) {
			counts[field] = 1
			sums[field]++
		}
		line, _ := json.Marshal(bench.CountLine{Unit: fmt.Sprint("u", i), Cluster: fmt.Sprint("c", i), Official: counts, Strict: counts})
		fmt.Fprintf(&lines, "%s\n", line)
	}
	whole := document.Slice{Dimension: "overall", Counts: sums, Scores: map[string]omniscope.Score{}}
	for name, v := range m.scores {
		whole.Scores[name] = omniscope.Score{Name: name, Value: &v, N: m.samples, Clusters: m.samples}
	}
	slices := []document.Slice{whole}
	if name, value, ok := strings.Cut(m.slice, "="); ok {
		one, of := 1., document.Slice{Dimension: name, Group: value, Scores: maps.Clone(whole.Scores)}
		for score, s := range of.Scores {
			s.Value = &one
			of.Scores[score] = s
		}
		slices = append(slices, of)
	}
	r := &document.Results{Schema: document.Schema, System: "mine", Samples: m.samples, Outcomes: map[string]int{"ok": m.samples - m.missing, "missing": m.missing},
		Benchmark: document.BenchmarkInfo{Name: m.benchmark, Title: info.Title}, Run: document.RunInfo{ID: "0123456789ab", Inputs: map[string]string{"/home/somebody/data.jsonl": m.digest}},
		Judge: document.JudgeInfo{Name: m.judge}, Data: document.DataInfo{Samples: m.of, Part: m.part},
		Signature: strings.Join([]string{m.benchmark, "judge:" + m.judge, m.signature}, "|"),
		Scorings:  []document.ScoringInfo{{Name: "official", Slices: slices}, {Name: "strict", Slices: slices}}}
	if m.change != nil {
		m.change(r)
	}
	text, err := json.Marshal(r)
	fixture.OK(t, err)
	for name, text := range map[string]string{bench.CountsFile: lines.String(), results.File: string(text)} {
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	runs, err := compare.Open(t.Context(), []string{dir})
	fixture.OK(t, err)
	return runs[0]
}

func boardsOf(t *testing.T, benchmark string, runs []*compare.Run, q Query) []*Board {
	t.Helper()
	b, err := catalog.Benchmark(benchmark)
	fixture.OK(t, err)
	info := b.Info()
	boards, err := Boards(t.Context(), &info, runs, q)
	fixture.OK(t, err)
	return boards
}

// ownRow is the row of the user's own run; nil = no such row.
func (b *Board) ownRow() *boardRow {
	for i := range b.Rows {
		if !b.Rows[i].Published {
			return &b.Rows[i]
		}
	}
	return nil
}

// complete runs are like the published rows of their boards.
var (
	ofMMAU = madeRun{benchmark: "mmau", judge: "openai/gpt-4o", signature: "choice1|cascade|data:x", samples: 1000, of: 1000, counts: "correct",
		digest: "9f18fda99f8dbc2bc5ecd6323fb5063309f54969810b5c6f1caeb3b8d904cf1c", scores: map[string]float64{"accuracy": 1}}
	ofMMAR  = madeRun{benchmark: "mmar", judge: "azure/gpt-4o", signature: "choice1|cascade|data:x", samples: 1000, of: 1000, counts: "correct", scores: map[string]float64{"accuracy": 1}}
	ofCloze = madeRun{benchmark: "omni-cloze", judge: "openai/gpt-4o-2024-11-20", signature: "reader2|modality:audio-visual|data:x", samples: 2320, of: 2320, counts: "correct",
		part: map[string]string{"modality": "audio-visual"}, scores: map[string]float64{"accuracy": 1}}
	ofCapricorn = madeRun{benchmark: "capricorn", judge: "openai/gpt-4.1-2025-04-14", signature: "judge-mode:single|data:x", samples: 1000, of: 1000, counts: "videos acc_sum",
		part: map[string]string{"modality": "visual"}, scores: map[string]float64{"acc": 1}}
	ofMCIF = madeRun{benchmark: "mcif", signature: "track:long|lang:de|modality:all|data:x", samples: 341, of: 341, counts: "lines comet_sum",
		part: map[string]string{"track": "long", "lang": "de", "prompts": "mix"}, scores: map[string]float64{"trans_comet": 1}}
)

func with(m madeRun, change func(*madeRun)) madeRun {
	m.part = maps.Clone(m.part)
	change(&m)
	return m
}

// TestRanksOfRunsLikeThePublished has a complete run of each kind, and the one board it has a rank in.
func TestRanksOfRunsLikeThePublished(t *testing.T) {
	for _, c := range []struct {
		name, setting, slice string
		run                  madeRun
		q                    Query
	}{
		{"by digest", "", "", ofMMAU, Query{}},
		{"by the number of samples", "", "", ofMMAR, Query{}},
		{"captions of sight and sound", "modality=audio-visual", "", ofCloze, Query{}},
		{"an older document", "modality=audio-visual", "", with(ofCloze, func(m *madeRun) { m.of, m.part = 0, nil }), Query{}},
		{"few missing answers", "", "", with(ofMMAR, func(m *madeRun) { m.missing = 50 }), Query{}},
		{"a version of the published judge", "modality=visual", "", ofCapricorn, Query{}},
		{"mixed prompts", "track=long prompts=mix lang=de", "", ofMCIF, Query{}},
		{"the benchmark's text samples", "track=long prompts=fix lang=en", "", with(ofMCIF, func(m *madeRun) {
			m.samples, m.of, m.signature = 320, 320, "track:long|lang:en|modality:text"
			m.part = map[string]string{"track": "long", "lang": "en", "prompts": "fix", "filter": "text"}
			m.counts, m.scores = "answers answer_sum", map[string]float64{"qa_bertscore": 1}
		}), Query{By: "qa_bertscore"}},
		{"a deployment that answers by the judge's name", "modality=audio-visual", "", with(ofCloze, func(m *madeRun) {
			m.judge, m.change = "azure/prod", func(r *document.Results) { r.Judge.Answered = map[string]int{"gpt-4o-2024-11-20": 2320, "": 1} }
		}), Query{}},
		{"the earlier name of a judge", "", "", madeRun{benchmark: "vdc", judge: "vllm/meta-llama/Meta-Llama-3.1-8B-Instruct", signature: "vdc1", samples: 1027, of: 1027, counts: "videos acc_sum",
			digest: "f08bc3e97bcfb14fe9dd8d032c797066624b7b28e7239b0d4131486e5f83c982", scores: map[string]float64{"accuracy": 1}}, Query{}},
		{"published data, as stated", "", "", with(ofMMAU, func(m *madeRun) { m.digest = "other" }), Query{PublishedData: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			boards := boardsOf(t, c.run.benchmark, []*compare.Run{c.run.open(t)}, c.q)
			if len(boards) != 1 || boards[0].Setting != c.setting || boards[0].Slice != c.slice {
				t.Fatalf("%d boards, the first %q %q, want %q", len(boards), boards[0].Setting, boards[0].Slice, c.setting)
			}
			if row := boards[0].ownRow(); row == nil || row.Rank != 1 || len(row.Why) > 0 {
				t.Errorf("%+v", row)
			}
		})
	}
}

// TestRunsUnlikeThePublished has runs that are not like the published rows: they have no rank, in
// any form, and the reason is written down.
func TestRunsUnlikeThePublished(t *testing.T) {
	for _, c := range []struct {
		name string
		run  madeRun
		q    Query
		why  string
	}{
		{"a limit", with(ofMMAU, func(m *madeRun) { m.samples = 3 }), Query{}, "it scored 3 of 1,000 samples"},
		{"a limit on data as stated", with(ofMMAR, func(m *madeRun) { m.samples = 3 }), Query{PublishedData: true}, "it scored 3 of 1,000 samples"},
		{"a limit, in an older document", with(ofCloze, func(m *madeRun) { m.samples, m.of = 3, 0 }), Query{}, "it scored 3 samples, the published data have 2,320"},
		{"a few clips", with(ofCloze, func(m *madeRun) { m.samples, m.of = 4, 4 }), Query{}, "its data have 4 samples, the published data 2,320"},
		{"another file", with(ofMMAU, func(m *madeRun) { m.digest = "other" }), Query{}, "its data are not the published file, by its digest"},
		{"the file of another benchmark", with(ofMMAR, func(m *madeRun) { m.digest = ofMMAU.digest }), Query{PublishedData: true}, "its data are from mmau"},
		{"answers of its own", with(ofMMAR, func(m *madeRun) { m.judge, m.signature = "", "choice1|data:x" }), Query{}, "a model's own answers; published ones are of gpt-4o, from captions"},
		{"answers of another model", with(ofMMAR, func(m *madeRun) { m.judge = "openai/gpt-4o-mini" }), Query{}, "answered by openai/gpt-4o-mini, published rows by gpt-4o"},
		{"another judge", with(ofCloze, func(m *madeRun) { m.judge = "vllm/qwen3-tiny" }), Query{}, "judged by vllm/qwen3-tiny, published rows by gpt-4o-2024-11-20"},
		{"an older name of the judge", with(ofCloze, func(m *madeRun) { m.judge = "openai/gpt-4o" }), Query{}, "judged by openai/gpt-4o, published"},
		{"a baseline", with(ofCloze, func(m *madeRun) {
			m.judge, m.change = "offline", func(r *document.Results) { r.Judge.Baseline = true }
		}), Query{}, "a baseline judged it, offline"},
		{"other prompts", with(ofCloze, func(m *madeRun) {
			m.change = func(r *document.Results) {
				r.Judge.Prompts = append(r.Judge.Prompts, r.Judge.Prompts...)
				_ = json.Unmarshal([]byte(`[{"name": "judge.txt", "from": "mine"}]`), &r.Judge.Prompts)
			}
		}), Query{}, "its judge was asked by a prompt of its own, judge.txt"},
		{"a gateway that answers by another model", with(ofMMAR, func(m *madeRun) {
			m.change = func(r *document.Results) { r.Judge.Answered = map[string]int{"gpt-4o-mini": 400, "gpt-4o": 600} }
		}), Query{}, "answered by azure/gpt-4o, which answered as gpt-4o-mini, published rows by gpt-4o"},
		{"a script that is called as the judge", with(ofMMAR, func(m *madeRun) { m.judge = "scripted/gpt-4o" }), Query{}, "answered by scripted/gpt-4o, published rows by gpt-4o"},
		{"people in a project that is called as the judge", with(ofCloze, func(m *madeRun) { m.judge = "people/work/gpt-4o-2024-11-20" }), Query{}, "judged by people/gpt-4o-2024-11-20, published"},
		{"a warm judge", with(ofCloze, func(m *madeRun) { m.signature += "|temperature:0.7" }), Query{}, "its judge was asked at temperature 0.7, published rows at 0"},
		{"a judge at its own temperature", with(ofMMAR, func(m *madeRun) { m.signature += "|temperature:-1" }), Query{}, "at the model's own temperature, published rows at 0"},
		{"further fields", with(ofMMAR, func(m *madeRun) { m.signature += "|temperature:0|extra:16abdb681804" }), Query{}, "its judge was asked with further fields in each request"},
		{"batches", with(ofCapricorn, func(m *madeRun) { m.signature = "judge-mode:batched" }), Query{}, "its judge was asked about many keypoints at once"},
		{"turned options", with(ofMMAR, func(m *madeRun) { m.signature = "choice1|cascade|circular" }), Query{}, "its protocol is circular"},
		{"missing answers", with(ofMMAU, func(m *madeRun) { m.missing = 750 }), Query{}, "750 of 1,000 samples have no answer"},
		{"failed judgements", with(ofCloze, func(m *madeRun) {
			m.change = func(r *document.Results) { r.Outcomes = map[string]int{"ok": 2000, "unparsed": 320} }
		}), Query{}, "320 of 2,320 samples could not be judged"},
		{"answers without a question to the judge", with(ofCloze, func(m *madeRun) {
			m.change = func(r *document.Results) {
				s := r.Scorings[0].Slices[0].Scores["accuracy"]
				s.N, s.Unscored = 60000, 9600
				r.Scorings[0].Slices[0].Scores["accuracy"] = s
			}
		}), Query{}, "9,600 of 69,600 items have no score in scoring official"},
		{"a judge that failed its examination", with(ofCloze, func(m *madeRun) {
			m.change = func(r *document.Results) { r.Judge.Exam = &document.ExamInfo{Items: 10, Right: 6, Wrong: 4} }
		}), Query{}, "the judge answered 4 of 10 examination items wrong"},
		{"annotations of an unknown kind", with(ofCapricorn, func(m *madeRun) { m.part = nil }), Query{}, "it is not known which modality its data are of"},
		{"a few annotations of an unknown kind", with(ofCapricorn, func(m *madeRun) { m.part, m.samples, m.of = nil, 6, 6 }), Query{}, "no part of the published data has 6 samples"},
		{"prompts of an unknown kind", with(ofMCIF, func(m *madeRun) { delete(m.part, "prompts") }), Query{}, "it is not known which prompts its data are of"},
		{"references of a system", with(ofMCIF, func(m *madeRun) { m.part["references"] = "outputs of a system" }), Query{}, "its references are outputs of a system"},
		{"another subset", with(madeRun{benchmark: "vdc", judge: "sglang/meta-llama/Llama-3.1-8B-Instruct", signature: "vdc1", samples: 5, of: 5, counts: "videos acc_sum",
			digest: "deaf83c8f5f55c9a8f515c2634cf49077bf42ebc1bbbd6b938bb99d5e5bec630", scores: map[string]float64{"accuracy": 1}}, func(*madeRun) {}), Query{}, `its data are "short", published scores are of "detailed"`},
		{"strict scores that differ", with(ofMMAR, func(m *madeRun) {
			m.change = func(r *document.Results) {
				half := 0.5
				r.Scorings[1].Slices = []document.Slice{{Dimension: "overall", Counts: r.Scorings[0].Slices[0].Counts, Scores: map[string]omniscope.Score{"accuracy": {Value: &half}}}}
			}
		}), Query{Scoring: bench.Strict}, "its scores are of scoring strict, published ones of official"},
		{"no such score", with(ofMMAR, func(m *madeRun) { m.scores = nil }), Query{}, "it has no accuracy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := c.run.open(t)
			for _, b := range boardsOf(t, c.run.benchmark, []*compare.Run{run}, c.q) {
				row := b.ownRow()
				if row == nil || row.Rank != 0 || !strings.Contains(strings.Join(row.Why, "; "), c.why) {
					t.Errorf("board %q: %+v, want why %q", b.Setting, row, c.why)
				}
				tables := b.Tables(true)
				if len(tables) == 3 && strings.Contains(tables[0].Note, "* mine") {
					t.Errorf("the note of an unranked row is below the ranked rows: %s", tables[0].Note)
				}
				last, before := tables[len(tables)-1], tables[len(tables)-2]
				if last.Name != "why not ranked" || !strings.Contains(fmt.Sprint(last.Rows), c.why) || before.Name != "not ranked" {
					t.Errorf("the last tables are %+v, %+v", before, last)
				}
				var csv strings.Builder
				if err := WriteCSV(&csv, []*Board{b}); err != nil || c.run.scores != nil && !strings.Contains(strings.ReplaceAll(csv.String(), `""`, `"`), c.why) {
					t.Errorf("%v: %s", err, csv.String())
				}
				if text := fmt.Sprint(tables, csv.String(), b.Rows); strings.Contains(text, run.Dir) || strings.Contains(text, "/home") {
					t.Errorf("a path is shown: %s", text)
				}
			}
		})
	}
}

// TestRunsOnDifferentDataOfOneSize has runs on different files: at most one is the published file.
func TestRunsOnDifferentDataOfOneSize(t *testing.T) {
	runs := []*compare.Run{ofMMAR.open(t), with(ofMMAR, func(m *madeRun) { m.signature = "choice1|cascade|data:y" }).open(t)}
	part := with(ofMMAR, func(m *madeRun) { m.samples, m.signature = 3, "choice1|cascade|data:z" }).open(t)
	for _, c := range []struct {
		runs []*compare.Run
		q    Query
		rank int
	}{
		{runs, Query{}, 0},
		{runs, Query{PublishedData: true}, 1},
		{[]*compare.Run{runs[0], part}, Query{}, 1}, // the digest of a part differs
	} {
		row := boardsOf(t, "mmar", c.runs, c.q)[0].ownRow()
		if why := strings.Join(row.Why, "; "); row.Rank != c.rank || strings.Contains(why, "another run has other data of the same size") != (c.rank == 0) {
			t.Errorf("%+v: rank %d, %q", c.q, row.Rank, why)
		}
	}
}

// TestSamplesOfASlice counts the samples of a slice, not of the run.
func TestSamplesOfASlice(t *testing.T) {
	run := with(ofMMAR, func(m *madeRun) {
		m.slice, m.change = "modality=sound", func(r *document.Results) {
			for _, p := range r.Scorings {
				p.Slices[1].Scores["accuracy"] = omniscope.Score{Name: "accuracy", Value: p.Slices[1].Scores["accuracy"].Value, N: 160, Unscored: 5}
			}
		}
	}).open(t)
	for _, r := range boardsOf(t, "mmar", []*compare.Run{run}, Query{Slice: "modality=sound"})[0].Rows {
		if want := map[bool]int{false: 165}[r.Published]; r.N != want || r.Answered != nil {
			t.Errorf("%s has %d samples, want %d; answered %v", r.Model, r.N, want, r.Answered)
		}
	}
}

// TestScreensShowDataAndJudge has no columns for them among the ranks, and scores that published rows
// have: a note has the rest.
func TestScreensShowDataAndJudge(t *testing.T) {
	run := with(ofMMAR, func(m *madeRun) { m.scores = map[string]float64{"accuracy": 1, "abstained": 0} }).open(t)
	table := boardsOf(t, "mmar", []*compare.Run{run}, Query{})[0].Tables(true)[0]
	if want := "rank model group accuracy n answered from"; strings.Join(table.Columns, " ") != want || !strings.Contains(table.Note, "mine: data same size, judge azure/gpt-4o") {
		t.Errorf("%q, note %q", table.Columns, table.Note)
	}
}

// TestOmniClozeOfSoundAlone has a run of sound alone that is right in all audio blanks and nowhere
// else: it is read by these, as Table 13 is.
func TestOmniClozeOfSoundAlone(t *testing.T) {
	run := with(ofCloze, func(m *madeRun) {
		m.part["modality"], m.signature, m.slice, m.scores = "audio", "reader2|modality:audio", "modality=audio", map[string]float64{"accuracy": 0.39}
	}).open(t)
	for _, q := range []Query{{}, {Slice: "modality=audio"}} {
		boards := boardsOf(t, "omni-cloze", []*compare.Run{run}, q)
		if len(boards) != 1 || boards[0].Setting != "modality=audio" || boards[0].Slice != "modality=audio" {
			t.Fatalf("%+v", boards)
		}
		b := boards[0]
		if own := b.ownRow(); own.Rank != 1 || own.Scores["accuracy"].Value != 1 || len(b.Rows) != 10 {
			t.Errorf("%+v of %d rows", own, len(b.Rows))
		}
	}
}

// TestSettingsWithoutPublishedRows has runs that no published row is like: they have a board of
// their own, with ranks among each other only where they are alike.
func TestSettingsWithoutPublishedRows(t *testing.T) {
	visual := func(m *madeRun) { m.part["modality"], m.signature = "visual", "reader2|modality:visual|data:x" }
	one, two := with(ofCloze, visual).open(t), with(ofCloze, visual)
	for _, c := range []struct {
		name   string
		change func(*madeRun)
		rank   int
	}{
		{"alike", func(*madeRun) {}, 1},
		{"another judge", func(m *madeRun) { m.judge = "openai/m" }, 0},
		{"other data", func(m *madeRun) { m.signature = "reader2|modality:visual|data:y" }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			boards := boardsOf(t, "omni-cloze", []*compare.Run{one, with(two, c.change).open(t)}, Query{})
			if len(boards) != 1 || boards[0].Setting != "modality=visual" || len(boards[0].Rows) != 2 {
				t.Fatalf("%+v", boards[0])
			}
			if got := boards[0].Rows[0].Rank; got != c.rank {
				t.Errorf("rank %d, want %d: %q", got, c.rank, boards[0].Rows[0].Why)
			}
		})
	}
}

// TestBenchmarksWithoutPublishedRows rank complete runs on the published data among each other; one
// that lacks any takes no rank from others. Of claims no data are published.
func TestBenchmarksWithoutPublishedRows(t *testing.T) {
	full := madeRun{benchmark: "m3-bench-web", judge: "openai/m", signature: "m3|data:x", samples: 920, of: 920, counts: "correct",
		digest: "9af953751203471e00c360dbf4b6c072d5b0782ae89e26a60ea366f4d8f14e02", scores: map[string]float64{"accuracy": 1}}
	limited := with(full, func(m *madeRun) { m.samples, m.signature = 3, "m3|data:y" })
	other := with(full, func(m *madeRun) { m.samples, m.of, m.digest = 3, 3, "other" })
	claims := madeRun{benchmark: "claims", judge: "openai/m", signature: "claims1|data:x", samples: 3, of: 3, counts: "supported", scores: map[string]float64{"precision": 1}}
	asked := func(m *madeRun) {
		m.change = func(r *document.Results) { r.Judge.Endpoint = &document.EndpointInfo{} }
	}
	for _, c := range []struct {
		name string
		runs []madeRun
		want []string // of each run, why it is not ranked
	}{
		{"complete", []madeRun{full}, []string{""}},
		{"a limit", []madeRun{limited}, []string{"it scored 3 of 920 samples"}},
		{"invented clips", []madeRun{other}, []string{"its data are not the published file, by its digest"}},
		{"complete and a limit", []madeRun{full, limited}, []string{"", "it scored 3 of 920 samples"}},
		{"two judges", []madeRun{full, with(full, func(m *madeRun) { m.judge = "openai/n" })}, []string{"the runs differ in judge", "the runs differ in judge"}},
		{"one judge at two providers", []madeRun{with(full, asked), with(full, func(m *madeRun) { m.judge = "azure/m"; asked(m) })}, []string{"", ""}},
		{"another temperature", []madeRun{full, with(full, func(m *madeRun) { m.signature += "|temperature:1" })}, []string{"the runs differ in the judge's settings", "the runs differ in the judge's settings"}},
		{"claims", []madeRun{claims}, []string{""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var runs []*compare.Run
			for _, m := range c.runs {
				runs = append(runs, m.open(t))
			}
			for i, r := range boardsOf(t, c.runs[0].benchmark, runs, Query{})[0].Rows {
				if got := strings.Join(r.Why, "; "); got != c.want[i] || (r.Rank > 0) != (got == "") {
					t.Errorf("run %d has rank %d, why %q, want %q", i, r.Rank, got, c.want[i])
				}
			}
		})
	}
}

// TestRowsOfAnotherJudge are shown on request alone.
func TestRowsOfAnotherJudge(t *testing.T) {
	run := with(ofCapricorn, func(m *madeRun) {
		m.part["modality"], m.judge = "audio-visual", "vllm/Qwen/Qwen3-235B-A22B-Instruct-2507"
	}).open(t)
	for judge, want := range map[string]int{"": 1, "qwen3-235b": 2, "all": 2} {
		boards := boardsOf(t, "capricorn", []*compare.Run{run}, Query{Judge: judge})
		if len(boards) != want || boards[0].ownRow().Rank != 0 {
			t.Fatalf("--published-judge %q: %d boards, want %d", judge, len(boards), want)
		}
		if want == 2 {
			if b := boards[1]; b.Judge != "Qwen3-235B-A22B-Instruct" || b.ownRow().Rank != 1 || len(b.Rows) != 6 {
				t.Errorf("%+v", b)
			}
		}
	}
}

// TestFirstScoreThatASystemHas ranks a board without transcripts by its translations.
func TestFirstScoreThatASystemHas(t *testing.T) {
	for lang, want := range map[string]string{"de": "trans_comet", "en": "asr_wer", "avg": "asr_wer"} {
		for _, b := range boardsOf(t, "mcif", nil, Query{Where: map[string]string{"lang": lang, "track": "long"}}) {
			if b.By != want && !(lang != "en" && b.By == "qa_bertscore") || b.Rows[0].Rank != 1 {
				t.Errorf("lang=%s is ranked by %s, first %+v", lang, b.By, b.Rows[0])
			}
		}
	}
}

// TestPublishedRowsThatWereAdded finds rows of other tables and of the project's page.
func TestPublishedRowsThatWereAdded(t *testing.T) {
	for _, c := range []struct{ benchmark, model, score, shown, source string }{
		{"mmar", "Gemini 2.5 Pro + Omni-Detective", "accuracy", "68.3", "Table 5"},
		{"video-mme", "Gemini 2.5 Pro + Omni-Detective", "accuracy", "76.1", "Table 5"},
		{"omni-cloze", "Qwen3.5-Omni-Plus", "accuracy", "64.8", "README"},
		{"omni-cloze", "Qwen3.5-Omni-Flash", "accuracy", "63.0", "README"},
		{"omni-cloze", "Gemini-3.1 Pro", "accuracy", "57.2", "README"},
	} {
		found := false
		for _, b := range boardsOf(t, c.benchmark, nil, Query{}) {
			for _, r := range b.Rows {
				found = found || r.Model == c.model && r.Source == c.source && r.Scores[c.score].Shown == c.shown && (r.Rank > 0) == (c.source == "Table 5") && len(r.Why) == 0 == (r.Rank > 0)
			}
		}
		if !found {
			t.Errorf("%s lacks %s", c.benchmark, c.model)
		}
	}
}

// TestSettingsOfNoRun names how the runs were asked where --where leaves out all of them.
func TestSettingsOfNoRun(t *testing.T) {
	b, _ := catalog.Benchmark("capricorn")
	info := b.Info()
	_, err := Boards(t.Context(), &info, []*compare.Run{ofCapricorn.open(t)}, Query{Where: map[string]string{"modality": "audio-visual"}})
	if err == nil || !strings.HasSuffix(err.Error(), "; your runs are of modality=visual") {
		t.Error(err)
	}
}
