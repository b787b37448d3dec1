// Package demo is data to try omniscope with: a small cloze benchmark and captions of imaginary systems, which are embedded, and
// four clips that it makes.
package demo

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"omniscope/bench/demo/clips"
	"omniscope/internal/outfile"
)

//go:embed README.md cloze captions
var files embed.FS

// Write writes the benchmark and the captions into a folder. Files of ours that somebody changed are not replaced: that is an error.
func Write(folder string) error {
	return fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		return writeFile(filepath.Join(folder, filepath.FromSlash(name)), text)
	})
}

// WriteClips makes the clips in folder/clips, and writes beside them what the other commands want of them. It needs ffmpeg.
func WriteClips(ctx context.Context, folder string) error {
	if err := clips.Make(ctx, filepath.Join(folder, "clips")); err != nil {
		return err
	}
	var list, rows bytes.Buffer
	lists, cloze := json.NewEncoder(&list), json.NewEncoder(&rows)
	for i, c := range clips.All {
		if err := lists.Encode(listed{ID: c.Name, Path: "clips/" + c.File(), Licence: "Apache-2.0", Origin: "made by omniscope demo"}); err != nil {
			return err
		}
		if err := cloze.Encode(rowOf(i, c)); err != nil {
			return err
		}
	}
	for name, text := range map[string][]byte{"clips.jsonl": list.Bytes(), "clips-cloze.jsonl": rows.Bytes(), "rules.yaml": []byte(rules)} {
		if err := writeFile(filepath.Join(folder, name), text); err != nil {
			return err
		}
	}
	return nil
}

// A listed clip is a row of clips.jsonl, which investigate and curate read.
type listed struct {
	ID      string `json:"id"`
	Path    string `json:"path"`
	Licence string `json:"licence"`
	Origin  string `json:"origin"`
}

// rules lets the clips into a benchmark: they are small and short.
const rules = `# Rules for omniscope curate collect: the made clips are smaller and shorter than what a real benchmark takes.
min_height: 200
min_seconds: 5
max_silent_share: 1
max_still_share: 1
`

func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return outfile.WriteSame(path, false, func(w io.Writer) error { _, err := w.Write(text); return err })
}
