package segment

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"omniscope"
	"omniscope/internal/rows"
	"omniscope/media/pdac"
)

// A file is probabilities that were computed elsewhere, such as by SHAS's own
// model.
type file struct {
	path   string
	digest string
	probs  map[string][]float64 // by name of the talk
}

// OpenFile reads a file of JSON Lines: {"wav": "NAME.wav", "probs": [0.01, ...]}.
func OpenFile(ctx context.Context, path string) (*file, error) {
	lines, err := rows.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	f := &file{path: path, digest: lines.Digest, probs: map[string][]float64{}}
	for i := range lines.Len() {
		text, err := lines.AppendTo(nil, i)
		if err != nil {
			return nil, err
		}
		if err := f.add(string(text)); err != nil {
			return nil, lines.Bad(i, nil, err)
		}
	}
	return f, nil
}

func (f *file) add(line string) error {
	r, err := rows.ParseRecord(line)
	if err != nil {
		return err
	}
	wav, err := r.Text("wav")
	if err != nil {
		return err
	}
	if _, twice := f.probs[wav]; twice {
		return fmt.Errorf("%q is there twice", wav)
	}
	f.probs[wav], err = r.Numbers("probs")
	if err != nil {
		return err
	}
	for i, p := range f.probs[wav] {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("the probability of frame %d (from 0) is %v, not from 0 to 1", i, p)
		}
	}
	return nil
}

// Origin names the file by its content.
func (f *file) Origin() origin { return origin{Name: "file", SHA256: f.digest} }

// Of returns the probabilities of a talk. The file must have as many as the
// talk has frames; one more or less is made fit, as rounding differs between programs.
func (f *file) Of(_ context.Context, t talkPart) ([]float64, error) {
	probs, there := f.probs[t.Wav]
	if !there {
		return nil, omniscope.Invalidf("%s has no line for %q; it has %q", f.path, t.Wav, firstNames(slices.Sorted(maps.Keys(f.probs)), 5))
	}
	want := t.Frames()
	if len(probs) < want-1 || len(probs) > want+1 {
		return nil, omniscope.Invalidf("%s has %d frames for %s, which has %d samples at %d Hz, so %d frames at %v a second: they are not of the same sound, or not at that rate",
			f.path, len(probs), t.Wav, t.Samples, t.Rate, want, pdac.FrameRate)
	}
	return probs[:min(want, len(probs))], nil
}

func firstNames(names []string, n int) []string { return names[:min(n, len(names))] }
