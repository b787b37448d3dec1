package bench_test

import (
	"slices"
	"testing"

	"github.com/tidwall/gjson"

	"omniscope/bench"
)

// train is a sample, and rowOf a row of answers to it in the forms that programs write.
var train = bench.Asked{Question: "What is heard first?", Options: []string{"a kettle", "a drill", "a flute", "a goose"}, Key: "B", Media: []string{"audio/q1.wav"}}

var recordings = map[string]bool{"q1": true, "q2": true}

// TestRowsComparedWithSamples compares the repeated question of a row with the benchmark's file, in all
// forms of rows.
func TestRowsComparedWithSamples(t *testing.T) {
	for _, c := range []struct {
		name, row, contradiction string
		order                    []int
	}{
		{name: "says nothing", row: `{"id": "q1", "answer": "C"}`},
		{name: "says the same", row: `{"question": "what is  heard FIRST?", "choices": ["a kettle", "a drill", "a flute", "a goose"], "answer": "a drill"}`},
		{name: "options with letters", row: `{"options": ["A. a kettle", "B. a drill", "C. a flute", "D. a goose"], "answer": "B"}`},
		{name: "options with letters in brackets", row: `{"options": ["(A) a kettle", "(B) a drill", "(C) a flute", "(D) a goose"], "answer": "(B) a drill"}`},
		{name: "options as an object", row: `{"Options": {"A": "a kettle", "B": "a drill", "C": "a flute", "D": "a goose"}, "GT": "B"}`},
		{name: "options in columns", row: `{"question": "What is heard first?", "A": "a kettle", "B": "a drill", "C": "a flute", "D": "a goose", "answer": "B"}`},
		{name: "a prompt around the question", row: `{"question": "Listen. What is heard first? Reply with a letter."}`},
		{name: "other punctuation", row: "{\"question\": \"What is heard, first\", \"choices\": [\"A kettle.\", \"a\u00a0drill\", \"a flute\", \"a goose.\"], \"answer\": \"a drill.\"}"},
		{name: "something in the place of a question", row: `{"question": "x", "answer": "B"}`},
		{name: "a longer question", row: `{"question": "What is heard first, and what then?"}`, contradiction: "another question"},
		{name: "another question", row: `{"question": "What is heard last?"}`, contradiction: "another question"},
		{name: "another option", row: `{"choices": ["a kettle", "a drill", "a flute", "a duck"]}`, contradiction: "other options"},
		{name: "an option more", row: `{"choices": ["a kettle", "a drill", "a flute", "a goose", "none"]}`, contradiction: "other options"},
		{name: "options in another order", row: `{"choices": ["a flute", "a kettle", "a goose", "a drill"], "target": "D"}`, order: []int{2, 0, 3, 1}},
		{name: "columns in another order", row: `{"A": "a drill", "B": "a kettle", "C": "a flute", "D": "a goose", "answer": "A"}`, order: []int{1, 0, 2, 3}},
		{name: "a list as Python writes it into a table", row: `{"choices": "['a flute', 'a kettle', 'a goose', \"a drill\"]", "answer": "a drill"}`, order: []int{2, 0, 3, 1}},
		{name: "a list as JSON in a table", row: `{"options": "[\"A. a kettle\", \"B. a drill\", \"C. a flute\", \"D. a duck\"]"}`, contradiction: "other options"},
		{name: "another key by letter", row: `{"choices": ["a kettle", "a drill", "a flute", "a goose"], "answer": "C"}`, contradiction: "another right answer"},
		{name: "another key by words", row: `{"question": "What is heard first?", "answer": "a flute"}`, contradiction: "another right answer"},
		{name: "another key alone", row: `{"id": "q1", "gold": "C"}`, contradiction: "another right answer"},
		{name: "texts and labels in another order", row: `{"choices": {"text": ["a flute", "a kettle", "a goose", "a drill"], "label": ["A", "B", "C", "D"]}, "target": "D"}`, order: []int{2, 0, 3, 1}},
		{name: "another key in another order", row: `{"choices": ["a flute", "a kettle", "a goose", "a drill"], "target": "A"}`, contradiction: "another right answer"},
		{name: "a key as a number, from 0 or from 1", row: `{"choices": ["a kettle", "a drill", "a flute", "a goose"], "answer": 0}`},
		{name: "a key outside the options", row: `{"question": "What is heard first?", "answer": "because"}`},
		{name: "a file name of the user's own", row: `{"audio": "/tmp/cache/8f3a.wav"}`},
		{name: "another recording of the benchmark", row: `{"audio_path": "x/q2.flac"}`, contradiction: "another recording"},
		{name: "its recording elsewhere", row: `{"audio_path": "x/q1.flac"}`},
	} {
		row := bench.AskedIn(gjson.Parse(c.row), "response")
		got := train.Compare(&row, recordings)
		if got.Contradiction != c.contradiction || c.contradiction == "" && !slices.Equal(got.Order, c.order) {
			t.Errorf("%s: %q %v, want %q %v", c.name, got.Contradiction, got.Order, c.contradiction, c.order)
		}
	}
}

// TestKeyThatIsALetterAndAnOption: among chords the right answer "C" may be a letter or a chord, and contradicts nothing.
func TestKeyThatIsALetterAndAnOption(t *testing.T) {
	chords := bench.Asked{Question: "Which chord?", Options: []string{"C", "F", "G"}, Key: "A"}
	for key, contradicts := range map[string]bool{"C": false, "A": false, "F": true, "B": true} {
		row := bench.Asked{Question: "Which chord?", Options: []string{"C", "F", "G"}, Key: key}
		if got := chords.Compare(&row, nil); (got.Contradiction != "") != contradicts {
			t.Errorf("%s: %+v", key, got)
		}
	}
}

// TestLettersOfAnotherOrder: a letter means the option that its row shows under it.
func TestLettersOfAnotherOrder(t *testing.T) {
	shown, order := []string{"a flute", "a kettle", "a goose", "a drill"}, []int{2, 0, 3, 1}
	for answer, want := range map[string]string{
		"B":                       "A",
		"The answer is (D).":      "B",
		"D. a drill":              "B. a drill",
		"a drill":                 "a drill", // chosen by words, not by letter
		"I cannot tell.":          "I cannot tell.",
		"A or B":                  "A or B",
		"<think>A?</think> **C**": "D",
	} {
		got, clear := bench.Translate(answer, shown, train.Options, order)
		if got != want || !clear {
			t.Errorf("%q: %q, %v, want %q", answer, got, clear, want)
		}
	}
	if got, clear := bench.Translate("B. a drill", shown, train.Options, order); clear {
		t.Errorf("a letter and words that contradict in the row's order, and agree in the file's: %q is taken", got)
	}
}

// TestPromptsShowWhatWasAsked: lettered lines of a prompt are its options.
func TestPromptsShowWhatWasAsked(t *testing.T) {
	a := bench.AskedByPrompt("What is heard first?\nA. a flute\nB. a kettle\nC. a goose\nD. a drill\nReply with the letter.")
	if got := train.Compare(&a, recordings); got.Contradiction != "" || !slices.Equal(got.Order, []int{2, 0, 3, 1}) {
		t.Errorf("%+v", got)
	}
	if a := bench.AskedByPrompt("Describe the clip.\nB. nothing"); a.Question != "" || a.Options != nil {
		t.Errorf("a prompt without options: %+v", a)
	}
}

// TestInWords: a letter alone is written in the words of its option; all other answers stay.
func TestInWords(t *testing.T) {
	options := []string{"a dog", "a train", "rain", "B flat"}
	for answer, want := range map[string]string{
		"B": "a train", "(B)": "a train", "b)": "a train", "The answer is C.": "rain", "<think>A or a train?</think>A": "a dog", "D<|im_end|>": "B flat",
		"B. a train": "a train", "(D) B flat": "B flat", "a train": "", "A. a train": "", "B. a train, I think": "", "A train, not rain": "", "N/A": "", "": "", "A or B": "", "E": "", "<think>B": "", "It could be anything.": "", "B flat": "",
	} {
		got, changed := bench.InWords(answer, options)
		if want == "" && (changed || got != answer) || want != "" && (!changed || got != want) {
			t.Errorf("%q: %q, %v, want %q", answer, got, changed, want)
		}
	}
	if got, changed := bench.InWords("C. Cm", []string{"C", "G", "Cm"}); !changed || got != "Cm" {
		t.Errorf("a letter that is another option: %q, %v", got, changed)
	}
	if got, changed := bench.InWords("B", nil); changed || got != "B" {
		t.Errorf("without options: %q", got)
	}
}
