package annotate

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/people"
	"omniscope/web"
)

// A stageRow is a stage as one person sees it on the first page.
type stageRow struct {
	people.Progress
	Mine int // tasks that they submitted
	Open []people.Task
	Next bool // there is something for them to do
}

func (s *Site) home(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	web.Write(w, http.StatusOK, homePage(s.frame(r, p, word("work")), s.stagesOf(p)))
	return nil
}

func (s *Site) stagesOf(p *people.Person) (rows []stageRow) {
	tasks := s.Workplace.Tasks()
	for _, progress := range s.Workplace.Progress() {
		if !progress.Stage.Allows(p.Role) {
			continue
		}
		row := stageRow{Progress: progress}
		for _, t := range tasks {
			if t.Person != p.ID || t.Stage != progress.Stage.Name {
				continue
			}
			switch t.State {
			case people.Submitted:
				row.Mine++
				row.Open = append(row.Open, t)
			case people.Started:
				row.Open = append(row.Open, t)
			}
		}
		_, row.Next = s.Workplace.Next(p.ID, progress.Stage.Name)
		rows = append(rows, row)
	}
	return rows
}

// taskOf is the task that an address names, as the person's own.
func taskOf(r *http.Request, p *people.Person) people.TaskID {
	return people.TaskID{Item: r.PathValue("item"), Stage: r.PathValue("stage"), Person: p.ID}
}

func taskAddress(id people.TaskID) string {
	return "/task/" + url.PathEscape(id.Stage) + "/" + url.PathEscape(id.Item)
}

func (s *Site) next(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	id, ok, err := s.Workplace.TakeNext(r.Context(), p.ID, r.PathValue("stage"))
	if err != nil {
		return err
	}
	to := "/"
	if ok {
		to = taskAddress(id)
	}
	return redirect(w, r, to)
}

func (s *Site) take(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	id := taskOf(r, p)
	if err := s.Workplace.SaveTask(r.Context(), people.Take, id, id.Person); err != nil {
		return err
	}
	return redirect(w, r, taskAddress(id))
}

// taskData is what the scripts of a task's page need.
type taskData struct {
	Project string                 `json:"project"`
	Person  string                 `json:"person"`
	Stage   string                 `json:"stage"`
	Item    string                 `json:"item"`
	State   people.State           `json:"state"`
	Mine    bool                   `json:"mine"` // the person's own; else it is only looked at
	Form    *people.Form           `json:"form"`
	Answers map[string]savedAnswer `json:"answers"`
	Reveal  []people.Text          `json:"reveal,omitempty"`
	Media   []mediaData            `json:"media"`
	Reveals bool                   `json:"revealsLater"` // the page is shown again once the task is submitted
	Guide   string                 `json:"guide"`        // digest of the guideline
	Words   map[string]string      `json:"words"`
}

type savedAnswer struct {
	Value people.Value `json:"value"`
	Seq   int64        `json:"seq"`
}

// A taskPage is a task as a person sees it.
type taskPage struct {
	frame *frame
	Stage *people.Stage
	Task  people.Task
	Taken bool
	Final bool // it cannot be opened again
	Data  *taskData
}

func (s *Site) task(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	id := taskOf(r, p)
	if other := r.URL.Query().Get("person"); other != "" && other != p.ID {
		if !mayRun(p) {
			return denied("this task is somebody else's")
		}
		if own, taken := s.Workplace.Task(id); taken && own.State == people.Started {
			return denied("you have this item open at this stage yourself: submit it or give it back first")
		}
		id.Person = other
	}
	stage := s.stage(id.Stage)
	if stage == nil || !s.Workplace.Has(id.Item) {
		return omniscope.NotFoundf("there is no item %q at a stage %q", id.Item, id.Stage)
	}
	if id.Person == p.ID && !stage.Allows(p.Role) {
		return denied("the stage %q is not for the role %s", stage.Title, p.Role)
	}
	t := &taskPage{frame: s.frame(r, p, stage.Title), Stage: stage}
	var err error
	if t.Task, t.Taken = s.Workplace.Task(id); !t.Taken || t.Task.State == people.Released {
		if id.Person != p.ID {
			return omniscope.NotFoundf("there is no work %s", id)
		}
		t.Task.TaskID, t.Taken = id, false // nothing is shown of it before it is taken
		web.Write(w, http.StatusOK, untakenPage(t))
		return nil
	}
	if t.Data, err = s.taskData(r, t.Task, p); err != nil {
		return err
	}
	t.Final = s.Workplace.Kind().Reveal != nil
	web.Write(w, http.StatusOK, openTaskPage(t))
	return nil
}

func (s *Site) taskData(r *http.Request, t people.Task, p *people.Person) (*taskData, error) {
	about, form, err := s.Workplace.Form(r.Context(), t.TaskID)
	if err != nil {
		return nil, err
	}
	answers, err := s.Workplace.Answers(r.Context(), t.TaskID)
	if err != nil {
		return nil, err
	}
	d := &taskData{Project: about.Project.ID, Person: t.Person, Stage: t.Stage, Item: t.Item, State: t.State, Mine: t.Person == p.ID, Form: form,
		Answers: make(map[string]savedAnswer, len(answers)), Guide: guideline(about.Project), Words: scriptWords}
	values := make(map[string]people.Value, len(answers))
	for key, a := range answers {
		d.Answers[key], values[key] = savedAnswer{a.Value, a.Seq}, a.Value
	}
	if reveal := s.Workplace.Kind().Reveal; reveal != nil {
		d.Reveals = t.State == people.Started
		if t.State == people.Submitted {
			d.Reveal = reveal(about, values)
		}
	}
	d.Media = s.mediaData(about, mayRun(p))
	return d, nil
}

// guideline is what an answer keeps of the guideline that was shown.
func guideline(p *people.Project) string {
	return sha256hex.Of(p.Guideline)[:12]
}

// A sent event is one that a page sends.
type sentEvent struct {
	ID       string           `json:"id"`
	Kind     people.EventKind `json:"kind"`
	Key      string           `json:"key"`
	Value    people.Value     `json:"value"`
	Undo     bool             `json:"undo"`
	Base     int64            `json:"base"`
	ActiveMS int64            `json:"active_ms"`
	Guide    string           `json:"guide"`
}

// A sentReceipt says what became of it.
type sentReceipt struct {
	ID       string       `json:"id"`
	Seq      int64        `json:"seq,omitempty"`
	Error    string       `json:"error,omitempty"`
	Conflict *savedAnswer `json:"conflict,omitempty"`
}

// maxEvents is how many events a page may send at a time.
const maxEvents = 500

func (s *Site) save(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	var sent struct {
		Person string      `json:"person"` // whose page it is; "" = not said
		Events []sentEvent `json:"events"`
	}
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
		return omniscope.Usagef("the events cannot be read: %w", err)
	}
	if sent.Person != "" && sent.Person != p.ID { // somebody else signed in since the page was opened
		s.refuse(w, r, http.StatusUnauthorized, errSignIn)
		return nil
	}
	if len(sent.Events) == 0 || len(sent.Events) > maxEvents {
		return omniscope.Usagef("1 to %d events at a time, not %d", maxEvents, len(sent.Events))
	}
	var events []*people.Event
	for _, one := range sent.Events {
		e, err := one.event(p.ID)
		if err != nil {
			return err
		}
		e.Task = taskOf(r, p)
		events = append(events, e)
	}
	got, err := s.Workplace.Save(r.Context(), events...)
	if err != nil {
		return err
	}
	return writeReceipts(w, got)
}

func (s *sentEvent) event(by string) (*people.Event, error) {
	var body any
	switch s.Kind {
	case people.Set, people.Drop:
		body = &people.Answer{Key: s.Key, Value: s.Value, Undo: s.Undo, Guideline: s.Guide}
	case people.Take, people.Submit, people.Reopen, people.Release:
	default:
		return nil, omniscope.Usagef("a page cannot send the event %q", s.Kind)
	}
	if len(s.ID) < 16 || len(s.ID) > 64 || strings.Contains(s.ID, ":") {
		return nil, omniscope.Usagef("the id of an event has 16 to 64 bytes and no colon, not %q", s.ID)
	}
	e := people.NewEvent(s.Kind, by, body)
	e.ID, e.Base, e.ActiveMS = by+":"+s.ID, s.Base, s.ActiveMS // ids of one person are not those of another
	return e, nil
}

func writeReceipts(w http.ResponseWriter, got []people.Receipt) error {
	receipts := make([]sentReceipt, len(got))
	for i, one := range got {
		id := one.ID[strings.LastIndexByte(one.ID, ':')+1:] // without the person
		receipts[i] = sentReceipt{ID: id, Seq: one.Seq}
		if one.Err != nil {
			receipts[i].Error = one.Err.Error()
		}
		if one.Conflict != nil {
			receipts[i].Conflict = &savedAnswer{one.Conflict.Value, one.Base}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(map[string]any{"receipts": receipts})
}

func (s *Site) beat(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	s.Workplace.Beat(taskOf(r, p))
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Site) withdraw(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	id := people.TaskID{Item: r.PathValue("item"), Stage: r.PathValue("stage"), Person: r.PathValue("person")}
	if err := s.Workplace.SaveTask(r.Context(), people.Withdraw, id, p.ID); err != nil {
		return err
	}
	return redirect(w, r, "/overview")
}

// ago is how long ago something was, for people.
func ago(t time.Time) string {
	d := time.Since(t).Round(time.Second)
	switch {
	case d < time.Minute:
		return d.String()
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}
