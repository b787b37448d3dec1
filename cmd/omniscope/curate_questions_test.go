package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/people"
	"omniscope/people/mcif"
)

const mcifDraftsProject = `recipe: mcif-drafts
sources: talks.jsonl
settings:
  seen: {detective: offline, tools: scene}
  draft: {drafter: scripted/drafter.json, rounds: 1}
  test: {judge: scripted/judge.json, blind-runs: 1}
  questions: {language: [de, it, zh]}
  segments: {detector: energy, max: 3}
  build: {include-text: true, threshold-short-audio: 100, include-video: true}
`

// draftedTalk are scripts of a model that drafts ten questions about mcifTalk and of a judge. The drafter's seventh question
// has a fault that it mends, its eleventh one that it does not; the judge guesses the eighth.
func draftedTalk(t *testing.T) (drafter, judge string) {
	t.Helper()
	script := func(steps map[string]any) string {
		out := map[string][]string{}
		for step, reply := range steps {
			text, err := json.Marshal(reply)
			fixture.OK(t, err)
			out[step] = []string{string(text)}
		}
		text, err := json.Marshal(out)
		fixture.OK(t, err)
		return string(text)
	}
	type said map[string]any
	answer := func(n int, label string, from ...string) said {
		return said{"number": n, "question": fmt.Sprintf("What is thing %c?", 'a'+n), "answer": fmt.Sprintf("It is number %c of all.", 'a'+n), "label": label, "from": from}
	}
	given := []said{answer(1, "AV", "T1", "S2"), answer(2, "AV", "T1", "S2"), answer(3, "AV", "T1", "S2"), answer(4, "AV", "T1", "S2"), answer(5, "AV", "T1", "S2"), {"number": 6, "answer": "", "label": "NA", "from": []string{}}}
	faulty := answer(7, "A", "T1")
	faulty["question"] = "Is it a tone?"
	further := []said{faulty, answer(8, "A", "T1"), answer(9, "V", "S2"), answer(10, "V", "S2"), {"question": "Was it heard?", "answer": "It was heard at once.", "label": "A", "from": []string{"T1"}}}
	drafter = script(map[string]any{
		"1/abstract": said{"questions": []string{"What is shown?", "When does it stop?", "Why does it go on?"}},
		"1/talk":     said{"given": given, "further": further},
		"1/repair/7": answer(7, "A", "T1"), "1/repair/11": said{"question": "Was it heard then?", "answer": "It was heard at once.", "label": "A", "from": []string{"T1"}},
	})
	answers := func(known ...int) said {
		out := said{}
		for n := 1; n <= 10; n++ {
			out[fmt.Sprint(n)] = "NONE"
		}
		for _, n := range known {
			out[fmt.Sprint(n)] = "It is known."
		}
		return out
	}
	right := func(known ...int) said {
		out := said{}
		for _, n := range known {
			out[fmt.Sprint(n)] = "right"
		}
		return out
	}
	judge = script(map[string]any{
		"1/blind/answer": answers(8), "1/blind/grade": right(8),
		"1/sound/answer": answers(1, 2, 3, 4, 5, 7, 8), "1/sound/grade": right(1, 2, 3, 4, 5, 7, 8),
		"1/sight/answer": answers(1, 2, 3, 4, 5, 9, 10), "1/sight/grade": right(1, 2, 3, 4, 5, 9, 10),
	})
	return drafter, judge
}

// TestLongCurateMCIFDrafts builds a test set of a talk from drafts: a model asks, another answers without the talk, and people accept
// what is proposed, seeing what was found. Every command is run twice, as after a crash.
func TestLongCurateMCIFDrafts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "talks")
	runProgram(t, 0, "curate", "init", dir, "--recipe", "mcif-drafts")
	drafter, judge := draftedTalk(t)
	writeFiles(t, dir, map[string]string{"curate.yaml": mcifDraftsProject, "talks.jsonl": mcifTalk + "\n", "drafter.json": drafter, "judge.json": judge})
	filmTalk(t, dir)
	t.Chdir(dir) // the scripts of models are named from here
	for range 2 {
		has(t, runProgram(t, 0, "curate", "run", dir), "step questions waits for people")
	}
	text, err := os.ReadFile(filepath.Join(dir, "steps", "test", "questions.jsonl"))
	fixture.OK(t, err)
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(rows) != 10 || !strings.Contains(rows[7], `"guessable: it is answered right without the talk (in 1 of 1 runs)"`) || strings.Contains(rows[6], "tone?") {
		t.Fatalf("%d questions:\n%s", len(rows), text)
	}
	if said := runProgram(t, 0, "curate", "status", dir); !regexp.MustCompile(`(?m)^ *draft .* done +10 +1$`).MatchString(said) {
		t.Error(said)
	}
	traced := runProgram(t, 0, "curate", "trace", dir, "1")
	has(t, traced, "steps/draft/questions.jsonl", "steps/draft/rejected.jsonl", "steps/draft/drafts.jsonl", "steps/test/tested.jsonl", "Was it heard then?")
	shown := map[string]int{}
	accept := func(stage string, c *people.WorkItem, answers map[string]people.Value) {
		form, err := mcif.Kind{}.Form(c)
		fixture.OK(t, err)
		for _, s := range form.Sections {
			for _, card := range s.Cards {
				for _, text := range card.Texts {
					if strings.HasPrefix(text.Body, "guessable: ") {
						shown[stage]++
					}
				}
			}
		}
		if stage == "verify" {
			askQuestions(stage, c, answers)
		}
	}
	workers := &staff{roles: map[people.ProjectRole][]string{people.Annotator: {"ann", "ben", "cas"}}, say: accept}
	workers.do(t, filepath.Join(dir, "steps", "questions", "project"))
	if fmt.Sprint(shown) != "map[questions:1]" {
		t.Errorf("people see that a question can be guessed at %v", shown)
	}
	for range 2 {
		has(t, runProgram(t, 0, "curate", "run", dir), "all steps of")
	}
	set, err := os.ReadFile(filepath.Join(dir, "steps", "build", "MCIF1.0.IF.long.en.ref.xml"))
	if err != nil || !strings.Contains(string(set), "It is number h of all.") {
		t.Errorf("the set lacks a drafted answer: %v", err)
	}
}
