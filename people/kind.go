package people

import (
	"context"
	"io"
	"iter"

	"omniscope"
	"omniscope/bench"
)

// A Kind is a kind of work, such as an arena: how a project is made, what is asked at each stage,
// and what comes out. Its methods keep no state and are safe for concurrent use.
type Kind interface {
	Info() Info
	// Form is what a person sees and answers at a stage.
	Form(c *WorkItem) (*Form, error)
	// Complete reports, in words for the person, why answers that fit the form cannot be submitted
	// yet; nil = they can.
	Complete(c *WorkItem, answers map[string]Value) error
	// Exports are the files that come out of a project.
	Exports() []Export
}

// Info says what a kind is.
type Info struct {
	Name     string // such as arena
	About    string // one line
	Long     string // how a project is made: which files are wanted
	Examples string // commands that make a project, one a line
	Fixed    bool   // items are numbered across all files, so that a project takes no more of them later
}

// A Maker makes projects of a kind from files. It is made anew for each project: its options set
// its fields.
type Maker interface {
	Options() []bench.Option
	// Make reads what the project is about. The plan is closed in the end.
	Make(ctx context.Context) (*Plan, error)
}

// A Plan is a project that is to be made.
type Plan struct {
	Project  Project // Name is set by whoever makes it
	Items    iter.Seq2[*Item, error]
	Done     iter.Seq2[*Done, error] // work that was done elsewhere; nil = none
	Warnings []string
	Close    func() error // nil = nothing to close

	ItemsLater bool // the project may begin without items
}

// A Skipper is a kind with stages that not every item needs, such as one where seniors settle
// disputes.
type Skipper interface {
	// Skip reports whether an item needs no work at a stage, now that the stage before it is done.
	Skip(c *WorkItem) (bool, error)
}

// A WorkItem is an item at a stage, with all earlier submissions.
type WorkItem struct {
	Project *Project
	Stage   *Stage
	Item    *Item
	Earlier []Done // at the stages before, the first stage first, and in the order in which they were submitted
}

// Done is a task that was submitted.
type Done struct {
	TaskID
	Answers map[string]Value
	Seq     int64  // of the event that submitted it
	Letter  string // A, B, ... in place of the person, shuffled for each item
}

// At are the tasks of one stage.
func (c *WorkItem) At(stage string) (out []Done) {
	for _, d := range c.Earlier {
		if d.Stage == stage {
			out = append(out, d)
		}
	}
	return out
}

// An Export is a file that comes out of a project.
type Export struct {
	Name  string // such as battles
	File  string // such as battles.csv
	About string
	Write func(ctx context.Context, w *Workplace, to io.Writer) error

	// LeftOut describes the unfinished work that the file lacks; "" or a nil function = complete.
	LeftOut func(ctx context.Context, w *Workplace) (string, error)
}

// A Tabler is a kind whose work comes to tables: results, and how far people agree.
type Tabler interface {
	Tables(ctx context.Context, w *Workplace) ([]omniscope.Table, error)
}

// An Agreer is a Tabler with figures of agreement of its own, so that no other table has a second one of the same question.
type Agreer interface {
	// HasAlpha reports whether Tables have Krippendorff's alpha of a field, such as "vote.winner", at a stage.
	HasAlpha(stage, field string) bool
	// Apart reports whether an item checks how carefully people work, such as a repeated item.
	Apart(item *Item) bool
}

// A Revealer is a kind that shows something once a task is submitted, such as whose captions
// were compared.
type Revealer interface {
	Reveal(c *WorkItem, answers map[string]Value) []Text
}
