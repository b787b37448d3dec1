package rows

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/input"
)

// A Layout is how the authors of a benchmark laid out the rows of their file. The zero Layout
// is a JSON list or JSON Lines.
type Layout struct {
	Keyed bool   // one JSON object of rows by name
	Under string // one JSON object that has a list of rows under this name
	Lax   bool   // as released it has commas before closing brackets
}

// Read reads a file into memory and calls do for each row, with its name in a Keyed file and
// the number of the line that it begins on, or of the row in Parquet. An error of do becomes
// an Invalid error that quotes file, line and row. digest is the file's SHA-256. The rows of
// Parquet, and of the files of a folder, are read one at a time.
func Read(ctx context.Context, path string, layout Layout, do func(row []byte, key string, line int) error) (digest string, err error) {
	parts, err := input.PartsOf(path)
	if err != nil {
		return "", err
	}
	if parts.Folder() || input.IsParquet(path) {
		return readParts(ctx, parts, do)
	}
	text, digest, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return "", err
	}
	if layout.Lax && CheckJSON(text) != nil {
		text = withoutLastCommas(text)
	}
	err = layout.each(text, func(row []byte, key string, line int) error {
		if err := do(row, key, line); err != nil {
			return badRow("%s:%d", path, line, row, err)
		}
		return nil
	})
	var bad *omniscope.Error
	if err != nil && !errors.As(err, &bad) {
		err = omniscope.Invalidf("%s: %w", path, err)
	}
	return digest, err
}

func badRow(place, path string, line int, row []byte, err error) error {
	return omniscope.Invalidf(place+": %w: %s", path, line, err, Quote(row))
}

func readParts(ctx context.Context, parts *input.Parts, do func(row []byte, key string, line int) error) (digest string, err error) {
	err = parts.Each(ctx, func(_ int, f *input.File) error {
		form, err := FormOf(f)
		if err != nil {
			return err
		}
		place := "%s:%d"
		if form == columns {
			place = "%s, row %d"
		}
		return Each(f, form, func(line int, row []byte) error {
			err := CheckJSON(row)
			if err == nil {
				err = do(bytes.Clone(row), "", line)
			}
			if err != nil {
				return badRow(place, f.Path, line, row, err)
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

// each calls do for each row of a text, with the number of the line that it begins on:
// of a JSON list, of JSON Lines, or of an object of rows by name.
func (l Layout) each(text []byte, do func(row []byte, key string, line int) error) error {
	text = bytes.TrimPrefix(text, []byte(input.ByteOrderMark))
	whole := l.Keyed || l.Under != ""
	if !whole && !bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) {
		return eachLine(text, do)
	}
	if err := CheckJSON(text); err != nil {
		return err
	}
	root := gjson.ParseBytes(text)
	switch {
	case l.Keyed && !root.IsObject():
		return errors.New("it is no object of rows by name")
	case l.Under != "" && !root.Get(l.Under).IsArray():
		return fmt.Errorf("it has no list %q", l.Under)
	case !whole && root.IsObject():
		return errors.New("it is no list of rows")
	case l.Under != "":
		root = root.Get(l.Under)
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

// eachLine calls do for each row of JSON Lines that is in memory, and stays there.
func eachLine(text []byte, do func(row []byte, key string, line int) error) error {
	number := 0
	for line := range bytes.Lines(text) {
		if number++; isBlank(line) {
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
