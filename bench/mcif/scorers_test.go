package mcif

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
)

func germanInputs(t *testing.T) bench.Inputs {
	return bench.Inputs{Predictions: outputFile(t, "long", "de", but(sagend, "1", "Katze")...), Data: referenceFile(t, "long", "de", german...)}
}

func englishInputs(t *testing.T) bench.Inputs {
	return bench.Inputs{Predictions: outputFile(t, "long", "en", but(saying, "0", "The cat sad.")...), Data: referenceFile(t, "long", "en", english...)}
}

func TestScoresWithoutModel(t *testing.T) {
	_, r := scored(t, Benchmark{Track: "long", Lang: "de"}, germanInputs(t))
	if r.Status != document.NoScore {
		t.Errorf("the status is %q", r.Status)
	}
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		scores := overall(r, p).Scores
		for name, want := range map[string]struct {
			unscored int
			why      string
		}{
			metric.TransCOMET:   {2, "needs COMET's values"},
			metric.QABERTScore:  {1, "needs BERTScore's values"},
			metric.SumBERTScore: {1, "needs BERTScore's values"},
		} {
			s := scores[name]
			if s.Value != nil || s.N != 0 || s.Unscored != want.unscored {
				t.Errorf("%v, %s: %v, %d scored, %d unscored; want %d", p, name, s.Value, s.N, s.Unscored, want.unscored)
			}
			contains(t, s.Why, want.why, "pairs.jsonl", "--scored FILE")
		}
	}
}

func TestWordErrorRateWithoutModel(t *testing.T) {
	in := englishInputs(t)
	_, r := scored(t, Benchmark{Track: "long", Lang: "en"}, in)
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		if s := overall(r, p).Scores[metric.ASRWER]; s.Value == nil || !alike(*s.Value, 1.0/3) || s.Why != "" {
			t.Errorf("%v: %+v", p, s)
		}
	}
	line, err := compat(t.Context(), Benchmark{Track: "long", Lang: "en"}, in)
	fixture.OK(t, err)
	var printed struct {
		State, Reason string
		Scores        map[string]float64
	}
	decode(t, []byte(line), &printed)
	if printed.State != "ERROR" || len(printed.Scores) != 1 || !alike(printed.Scores["ASR-WER"], 1.0/3) {
		t.Errorf("it prints %s", line)
	}
	if want := "QA-BERTScore, SUM-BERTScore: not available: " + missingBERTScore; printed.Reason != want {
		t.Errorf("the reason is %s, want %s", printed.Reason, want)
	}
}

// A stop counts more than a model that is not there.
func TestStopBeforeMissingModel(t *testing.T) {
	in := englishInputs(t)
	in.Predictions = outputFile(t, "long", "en", without(saying, "1")...)
	_, r := scored(t, Benchmark{Track: "long", Lang: "en"}, in)
	contains(t, overall(r, bench.Official).Scores[metric.QABERTScore].Why, "the published scorer stops with the reason '1'")
	contains(t, overall(r, bench.Strict).Scores[metric.QABERTScore].Why, "needs BERTScore")
}

var errModel = errors.New("the model is on fire")

func TestScorerFails(t *testing.T) {
	s := lengths()
	s.BERTScore = func(context.Context, Pairs) ([]metric.Similarity, error) { return nil, errModel }
	b, in := Benchmark{Track: "long", Lang: "en", Scorers: s}, englishInputs(t)
	if _, err := bench.Score(t.Context(), b, opened(t, b, in), bench.Strict, benchtest.Workers(1)); !errors.Is(err, errModel) {
		t.Errorf("the run ends with %v", err)
	}
	if line, err := compat(t.Context(), b, in); !errors.Is(err, errModel) {
		t.Errorf("it prints %q and ends with %v", line, err)
	}
}

// pairsOf writes the pairs of an evaluation to a file, each with the value that
// rate gives it; nil leaves it open.
func pairsOf(t *testing.T, e *evaluation, rate func(pairLine) *float64) string {
	t.Helper()
	path := written(t, "pairs.jsonl", e.writePairs)
	var b strings.Builder
	for text := range strings.Lines(fixture.Read(t, path)) {
		var l pairLine
		decode(t, []byte(text), &l)
		if l.Value != nil {
			t.Errorf("the value of %s is filled in already", text)
		}
		l.Value = rate(l)
		line, err := json.Marshal(l)
		fixture.OK(t, err)
		b.Write(append(line, '\n'))
	}
	write(t, path, b.String())
	return path
}

// byLength rates as lengths does.
func byLength(l pairLine) *float64 {
	return &alikeInLength([]string{l.Hypothesis}, []string{l.Reference})[0]
}

func TestValuesFilledInElsewhere(t *testing.T) {
	for _, c := range []struct {
		name string
		b    Benchmark
		in   bench.Inputs
	}{
		{"English", Benchmark{Track: "long", Lang: "en"}, englishInputs(t)},
		{"German", Benchmark{Track: "long", Lang: "de"}, germanInputs(t)},
		{"Chinese, cut in two ways", Benchmark{Track: "long", Lang: "zh"}, bench.Inputs{Predictions: outputFile(t, "long", "zh", with(saying, "3", "AI 模型 模")...),
			Data: referenceFile(t, "long", "zh", changed(only(english, qa, sum), translationOf("t1", "3", "AI models", "AI 模型"))...)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, _ := scored(t, c.b, c.in)
			path := pairsOf(t, e, byLength)
			c.b.Scorers = lengths()
			c.b.Scorers.Normalize = published().Normalize
			_, want := scored(t, c.b, c.in)
			wantLine, err := compat(t.Context(), c.b, c.in)
			fixture.OK(t, err)

			c.b.Scorers = published()
			fixture.OK(t, c.b.Scorers.UseValues(t.Context(), []string{path}))
			if c.b.Lang != "en" && len(c.b.Scorers.Missing) > 0 {
				t.Errorf("%v are said to be missing", c.b.Scorers.Missing)
			}
			e, got := scored(t, c.b, c.in)
			for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
				for name, s := range overall(want, p).Scores {
					if g := overall(got, p).Scores[name]; g.Value == nil || *g.Value != *s.Value || g.Why != "" {
						t.Errorf("%v, %s: %+v, want %v", p, name, g, *s.Value)
					}
				}
			}
			if line, err := compat(t.Context(), c.b, c.in); line != wantLine || err != nil {
				t.Errorf("it prints %s, %v; want %s", line, err, wantLine)
			}
			contains(t, e.plan.Protocol, "values-from-files")
			if digest := e.plan.Inputs[path]; len(digest) != 64 || len(e.plan.Inputs) != 3 {
				t.Errorf("the inputs are %v", e.plan.Inputs)
			}
			agrees(t, e, got)
		})
	}
}

func TestValuesOfOneScorer(t *testing.T) {
	in := germanInputs(t)
	e, _ := scored(t, Benchmark{Track: "long", Lang: "de"}, in)
	all := fixture.Read(t, pairsOf(t, e, byLength))
	var comet strings.Builder
	for line := range strings.Lines(all) {
		if strings.Contains(line, `"scorer":"comet"`) {
			comet.WriteString(line)
		}
	}
	s := published()
	fixture.OK(t, s.UseValues(t.Context(), []string{fixture.File(t, "comet.jsonl", comet.String())}))
	_, r := scored(t, Benchmark{Track: "long", Lang: "de", Scorers: s}, in)
	equal(t, slices.Sorted(maps.Keys(s.Missing)), []string{metric.QABERTScore, metric.SumBERTScore})
	scores := overall(r, bench.Strict).Scores
	if scores[metric.TransCOMET].Value == nil || scores[metric.QABERTScore].Value != nil || scores[metric.QABERTScore].Why == "" || published().Missing[metric.TransCOMET] == "" {
		t.Errorf("scores are %+v", scores)
	}
}

func TestReadValues(t *testing.T) {
	const good = `{"scorer":"bertscore","lang":"de","unit":"x","mt":"a","ref":"b","value":0.5}` + "\n"
	for _, c := range []struct {
		name, text, want string
	}{
		{"a value that is open", good + strings.Replace(good, "0.5", "null", 1), "v.jsonl:2: value is not filled in"},
		{"a value that is left out", good + "\n" + strings.Replace(good, `,"value":0.5`, "", 1), "v.jsonl:3: value is not filled in"},
		{"a value in words", good + strings.Replace(good, "0.5", `"high"`, 1), "v.jsonl:2: "},
		{"NaN", strings.Replace(good, "0.5", "NaN", 1), "v.jsonl:1: "},
		{"no JSON", "0.5\nx\n", "v.jsonl:1: "},
		{"percents", good + strings.Replace(strings.Replace(good, `"a"`, `"c"`, 1), "0.5", "91.3", 1), "v.jsonl:2: value is 91.3, but an F1 of BERTScore is at most 1: give fractions"},
		{"no finite number", strings.Replace(good, "0.5", "1e999", 1), "v.jsonl:1: "},
		{"two values for one pair", good + good + strings.Replace(good, "0.5", "0.25", 1), "v.jsonl:3: value is 0.25, but "},
		{"where the first value of two is", good + good + strings.Replace(good, "0.5", "0.25", 1), "v.jsonl:2 gives the same texts 0.5"},
		{"another scorer", strings.Replace(good, "bertscore", "bleu", 1), "v.jsonl:1: scorer is neither bertscore nor comet"},
	} {
		t.Run(c.name, func(t *testing.T) {
			mentions(t, published().UseValues(t.Context(), []string{fixture.File(t, "v.jsonl", c.text)}), omniscope.Invalid, c.want)
		})
	}
	mentions(t, published().UseValues(t.Context(), []string{filepath.Join(t.TempDir(), "v.jsonl")}), omniscope.NotFound, "v.jsonl: no such file")
	if err := published().UseValues(t.Context(), []string{t.TempDir()}); err == nil {
		t.Error("a folder is taken for a file of values")
	}
}

func TestValuesOfOtherTexts(t *testing.T) {
	in := germanInputs(t)
	e, _ := scored(t, Benchmark{Track: "long", Lang: "de"}, in)
	b := Benchmark{Track: "long", Lang: "de", Scorers: published()}
	fixture.OK(t, b.Scorers.UseValues(t.Context(), []string{pairsOf(t, e, byLength)}))
	for id, want := range map[string]string{"1": "bertscore", "3": "comet"} {
		in.Predictions = outputFile(t, "long", "de", but(but(sagend, "1", "Katze"), id, "etwas ganz anderes")...)
		_, err := bench.Score(t.Context(), b, opened(t, b, in), bench.Strict, benchtest.Workers(1))
		mentions(t, err, omniscope.NotFound, "--scored has no value of "+want, "score the pairs.jsonl of these very files")
	}
}

// Lines of translations come without the blanks around them, references of
// answers as they stand in the file.
func TestTextsGivenToScorers(t *testing.T) {
	refs := changed(german, translationOf("t1", "3", " one\ntwo ", "eins \n\tzwei"), answerTo("t1_1", "1", "eine Katze "))
	in := bench.Inputs{Predictions: outputFile(t, "long", "de", but(sagend, "3", " eins\n\nzwei ")...), Data: referenceFile(t, "long", "de", refs...)}
	b := Benchmark{Track: "long", Lang: "de"}
	got := listen(&b)
	if _, err := compat(t.Context(), b, in); err != nil {
		t.Fatal(err)
	}
	equal(t, *got, heard{
		bert: []Pairs{
			{Lang: "de", Hypotheses: []string{"eine Katze"}, References: []string{"eine Katze "}},
			{Lang: "de", Hypotheses: []string{"Katzen sitzen"}, References: []string{"Katzen sitzen"}},
		},
		comet: []Triples{{Sources: []string{"one", "two"}, Hypotheses: []string{"eins", "zwei"}, References: []string{"eins", "zwei"}}},
	})
}
