package m3bench

import (
	"fmt"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/model/judge"
)

// An examined is an answer with a known verdict.
type examined struct {
	question, right, answer string
	verdict                 omniscope.Verdict
}

// examination are answers from which the right answer clearly follows, or clearly does not.
var examination = []examined{
	{"Who repairs the bicycle?", "Anna", "It is Anna who repairs it.", omniscope.Correct},
	{"Who repairs the bicycle?", "Anna", "Her brother Tom repairs it, and Anna watches.", omniscope.Wrong},
	{"How many plates are on the table?", "four", "There are 4 plates.", omniscope.Correct},
	{"How many plates are on the table?", "four", "Nine plates are on it.", omniscope.Wrong},
	{"Is the shop open at night?", "No", "It closes at six in the evening and opens again in the morning.", omniscope.Correct},
	{"Is the shop open at night?", "No", "Yes, it is open around the clock.", omniscope.Wrong},
	{"Why does the girl cry?", "Because she lost her toy", "Her doll is gone and she cannot find it.", omniscope.Correct},
	{"Why does the girl cry?", "Because she lost her toy", "I cannot tell from the video.", omniscope.Wrong},
	{"What does the man cook?", "Soup", "He makes a vegetable soup in a large pot.", omniscope.Correct},
	{"Where do they go after lunch?", "To the swimming pool", "They stay at home and sleep.", omniscope.Wrong},
}

// exam has the judge, not the answerer, judge known answers.
func exam(a *captions.Asking) (items []bench.ExamItem) {
	for i, e := range examination {
		q := &judgedQuestion{Text: e.question, Answer: e.right}
		items = append(items, bench.NewExamItem(a.Judge, judge.Question[omniscope.Verdict]{Step: fmt.Sprintf("exam-%02d", i+1), Messages: judgeMessages(a, q, e.answer), Schema: schema, Read: read},
			func(v omniscope.Verdict) bool { return v == e.verdict }))
	}
	return items
}
