package session

import "context"

// Kinds of runs of this package, in the journal.
const (
	rowsKind  = "rows"  // questions of curate and train
	scoreKind = "score" // texts that networks score
)

// Runs that only their own commands repeat.
var (
	RowRuns   = Kind{Name: rowsKind, New: func() Task { return &ownRun{} }}
	ScoreRuns = Kind{Name: scoreKind, New: func() Task { return &ownRun{} }}
)

// An ownRun is a run that only its own command can repeat: questions about the rows of files, or texts that networks score.
type ownRun struct {
	Command     string `json:"command"`
	Predictions string `json:"predictions"`
	Model       *Role  `json:"model"`
}

// Open implements Task.
func (*ownRun) Open(context.Context, *Machine) (Units, error) { return nil, onlyHere }

// Listed implements Task.
func (o *ownRun) Listed() Listing {
	return Listing{Command: o.Command, What: []string{o.Predictions}, By: modelOf(o.Model)}
}
