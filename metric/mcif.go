package metric

import "slices"

// The counts of MCIF (arXiv 2507.19634, section 4). Words are of references;
// lines are of reference translations; the sums are of scores from 0 to 1 or
// thereabouts, over the answers, summaries and lines that were scored.
const (
	MCIFHits = iota
	MCIFSubstitutions
	MCIFDeletions
	MCIFInsertions
	MCIFUnscoredWords
	MCIFCometSum
	MCIFLines
	MCIFUnscoredLines
	MCIFAnswerSum
	MCIFAnswers
	MCIFUnscoredAnswers
	MCIFSummarySum
	MCIFSummaries
	MCIFUnscoredSummaries
)

// Names of MCIF's scores.
const (
	ASRWER        = "asr_wer"
	TransCOMET    = "trans_comet"
	QABERTScore   = "qa_bertscore"
	SumBERTScore  = "sum_bertscore"
	mcifNumFields = MCIFUnscoredSummaries + 1
)

var mcifFields = [mcifNumFields]string{
	"hits", "substitutions", "deletions", "insertions", "unscored_words",
	"comet_sum", "lines", "unscored_lines",
	"answer_sum", "answers", "unscored_answers",
	"summary_sum", "summaries", "unscored_summaries",
}

var mcifScores = []Score{
	{Name: ASRWER, Title: "ASR-WER", Percent: true, Lower: true,
		Value: func(c Counts) (float64, bool) { return MCIFEdits(c).Rate() },
		N:     func(c Counts) int { return MCIFEdits(c).Words() }, Unscored: count(MCIFUnscoredWords), Bounds: noBounds},
	mean(TransCOMET, "TRANS-COMET", MCIFCometSum, MCIFLines, MCIFUnscoredLines),
	mean(QABERTScore, "QA-BERTScore", MCIFAnswerSum, MCIFAnswers, MCIFUnscoredAnswers),
	mean(SumBERTScore, "SUM-BERTScore", MCIFSummarySum, MCIFSummaries, MCIFUnscoredSummaries),
}

// MCIF returns the metric with those of its scores that apply, by name: English
// has no translation, the short track no summaries.
func MCIF(scores ...string) *Metric {
	m := &Metric{Name: "mcif", Fields: mcifFields[:]}
	for _, s := range mcifScores {
		if slices.Contains(scores, s.Name) {
			m.Scores = append(m.Scores, s)
		}
	}
	return m
}

// MCIFEdits returns the word errors among c.
func MCIFEdits(c Counts) Edits {
	return Edits{Hits: int(c[MCIFHits]), Substitutions: int(c[MCIFSubstitutions]),
		Deletions: int(c[MCIFDeletions]), Insertions: int(c[MCIFInsertions])}
}

func mean(name, title string, sum, n, unscored int) Score {
	return Score{Name: name, Title: title, Percent: true,
		Value: ratio(sum, n), N: count(n), Unscored: count(unscored), Bounds: noBounds}
}

func count(field int) func(Counts) int { return func(c Counts) int { return int(c[field]) } }

// noBounds is for scores that have no lowest or highest value, such as an error
// rate.
func noBounds(Counts) (low, high float64, ok bool) { return 0, 0, false }
