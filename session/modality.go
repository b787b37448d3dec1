package session

import (
	"context"
	"fmt"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/ondisk"
	"omniscope/results"
)

// takeModality reads what the answers are of in the file of details that the run of a model wrote
// next to them. The Spec takes it where the user named no modality; a modality that contradicts it
// is kept, with a warning. Answers of elsewhere have no such file.
func (s *Spec) takeModality(ctx context.Context, info bench.Info) (warnings []string) {
	path := results.DetailsName(s.at(s.Predictions))
	if !info.Modality || s.Predictions == "" || !ondisk.Exists(path) {
		return nil
	}
	settings, err := results.ReadSettings(ctx, path)
	if err != nil {
		return []string{fmt.Sprintf("what the answers are of is not known: %v", err)}
	}
	known := []omniscope.Modality{omniscope.Audio, omniscope.Visual, omniscope.AudioVisual}
	made := settings["modality"]
	switch {
	case !slices.Contains(known, omniscope.Modality(made)) || made == s.Modality:
	case s.ModalityOfAnswers:
		s.Modality = made
	default:
		return []string{fmt.Sprintf("the answers were made with modality %s, by %s, and are judged as %s", made, path, s.Modality)}
	}
	return nil
}
