package people

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"omniscope"
)

// StageTable shows how far each stage is.
func StageTable(w *Workplace) omniscope.Table {
	t := omniscope.Table{Name: "stages", Title: "Stages", Columns: []string{"stage", "items", "done", "ready", "need no work", "tasks", "at work"}, Numbers: []int{1, 2, 3, 4, 5}}
	for _, p := range w.Progress() {
		var working []string
		for _, task := range p.Working {
			working = append(working, task.Person+": "+task.Item)
		}
		t.Rows = append(t.Rows, []string{p.Stage.Name, fmt.Sprint(p.Items), fmt.Sprint(p.Done), fmt.Sprint(p.Ready), fmt.Sprint(p.Skipped), fmt.Sprintf("%d of %d", p.Given, p.Tasks), strings.Join(working, ", ")})
	}
	return t
}

// PersonTable shows the work of each person at each stage.
func PersonTable(w *Workplace) omniscope.Table {
	t := omniscope.Table{Personal: true, Name: "people", Title: "People", Columns: []string{"person", "role", "stage", "submitted", "open", "active", "a task (median)", "last"}, Numbers: []int{3, 4, 5, 6}}
	type row struct {
		submitted, open int
		active          time.Duration
		each            []time.Duration
		last            time.Time
	}
	rows := make(map[[2]string]*row)
	for _, task := range w.Tasks() {
		key := [2]string{task.Person, task.Stage}
		if rows[key] == nil {
			rows[key] = &row{}
		}
		r := rows[key]
		r.active += task.Active
		if task.Last.After(r.last) {
			r.last = task.Last
		}
		switch task.State {
		case Submitted:
			r.submitted++
			r.each = append(r.each, task.Active)
		case Started:
			r.open++
		}
	}
	for _, p := range w.People() {
		began := false
		for _, s := range w.Project().Stages {
			r := rows[[2]string{p.ID, s.Name}]
			if r == nil {
				continue
			}
			began = true
			median := ""
			if len(r.each) > 0 {
				slices.Sort(r.each)
				median = r.each[len(r.each)/2].Round(time.Second).String()
			}
			t.Rows = append(t.Rows, []string{p.ID, string(p.Role), s.Name, fmt.Sprint(r.submitted), fmt.Sprint(r.open), r.active.Round(time.Second).String(), median, r.last.Local().Format("2006-01-02 15:04")})
		}
		if !began {
			t.Rows = append(t.Rows, []string{p.ID, string(p.Role), "", "0", "0", "", "", ""})
		}
	}
	return t
}
