package session

import (
	"context"
	"fmt"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/ondisk"
	"omniscope/internal/sha256hex"
	"omniscope/results"
)

// askedElsewhere reads the details next to the predictions. If they were made with another version of the
// benchmark's file, the benchmark compares the questions, and askedElsewhere returns a warning.
func (e *Evaluation) askedElsewhere(ctx context.Context, in *bench.Inputs) (warning string) {
	details := results.DetailsName(in.Predictions)
	if e.log != nil || in.Data == "" || len(in.Folders)+len(in.Parts) > 0 || !ondisk.IsFile(in.Predictions) || !ondisk.IsFile(details) || !ondisk.IsFile(in.Data) {
		return ""
	}
	d, err := results.ReadDetails(ctx, details)
	if err != nil {
		return fmt.Sprintf("%s cannot be read, so the questions of the predictions are unknown: %v", details, err)
	}
	made := d.Settings["data_sha256"]
	digest, err := sha256hex.File(in.Data)
	if err != nil || made == "" || made == digest || d.Settings["dataset"] != e.Info.Name {
		return ""
	}
	in.Asked = make(map[omniscope.SampleID]bench.Asked)
	for id, p := range d.Predictions {
		in.Asked[id] = bench.AskedByPrompt(p.Sent.Prompt)
	}
	return fmt.Sprintf("%s was made with another version of the benchmark's file than %s (%s: SHA-256 %.12s… and not %.12s…)", in.Predictions, in.Data, details, made, digest)
}
