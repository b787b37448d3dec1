package input

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"

	"omniscope"
)

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func wide(text string, big bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		lo, hi := byte(u), byte(u>>8)
		if big {
			lo, hi = hi, lo
		}
		b.Write([]byte{lo, hi})
	}
	return b.String()
}

// The text is the same however it is stored, and the digest is that of the bytes.
func TestTextFormats(t *testing.T) {
	const text = "{\"a\": \"é 😀\"}\nlast"
	for name, stored := range map[string]string{
		"plain": text, "marked": "\ufeff" + text, "packed": zipped(text), "packed twice over": zipped(text[:5]) + zipped(text[5:]),
		"little-endian": wide(text, false), "big-endian": wide(text, true), "wide and packed": zipped(wide(text, true)),
	} {
		t.Run(name, func(t *testing.T) {
			got, digest, err := ReadFile(t.Context(), fixture.File(t, "x", stored), Texts)
			if err != nil || string(got) != text {
				t.Errorf("got %q, %v", got, err)
			}
			if want := sha256hex.Of(stored); digest != want {
				t.Errorf("digest %s, want %s", digest, want)
			}
		})
	}
}

func rowsOf(t *testing.T, ctx context.Context, path string) (rows []string, err error) {
	t.Helper()
	f, err := Open(ctx, path, Rows)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	form, err := f.RowForm()
	if err != nil {
		return nil, err
	}
	err = f.EachRow(form, func(line int, text []byte) error {
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
					stored = zipped(stored)
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
	small := With(t.Context(), &Files{Limits: Limits{Size: 200, Rows: 2, Row: 64}})
	long := strings.Repeat("a", 100)
	for _, c := range []struct{ name, file, text, want string }{
		{"a list that breaks off", "x.json", "[1", "x.json:1: the element of the list that begins here has no end"},
		{"a list without an end", "x.json", "[1,\n", "x.json:2: the list breaks off"},
		{"a hole in a list", "x.json", "[1,,2]", `x.json:1: an element of the list is missing before ","`},
		{"more behind a list", "x.json", "[1]\n2", `x.json:2: "2" follows the end of the list`},
		{"a packed file that breaks off", "x.gz", zipped("[1,2]")[:20], "x.gz cannot be unpacked (unexpected EOF)"},
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

// Reading ends with the context, even of a file that is open.
func TestReadingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f, err := Open(ctx, fixture.File(t, "x", "a\n"), Texts)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cancel()
	if _, err := f.ReadAll(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestSizesAsFlags(t *testing.T) {
	for text, want := range map[string]Bytes{"4096": 4096, "300MB": 300e6, "2GiB": 2 << 30, " 1.5 kib": 1536, "7 B": 7} {
		var b Bytes
		if err := b.Set(text); err != nil || b != want {
			t.Errorf("%q: got %d, %v", text, b, err)
		}
	}
	for _, text := range []string{"", "much", "-1", "0", "1e40TB", "NaN", "3 bananas"} {
		if new(Bytes).Set(text) == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
