package questions

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/model"
)

var update = flag.Bool("update", false, "write the prompts as they are to testdata")

// placeholder is one as prompts have them.
var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

// rendered are all prompts as a model is sent them, about the talk of the tests.
func rendered(t *testing.T) map[string]string {
	t.Helper()
	d, tester := &Drafter{}, &Tester{Runs: 2}
	fixture.OK(t, d.LoadPrompts(nil, ""))
	fixture.OK(t, tester.LoadPrompts(nil, ""))
	out := make(map[string]string)
	add := func(name string, messages []model.Message) {
		if len(messages) != 1 {
			t.Fatalf("%s: %d messages", name, len(messages))
		}
		out[name] = messages[0].Parts[0].Text + "\n"
	}
	whole, heard := sound(t), theTalk(t, false)
	given := givenQuestions([]string{"How many sheep were counted?", "How many farms took part?", "What do the photographs cost?"})
	add("abstract", d.Messages(whole.Talk))
	add("talk", d.TalkMessages(whole.Talk, given))
	add("talk-without-pictures", d.TalkMessages(heard, given))
	change(whole, 7, func(q *draftQuestion) { q.Text = "Does it need a cluster?" })
	for name, number := range map[string]int{"repair-general": 1, "repair": 7} {
		q := whole.find(number)
		found := []Finding{{Check: "closed", Number: number, Text: "Does", Says: "yes or no answers the question"}}
		messages, err := d.repairMessages(whole.Talk, q, found, keepsWords(q, found))
		fixture.OK(t, err)
		add(name, messages)
	}
	for _, one := range tester.Tests(whole.Talk) {
		add(fmt.Sprint(one.Test, "-", one.Run), tester.AnswerMessages(sound(t), one))
	}
	answers := make([]answer, 10)
	for i := range answers {
		answers[i].Text = fmt.Sprintf("Said of %d.", i+1)
	}
	add("grade", tester.GradeMessages(sound(t), answers, []int{0, 5, 7}))
	return out
}

// TestPrompts compares all prompts with those in testdata: what a model is told and shown is what the tests of questions rest on.
func TestPrompts(t *testing.T) {
	for name, text := range rendered(t) {
		path := filepath.Join("testdata", "prompts", name+".txt")
		if *update {
			fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
			fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
		}
		want, err := os.ReadFile(path)
		fixture.OK(t, err)
		if text != string(want) {
			t.Errorf("%s is not as in %s (go test -update writes it):\n%s", name, path, text)
		}
		if strings.Contains(text, "{}") || placeholder.MatchString(text) {
			t.Errorf("%s has a placeholder that is not filled in", name)
		}
	}
}

// TestWhatJudgesAreShown: blind nothing, by sound what is said alone, by sight what is seen alone; and blind in another order each time.
func TestWhatJudgesAreShown(t *testing.T) {
	all := rendered(t)
	const said, seen, abstract = "Goats were left out.", "The last slide shows a cow", "We count sheep in photographs"
	for name, want := range map[string][3]bool{"blind-1": {}, "blind-2": {}, "sound-1": {true, false, false}, "sight-1": {false, true, false}, "abstract": {false, false, true}, "talk": {true, true, true}, "talk-without-pictures": {true, false, true}, "repair": {true, true, false}} {
		text := all[name]
		if got := [3]bool{strings.Contains(text, said), strings.Contains(text, seen), strings.Contains(text, abstract)}; got != want {
			t.Errorf("%s shows what is said, seen and in the abstract: %v, want %v", name, got, want)
		}
	}
	if strings.Contains(all["blind-1"], "Do not guess") || !strings.Contains(all["blind-1"], "best guess") || !strings.Contains(all["sound-1"], "do not guess") {
		t.Error("who is asked blindly has to guess, and nobody else")
	}
	if all["blind-1"] == all["blind-2"] {
		t.Error("the second blind run is the first again")
	}
	without := all["talk-without-pictures"]
	for _, word := range []string{"- V:", " AV", `"AV"`, `"V"`, "S1"} {
		if strings.Contains(without, word) {
			t.Errorf("without pictures the prompt speaks of %s", word)
		}
	}
}

// TestOrders: no run has the order of an earlier one, whatever the number of questions.
func TestOrders(t *testing.T) {
	for _, n := range []int{3, 7, 10, 14, 21} {
		seen := make(map[string]int)
		for run := 1; run <= 5; run++ {
			text := numbered(shuffled(sound(t).Questions[:min(n, 10)], "sheep", run))
			if seen[text] != 0 {
				t.Errorf("%d questions: runs %d and %d have the same order", n, seen[text], run)
			}
			seen[text] = run
		}
	}
	if one := shuffled(sound(t).Questions[:1], "sheep", 3); len(one) != 1 {
		t.Errorf("one question: %v", one)
	}
}
