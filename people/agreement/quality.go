package agreement

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/people"
)

// Quality is the table of how carefully people work, for those who run the project. It shows no
// single answer.
//
//   - controls: tasks on items whose right answers are known (people.Control); a task is right if
//     all fields that are named are.
//   - agreement: how often a choice was that of somebody else who answered the same.
//   - copies: texts that equal somebody's text on the same.
//   - fast: tasks done in less than a quarter of the median time of the others at that stage.
func Quality(ctx context.Context, w *people.Workplace) (omniscope.Table, error) {
	q := &quality{byPerson: make(map[string]*worker), times: make(map[string]map[string][]time.Duration)}
	for _, p := range w.People() {
		q.workers = append(q.workers, &worker{id: p.ID, role: p.Role})
		q.byPerson[p.ID] = q.workers[len(q.workers)-1]
	}
	q.addTimes(w.Tasks())
	project := w.Project()
	for i := range project.Stages {
		for _, item := range w.Items() {
			if err := q.addItem(ctx, w, item, &project.Stages[i]); err != nil {
				return omniscope.Table{}, err
			}
		}
	}
	return q.table(), nil
}

// A worker is what is known of one person's work.
type worker struct {
	id              string
	role            people.ProjectRole
	tasks           []time.Duration
	right, controls int
	same, compared  int
	copies, texts   int
	fast, timed     int
}

type quality struct {
	workers  []*worker
	byPerson map[string]*worker
	times    map[string]map[string][]time.Duration // by stage and person
}

// addTimes counts tasks, and finds those that were done too fast.
func (q *quality) addTimes(tasks []people.Task) {
	for _, t := range tasks {
		if one := q.byPerson[t.Person]; one != nil && t.Counts() {
			one.tasks = append(one.tasks, t.Active)
			if q.times[t.Stage] == nil {
				q.times[t.Stage] = make(map[string][]time.Duration)
			}
			q.times[t.Stage][t.Person] = append(q.times[t.Stage][t.Person], t.Active)
		}
	}
	for _, byPerson := range q.times {
		for person, own := range byPerson {
			var others []time.Duration
			for other, theirs := range byPerson {
				if other != person {
					others = append(others, theirs...)
				}
			}
			if len(others) < people.Fewest {
				continue
			}
			limit := median(others) / 4
			for _, t := range own {
				q.byPerson[person].timed++
				if t < limit {
					q.byPerson[person].fast++
				}
			}
		}
	}
}

func median(list []time.Duration) time.Duration {
	if len(list) == 0 {
		return 0
	}
	list = slices.Sorted(slices.Values(list))
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// addItem looks at what was submitted of an item at a stage.
func (q *quality) addItem(ctx context.Context, w *people.Workplace, id string, s *people.Stage) error {
	done, err := w.Done(ctx, id, s.Name)
	if err != nil || len(done) == 0 {
		return err
	}
	c, err := w.WorkItem(ctx, id, s.Name)
	if err != nil {
		return err
	}
	if control := c.Item.Control; control != nil && control.Stage == s.Name {
		q.addControl(control, done)
	}
	if len(done) < 2 {
		return nil
	}
	form, err := w.Kind().Form(c)
	if err != nil {
		return err
	}
	for i := range form.Sections {
		section := &form.Sections[i]
		for _, card := range section.Cards {
			for k := range section.Fields {
				q.compare(&section.Fields[k], section.Key(card.ID), done)
			}
		}
	}
	return nil
}

func (q *quality) addControl(control *people.Control, done []people.Done) {
	for _, d := range done {
		if one := q.byPerson[d.Person]; one != nil {
			one.controls++
			if isRight(control, d.Answers) {
				one.right++
			}
		}
	}
}

// isRight compares the fields that a control names.
func isRight(control *people.Control, answers map[string]people.Value) bool {
	for key, want := range control.Answers {
		for name, value := range want {
			got := answers[key][name]
			text, isText := value.(string)
			if isText && strings.TrimSpace(text) == strings.TrimSpace(answers[key].Text(name)) {
				continue
			}
			if isText || !reflect.DeepEqual(got, value) {
				return false
			}
		}
	}
	return true
}

// shortest is how long a text must be to be called a copy: two people may both write "yes".
const shortest = 20

// compare sets what people answered in one field against each other's.
func (q *quality) compare(f *people.Field, key string, done []people.Done) {
	for i, d := range done {
		one, text := q.byPerson[d.Person], plain(d.Answers[key].Text(f.Name))
		if one == nil || text == "" {
			continue
		}
		copied := false
		for k, other := range done {
			theirs := plain(other.Answers[key].Text(f.Name))
			if k == i || theirs == "" {
				continue
			}
			if f.Type == people.Choose {
				one.compared++
				if theirs == text {
					one.same++
				}
			}
			copied = copied || theirs == text
		}
		if f.Type == people.Prose && len(text) >= shortest {
			one.texts++
			if copied {
				one.copies++
			}
		}
	}
}

// plain is a text without what spaces and capitals say.
func plain(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

func (q *quality) table() omniscope.Table {
	t := omniscope.Table{Personal: true, Name: "quality", Title: "How people work", Columns: []string{"person", "role", "submitted", "median time", "controls right", "agreement", "copies", "fast"}, Numbers: []int{2, 3, 4, 5, 6, 7},
		Note: "Controls are items whose right answers are known. Agreement is with others who answered the same, choice by choice. Copies are texts of 20 characters or more that equal somebody else's on the same. Fast are tasks done in less than a quarter of the median time of the others at that stage, where those did ten or more. None of this proves anything: look before you ask."}
	for _, one := range q.workers {
		if len(one.tasks) == 0 {
			continue
		}
		t.Rows = append(t.Rows, []string{one.id, string(one.role), fmt.Sprint(len(one.tasks)), median(one.tasks).Round(time.Second).String(),
			share(one.right, one.controls), share(one.same, one.compared), share(one.copies, one.texts), share(one.fast, one.timed)})
	}
	return t
}

// share is n of all in words.
func share(n, all int) string {
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d (%.0f %%)", n, all, 100*float64(n)/float64(all))
}
