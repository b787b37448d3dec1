package collect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"omniscope"
	"omniscope/curate/fingerprint"
	"omniscope/internal/outfile"
	"omniscope/media"
)

const (
	aboutFile   = "collect.json"
	aboutSchema = "omniscope.collect/1"
)

// collectionInfo is collect.json: the settings of a run and its measuring programs. It is written first, so that a folder shows
// whose it is when a run is stopped.
type collectionInfo struct {
	Schema   string `json:"schema"`
	settings        // a folder holds the results of one of these
	versions `json:"versions"`
}

// settings are what shapes the results.
type settings struct {
	Sources       string   `json:"sources"`
	SourcesDigest string   `json:"sources_sha256"`
	Against       []string `json:"against"`
	Rules         ruleSet  `json:"rules"`
	Segments      string   `json:"segment"` // auto or none
	Cut           bool     `json:"cut"`
	Seed          uint64   `json:"seed"`
}

// versions are those of what measured.
type versions struct {
	Program     string `json:"program"`
	FFmpeg      string `json:"ffmpeg"`
	Text        string `json:"text,omitempty"`
	Measures    string `json:"measures"`
	Fingerprint int    `json:"fingerprint"`
}

func (o *Options) about(ctx context.Context) collectionInfo {
	a := collectionInfo{Schema: aboutSchema, settings: settings{
		Sources: o.Sources.Name, SourcesDigest: o.Sources.Digest, Against: append([]string{}, o.Against...), Rules: o.Rules, Segments: "auto", Cut: !o.NoCut, Seed: o.Seed,
	}, versions: versions{Program: o.Program, Measures: measuresVersion, Fingerprint: fingerprint.Version}}
	if o.Whole {
		a.Segments = "none"
	}
	if o.Text != nil && o.Rules.MaxSubtitleShare < 1 {
		a.Text = o.Text.Version()
	}
	for _, p := range media.Programs(ctx) {
		if p.Name == "ffmpeg" {
			a.FFmpeg = p.Version
		}
	}
	return a
}

// begin refuses a folder that holds something else, and marks it as this run's.
func begin(dir string, about collectionInfo, force bool) error {
	text, err := os.ReadFile(filepath.Join(dir, aboutFile))
	switch {
	case force:
	case errors.Is(err, fs.ErrNotExist):
		names, err := outfile.Entries(dir)
		if err != nil {
			return err
		}
		if len(names) > 0 {
			return omniscope.Usagef("%s holds %s: %s", dir, names[0], outfile.OrForce)
		}
	case err != nil:
		return err
	default:
		var earlier collectionInfo
		if err := json.Unmarshal(text, &earlier); err != nil || !same(earlier.settings, about.settings) {
			return omniscope.Usagef("%s holds clips that were collected from other sources or by other rules: %s (what was measured is kept)", dir, outfile.OrForce)
		}
	}
	return outfile.WriteIn(dir, aboutFile, func(w io.Writer) error { return outfile.JSON(w, about) })
}

func same(a, b settings) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}
