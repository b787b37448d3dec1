package release

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/tidwall/gjson"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/foreign"
	"omniscope/internal/testing/golden"
)

// withoutNull is a value without the fields that are null: a table has no other way to say that a field is missing.
func withoutNull(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if v[key] = withoutNull(inner); v[key] == nil {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutNull(v[i])
		}
	}
	return v
}

func parsed(t *testing.T, text string) any {
	t.Helper()
	var v any
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	fixture.OK(t, in.Decode(&v))
	return withoutNull(v)
}

// An assembler makes a row of the values of a file's leaves, by their levels.
type assembler [][]parquet.Value

func (a assembler) skip(leaf, leaves int) {
	for i := range leaves {
		a[leaf+i] = a[leaf+i][1:]
	}
}

func leavesOf(n parquet.Node) (count int) {
	if n.Leaf() {
		return 1
	}
	for _, f := range n.Fields() {
		count += leavesOf(f)
	}
	return count
}

func (a assembler) group(n parquet.Node, leaf, defined, repeated int) any {
	fields := make(map[string]any)
	for _, f := range n.Fields() {
		fields[f.Name()] = a.value(f, leaf, defined, repeated)
		leaf += leavesOf(f)
	}
	return fields
}

func (a assembler) value(n parquet.Node, leaf, defined, repeated int) any {
	first := a[leaf][0]
	if first.DefinitionLevel() == defined {
		a.skip(leaf, leavesOf(n))
		return nil
	}
	defined++
	if n.Leaf() {
		a.skip(leaf, 1)
		switch first.Kind() {
		case parquet.Boolean:
			return first.Boolean()
		case parquet.ByteArray:
			return first.String()
		}
		return json.Number(first.String())
	}
	inner, ok := n.Fields()[0], n.Fields()[0].Repeated()
	switch {
	case !ok:
		return a.group(n, leaf, defined, repeated)
	case first.DefinitionLevel() == defined:
		a.skip(leaf, leavesOf(n))
		return []any{}
	}
	list := []any{a.value(inner.Fields()[0], leaf, defined+1, repeated+1)}
	for len(a[leaf]) > 0 && a[leaf][0].RepetitionLevel() == repeated+1 {
		list = append(list, a.value(inner.Fields()[0], leaf, defined+1, repeated+1))
	}
	return list
}

// rowsOf reads a Parquet file back.
func rowsOf(t *testing.T, text string) (rows []any) {
	t.Helper()
	file, err := parquet.OpenFile(strings.NewReader(text), int64(len(text)))
	fixture.OK(t, err)
	for _, g := range file.RowGroups() {
		read := make([]parquet.Row, g.NumRows())
		in := g.Rows()
		if n, err := in.ReadRows(read); n != len(read) {
			t.Fatal(n, err)
		}
		for _, row := range read {
			a := make(assembler, leavesOf(file.Schema()))
			for _, v := range row {
				a[v.Column()] = append(a[v.Column()], v)
			}
			rows = append(rows, withoutNull(a.group(file.Schema(), 0, 0, 0)))
		}
		fixture.OK(t, in.Close())
	}
	return rows
}

func TestParquetHoldsTheRows(t *testing.T) {
	b := newBed(t)
	b.build()
	rows := rowsOf(t, b.read("data/test.parquet"))
	asText := strings.NewReplacer(`"mixed":1`, `"mixed":"1"`, `"mixed":{"k":[1,"two"]}`, `"mixed":"{\"k\":[1,\"two\"]}"`, `"empty":{}`, `"empty":"{}"`)
	for i, row := range []string{rowA, rowB, rowC} {
		if want := parsed(t, asText.Replace(row)); i >= len(rows) || !reflect.DeepEqual(rows[i], want) {
			t.Errorf("row %d is %v, want %v", i, rows[i], want)
		}
	}
}

// TestNestedLists reads values and levels with the library itself: a missing list, an empty one and a missing element
// differ.
func TestNestedLists(t *testing.T) {
	b := newBed(t)
	b.o.Rows = b.file("rows.jsonl", `{"uuid":"a","cloze":0,"l":[[1,null],[],null]}`, `{"uuid":"b","cloze":0,"l":[]}`, `{"uuid":"c","cloze":0}`)
	b.o.Sources = b.file("sources.jsonl", `{"id":"a","licence":"MIT"}`, `{"id":"b","licence":"MIT"}`, `{"id":"c","licence":"MIT"}`)
	b.build()
	text := b.read("data/test.parquet")
	file, err := parquet.OpenFile(strings.NewReader(text), int64(len(text)))
	fixture.OK(t, err)
	rows := make([]parquet.Row, 3)
	if n, err := file.RowGroups()[0].Rows().ReadRows(rows); n != 3 {
		t.Fatal(n, err)
	}
	var got []string
	for _, r := range rows {
		var levels []string
		for _, v := range r {
			if v.Column() == 2 {
				levels = append(levels, strings.Join([]string{string(rune('0' + v.RepetitionLevel())), string(rune('0' + v.DefinitionLevel())), v.String()}, ":"))
			}
		}
		got = append(got, strings.Join(levels, " "))
	}
	want := []string{"0:5:1 2:4:<null> 1:3:<null> 1:2:<null>", "0:1:<null>", "0:0:<null>"}
	if !slices.Equal(got, want) {
		t.Errorf("levels %q, want %q", got, want)
	}
}

func TestFeaturesInTheSchema(t *testing.T) {
	b := newBed(t)
	b.build()
	text := b.read("data/test.parquet")
	file, err := parquet.OpenFile(strings.NewReader(text), int64(len(text)))
	fixture.OK(t, err)
	value, _ := file.Lookup("huggingface")
	var doc struct {
		Info struct{ Features map[string]any }
	}
	fixture.OK(t, json.Unmarshal([]byte(value), &doc))
	leaf := func(dtype string) any { return map[string]any{"dtype": dtype, "_type": "Value"} }
	want := map[string]any{"uuid": leaf("string"), "video_path": leaf("string"), "score": leaf("float64"), "mixed": leaf("string"), "big": leaf("int64"),
		"none": leaf("string"), "flag": leaf("bool"), "deep": []any{[]any{leaf("int64")}}, "empty": leaf("string"),
		"cloze": map[string]any{"passage": leaf("string"), "blanks": []any{map[string]any{"number": leaf("int64"), "options": []any{leaf("string")}, "required_modality": leaf("string")}}}}
	if !reflect.DeepEqual(doc.Info.Features, want) {
		t.Errorf("features %v, want %v", doc.Info.Features, want)
	}
	var columns []string
	for _, f := range file.Schema().Fields() {
		columns = append(columns, f.Name())
	}
	if got := strings.Join(columns, " "); got != "uuid video_path cloze score mixed big none flag deep empty" {
		t.Errorf("columns in the order %s", got)
	}
}

// TestPublishedCases has the rows of the paper's case studies, where they are at hand.
func TestPublishedCases(t *testing.T) {
	b := newBed(t)
	b.o.Rows = golden.Path(t, "cloze", "case_studies.jsonl")
	b.o.Sources = b.file("sources.jsonl", `{"id":"1","licence":"CC-BY-4.0"}`, `{"id":"2","licence":"CC-BY-4.0"}`, `{"id":"3","licence":"CC-BY-4.0"}`)
	b.build()
	rows, i := rowsOf(t, b.read("data/test.parquet")), 0
	for line := range strings.Lines(b.read("data/test.jsonl")) {
		if !reflect.DeepEqual(rows[i], parsed(t, line)) {
			t.Errorf("row %d is not in the table as it was", i)
		}
		i++
	}
	if i != 3 || len(rows) != 3 {
		t.Errorf("%d rows, %d in the table", i, len(rows))
	}
}

// TestLongOthersReadParquet has a reader of others open the table.
func TestLongOthersReadParquet(t *testing.T) {
	b := newBed(t)
	b.build()
	table := foreign.Parquet(t, filepath.Join(b.o.Out, "data", "test.parquet"))
	rows := strings.Split(strings.TrimSpace(b.read("data/test.jsonl")), "\n")
	if len(table.Rows) != len(rows) || !strings.Contains(table.Metadata["huggingface"], `"features"`) {
		t.Fatalf("%d rows, want %d; %v", len(table.Rows), len(rows), table.Metadata)
	}
	for i, row := range rows {
		if id := gjson.Get(row, "uuid").String(); table.Rows[i]["uuid"] != id {
			t.Errorf("row %d is %v, want %s", i+1, table.Rows[i]["uuid"], id)
		}
	}
}
