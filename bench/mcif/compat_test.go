package mcif

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/pyrepr"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
)

// The reasons are those of Python 3.11 for the same paths.
func TestUnreadableFilesPythonReasons(t *testing.T) {
	ref := fixture.Read(t, referenceFile(t, "long", "en", english...))
	t.Chdir(t.TempDir())
	write(t, "ref.xml", ref)
	write(t, "hyp.xml", "<testset><task track='short' text_lang='de'/></testset>")
	write(t, "lang.xml", "<testset><task track='short'/></testset>")
	write(t, "track.xml", "<testset><task text_lang='en'/></testset>")
	fixture.OK(t, os.Mkdir("dd", 0o755))
	long := strings.Repeat("a", 300) + ".xml"
	for path, want := range map[string]string{
		"./absent.xml":   "[Errno 2] No such file or directory: 'absent.xml'",
		"dd//absent.xml": "[Errno 2] No such file or directory: 'dd/absent.xml'",
		"dd":             "[Errno 21] Is a directory: 'dd'",
		"":               "[Errno 21] Is a directory: '.'",
		"ref.xml/x":      "[Errno 20] Not a directory: 'ref.xml/x'",
		long:             "[Errno 36] File name too long: '" + long + "'",
		"./hyp.xml":      "Task 'long' for language 'en' not available in hyp.xml. Available tasks are: [('short', 'de')].",
		"track.xml":      "'track'",
		"lang.xml":       "'text_lang'",
	} {
		line, err := compat(t.Context(), Benchmark{Track: "long", Lang: "en"}, bench.Inputs{Predictions: path, Data: "ref.xml"})
		if want := `{"state": "ERROR", "reason": ` + pyrepr.JSONString(want) + `, "scores": {}}`; line != want || err != nil {
			t.Errorf("%s: it prints %s, %v; want %s", path, line, err, want)
		}
	}
}

func TestCompatBrokenArchive(t *testing.T) {
	ref := referenceFile(t, "long", "en", english...)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(fixture.Read(t, ref)))
	z.Close()
	cut := fixture.File(t, "ref.xml.gz", packed.String()[:packed.Len()/2])
	line, err := compat(t.Context(), Benchmark{Track: "long", Lang: "en"}, bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Data: cut})
	fixture.OK(t, err)
	contains(t, line, `{"state": "ERROR", "reason": "`, "cannot be unpacked", `, "scores": {}}`)
}

func TestPathsAsPython(t *testing.T) {
	for path, want := range map[string]string{
		"a.xml": "a.xml", "./a.xml": "a.xml", "a//b/./c": "a/b/c", "": ".", ".": ".", "./": ".", "../a/": "../a", "a/../b": "a/../b",
		"/a//b": "/a/b", "//a": "//a", "///a": "/a", "/": "/", "//": "//",
	} {
		if got := pythonPath(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
}

// An output file in the place of the references lacks what references have.
func TestReferenceErrors(t *testing.T) {
	out := outputFile(t, "long", "en", saying...)
	noID := fixture.File(t, "noid.xml", strings.Replace(fixture.Read(t, out), ` id="0"`, "", 1))
	otherTask := referenceFile(t, "long", "de", german...)
	noTask := fixture.File(t, "notask.xml", strings.Replace(fixture.Read(t, referenceFile(t, "long", "en", english...)), ` task="SUM"`, "", 1))
	for _, c := range []struct{ name, modality, out, ref, want string }{
		{"outputs for references", "", out, out, "'task'"},
		{"outputs without an id, before references of another task", "", noID, otherTask, "'id'"},
		{"a sample without a task", "text", out, noTask, "'task'"},
		{"outputs for references, none of which is left", "audio", out, out, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := Benchmark{Track: "long", Lang: "en", Modality: c.modality, Scorers: lengths()}
			line, err := compat(t.Context(), b, bench.Inputs{Predictions: c.out, Data: c.ref})
			if want := `{"state": "ERROR", "reason": ` + pyrepr.JSONString(c.want) + `, "scores": {}}`; line != want || err != nil {
				t.Errorf("it prints %s, %v; want %s", line, err, want)
			}
		})
	}
	_, err := Benchmark{Track: "long", Lang: "en"}.Open(t.Context(), bench.Inputs{Predictions: out, Data: out})
	mentions(t, err, omniscope.Invalid, `has no attribute "task"`, "a file of references?")
}

func TestMissingReferencesReason(t *testing.T) {
	b, why := Benchmark{Track: "long", Lang: "en"}, errors.New("the hub is not there")
	if line := compatFailure(t.Context(), b, bench.Inputs{Predictions: outputFile(t, "long", "en", saying...)}, why); line != `{"state": "ERROR", "reason": "the hub is not there", "scores": {}}` {
		t.Errorf("it prints %s", line)
	}
	if line := compatFailure(t.Context(), b, bench.Inputs{Predictions: "./absent.xml"}, why); line != `{"state": "ERROR", "reason": "[Errno 2] No such file or directory: 'absent.xml'", "scores": {}}` {
		t.Errorf("it prints %s", line)
	}
}

// Version 1.1 may have any number of tasks; chapters are none of those that are
// scored.
func TestVersion11Chapters(t *testing.T) {
	refs := append(append([]mcifxml.Reference(nil), english...), reference(chapters, "ACHAP_t1", "9", "[]"))
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Data: referenceFile(t, "long", "en", refs...)}
	b := Benchmark{Track: "long", Lang: "en", Version: "1.1", Scorers: lengths()}
	e, r := scored(t, b, in)
	if e.stop != nil || *overall(r, bench.Official).Scores[metric.ASRWER].Value != 0 || r.Samples != 3 {
		t.Errorf("official stops for %v", e.stop)
	}
	contains(t, strings.Join(r.Warnings, "\n"), "task ACHAP is not scored here: 1 sample left out", "official is mcif_eval 1.0")
	contains(t, e.plan.Protocol, "mcif:1.1")
	line, err := compat(t.Context(), b, in)
	if want := `{"state": "ERROR", "reason": "ACHAP: not available: the chapters (1 sample) of version 1.1 are not scored here", "scores": {"QA-BERTScore": 1.0, "SUM-BERTScore": 1.0, "ASR-WER": 0.0}}`; line != want || err != nil {
		t.Errorf("it prints %s, %v; want %s", line, err, want)
	}

	in.Data = referenceFile(t, "long", "en", refs[3])
	_, err = b.Open(t.Context(), in)
	mentions(t, err, omniscope.Invalid, "all are of tasks that are not scored here: ACHAP")
}

// Sums of the same numbers in another order have other last digits.
func TestResultsDigits(t *testing.T) {
	var refs []mcifxml.Reference
	var out []string
	for i, n := range []int{3, 7, 11, 13, 17, 19, 23, 29, 31} { // talks by turns
		id := string(rune('a' + i))
		refs, out = append(refs, answerTo("t"+string(rune('1'+i%3))+"_"+id, id, strings.Repeat("x", n))), append(out, id, "xx")
	}
	refs, out = append(refs, summaryOf("t1", "2", "x")), append(out, "2", "x")
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", out...), Data: referenceFile(t, "long", "en", refs...)}
	e, r := scored(t, Benchmark{Track: "long", Lang: "en", Breakdown: true, Scorers: lengths()}, in)
	published, _ := e.published()
	unfinished, err := bench.Score(t.Context(), e.b, struct{ bench.Evaluation }{e}, bench.Strict, benchtest.Workers(1))
	fixture.OK(t, err)
	if want := published[0].Value; *overall(unfinished, bench.Official).Scores[metric.QABERTScore].Value == want {
		t.Fatalf("the sums do not depend on their order, so that this shows nothing")
	}
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		for _, s := range []*document.Slice{overall(r, p), slice(r, p, "qa_type", "AV"), slice(r, p, "qa_origin", "General")} {
			if got, want := *s.Scores[metric.QABERTScore].Value, published[0].Value; got != want {
				t.Errorf("%v, %s: %v, want %v", p, s.Dimension, got, want)
			}
		}
	}
	if got := *r.Headline.Scores[metric.QABERTScore].Value; got != published[0].Value {
		t.Errorf("the headline has %v", got)
	}
}

func TestStandInsNamed(t *testing.T) {
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Data: referenceFile(t, "long", "en", english...)}
	_, r := scored(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in)
	if !r.Judge.Baseline || !strings.HasSuffix(r.Benchmark.Title, ", by stand-in scorers") || len(r.Warnings) != 1 || r.Warnings[0] != standInWarning {
		t.Errorf("%v, %s, %q", r.Judge.Baseline, r.Benchmark.Title, r.Warnings)
	}
	_, r = scored(t, Benchmark{Track: "long", Lang: "en"}, in)
	if r.Judge.Baseline || strings.Contains(r.Benchmark.Title, "stand-in") || len(r.Warnings) > 0 {
		t.Errorf("%v, %s, %q", r.Judge.Baseline, r.Benchmark.Title, r.Warnings)
	}
}
