package harness_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/harness"
	"omniscope/internal/input"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/harnesstest"
	"omniscope/session/catalog"
)

// TestBadLogs: what is no log of the harness that was named is refused, and the error says what
// to do.
func TestBadLogs(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "mmau", nil)
	lmms, vlm := set.LmmsEval(t, dir), set.VLMEvalKit(t, dir, ".xlsx")
	eval, js := set.Inspect(t, dir, ".eval", zip.Deflate, 1), set.Inspect(t, dir, ".json", 0, 1)
	cut := func(path string, by int) string {
		text, err := os.ReadFile(path)
		fixture.OK(t, err)
		return harnesstest.File(t, filepath.Join(dir, "cut", filepath.Base(path)), string(text[:len(text)-by]))
	}
	file := func(name, text string) string { return harnesstest.File(t, filepath.Join(dir, name), text) }
	elsewhere := harnesstest.Plant(t, filepath.Join(dir, "b"), "mmau", nil).LmmsEval(t, filepath.Join(dir, "b"))
	otherModel := file("model2/20260801_120000_samples_mmau.jsonl", fixture.Read(t, elsewhere))
	const row = `{"doc_id": 0, "doc": {"id": "q-001"}, "arguments": {}, "resps": `
	for name, c := range map[string]struct {
		harness string
		paths   []string
		want    []string
	}{
		"another harness":        {"lm-eval", []string{lmms}, []string{"is a log of lmms-eval and not of lm-evaluation-harness", "omniscope import lmms-eval"}},
		"mixed files":            {"lmms-eval", []string{lmms, vlm}, []string{"Model_mmau.xlsx is a log of VLMEvalKit"}},
		"several models":         {"lmms-eval", []string{lmms, otherModel}, []string{`"org__model"`, `"model2"`, "import each by itself"}},
		"several files":          {"vlmevalkit", []string{vlm, vlm}, []string{"one file for a model and a data set"}},
		"pickle":                 {"vlmevalkit", []string{file("Model_mmau_checkpoint.pkl", "\x80\x04\x95\x10\x00")}, []string{"is a pickle", "is not read here"}},
		"pickle by another name": {"vlmevalkit", []string{file("Model_mmau.json", "\x80\x05\x95\x10\x00")}, []string{"is a pickle"}},
		"cut workbook":           {"vlmevalkit", []string{cut(vlm, 30)}, []string{"cut off or damaged"}},
		"cut archive":            {"inspect", []string{cut(eval, 30)}, []string{"cut off or damaged"}},
		"cut document":           {"inspect", []string{cut(js, 30)}, []string{"not JSON"}},
		"cut log of 0.2":         {"lmms-eval", []string{file("m/mmau.json", "{\n"+`"args": {}, "model_configs": {}, "logs": [{`)}, []string{"not JSON"}},
		"cut rows":               {"lmms-eval", []string{cut(lmms, 30)}, []string{":100: not JSON", "the row is cut off"}},
		"results":                {"lmms-eval", []string{file("20260801_results.json", "{\n  \"results\": {\"mmau\": {}}\n}")}, []string{"has the results of a run and no answers"}},
		"predictions":            {"lmms-eval", []string{file("own.jsonl", `{"id": "a", "model_output": "A"}`)}, []string{"is no log of lmms-eval", "_samples_"}},
		"likelihoods":            {"lm-eval", []string{file("m/samples_l_1.jsonl", row+`[[["-1.5", "False"]], [["-2.5", "True"]]]}`)}, []string{":1: the task compared likelihoods"}},
		"several requests":       {"lm-eval", []string{file("m/samples_s_1.jsonl", row+`[["A"], ["B"]]}`)}, []string{":1: resps has the answers to 2 requests about one document"}},
		"no answers":             {"lm-eval", []string{file("m/samples_n_1.jsonl", row+`null}`)}, []string{":1: ", `"resps"`}},
		"not there":              {"inspect", []string{filepath.Join(dir, "no.eval")}, []string{"no.eval"}},
		"a sample in pieces":     {"inspect", []string{harnesstest.Archive(t, filepath.Join(dir, "p.eval"), "header.json", "{}", "samples/a_epoch_1/sample.json", "{}")}, []string{"in pieces", "inspect log convert"}},
		"a broken sample":        {"inspect", []string{harnesstest.Archive(t, filepath.Join(dir, "q.eval"), "header.json", "{}", "samples/a_epoch_1.json", "{")}, []string{"samples/a_epoch_1.json", "not JSON"}},
		"no samples":             {"inspect", []string{harnesstest.Archive(t, filepath.Join(dir, "r.eval"), "header.json", "{}")}, []string{"the log has no samples"}},
		"another archive":        {"inspect", []string{harnesstest.Archive(t, filepath.Join(dir, "s.eval"), "data.pkl", "x")}, []string{"is no log of Inspect"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := request(t, c.harness, "mmau", set.Data, c.paths...)
			err := harness.Check(t.Context(), catalog.Harnesses, r.Harness, r.Paths)
			if err == nil {
				_, err = harness.Read(t.Context(), r)
			}
			if err == nil {
				t.Fatal("it is read")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error has no %q: %v", want, err)
				}
			}
			if kind := omniscope.KindOf(err); kind == omniscope.Internal {
				t.Errorf("the error has the kind %v", kind)
			}
		})
	}
}

// TestCellAtExcelsLimit: an answer as long as a cell may be was cut off.
func TestCellAtExcelsLimit(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "worldsense", nil)
	set.Planted[0].Answer, set.Planted[1].Answer = strings.Repeat("a", 32767), strings.Repeat("a", 32766)
	for ending, want := range map[string]omniscope.Outcome{".xlsx": omniscope.Truncated, ".tsv": omniscope.OK} {
		got, err := harness.Read(t.Context(), request(t, "vlmevalkit", "worldsense", set.Data, set.VLMEvalKit(t, dir, ending)))
		fixture.OK(t, err)
		if got.Entries[0].Outcome != want || got.Entries[1].Outcome != omniscope.OK {
			t.Errorf("%s: %v and %v, want %v and ok", ending, got.Entries[0].Outcome, got.Entries[1].Outcome, want)
		}
	}
}

// TestRecognise: no form is taken for another, and own predictions for none.
func TestRecognise(t *testing.T) {
	dir := t.TempDir()
	set := harnesstest.Plant(t, dir, "mmau", nil)
	own := filepath.Join(dir, "own.jsonl")
	set.Own(t, own)
	for path, want := range map[string]string{
		set.LmmsEval(t, dir): "lmms-eval", set.LmEval(t, dir): "lm-eval", set.VLMEvalKit(t, dir, ".xlsx"): "vlmevalkit", set.VLMEvalKit(t, dir, ".tsv"): "vlmevalkit",
		set.VLMEvalKit(t, dir, ".json"): "vlmevalkit", set.Inspect(t, dir, ".eval", harnesstest.Zstandard, 1): "inspect", set.Inspect(t, dir, ".json", 0, 1): "inspect", own: "", set.Data: "",
	} {
		g, err := harness.Look(t.Context(), path)
		fixture.OK(t, err)
		got := ""
		for i := range catalog.Harnesses {
			if catalog.Harnesses[i].Recognise(g) {
				got += catalog.Harnesses[i].Name
			}
		}
		if got != want {
			t.Errorf("%s is recognised as %q, want %q", filepath.Base(path), got, want)
		}
	}
}

// TestBadLogsOfEachHarness: a log of other questions, an empty, a cut and a huge one are an error of one sentence or a
// counted outcome, whichever harness wrote them.
func TestBadLogsOfEachHarness(t *testing.T) {
	for name, write := range map[string]func(set *harnesstest.Set, dir string) string{
		"lmms-eval":       func(s *harnesstest.Set, dir string) string { return s.LmmsEval(t, dir) },
		"lm-eval":         func(s *harnesstest.Set, dir string) string { return s.LmEval(t, dir) },
		"vlmevalkit.xlsx": func(s *harnesstest.Set, dir string) string { return s.VLMEvalKit(t, dir, ".xlsx") },
		"vlmevalkit.tsv":  func(s *harnesstest.Set, dir string) string { return s.VLMEvalKit(t, dir, ".tsv") },
		"inspect.eval":    func(s *harnesstest.Set, dir string) string { return s.Inspect(t, dir, ".eval", zip.Deflate, 1) },
		"inspect.json":    func(s *harnesstest.Set, dir string) string { return s.Inspect(t, dir, ".json", 0, 1) },
	} {
		harnessName, _, _ := strings.Cut(name, ".")
		dir := t.TempDir()
		set := harnesstest.Plant(t, dir, "mmau", nil)
		log := write(set, dir)
		text := fixture.Read(t, log)
		other := harnesstest.File(t, filepath.Join(dir, "other.json"), strings.NewReplacer("What is heard", "What is seen", `"a dog"`, `"a hen"`).Replace(fixture.Read(t, set.Data)))
		for kind, c := range map[string]struct {
			data, path string
			limit      input.Bytes
			want       string
		}{
			"contradicting": {data: other, path: log, want: map[bool]string{true: "no field of the log has the ids", false: "belongs to another version of it"}[harnessName == "vlmevalkit"]}, // VLMEvalKit's rows of MMAU have no id
			"empty":         {data: set.Data, path: harnesstest.File(t, filepath.Join(dir, "empty", filepath.Base(log)), "")},
			"cut":           {data: set.Data, path: harnesstest.File(t, filepath.Join(dir, "cut", filepath.Base(log)), text[:len(text)/2])},
			"huge":          {data: set.Data, path: log, limit: 2000, want: "--max-input-size"},
		} {
			ctx := t.Context()
			if c.limit > 0 {
				ctx = input.With(ctx, &input.Files{Limits: input.Limits{Size: c.limit}})
			}
			r := request(t, harnessName, "mmau", c.data, c.path)
			err := harness.Check(ctx, catalog.Harnesses, r.Harness, r.Paths)
			if err == nil {
				_, err = harness.Read(ctx, r)
			}
			switch {
			case err == nil:
				t.Errorf("%s, %s: it is read without an error", name, kind)
			case omniscope.KindOf(err) == omniscope.Internal || !strings.Contains(err.Error(), c.want):
				t.Errorf("%s, %s: %v", name, kind, err)
			}
		}
	}
}
