package choice_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/model/judge/letters"
)

// TestFileAndPublishedRows loads the released file, and finds that the averages of the
// published table are micro averages over its groups: for each row, the numbers of right
// answers that its shares of sound, music and speech stand for come to the average that it
// has, and so do those of the difficulties.
func TestFileAndPublishedRows(t *testing.T) {
	data := golden.Path(t, "bench", "mmau", "mmau-test-mini.json")
	var rows []struct{ ID, Answer string }
	text, err := os.ReadFile(data)
	if err == nil {
		err = json.Unmarshal(text, &rows)
	}
	fixture.OK(t, err)
	var answers bytes.Buffer
	for _, r := range rows {
		json.NewEncoder(&answers).Encode(map[string]string{"id": r.ID, "model_output": r.Answer})
	}
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	fixture.OK(t, os.WriteFile(path, answers.Bytes(), 0o600))
	ev, err := choice.MMAU().Open(t.Context(), bench.Inputs{Data: data, Predictions: path})
	fixture.OK(t, err)
	defer ev.Close()
	if n, w := ev.Plan().Units, ev.Plan().Warnings; n != 1000 || len(w) != 1 || !strings.HasPrefix(w[0], "27 questions have an option twice") {
		t.Errorf("%d questions, warnings %q", n, w)
	}
	r := captionstest.Score(t, choice.MMAU(), bench.Inputs{Data: data, Predictions: path})
	groups := make(map[string]float64)
	for _, s := range r.Scorings[bench.Official].Slices {
		groups[s.Dimension+" "+s.Group] = s.Counts["correct"]
	}
	for group, n := range map[string]float64{"overall ": 1000, "task sound": 333, "task music": 334, "task speech": 333,
		"difficulty easy": 224, "difficulty medium": 540, "difficulty hard": 236, "category Reasoning": 677, "category Information Extraction": 323} {
		if groups[group] != n {
			t.Errorf("%s: %g right answers of their own words, want %g", group, groups[group], n)
		}
	}
	checkPublished(t, groups)
}

// TestPerfectModel has a model answer every question rightly, by its words as it is asked to, or by its letter: predict writes both
// so that the published scorer counts them as right.
func TestPerfectModel(t *testing.T) {
	data := golden.Path(t, "bench", "mmau", "mmau-test-mini.json")
	var gold []struct{ ID, Answer string }
	text, err := os.ReadFile(data)
	if err == nil {
		err = json.Unmarshal(text, &gold)
	}
	fixture.OK(t, err)
	for _, form := range []string{"%[2]s", "%[1]s", "(%[1]s)", "The answer is %[1]s.", "%[1]s. %[2]s", "%[1]s<|im_end|>"} {
		var answers bytes.Buffer
		i := 0
		for s, err := range choice.MMAU().(bench.Dataset).Samples(t.Context(), data) {
			fixture.OK(t, err)
			if !strings.Contains(s.Prompt, "Reply with the words of the right option") {
				t.Fatalf("the model is asked %q", s.Prompt)
			}
			reply := fmt.Sprintf(form+"%[3]s", letters.Letter(slices.Index(s.Options, gold[i].Answer)), gold[i].Answer, "")
			said, _ := bench.InWords(reply, s.Options)
			json.NewEncoder(&answers).Encode(map[string]string{"id": string(s.ID), "model_output": said})
			i++
		}
		path := filepath.Join(t.TempDir(), "answers.jsonl")
		fixture.OK(t, os.WriteFile(path, answers.Bytes(), 0o600))
		r := captionstest.Score(t, choice.MMAU(), bench.Inputs{Data: data, Predictions: path, Scoring: bench.Official})
		for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
			least := 990.0 // a letter can be the words of another option, as in keys of music
			if p == bench.Official && form == "%[2]s" {
				least = 1000
			}
			if n := r.Scorings[p].Slices[0].Counts["correct"]; n < least {
				t.Errorf("%q, %v: %g of 1000 are right", form, p, n)
			}
		}
	}
}

func checkPublished(t *testing.T, groups map[string]float64) {
	right := func(m map[string]float64, dimension string, names ...string) (n float64) {
		for _, name := range names {
			n += math.Round(m[name] * groups[dimension+" "+name] / 100)
		}
		return n
	}
	checked := 0
	for name, m := range publishedRows(t)["7"] {
		for dimension, of := range map[string]float64{"task": right(m, "task", "sound", "music", "speech"), "difficulty": right(m, "difficulty", "easy", "medium", "hard")} {
			// 58.36 cannot be of 1,000 questions; the parts of that row come to 58.4.
			if math.Abs(of/10-m["avg"]) > 0.05 {
				t.Errorf("%s: by %s it has %g right answers, and the table says %g %%", name, dimension, of, m["avg"])
			}
			checked++
		}
	}
	if checked < 10 {
		t.Error(fmt.Sprint("only ", checked, " averages were checked"))
	}
}
