package detective

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/ondisk"
)

// FindReports finds the reports of investigations in the folders in a folder: the path of each report.json, by the id of
// its clip. A folder that is not there has none. Two reports of one clip are an error.
func FindReports(ctx context.Context, folder string) (map[string]string, error) {
	found := make(map[string]string)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name(), "report.json")
		if !ondisk.IsFolder(filepath.Dir(path)) { // a link to a folder is one
			continue
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		text, _, err := input.ReadFile(ctx, path, input.Texts)
		if err != nil {
			return nil, err
		}
		id := gjson.GetBytes(text, "clip.id").String()
		if id == "" {
			return nil, omniscope.Invalidf("%s is no report of an investigation: it names no clip", path)
		}
		if there := found[id]; there != "" {
			return nil, omniscope.Invalidf("%s and %s are both of the clip %s", there, path, id)
		}
		found[id] = path
	}
	return found, nil
}

// ReadReport reads the report of an investigation.
func ReadReport(ctx context.Context, path string) (*Report, error) {
	text, _, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, omniscope.Invalidf("%s is no report of an investigation: %w", path, err)
	}
	return r, nil
}
