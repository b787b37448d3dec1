package ocr

import (
	"context"
	"image"

	"omniscope/media"
	"omniscope/perceive"
)

// A Line is a line of words that was read in one frame, and where it stands. Nothing confirms it: Observe, which
// compares frames, is for quoting; this is for measuring how much of a picture is text.
type Line struct {
	Text   string
	Region media.Region
}

// Lines reads frames one by one and returns the lines of each. Frames that cannot be opened are left out.
func (t *Tool) Lines(ctx context.Context, frames []media.Frame) ([][]Line, error) {
	s, err := t.read(ctx, frames, perceive.Focus{}, image.Point{})
	if err != nil {
		return nil, err
	}
	list := make([][]Line, len(s.readings))
	for i := range s.readings {
		for _, l := range s.readings[i].lines {
			list[i] = append(list[i], Line{Text: l.text, Region: s.place(l.box)})
		}
	}
	return list, nil
}

// Version names what shapes the lines: these rules, the languages and the program.
func (t *Tool) Version() string { return t.Info().Version }
