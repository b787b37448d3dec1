package questions

import (
	"fmt"

	"omniscope"
	"omniscope/internal/talkqa"
	"omniscope/report"
	"omniscope/stats"
)

// Tables sum up what tests of a set came to.
func Tables(set *Set, tested []*Tested) report.Comparison {
	t := omniscope.Table{Name: "tests", Title: "Tests", Columns: []string{"test", "label", "askings", "failed", "questions", "answered", "right", "share", "95% interval"}, Numbers: []int{2, 3, 4, 5, 6, 7},
		Note: "Shares are of all questions with that label, in all runs. Of NA, to which no answer is right, answered ones are counted. Intervals resample talks."}
	for _, test := range []string{BlindTest, SoundTest, SightTest} {
		for _, label := range talkqa.Labels {
			if row := labelRow(test, label, set, tested); row != nil {
				t.Rows = append(t.Rows, row)
			}
		}
	}
	found := omniscope.Table{Name: "findings", Title: "Findings", Columns: []string{"finding", "questions", "talks"}, Numbers: []int{1, 2}}
	for _, c := range Checks {
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

// labelRow is the table's row of the questions with a label in one test; nil = there are none, or the test was not done.
func labelRow(test, label string, set *Set, tested []*Tested) []string {
	if !set.has(label) {
		return nil
	}
	sums := stats.Clusters{Width: 2} // of each talk: questions, of those right, or answered where no answer is right
	askings, failed, answered, right := 0, 0, 0, 0
	for i, one := range tested {
		asked, counted := 0, 0
		for _, a := range one.Askings {
			if a.Test != test {
				continue
			}
			if askings++; a.Outcome != omniscope.OK {
				failed++
				continue
			}
			for at, q := range set.Drafts[i].Questions {
				if q.Label != label {
					continue
				}
				asked++
				if a.Answers[at].Answered {
					answered++
				}
				if a.Answers[at].Right {
					right++
				}
				if a.Answers[at].Right || label == talkqa.Unanswered && a.Answers[at].Answered {
					counted++
				}
			}
		}
		sums.Rows = append(sums.Rows, float64(asked), float64(counted))
	}
	total := sums.Total()
	if askings == 0 {
		return nil
	}
	row := []string{test, label, fmt.Sprint(askings), fmt.Sprint(failed), fmt.Sprintf("%.0f", total[0]), fmt.Sprint(answered), fmt.Sprint(right), "", ""}
	share := func(sum []float64) (float64, bool) { return sum[1] / sum[0], sum[0] > 0 }
	if value, ok := share(total); ok {
		row[7] = fmt.Sprintf("%.1f %%", 100*value)
		if i := stats.Clustered(sums, []stats.Statistic{share}, stats.Options{})[0]; i.Known {
			row[8] = fmt.Sprintf("%.1f to %.1f %%", 100*i.Low, 100*i.High)
		}
	}
	return row
}
