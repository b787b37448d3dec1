package people

import (
	"cmp"
	"context"
	"hash/fnv"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"omniscope"
)

// A Current answer is the one that counts.
type Current struct {
	Value Value     `json:"value"`
	Seq   int64     `json:"seq"`
	At    time.Time `json:"at"`
	By    string    `json:"by,omitempty"`
}

// answersOf are the answers that count after the events of a task. Of each only the last one is
// read: people change their minds often.
func answersOf(events iter.Seq2[*Event, error]) (map[string]Current, error) {
	last := make(map[string]*Event)
	for e, err := range events {
		if err != nil {
			return nil, err
		}
		if e.Kind == Set || e.Kind == Drop {
			last[keyOf(e)] = e
		}
	}
	out := make(map[string]Current, len(last))
	for _, e := range last {
		if e.Kind == Drop {
			continue
		}
		var a Answer
		if err := readBody(e, &a); err != nil {
			return nil, err
		}
		out[a.Key] = Current{Value: a.Value, Seq: e.Seq, At: e.At, By: e.By}
	}
	return out, nil
}

// keyOf is the key of the answer of an event.
func keyOf(e *Event) string { return gjson.GetBytes(e.Body, "key").String() }

func valuesOf(answers map[string]Current) map[string]Value {
	out := make(map[string]Value, len(answers))
	for key, a := range answers {
		out[key] = a.Value
	}
	return out
}

// ofTask reads the events of a task, those that are not written yet included.
func (c *commit) ofTask(ctx context.Context, id TaskID) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for e, err := range c.w.log.OfTask(ctx, id) {
			if err != nil {
				c.unread = err
			}
			if !yield(e, err) {
				return
			}
		}
		for _, e := range c.events {
			if e.Task == id && !yield(e, nil) {
				return
			}
		}
	}
}

func (c *commit) at(ctx context.Context, seq int64) (*Event, error) {
	for _, e := range c.events {
		if e.Seq == seq {
			return e, nil
		}
	}
	e, err := c.w.log.At(ctx, seq)
	if err != nil {
		c.unread = err
	}
	return e, err
}

func (c *commit) answers(ctx context.Context, id TaskID) (map[string]Current, error) {
	return answersOf(c.ofTask(ctx, id))
}

// readKnown reads the last event of each answer of a task.
func (c *commit) readKnown(ctx context.Context, t *taskState) error {
	if t.known != nil {
		return nil
	}
	known := make(map[string]int64)
	for e, err := range c.ofTask(ctx, t.TaskID) {
		if err != nil {
			return err
		}
		if e.Kind == Set || e.Kind == Drop {
			known[keyOf(e)] = e.Seq
		}
	}
	t.known = known
	return nil
}

// maxForms is how many forms are kept to check answers by.
const maxForms = 1000

// form is that of a task, kept while people answer.
func (c *commit) form(ctx context.Context, id TaskID) (*Form, error) {
	if f := c.w.forms[id]; f != nil {
		return f, nil
	}
	about, err := c.workItem(ctx, id.Item, id.Stage)
	if err != nil {
		return nil, err
	}
	f, err := c.w.kind.Form(about)
	if err == nil {
		c.w.keepForm(id, f)
	}
	return f, err
}

func (w *Workplace) keepForm(id TaskID, f *Form) {
	if len(w.forms) >= maxForms {
		clear(w.forms)
	}
	w.forms[id] = f
}

// forgetForms is called when the work on an item that forms show has changed.
func (w *Workplace) forgetForms(item string) {
	maps.DeleteFunc(w.forms, func(id TaskID, _ *Form) bool { return id.Item == item })
	if one := w.state.byID[item]; one != nil {
		one.version++
	}
}

// Form is what a person sees and answers in a task, and what it is about. It is made while others
// save, and kept for the answers that follow.
func (w *Workplace) Form(ctx context.Context, id TaskID) (*WorkItem, *Form, error) {
	w.mu.Lock()
	one := w.state.byID[id.Item]
	version := 0
	if one != nil {
		version = one.version
	}
	about, err := w.reading().workItem(ctx, id.Item, id.Stage)
	w.mu.Unlock()
	if err != nil {
		return nil, nil, err
	}
	form, err := w.kind.Form(about)
	if err != nil {
		return nil, nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.state.task(id); t != nil && t.State == Started && w.state.byID[id.Item].version == version {
		w.keepForm(id, form)
	}
	return about, form, nil
}

// workItem reads an item at a stage and all earlier submissions.
func (c *commit) workItem(ctx context.Context, item, stage string) (*WorkItem, error) {
	s := c.w.state
	one := s.byID[item]
	project := s.project
	out := &WorkItem{Project: &project, Stage: project.Stage(stage)}
	if one == nil || out.Stage == nil {
		return nil, omniscope.NotFoundf("there is no item %q at a stage %q", item, stage)
	}
	e, err := c.at(ctx, one.seq)
	if err != nil {
		return nil, err
	}
	out.Item = &Item{}
	if err := readBody(e, out.Item); err != nil {
		return nil, err
	}
	for _, before := range project.earlier(out.Stage) {
		for _, t := range one.submittedAt(before) {
			answers, err := c.answers(ctx, t.TaskID)
			if err != nil {
				return nil, err
			}
			out.Earlier = append(out.Earlier, Done{TaskID: t.TaskID, Answers: valuesOf(answers), Seq: t.SubmitSeq})
		}
	}
	giveLetters(item, out.Earlier)
	return out, nil
}

// submittedAt are the tasks that were submitted at a stage and count, in that order.
func (one *itemState) submittedAt(stage string) (out []*taskState) {
	for _, t := range one.tasks {
		if t.Stage == stage && t.Counts() {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *taskState) int { return cmp.Compare(a.SubmitSeq, b.SubmitSeq) })
	return out
}

// giveLetters names the people of an item's tasks by letters, so that those who settle do not
// see who said what. Who has which letter differs from item to item.
func giveLetters(item string, done []Done) {
	var people []string
	for _, d := range done {
		people = append(people, d.Person)
	}
	slices.Sort(people)
	people = slices.Compact(people)
	h := fnv.New64a()
	h.Write([]byte(item))
	rand.New(rand.NewPCG(h.Sum64(), 0)).Shuffle(len(people), func(i, k int) { people[i], people[k] = people[k], people[i] })
	for i := range done {
		done[i].Letter = string(rune('A' + slices.Index(people, done[i].Person)%26))
	}
}

// reading is a look at what is written: a commit without events of its own.
func (w *Workplace) reading() *commit { return &commit{w: w} }

// WorkItem returns an item at a stage, with the submissions of the stages before.
func (w *Workplace) WorkItem(ctx context.Context, item, stage string) (*WorkItem, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reading().workItem(ctx, item, stage)
}

// Answers are those of a task that count, by key.
func (w *Workplace) Answers(ctx context.Context, id TaskID) (map[string]Current, error) {
	return answersOf(w.log.OfTask(ctx, id))
}

// Item reads an item.
func (w *Workplace) Item(ctx context.Context, id string) (*Item, error) {
	w.mu.Lock()
	one := w.state.byID[id]
	w.mu.Unlock()
	if one == nil {
		return nil, omniscope.NotFoundf("there is no item %q", id)
	}
	e, err := w.log.At(ctx, one.seq)
	if err != nil {
		return nil, err
	}
	item := &Item{}
	return item, readBody(e, item)
}

// MediaOf are the files of an item.
func (w *Workplace) MediaOf(item string) []Media {
	w.mu.Lock()
	defer w.mu.Unlock()
	if one := w.state.byID[item]; one != nil {
		return one.media
	}
	return nil
}

// Items are the ids of all items, in order.
func (w *Workplace) Items() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]string, len(w.state.items))
	for i, one := range w.state.items {
		out[i] = one.id
	}
	return out
}

// Done are the tasks of an item that were submitted at a stage and count, in that order.
func (w *Workplace) Done(ctx context.Context, item, stage string) (out []Done, err error) {
	w.mu.Lock()
	one := w.state.byID[item]
	var ids []Task
	if one != nil {
		for _, t := range one.submittedAt(stage) {
			ids = append(ids, t.Task)
		}
	}
	w.mu.Unlock()
	for _, t := range ids {
		answers, err := w.Answers(ctx, t.TaskID)
		if err != nil {
			return nil, err
		}
		out = append(out, Done{TaskID: t.TaskID, Answers: valuesOf(answers), Seq: t.SubmitSeq})
	}
	return out, nil
}

// Tasks are all tasks, by item and in the order in which they were taken.
func (w *Workplace) Tasks() (out []Task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.state.items {
		for _, t := range one.tasks {
			out = append(out, t.Task)
		}
	}
	return out
}

// Task is a person's task; ok = false: there is none.
func (w *Workplace) Task(id TaskID) (Task, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.state.task(id); t != nil {
		return t.Task, true
	}
	return Task{}, false
}

// Next is the task that a person goes on with at a stage: one that is open to them, else the
// first item that is assigned to them, else the first that has a place. ok = false: there is none.
func (w *Workplace) Next(person, stage string) (id TaskID, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, p := w.state.project.Stage(stage), w.state.people[person]
	if s == nil || p == nil || p.Closed {
		return TaskID{}, false
	}
	now := w.now()
	var free, mine *itemState
	for _, one := range w.state.items {
		t := w.state.task(TaskID{one.id, stage, person})
		if t != nil && !w.mayGoOn(t) || w.state.mayTake(one, s, p) != nil {
			continue
		}
		place := one.places(s, now, w.beats) > 0
		switch {
		case t != nil && (place || t.kept(now, w.beats)):
			return t.TaskID, true
		case t != nil || !place:
			continue
		}
		if free = cmp.Or(free, one); slices.Contains(one.assigned[stage], person) {
			mine = cmp.Or(mine, one)
		}
	}
	if one := cmp.Or(mine, free); one != nil {
		return TaskID{one.id, stage, person}, true
	}
	return TaskID{}, false
}

// mayGoOn reports whether a task is open to its person, or may be done again.
func (w *Workplace) mayGoOn(t *taskState) bool { return t.State == Started || w.mayRedo(t) }

// mayRedo reports whether somebody may do again what they submitted: it does not count as it is, and
// they were not shown what was hidden.
func (w *Workplace) mayRedo(t *taskState) bool {
	return t.State == Submitted && !t.Counts() && w.kind.Reveal == nil
}

// Beat notes that a person still has a task in front of them, so that it is kept for them.
func (w *Workplace) Beat(id TaskID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t, stage := w.state.task(id), w.state.project.Stage(id.Stage)
	if t != nil && stage != nil && t.State == Started {
		w.beats[id] = w.now().Add(stage.lease())
	}
}

// Progress is how far a stage is.
type Progress struct {
	Stage   Stage
	Items   int // that need it
	Skipped int // that need no work there
	Ready   int // that may be done now
	Done    int
	Tasks   int // that are wanted
	Given   int // tasks that were submitted
	Working []Task
}

// Progress is how far each stage is.
func (w *Workplace) Progress() (out []Progress) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	for i := range w.state.project.Stages {
		s := &w.state.project.Stages[i]
		p := Progress{Stage: *s}
		for _, one := range w.state.items {
			if one.skipped[s.Name] {
				p.Skipped++
				continue
			}
			p.Items++
			p.Tasks += one.wanted(s)
			p.Given += min(one.submitted(s.Name), one.wanted(s))
			switch {
			case w.state.done(one, s):
				p.Done++
			case w.state.ready(one, s):
				p.Ready++
			}
			for _, t := range one.tasks {
				if t.Stage == s.Name && t.State == Started && t.kept(now, w.beats) {
					p.Working = append(p.Working, t.Task)
				}
			}
		}
		out = append(out, p)
	}
	return out
}

// People are those who work on the project, by their ids.
func (w *Workplace) People() (out []Person) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(w.state.people)) {
		out = append(out, *w.state.people[id])
	}
	return out
}
