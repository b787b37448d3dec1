package captions

import (
	"context"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/people"
)

// struck counts next to the verdicts on sentences.
const struck = "struck"

// A Tally counts captions and their sentences by verdict.
type Tally struct {
	captions  map[string]int // "" = not decided
	sentences map[string]int // of all reviews
}

// NewTally returns an empty tally.
func NewTally() *Tally {
	return &Tally{captions: make(map[string]int), sentences: make(map[string]int)}
}

// Add counts the outcome of a caption.
func (t *Tally) Add(r *Reviewed) {
	t.captions[r.Verdict]++
	for _, one := range r.Reviews {
		for _, s := range one.Sentences {
			switch {
			case s.Number == 0:
			case s.Text == "":
				t.sentences[struck]++
			default:
				t.sentences[s.Verdict]++
			}
		}
	}
}

// Table shows the counts.
func (t *Tally) Table() omniscope.Table {
	table := omniscope.Table{Name: "captions", Title: "Captions", Columns: []string{"what", "number"}, Numbers: []int{1},
		Note: "Sentences count once for each reviewer. Sentences that a reviewer added are not among them."}
	row := func(what string, n int) { table.Rows = append(table.Rows, []string{what, strconv.Itoa(n)}) }
	row("captions approved", t.captions[Approve])
	row("captions sent back", t.captions[SendBack])
	row("captions not decided", t.captions[""])
	for _, verdict := range append(slices.Clone(sentenceVerdicts), struck) {
		row("sentences "+verdict, t.sentences[verdict])
	}
	return table
}

// tables count the outcomes. How far people agree on verdicts and sentences is in the tables of each stage.
func tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	t := NewTally()
	err := each(ctx, w, func(_ *people.Item, _ *task, out *Reviewed) error { t.Add(out); return nil })
	if err != nil {
		return nil, err
	}
	return []omniscope.Table{t.Table()}, nil
}
