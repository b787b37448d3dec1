package compare

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"omniscope"
	"omniscope/metric"
)

// A Best says which run is better than each other one in a score, beyond chance.
type Best struct {
	Run map[string]int // index of the run by the score's name; a score that is not there has none
	Not string         // why nothing can be said of any score; "" = it can
	By  string         // how it was found
}

// besides lists the parts of signatures in which runs may differ: the scoring is the one
// that is asked for.
var besides = []string{"seed", "omniscope", "profile"}

// BestRuns finds for each score the run that is better than every other one: by paired
// permutation tests over the clusters that both have, with p corrected (Holm) for all
// tests that are read together. Equal values are never told apart. Runs whose signatures
// differ in more than these are not compared.
func BestRuns(ctx context.Context, runs []*Run, m *metric.Metric, o Options) (*Best, error) {
	if len(runs) < 2 {
		return &Best{Not: "there is one run"}, nil
	}
	for _, c := range Contrasts(runs) {
		if !slices.Contains(besides, c.Name) {
			return &Best{Not: "the runs differ in " + c.Name + ": " + c.Describe(runs)}, nil
		}
	}
	s := &session{runs: runs, options: o, scores: m.Scores, fields: len(m.Fields)}
	for _, r := range runs {
		err := r.readUnits(ctx, m, o.Scoring)
		if errors.Is(err, fs.ErrNotExist) || omniscope.KindOf(err) == omniscope.NotFound {
			return &Best{Not: err.Error()}, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return s.best(ctx)
}

// rivals are the tests of the leading run of a score against the others.
type rivals struct {
	leader int
	score  metric.Score
	tests  []tested // with the sign that a positive difference speaks for the leader
}

func (s *session) best(ctx context.Context) (*Best, error) {
	pairs := make(map[[2]int][]tested)
	var all []rivals
	for i, d := range s.scores {
		leader, ok := s.leader(d)
		if !ok {
			continue
		}
		one := rivals{leader: leader, score: d}
		for k := range s.runs {
			if k == leader {
				continue
			}
			if _, done := pairs[[2]int{k, leader}]; !done {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				tests, err := s.testPair(s.runs[k], s.runs[leader])
				if err != nil {
					return nil, err
				}
				pairs[[2]int{k, leader}] = tests
			}
			one.tests = append(one.tests, pairs[[2]int{k, leader}][i])
		}
		all = append(all, one)
	}
	return judge(all), nil
}

// judge keeps the leaders that are better than each rival.
func judge(all []rivals) *Best {
	var tests []tested
	var made methods
	for _, one := range all {
		for _, t := range one.tests {
			tests = append(tests, t)
			made.addMethod(t.Method)
		}
	}
	b := &Best{Run: make(map[string]int), By: strings.Join(distinct(made.made), ", ") + ", p corrected (Holm) below " + fixed(alpha, 2)}
	corrected, _ := correct(tests)
	for _, one := range all {
		better := true
		for i, t := range one.tests {
			forLeader := t.difference > 0 && !one.score.Lower || t.difference < 0 && one.score.Lower
			better = better && t.Known && forLeader && corrected[i] < alpha
		}
		if better {
			b.Run[one.score.Name] = one.leader
		}
		corrected = corrected[len(one.tests):]
	}
	return b
}

// leader is the run with the best value of a score over all its units. Every run must
// have one.
func (s *session) leader(d metric.Score) (leader int, ok bool) {
	leader = -1
	var best float64
	for i, r := range s.runs {
		whole, _ := r.Overall(s.options.Scoring)
		v := whole.Scores[d.Name].Value
		if v == nil {
			return 0, false
		}
		if leader < 0 || *v > best && !d.Lower || *v < best && d.Lower {
			leader, best = i, *v
		}
	}
	return leader, true
}

// testPair tests the differences of all scores, run less base.
func (s *session) testPair(base, run *Run) ([]tested, error) {
	p, err := newPair(base, run)
	if err != nil {
		return nil, err
	}
	a, b := p.counts(base, s.fields), p.counts(run, s.fields)
	_, tests := paired(s.scores, a, b, s.options.Seed)
	totalA, totalB := metric.Counts(a.Total()), metric.Counts(b.Total())
	for i, d := range s.scores {
		va, okA := d.Value(totalA)
		vb, okB := d.Value(totalB)
		if tests[i].Known = tests[i].Known && okA && okB; tests[i].Known {
			tests[i].difference = vb - va
		}
	}
	return tests, nil
}
