package metric

import "omniscope"

// The counts of open questions by what became of them.
const (
	OpenCorrect = iota
	OpenWrong
	OpenUnanswered // there is no text of an answer
	OpenUnjudged
)

// OpenAnswers scores answers in free words to questions, each right or wrong (M3-Bench, arXiv
// 2508.09736). No answer is no right one.
var OpenAnswers = Metric{
	Name:   "open-answers",
	Fields: []string{"correct", "wrong", "unanswered", "unjudged"},
	Scores: []Score{
		openShare("accuracy", "accuracy", false, OpenCorrect),
		openShare("unanswered", "unanswered", true, OpenUnanswered),
	},
}

func openJudged(c Counts) float64 { return c[OpenCorrect] + c[OpenWrong] + c[OpenUnanswered] }

func openShare(name, title string, lower bool, part int) Score {
	return Score{
		Name: name, Title: title, Percent: true, Share: true, Lower: lower,
		Value: func(c Counts) (float64, bool) { return c[part] / openJudged(c), openJudged(c) > 0 },
		Bounds: func(c Counts) (low, high float64, ok bool) {
			all := openJudged(c) + c[OpenUnjudged]
			return c[part] / all, (c[part] + c[OpenUnjudged]) / all, all > 0
		},
		N:        func(c Counts) int { return int(openJudged(c)) },
		Unscored: count(OpenUnjudged),
	}
}

// CountOpen adds one verdict to c; NotGiven says that there is no answer.
func CountOpen(c Counts, v omniscope.Verdict) {
	switch v {
	case omniscope.Correct:
		c[OpenCorrect]++
	case omniscope.Wrong:
		c[OpenWrong]++
	case omniscope.NotGiven:
		c[OpenUnanswered]++
	default:
		c[OpenUnjudged]++
	}
}
