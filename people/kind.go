package people

import (
	"cmp"
	"context"
	"io"
	"iter"
	"slices"

	"omniscope"
	"omniscope/bench"
)

// A Kind is a kind of work, such as an arena: how a project is made, what is asked at each stage,
// and what comes out. Its functions keep no state and are safe for concurrent use.
type Kind struct {
	Info
	Maker func() Maker // with the defaults of its options
	// Form is what a person sees and answers at a stage.
	Form func(c *WorkItem) (*Form, error)
	// Complete reports, in words for the person, why answers that fit the form cannot be submitted
	// yet; nil = they can. No function: the form says all that is needed.
	Complete func(c *WorkItem, answers map[string]Value) error
	// Skip reports whether an item needs no work at a stage, now that the stage before it is done, such
	// as one where seniors settle disputes. No function: each item needs all stages.
	Skip func(c *WorkItem) (bool, error)
	// Reveal is what is shown once a task is submitted, such as the systems that were compared. The task
	// then stays as it is. No function: nothing is hidden.
	Reveal func(c *WorkItem, answers map[string]Value) []Text
	// Exports are the files that come out of a project.
	Exports []Export
	// Tables are results, and how far people agree. No function: the kind has no tables.
	Tables func(ctx context.Context, w *Workplace) ([]omniscope.Table, error)
	// HasAlpha reports whether Tables have Krippendorff's alpha of a field, such as "vote.winner", at a stage: no
	// other table then has a second one of the same question. No function: they have no alpha.
	HasAlpha func(stage, field string) bool
	// Apart reports whether an item checks how carefully people work, such as a repeated item. No function:
	// no item does.
	Apart func(item *Item) bool
}

// A StageWork is what people do at a stage with items that hold a T: see the functions of Kind.
type StageWork[T any] struct {
	Form     func(c *WorkItem, of *T) (*Form, error)
	Complete func(c *WorkItem, of *T, answers map[string]Value) error // nil = the form says all that is needed
	Skip     func(c *WorkItem, of *T) (bool, error)                   // nil = each item needs the stage
}

// ByStage makes a kind of the work at its stages, by their names. read reads an item's payload.
func ByStage[T any](k Kind, read func(*Item) (*T, error), stages map[string]StageWork[T]) *Kind {
	at := func(c *WorkItem) (work StageWork[T], of *T, err error) {
		work, ok := stages[c.Stage.Name]
		if !ok {
			return work, nil, omniscope.Invalidf("the project has a stage %q, which this version does not know", c.Stage.Name)
		}
		of, err = read(c.Item)
		return work, of, err
	}
	k.Form = func(c *WorkItem) (*Form, error) {
		work, of, err := at(c)
		if err != nil {
			return nil, err
		}
		return work.Form(c, of)
	}
	complete := func(c *WorkItem, answers map[string]Value) error {
		work, of, err := at(c)
		if err != nil || work.Complete == nil {
			return err
		}
		return work.Complete(c, of, answers)
	}
	skip := func(c *WorkItem) (bool, error) {
		work, of, err := at(c)
		if err != nil || work.Skip == nil {
			return false, err
		}
		return work.Skip(c, of)
	}
	for _, work := range stages { // without a stage that needs them no item is read for them
		if work.Complete != nil {
			k.Complete = complete
		}
		if work.Skip != nil {
			k.Skip = skip
		}
	}
	k.Exports = slices.Clip(k.Exports) // append makes a new list, and leaves this one as it is
	return &k
}

// Info says what a kind is.
type Info struct {
	Name     string // such as arena
	About    string // one line that starts with a verb
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

	ItemsLater  bool   // the project may begin without items
	MediaFolder string // the folder with all clips, absolute; "" = not known
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

// ByLetter shows what each person said in their task, in the order of their letters.
func ByLetter(done []Done, said func(d *Done) string) (out []Text) {
	for i := range done {
		out = append(out, Text{Title: "Person " + done[i].Letter, Body: said(&done[i])})
	}
	slices.SortStableFunc(out, func(a, b Text) int { return cmp.Compare(a.Title, b.Title) })
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
