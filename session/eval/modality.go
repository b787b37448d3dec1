package eval

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/ondisk"
	"omniscope/results"
)

// takeModality reads what the answers are of in the file of details that the run of a model wrote
// next to them. The Spec takes it where the user named no modality; a modality that contradicts it
// is kept, with a warning. Answers of elsewhere have no such file.
func (s *Spec) takeModality(ctx context.Context, b bench.Benchmark) (warnings []string) {
	path, filtered := results.DetailsName(s.at(s.Predictions)), slices.ContainsFunc(bench.OptionsOf(b), func(o bench.Option) bool { return o.Name == filterOption })
	if !b.Info().Modality && !filtered || s.Predictions == "" || !ondisk.Exists(path) {
		return nil
	}
	settings, err := results.ReadSettings(ctx, path)
	if err != nil {
		return []string{fmt.Sprintf("what the answers are of is not known: %v", err)}
	}
	made := settings["modality"]
	if filtered {
		return s.takeFilter(b, made, path)
	}
	known := []omniscope.Modality{omniscope.Audio, omniscope.Visual, omniscope.AudioVisual}
	switch {
	case !slices.Contains(known, omniscope.Modality(made)) || made == s.Modality:
	case s.ModalityOfAnswers:
		s.Modality = made
	default:
		return []string{fmt.Sprintf("the answers were made with modality %s, by %s, and are judged as %s", made, path, s.Modality)}
	}
	return nil
}

// filterOption is the option of a benchmark that scores only the samples with a medium.
const filterOption = "filter-modality"

// takeFilter has the samples scored that the model was asked by the modality of its answers. The published program's own line (compat)
// is of the named options alone.
func (s *Spec) takeFilter(b bench.Benchmark, made, path string) (warnings []string) {
	writer, ok := b.(bench.AnswerWriter)
	if !ok || made == "" || s.Options["compat"] != "" {
		return nil
	}
	want, given := writer.ScoredWith(&bench.Answers{Modality: made})[filterOption], s.Options[filterOption]
	switch given {
	case want:
	case "":
		s.Options = maps.Clone(s.Options)
		if s.Options == nil {
			s.Options = make(map[string]string)
		}
		s.Options[filterOption] = want
	default:
		return []string{fmt.Sprintf("the answers were made with modality %s, by %s, and --%s %s scores other samples", made, path, filterOption, given)}
	}
	return nil
}
