package mcif

import (
	"context"
	"fmt"

	"omniscope/bench"
	"omniscope/internal/quantity"
	"omniscope/metric"
)

// officialBatch is how many pairs mcif_eval has bert_score compare at a time,
// which is bert_score's own choice.
const officialBatch = 64

// officialCounts are a unit's in official scoring: none where it stops, or where
// another unit of this name counts instead.
func (e *evaluation) officialCounts(ctx context.Context, u *unit) (metric.Counts, error) {
	if !e.scores(u, bench.Official) {
		return newCounts(), nil
	}
	switch u.ref.Task {
	case asr:
		return editCounts(u.asr.edits), nil
	case trans:
		if e.scorers.COMET == nil {
			return u.unscored(e), nil
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		return lineCounts(u.comet[bench.Official]), nil
	}
	if e.scorers.BERTScore == nil {
		return u.unscored(e), nil
	}
	if u.similarity.BatchMatters() {
		if err := e.ask(ctx, e.batchOf(u), bench.Official); err != nil {
			return nil, err
		}
	}
	return similarityCounts(u.ref.Task, e.officialF1(u)), nil
}

// batchOf are the units with which mcif_eval has bert_score compare u.
func (e *evaluation) batchOf(u *unit) []*unit {
	group := e.groups[u.ref.Task]
	start := u.place - u.place%officialBatch
	return group[start:min(start+officialBatch, len(group))]
}

// officialF1 is the F1 of an answer or summary within its batch, which must have
// been asked for where it matters.
func (e *evaluation) officialF1(u *unit) float64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := u.similarity
	if !s.BatchMatters() {
		return s.Alone()
	}
	hypothesis, reference := 0, 0
	for _, other := range e.batchOf(u) {
		if other.similarity.HypothesisTokens > s.HypothesisTokens {
			hypothesis = 1
		}
		if other.similarity.ReferenceTokens > s.ReferenceTokens {
			reference = 1
		}
	}
	return s.F1[hypothesis][reference]
}

// published are the scores of the published program in its order, and those
// whose scorer is not available. All units must have been evaluated, or asked
// for by official scoring; there are none where it stops.
func (e *evaluation) published() (scores []namedScore, lacks []lack) {
	if e.stop != nil {
		return nil, nil
	}
	add := func(key string, available bool, score func() []namedScore) {
		if available {
			scores = append(scores, score()...)
		} else {
			lacks = append(lacks, lack{key, e.scorers.Missing[scoreNames[key]]})
		}
	}
	add("QA-BERTScore", e.scorers.BERTScore != nil, func() []namedScore { return e.similarity(qa, "QA-BERTScore") })
	if e.officially(sum) {
		add("SUM-BERTScore", e.scorers.BERTScore != nil, func() []namedScore { return e.similarity(sum, "SUM-BERTScore") })
	}
	if e.officially(trans) {
		add("TRANS-COMET", e.scorers.COMET != nil, e.cometMean)
	} else if len(e.groups[asr]) > 0 {
		add("ASR-WER", true, e.errorRate)
	}
	if n := e.others[chapters]; n > 0 && e.b.Track != "short" && e.b.Version == "1.1" {
		lacks = append(lacks, lack{chapters, fmt.Sprintf("the chapters (%s) of version 1.1 are not scored here", quantity.Of(n, "sample", "samples"))})
	}
	return scores, lacks
}

// similarity is the mean over answers or summaries, and over the groups of
// questions.
func (e *evaluation) similarity(task, key string) []namedScore {
	var values []float64
	labels := e.newLabels(task)
	for i, u := range e.groups[task] {
		values = append(values, e.officialF1(u))
		_ = labels.add(u, i) // whether it can be was checked
	}
	scores := []namedScore{{key, average(values)}}
	for _, label := range labels.order {
		var of []float64
		for _, i := range labels.members[label] {
			of = append(of, values[i])
		}
		scores = append(scores, namedScore{"QA-" + label + "-BERTScore", average(of)})
	}
	return scores
}

// cometMean is the mean over all lines of all talks.
func (e *evaluation) cometMean() []namedScore {
	e.mu.Lock()
	defer e.mu.Unlock()
	var values []float64
	for _, u := range e.groups[trans] {
		values = append(values, u.comet[bench.Official]...)
	}
	return []namedScore{{"TRANS-COMET", average(values)}}
}

// errorRate is the corpus word error rate over talks.
func (e *evaluation) errorRate() []namedScore {
	var total metric.Edits
	for _, u := range e.groups[asr] {
		total = total.Add(u.asr.edits)
	}
	rate, _ := total.Rate()
	return []namedScore{{"ASR-WER", rate}}
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
