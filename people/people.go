// Package people keeps the work of people: what they are asked, what they answer, and how far
// they agree. All that happens is an event in a log that is only added to. What there is to do,
// who has it and what was answered is computed from the events, and can be computed again.
//
// It knows no HTTP, and no kind of work: what is asked and what an answer looks like is in the
// packages below it. design/people.md draws the types and the flow.
package people

import (
	"encoding/json"
	"fmt"
	"time"

	"omniscope"
)

// A Role says what a person may do in a project.
type Role string

// The roles.
const (
	Owner     Role = "owner"     // invites people, exports; may do all that a lead may
	Lead      Role = "lead"      // settles what seniors leave open
	Senior    Role = "senior"    // settles what annotators left open, never their own work
	Annotator Role = "annotator" // does the tasks they are given
	Voter     Role = "voter"     // votes
)

// Roles are all of them.
var Roles = []Role{Owner, Lead, Senior, Annotator, Voter}

// A Project says what people are asked to do.
type Project struct {
	Name      string            `json:"name"`
	Kind      string            `json:"kind"` // of work, such as arena
	Title     string            `json:"title"`
	Guideline string            `json:"guideline"` // shown beside the work
	Stages    []Stage           `json:"stages"`
	Settings  map[string]string `json:"settings,omitempty"` // of the kind
}

// A Stage is one pass over the items.
type Stage struct {
	Name   string        `json:"name"`
	Title  string        `json:"title"`
	By     []Role        `json:"by"`     // who may do it
	People int           `json:"people"` // how many do each item, unless the item says so
	Lease  time.Duration `json:"lease"`  // how long an item that somebody took and left is kept for them
}

// Stage is the stage of that name; nil = there is none.
func (p *Project) Stage(name string) *Stage {
	for i := range p.Stages {
		if p.Stages[i].Name == name {
			return &p.Stages[i]
		}
	}
	return nil
}

// An Item is something to work on. It never changes: a change is another item.
type Item struct {
	ID      string          `json:"id"`
	Clip    string          `json:"clip,omitempty"`   // what items of one recording share
	Media   string          `json:"media,omitempty"`  // file, as the data set names it
	People  int             `json:"people,omitempty"` // how many do it; 0 = as the stage says
	Payload json.RawMessage `json:"payload"`          // of the kind
}

// A Person works on a project.
type Person struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Role   Role   `json:"role"`
	Invite []byte `json:"invite,omitempty"` // SHA-256 of the secret of their link; nil = used up
}

// A TaskID names a task: an item at a stage, as one person does it.
type TaskID struct {
	Item   string `json:"item"`
	Stage  string `json:"stage"`
	Person string `json:"person"`
}

func (t TaskID) String() string { return fmt.Sprintf("%s/%s of %s", t.Item, t.Stage, t.Person) }

// A Kind says what an event tells.
type Kind string

// The kinds of events. The first four are of the project, the others of a task.
const (
	ProjectSet Kind = "project" // body: Project
	ItemAdd    Kind = "item"    // body: Item
	PersonSet  Kind = "person"  // body: Person
	SessionNew Kind = "session" // body: Session

	Take     Kind = "take"     // the person takes the item, or goes on with it
	Set      Kind = "set"      // an answer; body: Answer
	Drop     Kind = "drop"     // an answer is taken back; body: Answer without a value
	Submit   Kind = "submit"   // the task is done
	Reopen   Kind = "reopen"   // it is not done after all
	Release  Kind = "release"  // the item goes back to the others
	Conflict Kind = "conflict" // an answer by somebody who did not know the one that is there; it is kept, and does not count
)

// An Event is something that happened. Events are only ever added.
type Event struct {
	Seq  int64           `json:"seq"` // place in the log, from 1
	ID   string          `json:"id"`  // made by who tells of it, so that telling twice is telling once
	At   time.Time       `json:"at"`  // by the clock of the server
	By   string          `json:"by"`  // person; "" = the program
	Kind Kind            `json:"kind"`
	Task TaskID          `json:"task,omitzero"`
	Base int64           `json:"base,omitempty"` // of a Set or Drop: the last event of that answer that its author knew
	Body json.RawMessage `json:"body,omitempty"`
}

// An Answer is what a person says of one thing in a task.
type Answer struct {
	Key   string          `json:"key"` // of what, such as vote
	Value json.RawMessage `json:"value,omitempty"`
}

// A Session is a browser that somebody has signed in with.
type Session struct {
	Person string    `json:"person"`
	Secret []byte    `json:"secret"` // SHA-256
	Until  time.Time `json:"until"`
}

func usage(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Usage, Err: fmt.Errorf(format, args...)}
}

func invalid(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf(format, args...)}
}
