// Package push puts what runs wrote where others see it: into a data set's repository on
// the Hugging Face hub, or into a folder of the same layout.
//
//	sources ─► files ─► checked ─► plan ─► one commit, or a folder
//	              └─► tables, card ─┘
//
// It first says what would leave, and refuses what must not: media, journals and other
// databases, packed files, texts that hold keys, tables of single people, and links that
// lead out of a source. Files go as they are; beside those of runs it makes tables of
// scores and questions, and a card.
package push

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"omniscope"
	"omniscope/internal/bytesize"
	"omniscope/internal/quantity"
)

// Options say what is pushed.
type Options struct {
	Sources  []string // folders and files
	LeaveOut []string // patterns of names, as path.Match has them; of a folder: all in it
	Secrets  []Secret // that must not leave
	Title    string   // of the card; "" = made of the runs
	License  string   // of the card, as the hub names it; "" = other
	Message  string   // summary of the commit; "" = says what is pushed
	NoCard   bool     // make no card
	Home     string   // folder whose name in a file is warned of; "" = none
	Work     string   // folder for the tables on their way
	Program  string   // this program and its version
}

// A Secret is the value of a key.
type Secret struct {
	Name  string // of the variable that has it
	Value omniscope.Secret
}

// A Plan is what would leave.
type Plan struct {
	Files    []pushedFile `json:"files"`
	Refused  []refusal    `json:"refused"`  // while there is one, nothing is pushed
	LeftOut  []refusal    `json:"left_out"` // what is not pushed, and why
	Warnings []string     `json:"warnings"`
	Runs     []runEntry   `json:"-"`

	Card bool `json:"card"` // README.md is one that push made

	folders []string // sources that are folders
	message string
}

// A pushedFile is one that is pushed.
type pushedFile struct {
	Name   string `json:"name"` // in the repository, with slashes
	From   string `json:"from"` // on this machine; "" = made by push
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
	State  state  `json:"state"`

	open func() (io.ReadCloser, error)
}

// Open opens the file. One that was changed since it was checked cannot be opened.
func (f *pushedFile) Open() (io.ReadCloser, error) { return f.open() }

// A state says how a file compares with what is there.
type state string

// The states.
const (
	newFile  state = "new"
	changed  state = "changed"
	sameFile state = "same"
)

// A refusal names a file that is not pushed.
type refusal struct {
	File string `json:"file"`
	Line int    `json:"line"` // from 1; 0 = it is not about a line
	Why  string `json:"why"`
}

// Make finds what the sources hold, checks every file, and makes tables and card. Files
// that are refused are no error: the plan names them.
func Make(ctx context.Context, o Options) (*Plan, error) {
	p := &Plan{Files: []pushedFile{}, Refused: []refusal{}, LeftOut: []refusal{}, Warnings: []string{}, message: o.Message}
	c := newChecker(o)
	for flag, text := range map[string]string{"--title": o.Title, "--license": o.License, "--message": o.Message} {
		if what := c.inName(text); what != "" {
			return nil, omniscope.Usagef("%s cannot leave: %s", flag, what)
		}
	}
	release := false
	for _, path := range o.Sources {
		s, err := openSource(path)
		if err != nil {
			return nil, err
		}
		if s.release && len(o.Sources) > 1 {
			return nil, omniscope.Usagef("%s is a release, which is a repository of its own: push it alone", path)
		}
		release = release || s.release
		if err := p.addSource(ctx, s, c); err != nil {
			return nil, err
		}
	}
	if err := p.checkNames(); err != nil {
		return nil, err
	}
	if len(p.Files)+len(p.Refused) == 0 {
		return nil, omniscope.Usagef("there is nothing to push in %s", o.Sources[0])
	}
	if !release && len(p.Refused) == 0 {
		if err := p.addMade(ctx, o); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(p.Files, func(a, b pushedFile) int { return cmp.Compare(a.Name, b.Name) })
	return p, nil
}

// checkNames refuses two files of one name.
func (p *Plan) checkNames() error {
	at := make(map[string]string)
	for _, f := range p.Files {
		if before, twice := at[f.Name]; twice {
			return omniscope.Usagef("%s and %s would both be %s: push them apart, or rename one", before, f.From, f.Name)
		}
		at[f.Name] = f.From
	}
	return nil
}

// Moving are the files that have to be sent: new and changed ones.
func (p *Plan) Moving() (files []pushedFile, bytes int64) {
	for _, f := range p.Files {
		if f.State != sameFile {
			files = append(files, f)
			bytes += f.Size
		}
	}
	return files, bytes
}

// Summary says what is pushed in a line, for a commit, unless the user gave one.
func (p *Plan) Summary() string {
	if p.message != "" {
		return p.message
	}
	moving, _ := p.Moving()
	if n := len(p.Runs); n > 0 {
		return fmt.Sprintf("Results of %s (%s)", quantity.Of(n, "run", "runs"), quantity.Of(len(moving), "file", "files"))
	}
	return fmt.Sprintf("%d files", len(moving))
}

// Tables are the plan for people.
func (p *Plan) Tables() []omniscope.Table {
	files := omniscope.Table{Name: "files", Title: "Files", Columns: []string{"state", "file", "size", "SHA-256", "from"}, Numbers: []int{2}}
	for _, f := range p.Files {
		files.Rows = append(files.Rows, []string{string(f.State), f.Name, bytesize.Format(f.Size), f.SHA256[:12], cmp.Or(f.From, "made now")})
	}
	tables := []omniscope.Table{files}
	if len(p.LeftOut) > 0 {
		left := omniscope.Table{Name: "left-out", Title: "Left out", Columns: []string{"file", "why"}}
		for _, r := range p.LeftOut {
			left.Rows = append(left.Rows, []string{r.File, r.Why})
		}
		tables = append(tables, left)
	}
	return tables
}
