package eval

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/bench/harness"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/harnesstest"
	"omniscope/session"
	"omniscope/session/catalog"
)

// scored scores predictions, and returns the results and what was said of the inputs.
func scored(t *testing.T, benchmark, data, predictions string) (*document.Results, string) {
	t.Helper()
	e := opened(t, benchmark, data, predictions)
	var warnings bytes.Buffer
	m := &e.options.Machine
	m.Out, m.Force, m.Warnings = t.TempDir(), true, &warnings
	fixture.OK(t, session.Finish(t.Context(), e, m))
	return e.Results, warnings.String()
}

func opened(t *testing.T, benchmark, data, predictions string) *Evaluation {
	t.Helper()
	e, err := open(t, benchmark, data, predictions)
	fixture.OK(t, err)
	return e
}

func open(t *testing.T, benchmark, data, predictions string) (*Evaluation, error) {
	t.Helper()
	s := &Spec{Benchmark: benchmark, Data: data, Predictions: predictions, Profile: "strict", Seed: 1, Roles: map[string]*session.Role{session.Judge: {Name: session.Judge, Model: session.Offline}}}
	return Open(t.Context(), s, &Options{Machine: session.Machine{Calls: &session.Calls{WorkDir: t.TempDir(), MaxConcurrency: 2}}})
}

// scores are what results say of the answers: counts, scores and intervals of all slices in both
// profiles.
func scores(t *testing.T, r *document.Results) string {
	t.Helper()
	text, err := json.MarshalIndent([]any{r.Headline, r.Scorings, r.Differences, r.Samples, r.Outcomes}, "", " ")
	fixture.OK(t, err)
	return string(text)
}

// imported is the file of predictions that an import writes.
func imported(t *testing.T, set *harnesstest.Set, name, path string) string {
	t.Helper()
	i := slices.IndexFunc(catalog.Harnesses, func(h harness.Harness) bool { return h.Name == name })
	if i < 0 {
		t.Fatalf("there is no harness %s", name)
	}
	b, err := catalog.Benchmark(set.Bench)
	fixture.OK(t, err)
	writer := b.(bench.AnswerWriter)
	read, err := harness.Read(t.Context(), &harness.Request{Harness: &catalog.Harnesses[i], Benchmark: writer, Data: set.Data, Paths: []string{path}})
	fixture.OK(t, err)
	f, err := os.Create(filepath.Join(t.TempDir(), "imported.jsonl"))
	fixture.OK(t, err)
	defer f.Close()
	if _, err := writer.WriteAnswers(f, read.Answers); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// TestScoresOfLogs: a log of another harness, and what import writes of it, have the scores of the
// same answers in our own form; what was planted as a failure is missing and never scored.
func TestScoresOfLogs(t *testing.T) {
	for _, c := range []struct {
		harness, bench string
		write          func(set *harnesstest.Set, dir string) string
	}{
		{"lmms-eval", "mmau", func(s *harnesstest.Set, dir string) string { return s.LmmsEval(t, dir) }},
		{"lmms-eval", "mmar", func(s *harnesstest.Set, dir string) string { return s.LmmsEval(t, dir) }},
		{"lmms-eval", "video-mme", func(s *harnesstest.Set, dir string) string { return s.LmmsEval(t, dir) }},
		{"vlmevalkit", "worldsense", func(s *harnesstest.Set, dir string) string { return s.VLMEvalKit(t, dir, ".xlsx") }},
		{"vlmevalkit", "worldsense", func(s *harnesstest.Set, dir string) string { return s.VLMEvalKit(t, dir, ".tsv") }},
		{"vlmevalkit", "video-mme", func(s *harnesstest.Set, dir string) string { return s.VLMEvalKit(t, dir, ".json") }},
		{"lm-eval", "omni-cloze", func(s *harnesstest.Set, dir string) string { return s.LmEval(t, dir) }},
		{"lm-eval", "mmau", func(s *harnesstest.Set, dir string) string { return s.LmEval(t, dir) }},
		{"inspect", "mmar", func(s *harnesstest.Set, dir string) string {
			return s.Inspect(t, dir, ".eval", harnesstest.Zstandard, 1)
		}},
		{"inspect", "omni-cloze", func(s *harnesstest.Set, dir string) string { return s.Inspect(t, dir, ".json", 0, 1) }},
	} {
		dir := t.TempDir()
		set := harnesstest.Plant(t, dir, c.bench, harnesstest.Kinds[c.harness])
		log, own := c.write(set, dir), filepath.Join(dir, "own.jsonl")
		t.Run(c.harness+"/"+c.bench+filepath.Ext(log), func(t *testing.T) {
			set.Own(t, own)
			ours, _ := scored(t, c.bench, set.Data, own)
			of, _ := scored(t, c.bench, set.Data, imported(t, set, c.harness, log))
			direct, told := scored(t, c.bench, set.Data, log)
			if diff := cmp.Diff(scores(t, ours), scores(t, of)); diff != "" {
				t.Errorf("the imported file has other scores than our own (-own +imported):\n%s", diff)
			}
			if diff := cmp.Diff(scores(t, ours), scores(t, direct)); diff != "" {
				t.Errorf("the log has other scores than our own file (-own +log):\n%s", diff)
			}
			failed := 0
			for _, p := range set.Planted {
				if p.Kind.Outcome != omniscope.OK && p.Kind.Outcome != omniscope.Abstained {
					failed++
				}
			}
			if n := direct.Outcomes[omniscope.Missing.String()]; n != failed || failed == 0 {
				t.Errorf("%d samples are missing, and %d failures were planted", n, failed)
			}
			checkDirect(t, direct, told, log)
		})
	}
}

// checkDirect looks at what a run on a log says of its input.
func checkDirect(t *testing.T, direct *document.Results, told, log string) {
	t.Helper()
	g, err := os.ReadFile(log)
	fixture.OK(t, err)
	if got := direct.Run.Inputs[log]; got != sha256hex.Of(g) {
		t.Errorf("the digest of %s is %s: %v", log, got, direct.Run.Inputs)
	}
	if !strings.Contains(told, log+" is a log of ") || !strings.Contains(told, "have no answer and are left out") {
		t.Errorf("it said %q", told)
	}
	if !strings.Contains(strings.Join(direct.Warnings, "\n"), "`omniscope import") {
		t.Errorf("the warnings are %q", direct.Warnings)
	}
}

// TestUnclearLogs: a log of which not each row is clear is refused, and the error names the command
// that looks into it.
func TestUnclearLogs(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "mmar", nil)
	epochs := set.Inspect(t, dir, ".eval", zip.Deflate, 2)
	const row = `{"doc_id": 0, "doc": {"id": "%"}, "arguments": {}, "resps": [["A"]], "filtered_resps": ["A"], "doc_hash": "h"}` + "\n"
	unknown := harnesstest.File(t, filepath.Join(dir, "m", "samples_u_1.jsonl"), strings.ReplaceAll(row, "%", "q-001")+strings.ReplaceAll(row, "%", "other"))
	none := harnesstest.File(t, filepath.Join(dir, "m", "samples_n_1.jsonl"), strings.Replace(strings.ReplaceAll(row, "%", "q-001"), `["A"]`, `["None"]`, 1))
	for path, want := range map[string]string{epochs: "--epoch", unknown: `:2: doc.id has "other"`, none: "none of its samples has an answer"} {
		_, err := open(t, "mmar", set.Data, path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "`omniscope import ") || omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("%s: the error is %v, want one with %q", path, err, want)
		}
	}
}

// TestOwnPredictionsAreNoLog: predictions in a benchmark's own form are read as ever, and nothing is
// said of them.
func TestOwnPredictionsAreNoLog(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "mmau", nil)
	own := filepath.Join(dir, "own.jsonl")
	set.Own(t, own)
	if _, told := scored(t, "mmau", set.Data, own); told != "" {
		t.Errorf("it said %q", told)
	}
}

// TestVerdictOfImports: the exit code depends on the share of samples without an answer, and of answers that
// the harness judges otherwise.
func TestVerdictOfImports(t *testing.T) {
	ok := harness.Entry{Outcome: omniscope.OK, Place: &harness.Place{}}
	failed := harness.Entry{Outcome: omniscope.Failed, Place: &harness.Place{}}
	absent := harness.Entry{Outcome: omniscope.Missing}
	answers := &bench.Answers{List: make([]bench.Answer, 1)}
	for _, c := range []struct {
		entries []harness.Entry
		differ  []string // of 100 answers
		allowed float64
		bad     bool
	}{
		{[]harness.Entry{ok, ok, ok, failed}, nil, 0.25, false},
		{[]harness.Entry{ok, ok, ok, failed}, nil, 0.2, true},
		{[]harness.Entry{ok, absent, absent}, nil, 0, false},
		{[]harness.Entry{ok}, []string{"a", "b"}, 0, false},
		{[]harness.Entry{ok}, []string{"a", "b", "c"}, 0, true},
	} {
		if err := ImportVerdict(&harness.Import{Harness: &catalog.Harnesses[0], Entries: c.entries, Answers: answers, Judged: 100, Differ: c.differ}, c.allowed, 0.02, "x"); (err != nil) != c.bad {
			t.Errorf("%v of %v: %v", c.allowed, c.entries, err)
		}
	}
	if ImportVerdict(&harness.Import{Entries: []harness.Entry{failed}, Answers: &bench.Answers{}}, 1, 0.02, "x") == nil {
		t.Error("a log without any answer is fine")
	}
}
