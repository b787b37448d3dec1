package main

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/rogpeppe/go-internal/testscript"
)

// writeParquet writes flat rows of JSON Lines as a Parquet file, in row groups of two: texts as texts, a field called media as a group of bytes
// and path, as the library datasets stores sound and pictures.
func writeParquet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: parquet ROWS.jsonl FILE")
	}
	var rows []map[string]any
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		row := make(map[string]any)
		ts.Check(json.Unmarshal([]byte(line), &row))
		rows = append(rows, row)
	}
	schema := parquet.Group{}
	for name := range rows[0] {
		schema[name] = parquet.Optional(parquet.String())
		if name == "media" {
			schema[name] = parquet.Group{"bytes": parquet.Leaf(parquet.ByteArrayType), "path": parquet.String()}
		}
	}
	f, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	w := parquet.NewGenericWriter[map[string]any](f, parquet.NewSchema("rows", schema), parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(2))
	for _, row := range rows {
		if path, ok := row["media"].(string); ok {
			row["media"] = map[string]any{"bytes": []byte{0, 1, 2}, "path": path}
		}
		_, err := w.Write([]map[string]any{row})
		ts.Check(err)
	}
	ts.Check(w.Close())
	ts.Check(f.Close())
}
