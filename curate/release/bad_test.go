package release

import (
	"fmt"
	"strings"
	"testing"

	"omniscope"
)

func TestBadInput(t *testing.T) {
	var wide strings.Builder
	for i := range 1100 {
		fmt.Fprintf(&wide, `,"f%d":1`, i)
	}
	for name, c := range map[string]struct {
		change func(b *bed)
		why    string
	}{
		"a row that is no JSON":        {func(b *bed) { b.o.Rows = b.file("r", rowA, `{"uuid":`) }, "r:2: "},
		"a row that is no object":      {func(b *bed) { b.o.Rows = b.file("r", rowA, `7`) }, "r:2: "},
		"a row without an id":          {func(b *bed) { b.o.Rows = b.file("r", rowA, `{"uid":"b","cloze":{}}`) }, `r:2: no field "uuid" (the row has "uid": did you mean "uuid"?)`},
		"an id that comes again":       {func(b *bed) { b.o.Rows = b.file("r", rowA, rowB, rowA) }, `r:3: the id "a" is in line 1 already`},
		"bytes that are not UTF-8":     {func(b *bed) { b.o.Rows = b.file("r", rowA, "{\"uuid\":\"\xff\"}") }, "r:2: the row is not UTF-8"},
		"a field that comes again":     {func(b *bed) { b.o.Rows = b.file("r", `{"uuid":"c1","cloze":{"x":1,"x":2}}`) }, `the field "x" is there twice`},
		"a form that is not known":     {func(b *bed) { b.o.Rows = b.file("r", `{"key":"a"}`) }, "--id-field: the row has key"},
		"no rows":                      {func(b *bed) { b.o.Rows = b.file("r", "") }, "has no rows"},
		"more columns than a table":    {func(b *bed) { b.o.Rows = b.file("r", `{"uuid":"c1","cloze":{}`+wide.String()+"}") }, "more than 1000 different fields"},
		"a source without an id":       {func(b *bed) { b.o.Sources = b.file("s", sourceA, `{"licence":"MIT"}`) }, `s:2: no field "id"`},
		"a source that comes again":    {func(b *bed) { b.o.Sources = b.file("s", sourceA, sourceA) }, `s:2: the id "c1" is in line 1 already`},
		"provenance that is no object": {func(b *bed) { b.o.Provenance = b.file("p", `["id"]`) }, `p:1: no field "id"`},
		"agreement without tables":     {func(b *bed) { b.o.Agreement = b.file("a", `{}`) }, "has no tables"},
		"agreement that is no JSON":    {func(b *bed) { b.o.Agreement = b.file("a", `{"tables":7}`) }, "a: "},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			c.change(b)
			b.refused(omniscope.Invalid, c.why)
		})
	}
}

// TestOddValues has rows whose columns no table can have as they are: these are JSON in the table.
func TestOddValues(t *testing.T) {
	nested := strings.Repeat(`[`, 20) + "1" + strings.Repeat(`]`, 20)
	rows := []string{
		`{"uuid":"a","cloze":{},"x":9223372036854775807,"y":1e400,"deep":` + nested + `,"names":{"":1},"bad":"\ud800"}`,
		`{"uuid":"b","cloze":{},"x":0.5,"y":1,"names":{"k":"v"}}`,
	}
	b := newBed(t)
	b.o.Rows = b.file("rows.jsonl", rows...)
	b.o.Sources = b.file("sources.jsonl", `{"id":"a","licence":"MIT"}`, `{"id":"b","licence":"MIT"}`)
	b.build()
	if got := b.read("data/test.jsonl"); got != strings.Join(rows, "\n")+"\n" {
		t.Errorf("rows %s", got)
	}
	table := rowsOf(t, b.read("data/test.parquet"))
	first := table[0].(map[string]any)
	if first["x"] != "9223372036854775807" || first["y"] != "1e400" || first["names"] != `{"":1}` || first["bad"] != "\ufffd" || table[1].(map[string]any)["x"] != "0.5" {
		t.Errorf("the table has %v", table)
	}
	if card := b.read("README.md"); !strings.Contains(card, "they are JSON: cloze, x, y, deep, names.") {
		t.Error(card)
	}
}

func TestTextsOfOthersInTheCard(t *testing.T) {
	b := newBed(t)
	b.o.Sources = b.file("sources.jsonl", `{"id":"c1","licence":"CC-BY-4.0","origin":"![x](http://e.org/p.png)|<img src=x>\n# head"}`, sourceB, sourceC)
	b.build()
	_, card, _ := strings.Cut(b.read("README.md"), "\n---\n") // after the header, where it is quoted
	if !strings.Contains(card, `!\[x\]`) || strings.Contains(card, "![x](") || strings.Contains(card, "| <img") || strings.Contains(card, "\n# head") {
		t.Error(card)
	}
}
