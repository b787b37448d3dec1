package questions

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"omniscope/bench/mcif/talkqa"
	"omniscope/model/judge"
)

// noAnswer is how a judge writes that it has no answer: NONE, with or without a reason. A sentence that begins with "None" is an answer.
var noAnswer = regexp.MustCompile(`^["'(]*(NONE\b|(?i:none)\W*$)`)

// readAnswers reads an answer to each question; NONE and null become "".
func readAnswers(reply string, questions []draftQuestion) ([]string, error) {
	said := make(map[string]*string)
	if err := judge.Decode(reply, &said); err != nil {
		return nil, err
	}
	answers := make([]string, len(questions))
	for i, q := range questions {
		text, ok := said[fmt.Sprint(q.Number)]
		if !ok {
			return nil, fmt.Errorf("question %d has no answer: write NONE where there is none", q.Number)
		}
		if text != nil && !noAnswer.MatchString(oneLine(*text)) {
			answers[i] = oneLine(*text)
		}
	}
	return answers, nil
}

// What a judge says of an answer. An answer to a question without a right one is none of the first two.
const (
	gradeRight = "right"
	gradeWrong = "wrong"
	gradeOther = "answer" // an answer, where there is no right one
	gradeNone  = "none"   // it says that there is no answer
)

// readGrades reads the verdicts on the answers at some places.
func readGrades(reply string, questions []draftQuestion, which []int) ([]string, error) {
	said := make(map[string]string)
	if err := judge.Decode(reply, &said); err != nil {
		return nil, err
	}
	grades := make([]string, len(which))
	for n, i := range which {
		q := &questions[i]
		can := []string{gradeRight, gradeWrong, gradeNone}
		if q.Label == talkqa.Unanswered {
			can = []string{gradeOther, gradeNone}
		}
		grades[n] = strings.ToLower(strings.TrimSpace(said[fmt.Sprint(q.Number)]))
		if q.Label == talkqa.Unanswered && (grades[n] == gradeRight || grades[n] == gradeWrong) {
			grades[n] = gradeOther // nothing else can be meant
		}
		if !slices.Contains(can, grades[n]) {
			return nil, fmt.Errorf("question %d has %q, not one of %s", q.Number, grades[n], strings.Join(can, ", "))
		}
	}
	return grades, nil
}
