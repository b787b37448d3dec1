package rows

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/testing/fixture"
)

// rowsOf returns the rows of a file, each behind its line, in the form that the file has.
func rowsOf(t *testing.T, ctx context.Context, path string) ([]string, error) {
	t.Helper()
	f, err := input.Open(ctx, path, input.Rows)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	form, err := FormOf(f)
	if err != nil {
		return nil, err
	}
	return rowsIn(t, ctx, path, form)
}

func rowsIn(t *testing.T, ctx context.Context, path string, form rowForm) (rows []string, err error) {
	t.Helper()
	f, err := input.Open(ctx, path, input.Rows)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = Each(f, form, func(line int, text []byte) error {
		rows = append(rows, fmt.Sprintf("%d %s", line, text))
		return nil
	})
	return rows, err
}

func TestRowFormats(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"lines", "x.jsonl", "\n{\"a\":1}\r\n \n{\"a\":2}", []string{`2 {"a":1}`, `4 {"a":2}`}},
		{"a list", "x.jsonl", " [\n{\"a\": [1,\n2]}, {\"b\":\"],\\\"[\"}\n,3]\n", []string{`2 {"a": [1, 2]}`, `3 {"b":"],\"["} `, `4 3`}},
		{"an empty list", "x.json", "[ ]", nil},
		{"a line's end in a string is none", "x.json", "[\"a\nb\"]", []string{"1 \"a\vb\""}},
		{"commas", "x.csv", "a,b\n1,\"x,\n\"\"y\"\"\"\n2,z\n", []string{`2 {"a":"1","b":"x,\n\"y\""}`, `4 {"a":"2","b":"z"}`}},
		{"tabs", "x.tsv", "a\tb\n1\t\"x \"\"y\"\"\"\n\n2\tsays \"z\"\n3\t\"z\" is said\n", []string{`2 {"a":"1","b":"x \"y\""}`, `4 {"a":"2","b":"says \"z\""}`, `5 {"a":"3","b":"\"z\" is said"}`}},
	} {
		for _, packing := range []string{"", ".gz"} {
			t.Run(c.name+packing, func(t *testing.T) {
				stored := c.text
				if packing != "" {
					stored = fixture.Gzip(stored)
				}
				rows, err := rowsOf(t, t.Context(), fixture.File(t, c.file+packing, stored))
				if err != nil || !slices.Equal(rows, c.want) {
					t.Errorf("got %q, %v", rows, err)
				}
			})
		}
	}
}

func TestInvalidInputs(t *testing.T) {
	small := input.With(t.Context(), &input.Files{Limits: input.Limits{Size: 200, Rows: 2, Row: 64}})
	long := strings.Repeat("a", 100)
	for _, c := range []struct{ name, file, text, want string }{
		{"a list that breaks off", "x.json", "[1", "x.json:1: the element of the list that begins here has no end"},
		{"a list without an end", "x.json", "[1,\n", "x.json:2: the list breaks off"},
		{"a hole in a list", "x.json", "[1,,2]", `x.json:1: an element of the list is missing before ","`},
		{"more behind a list", "x.json", "[1]\n2", `x.json:2: "2" follows the end of the list`},
		{"a packed file that breaks off", "x.gz", fixture.Gzip("[1,2]")[:20], "x.gz cannot be unpacked (unexpected EOF)"},
		{"a table of nothing", "x.csv", "", "x.csv is empty"},
		{"a ragged table", "x.csv", "a,b\n1\n", "x.csv:2: the row has 1 fields and the header 2"},
		{"a field of several lines between tabs", "x.tsv", "a\tb\n1\t\"x\ny\"\n", "x.tsv:2: field 2 begins with a quotation mark"},
		{"a name twice", "x.tsv", "a\ta\n", `x.tsv:1: the header has the field "a" twice`},
		{"too many rows", "x.jsonl", "1\n2\n3\n", "x.jsonl has more than 2 rows: if that is right, raise --max-input-rows"},
		{"too many in a list", "x.jsonl", "[1,2,3]", "x.jsonl has more than 2 rows: if that is right, raise --max-input-rows"},
		{"a row too long", "x.jsonl", "1\n" + long, "x.jsonl:2: the row is longer than 64 bytes: if that is right, raise --max-row-size"},
		{"an element too long", "x.json", "[1,\n\"" + long + "\"]", "x.json:2: the row is longer than 64 bytes: if that is right, raise --max-row-size"},
		{"too many values", "x.jsonl", "[[1,2,3,4]]", "x.jsonl:1: the row has more than 2 commas and brackets: if that is right, raise --max-row-size"},
		{"too large", "x.jsonl", strings.Repeat("\n", 300), "x.jsonl has more than 200 bytes: if that is right, raise --max-input-size"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := rowsOf(t, small, fixture.File(t, c.file, c.text))
			if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// TestInstead: a file that is replaced keeps its name and digest, whatever its ending; others are
// opened as ever.
func TestInstead(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other.jsonl")
	text, err := os.Create(filepath.Join(dir, "made"))
	fixture.OK(t, err)
	defer text.Close()
	if _, err := text.WriteString("{\"a\": 1}\n"); err != nil {
		t.Fatal(err)
	}
	fixture.OK(t, os.WriteFile(other, []byte("{\"b\": 2}\n"), 0o600))
	ctx := input.Instead(t.Context(), "log.tsv", text, "the digest")
	for path, want := range map[string]string{"log.tsv": `{"a": 1}`, other: `{"b": 2}`} {
		f, err := input.Open(ctx, path, input.Rows)
		fixture.OK(t, err)
		defer f.Close()
		form, err := FormOf(f)
		if err != nil || form != byLine {
			t.Fatalf("%s: form %v, %v", path, form, err)
		}
		if err := Each(f, form, func(line int, row []byte) error {
			if string(row) != want {
				t.Errorf("%s:%d: %s, want %s", path, line, row, want)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if digest := f.Digest(); f.Path != path || (digest == "the digest") != (path == "log.tsv") {
			t.Errorf("%s has the digest %s", f.Path, digest)
		}
	}
}
