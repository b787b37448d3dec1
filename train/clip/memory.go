package clip

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"omniscope/internal/outfile"
	"omniscope/media"
)

// version is raised when the same file would be measured otherwise.
const version = 1

// A Memory keeps what was measured in a folder, by the digests of files, so that none is decoded twice. It is safe for
// concurrent use.
type Memory struct{ Dir string }

type remembered struct {
	Version int `json:"version"`
	*Measured
}

// Measure is the function Measure, from the folder where it is there.
func (m *Memory) Measure(ctx context.Context, path string) (*Measured, error) {
	f, err := media.Probe(ctx, path)
	if err != nil {
		return nil, err
	}
	digest, err := f.Digest(ctx)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(m.Dir, digest[:2])
	var there remembered
	if text, err := os.ReadFile(filepath.Join(dir, digest+".json")); err == nil && json.Unmarshal(text, &there) == nil && there.Version == version && there.Measured != nil {
		return there.Measured, nil
	}
	found, err := measure(ctx, f)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(remembered{version, found})
	if err != nil {
		return nil, err
	}
	return found, outfile.WriteShared(filepath.Join(dir, digest+".json"), text)
}
