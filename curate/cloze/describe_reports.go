package cloze

import (
	"context"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/sentences"
)

// report reads the investigation of a clip; nil = there is none.
func (c *captions) report(ctx context.Context, id string) (*detective.Report, error) {
	path := c.reports[id]
	if path == "" {
		return nil, nil
	}
	return detective.ReadReport(ctx, path)
}

// reported is the caption of an investigation; nil = it has none.
func reported(r *detective.Report) *caption {
	if r == nil || r.Caption == nil || r.Outcome != omniscope.OK {
		return nil
	}
	return &caption{video: r.Clip.Path, sentences: r.Caption.Sentences, ledger: r.Ledger}
}

// cut makes sentences of a caption of which no investigation is known.
func cut(text string) (out []detective.Sentence) {
	for _, s := range sentences.Cut(text) {
		out = append(out, detective.Sentence{Text: s.Text})
	}
	return out
}
