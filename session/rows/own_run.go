package rows

import (
	"context"

	"omniscope/session"
)

// Kinds of runs of this package, in the journal.
const (
	rowsKind  = "rows"  // questions of curate and train
	scoreKind = "score" // texts that networks score
)

// Runs that only their own commands repeat.
var (
	Kind      = session.Kind{Name: rowsKind, New: func() session.Task { return &ownRun{} }}
	ScoreKind = session.Kind{Name: scoreKind, New: func() session.Task { return &ownRun{} }}
)

// An ownRun is a run that only its own command can repeat: questions about the rows of files, or texts that networks score.
type ownRun struct {
	Command     string        `json:"command"`
	Predictions string        `json:"predictions"`
	Model       *session.Role `json:"model"`
}

// Open implements Task.
func (*ownRun) Open(context.Context, *session.Machine) (session.Units, error) {
	return nil, session.OnlyHere
}

// Listed implements Task.
func (o *ownRun) Listed() session.Listing {
	return session.Listing{Command: o.Command, What: []string{o.Predictions}, By: session.ModelOf(o.Model)}
}
