package eval

import (
	"context"
	"fmt"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/ondisk"
	"omniscope/internal/sha256hex"
	"omniscope/results"
	"omniscope/session"
)

// readDetails reads the details next to the predictions, and returns warnings: of a model that answered
// under several names, and of predictions that were made with another version of the benchmark's file. In the
// latter case the benchmark compares the questions.
func (e *Evaluation) readDetails(ctx context.Context, in *bench.Inputs) (warnings []string) {
	path := results.DetailsName(in.Predictions)
	if e.log != nil || len(in.Folders)+len(in.Parts) > 0 || !ondisk.IsFile(in.Predictions) || !ondisk.IsFile(path) {
		return nil
	}
	d, err := results.ReadDetails(ctx, path)
	if err != nil {
		return []string{fmt.Sprintf("%s cannot be read, so the questions of the predictions are unknown: %v", path, err)}
	}
	if names := answeredAs(d); len(names) > 1 {
		warnings = append(warnings, fmt.Sprintf("the model answered under %d names: %s (%s)", len(names), session.JoinCounts(names), path))
	}
	if d.Settings["dataset"] == e.Info.Name {
		if in.Form = bench.Letters; d.Settings["answers"] == results.WordsOfOptions {
			in.Form = bench.Words
		}
	}
	made := d.Settings["data_sha256"]
	if in.Data == "" || made == "" || d.Settings["dataset"] != e.Info.Name {
		return warnings
	}
	if writer, ok := e.benchmark.(bench.AnswerWriter); ok && writer.ScoredWith(&bench.Answers{Data: d.Settings["data"]})["data"] != "" {
		return warnings // the references are another file than the questions
	}
	digest, err := sha256hex.File(in.Data)
	if err != nil || made == digest {
		return warnings
	}
	in.Asked = make(map[omniscope.SampleID]bench.Asked)
	for id, p := range d.Predictions {
		in.Asked[id] = bench.AskedByPrompt(p.Sent.Prompt)
	}
	return append(warnings, fmt.Sprintf("%s was made with another version of the benchmark's file than %s (%s: SHA-256 %.12s… and not %.12s…)", in.Predictions, in.Data, path, made, digest))
}

// answeredAs counts the names under which a model answered.
func answeredAs(d *results.Details) map[string]int {
	names := make(map[string]int)
	for _, p := range d.Predictions {
		if p.Model != "" {
			names[p.Model]++
		}
	}
	return names
}
