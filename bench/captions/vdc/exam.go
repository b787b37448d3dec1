package vdc

import (
	"fmt"

	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/model/judge"
)

// An examined is a question with a known verdict.
type examined struct {
	question, answer, response string
	yes                        bool
}

// examination are answers that clearly mean what the right answer does, or clearly do not.
var examination = []examined{
	{"What color is the car?", "red", "The car is red.", true},
	{"What color is the car?", "red", "The car is blue.", false},
	{"How many people are at the table?", "three", "There are 3 people.", true},
	{"How many people are at the table?", "three", "Seven people sit there.", false},
	{"Where does the man sit?", "on a beach", "He is sitting on the sand by the sea.", true},
	{"Where does the man sit?", "on a beach", "In an office.", false},
	{"What does the woman do?", "She plays the violin.", "She performs on a violin.", true},
	{"What does the woman do?", "She plays the violin.", "The description does not say.", false},
	{"What animal crosses the road?", "a kitten", "A young cat.", true},
	{"Is the window open or closed?", "It is closed.", "It is open.", false},
}

// exam has the judge, not the answerer, judge known answers.
func exam(a *captions.Asking) (items []bench.ExamItem) {
	for i, e := range examination {
		c := &captions.Clip[[]question]{ID: fmt.Sprintf("exam-%02d", i+1), Facts: []question{{Text: e.question, Answer: e.answer}}}
		items = append(items, bench.NewExamItem(a.Judge, judge.Question[verdict]{Step: step(c, 0) + "/judge", Messages: judgeMessages(a, c, 0, e.response), Schema: schema, Read: read},
			func(v verdict) bool { return v.yes == e.yes }))
	}
	return items
}
