package metric

import "omniscope"

// The counts of open questions by what became of them.
const (
	openCorrect = iota
	openWrong
	openUnanswered // there is no text of an answer
	openUnjudged
)

// OpenAnswers scores answers in free words to questions, each right or wrong (M3-Bench, arXiv
// 2508.09736). No answer is no right one.
var OpenAnswers = Metric{
	Name:   "open-answers",
	Fields: []string{"correct", "wrong", "unanswered", "unjudged"},
	Scores: []Score{
		openShare("accuracy", "accuracy", false, openCorrect),
		openShare("unanswered", "unanswered", true, openUnanswered),
	},
}

func openJudged(c Counts) float64 { return c[openCorrect] + c[openWrong] + c[openUnanswered] }

func openShare(name, title string, lower bool, part int) Score {
	return Score{
		Name: name, Title: title, Percent: true, Share: true, Lower: lower,
		Value: func(c Counts) (float64, bool) { return c[part] / openJudged(c), openJudged(c) > 0 },
		Bounds: func(c Counts) (low, high float64, ok bool) {
			all := openJudged(c) + c[openUnjudged]
			return c[part] / all, (c[part] + c[openUnjudged]) / all, all > 0
		},
		N:        func(c Counts) int { return int(openJudged(c)) },
		Unscored: count(openUnjudged),
	}
}

// CountOpen adds one verdict to c; NotGiven says that there is no answer.
func CountOpen(c Counts, v omniscope.Verdict) {
	switch v {
	case omniscope.Correct:
		c[openCorrect]++
	case omniscope.Wrong:
		c[openWrong]++
	case omniscope.NotGiven:
		c[openUnanswered]++
	default:
		c[openUnjudged]++
	}
}
