package release

import (
	"encoding/json"
	"slices"

	"omniscope"
)

// readTables reads tables as reports have them: {"tables": [...]}. Those that tell how single people work are not
// published: there may be none left.
func readTables(path string) ([]omniscope.Table, error) {
	if path == "" {
		return nil, nil
	}
	text, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Tables []omniscope.Table `json:"tables"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, omniscope.Invalidf("%s: %w", path, err)
	}
	if len(doc.Tables) == 0 {
		return nil, omniscope.Invalidf("%s has no tables: give a file such as agreement.json, which `omniscope people agreement PROJECT --out FOLDER` writes", path)
	}
	return slices.DeleteFunc(doc.Tables, func(t omniscope.Table) bool { return t.Personal }), nil
}
