package mcif

import (
	"io"
	"math"
	"os"
	"testing"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/metric"
	"omniscope/model/symptoms"
)

// soakEnv makes the test score all published outputs, not the telling ones only.
const soakEnv = "OMNISCOPE_SOAK"

// A baseline is one published file of outputs, scored against what another
// system said.
type baseline struct {
	File     outputPath
	Results  *document.Results
	Symptoms map[symptoms.Kind]float64 // share of the outputs
}

func TestPublishedOutputsAgainstPivot(t *testing.T) {
	dir := golden.Path(t, "mcif", "outputs")
	all, rest, err := findOutputs(dir)
	if err != nil || len(all) != 137 || len(rest) != 0 {
		t.Fatalf("%d sets of outputs, %d other files, %v", len(all), len(rest), err)
	}
	references := pivotReferences(t, all)
	runs := make(map[string]baseline)
	for _, f := range all {
		name := f.System + " " + f.Modality + " " + f.Track + " " + f.Lang + " " + f.Prompts
		if os.Getenv(soakEnv) == "" && f.Lang != "en" && name != "granite audio short de fixed" && name != "gemini mllm short zh fixed" && name != "llava_next_video video long zh fixed" {
			continue
		}
		runs[name] = scoreBaseline(t, f, references)
	}
	t.Logf("%d of %d sets of outputs", len(runs), len(all))

	wer := func(name string) float64 {
		s := runs[name].Results.Headline.Scores[metric.ASRWER]
		if s.Value == nil {
			t.Fatalf("%s has no word error rate", name)
		}
		return *s.Value
	}
	for name, r := range runs {
		if r.File.Lang == "en" && r.File.Modality != "text" {
			if v := wer(name); math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
				t.Errorf("%s has the word error rate %v", name, v)
			}
		}
	}
	// A talk's reference is normalised as a whole, an output segment by segment.
	if v := wer("phi_multimodal audio short en fixed"); v > 0.001 {
		t.Errorf("the pivot differs from itself by %v", v)
	}
	// The paper's Table 2 has the same order: Ola fails on short video with
	// sound, and hears long talks nearly as well as the best.
	if v := wer("ola mllm short en fixed"); v <= 0.9 {
		t.Errorf("ola, short, with video: %v", v)
	}
	if v := wer("ola mllm long en random"); v >= 0.1 {
		t.Errorf("ola, long, with video: %v", v)
	}
	if share := runs["granite audio short de fixed"].Symptoms[symptoms.WrongLanguage]; share < 0.5 {
		t.Errorf("%.2f of what granite says in German is called no German", share)
	}
	if share := runs["ola audio short en fixed"].Symptoms[symptoms.WrongLanguage]; share > 0.05 {
		t.Errorf("%.2f of what ola says in English is called no English", share)
	}
}

// pivotReferences makes references of one system's outputs and returns their
// files by track and language.
func pivotReferences(t *testing.T, all []outputPath) map[string]string {
	t.Helper()
	m, err := loadSampleMap(t.Context(), golden.Path(t, "mcif", "sample_map.csv"))
	fixture.OK(t, err)
	var files []outputPath
	for _, f := range all {
		if f.System == "phi_multimodal" {
			files = append(files, f)
		}
	}
	p, paths := newPivot(files, false), make(map[string]string)
	for _, track := range tracks {
		for _, lang := range []string{"en", "de", "zh"} {
			refs, _, err := p.References(t.Context(), m, track, lang)
			if err != nil || refs == nil {
				t.Fatal(refs, err)
			}
			paths[track+" "+lang] = written(t, "ref.xml", func(w io.Writer) error { return mcifxml.WriteReferences(w, refs) })
		}
	}
	return paths
}

func scoreBaseline(t *testing.T, f outputPath, references map[string]string) baseline {
	t.Helper()
	b := Benchmark{Input: f.Modality, Track: f.Track, Lang: f.Lang, Modality: f.Filter()}
	e, r := scored(t, b, bench.Inputs{Predictions: f.Paths[0], Parts: f.Paths[1:], Data: references[f.Track+" "+f.Lang], System: f.System})
	for outcome, n := range r.Outcomes {
		if outcome != "ok" && outcome != "abstained" && n > 0 {
			t.Errorf("%s: %d units are %s", f.Paths[0], n, outcome)
		}
	}
	if e.stop != nil && f.Track == "long" {
		t.Errorf("%s: %v", f.Paths[0], e.stop)
	}
	found := make(map[symptoms.Kind]float64)
	for _, c := range e.Symptoms() {
		found[c.Kind] += float64(c.Found) / float64(e.Outputs())
	}
	return baseline{f, r, found}
}

// An asrCase is what the published scoring of transcripts made of outputs.
type asrCase struct {
	ID, Lang string
	Refs     []struct {
		SampleIDs []string `json:"sample_ids"`
		Reference string
	}
	Hyps map[string]string
	WER  float64
}

func TestPublishedWordErrorRates(t *testing.T) {
	cases := readLines[asrCase](t, golden.Path(t, "metrics", "asr_pipeline.jsonl"))
	for _, c := range cases {
		outputs := make(map[string]output)
		for id, text := range c.Hyps {
			outputs[id] = output{text: text}
		}
		var total metric.Edits
		for _, r := range c.Refs {
			u := newUnit(&mcifxml.Reference{Task: asr, IDs: r.SampleIDs, Text: r.Reference}, outputs)
			words := u.normalized(published(), c.Lang).align()
			if words.trouble() != nil || len(u.missing) > 0 {
				t.Fatalf("%s: %v, missing %q", c.ID, words.trouble(), u.missing)
			}
			total = total.Add(words.edits)
		}
		if rate, ok := total.Rate(); !ok || rate != c.WER {
			t.Errorf("%s: word error rate %v, want %v", c.ID, rate, c.WER)
		}
	}
	if len(cases) < 73 {
		t.Errorf("only %d cases", len(cases))
	}
}
