package dream

import (
	"fmt"
	"strings"

	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/model/judge"
)

// An examined is a description with events and the known answer for each: entailed or not.
type examined struct {
	description string
	events      []string
	entailed    []bool // what is not may be neutral or a contradiction: both count the same
}

const (
	yard  = "A boy in a red shirt kicks a ball over the fence. An old man picks it up, smiles, and throws it back. The boy waves and runs into the house."
	train = "A train stops at a small station at night. Three passengers get off, and a guard blows a whistle. The train leaves without anybody getting on."
)

// relationExam are events that a description clearly entails, or clearly does not.
var relationExam = []examined{
	{yard, []string{"A boy kicks a ball over the fence.", "A girl climbs a tree."}, []bool{true, false}},
	{yard, []string{"An old man throws the ball back.", "An old man keeps the ball.", "The boy waves."}, []bool{true, false, true}},
	{yard, []string{"A dog chases the boy.", "The boy runs into the house."}, []bool{false, true}},
	{yard, []string{"The boy stays in the yard.", "A man picks up a ball.", "A woman opens a window."}, []bool{false, true, false}},
	{train, []string{"A train stops at a station.", "A plane lands."}, []bool{true, false}},
	{train, []string{"Many people get on the train.", "A guard blows a whistle."}, []bool{false, true}},
	{train, []string{"Passengers get off the train.", "The train leaves.", "The guard sells tickets."}, []bool{true, true, false}},
	{train, []string{"The train never stops.", "Three people leave the train.", "A child cries."}, []bool{false, true, false}},
}

// extractExam are captions with a word of each event.
var extractExam = []struct {
	caption string
	words   []string
}{
	{"A dog jumps over a fence. After that, a man throws a ball.", []string{"jump", "throw"}},
	{"A baker opens the oven, and a customer drops a coin. A bell rings.", []string{"oven", "coin", "bell"}},
}

// exam has the judge relate known events, and find the events of captions.
func exam(a *captions.Asking) (items []bench.ExamItem) {
	ask := func(q judge.Question[[]string], right func([]string) bool) {
		q.Step = fmt.Sprintf("exam-%02d", len(items)+1)
		items = append(items, bench.NewExamItem(a.Judge, q, right))
	}
	for _, e := range relationExam {
		ask(judge.Question[[]string]{Messages: relateMessages(a, lower(e.description), e.events), Schema: relationSchema,
			Read: func(reply string) ([]string, error) { return readRelations(reply, e.events) }},
			func(found []string) bool {
				for i, r := range found {
					if (r == relations[0]) != e.entailed[i] {
						return false
					}
				}
				return true
			})
	}
	for _, e := range extractExam {
		ask(judge.Question[[]string]{Messages: extractMessages(a, e.caption), Schema: eventSchema, Read: readEvents},
			func(found []string) bool {
				all := strings.ToLower(strings.Join(found, "\n"))
				for _, w := range e.words {
					if !strings.Contains(all, w) {
						return false
					}
				}
				return len(found) >= len(e.words) && len(found) <= 10 // the prompt allows ten
			})
	}
	return items
}
