package mcif

import (
	"strings"

	"omniscope"
	"omniscope/internal/symptoms"
)

// A found is a symptom of one output, or of a whole talk.
type found struct {
	Sample    string        `json:"sample,omitempty"` // "" = the talk as a whole
	Kind      symptoms.Kind `json:"kind"`
	Value     float64       `json:"value"`
	Threshold float64       `json:"threshold"`
	Evidence  string        `json:"evidence,omitempty"`
}

// findSymptoms looks at each output by itself. The segments of a talk have no
// references of their own, so their length is compared with the talk's as a
// whole.
func (u *unit) findSymptoms(lang string) []found {
	var out []found
	add := func(sample string, s symptoms.Symptom) {
		out = append(out, found{sample, s.Kind, s.Value, s.Threshold, s.Evidence})
	}
	given := symptoms.Given{Lang: lang, Task: u.ref.Task}
	if len(u.ref.IDs) == 1 {
		given.Reference = u.ref.Text
	}
	for i, text := range u.hypotheses {
		given.Text = text
		for _, s := range symptoms.Find(given) {
			add(u.written[i], s)
		}
	}
	if len(u.hypotheses) > 1 && len(u.missing) == 0 {
		given.Text, given.Reference = u.text(), u.ref.Text
		for _, s := range symptoms.Find(given) {
			if s.Kind == symptoms.UnderGeneration || s.Kind == symptoms.OverGeneration {
				add("", s)
			}
		}
	}
	return out
}

// A Symptomatic evaluation tells what its system did wrong apart from scores,
// once its units are evaluated.
type Symptomatic interface {
	Outputs() int // that there are for the units
	Symptoms() []SymptomCount
}

// Outputs implements Symptomatic.
func (e *evaluation) Outputs() int {
	n := 0
	for _, u := range e.units {
		n += len(u.hypotheses)
	}
	return n
}

// A SymptomCount is how often a symptom was found in the outputs for one task.
type SymptomCount struct {
	Kind     symptoms.Kind
	Task     string
	Found    int // outputs, or talks where it is of talks
	Outputs  int // all there are for the task
	Examples []string
}

// examples is how many a SymptomCount names.
const examples = 5

// Symptoms implements Symptomatic. Only what was found is listed, by kind in
// the order of symptoms.Kinds, then by task.
func (e *evaluation) Symptoms() []SymptomCount {
	var counts []SymptomCount
	for _, kind := range symptoms.Kinds {
		for _, task := range []string{ASR, Trans, QA, Sum} {
			c := SymptomCount{Kind: kind.Kind, Task: task}
			for _, u := range e.ofTask(task) {
				c.Outputs += len(u.hypotheses)
				for _, s := range u.symptoms {
					if s.Kind != kind.Kind {
						continue
					}
					c.Found++
					if name := s.Sample; len(c.Examples) < examples {
						if name == "" {
							name = u.ref.IID
						}
						c.Examples = append(c.Examples, name)
					}
				}
			}
			if c.Found > 0 {
				counts = append(counts, c)
			}
		}
	}
	return counts
}

func (e *evaluation) symptomTable() omniscope.Table {
	t := omniscope.Table{Name: "symptoms", Title: "What else went wrong",
		Columns: []string{"symptom", "task", "found", "of", "share", "such as"}, Numbers: []int{2, 3, 4}}
	for _, c := range e.Symptoms() {
		t.Rows = append(t.Rows, append(append([]string{string(c.Kind), c.Task}, numbers(c.Found, c.Outputs)...),
			percent(float64(c.Found)/float64(max(c.Outputs, 1))), strings.Join(c.Examples, ", ")))
	}
	t.Note = "signs found in the texts, beside the scores and no part of them (`omniscope list symptoms`); units.jsonl has each with its evidence"
	return t
}
