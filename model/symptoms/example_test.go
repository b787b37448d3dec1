package symptoms_test

import (
	"fmt"
	"slices"
	"strings"

	"omniscope/model/symptoms"
)

// Answers to "What does the man hold?", as broken models give them. The first kinds are
// signs of a faulty set-up, such as a wrong chat template; the others are signs of the model.
func ExampleFind() {
	setup := []symptoms.Kind{symptoms.Thinking, symptoms.PromptEcho, symptoms.Timestamps, symptoms.ReplacementCharacters}
	model := []symptoms.Kind{symptoms.Repetition, symptoms.FixedAnswer, symptoms.Chatter}
	for _, answer := range []string{
		"A red cup.",
		"<think>The man holds something.</think> A red cup.",
		strings.Repeat("a red cup and ", 40),
		"A red c\ufffdp.",
	} {
		for _, s := range symptoms.Find(symptoms.Given{Text: answer, Lang: "en", Task: symptoms.QA, Prompt: "What does the man hold?"}) {
			fmt.Println(s.Kind, slices.Contains(setup, s.Kind), slices.Contains(model, s.Kind))
		}
	}
	// Output:
	// thinking true false
	// repetition false true
	// replacement-characters true false
}
