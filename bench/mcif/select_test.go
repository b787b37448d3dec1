package mcif

import (
	"compress/gzip"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/pyrepr"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
)

// names lists the units by their references' names.
func (e *evaluation) names() string {
	var list []string
	for _, u := range e.units {
		list = append(list, u.ref.IID)
	}
	return strings.Join(list, " ")
}

func TestChooseWhatIsScored(t *testing.T) {
	textOnly := answerTo("t2_1", "5", "a dog")
	textOnly.HasAudioPath, textOnly.HasVideoPath, textOnly.TextPath, textOnly.HasTextPath = false, false, "b.en", true
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Data: referenceFile(t, "long", "en", append(english[:3:3], textOnly)...)}
	for _, c := range []struct {
		name, modality string
		limit          int
		samples        []omniscope.SampleID
		want           string
	}{
		{"all", "", 0, nil, "ASR_t1 QA_t1_1 SUM_t1 QA_t2_1"},
		{"samples with text", "text", 0, nil, "SUM_t1 QA_t2_1"},
		{"samples with audio", "audio", 0, nil, "ASR_t1 QA_t1_1 SUM_t1"},
		{"samples with video", "video", 0, nil, "ASR_t1 QA_t1_1 SUM_t1"},
		{"the first two", "", 2, nil, "ASR_t1 QA_t1_1"},
		{"the first with text", "text", 1, nil, "SUM_t1"},
		{"by id and by name", "", 0, []omniscope.SampleID{"2", "ASR_t1"}, "ASR_t1 SUM_t1"},
		{"the first of some", "", 1, []omniscope.SampleID{"2", "5"}, "SUM_t1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := in
			in.Limit, in.Samples = c.limit, c.samples
			if got := opened(t, Benchmark{Track: "long", Lang: "en", Modality: c.modality}, in).names(); got != c.want {
				t.Errorf("scores %s, want %s", got, c.want)
			}
		})
	}
}

func TestNothingToScoreRefused(t *testing.T) {
	in := bench.Inputs{Predictions: outputFile(t, "short", "en", saying...), Data: referenceFile(t, "short", "en", only(english, asr, qa)...)}
	b := Benchmark{Track: "short", Lang: "en", Modality: "text"}
	_, err := b.Open(t.Context(), in)
	mentions(t, err, omniscope.Invalid, "ref.xml, track short, language en: no samples are left to score: none has a path of modality text")
	line, err := compat(t.Context(), b, in)
	if want := `{"state": "ERROR", "reason": "", "scores": {}}`; line != want || err != nil {
		t.Errorf("it prints %s, %v; want %s", line, err, want)
	}
}

func TestUnreadableFilesPublishedReasons(t *testing.T) {
	out, ref := outputFile(t, "long", "en", saying...), referenceFile(t, "long", "en", english...)
	broken, absent := fixture.File(t, "broken.xml", "<testset>\n<"), filepath.Join(t.TempDir(), "it's absent.xml")
	for _, c := range []struct{ name, lang, out, ref, want string }{
		{"broken outputs", "en", broken, ref, "unclosed token: line 2, column 0"},
		{"broken references", "en", out, broken, "unclosed token: line 2, column 0"},
		{"no outputs", "en", absent, ref, `[Errno 2] No such file or directory: "` + absent + `"`},
		{"no references", "en", out, absent, `[Errno 2] No such file or directory: "` + absent + `"`},
		{"another task", "fr", out, ref, "Task 'long' for language 'fr' not available in " + out + ". Available tasks are: [('long', 'en')]."},
	} {
		t.Run(c.name, func(t *testing.T) {
			line, err := compat(t.Context(), Benchmark{Track: "long", Lang: c.lang, Scorers: lengths()}, bench.Inputs{Predictions: c.out, Data: c.ref})
			if want := `{"state": "ERROR", "reason": ` + pyrepr.JSONString(c.want) + `, "scores": {}}`; line != want || err != nil {
				t.Errorf("it prints %s, %v; want %s", line, err, want)
			}
		})
	}
	line, err := compat(t.Context(), Benchmark{Track: "long", Lang: "en"}, bench.Inputs{Predictions: fixture.File(t, "out.jsonl", "nope"), Data: ref})
	fixture.OK(t, err)
	contains(t, line, `{"state": "ERROR", "reason": "`, `out.jsonl:1: `, `, "scores": {}}`)
	_, err = compat(t.Context(), Benchmark{Track: "long", Lang: "en"}, bench.Inputs{Predictions: "a.jsonl", Data: ref, Parts: []string{"b"}})
	mentions(t, err, omniscope.Usage, "join the lines")
}

func TestUnknownSampleIDs(t *testing.T) {
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Data: referenceFile(t, "long", "en", english...), Samples: []omniscope.SampleID{"9", "1", "8"}}
	_, err := Benchmark{Track: "long", Lang: "en"}.Open(t.Context(), in)
	mentions(t, err, omniscope.NotFound, "--sample: no such sample in", "ref.xml: 8, 9")
}

func TestQuestionTypesAndOrigins(t *testing.T) {
	question := func(n, id, kind, origin, text string) mcifxml.Reference {
		r := answerTo("t1_"+n, id, text)
		r.QAType, r.QAOrigin = kind, origin
		return r
	}
	refs := append(english[:1:1], english[2],
		question("1", "11", "A", "General", "four"), question("2", "12", "AV", "Abstract", "four"), question("3", "13", "A", "Abstract", "four"))
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", "0", "the cat sat", "2", "cats sit", "11", "four", "12", "fo", "13", "f"), Data: referenceFile(t, "long", "en", refs...)}
	e, r := scored(t, Benchmark{Track: "long", Lang: "en", Breakdown: true, Scorers: lengths()}, in)
	for _, want := range []struct {
		dimension, group string
		value            float64
		n                int
	}{
		{"overall", "", (1 + 0.5 + 0.25) / 3, 3},
		{"qa_type", "A", (1 + 0.25) / 2, 2},
		{"qa_type", "AV", 0.5, 1},
		{"qa_origin", "General", 1, 1},
		{"qa_origin", "Abstract", (0.5 + 0.25) / 2, 2},
	} {
		for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
			s := slice(r, p, want.dimension, want.group)
			if s == nil {
				t.Errorf("%v has no slice %s %s", p, want.dimension, want.group)
			} else if got := s.Scores[metric.QABERTScore]; *got.Value != want.value || got.N != want.n {
				t.Errorf("%v, %s %s: %v of %d, want %v of %d", p, want.dimension, want.group, *got.Value, got.N, want.value, want.n)
			}
		}
	}
	if n := agrees(t, e, r); n != 7 {
		t.Errorf("%d published numbers, want 7", n)
	}
	_, r = scored(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in)
	if slice(r, bench.Strict, "qa_type", "A") != nil {
		t.Error("it has parts that nobody asked for")
	}
}

func TestShardsJoined(t *testing.T) {
	ref := referenceFile(t, "long", "en", english...)
	whole := bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Data: ref, System: "s"}
	_, want := scored(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, whole)

	first, second := outputFile(t, "long", "en", saying[:2]...), outputFile(t, "long", "en", saying[2:]...)
	in := bench.Inputs{Predictions: second, Parts: []string{first}, Data: ref, System: "s"}
	_, got := scored(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in)
	if !reflect.DeepEqual(got.Headline, want.Headline) || len(got.Warnings) > 1 {
		t.Errorf("the shards score %+v, %q; the whole %+v", got.Headline, got.Warnings, want.Headline)
	}

	in.Parts = []string{whole.Predictions}
	_, err := Benchmark{Track: "long", Lang: "en"}.Open(t.Context(), in)
	mentions(t, err, omniscope.Invalid, `answers sample "1", and `, "parts of one output must not share samples")
	in.Parts = []string{outputFile(t, "long", "de", "7", "x")}
	_, err = Benchmark{Track: "long", Lang: "en"}.Open(t.Context(), in)
	mentions(t, err, omniscope.Invalid, "Task 'long' for language 'en' not available")
}

func TestOutputsAsJSONLines(t *testing.T) {
	ref := referenceFile(t, "long", "en", english...)
	b := Benchmark{Track: "long", Lang: "en", Scorers: lengths()}
	_, want := scored(t, b, bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Data: ref, System: "s"})
	lines := `{"id": 0, "text": "the cat sat"}` + "\n\n" + `{"id": "1", "text": " a cat\n", "more": [1]}` + "\n" + `{"id": "2", "text": "cats sit"}`
	in := bench.Inputs{Predictions: fixture.File(t, "mine.jsonl", lines), Data: ref}
	e, got := scored(t, b, in)
	if !reflect.DeepEqual(got.Headline, want.Headline) || got.System != "mine" {
		t.Errorf("%s scores %+v, want %+v", got.System, got.Headline, want.Headline)
	}
	if sum := e.plan.Inputs[in.Predictions]; len(sum) != 64 {
		t.Errorf("the file has the digest %q", sum)
	}
	for _, c := range []struct{ name, text, want string }{
		{"not JSON", `{"id": 0, "text": "x"}` + "\nnope", "mine.jsonl:2: "},
		{"no id", `{"text": "x"}`, `mine.jsonl:1: an output wants the fields "id" and "text": {"text": "x"}`},
		{"id null", `{"id": null, "text": "x"}`, "mine.jsonl:1: an output wants"},
		{"id a list", `{"id": [1], "text": "x"}`, "mine.jsonl:1: an output wants"},
		{"no text", `{"id": 0}`, "mine.jsonl:1: an output wants"},
		{"text null", `{"id": 0, "text": null}`, "mine.jsonl:1: an output wants"},
		{"text a number", `{"id": 0, "text": 5}`, "mine.jsonl:1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := b.Open(t.Context(), bench.Inputs{Predictions: fixture.File(t, "mine.jsonl", c.text), Data: ref})
			mentions(t, err, omniscope.Invalid, c.want)
		})
	}
	in.Parts = []string{in.Predictions}
	_, err := b.Open(t.Context(), in)
	mentions(t, err, omniscope.Usage, "join the lines of")
}

func TestBrokenXML(t *testing.T) {
	good := fixture.Read(t, outputFile(t, "long", "en", saying...))
	in := bench.Inputs{Predictions: fixture.File(t, "out.xml", strings.Replace(good, "a cat", "a <cat & more", 1)), Data: referenceFile(t, "long", "en", english...)}
	b := Benchmark{Track: "long", Lang: "en", Scorers: lengths()}
	_, err := b.Open(t.Context(), in)
	mentions(t, err, omniscope.Invalid, "out.xml:5:", "not well-formed", "--lenient-xml")

	b.Lenient = true
	e, r := scored(t, b, in)
	if u := e.unitNamed(t, "QA_t1_1"); u.text() != "a <cat & more" {
		t.Errorf("it reads %q", u.text())
	}
	contains(t, strings.Join(r.Warnings, "\n"), "out.xml:5:", "taken as text")
	if e.stop == nil || !strings.HasPrefix(e.stop.Reason, "not well-formed (invalid token): line 5, column ") || *overall(r, bench.Strict).Scores[metric.ASRWER].Value != 0 {
		t.Errorf("official stops for %v, strict has %+v", e.stop, overall(r, bench.Strict).Scores)
	}
	if len(r.Differences) != 1 || r.Differences[0].What != "samples of files that are not well-formed XML" || r.Differences[0].Samples != 3 {
		t.Errorf("the profiles differ in %+v", r.Differences)
	}
	line, err := compat(t.Context(), b, in)
	if err != nil || !strings.HasPrefix(line, `{"state": "ERROR", "reason": "not well-formed (invalid token): line 5, column `) {
		t.Errorf("it prints %s, %v", line, err)
	}

	in = bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Data: fixture.File(t, "ref.xml", "<testset><task")}
	_, err = Benchmark{Track: "long", Lang: "en"}.Open(t.Context(), in)
	mentions(t, err, omniscope.Invalid, "ref.xml:1:")
}

func TestPackedFiles(t *testing.T) {
	packed := func(path string) string {
		return written(t, "packed.xml.gz", func(w io.Writer) error {
			z := gzip.NewWriter(w)
			z.Write([]byte(fixture.Read(t, path)))
			return z.Close()
		})
	}
	in := bench.Inputs{Predictions: packed(outputFile(t, "long", "en", saying...)), Data: packed(referenceFile(t, "long", "en", english...))}
	if _, r := scored(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in); r.System != "packed" || r.Outcomes["ok"] != 3 {
		t.Errorf("%s: %v", r.System, r.Outcomes)
	}
}
