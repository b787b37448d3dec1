package capricorn

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"omniscope"
	"omniscope/bench"
)

// cases are the videos to show: those of the least consistency, then of the
// least accuracy, in profile strict.
type cases struct{ list []shownCase }

type shownCase struct {
	seq      int
	u        *unit // without its caption, which is read again
	ref, acc float64
}

func (c *cases) add(seq int, u *unit, most int) {
	if most <= 0 || u.unasked != "" {
		return
	}
	s := shownCase{seq: seq, u: u, ref: 2}
	counts := u.tallies(bench.Strict)[0].Counts
	if counts[keyRefVideos] > 0 {
		s.ref = counts[keyRefSum]
	}
	if counts[keyVideos] > 0 {
		s.acc = counts[keyAccSum]
	}
	at, _ := slices.BinarySearchFunc(c.list, s, compareCases)
	if at >= most {
		return
	}
	u.v.caption = ""
	c.list = slices.Insert(c.list, at, s)
	c.list = c.list[:min(len(c.list), most)]
}

func compareCases(a, b shownCase) int {
	return cmp.Or(cmp.Compare(a.ref, b.ref), cmp.Compare(a.acc, b.acc), cmp.Compare(a.seq, b.seq))
}

// pages are the published metric files, and the cases.
func (e *evaluation) pages() []bench.Page {
	return []bench.Page{
		{Name: accFile, Write: func(w io.Writer) error { return writeAccuracy(w, e.scores) }},
		{Name: refFile, Write: func(w io.Writer) error { return writeConsistency(w, e.scores) }},
	}
}

// tables are the videos and subjects that went worst.
func (e *evaluation) tables() []omniscope.Table {
	t := omniscope.Table{Name: "worst-videos", Title: "Least consistent videos", Columns: []string{"video", "Ref", "Acc"}, Numbers: []int{1, 2},
		Note: "profile strict; keypoints.jsonl and subjects.jsonl have every keypoint and subject"}
	for _, c := range e.cases.list[:min(len(e.cases.list), 10)] {
		ref := "–"
		if c.ref <= 1 {
			ref = fmt.Sprintf("%.1f %%", 100*c.ref)
		}
		t.Rows = append(t.Rows, []string{c.u.v.id, ref, fmt.Sprintf("%.1f %%", 100*c.acc)})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []omniscope.Table{t}
}
