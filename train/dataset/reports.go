package dataset

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/sha256hex"
	"omniscope/model/judge"
)

// reported is what provenance has of an investigation's report.
type reported struct {
	SHA256  string             `json:"sha256"` // of report.json
	Planner string             `json:"planner"`
	Tools   []toolOf           `json:"tools"`
	Prompts []judge.PromptInfo `json:"prompts"`
}

type toolOf struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// findReports finds the reports that caption wrote beside the folder of captions, if it was to write them, and reads
// those of rows that are kept.
func (b *building) findReports(ctx context.Context) error {
	folder := filepath.Clean(b.Captions)
	found, err := detective.FindReports(ctx, filepath.Join(filepath.Dir(folder), "reports", filepath.Base(folder)))
	if err != nil {
		return err
	}
	for _, r := range b.kept() {
		path := found[r.ID]
		if path == "" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var whole detective.Report
		if err := json.Unmarshal(text, &whole); err != nil {
			return omniscope.Invalidf("%s is no report of an investigation: %w", path, err)
		}
		r.report = &reported{SHA256: sha256hex.Of(text), Planner: whole.Planner, Prompts: whole.Prompts}
		for _, t := range whole.Tools {
			r.report.Tools = append(r.report.Tools, toolOf{t.Name, t.Version})
		}
	}
	return nil
}
