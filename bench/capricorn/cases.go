package capricorn

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/quantity"
)

// Names of the pages that show cases.
const (
	casesHTML     = "cases.html"
	casesMarkdown = "cases.md"
)

// tableRows is the number of rows of the tables.
const tableRows = 10

// cases holds the videos to show, the least consistent first, then the least
// accurate, in strict scoring. It also holds the worst subjects of all videos.
type cases struct {
	list     []shownCase
	subjects []worstSubject
}

type shownCase struct {
	seq      int
	u        *unit // without its caption, which is read again
	ref, acc float64
}

func (c *cases) add(seq int, u *unit, most int) {
	if most <= 0 || u.unasked != "" {
		return
	}
	c.addSubjects(seq, u)
	s := shownCase{seq: seq, u: u, ref: 2}
	counts, _ := u.counts(mended)
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
	u.dropCaption()
	c.list = slices.Insert(c.list, at, s)
	c.list = c.list[:min(len(c.list), most)]
}

func compareCases(a, b shownCase) int {
	return cmp.Or(cmp.Compare(a.ref, b.ref), cmp.Compare(a.acc, b.acc), cmp.Compare(a.seq, b.seq))
}

// dropCaption frees the caption, which may be long. It copies the offline
// reader's quotes, because a substring keeps the whole text in memory.
func (u *unit) dropCaption() {
	u.v.caption = ""
	for i := range u.judged {
		j := &u.judged[i]
		j.quote = strings.Clone(j.quote)
		for _, d := range j.descriptions {
			if d != nil {
				d.text = strings.Clone(d.text)
			}
		}
	}
}

// A worstSubject is a row of the table of subjects.
type worstSubject struct {
	seq                         int
	video, name                 string
	keypoints, mentions, groups int
	ref                         float64
}

func (c *cases) addSubjects(seq int, u *unit) {
	for _, s := range u.subjectScores(mended) {
		if !s.Scored {
			continue
		}
		g := u.strict[s.name]
		w := worstSubject{seq: seq, video: u.v.id, name: s.name, keypoints: s.keypoints, mentions: len(g.descriptions), ref: s.Ref,
			groups: max(len(g.groups), min(len(g.descriptions), 1))} // a single mention is a group of its own
		at, _ := slices.BinarySearchFunc(c.subjects, w, compareSubjects)
		if at < tableRows {
			c.subjects = slices.Insert(c.subjects, at, w)
			c.subjects = c.subjects[:min(len(c.subjects), tableRows)]
		}
	}
}

// compareSubjects puts the least consistent subject first, and of equally
// consistent ones the subject with the most keypoints.
func compareSubjects(a, b worstSubject) int {
	return cmp.Or(cmp.Compare(a.ref, b.ref), cmp.Compare(b.keypoints, a.keypoints), cmp.Compare(a.seq, b.seq), cmp.Compare(a.name, b.name))
}

// pages returns the published metric files and the pages of cases.
func (e *evaluation) pages() []bench.Page {
	pages := []bench.Page{
		{Name: accFile, Write: func(w io.Writer) error { return writeAccuracy(w, e.scores) }},
		{Name: refFile, Write: func(w io.Writer) error { return writeConsistency(w, e.scores) }},
	}
	if e.b.Cases > 0 {
		pages = append(pages, bench.Page{Name: casesHTML, Write: e.writeCasesHTML}, bench.Page{Name: casesMarkdown, Write: e.writeCasesMarkdown})
	}
	return pages
}

// tables returns the tables of the worst videos and subjects.
func (e *evaluation) tables() []omniscope.Table {
	return slices.DeleteFunc([]omniscope.Table{e.videoTable(), e.subjectTable()},
		func(t omniscope.Table) bool { return len(t.Rows) == 0 })
}

func (e *evaluation) videoTable() omniscope.Table {
	t := omniscope.Table{Name: "worst-videos", Title: "Least consistent videos", Columns: []string{"video", "Ref", "Acc"}, Numbers: []int{1, 2},
		Note: "profile strict; " + casesHTML + " shows them, keypoints.jsonl and subjects.jsonl have every keypoint and subject"}
	for _, c := range e.cases.list[:min(len(e.cases.list), tableRows)] {
		ref := "–"
		if c.ref <= 1 {
			ref = quantity.Percent(c.ref)
		}
		t.Rows = append(t.Rows, []string{c.u.v.id, ref, quantity.Percent(c.acc)})
	}
	return t
}

func (e *evaluation) subjectTable() omniscope.Table {
	t := omniscope.Table{Name: "worst-subjects", Title: "Worst subjects", Columns: []string{"video", "subject", "keypoints", "mentions", "groups", "Ref"}, Numbers: []int{2, 3, 4, 5},
		Note: "profile strict; of equally consistent subjects those with the most keypoints; subjects.jsonl has all"}
	for _, s := range e.cases.subjects {
		t.Rows = append(t.Rows, []string{s.video, s.name, strconv.Itoa(s.keypoints), strconv.Itoa(s.mentions), strconv.Itoa(s.groups), quantity.Percent(s.ref)})
	}
	return t
}
