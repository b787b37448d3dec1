package people

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"omniscope"
)

// A State is how far a task is.
type State string

// The states.
const (
	Started   State = "open"
	Submitted State = "submitted"
	Released  State = "released"
	Withdrawn State = "withdrawn"
)

// A Task is how far one person is with an item at a stage.
type Task struct {
	TaskID
	State     State
	Until     time.Time     // an open item is kept for the person till then
	Active    time.Duration // how long they worked on it
	Since     time.Time     // when they took it first
	Last      time.Time     // when something last happened
	Answers   int           // changes of answers
	SubmitSeq int64         // of the event that submitted it
	LeftOut   LeftOut       // why submitted work does not count; "" = it does
}

// Counts reports whether the task is submitted and counts.
func (t *Task) Counts() bool { return t.State == Submitted && t.LeftOut == "" }

// state is what follows from the events up to seq.
type state struct {
	seq      int64
	project  Project
	items    []*itemState // in order
	byID     map[string]*itemState
	clips    map[ClipName]*clipState
	people   map[string]*Person
	sessions map[string]*loginSession // by secret
}

// An itemState is an item and its tasks. Its payload stays in the log.
type itemState struct {
	id, clip string
	media    []Media
	people   map[string]int
	seq      int64 // of the event that added it
	tasks    []*taskState
	assigned map[string][]string // by stage, the people who are to do it
	skipped  map[string]bool     // by stage
	version  int                 // of what forms about it show
}

type taskState struct {
	Task
	known     map[string]int64 // the last event of each answer; nil = not read from the log
	shown     []string         // SHA-256 of what was shown to the person, by the number of the clip; "" = nothing
	unseen    bool             // submitted by somebody who could not see the clips, and says so
	elsewhere bool             // submitted by the program: the work was done elsewhere
}

func newState() *state {
	return &state{byID: make(map[string]*itemState), clips: make(map[ClipName]*clipState), people: make(map[string]*Person), sessions: make(map[string]*loginSession)}
}

func readBody(e *Event, into any) error {
	if err := json.Unmarshal(e.Body, into); err != nil {
		return omniscope.Invalidf("event %d (%s) cannot be read: %w", e.Seq, e.Kind, err)
	}
	return nil
}

// apply changes the state by an event.
func (s *state) apply(e *Event) error {
	s.seq = e.Seq
	switch e.Kind {
	case ProjectSet:
		return readBody(e, &s.project)
	case ItemAdd:
		return s.applyItem(e)
	case ClipFound:
		return s.applyClip(e)
	case PersonSet:
		return s.applyPerson(e)
	case SessionNew, SessionEnd:
		return s.applySession(e)
	}
	one := s.byID[e.Task.Item]
	if one == nil {
		return omniscope.Invalidf("event %d is about the item %q, which is not there", e.Seq, e.Task.Item)
	}
	switch e.Kind {
	case Assign, Unassign:
		one.assign(e.Task, e.Kind == Assign)
	case StageSkip, StageNeed:
		if one.skipped == nil {
			one.skipped = make(map[string]bool)
		}
		one.skipped[e.Task.Stage] = e.Kind == StageSkip
	case Shown:
		return s.applyShown(one, e)
	default:
		return s.applyTask(one, e)
	}
	return nil
}

func (s *state) applyItem(e *Event) error {
	var item Item
	if err := readBody(e, &item); err != nil {
		return err
	}
	if s.byID[item.ID] == nil {
		one := &itemState{id: item.ID, clip: item.Clip, media: item.Media, people: item.People, seq: e.Seq}
		s.items, s.byID[item.ID] = append(s.items, one), one
		s.addClips(one)
	}
	return nil
}

func (s *state) applyPerson(e *Event) error {
	p := &Person{}
	if err := readBody(e, p); err != nil {
		return err
	}
	s.people[p.ID] = p
	if p.Closed { // who is invited again starts with a link
		maps.DeleteFunc(s.sessions, func(_ string, one *loginSession) bool { return one.Person == p.ID })
	}
	return nil
}

func (s *state) applySession(e *Event) error {
	session := &loginSession{}
	if err := readBody(e, session); err != nil {
		return err
	}
	if e.Kind == SessionEnd {
		delete(s.sessions, string(session.Secret))
	} else {
		s.sessions[string(session.Secret)] = session
	}
	return nil
}

func (one *itemState) assign(id TaskID, to bool) {
	if one.assigned == nil {
		one.assigned = make(map[string][]string)
	}
	there := slices.DeleteFunc(one.assigned[id.Stage], func(p string) bool { return p == id.Person })
	if to {
		there = append(there, id.Person)
	}
	one.assigned[id.Stage] = there
}

// assignedTo are the people who are to do an item at a stage and still can: an account that was closed
// and work that was withdrawn keep nobody else from it.
func (s *state) assignedTo(one *itemState, stage string) (persons []string) {
	for _, id := range one.assigned[stage] {
		p, t := s.people[id], s.task(TaskID{one.id, stage, id})
		if p != nil && !p.Closed && (t == nil || t.State != Withdrawn) {
			persons = append(persons, id)
		}
	}
	return persons
}

// task is a person's task; nil = there is none.
func (s *state) task(id TaskID) *taskState {
	if one := s.byID[id.Item]; one != nil {
		for _, t := range one.tasks {
			if t.TaskID == id {
				return t
			}
		}
	}
	return nil
}

func (s *state) applyTask(one *itemState, e *Event) error {
	t := s.task(e.Task)
	if t == nil {
		t = &taskState{Task: Task{TaskID: e.Task, Last: e.At, Since: e.At}}
		one.tasks = append(one.tasks, t)
	}
	// What a page says of time is believed up to the time that passed here.
	if active := time.Duration(e.ActiveMS) * time.Millisecond; active > 0 {
		t.Active += min(active, max(0, e.At.Sub(t.Last)))
	}
	t.Last = e.At
	if stage := s.project.Stage(e.Task.Stage); stage != nil {
		t.Until = e.At.Add(stage.lease())
	}
	switch e.Kind {
	case Take, Reopen:
		t.State, t.LeftOut = Started, ""
	case Submit:
		return s.applySubmit(one, t, e)
	case Release:
		t.State, t.known = Released, nil
	case Withdraw:
		t.State, t.known, t.LeftOut = Withdrawn, nil, ""
	case Set, Drop:
		t.Answers++
		if t.known != nil {
			t.known[keyOf(e)] = e.Seq
		}
	}
	return nil
}

func (s *state) applySubmit(one *itemState, t *taskState, e *Event) error {
	var body submission
	if len(e.Body) > 0 {
		if err := readBody(e, &body); err != nil {
			return err
		}
	}
	t.State, t.SubmitSeq, t.known = Submitted, e.Seq, nil
	t.unseen, t.elsewhere = body.Unseen, e.By == ""
	s.weigh(one, t)
	return nil
}

func (s *Stage) lease() time.Duration { return time.Duration(s.LeaseMinutes) * time.Minute }

// wanted is how many people do an item at a stage.
func (one *itemState) wanted(s *Stage) int {
	if n, ok := one.people[s.Name]; ok {
		return n
	}
	return s.People
}

// submitted counts the submitted tasks of a stage that count.
func (one *itemState) submitted(stage string) (n int) {
	for _, t := range one.tasks {
		if t.Stage == stage && t.Counts() {
			n++
		}
	}
	return n
}

// done reports whether an item is done at a stage: by as many people as are wanted, or since it
// needs no work there.
func (s *state) done(one *itemState, stage *Stage) bool {
	return one.skipped[stage.Name] || one.submitted(stage.Name) >= one.wanted(stage)
}

// ready reports whether the stages before are done.
func (s *state) ready(one *itemState, stage *Stage) bool {
	for before := s.project.Stage(stage.After); before != nil; before = s.project.Stage(before.After) {
		if !s.done(one, before) {
			return false
		}
	}
	return true
}

// hasLater reports whether somebody works on an item at a stage that comes after a stage.
func (s *state) hasLater(one *itemState, stage string) bool {
	return slices.ContainsFunc(one.tasks, func(t *taskState) bool {
		later := s.project.Stage(t.Stage)
		return later != nil && (t.State == Started || t.State == Submitted) && slices.Contains(s.project.earlier(later), stage)
	})
}

// places is how many more people may take an item at a stage at a time.
func (one *itemState) places(s *Stage, now time.Time, beats map[TaskID]time.Time) int {
	most := one.wanted(s)
	for _, t := range one.tasks {
		if t.Stage == s.Name && (t.Counts() || t.State == Started && t.kept(now, beats)) {
			most--
		}
	}
	return max(0, most)
}

// kept reports whether an open item is still kept for its person.
func (t *taskState) kept(now time.Time, beats map[TaskID]time.Time) bool {
	return t.Until.After(now) || beats[t.TaskID].After(now)
}

// mayFinish reports, in words, why an item cannot be submitted at a stage by somebody who has it
// open, whatever happened since they took it; nil = it can.
func (s *state) mayFinish(one *itemState, stage *Stage) error {
	switch {
	case !s.ready(one, stage):
		return omniscope.Usagef("%s is not ready: the stage before %q is not done", one.id, stage.Title)
	case one.skipped[stage.Name]:
		return omniscope.Usagef("%s needs no work at the stage %q", one.id, stage.Title)
	case one.submitted(stage.Name) >= one.wanted(stage):
		return omniscope.Usagef("others have done %s meanwhile: what you did is kept, and is not needed. Give it back and go on with the next item", one.id)
	}
	return nil
}

// mayTake reports, in words, why a person cannot work on an item at a stage; nil = they can.
// It does not look at places.
func (s *state) mayTake(one *itemState, stage *Stage, p *Person) error {
	if err := s.mayFinish(one, stage); err != nil {
		return err
	}
	if !stage.Allows(p.Role) {
		return denied("the stage %q is not for the role %s", stage.Title, p.Role)
	}
	if assigned := s.assignedTo(one, stage.Name); len(assigned) > 0 && !slices.Contains(assigned, p.ID) {
		return denied("%s is assigned to somebody else", one.id)
	}
	if before := one.submittedAt(stage.Same); len(before) > 0 && !slices.ContainsFunc(before, func(t *taskState) bool { return t.Person == p.ID }) {
		return denied("%q of %s is for those who did its stage %q", stage.Title, one.id, stage.Same)
	}
	for _, t := range one.tasks {
		if t.Person == p.ID && slices.Contains(stage.Apart, t.Stage) && (t.State == Started || t.State == Submitted) {
			return denied("you worked on %s yourself: somebody else does the stage %q", one.id, stage.Title)
		}
	}
	return nil
}
