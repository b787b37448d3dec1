package capricorn

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/quantity"
)

// tableRows is the number of rows of the tables.
const tableRows = 10

// worst holds the least consistent videos in strict scoring, then the least accurate ones, and the worst subjects of
// all videos.
type worst struct {
	videos   []worstVideo
	subjects []worstSubject
}

// A worstVideo is a row of the table of videos.
type worstVideo struct {
	seq      int
	id       string
	ref, acc float64 // ref is 2 for a video without one
}

func (c *worst) add(seq int, u *unit) {
	if u.unasked != "" {
		return
	}
	c.addSubjects(seq, u)
	s := worstVideo{seq: seq, id: u.v.id, ref: 2}
	counts, _ := u.counts(mended)
	if counts[keyRefVideos] > 0 {
		s.ref = counts[keyRefSum]
	}
	if counts[keyVideos] > 0 {
		s.acc = counts[keyAccSum]
	}
	c.videos = insert(c.videos, s, compareVideos)
}

// insert puts a row where it belongs, and keeps the first rows only.
func insert[T any](rows []T, row T, compare func(a, b T) int) []T {
	at, _ := slices.BinarySearchFunc(rows, row, compare)
	if at >= tableRows {
		return rows
	}
	rows = slices.Insert(rows, at, row)
	return rows[:min(len(rows), tableRows)]
}

func compareVideos(a, b worstVideo) int {
	return cmp.Or(cmp.Compare(a.ref, b.ref), cmp.Compare(a.acc, b.acc), cmp.Compare(a.seq, b.seq))
}

// A worstSubject is a row of the table of subjects.
type worstSubject struct {
	seq                         int
	video, name                 string
	keypoints, mentions, groups int
	ref                         float64
}

func (c *worst) addSubjects(seq int, u *unit) {
	for _, s := range u.subjectScores(mended) {
		if !s.Scored {
			continue
		}
		g := u.strict[s.name]
		w := worstSubject{seq: seq, video: u.v.id, name: s.name, keypoints: s.keypoints, mentions: len(g.descriptions), ref: s.Ref,
			groups: max(len(g.groups), min(len(g.descriptions), 1))} // a single mention is a group of its own
		c.subjects = insert(c.subjects, w, compareSubjects)
	}
}

// compareSubjects puts the least consistent subject first, and of equally
// consistent ones the subject with the most keypoints.
func compareSubjects(a, b worstSubject) int {
	return cmp.Or(cmp.Compare(a.ref, b.ref), cmp.Compare(b.keypoints, a.keypoints), cmp.Compare(a.seq, b.seq), cmp.Compare(a.name, b.name))
}

// pages returns the published metric files.
func (e *evaluation) pages() []bench.Page {
	return []bench.Page{
		{Name: accFile, Write: func(w io.Writer) error { return writeAccuracy(w, e.scores) }},
		{Name: refFile, Write: func(w io.Writer) error { return writeConsistency(w, e.scores) }},
	}
}

// tables returns the tables of the worst videos and subjects.
func (e *evaluation) tables() []omniscope.Table {
	return slices.DeleteFunc([]omniscope.Table{e.videoTable(), e.subjectTable()},
		func(t omniscope.Table) bool { return len(t.Rows) == 0 })
}

func (e *evaluation) videoTable() omniscope.Table {
	t := omniscope.Table{Name: "worst-videos", Title: "Least consistent videos", Columns: []string{"video", "Ref", "Acc"}, Numbers: []int{1, 2},
		Note: "scoring strict; 'omniscope view' shows their cases, keypoints.jsonl and subjects.jsonl have every keypoint and subject"}
	for _, c := range e.worst.videos {
		ref := "–"
		if c.ref <= 1 {
			ref = quantity.Percent(c.ref)
		}
		t.Rows = append(t.Rows, []string{c.id, ref, quantity.Percent(c.acc)})
	}
	return t
}

func (e *evaluation) subjectTable() omniscope.Table {
	t := omniscope.Table{Name: "worst-subjects", Title: "Worst subjects", Columns: []string{"video", "subject", "keypoints", "mentions", "groups", "Ref"}, Numbers: []int{2, 3, 4, 5},
		Note: "scoring strict; of equally consistent subjects those with the most keypoints; subjects.jsonl has all"}
	for _, s := range e.worst.subjects {
		t.Rows = append(t.Rows, []string{s.video, s.name, strconv.Itoa(s.keypoints), strconv.Itoa(s.mentions), strconv.Itoa(s.groups), quantity.Percent(s.ref)})
	}
	return t
}
