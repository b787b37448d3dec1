// Package harnesstest writes logs of other harnesses for tests, in the forms that their writers are
// documented to write, with failures of every kind planted among good answers. The writers, all as
// of 2026: lmms-eval lmms_eval/loggers/evaluation_tracker.py (save_results_samples) and
// lmms_eval/evaluator.py; VLMEvalKit vlmeval/inference_video.py, vlmeval/smp/file.py and
// vlmeval/api/base.py; lm-evaluation-harness lm_eval/loggers/evaluation_tracker.py and
// lm_eval/evaluator.py; Inspect src/inspect_ai/log/_log.py, log/_recorders/eval.py and
// model/_model_output.py.
package harnesstest

import (
	"encoding/json"
	"fmt"
	"omniscope/internal/testing/fixture"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
)

// A Planted is a sample whose fate is known.
type Planted struct {
	ID, Video, Question string
	Options             []string
	Gold                int
	Answer              string  // as it stands in the log
	Points              float64 // that the harness gave it
	Kind                Kind
}

// A Kind is a way to be no answer, or an odd one.
type Kind struct {
	Name      string // "" = a good answer
	Text      string // in place of the answer; "" with Keep = the good answer stays
	Keep      bool
	Outcome   omniscope.Outcome
	Suspicion bool
	Points    float64
}

// Good is a good answer.
var Good = Kind{Keep: true, Outcome: omniscope.OK}

const storm = "It sounds like a heavy storm over the sea to me"

// Kinds are those that are planted in the logs of a harness.
var Kinds = map[string][]Kind{
	"lmms-eval": {
		{Name: "request", Text: "[LMMS_EVAL_REQUEST_FAILED after 5 retries] Error code: 429 - {'error': {'message': 'Rate limit reached: B'}}", Outcome: omniscope.Failed, Points: 1},
		{Name: "budget", Text: "[LMMS_EVAL_BUDGET_EXCEEDED]", Outcome: omniscope.Failed},
		{Name: "empty", Text: "", Outcome: omniscope.Abstained, Points: 1},
		{Name: "none", Text: "None", Outcome: omniscope.Failed},
		{Name: "luck", Text: storm, Outcome: omniscope.OK, Suspicion: true, Points: 1},
		{Name: "filled", Keep: true, Outcome: omniscope.OK, Suspicion: true},
		{Name: "blind", Text: "I'm sorry, but no image was provided.", Outcome: omniscope.OK, Suspicion: true},
	},
	"vlmevalkit": {
		{Name: "request", Text: "Failed to obtain answer via API.", Outcome: omniscope.Failed, Points: 1},
		{Name: "turns", Text: "Failed to obtain answer via API.: Failed with all possible conversation turns.", Outcome: omniscope.Failed},
		{Name: "empty", Text: "", Outcome: omniscope.Abstained},
		{Name: "none", Text: "None", Outcome: omniscope.Failed},
		{Name: "nan", Text: "nan", Outcome: omniscope.Failed},
		{Name: "rejected", Keep: true, Outcome: omniscope.OK, Suspicion: true, Points: -1},
		{Name: "luck", Text: storm, Outcome: omniscope.OK, Suspicion: true, Points: 1},
	},
	"lm-eval": {
		{Name: "empty", Text: "", Outcome: omniscope.Abstained},
		{Name: "none", Text: "None", Outcome: omniscope.Failed},
		{Name: "luck", Text: storm, Outcome: omniscope.OK, Suspicion: true, Points: 1},
	},
	"inspect": {
		{Name: "error", Keep: true, Outcome: omniscope.Failed},
		{Name: "limit", Keep: true, Outcome: omniscope.Truncated},
		{Name: "max_tokens", Keep: true, Outcome: omniscope.Truncated, Points: 1},
		{Name: "model_length", Keep: true, Outcome: omniscope.Truncated},
		{Name: "content_filter", Text: "I can't help with that.", Outcome: omniscope.Refused},
		{Name: "tool_calls", Text: "tool call for tool bash", Outcome: omniscope.Unparsed},
		{Name: "no output", Text: "", Outcome: omniscope.Failed},
		{Name: "invalidated", Keep: true, Outcome: omniscope.Failed},
		{Name: "empty", Text: "", Outcome: omniscope.Abstained},
		{Name: "luck", Text: storm, Outcome: omniscope.OK, Suspicion: true, Points: 1},
	},
}

// samples is how many a set has; a kind is planted at every step-th of them, from the start-th.
const samples, start, step = 100, 3, 5

// A Set is a benchmark's file, answers to it and what was planted among them.
type Set struct {
	Bench, Data string
	Planted     []Planted
}

// Plant writes a benchmark's file into a folder and plants the kinds, those of them that ask for a
// choice only where the benchmark does.
func Plant(t testing.TB, dir, bench string, kinds []Kind) *Set {
	t.Helper()
	set := &Set{Bench: bench, Data: filepath.Join(dir, bench+"-data.json")}
	for n := range samples {
		set.Planted = append(set.Planted, question(bench, n))
	}
	if bench == "omni-cloze" || bench == "vdc" {
		kinds = withoutChoice(kinds)
	}
	for k, at := 0, start; at < samples && len(kinds) > 0; k, at = k+1, at+step {
		p := &set.Planted[at]
		p.Kind = kinds[k%len(kinds)]
		if !p.Kind.Keep {
			p.Answer = p.Kind.Text
		}
		p.Points = p.Kind.Points
	}
	File(t, set.Data, dataOf(set))
	return set
}

func withoutChoice(kinds []Kind) (out []Kind) {
	for _, k := range kinds {
		if k.Name != "luck" {
			out = append(out, k)
		}
	}
	return out
}

// question is the n-th question, with a good answer in one of the forms that models write.
func question(bench string, n int) Planted {
	p := Planted{ID: fmt.Sprintf("q-%03d", n), Video: fmt.Sprintf("clip%02d", n/2), Question: fmt.Sprintf("What is heard at second %d?\nOf all?", n), Options: []string{"a dog", "a cat", "a bell", "a drum"}, Gold: n % 4, Kind: Good}
	chosen := n % 4
	if n%3 == 0 {
		chosen = (n + 1) % 4
	}
	letter := string(rune('A' + chosen))
	p.Answer = []string{letter, "(" + letter + ")", letter + ". " + p.Options[chosen], "The answer is " + letter + "."}[n/3%4]
	if p.Gold == chosen {
		p.Points = 1
	}
	switch bench {
	case "worldsense":
		p.ID = fmt.Sprintf("%s/task%d", p.Video, n%2)
	case "omni-cloze", "vdc":
		p.Video = p.ID
		p.Answer = fmt.Sprintf("A film with \"quotes\",\ttabs and\nlines, in which there is %s.", p.Options[chosen])
	}
	return p
}

// dataOf is the benchmark's file.
func dataOf(set *Set) string {
	var rows []any
	keyed := make(map[string]map[string]any)
	for n, p := range set.Planted {
		lettered := make([]string, len(p.Options))
		for i, o := range p.Options {
			lettered[i] = string(rune('A'+i)) + ". " + o
		}
		letter := string(rune('A' + p.Gold))
		switch set.Bench {
		case "mmau":
			rows = append(rows, map[string]any{"id": p.ID, "audio_id": p.Video + ".wav", "question": p.Question, "choices": p.Options, "answer": p.Options[p.Gold], "task": "sound", "difficulty": "easy"})
		case "mmar":
			rows = append(rows, map[string]any{"id": p.ID, "audio_path": "./audio/" + p.Video + ".wav", "question": p.Question, "choices": p.Options, "answer": p.Options[p.Gold], "modality": "sound", "category": "Signal Layer"})
		case "video-mme":
			rows = append(rows, map[string]any{"question_id": p.ID, "video_id": p.Video, "videoID": p.Video, "duration": "short", "domain": "Knowledge", "task_type": "OCR", "question": p.Question, "options": lettered, "answer": letter})
		case "worldsense":
			if keyed[p.Video] == nil {
				keyed[p.Video] = map[string]any{"duration": "<1min", "domain": "Music", "sub_category": "Live", "audio_class": []string{"Speech"}}
			}
			keyed[p.Video][fmt.Sprintf("task%d", n%2)] = map[string]any{"task_domain": "Recognition", "task_type": "Counting", "question": p.Question, "candidates": lettered, "answer": letter}
		case "omni-cloze":
			rows = append(rows, map[string]any{"uuid": p.ID, "video_path": p.Video + ".mp4", "metadata": map[string]string{"category": "Life", "subcategory": "Street"}, "cloze": map[string]any{
				"passage": "There is [BLANK_1].", "blanks": []any{map[string]any{"number": 1, "options": []string{"A: a dog", "B: a cat", "C: a bell", "D: a drum", "E: not given"}, "answer_key": letter, "required_modality": "audio"}}}})
		case "vdc":
			rows = append(rows, map[string]any{p.ID: []any{map[string]string{"question": "What is there?", "answer": p.Options[p.Gold], "category": "object"}}})
		}
	}
	if set.Bench == "worldsense" {
		return text(keyed)
	}
	return lines(rows)
}

// Own writes the answers that are OK as predictions of our own form.
func (set *Set) Own(t testing.TB, path string) {
	t.Helper()
	fields := map[string][2]string{"mmau": {"id", "model_output"}, "mmar": {"id", "answer_prediction"}, "video-mme": {"question_id", "response"}, "worldsense": {"id", "answer"}, "omni-cloze": {"uuid", "predicted_caption"}, "vdc": {"video", "caption"}}[set.Bench]
	var rows []any
	for _, p := range set.Planted {
		if p.Kind.Outcome == omniscope.OK || p.Kind.Outcome == omniscope.Abstained {
			rows = append(rows, map[string]string{fields[0]: p.ID, fields[1]: p.Answer})
		}
	}
	File(t, path, lines(rows))
}

func text(v any) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func lines(rows []any) string {
	var out strings.Builder
	for _, r := range rows {
		out.WriteString(text(r) + "\n")
	}
	return out.String()
}

// File writes a file and returns its path.
func File(t testing.TB, path, content string) string { return fixture.FileIn(t, "", path, content) }
