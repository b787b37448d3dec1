package diff

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/predict"
	"omniscope/internal/rows"
	"omniscope/results"
)

// A Side is one of two runs. It has details, or was scored, or both.
type Side struct {
	Name    string           // as given
	Details *results.Details // nil = what was sent is not known
	Why     string           // there are no details
	Results *results.Run     // nil = nothing was scored

	units map[string]scored // what the samples came to, by bench.CountLine.Unit
	order []string          // of the units
}

// scored is what became of a unit.
type scored struct{ outcome, official, strict, verdicts string }

// Open reads a run: a folder that eval wrote its results to, or a file of answers that
// has its details beside it, or that file of details.
func Open(ctx context.Context, path string) (*Side, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, omniscope.NotFoundf("%s: no such file or folder: name what `omniscope run` or `eval` wrote", path)
	}
	if err != nil {
		return nil, err
	}
	s := &Side{Name: path}
	if info.IsDir() {
		return s, s.openFolder(ctx)
	}
	details := path
	if !results.IsDetails(path) {
		details = results.DetailsName(path)
	}
	if _, err := os.Stat(details); errors.Is(err, fs.ErrNotExist) {
		return nil, omniscope.NotFoundf("%s: no such file: what was sent is only known of answers that `omniscope run` wrote; name folders of `omniscope eval` to see where scores part", details)
	}
	s.Details, err = results.ReadDetails(ctx, details)
	return s, err
}

func (s *Side) openFolder(ctx context.Context) (err error) {
	if s.Results, err = results.Open(ctx, s.Name); err != nil {
		return err
	}
	if s.Details, s.Why, err = s.Results.Details(ctx); err != nil {
		return err
	}
	lines, err := rows.Open(ctx, filepath.Join(s.Results.Dir, bench.CountsFile))
	if err != nil {
		return err
	}
	defer lines.Close()
	s.units = make(map[string]scored, lines.Len())
	var text []byte
	for i := range lines.Len() {
		if text, err = lines.AppendTo(text[:0], i); err != nil {
			return err
		}
		if err := s.addUnit(text); err != nil {
			return lines.Bad(i, text, err)
		}
	}
	return ctx.Err()
}

func (s *Side) addUnit(text []byte) error {
	var line bench.CountLine
	if err := json.Unmarshal(text, &line); err != nil {
		return err
	}
	write := func(v any) string {
		text, _ := json.Marshal(v) // of maps with names in order
		return string(text)
	}
	s.units[line.Unit] = scored{line.Outcome.String(), write(line.Official), write(line.Strict), write(line.Verdicts)}
	s.order = append(s.order, line.Unit)
	return nil
}

// samples are the names of what there is to follow.
func (s *Side) samples() []string {
	if s.Details == nil {
		return s.order
	}
	var names []string
	for _, id := range s.Details.Order {
		names = append(names, string(id))
	}
	return union(names, s.order)
}

// prediction is what was sent for a sample and what came of it; nil where that is not
// known.
func (s *Side) prediction(id string) *predict.Prediction {
	if s.Details == nil {
		return nil
	}
	return s.Details.Predictions[omniscope.SampleID(id)]
}

// has reports whether the run has the sample.
func (s *Side) has(id string) bool {
	_, scored := s.units[id]
	return scored || s.prediction(id) != nil
}
