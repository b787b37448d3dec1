package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/spelling"
)

// A Form is the form of a benchmark's own file.
type Form struct {
	Keyed bool   // one JSON object of rows by name, not a list or JSON Lines
	Under string // one JSON object that has a list of rows under this name
	Lax   bool   // as released it has commas before closing brackets
}

// ReadRows reads a benchmark's file whole and calls do for each row, with its name in a
// Keyed file and the number of the line that it begins on, or of the row in Parquet. An error of do becomes an Invalid
// error that quotes file, line and row. digest is the file's SHA-256. The rows of Parquet, and of the files of a folder, are read
// one at a time.
func ReadRows(ctx context.Context, file string, form Form, do func(row []byte, key string, line int) error) (digest string, err error) {
	parts, err := input.PartsOf(file)
	if err != nil {
		return "", err
	}
	if parts.Folder() || input.IsParquet(file) {
		return readParts(ctx, parts, do)
	}
	text, digest, err := input.ReadFile(ctx, file, input.Texts)
	if err != nil {
		return "", err
	}
	if form.Lax && CheckJSON(text) != nil {
		text = withoutLastCommas(text)
	}
	rows := 0
	err = eachRow(text, form, func(row []byte, key string, line int) error {
		rows++
		if err := do(row, key, line); err != nil {
			return omniscope.Invalidf("%s:%d: %w: %s", file, line, err, Quote(row))
		}
		return nil
	})
	var bad *omniscope.Error
	if err != nil && !errors.As(err, &bad) {
		err = omniscope.Invalidf("%s: %w", file, err)
	}
	return digest, err
}

func readParts(ctx context.Context, parts *input.Parts, do func(row []byte, key string, line int) error) (digest string, err error) {
	err = parts.Each(ctx, func(_ int, f *input.File) error {
		form, err := f.RowForm()
		if err != nil {
			return err
		}
		at := "%s:%d: %w: %s"
		if form == input.Columns {
			at = "%s, row %d: %w: %s"
		}
		return f.EachRow(form, func(line int, row []byte) error {
			err := CheckJSON(row)
			if err == nil {
				err = do(bytes.Clone(row), "", line)
			}
			if err != nil {
				return omniscope.Invalidf(at, f.Path, line, err, Quote(row))
			}
			return nil
		})
	})
	if err != nil {
		return "", err
	}
	return parts.Digest(), nil
}

// withoutLastCommas puts blanks in place of commas before closing brackets, so that lines
// keep their numbers.
func withoutLastCommas(text []byte) []byte {
	out, inText := bytes.Clone(text), false
	last := -1 // the last comma, if nothing but blanks follows it
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText, last = !inText, -1
		case inText || c == ' ' || c == '\t' || c == '\n' || c == '\r':
		case c == ',':
			last = i
		case (c == ']' || c == '}') && last >= 0:
			out[last], last = ' ', -1
		default:
			last = -1
		}
	}
	return out
}

// eachRow calls do for each row of a text, with the number of the line that it begins on:
// of a JSON list, of JSON Lines, or of an object of rows by name.
func eachRow(text []byte, form Form, do func(row []byte, key string, line int) error) error {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	whole := form.Keyed || form.Under != ""
	if !whole && !bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) {
		return eachLine(text, do)
	}
	if err := CheckJSON(text); err != nil {
		return err
	}
	root := gjson.ParseBytes(text)
	switch {
	case form.Keyed && !root.IsObject():
		return errors.New("it is no object of rows by name")
	case form.Under != "" && !root.Get(form.Under).IsArray():
		return fmt.Errorf("it has no list %q", form.Under)
	case !whole && root.IsObject():
		return errors.New("it is no list of rows")
	case form.Under != "":
		root = root.Get(form.Under)
	}
	line, at := 1, 0
	var err error
	root.ForEach(func(key, row gjson.Result) bool {
		line, at = line+bytes.Count(text[at:row.Index], []byte("\n")), row.Index
		err = do([]byte(row.Raw), key.Str, line)
		return err == nil
	})
	return err
}

func eachLine(text []byte, do func(row []byte, key string, line int) error) error {
	number := 0
	for line := range bytes.Lines(text) {
		if number++; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := CheckJSON(line); err != nil {
			return fmt.Errorf("line %d: %w: %s", number, err, Quote(line))
		}
		if err := do(bytes.TrimSpace(line), "", number); err != nil {
			return err
		}
	}
	return nil
}

// Select returns those of all that the user wants, in their order. what names one of them in
// a message.
func Select[T any](all []T, id func(*T) string, what string, in Inputs) (out []T, err error) {
	wanted := make(map[string]bool)
	for _, name := range in.Samples {
		wanted[string(name)] = true
	}
	known := make([]string, len(all))
	for i := range all {
		known[i] = id(&all[i])
		if len(in.Samples) == 0 || wanted[known[i]] {
			delete(wanted, known[i])
			out = append(out, all[i])
		}
	}
	for name := range wanted {
		return nil, omniscope.Usagef("--sample-id: %s has no %s %s%s", in.Data, what, name, spelling.Hint(name, known))
	}
	if in.Limit > 0 && len(out) > in.Limit {
		out = out[:in.Limit]
	}
	return out, nil
}

// Stem is the name of a recording without folder and ending.
func Stem(name string) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	switch ext := path.Ext(base); strings.ToLower(ext) {
	case ".mp4", ".wav", ".mp3", ".flac", ".webm", ".mkv", ".avi", ".mov", ".m4a", ".ogg":
		return base[:len(base)-len(ext)]
	}
	return base
}

// A Tag is a group that a unit counts in, such as task speech.
type Tag struct{ Dimension, Group string }

// Tags pairs dimensions with groups, such as "task", "speech". Empty groups are left out.
func Tags(pairs ...string) (tags []Tag) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			tags = append(tags, Tag{pairs[i], pairs[i+1]})
		}
	}
	return tags
}
