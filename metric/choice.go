package metric

import "omniscope"

// The counts of multiple-choice questions by what became of them.
const (
	choiceCorrect = iota
	choiceWrong
	choiceAbstained // the answer says that it cannot be told
	choiceUnread    // there is an answer, and it names no option clearly
	choiceUnjudged  // there is no answer
)

// Choice scores multiple-choice questions. Accuracy is of all answers, so that neither
// abstaining nor an answer without an option pays; abstained and unread are shares of all
// answers, and accuracy when answered leaves both out.
var Choice = Metric{
	Name:   "choice",
	Fields: []string{"correct", "wrong", "abstained", "unread", "unjudged"},
	Scores: []Score{
		choiceShare("accuracy", "accuracy", false, choiceCorrect, choiceAnswers),
		choiceShare("accuracy_answered", "accuracy when answered", false, choiceCorrect, func(c Counts) float64 { return c[choiceCorrect] + c[choiceWrong] }),
		choiceShare("abstained", "abstained", true, choiceAbstained, choiceAnswers),
		choiceShare("unread", "names no option", true, choiceUnread, choiceAnswers),
	},
}

// choiceAnswers counts the questions that have an answer.
func choiceAnswers(c Counts) float64 {
	return c[choiceCorrect] + c[choiceWrong] + c[choiceAbstained] + c[choiceUnread]
}

// choiceShare is the share of one count in others. What is unjudged could all be that, or
// none of it.
func choiceShare(name, title string, lower bool, part int, of func(Counts) float64) Score {
	return Score{
		Name: name, Title: title, Percent: true, Share: true, Lower: lower,
		Value: func(c Counts) (float64, bool) { return c[part] / of(c), of(c) > 0 },
		Bounds: func(c Counts) (low, high float64, ok bool) {
			all := of(c) + c[choiceUnjudged]
			return c[part] / all, (c[part] + c[choiceUnjudged]) / all, all > 0
		},
		N:        func(c Counts) int { return int(of(c)) },
		Unscored: func(c Counts) int { return int(c[choiceUnjudged]) },
	}
}

// CountChoice adds one verdict to c. unread says that an answer which is no option was given.
func CountChoice(c Counts, v omniscope.Verdict, unread bool) {
	switch {
	case unread:
		c[choiceUnread]++
	case v == omniscope.Correct:
		c[choiceCorrect]++
	case v == omniscope.Wrong:
		c[choiceWrong]++
	case v == omniscope.NotGiven:
		c[choiceAbstained]++
	default:
		c[choiceUnjudged]++
	}
}
