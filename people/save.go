package people

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"omniscope"
)

// A Receipt says what became of an event.
type Receipt struct {
	ID  string
	Seq int64 // its place; an event that is sent again has the place that it had
	Err error // it was refused, and is not in the log
	// Conflict is the answer that was there, of which the author did not know. Theirs is kept as an
	// event of kind Conflict, and does not count unless they save it again, with the place of that
	// answer as its Base.
	Conflict *Answer
	Base     int64
}

// A request is events that are to be saved together.
type request struct {
	events   []*Event
	receipts []Receipt
	err      error
	done     chan struct{}
}

var errClosed = &omniscope.Error{Kind: omniscope.Transient, Err: errors.New("the project is being closed: try again in a moment")}

// Save adds events and returns once they are on the disk. Each is taken or refused by itself; an
// error means that none was. An event that is in the log already is not added again.
func (w *Workplace) Save(ctx context.Context, events ...*Event) (receipts []Receipt, err error) {
	r := &request{events: events, done: make(chan struct{})}
	select {
	case w.requests <- r:
	case <-w.closed:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	<-r.done // what is being written is waited for: it may be in the log
	return r.receipts, r.err
}

// saveAll saves events, and returns the first error of any.
func (w *Workplace) saveAll(ctx context.Context, events ...*Event) error {
	got, err := w.Save(ctx, events...)
	for _, one := range got {
		if err == nil {
			err = one.Err
		}
	}
	return err
}

// SaveTask saves an event without a body of a task, by a person.
func (w *Workplace) SaveTask(ctx context.Context, kind EventKind, id TaskID, by string) error {
	e := NewEvent(kind, by, nil)
	e.Task = id
	return w.saveAll(ctx, e)
}

// maxBatch is how many requests are written with one commit.
const maxBatch = 200

// write saves what is asked for, as much at a time as has come in while the last commit lasted.
func (w *Workplace) write() {
	defer close(w.stopped)
	for {
		var batch []*request
		select {
		case r := <-w.requests:
			batch = append(batch, r)
		case <-w.closed:
			return
		}
	more:
		for len(batch) < maxBatch {
			select {
			case next := <-w.requests:
				batch = append(batch, next)
			default:
				break more
			}
		}
		w.commit(batch)
		for _, r := range batch {
			close(r.done)
		}
	}
}

// commit checks and writes requests. The state changes first, so that each event is checked by
// what those before it did; if they cannot be written, it is read again from the log.
func (w *Workplace) commit(batch []*request) {
	ctx := context.Background() // what is being written goes on when its sender goes away
	w.mu.Lock()                 // nobody sees what is not on the disk
	defer w.mu.Unlock()
	c := &commit{w: w, places: make(map[string]int64)}
	if err := c.check(ctx, batch); err != nil {
		c.fail(batch, err)
		return
	}
	if len(c.events) == 0 {
		return
	}
	if err := w.log.Append(ctx, c.events); err != nil {
		c.fail(batch, fmt.Errorf("could not be saved: %w", err))
		return
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

// A commit is events that are checked and not written yet.
type commit struct {
	w      *Workplace
	places map[string]int64 // of events by their ids
	events []*Event
	unread error // the log could not be read
}

func (c *commit) check(ctx context.Context, batch []*request) error {
	var ids []string
	for _, r := range batch {
		for _, e := range r.events {
			ids = append(ids, e.ID)
		}
	}
	known, err := c.w.log.Known(ctx, ids)
	if err != nil {
		return err
	}
	c.places = known
	if c.w.broken != nil { // the log may answer again
		c.w.readAgain(ctx)
	}
	if c.w.broken != nil {
		return c.w.broken
	}
	for _, r := range batch {
		for _, e := range r.events {
			r.receipts = append(r.receipts, c.one(ctx, e))
			if c.unread != nil { // the event may be right: its sender tries again
				return fmt.Errorf("the log could not be read: %w", c.unread)
			}
		}
	}
	return nil
}

// one checks an event and applies it. A panic in the code of a kind fails this event alone.
func (c *commit) one(ctx context.Context, e *Event) (got Receipt) {
	defer func() {
		if fault := recover(); fault != nil {
			got.Err = &omniscope.Error{Kind: omniscope.Internal, Err: fmt.Errorf("a fault in %s at the stage %s: %v", c.w.state.project.Kind, e.Task.Stage, fault)}
		}
	}()
	if seq, ok := c.places[e.ID]; ok {
		return c.again(ctx, e.ID, seq)
	}
	got = Receipt{ID: e.ID}
	e.At = c.w.now().UTC().Truncate(time.Microsecond) // as logs keep it
	if got.Err = c.allowed(ctx, e, &got); got.Err != nil {
		return got
	}
	if got.Err = c.add(e); got.Err != nil {
		return got
	}
	got.Seq = e.Seq
	switch e.Kind {
	case Submit, Withdraw, Release:
		delete(c.w.beats, e.Task)
	}
	switch e.Kind {
	case Submit, Withdraw, Reopen:
		c.w.forgetForms(e.Task.Item)
	case ClipFound:
		clear(c.w.forms) // work of earlier stages, which forms show, may count no more
	}
	if e.Kind == Submit {
		got.Err = c.skip(ctx, e.Task)
	}
	return got
}

// again answers an event that is in the log already, as it was answered the first time: the sender
// may not have got that answer.
func (c *commit) again(ctx context.Context, id string, seq int64) Receipt {
	got := Receipt{ID: id, Seq: seq}
	e, err := c.at(ctx, seq)
	if err == nil && e.Kind == Conflict {
		err = c.showConflict(ctx, e, &got)
	}
	if got.Err = err; err != nil {
		got.Seq = 0
	}
	return got
}

// showConflict says in a receipt which answer was there before an event of kind Conflict.
func (c *commit) showConflict(ctx context.Context, e *Event, got *Receipt) error {
	var a Answer
	if err := readBody(e, &a); err != nil {
		return err
	}
	t := c.w.state.task(e.Task)
	if err := c.readKnown(ctx, t); err != nil {
		return err
	}
	there, err := c.at(ctx, t.known[a.Key])
	if err != nil {
		return err
	}
	got.Base, got.Conflict = there.Seq, &Answer{}
	return readBody(there, got.Conflict)
}

func (c *commit) add(e *Event) error {
	e.Seq = c.w.state.seq + 1
	if err := c.w.state.apply(e); err != nil {
		c.w.state.seq = e.Seq - 1 // it has not happened
		return err
	}
	c.events, c.places[e.ID] = append(c.events, e), e.Seq
	return nil
}

// fail answers all requests with an error, and reads the state again: what was not written has
// not happened.
func (c *commit) fail(batch []*request, err error) {
	for _, r := range batch {
		r.receipts, r.err = nil, err
	}
	if len(c.events) == 0 {
		return
	}
	c.w.readAgain(context.Background())
}

// readAgain computes the state from the log once more. Where that fails, nothing is saved before
// it succeeds.
func (w *Workplace) readAgain(ctx context.Context) {
	s, err := readState(ctx, w.log)
	if w.broken = err; err == nil {
		w.state = s
	}
	clear(w.forms)
}

// allowed refuses what may not happen. An answer by somebody who did not know the one that is
// there becomes a conflict.
func (c *commit) allowed(ctx context.Context, e *Event, got *Receipt) error {
	s := c.w.state
	one, stage, person := s.byID[e.Task.Item], s.project.Stage(e.Task.Stage), s.people[e.By]
	switch e.Kind {
	case Take, Set, Drop, Submit, Reopen, Release, Withdraw:
		if e.By == "" && one != nil && stage != nil {
			return nil // work that was done elsewhere
		}
	case ProjectSet, ItemAdd, PersonSet, SessionNew, SessionEnd, Assign, Unassign, ClipFound:
		return s.mayProgram(e)
	case Shown: // the program saves it, as the person's
	default:
		return omniscope.Usagef("the event %q cannot be saved", e.Kind)
	}
	switch {
	case person == nil || person.Closed:
		return denied("%q does not work on this project", e.By)
	case one == nil || stage == nil:
		return omniscope.NotFoundf("there is no item %q at a stage %q", e.Task.Item, e.Task.Stage)
	case e.Kind == Withdraw:
		return s.mayWithdraw(e.Task, person)
	case e.Task.Person != e.By:
		return denied("this task is somebody else's")
	case e.Kind == Take:
		return c.mayTake(one, stage, person, s.task(e.Task))
	case !stage.Allows(person.Role):
		return denied("the stage %q is not for the role %s", stage.Title, person.Role)
	}
	return c.allowedTaken(ctx, e, one, stage, got)
}

// mayProgram refuses events of the program that somebody else sends, or that do not fit the state.
func (s *state) mayProgram(e *Event) error {
	switch {
	case e.By != "":
		return denied("only the program itself saves the event %q", e.Kind)
	case e.Kind == Assign:
		return s.mayAssign(e.Task)
	case e.Kind == ClipFound:
		return s.mayNote(e)
	}
	return nil
}

// allowedTaken refuses what may not happen to a task that its person took.
func (c *commit) allowedTaken(ctx context.Context, e *Event, one *itemState, stage *Stage, got *Receipt) error {
	t := c.w.state.task(e.Task)
	switch {
	case t == nil || t.State == Released:
		return omniscope.Usagef("%s is not open to you: take it first", one.id)
	case t.State == Withdrawn:
		return withdrawn(one)
	case e.Kind == Reopen:
		return c.mayReopen(one, stage, t)
	case t.State == Submitted:
		return omniscope.Usagef("%s is submitted: open it again to change it", one.id)
	case e.Kind == Release:
		return nil
	case e.Kind == Shown:
		return c.w.state.mayShow(one, e)
	case e.Kind == Submit:
		if err := c.w.state.mayFinish(one, stage); err != nil {
			return err
		}
	}
	return c.allowedAnswer(ctx, e, t, got)
}

func withdrawn(one *itemState) error {
	return denied("your work on %s was withdrawn by a lead", one.id)
}

func (c *commit) mayReopen(one *itemState, stage *Stage, t *taskState) error {
	if t.State != Submitted {
		return omniscope.Usagef("%s is open: it can be changed", one.id)
	}
	if c.w.kind.Reveal != nil {
		return omniscope.Usagef("%s stays as it is: you have been shown what was hidden", one.id)
	}
	if c.w.state.hasLater(one, stage.Name) {
		return omniscope.Usagef("somebody works on %s at the next stage already: ask a lead", one.id)
	}
	return nil
}

func (c *commit) mayTake(one *itemState, stage *Stage, person *Person, t *taskState) error {
	switch {
	case t != nil && t.State == Submitted && !c.w.mayRedo(t):
		return omniscope.Usagef("%s is submitted: open it again to change it", one.id)
	case t != nil && t.State == Withdrawn:
		return withdrawn(one)
	}
	if err := c.w.state.mayTake(one, stage, person); err != nil {
		return err
	}
	if (t == nil || t.State == Released || !t.kept(c.w.now(), c.w.beats)) && one.places(stage, c.w.now(), c.w.beats) == 0 {
		return omniscope.Usagef("others have taken %s meanwhile: go on with the next item", one.id)
	}
	return nil
}

func (s *state) mayWithdraw(id TaskID, by *Person) error {
	t := s.task(id)
	switch {
	case by.Role != Owner && by.Role != Lead:
		return denied("only owners and leads withdraw the work of others")
	case t == nil || t.State != Submitted && t.State != Started:
		return omniscope.Usagef("there is no work %s to withdraw", id)
	}
	return nil
}

func (s *state) mayAssign(id TaskID) error {
	one, stage, person := s.byID[id.Item], s.project.Stage(id.Stage), s.people[id.Person]
	switch {
	case one == nil || stage == nil:
		return omniscope.NotFoundf("there is no item %q at a stage %q", id.Item, id.Stage)
	case person == nil:
		return omniscope.NotFoundf("there is nobody called %q: invite them first", id.Person)
	case !stage.Allows(person.Role):
		return omniscope.Usagef("the stage %q is not for the role %s of %s", stage.Title, person.Role, person.ID)
	case person.Closed:
		return omniscope.Usagef("the account of %s is closed: invite them again first", id.Person)
	}
	if assigned := s.assignedTo(one, id.Stage); len(assigned) >= one.wanted(stage) && !slices.Contains(assigned, id.Person) {
		return omniscope.Usagef("%s has all %d people at the stage %q already", id.Item, one.wanted(stage), id.Stage)
	}
	return nil
}

func (c *commit) allowedAnswer(ctx context.Context, e *Event, t *taskState, got *Receipt) error {
	form, err := c.form(ctx, e.Task)
	if err != nil {
		return err
	}
	if e.Kind == Submit {
		return c.complete(ctx, e, t, form)
	}
	var a Answer
	if json.Unmarshal(e.Body, &a) != nil || a.Key == "" {
		return omniscope.Usagef("the answer cannot be read")
	}
	if e.Kind == Drop {
		a.Value = nil
	}
	if err := form.Check(&a); err != nil {
		return err
	}
	if err := c.readKnown(ctx, t); err != nil {
		return err
	}
	at := t.known[a.Key]
	if at <= e.Base {
		return nil
	}
	there, err := c.at(ctx, at)
	if err != nil {
		return err
	}
	if e.Base == 0 && there.Kind == Drop { // nothing is there, as the author believes
		return nil
	}
	e.Kind = Conflict
	return c.showConflict(ctx, e, got)
}

// complete checks a Submit. Who has not seen the clips, as the server knows, can only say that they
// cannot judge.
func (c *commit) complete(ctx context.Context, e *Event, t *taskState, form *Form) error {
	answers, err := c.answers(ctx, e.Task)
	if err != nil {
		return err
	}
	values := valuesOf(answers)
	s := c.w.state
	if why := s.notShown(s.byID[e.Task.Item], s.project.Stage(e.Task.Stage), t, form); why != nil {
		if !form.abstains(values) {
			return why
		}
		if err := noteUnseen(e); err != nil {
			return err
		}
	}
	if err := form.Missing(values); err != nil || c.w.kind.Complete == nil {
		return err
	}
	about, err := c.workItem(ctx, e.Task.Item, e.Task.Stage)
	if err != nil {
		return err
	}
	return c.w.kind.Complete(about, values)
}

// skip notes which of the stages that come next an item does not need, by the rules of the kind,
// once the stage before is done.
func (c *commit) skip(ctx context.Context, id TaskID) error {
	if c.w.kind.Skip == nil {
		return nil
	}
	s := c.w.state
	one := s.byID[id.Item]
	for i := range s.project.Stages {
		stage := &s.project.Stages[i]
		if !slices.Contains(s.project.earlier(stage), id.Stage) || !s.ready(one, stage) {
			continue
		}
		about, err := c.workItem(ctx, id.Item, stage.Name)
		if err != nil {
			return err
		}
		skip, err := c.w.kind.Skip(about)
		if err != nil {
			return err
		}
		if skip == one.skipped[stage.Name] {
			continue
		}
		e := NewEvent(StageNeed, "", nil)
		if skip {
			e.Kind = StageSkip
		}
		e.At, e.Task = c.w.now().UTC().Truncate(time.Microsecond), TaskID{Item: id.Item, Stage: stage.Name}
		if err := c.add(e); err != nil {
			return err
		}
	}
	return nil
}
