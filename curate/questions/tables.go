package questions

import (
	"fmt"

	"omniscope"
	"omniscope/bench/mcif/talkqa"
	"omniscope/metric/stats"
	"omniscope/results/report"
)

// Tables sum up what tests of a set came to.
func Tables(set *Set, tested []*Tested) report.Comparison {
	t := omniscope.Table{Name: "tests", Title: "Tests", Columns: []string{"test", "label", "askings", "failed", "questions", "answered", "right", "share", "95% interval"}, Numbers: []int{2, 3, 4, 5, 6, 7},
		Note: "Shares are of all questions with that label, in all runs. Of NA, to which no answer is right, answered ones are counted. Intervals resample talks."}
	for _, test := range []string{blindTest, soundTest, sightTest} {
		for _, label := range talkqa.Labels {
			if row := labelRow(test, label, set, tested); row != nil {
				t.Rows = append(t.Rows, row)
			}
		}
	}
	found := omniscope.Table{Name: "findings", Title: "Findings", Columns: []string{"finding", "questions", "talks"}, Numbers: []int{1, 2}}
	for _, c := range checks {
		if c.find != nil {
			continue
		}
		questions, talks := 0, 0
		for _, one := range tested {
			n := 0
			for _, f := range one.Findings {
				if f.Check == c.Name {
					n++
				}
			}
			if questions += n; n > 0 {
				talks++
			}
		}
		found.Rows = append(found.Rows, []string{c.Name, fmt.Sprint(questions), fmt.Sprint(talks)})
	}
	return report.Comparison{Schema: "omniscope/questions-test/1", Title: "Tests without the talk", Warnings: []string{}, Tables: []omniscope.Table{t, found}}
}

// A labelCount counts what one test came to for the questions with one label.
type labelCount struct {
	askings, failed            int // of talks
	questions, answered, right int
	sums                       stats.Clusters // of each talk: questions, of those right, or answered where no answer is right
}

func countLabel(test, label string, set *Set, tested []*Tested) *labelCount {
	c := &labelCount{sums: stats.Clusters{Width: 2}}
	for i, one := range tested {
		asked, counted := 0, 0
		for _, a := range one.Askings {
			if a.Test != test {
				continue
			}
			if c.askings++; a.Outcome != omniscope.OK {
				c.failed++
				continue
			}
			n, k := c.add(&a, label, set.Drafts[i].Questions)
			asked, counted = asked+n, counted+k
		}
		c.sums.Rows = append(c.sums.Rows, float64(asked), float64(counted))
	}
	return c
}

// add adds one asking. asked are the questions with the label, counted those of which the answer counts.
func (c *labelCount) add(a *asking, label string, questions []draftQuestion) (asked, counted int) {
	for at, q := range questions {
		if q.Label != label {
			continue
		}
		asked++
		answer := &a.Answers[at]
		if answer.Answered {
			c.answered++
		}
		if answer.Right {
			c.right++
		}
		if answer.Right || label == talkqa.Unanswered && answer.Answered {
			counted++
		}
	}
	c.questions += asked
	return asked, counted
}

// labelRow is the table's row of the questions with a label in one test; nil = there are none, or the test was not done.
func labelRow(test, label string, set *Set, tested []*Tested) []string {
	c := countLabel(test, label, set, tested)
	if !set.has(label) || c.askings == 0 {
		return nil
	}
	share, interval := report.Share(c.sums)
	return []string{test, label, fmt.Sprint(c.askings), fmt.Sprint(c.failed), fmt.Sprint(c.questions), fmt.Sprint(c.answered), fmt.Sprint(c.right), share, interval}
}
