package harness_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/harness"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/harnesstest"
)

// kettles is a file of MMAU with eight questions with the same four options. Option n mod 4 is right in question n.
func kettles(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	for n := range 8 {
		fmt.Fprintf(&out, `{"id": "q%d", "audio_id": "a/q%[1]d.wav", "question": "What is heard in recording %[1]d?", "choices": ["a kettle", "a drill", "a flute", "a goose"], "answer": %q}`+"\n",
			n, []string{"a kettle", "a drill", "a flute", "a goose"}[n%4])
	}
	return harnesstest.File(t, dir+"/mmau.json", out.String())
}

// turned are the options as the logs below show them, and the letters of the right ones.
const turned = `["a flute", "a kettle", "a goose", "a drill"]`

var turnedKeys = []string{"B", "D", "A", "C"}

func read(t *testing.T, name, data, path string, change func(r *harness.Request)) *harness.Import {
	t.Helper()
	r := request(t, name, "mmau", data, path)
	if change != nil {
		change(r)
	}
	got, err := harness.Read(t.Context(), r)
	fixture.OK(t, err)
	return got
}

func said(got *harness.Import) (texts []string) {
	for _, a := range got.Answers.List {
		texts = append(texts, string(a.Sample)+" "+a.Text)
	}
	return texts
}

// TestShuffledOptions: a log shows the options in another order than the benchmark's file, and its letters are
// translated: here all of them are right.
func TestShuffledOptions(t *testing.T) {
	dir := t.TempDir()
	data := kettles(t, dir)
	var inspect, lmeval, columns []string
	columns = append(columns, "index\tid\tquestion\tA\tB\tC\tD\tanswer\tprediction")
	for n := range 8 {
		key := turnedKeys[n%4]
		inspect = append(inspect, fmt.Sprintf(`{"id": "q%d", "epoch": 1, "input": "What is heard in recording %[1]d?", "choices": %s, "target": %q, "output": {"completion": "ANSWER: %[3]s", "choices": [{"stop_reason": "stop"}]}, "scores": {"choice": {"value": "C"}}}`, n, turned, key))
		lmeval = append(lmeval, fmt.Sprintf(`{"doc_id": %d, "doc": {"id": "q%[1]d", "question": "What is heard in recording %[1]d?", "choices": %s, "answer": 0}, "target": %q, "arguments": {}, "resps": [[%[3]q]], "filtered_resps": [%[3]q], "filter": "none", "metrics": ["exact_match"], "exact_match": 1.0}`, n, turned, key))
		columns = append(columns, fmt.Sprintf("%d\tq%[1]d\tWhat is heard in recording %[1]d?\ta flute\ta kettle\ta goose\ta drill\t%s\t%[2]s", n, key))
	}
	for name, path := range map[string]string{
		"inspect":    harnesstest.File(t, dir+"/log.json", `{"version": 2, "status": "success", "eval": {"model": "m", "task": "mmau"}, "samples": [`+strings.Join(inspect, ",\n")+`]}`),
		"lm-eval":    harnesstest.File(t, dir+"/m/samples_mmau_2026.jsonl", strings.Join(lmeval, "\n")),
		"vlmevalkit": harnesstest.File(t, dir+"/m/m_MMAU.tsv", strings.Join(columns, "\n")),
	} {
		got := read(t, name, data, path, nil)
		for n, a := range got.Answers.List {
			if want := string(rune('A' + n%4)); a.Text != want {
				t.Errorf("%s: q%d is answered %q, want %q", name, n, a.Text, want)
			}
		}
		if len(got.Answers.List) != 8 || len(got.Differ) != 0 || len(got.Warnings) != 1 || got.Entries[0].Original == "" {
			t.Errorf("%s: %d answers, differ %v, warnings %q", name, len(got.Answers.List), got.Differ, got.Warnings)
		}
	}
}

// TestRowsOfOtherQuestions: rows that contradict the benchmark's file are left out and named.
func TestRowsOfOtherQuestions(t *testing.T) {
	dir := t.TempDir()
	data := kettles(t, dir)
	path := rows(t, dir,
		[3]string{"q0", "A", `, "question": "What is heard in recording 0?"`},
		[3]string{"q1", "B", `, "question": "What is seen in recording 1?"`},
		[3]string{"q2", "C", `, "choices": ["a kettle", "a drill", "a flute", "a duck"]`},
		[3]string{"q3", "D", `, "choices": ["a kettle", "a drill", "a flute", "a goose"], "answer": "A"`})
	got := read(t, "lm-eval", data, path, nil)
	if want := []string{"q0 A"}; !slices.Equal(said(got), want) {
		t.Errorf("answers %q, want %q", said(got), want)
	}
	for _, want := range []string{"another question", "other options", "another right answer"} {
		if !slices.ContainsFunc(got.Warnings, func(w string) bool { return strings.Contains(w, want) }) {
			t.Errorf("no warning of %s: %q", want, got.Warnings)
		}
	}
	if got.Lacking() != 3 || got.Entries[1].Outcome != omniscope.Missing || !strings.Contains(got.Entries[1].Reason, "another question") {
		t.Errorf("%d lack an answer; %+v", got.Lacking(), got.Entries[1])
	}
	kept := read(t, "lm-eval", data, path, func(r *harness.Request) { r.AnyQuestions = true })
	if len(kept.Answers.List) != 4 {
		t.Errorf("with AnyQuestions: %q", said(kept))
	}
	other := rows(t, dir+"/other", [3]string{"q0", "A", `, "question": "What is heard in recording 1?"`})
	if _, err := harness.Read(t.Context(), request(t, "lm-eval", "mmau", data, other)); err == nil || !strings.Contains(err.Error(), "another question") {
		t.Errorf("a log of other questions alone: %v", err)
	}
}

// TestScorersStandApart: each scorer and filter has its own column, with the mean if its numbers are not points.
func TestScorersStandApart(t *testing.T) {
	dir := t.TempDir()
	data := kettles(t, dir)
	var samples []string
	for n, letter := range "ABCDBBBB" {
		value := map[bool]string{true: "C", false: "I"}[n < 4 || n == 5]
		samples = append(samples, fmt.Sprintf(`{"id": "q%d", "output": {"completion": "%c", "choices": [{"stop_reason": "stop"}]}, "scores": {"match": {"value": %q}, "length": {"value": %d}, "both": {"value": {"right": %[3]q, "words": 2}}}}`, n, letter, value, 40+n))
	}
	path := harnesstest.File(t, dir+"/log.json", `{"version": 2, "status": "success", "eval": {"model": "m"}, "results": {"scores": [{"name": "match", "metrics": {"accuracy": {"value": 0.625}}}]}, "samples": [`+strings.Join(samples, ",\n")+`]}`)
	got := read(t, "inspect", data, path, nil)
	means := make(map[string]float64)
	for _, s := range got.Scorers {
		means[s.Name] = s.Mean
	}
	for name, want := range map[string]float64{"match": 0.625, "length": 43.5, "both.right": 0.625, "both.words": 2} {
		if means[name] != want {
			t.Errorf("%s: mean %v, want %v", name, means[name], want)
		}
	}
	if h := got.Log.Headline; len(h) != 1 || h[0].Value != 0.625 || len(got.Differ) != 0 {
		t.Errorf("headline %+v, differ %v", h, got.Differ)
	}
	if c := got.Counts()[0]; c.What != "answers" || !slices.Equal(c.Scores, []string{"5", "2", "43.5", "5"}) {
		t.Errorf("%+v", c)
	}
}

// TestHarnessJudgesOtherwise: answers that the harness counts otherwise than strict scoring are listed.
func TestHarnessJudgesOtherwise(t *testing.T) {
	dir := t.TempDir()
	data := kettles(t, dir)
	var lines []string
	for n := range 8 {
		lines = append(lines, fmt.Sprintf(`{"doc_id": %d, "doc": {"id": "q%[1]d"}, "arguments": {}, "resps": [["%c"]], "filtered_resps": ["x"], "metrics": ["exact_match"], "exact_match": %d}`, n, 'A'+n%4, n%2))
	}
	got := read(t, "lm-eval", data, harnesstest.File(t, dir+"/m/samples_mmau_1.jsonl", strings.Join(lines, "\n")), nil)
	if want := []string{"q0", "q2", "q4", "q6"}; !slices.Equal(got.Differ, want) || got.Judged != 8 || !strings.Contains(got.Told(), "otherwise") {
		t.Errorf("differ %v of %d, want %v", got.Differ, got.Judged, want)
	}
	if e := got.Entries[0]; !e.Differs || e.Verdict != "correct" {
		t.Errorf("%+v", e)
	}
}

// TestScoreOfAFilteredAnswer: the score of a document belongs to the answer that a filter chose, and each filter's
// score is kept.
func TestScoreOfAFilteredAnswer(t *testing.T) {
	dir := t.TempDir()
	data := kettles(t, dir)
	votes := harnesstest.File(t, dir+"/v/samples_mmau_1.jsonl", `{"doc_id": 0, "doc": {"id": "q0"}, "arguments": {}, "resps": [["A", "B", "C"]], "filtered_resps": ["A"], "filter": "majority", "metrics": ["exact_match"], "exact_match": 1.0}`)
	for epoch, scored := range map[int]bool{1: true, 2: false, 3: false} {
		got := read(t, "lm-eval", data, votes, func(r *harness.Request) { r.Epoch = epoch })
		if s := got.Entries[0].Scores; (len(s) > 0) != scored || scored && s["exact_match,majority"] != 1 {
			t.Errorf("answer %d has the scores %v", epoch, s)
		}
	}
	twice := harnesstest.File(t, dir+"/t/samples_mmau_1.jsonl", strings.Join([]string{`{"doc_id": 0, "doc": {"id": "q0"}, "arguments": {}, "resps": [["A", "B"]], "filtered_resps": ["A"], "filter": "first", "metrics": ["acc"], "acc": 1}`,
		`{"doc_id": 0, "doc": {"id": "q0"}, "arguments": {}, "resps": [["A", "B"]], "filtered_resps": ["A"], "filter": "vote", "metrics": ["acc"], "acc": 1}`}, "\n"))
	if got := read(t, "lm-eval", data, twice, func(r *harness.Request) { r.Epoch = 2 }); got.Again != 0 || len(got.Entries[0].Scores) != 0 {
		t.Errorf("an answer that no filter chose: %d rows again, scores %v", got.Again, got.Entries[0].Scores)
	}
	row := `{"doc_id": 0, "doc": {"id": "q0"}, "arguments": {}, "resps": [["The answer is A"]], "filtered_resps": ["%s"], "filter": "%s", "metrics": ["exact_match"], "exact_match": %d}` + "\n"
	filters := harnesstest.File(t, dir+"/f/samples_mmau_1.jsonl", fmt.Sprintf(row, "[invalid]", "strict-match", 0)+fmt.Sprintf(row, "A", "flexible", 1))
	got := read(t, "lm-eval", data, filters, nil)
	if s := got.Entries[0].Scores; len(s) != 2 || s["exact_match,strict-match"] != 0 || s["exact_match,flexible"] != 1 || got.Again != 0 {
		t.Errorf("scores %v, %d rows again", s, got.Again)
	}
}

// TestScorersComparedWithStrict: a scorer of 0, 1/2 and 1 has points and is compared by its 0 and 1; an error rate has no points, and
// a scorer of few answers does not count for the others. The -1 of a failed judge is not a score.
func TestScorersComparedWithStrict(t *testing.T) {
	dir := t.TempDir()
	data := kettles(t, dir)
	var lmeval, lmms []string
	for n := range 8 {
		few := ""
		if n == 0 {
			few = `, "few": 1`
		}
		acc := []float64{0.5, 1, 0, 1, 0, 1, 0, 1}[n]
		lmeval = append(lmeval, fmt.Sprintf(`{"doc_id": %d, "doc": {"id": "q%[1]d"}, "arguments": {}, "resps": [["%c"]], "filtered_resps": ["x"], "metrics": ["acc", "wer", "few"], "acc": %v, "wer": %v%s}`, n, 'A'+n%4, acc, n%2, few))
		lmms = append(lmms, fmt.Sprintf(`{"doc_id": %d, "target": "x", "filtered_resps": "%c", "doc_hash": "h", "submission": {"id": "q%[1]d"}, "accuracy": {"score": %[3]d}}`, n, 'A'+n%4, 1-2*(n/6)))
	}
	got := read(t, "lm-eval", data, harnesstest.File(t, dir+"/m/samples_mmau_1.jsonl", strings.Join(lmeval, "\n")), nil)
	for _, s := range got.Scorers {
		if want := map[string]string{"acc": "true 3 of 7", "wer": "false 0 of 0", "few": "true 0 of 1"}[s.Name]; fmt.Sprintf("%t %d of %d", s.Points, s.Differ, s.Judged) != want {
			t.Errorf("%+v, want %s", s, want)
		}
	}
	if len(got.Differ) != 3 || got.Judged != 7 {
		t.Errorf("differ %v of %d", got.Differ, got.Judged)
	}
	table := "index\tid\tanswer\tprediction\tscore\n"
	for n := range 8 {
		table += fmt.Sprintf("%d\tq%[1]d\t%c\t%[2]c\t%d\n", n, 'A'+n%4, 1-2*(n/6))
	}
	for name, path := range map[string]string{
		"lmms-eval":  harnesstest.File(t, dir+"/m/20260801_samples_mmau.jsonl", strings.Join(lmms, "\n")),
		"vlmevalkit": harnesstest.File(t, dir+"/m/m_MMAU_score.tsv", table),
	} {
		got := read(t, name, data, path, nil)
		if s := got.Scorers[0]; s.N != 6 || s.Mean != 1 || s.Judged != 6 || got.Suspicions() != 2 {
			t.Errorf("%s: %+v, %d suspicious", name, s, got.Suspicions())
		}
	}
}

// TestEmptyAnswerStays: a completed and empty answer is written, as one that abstains.
func TestEmptyAnswerStays(t *testing.T) {
	dir := t.TempDir()
	data := kettles(t, dir)
	got := read(t, "lm-eval", data, rows(t, dir, [3]string{"q0", "", ""}, [3]string{"q1", "B", ""}), nil)
	if want := []string{"q0 ", "q1 B"}; !slices.Equal(said(got), want) || got.Lacking() != 0 {
		t.Errorf("answers %q, %d lacking", said(got), got.Lacking())
	}
}

// TestFlatAndOldLogs: lmms-eval writes texts instead of lists since 0.7, both in one file after an
// update, and one object up to 0.2.
func TestFlatAndOldLogs(t *testing.T) {
	dir := t.TempDir()
	data := kettles(t, dir)
	row := func(n int, answers string) string {
		return fmt.Sprintf(`{"doc_id": %d, "target": "x", %s, "doc_hash": "h", "submission": {"id": "q%[1]d"}, "accuracy": {"score": 1.0}}`, n, answers)
	}
	mixed := []string{row(0, `"resps": [["A"]], "filtered_resps": ["A"]`), row(1, `"filtered_resps": "B"`), row(2, `"resps": "<think>A or B</think>C", "filtered_resps": "C"`), row(3, `"resps": ["D because"], "filtered_resps": "D"`), row(4, `"filtered_resps": null`)}
	want := []string{"q0 A", "q1 B", "q2 <think>A or B</think>C", "q3 D because"}
	for name, path := range map[string]string{
		"rows":          harnesstest.File(t, dir+"/m/20260801_samples_mmau.jsonl", strings.Join(mixed, "\n")),
		"up to 0.2":     harnesstest.File(t, dir+"/m/mmau.json", "{\n"+`"args": {}, "model_configs": {}, "logs": [`+strings.Join(mixed, ",\n")+"]\n}"),
		"on one line":   harnesstest.File(t, dir+"/m/mmau1.json", `{"args": {}, "model_configs": {}, "logs": [`+strings.Join(mixed, ", ")+"]}"),
		"under results": harnesstest.File(t, dir+"/m/results.json", "{\n"+`"results": {}, "samples": {"mmau": [`+strings.Join(mixed, ",\n")+"]}\n}"),
	} {
		got := read(t, "lmms-eval", data, path, nil)
		if !slices.Equal(said(got), want) || got.Entries[4].Outcome != omniscope.Failed {
			t.Errorf("%s: answers %q, %+v", name, said(got), got.Entries[4])
		}
	}
}

// TestCircularEvaluation: of VLMEvalKit's circular files the first pass is read, and a note says so.
func TestCircularEvaluation(t *testing.T) {
	dir := t.TempDir()
	data := kettles(t, dir)
	text := "index\tid\tA\tB\tC\tD\tanswer\tprediction\thit\n" +
		"0\tq0\ta kettle\ta drill\ta flute\ta goose\tA\tA\t1\n1\tq1\ta kettle\ta drill\ta flute\ta goose\tB\tB\t1\n" +
		"1000000\tq0\ta drill\ta flute\ta goose\ta kettle\tD\tA\t0\n1000001\tq1\ta drill\ta flute\ta goose\ta kettle\tA\tA\t1\n"
	got := read(t, "vlmevalkit", data, harnesstest.File(t, dir+"/m/m_MMAU.tsv", text), nil)
	if want := []string{"q0 A", "q1 B"}; !slices.Equal(said(got), want) {
		t.Errorf("answers %q, want %q", said(got), want)
	}
	if !slices.ContainsFunc(got.Warnings, func(w string) bool {
		return strings.Contains(w, "2 rows of later passes are not") && strings.Contains(w, "1 of 2 questions are right in all passes")
	}) {
		t.Errorf("warnings %q", got.Warnings)
	}
}

// TestNumbersOfSamples: Inspect numbers samples that have no id, and its file calls the number id.
func TestNumbersOfSamples(t *testing.T) {
	dir := t.TempDir()
	data := harnesstest.File(t, dir+"/mmau.json", `{"id": "1", "audio_id": "a.wav", "question": "?", "choices": ["x y", "z"], "answer": "z"}`)
	path := harnesstest.File(t, dir+"/log.json", `{"version": 2, "status": "success", "eval": {"model": "m"}, "samples": [{"id": 1, "output": {"completion": "B", "choices": [{"stop_reason": "stop"}]}}]}`)
	if _, err := harness.Read(t.Context(), request(t, "inspect", "mmau", data, path)); err == nil {
		t.Error("a number is taken for an id by itself")
	}
	got := read(t, "inspect", data, path, func(r *harness.Request) { r.ID = "id" })
	if want := []string{"1 B"}; !slices.Equal(said(got), want) {
		t.Errorf("answers %q, want %q", said(got), want)
	}
}
