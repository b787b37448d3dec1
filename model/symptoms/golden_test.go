package symptoms

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// The published outputs of MCIF for English, German and Chinese with the fixed
// prompts; those with mixed prompts have nothing new. Nobody has labelled them: the test shows what is found, and asserts
// what reading them leaves no doubt of.
const (
	published = "mcif/outputs"
	sampleMap = "mcif/sample_map.csv"
	prompts   = "mcif/prompts.json"
)

// An answer is one published sample and where it comes from.
type answer struct {
	system, track, lang, id, task string
	text                          string
}

func (a *answer) sample() string { return a.track + " " + a.lang + " " + a.id }

func TestPublishedOutputs(t *testing.T) {
	answers := readPublished(t)
	references, fixed := substitutes(answers), fixedPrompts(t)
	counts := make(map[string]map[Kind]int)
	for _, a := range answers {
		g := Given{Text: a.text, Lang: a.lang, Task: a.task, Reference: references[a.sample()], Prompt: fixed[a.lang+a.task]}
		found := Find(g)
		key := a.system + " " + a.track + " " + a.lang
		if counts[key] == nil {
			counts[key] = make(map[Kind]int)
		}
		counts[key]["samples"]++
		for _, s := range found {
			counts[key][s.Kind]++
		}
		checkAnswer(t, a, found)
	}
	t.Log("\n" + table(counts))
	checkCounts(t, counts)
}

// checkAnswer asserts what is known of single answers.
func checkAnswer(t *testing.T, a *answer, found []Symptom) {
	t.Helper()
	has := func(k Kind) bool { return slices.ContainsFunc(found, func(s Symptom) bool { return s.Kind == k }) }
	if len([]rune(a.text)) > 40000 && !has(Repetition) { // blanks and dashes without end
		t.Errorf("%s %s %s: %d characters and no loop", a.system, a.track, a.id, len([]rune(a.text)))
	}
	if n := strings.Count(a.text, "\ufffd"); n > 0 && !has(ReplacementCharacters) && !has(Empty) {
		t.Errorf("%s %s: %d broken characters not found", a.system, a.id, n)
	}
	if a.text == "" && !has(Empty) {
		t.Errorf("%s %s: empty, and not found", a.system, a.id)
	}
}

// checkCounts asserts what is known of systems.
func checkCounts(t *testing.T, counts map[string]map[Kind]int) {
	t.Helper()
	for _, c := range []struct {
		key       string
		kind      Kind
		low, high float64 // share of the samples
	}{
		{"granite short de", WrongLanguage, 0.95, 0.98}, // it ignores the language
		{"granite long de", WrongLanguage, 0.90, 0.96},
		{"granite short en", WrongLanguage, 0, 0.001},
		{"qwen3 long en", WrongLanguage, 0, 0},
		{"qwen3 long de", WrongLanguage, 0.27, 0.30}, // summaries in English
		{"qwen3 long de", Repetition, 0, 0},
		{"qwen3 long zh", Repetition, 0, 0},
		{"qwen3 long zh", Chatter, 0, 0},
		{"phi_multimodal short en", WrongLanguage, 0, 0},
		{"phi_multimodal short en", Chatter, 0, 0},
		{"phi_multimodal short en", Refusal, 0, 0},
		{"granite short en", Refusal, 0, 0},
		{"qwen_omni short zh", Chatter, 0.2, 0.3}, // it offers to answer other questions
		{"llava_next_video short zh", ReplacementCharacters, 0.2, 0.25},
		{"gemini short de", Thinking, 0.005, 0.02},
	} {
		n := counts[c.key]
		if share := float64(n[c.kind]) / float64(n["samples"]); !(share >= c.low && share <= c.high) {
			t.Errorf("%s: %d of %d have %s, not %v to %v", c.key, n[c.kind], n["samples"], c.kind, c.low, c.high)
		}
	}
}

func table(counts map[string]map[Kind]int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s %7s", "", "samples")
	for _, k := range Kinds {
		fmt.Fprintf(&b, " %8.8s", k.Kind)
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "\n%-28s %7d", key, counts[key]["samples"])
		for _, k := range Kinds {
			fmt.Fprintf(&b, " %8d", counts[key][k.Kind])
		}
	}
	return b.String()
}

// substitutes takes the place of references: for each sample the text of a
// system that does its task well.
func substitutes(answers []*answer) map[string]string {
	texts := make(map[string]string)
	for _, a := range answers {
		var system string
		switch {
		case a.track == "short":
			system = "phi_multimodal"
		case a.task == asr || a.task == sum:
			system = "gemini"
		default:
			system = "qwen3"
		}
		if a.system == system {
			texts[a.sample()] = a.text
		}
	}
	return texts
}

// readPublished reads all outputs, in the order of their names.
func readPublished(t *testing.T) (answers []*answer) {
	t.Helper()
	folder := golden.Path(t, published)
	tasks := readTasks(t)
	paths, err := filepath.Glob(folder + "/*/*/*_fixed_*.xml.gz")
	if err != nil || len(paths) == 0 {
		t.Fatal("no outputs in ", published, err)
	}
	for _, path := range paths {
		// modality_track_language_prompts_system_output.xml.gz; Gemini may lack the system.
		part := strings.Split(strings.TrimSuffix(filepath.Base(path), "_output.xml.gz"), "_")
		system := strings.Join(part[4:], "_")
		if system == "" || strings.HasPrefix(system, "gemini_") {
			system = "gemini"
		}
		for _, s := range readSamples(t, path) {
			answers = append(answers, &answer{
				system: system, track: part[1], lang: part[2], id: s.ID, task: tasks[part[1]+s.ID], text: strings.TrimSpace(s.Text),
			})
		}
	}
	return answers
}

type sample struct {
	ID   string `xml:"id,attr"`
	Text string `xml:",chardata"`
}

func readSamples(t *testing.T, path string) []sample {
	t.Helper()
	f, err := os.Open(path)
	fixture.OK(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	fixture.OK(t, err)
	var set struct {
		Samples []sample `xml:"task>sample"`
	}
	if err := xml.NewDecoder(z).Decode(&set); err != nil {
		t.Fatal(path, err)
	}
	return set.Samples
}

// readTasks returns the task of each sample, by track and id.
func readTasks(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open(golden.Path(t, sampleMap))
	fixture.OK(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	fixture.OK(t, err)
	tasks := make(map[string]string)
	for _, row := range rows[1:] {
		tasks[row[0]+row[1]] = row[2]
	}
	return tasks
}

// fixedPrompts returns the fixed prompts, by language and task.
func fixedPrompts(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(golden.Path(t, prompts))
	fixture.OK(t, err)
	var file struct {
		Prompts map[string]map[string]struct{ Fixed string }
	}
	fixture.OK(t, json.Unmarshal(text, &file))
	fixed := make(map[string]string)
	for lang, tasks := range file.Prompts {
		for task, p := range tasks {
			if task == "REC" {
				task = asr
			}
			fixed[lang+task] = p.Fixed
		}
	}
	return fixed
}
