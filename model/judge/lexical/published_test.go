package lexical

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/golden"
)

// study is one of the case studies printed in the Omni-Captioner paper.
type study struct {
	Cloze struct {
		Passage string
		Blanks  []struct {
			Number    int
			Options   []string
			AnswerKey string `json:"answer_key"`
		}
	}
	Gold      string `json:"gold_caption"`
	Predicted string `json:"predicted_caption"`
}

func (s *study) blanks() []Blank {
	blanks := make([]Blank, len(s.Cloze.Blanks))
	for i, b := range s.Cloze.Blanks {
		blanks[i].Number = b.Number
		for _, o := range b.Options[:4] {
			blanks[i].Options = append(blanks[i].Options, o[len("A: "):])
		}
	}
	return blanks
}

// expectedKeys are the letters of one study: Figure for the predicted
// caption as the paper prints them, Answer for the gold caption.
type expectedKeys struct {
	Title  string
	Figure []string `json:"figure_prediction_keys"`
	Answer []string `json:"answer_keys"`
}

func loadStudies(tb testing.TB) ([]study, []expectedKeys) {
	tb.Helper()
	dir := golden.Path(tb, "cloze")
	rows, err := os.ReadFile(filepath.Join(dir, "case_studies.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	var studies []study
	for d := json.NewDecoder(bytes.NewReader(rows)); d.More(); {
		var s study
		if err := d.Decode(&s); err != nil {
			tb.Fatal(err)
		}
		studies = append(studies, s)
	}
	var expected []expectedKeys
	data, err := os.ReadFile(filepath.Join(dir, "case_studies_expected.json"))
	if err == nil {
		err = json.Unmarshal(data, &expected)
	}
	if err != nil || len(expected) != len(studies) {
		tb.Fatalf("expected keys for %d of %d studies, error %v", len(expected), len(studies), err)
	}
	return studies, expected
}

// TestPublishedStudies compares with the three published case studies. The
// captions there copy the wording of the passage, which is easier than what
// captioners write; TestRetold has paraphrases.
func TestPublishedStudies(t *testing.T) {
	studies, expected := loadStudies(t)
	var gold, predicted, blanks int
	for i, s := range studies {
		blanks += len(s.Cloze.Blanks)
		gold += countEqual(t, expected[i].Title+" gold", &s, s.Gold, expected[i].Answer)
		predicted += countEqual(t, expected[i].Title+" predicted", &s, s.Predicted, expected[i].Figure)
	}
	t.Logf("gold captions %d/%d, predicted captions %d/%d", gold, blanks, predicted, blanks)
	if blanks == 0 || gold < blanks*97/100 {
		t.Errorf("gold captions: %d of %d blanks right, want 97%%", gold, blanks)
	}
	if predicted < blanks*95/100 {
		t.Errorf("predicted captions: %d of %d letters as published, want 95%%", predicted, blanks)
	}
}

func countEqual(t *testing.T, name string, s *study, caption string, want []string) int {
	n := 0
	for i, c := range Read(s.Cloze.Passage, s.blanks(), caption) {
		if c.Letter == want[i] {
			n++
		} else {
			t.Logf("%s: blank %d %q: got %s (%.2f) %q, published %s", name, c.Number, s.blanks()[i].Options, c.Letter, c.Weight, c.Quote, want[i])
		}
	}
	return n
}

func BenchmarkReadStudy(b *testing.B) {
	studies, _ := loadStudies(b)
	s := &studies[0]
	blanks := s.blanks()
	for b.Loop() {
		Read(s.Cloze.Passage, blanks, s.Gold)
	}
}
