package mcif

import "omniscope/metric"

// scoreNames are the scores by the published program's keys.
var scoreNames = map[string]string{
	"ASR-WER": metric.ASRWER, "TRANS-COMET": metric.TransCOMET, "QA-BERTScore": metric.QABERTScore, "SUM-BERTScore": metric.SumBERTScore,
}

func similarityCounts(task string, value float64) metric.Counts {
	c := newCounts()
	if task == qa {
		c[metric.MCIFAnswerSum], c[metric.MCIFAnswers] = value, 1
	} else {
		c[metric.MCIFSummarySum], c[metric.MCIFSummaries] = value, 1
	}
	return c
}

func editCounts(e metric.Edits) metric.Counts {
	c := newCounts()
	c[metric.MCIFHits], c[metric.MCIFSubstitutions] = float64(e.Hits), float64(e.Substitutions)
	c[metric.MCIFDeletions], c[metric.MCIFInsertions] = float64(e.Deletions), float64(e.Insertions)
	return c
}

func lineCounts(values []float64) metric.Counts {
	c := newCounts()
	for _, v := range values {
		c[metric.MCIFCometSum] += v
	}
	c[metric.MCIFLines] = float64(len(values))
	return c
}

func newCounts() metric.Counts { return make(metric.Counts, len(metric.MCIF().Fields)) }
