// Package people keeps the work of people: what they are asked, what they answer, and how far
// they agree. Everything that happens is an event in a log to which events are only added. What
// is open, who works on it and which answers count is computed from the events.
//
// It knows no HTTP and no single kind of work: what is asked and what comes out of it is in the
// packages below it, one for each kind. Pages are in web/annotate. docs/design/people.md draws the flow.
package people

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"omniscope"
)

// A ProjectRole is what a person may do in a project.
type ProjectRole string

// The roles.
const (
	Owner     ProjectRole = "owner"     // invites people, assigns, exports; may do every stage
	Lead      ProjectRole = "lead"      // settles what seniors leave open
	Senior    ProjectRole = "senior"    // settles what annotators leave open, never their own work
	Annotator ProjectRole = "annotator" // does the items they are given
	Voter     ProjectRole = "voter"     // votes and rates
)

// ProjectRoles are all of them.
var ProjectRoles = []ProjectRole{Owner, Lead, Senior, Annotator, Voter}

// A Project says what people are asked to do.
type Project struct {
	ID        string            `json:"id"` // made by Begin; two projects of one name have two
	Name      string            `json:"name"`
	Kind      string            `json:"kind"` // of work, such as arena
	Title     string            `json:"title"`
	Guideline string            `json:"guideline"` // shown next to the work; an event has the version that its author saw
	Stages    []Stage           `json:"stages"`
	Settings  map[string]string `json:"settings,omitempty"` // of the kind
	MadeBy    string            `json:"made_by,omitempty"`  // version of the program
	// MediaFolder is where the server looks for clips if it is given no folder, absolute; "" = not known.
	MediaFolder string `json:"media_folder,omitempty"`
	// NotesClips: the log notes the clips that each person was shown, and work without a shown clip does
	// not count. Projects of earlier versions lack it and have no such notes.
	NotesClips bool `json:"notes_clips,omitempty"`
}

// A Stage is one pass over the items.
type Stage struct {
	Name         string        `json:"name"`
	Title        string        `json:"title"`
	By           []ProjectRole `json:"by"`              // who may do it; owners may do all
	People       int           `json:"people"`          // how many do each item, unless the item says so
	After        string        `json:"after,omitempty"` // the stage that must be done first; "" = none
	Apart        []string      `json:"apart,omitempty"` // stages whose people may not do this one on the same item
	Same         string        `json:"same,omitempty"`  // the stage whose people do this one on the same item; "" = anybody
	Sound        Sound         `json:"sound,omitempty"`
	LeaseMinutes int           `json:"lease_minutes"` // how long an item is kept for somebody who left it open
}

// Sound says what people hear and see of an item's media.
type Sound string

// What people hear and see.
const (
	Heard   Sound = ""         // sight and sound
	Muted   Sound = "muted"    // sight alone
	NoMedia Sound = "no media" // neither
)

// Allows reports whether a role may work at the stage.
func (s *Stage) Allows(r ProjectRole) bool { return r == Owner || slices.Contains(s.By, r) }

// Stage is the stage of that name; nil = there is none.
func (p *Project) Stage(name string) *Stage {
	for i := range p.Stages {
		if p.Stages[i].Name == name {
			return &p.Stages[i]
		}
	}
	return nil
}

// SettingSeed is the setting with the seed of a project's intervals.
const SettingSeed = "seed"

// Seed is the seed of the project's intervals; 0, a seed like any other, where it names no seed.
func (p *Project) Seed() uint64 {
	seed, _ := strconv.ParseUint(p.Settings[SettingSeed], 10, 64)
	return seed
}

// earlier are the names of the stages that come before a stage, the first one first.
func (p *Project) earlier(s *Stage) (names []string) {
	for s = p.Stage(s.After); s != nil && !slices.Contains(names, s.Name); s = p.Stage(s.After) {
		names = append(names, s.Name)
	}
	slices.Reverse(names)
	return names
}

// Check reports what is wrong with a project.
func (p *Project) Check() error {
	if p.Name == "" || p.Kind == "" || len(p.Stages) == 0 {
		return omniscope.Usagef("a project has a name, a kind and stages")
	}
	for i, s := range p.Stages {
		switch {
		case p.Stage(s.Name) != &p.Stages[i]:
			return omniscope.Usagef("two stages are called %q", s.Name)
		case s.People < 1 || s.LeaseMinutes < 1 || len(s.By) == 0:
			return omniscope.Usagef("stage %s: say who does it, how many people, and for how long an item is kept for them", s.Name)
		case s.After != "" && !slices.ContainsFunc(p.Stages[:i], func(o Stage) bool { return o.Name == s.After }):
			return omniscope.Usagef("stage %s comes after %q, which is no stage before it", s.Name, s.After)
		}
	}
	return nil
}

// An Item is something to work on. It never changes: a change is another item.
type Item struct {
	ID      string          `json:"id"`
	Clip    string          `json:"clip,omitempty"`    // items of one recording share it
	Media   []Media         `json:"media,omitempty"`   // in the order in which they are shown
	People  map[string]int  `json:"people,omitempty"`  // by stage, how many do it; else as the stage says
	Control *Control        `json:"control,omitempty"` // what is known of it
	Payload json.RawMessage `json:"payload"`           // of the kind
}

// Media is a file that an item is about.
type Media struct {
	File   string `json:"file"`             // as the data set names it, below a declared folder
	SHA256 string `json:"sha256,omitempty"` // of the file, in hex: no other file is shown; "" = not known
	Title  string `json:"title,omitempty"`  // such as original
}

// A Control says which answers are right, to see how carefully people work. It is in no page.
type Control struct {
	Stage   string           `json:"stage"`
	Answers map[string]Value `json:"answers"` // by key; fields that are not named are not compared
}

// A Person works on a project.
type Person struct {
	ID     string      `json:"id"`
	Name   string      `json:"name"`
	Role   ProjectRole `json:"role"`
	Closed bool        `json:"closed,omitempty"` // they may not sign in any more
	Invite []byte      `json:"invite,omitempty"` // SHA-256 of the secret of their link; nil = used up
	// InviteUntil is when the link ends.
	InviteUntil time.Time `json:"invite_until,omitzero"`
}

// A TaskID names a task: an item at a stage, as one person does it.
type TaskID struct {
	Item   string `json:"item"`
	Stage  string `json:"stage"`
	Person string `json:"person"`
}

func (t TaskID) String() string { return fmt.Sprintf("%s of %s by %s", t.Stage, t.Item, t.Person) }

// An EventKind says what an event is about.
type EventKind string

// The kinds of events: those of the project, and those of a task.
const (
	ProjectSet EventKind = "project" // body: Project
	ItemAdd    EventKind = "item"    // body: Item
	PersonSet  EventKind = "person"  // body: Person
	SessionNew EventKind = "session" // body: Session
	SessionEnd EventKind = "signout" // body: Session, of which only the secret counts
	Assign     EventKind = "assign"  // an item at a stage is for the person of the task
	Unassign   EventKind = "unassign"
	StageSkip  EventKind = "skip" // an item needs no work at a stage, by the rules of the kind
	StageNeed  EventKind = "need" // it does after all
	ClipFound  EventKind = "clip" // the server looked for a clip; body: ClipNote

	Take     EventKind = "take"     // the person takes the item, or goes on with it
	Set      EventKind = "set"      // an answer; body: Answer
	Drop     EventKind = "drop"     // an answer is taken back; body: Answer without a value
	Submit   EventKind = "submit"   // the task is done
	Reopen   EventKind = "reopen"   // it is not done after all
	Release  EventKind = "release"  // the item goes back to the others
	Withdraw EventKind = "withdraw" // by an owner or lead: the person's work on the item does not count
	Conflict EventKind = "conflict" // an answer by somebody who did not know the one that is there; it is kept, and does not count
	Shown    EventKind = "shown"    // the server sent a clip of the item to the person; body: which one, and its SHA-256
)

// An Event is something that happened. Events are only ever added.
type Event struct {
	Seq  int64     `json:"seq"` // place in the log, from 1
	ID   string    `json:"id"`  // made by the sender, so that an event that is sent twice is there once
	At   time.Time `json:"at"`  // by the clock of the server, in microseconds
	By   string    `json:"by"`  // person; "" = the program
	Kind EventKind `json:"kind"`
	Task TaskID    `json:"task,omitzero"`
	Base int64     `json:"base,omitempty"` // of a Set or Drop: the last event of that answer that its author knew
	// ActiveMS is how long the person worked since their last event of this task, in milliseconds.
	ActiveMS int64           `json:"active_ms,omitempty"`
	Body     json.RawMessage `json:"body,omitempty"`
}

// An Answer is what a person says of one thing in a task.
type Answer struct {
	Key       string `json:"key"` // of what: a section of the form, and a card in it
	Value     Value  `json:"value,omitempty"`
	Undo      bool   `json:"undo,omitempty"`      // it takes the last change back
	Guideline string `json:"guideline,omitempty"` // digest of the guideline that was shown
}

// A loginSession is a browser that somebody has signed in with.
type loginSession struct {
	Person string    `json:"person,omitempty"`
	Secret []byte    `json:"secret"` // SHA-256
	Until  time.Time `json:"until,omitzero"`
}

func denied(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Denied, Err: fmt.Errorf(format, args...)}
}
