package cloze

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/input"
	"omniscope/internal/sentences"
)

// findReports finds the investigations below a folder, which may not be there, by the ids of their
// clips.
func (c *captions) findReports(ctx context.Context, folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name(), "report.json")
		if _, err := os.Stat(path); !e.IsDir() || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		text, _, err := input.ReadFile(ctx, path, input.Texts)
		if err != nil {
			return err
		}
		id := gjson.GetBytes(text, "clip.id").String()
		if id == "" {
			return invalid("%s is no report of an investigation: it names no clip", path)
		}
		if there := c.reports[id]; there != "" {
			return invalid("%s and %s are both of the clip %s", there, path, id)
		}
		c.reports[id] = path
	}
	return nil
}

// report reads the investigation of a clip; nil = there is none.
func (c *captions) report(ctx context.Context, id string) (*detective.Report, error) {
	path := c.reports[id]
	if path == "" {
		return nil, nil
	}
	text, _, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return nil, err
	}
	r := &detective.Report{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, invalid("%s is no report of an investigation: %w", path, err)
	}
	return r, nil
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
