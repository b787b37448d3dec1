package harness_test

import (
	"archive/zip"
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/harness"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/harnesstest"
	"omniscope/session/catalog"
)

// A logCase is a log of a harness about a benchmark.
type logCase struct {
	harness, bench, form string
	write                func(t *testing.T, set *harnesstest.Set, dir string) string
}

func logCases() (all []logCase) {
	for _, b := range []string{"mmau", "mmar", "video-mme", "vdc"} {
		all = append(all, logCase{"lmms-eval", b, "jsonl", func(t *testing.T, set *harnesstest.Set, dir string) string { return set.LmmsEval(t, dir) }})
	}
	for _, ending := range []string{".xlsx", ".tsv", ".json"} {
		for _, b := range []string{"worldsense", "video-mme"} {
			all = append(all, logCase{"vlmevalkit", b, ending, func(t *testing.T, set *harnesstest.Set, dir string) string { return set.VLMEvalKit(t, dir, ending) }})
		}
	}
	for _, b := range []string{"mmau", "omni-cloze"} {
		all = append(all, logCase{"lm-eval", b, "jsonl", func(t *testing.T, set *harnesstest.Set, dir string) string { return set.LmEval(t, dir) }})
	}
	for _, b := range []string{"mmar", "worldsense", "omni-cloze"} {
		all = append(all,
			logCase{"inspect", b, "deflate", func(t *testing.T, set *harnesstest.Set, dir string) string {
				return set.Inspect(t, dir, ".eval", zip.Deflate, 1)
			}},
			logCase{"inspect", b, "zstd", func(t *testing.T, set *harnesstest.Set, dir string) string {
				return set.Inspect(t, dir, ".eval", harnesstest.Zstandard, 1)
			}},
			logCase{"inspect", b, "json", func(t *testing.T, set *harnesstest.Set, dir string) string { return set.Inspect(t, dir, ".json", 0, 1) }})
	}
	return all
}

// request asks for a log, which must be recognised as its harness's.
func request(t *testing.T, name, benchmark, data string, paths ...string) *harness.Request {
	t.Helper()
	i := slices.IndexFunc(catalog.Harnesses, func(h harness.Harness) bool { return h.Name == name })
	if i < 0 {
		t.Fatalf("there is no harness %s", name)
	}
	b, err := catalog.Benchmark(benchmark)
	fixture.OK(t, err)
	return &harness.Request{Harness: &catalog.Harnesses[i], Benchmark: b.(bench.AnswerWriter), Data: data, Paths: paths}
}

// TestPlantedFailures: every failure planted among 100 samples is found, and every odd answer;
// none of the good ones is taken for one, and what they say comes out as it went in.
func TestPlantedFailures(t *testing.T) {
	for _, c := range logCases() {
		t.Run(c.harness+"/"+c.bench+"/"+c.form, func(t *testing.T) {
			dir := t.TempDir()
			set := harnesstest.Plant(t, dir, c.bench, harnesstest.Kinds[c.harness])
			path := c.write(t, set, dir)
			r := request(t, c.harness, c.bench, set.Data, path)
			fixture.OK(t, harness.Check(t.Context(), catalog.Harnesses, r.Harness, r.Paths))
			got, err := harness.Read(t.Context(), r)
			fixture.OK(t, err)
			check(t, set, got)
		})
	}
}

func check(t *testing.T, set *harnesstest.Set, got *harness.Import) {
	t.Helper()
	entries, said := make(map[string]harness.Entry), make(map[string]string)
	for _, e := range got.Entries {
		entries[e.ID] = e
	}
	for _, a := range got.Answers.List {
		said[string(a.Sample)] = a.Text
	}
	kinds := make(map[string]int)
	for _, p := range set.Planted {
		kinds[p.Kind.Name]++
		e := entries[p.ID]
		text, ok := said[p.ID]
		switch {
		case e.Place == nil:
			t.Errorf("%s %s: it is not in the log", p.ID, p.Kind.Name)
		case e.Outcome != p.Kind.Outcome || (e.Suspicion != "") != p.Kind.Suspicion:
			t.Errorf("%s %q %q: outcome %v, reason %q, suspicion %q; want %v, suspicious %v", p.ID, p.Kind.Name, p.Answer, e.Outcome, e.Reason, e.Suspicion, p.Kind.Outcome, p.Kind.Suspicion)
		case ok != (p.Kind.Outcome == omniscope.OK || p.Kind.Outcome == omniscope.Abstained) || ok && text != p.Answer:
			t.Errorf("%s %q: the answer is %q, %v; want %q", p.ID, p.Kind.Name, text, ok, p.Answer)
		case p.Kind.Outcome != omniscope.OK && e.Reason == "":
			t.Errorf("%s %q: there is no reason", p.ID, p.Kind.Name)
		}
	}
	if len(kinds) < 3 {
		t.Errorf("only %v are planted", kinds)
	}
	if len(got.Entries) != len(set.Planted) {
		t.Errorf("%d entries of %d samples", len(got.Entries), len(set.Planted))
	}
	if err := got.Whole(); err != nil {
		t.Errorf("it is not whole: %v", err)
	}
}

// TestPointsByLuck: of the points that lmms-eval gave, those without an answer, or with one in
// which no option can be read, are counted.
func TestPointsByLuck(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "mmau", harnesstest.Kinds["lmms-eval"])
	got, err := harness.Read(t.Context(), request(t, "lmms-eval", "mmau", set.Data, set.LmmsEval(t, dir)))
	fixture.OK(t, err)
	want, points := make(map[string]int), make(map[string]int)
	for _, p := range set.Planted {
		want[p.Kind.Name]++
		if p.Points > 0 {
			points[p.Kind.Name]++
		}
	}
	type row struct {
		Samples int
		Scores  []string
	}
	table := make(map[string]row)
	for _, c := range got.Counts() {
		table[c.What] = row{c.Samples, c.Scores}
	}
	for what, kind := range map[string]string{
		"failed: request failed":                  "request",
		"failed: token budget used up, not asked": "budget",
		"abstained: " + harness.WhyEmpty:          "empty",
		"of these answers: no option can be read in it, and lmms-eval scored it: it draws an option at random if it finds no option": "luck",
		"of these answers: " + harness.SuspiciousJudge: "filled",
		"of these answers: " + harness.SuspiciousMedia: "blind",
	} {
		if c := table[what]; c.Samples != want[kind] || c.Samples == 0 || c.Scores[0] != fmt.Sprint(points[kind]) {
			t.Errorf("%s: %+v, want %d with %d points", what, c, want[kind], points[kind])
		}
	}
}

// TestEpochs: of several answers to a sample the user says which is taken.
func TestEpochs(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "mmar", nil)
	r := request(t, "inspect", "mmar", set.Data, set.Inspect(t, dir, ".eval", zip.Deflate, 3))
	if _, err := harness.Read(t.Context(), r); err == nil || !strings.Contains(err.Error(), "--epoch") || omniscope.KindOf(err) != omniscope.Usage {
		t.Fatalf("without --epoch the error is %v", err)
	}
	for epoch, want := range map[int]string{1: set.Planted[5].Answer, 3: "A"} {
		r.Epoch = epoch
		got, err := harness.Read(t.Context(), r)
		fixture.OK(t, err)
		if text := got.Answers.List[5].Text; text != want || len(got.Answers.List) != len(set.Planted) {
			t.Errorf("epoch %d: %q of %d answers, want %q", epoch, text, len(got.Answers.List), want)
		}
	}
	r.Epoch = 4
	if _, err := harness.Read(t.Context(), r); err == nil {
		t.Error("there is an epoch 4")
	}
}

// TestRowNumbers: samples are matched by row number only where the user says so.
func TestRowNumbers(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "worldsense", nil)
	r := request(t, "lmms-eval", "worldsense", set.Data, set.LmmsEval(t, dir))
	_, err := harness.Read(t.Context(), r)
	if err == nil {
		t.Fatal("it was matched by a guess")
	}
	for _, want := range []string{"doc_id (0 of 100)", "worldsense_score.question_id (0 of 100)", "--id", "--row doc_id"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error has no %q: %v", want, err)
		}
	}
	r.Row = "doc_id"
	got, err := harness.Read(t.Context(), r)
	fixture.OK(t, err)
	for i, a := range got.Answers.List {
		if string(a.Sample) != set.Planted[i].ID || a.Text != set.Planted[i].Answer {
			t.Fatalf("answer %d: %+v, want of %s", i, a, set.Planted[i].ID)
		}
	}
	r.Row, r.ID = "", "submission.id"
	if _, err := harness.Read(t.Context(), r); err == nil || !strings.Contains(err.Error(), "--id submission.id") {
		t.Errorf("--id of a field that is not there: %v", err)
	}
}

// rows is a log of lm-eval with the rows that are given: id, answer and further fields of the
// document, as JSON.
func rows(t *testing.T, dir string, docs ...[3]string) string {
	t.Helper()
	var out strings.Builder
	for i, d := range docs {
		fmt.Fprintf(&out, `{"doc_id": %d, "doc": {"id": %q%s}, "arguments": {}, "resps": [[%q]], "filtered_resps": [%[4]q], "doc_hash": "h"}`+"\n", i, d[0], d[2], d[1])
	}
	return harnesstest.File(t, dir+"/m/samples_x_2026.jsonl", out.String())
}

// TestDoubles: equal answers count once, an answer counts before a failure, and different answers
// are none.
func TestDoubles(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "mmau", nil)
	path := rows(t, dir, [3]string{"q-001", "A"}, [3]string{"q-001", "A"}, [3]string{"q-002", "None"}, [3]string{"q-002", "B"}, [3]string{"q-003", "A"}, [3]string{"q-003", "B"}, [3]string{"q-003", "A"}, [3]string{"other", "C"})
	got, err := harness.Read(t.Context(), request(t, "lm-eval", "mmau", set.Data, path))
	fixture.OK(t, err)
	var answers []string
	for _, a := range got.Answers.List {
		answers = append(answers, string(a.Sample)+" "+a.Text)
	}
	if !slices.Equal(answers, []string{"q-001 A", "q-002 B"}) {
		t.Errorf("answers %q", answers)
	}
	counts := make(map[string]int)
	for _, c := range got.Counts() {
		counts[c.What] = c.Samples
	}
	want := map[string]int{"answers": 2, "unparsed: " + harness.WhyDouble: 1, "missing: " + harness.WhyUnknown: 1, "missing: " + harness.WhyAbsent: 97}
	for what, n := range want {
		if counts[what] != n {
			t.Errorf("%s: %d, want %d", what, counts[what], n)
		}
	}
	if got.Lacking() != 1 || got.Matched() != 3 || got.Again != 4 { // 8 rows are of 3 samples and 1 that is none
		t.Errorf("%d of %d lack an answer, %d again", got.Lacking(), got.Matched(), got.Again)
	}
	if got.Whole() == nil {
		t.Error("it may be read without a look")
	}
}

// TestAmbiguousFields: two fields that both have ids, and not the same ones, are no reason to take
// either.
func TestAmbiguousFields(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "mmau", nil)
	path := rows(t, dir, [3]string{"x", "A", `, "a": "q-001", "b": "q-002"`}, [3]string{"y", "B", `, "a": "q-003", "b": "q-003"`})
	r := request(t, "lm-eval", "mmau", set.Data, path)
	if _, err := harness.Read(t.Context(), r); err == nil || !strings.Contains(err.Error(), "doc.a and doc.b") {
		t.Errorf("the error is %v", err)
	}
	r.ID = "doc.b"
	got, err := harness.Read(t.Context(), r)
	if err != nil || len(got.Answers.List) != 2 || got.Answers.List[0].Sample != "q-002" {
		t.Errorf("by --id doc.b: %+v, %v", got, err)
	}
}

// TestKnownFieldThatFindsMost: a known field that has one of the benchmark's ids by chance does not count before another that has
// them all; a sample without the field is named as such.
func TestKnownFieldThatFindsMost(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "mmau", nil)
	path := rows(t, dir, [3]string{"q-002", "A", `, "question_id": "q-001"`}, [3]string{"x", "B", `, "question_id": "q-002"`}, [3]string{"y", "B", ""})
	got, err := harness.Read(t.Context(), request(t, "lm-eval", "mmau", set.Data, path))
	fixture.OK(t, err)
	if got.Field != "doc.question_id" || len(got.Answers.List) != 2 || got.Answers.List[0].Text != "A" {
		t.Errorf("matched by %s: %+v", got.Field, got.Answers.List)
	}
	if err := got.Whole(); err == nil || !strings.Contains(err.Error(), "samples_x_2026.jsonl:3: the sample has no doc.question_id") {
		t.Errorf("the error is %v", err)
	}
}

// TestOptionNone: "None" is an answer where it is an option.
func TestOptionNone(t *testing.T) {
	dir := t.TempDir()
	data := harnesstest.File(t, dir+"/d.json", `{"id": "a", "audio_id": "a.wav", "question": "?", "choices": ["one", "none"], "answer": "none"}`+"\n"+`{"id": "b", "audio_id": "b.wav", "question": "?", "choices": ["one", "two"], "answer": "two"}`)
	got, err := harness.Read(t.Context(), request(t, "lm-eval", "mmau", data, rows(t, dir, [3]string{"a", "None"}, [3]string{"b", "None"})))
	fixture.OK(t, err)
	if a, b := got.Entries[0], got.Entries[1]; a.Outcome != omniscope.OK || a.Suspicion == "" || b.Outcome != omniscope.Failed {
		t.Errorf("%+v\n%+v", a, b)
	}
}

// TestKeepTruncated: what a limit of length cut off is an answer where the user says so; what has
// no text is none.
func TestKeepTruncated(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "mmar", harnesstest.Kinds["inspect"])
	r := request(t, "inspect", "mmar", set.Data, set.Inspect(t, dir, ".eval", zip.Deflate, 1))
	r.KeepTruncated = true
	got, err := harness.Read(t.Context(), r)
	fixture.OK(t, err)
	cut := 0
	for i, p := range set.Planted {
		e := got.Entries[i]
		if p.Kind.Outcome == omniscope.Truncated {
			cut++
			if e.Outcome != omniscope.OK || e.Suspicion == "" {
				t.Errorf("%s %s: %+v", p.ID, p.Kind.Name, e)
			}
		} else if e.Outcome != p.Kind.Outcome {
			t.Errorf("%s %s: outcome %v, want %v", p.ID, p.Kind.Name, e.Outcome, p.Kind.Outcome)
		}
	}
	if cut == 0 {
		t.Error("nothing was cut off")
	}
}

// TestRefusalInWords: words of a refusal are no caption, and may be the answer to a question.
func TestRefusalInWords(t *testing.T) {
	const words = "I'm sorry, but I can't assist with that request."
	for benchmark, want := range map[string]omniscope.Outcome{"vdc": omniscope.Refused, "mmar": omniscope.OK} {
		dir := t.TempDir()
		set := harnesstest.Plant(t, dir, benchmark, nil)
		set.Planted[0].Answer = words
		got, err := harness.Read(t.Context(), request(t, "lmms-eval", benchmark, set.Data, set.LmmsEval(t, dir)))
		fixture.OK(t, err)
		if e := got.Entries[0]; e.Outcome != want {
			t.Errorf("%s: %+v, want %v", benchmark, e, want)
		}
	}
}

// TestRunThatDidNotEnd: a log of Inspect without its head is of a run that was stopped, which is
// told; its samples are read.
func TestRunThatDidNotEnd(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "mmar", nil)
	path := harnesstest.Archive(t, dir+"/a.eval", "_journal/start.json", `{"eval": {"model": "m", "task": "t"}}`,
		"samples/q-001_epoch_1.json", `{"id": "q-001", "epoch": 1, "output": {"completion": "A", "choices": [{"stop_reason": "stop"}]}}`)
	got, err := harness.Read(t.Context(), request(t, "inspect", "mmar", set.Data, path))
	fixture.OK(t, err)
	if told := got.Told(); !strings.Contains(told, "the run's status is started") || len(got.Answers.List) != 1 {
		t.Errorf("%s: %d answers", told, len(got.Answers.List))
	}
}
