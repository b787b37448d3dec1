package reconstruct

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
)

// runFile describes in a folder of results which run they are of.
const runFile = "run.json"

// A description is the content of runFile.
type description struct {
	Schema    string   `json:"schema"`
	Run       string   `json:"run"` // digest of all that shapes it
	Generator string   `json:"generator"`
	Systems   []string `json:"systems"`
	Clips     int      `json:"clips"`
	Seed      uint64   `json:"seed"`
}

// Lock makes the folder of results and locks it for this process. Without force it refuses a folder with results of other
// captions, clips or lengths, or of another generator.
func (p *Plan) Lock(dir, generator string, force bool) (unlock func() error, err error) {
	var names []string
	for _, j := range p.Jobs {
		names = append(names, j.Name)
	}
	is := &description{Schema: "omniscope.reconstruct/1", Run: sha256hex.Of([]byte(strings.Join(names, "\n"))), Generator: generator, Systems: p.Systems, Clips: len(p.Clips), Seed: p.seed}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, omniscope.Usagef("--out %s: a file is in the way, or the folder cannot be made: %v", dir, err)
	}
	if unlock, err = outfile.LockFolder(dir); err != nil {
		return nil, err
	}
	if !force {
		err = is.refuseOthers(dir)
	}
	if err == nil {
		err = outfile.WriteIn(dir, runFile, func(w io.Writer) error { return outfile.JSON(w, is) })
	}
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	return unlock, nil
}

// refuseOthers refuses a folder with other files than results of the same run.
func (d *description) refuseOthers(dir string) error {
	entries, err := outfile.Entries(dir)
	if err != nil || len(entries) == 0 {
		return err
	}
	var there description
	text, err := os.ReadFile(filepath.Join(dir, runFile))
	if err == nil && json.Unmarshal(text, &there) == nil && there.Schema == d.Schema && there.Run == d.Run {
		return nil
	}
	return omniscope.Usagef("%s holds something else, such as videos of other captions, clips or lengths, or by another generator: name another folder with --out, or write into it with --force, which keeps videos and jobs", dir)
}
