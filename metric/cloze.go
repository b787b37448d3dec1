package metric

import "omniscope"

// The counts of a cloze: blanks by what became of them. clozeForced blanks are
// among ClozeNotGiven as well: the published scorer reads an unusable reply as
// "not given" for every blank.
const (
	ClozeCorrect = iota
	ClozeNotGiven
	clozeWrong
	clozeUnjudged
	clozeForced
)

// Cloze scores multiple-choice blanks with a "not given" option
// (Omni-Captioner paper, section 5 and appendix B.3): accuracy, not-given rate
// and hallucination rate are shares of the judged blanks, and
// score = (correct - wrong) / judged.
var Cloze = Metric{
	Name:   "cloze",
	Fields: []string{"correct", "not_given", "hallucinated", "unjudged", "forced_not_given"},
	Scores: []Score{
		clozeShare("accuracy", "accuracy", false,
			func(c Counts) float64 { return c[ClozeCorrect] },
			func(c Counts) (low, high float64) { return 0, clozeUnknown(c) }),
		clozeShare("not_given", "not given", true,
			func(c Counts) float64 { return c[ClozeNotGiven] },
			func(c Counts) (low, high float64) { return -c[clozeForced], c[clozeUnjudged] }),
		clozeShare("hallucination", "hallucination", true,
			func(c Counts) float64 { return c[clozeWrong] },
			func(c Counts) (low, high float64) { return 0, clozeUnknown(c) }),
		clozeScore("score", "score", false,
			func(c Counts) float64 { return c[ClozeCorrect] - c[clozeWrong] },
			func(c Counts) (low, high float64) { return -clozeUnknown(c), clozeUnknown(c) }),
	},
}

// CountCloze adds one verdict to c. forced marks a "not given" that the judge
// did not say.
func CountCloze(c Counts, v omniscope.Verdict, forced bool) {
	switch v {
	case omniscope.Correct:
		c[ClozeCorrect]++
	case omniscope.NotGiven:
		c[ClozeNotGiven]++
	case omniscope.Wrong:
		c[clozeWrong]++
	default:
		c[clozeUnjudged]++
	}
	if forced {
		c[clozeForced]++
	}
}

func clozeJudged(c Counts) float64 { return c[ClozeCorrect] + c[ClozeNotGiven] + c[clozeWrong] }

// clozeUnknown counts the blanks without a usable reply: unjudged, or forced to
// "not given".
func clozeUnknown(c Counts) float64 { return c[clozeUnjudged] + c[clozeForced] }

// clozeShare is a clozeScore that lies between 0 and 1.
func clozeShare(name, title string, lower bool, part func(Counts) float64, slack func(Counts) (low, high float64)) Score {
	s := clozeScore(name, title, lower, part, slack)
	s.Share = true
	return s
}

// clozeScore makes a share of the judged blanks. slack says by how much the
// unknown blanks could lower and raise the numerator; the bounds are over all
// blanks, judged or not.
func clozeScore(name, title string, lower bool, part func(Counts) float64, slack func(Counts) (low, high float64)) Score {
	return Score{
		Name: name, Title: title, Percent: true, Lower: lower,
		Value: func(c Counts) (float64, bool) {
			n := clozeJudged(c)
			return part(c) / n, n > 0
		},
		Bounds: func(c Counts) (float64, float64, bool) {
			all := clozeJudged(c) + c[clozeUnjudged]
			low, high := slack(c)
			return (part(c) + low) / all, (part(c) + high) / all, all > 0
		},
		N:        func(c Counts) int { return int(clozeJudged(c)) },
		Unscored: func(c Counts) int { return int(clozeUnknown(c)) },
	}
}
