// Package demo writes the files of small projects of people's work about made clips. The systems and their captions are
// imaginary.
package demo

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"omniscope/bench/demo/clips"
	"omniscope/people"
)

// Kinds are the kinds of work that there are files for.
var Kinds = []string{"arena", "captions", "rating", "capricorn"}

// Write makes the clips in folder/clips and the files beside it, and returns the options of
// `omniscope people new` for a kind.
func Write(ctx context.Context, folder, kind string) (options map[string][]string, err error) {
	if err := clips.Make(ctx, filepath.Join(folder, "clips")); err != nil {
		return nil, err
	}
	switch kind {
	case "arena":
		return writeSystems(folder)
	case "captions":
		return writeCaptions(folder)
	case "rating":
		return writePairs(folder)
	}
	return writeList(folder)
}

// Captions of three imaginary systems: one that is careful, one that says little, one that makes
// things up.
var systems = map[string]func(c clips.Clip) string{
	"careful": func(c clips.Clip) string {
		return fmt.Sprintf("A %s disc rolls from the left edge to the right over a pale ground, in silence. At about %d seconds the picture changes: a %s square falls slowly on green, while a tone is struck once a second.", c.Disc, clips.Cut, c.Square)
	},
	"short": func(c clips.Clip) string { return fmt.Sprintf("A %s disc moves. Then there is a square.", c.Disc) },
	"lively": func(c clips.Clip) string {
		return fmt.Sprintf("A crowd cheers as a shiny %s ball bounces three times. A %s box drops onto a table and breaks, and a dog barks.", c.Square, c.Disc)
	},
}

func writeSystems(folder string) (map[string][]string, error) {
	var files []string
	for _, name := range slices.Sorted(maps.Keys(systems)) {
		var lines []any
		for _, c := range clips.All {
			lines = append(lines, map[string]string{"clip": c.File(), "caption": systems[name](c)})
		}
		files = append(files, filepath.Join(folder, name+".jsonl"))
		if err := writeLines(files[len(files)-1], lines); err != nil {
			return nil, err
		}
	}
	return map[string][]string{"captions": files}, nil
}

// writeCaptions writes captions to review, some right and some not.
func writeCaptions(folder string) (map[string][]string, error) {
	var lines []any
	for i, c := range clips.All {
		system := []string{"careful", "lively"}[i%2]
		lines = append(lines, map[string]string{"id": c.Name, "path": "clips/" + c.File(), "caption": systems[system](c), "modality": "audio-visual", "system": system})
	}
	path := filepath.Join(folder, "captions.jsonl")
	return map[string][]string{"captions": {path}}, writeLines(path, lines)
}

// Pairs of clips to rate: one looks like another that was made from its description.
func writePairs(folder string) (map[string][]string, error) {
	var lines []any
	for i, c := range clips.All {
		lines = append(lines, map[string]string{"clip": c.Name, "original": c.File(), "reconstruction": clips.All[(i+1)%len(clips.All)].File(), "system": []string{"careful", "lively"}[i%2]})
	}
	path := filepath.Join(folder, "pairs.jsonl")
	return map[string][]string{"pairs": {path}}, writeLines(path, lines)
}

func writeList(folder string) (map[string][]string, error) {
	var lines []any
	for _, c := range clips.All {
		lines = append(lines, map[string]any{"video_id": c.Name, "duration": clips.Seconds, "media": c.File()})
	}
	path := filepath.Join(folder, "clips.jsonl")
	return map[string][]string{"clips": {path}}, writeLines(path, lines)
}

func writeLines(path string, lines []any) error {
	var text bytes.Buffer
	if err := people.WriteLines(&text, lines); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o644)
}
