package rows

import (
	"context"
	"encoding/json"
	"io"

	"omniscope/internal/sha256hex"
	"omniscope/run/journal"
	"omniscope/session"
)

// A ScoreSpec is a run that scores texts by a network, without a benchmark. It is
// the run's manifest.
type ScoreSpec struct {
	Command     string `json:"command"`     // such as score comet
	Predictions string `json:"predictions"` // names of the systems
	Signature   string `json:"signature"`   // of the scores
	Texts       string `json:"texts"`       // digest of all of them
}

// OpenScores opens the journal of a ScoreSpec.
func OpenScores(ctx context.Context, c *session.Calls, s ScoreSpec, warnings io.Writer) (*session.Journal, error) {
	manifest, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return session.OpenScores(ctx, c, journal.Description{Name: sha256hex.Of(manifest)[:12], Kind: scoreKind, Manifest: string(manifest)}, warnings)
}
