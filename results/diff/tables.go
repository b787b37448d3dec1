package diff

import (
	"fmt"
	"strconv"

	"omniscope"
)

// Title says how many samples part.
func (r *Report) Title() string {
	if n := len(r.Partings); n > 0 {
		return fmt.Sprintf("%d of %d samples part", n, r.Samples)
	}
	return fmt.Sprintf("%d samples, and none of them parts", r.Samples)
}

// Tables show a report: its causes, the settings that differ, and the samples.
// One that says nothing is left out.
func (r *Report) Tables() (tables []omniscope.Table) {
	for _, t := range []omniscope.Table{r.causes(), r.settings(), r.samples()} {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

func (r *Report) causes() omniscope.Table {
	t := omniscope.Table{Name: "causes", Title: "Where they first part", Numbers: []int{1, 2, 3},
		Columns: []string{"cause", "samples", "another answer", "another score", "such as"}}
	for _, c := range r.Count() {
		t.Rows = append(t.Rows, []string{string(c.Cause), strconv.Itoa(c.Samples), strconv.Itoa(c.Answers), strconv.Itoa(c.Scores), c.First})
	}
	return t
}

func (r *Report) settings() omniscope.Table {
	t := omniscope.Table{Name: "settings", Title: "Settings that differ", Columns: []string{"of", "setting", r.A, r.B}}
	for _, s := range r.Settings {
		t.Rows = append(t.Rows, []string{s.Of, s.Name, s.A, s.B})
	}
	return t
}

func (r *Report) samples() omniscope.Table {
	t := omniscope.Table{Name: "samples", Title: "Samples that part", Columns: []string{"sample", "cause", "what", r.A, r.B}}
	for _, p := range r.Partings {
		t.Rows = append(t.Rows, []string{p.Sample, string(p.Cause), p.What, p.A, p.B})
	}
	return t
}
