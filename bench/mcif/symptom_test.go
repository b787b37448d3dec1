package mcif

import (
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/model/symptoms"
)

const (
	lecture = "Good morning, and welcome to my talk about trees. We looked at how they grow in the north, " +
		"and found that they need more light than people have thought so far."
	vortrag = "Guten Morgen und willkommen zu meinem Vortrag über Bäume. Wir haben untersucht, wie sie im Norden wachsen, " +
		"und festgestellt, dass sie mehr Licht brauchen, als man bisher gedacht hat."
)

// A talk of two segments is judged in length as a whole, and each segment in
// all else; so is an answer.
func TestSymptomsOfSamplesAndTalks(t *testing.T) {
	refs := []mcifxml.Reference{translationOf("t1", "0,1", lecture+"\n"+lecture, vortrag+"\n"+vortrag), answerTo("t1_1", "2", vortrag), answerTo("t1_2", "3", vortrag)}
	out := []string{"0", "Guten Morgen.", "1", "", "2", lecture, "3", vortrag}
	in := bench.Inputs{Predictions: outputFile(t, "short", "de", out...), Data: referenceFile(t, "short", "de", refs...)}
	e, r := scored(t, Benchmark{Track: "short", Lang: "de", Scorers: lengths()}, in)
	var got []string
	for _, u := range e.units {
		for _, s := range u.symptoms {
			got = append(got, u.ref.IID+":"+s.Sample+":"+string(s.Kind))
		}
	}
	if want := "TRANS_t1:1:empty TRANS_t1::under-generation QA_t1_1:2:wrong-language"; strings.Join(got, " ") != want {
		t.Errorf("symptoms are %q, want %s", got, want)
	}

	if n, whole := e.Outputs(), e.Whole(); n != 4 || whole != 3 {
		t.Errorf("%d outputs, want 4; %d wholes, want 3", n, whole)
	}
	want := []symptomCount{
		{Kind: symptoms.Empty, Task: trans, Found: 1, Of: 2, What: "outputs", Examples: []string{"1"}},
		{Kind: symptoms.WrongLanguage, Task: qa, Found: 1, Of: 2, What: "outputs", Examples: []string{"2"}},
		{Kind: symptoms.UnderGeneration, Task: trans, Found: 1, Of: 1, What: "talks", Examples: []string{"TRANS_t1"}},
	}
	equal(t, e.Symptoms(), want)
	for _, table := range r.Tables {
		if table.Name == "symptoms" {
			equal(t, table.Rows, [][]string{
				{"empty", "TRANS", "1", "2", "outputs", "50.0 %", "1"}, {"wrong-language", "QA", "1", "2", "outputs", "50.0 %", "2"},
				{"under-generation", "TRANS", "1", "1", "talks", "100.0 %", "TRANS_t1"},
			})
		}
	}
	if s := overall(r, bench.Strict).Scores["trans_comet"]; s.Value == nil {
		t.Error("symptoms are warnings, and the talk must be scored nevertheless")
	}
}

func TestShortTalkMissingSegment(t *testing.T) {
	in := bench.Inputs{Predictions: outputFile(t, "short", "en", "0", "Good morning.", "1", "Hello."), Data: referenceFile(t, "short", "en", transcriptOf("t1", "0,1,2", lecture))}
	e, _ := scored(t, Benchmark{Track: "short", Lang: "en", Scorers: lengths()}, in)
	if s := e.Symptoms(); len(s) > 0 {
		t.Errorf("symptoms %+v", s)
	}
}

func TestFewExamplesNamed(t *testing.T) {
	var refs []mcifxml.Reference
	var out []string
	for _, id := range strings.Fields("1 2 3 4 5 6 7") {
		refs, out = append(refs, answerTo("t1_"+id, id, vortrag)), append(out, id, lecture)
	}
	in := bench.Inputs{Predictions: outputFile(t, "short", "de", out...), Data: referenceFile(t, "short", "de", refs...)}
	e, _ := scored(t, Benchmark{Track: "short", Lang: "de", Scorers: lengths()}, in)
	equal(t, e.Symptoms(), []symptomCount{{Kind: symptoms.WrongLanguage, Task: qa, Found: 7, Of: 7, What: "outputs", Examples: []string{"1", "2", "3", "4", "5"}}})
}
