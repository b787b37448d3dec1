package mcif

import (
	"context"
	"strconv"

	"omniscope/bench"
	"omniscope/metric/textnorm"
)

// ask has the neural scorers compare the texts of units, of which it asks
// nothing twice.
func (e *evaluation) ask(ctx context.Context, units []*unit, scorings ...bench.Scoring) error {
	if err := e.prepare(ctx, units); err != nil {
		return err
	}
	if err := e.askBERTScore(ctx, units, scorings); err != nil {
		return err
	}
	return e.askCOMET(ctx, units, scorings)
}

// scores reports whether a scoring scores a unit.
func (e *evaluation) scores(u *unit, p bench.Scoring) bool {
	if p == bench.Strict {
		return u.scorable
	}
	return e.stop == nil && u.place != replaced && e.officially(u.ref.Task)
}

func (e *evaluation) askBERTScore(ctx context.Context, units []*unit, scorings []bench.Scoring) error {
	if e.scorers.BERTScore == nil {
		return nil
	}
	pairs := Pairs{Lang: e.b.Lang}
	var of []*unit
	e.mu.Lock()
	for _, u := range units {
		if u.ref.Task != qa && u.ref.Task != sum || u.similarity != nil || !e.anyScores(u, scorings) {
			continue
		}
		of = append(of, u)
		pairs.Steps = append(pairs.Steps, u.step+"/0")
		pairs.Hypotheses, pairs.References = append(pairs.Hypotheses, u.hypotheses[0]), append(pairs.References, u.ref.Text)
	}
	e.mu.Unlock()
	if len(of) == 0 {
		return nil
	}
	values, err := e.scorers.BERTScore(ctx, pairs)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, u := range of {
		if u.similarity == nil { // else another asked at the same time
			u.similarity = &values[i]
		}
	}
	return nil
}

func (e *evaluation) anyScores(u *unit, scorings []bench.Scoring) bool {
	for _, p := range scorings {
		if e.scores(u, p) {
			return true
		}
	}
	return false
}

// A scoringCut is a translation as a scoring cuts it.
type scoringCut struct {
	of      *unit
	scoring bench.Scoring
}

func (e *evaluation) askCOMET(ctx context.Context, units []*unit, scorings []bench.Scoring) error {
	if e.scorers.COMET == nil {
		return nil
	}
	var triples Triples
	var cuts []scoringCut
	e.mu.Lock()
	for _, u := range units {
		for _, p := range scorings {
			if u.ref.Task == trans && u.comet[p] == nil && e.scores(u, p) {
				cuts = append(cuts, scoringCut{u, p})
				triples.add(u, p)
			}
		}
	}
	e.mu.Unlock()
	if len(cuts) == 0 {
		return nil
	}
	values, err := e.scorers.COMET(ctx, triples)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range cuts {
		n := len(c.of.lines())
		if c.of.comet[c.scoring] == nil {
			c.of.comet[c.scoring] = values[:n:n]
		}
		values = values[n:]
	}
	return nil
}

// add adds the lines of a translation as a scoring cuts them, without the blanks
// around them. Those of strict are the first of the unit.
func (t *Triples) add(u *unit, p bench.Scoring) {
	cut, first := u.cut.strict, 0
	if p == bench.Official {
		cut, first = u.cut.official, len(u.lines())
	}
	sources := u.sources()
	for i, line := range u.lines() {
		t.Steps = append(t.Steps, u.step+"/"+strconv.Itoa(first+i))
		t.Sources = append(t.Sources, textnorm.Strip(sources[i]))
		t.Hypotheses = append(t.Hypotheses, textnorm.Strip(cut.lines[i]))
		t.References = append(t.References, textnorm.Strip(line))
	}
}
