package rows

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		layout     Layout
		want       []string
	}{
		{"lines", "\ufeff{\"a\":1}\r\n\n {\"a\":2}", Layout{}, []string{`1 {"a":1}`, `3 {"a":2}`}},
		{"a list", "[{\"a\":1},\n\n{\"a\":2}]", Layout{}, []string{`1 {"a":1}`, `3 {"a":2}`}},
		{"rows by name", "{\n\"x\": {\"a\":1}, \"y\": 2}", Layout{Keyed: true}, []string{`2 x{"a":1}`, `2 y2`}},
		{"a list under a name", "{\"n\": 2, \"data\": [1,\n2]}", Layout{Under: "data"}, []string{"1 1", "2 2"}},
		{"commas before brackets", "[{\"a\": \",]\",},\n2, ]", Layout{Lax: true}, []string{`1 {"a": ",]" }`, "2 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			digest, err := Read(t.Context(), fixture.File(t, "x.json", c.text), c.layout, func(row []byte, key string, line int) error {
				got = append(got, fmt.Sprintf("%d %s%s", line, key, row))
				return nil
			})
			if err != nil || !slices.Equal(got, c.want) || digest != sha256hex.Of(c.text) {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestInvalidLayouts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		layout     Layout
		want       string
	}{
		{"a broken line", "1\n{]\n", Layout{}, "x.json: line 2: not JSON at character 2"},
		{"a comma before a bracket", "[1,]", Layout{}, "x.json: not JSON at character 4"},
		{"no rows by name", "[1]", Layout{Keyed: true}, "x.json: it is no object of rows by name"},
		{"no list under the name", "{}", Layout{Under: "data"}, `x.json: it has no list "data"`},
		{"a row of no use", "1\n\n2", Layout{}, "x.json:3: of no use: 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(t.Context(), fixture.File(t, "x.json", c.text), c.layout, func(row []byte, _ string, _ int) error {
				if strings.Contains(string(row), "2") {
					return errors.New("of no use")
				}
				return nil
			})
			fixture.WantError(t, err, omniscope.Invalid, c.want)
		})
	}
}

func TestQuotedTabs(t *testing.T) {
	const text = "a\tb\n1\t\"x\ny\"\n"
	rows, err := rowsIn(t, t.Context(), fixture.File(t, "x.tsv", text), QuotedTab)
	if want := []string{`2 {"a":"1","b":"x\ny"}`}; err != nil || !slices.Equal(rows, want) {
		t.Errorf("got %q, %v, want %q", rows, err, want)
	}
}
