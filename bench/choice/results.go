package choice

import (
	"bytes"
	"context"
	"os"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/jsonfast"
	"omniscope/internal/rows"
)

// flattened makes rows of answers of a result file that the benchmark's own program reads or writes. Where the
// predictions are no such file, made is nil.
func (e *evaluation) flattened(ctx context.Context) (_ context.Context, made *os.File, err error) {
	path := e.in.Predictions
	if e.Results == nil || e.cascade() || !isJSON(ctx, path) {
		return ctx, nil, nil
	}
	var out bytes.Buffer
	found := false
	digest, err := rows.Read(ctx, path, rows.Layout{Lax: true}, func(row []byte, _ string, _ int) error {
		answers := e.Results(gjson.ParseBytes(row))
		found = found || answers != nil
		for _, answer := range answers {
			out.Write(append(answer, '\n'))
		}
		return nil
	})
	switch {
	case err != nil || !found:
		return ctx, nil, nil // the reader of answer rows reports the error
	case out.Len() == 0:
		return ctx, nil, omniscope.Invalidf("%s has the results of %s without an answer to any question", path, e.Name)
	}
	if made, err = input.Temporary(); err != nil {
		return ctx, nil, err
	}
	if _, err = made.Write(out.Bytes()); err != nil {
		return ctx, made, err
	}
	return input.Instead(ctx, path, made, digest), made, nil
}

// isJSON reports whether a file is a JSON list, or JSON Lines.
func isJSON(ctx context.Context, path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	head, err := input.Head(ctx, path)
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)))
	return err == nil && len(head) > 0 && (head[0] == '[' || head[0] == '{')
}

// with adds a field at the start of a JSON object.
func with(object gjson.Result, name, value string) []byte {
	row := append(append(jsonfast.Append([]byte{'{'}, name), ':'), jsonfast.Append(nil, value)...)
	rest := bytes.TrimSpace([]byte(object.Raw))[1:]
	if !bytes.HasPrefix(bytes.TrimSpace(rest), []byte("}")) {
		row = append(row, ',')
	}
	return bytes.ReplaceAll(append(row, rest...), []byte("\n"), []byte(" "))
}
