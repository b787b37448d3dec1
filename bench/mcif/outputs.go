package mcif

import (
	"context"
	"encoding/json"
	"errors"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/input"
	"omniscope/internal/rows"
	"omniscope/metric/textnorm"
)

var errNoText = errors.New(`an output wants the fields "id" and "text"`)

// ReadOutputs reads a system's outputs: files of the official XML, several where
// they are in shards, or one file of JSON Lines with the fields id and text.
func (b Benchmark) ReadOutputs(ctx context.Context, paths []string) (*mcifxml.Output, error) {
	if ext := input.Ext(paths[0]); ext == ".jsonl" || ext == ".ndjson" || ext == ".json" {
		if len(paths) > 1 {
			return nil, omniscope.Usagef("shards of outputs are XML files: join the lines of %s and the others into one file", paths[0])
		}
		return b.readJSONLines(ctx, paths[0])
	}
	return mcifxml.ReadOutputs(ctx, paths, b.Track, b.Lang, mcifxml.Options{Lenient: b.Lenient})
}

func (b Benchmark) readJSONLines(ctx context.Context, path string) (*mcifxml.Output, error) {
	lines, err := rows.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	out := &mcifxml.Output{Path: path, Root: bench.SystemName(path), Track: b.Track, Lang: b.Lang, SHA256: lines.Digest, RawSHA256: lines.Digest}
	var text []byte
	for i := range lines.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if text, err = lines.AppendTo(text[:0], i); err != nil {
			return nil, err
		}
		var row struct {
			ID   json.RawMessage
			Text *string
		}
		if err := json.Unmarshal(text, &row); err != nil {
			return nil, lines.Bad(i, text, err)
		}
		id, ok := idOf(row.ID)
		if !ok || row.Text == nil {
			return nil, lines.Bad(i, text, errNoText)
		}
		out.Samples = append(out.Samples, mcifxml.Sample{ID: id, Text: textnorm.Strip(*row.Text), File: path, Line: lines.Number(i)})
	}
	out.Digest = mcifxml.Digest(out.Samples)
	return out, nil
}

// idOf reads an id, which is a whole number or a string of something.
func idOf(text json.RawMessage) (string, bool) {
	var number int
	if json.Unmarshal(text, &number) == nil && string(text) != "null" {
		return string(text), true
	}
	var id string
	err := json.Unmarshal(text, &id)
	return id, err == nil && id != ""
}
