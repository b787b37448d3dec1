package mcif

import (
	"cmp"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/model/symptoms"
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
			if ofWhole(s.Kind) {
				add("", s)
			}
		}
	}
	return out
}

// Outputs counts the outputs that there are for the units.
func (e *evaluation) Outputs() int {
	n := 0
	for _, u := range e.units {
		n += len(u.hypotheses)
	}
	return n
}

// Whole counts the talks, answers and summaries of which all outputs are there.
func (e *evaluation) Whole() int {
	n := 0
	for _, u := range e.units {
		if u.whole() {
			n++
		}
	}
	return n
}

func (u *unit) whole() bool { return len(u.missing) == 0 && len(u.hypotheses) > 0 }

// ofWhole reports whether a symptom is of talks, answers and summaries as they
// are scored, rather than of single outputs: a segment has no reference of its
// own to be too long or too short for.
func ofWhole(kind symptoms.Kind) bool {
	return kind == symptoms.UnderGeneration || kind == symptoms.OverGeneration
}

// A symptomCount is how often a symptom was found in the outputs for one task.
type symptomCount struct {
	Kind     symptoms.Kind
	Task     string
	Found    int
	Of       int    // in how many it could have been found
	What     string // that were counted: talks, or outputs
	Examples []string
}

// examples is how many a symptomCount names.
const examples = 5

// Symptoms are what the system did wrong apart from scores. Only what was found is listed, by kind in
// the order of symptoms.Kinds, then by task.
func (e *evaluation) Symptoms() []symptomCount {
	var counts []symptomCount
	for _, kind := range symptoms.Kinds {
		for _, task := range macroTasks {
			if c := e.symptomsOf(kind.Kind, task); c.Found > 0 {
				counts = append(counts, c)
			}
		}
	}
	return counts
}

func (e *evaluation) symptomsOf(kind symptoms.Kind, task string) symptomCount {
	c := symptomCount{Kind: kind, Task: task, What: "outputs"}
	if ofWhole(kind) && (task == asr || task == trans) {
		c.What = "talks"
	}
	for _, u := range e.ofTask(task) {
		if !ofWhole(kind) {
			c.Of += len(u.hypotheses)
		} else if u.whole() {
			c.Of++
		}
		for _, s := range u.symptoms {
			if s.Kind != kind {
				continue
			}
			c.Found++
			if len(c.Examples) < examples {
				c.Examples = append(c.Examples, cmp.Or(s.Sample, u.ref.IID))
			}
		}
	}
	return c
}

func (e *evaluation) symptomTable() omniscope.Table {
	t := omniscope.Table{Name: "symptoms", Title: "What else went wrong",
		Columns: []string{"symptom", "task", "found", "of", "counted", "share", "such as"}, Numbers: []int{2, 3, 5},
		Note: "signs found in the texts, beside the scores and no part of them (`omniscope docs symptoms`); units.jsonl has each with its evidence"}
	for _, c := range e.Symptoms() {
		t.Rows = append(t.Rows, []string{string(c.Kind), c.Task, strconv.Itoa(c.Found), strconv.Itoa(c.Of), c.What,
			quantity.Percent(float64(c.Found) / float64(max(c.Of, 1))), strings.Join(c.Examples, ", ")})
	}
	return t
}
