package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/results"
)

// made makes a run with a file of lines.
func made(t *testing.T, id, lines string) *results.Run {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"blanks.jsonl": lines, "cases.jsonl": `{"unit":"a"}` + "\n"} {
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return &results.Run{Dir: dir, Results: &document.Results{System: "sys " + id, Benchmark: document.BenchmarkInfo{Name: "omni-cloze"},
		Run: document.RunInfo{ID: id, Files: []string{"blanks.jsonl", "cases.jsonl", "report.md", "../elsewhere.jsonl"}}}}
}

const (
	linesOfA = `{"uuid":"a","number":1,"share":1,"right":true,"text":"=1+1","official":{"correct":1},"verdicts":{"x":"correct"},"mixed":1}
{"uuid":"b","number":9007199254740993,"share":0.25,"right":false,"text":null,"official":{"correct":0.5},"verdicts":{},"mixed":"two"}
`
	linesOfB = `{"uuid":"c","late":3}` + "\n"
)

// want are the rows that both forms hold, as texts.
var want = []string{
	"run benchmark system judge uuid number share right text official.correct verdicts mixed late",
	`A omni-cloze sys_A - a 1 1 true =1+1 1 {"x":"correct"} 1 -`,
	`A omni-cloze sys_A - b 9007199254740993 0.25 false - 0.5 {} two -`,
	`B omni-cloze sys_B - c - - - - - - - 3`,
}

func line(cells []string) string {
	for i, c := range cells {
		if cells[i] = strings.ReplaceAll(strings.TrimPrefix(c, "'"), " ", "_"); c == "" {
			cells[i] = "-"
		}
	}
	return strings.Join(cells, " ")
}

func tablesOf(t *testing.T, runs ...*results.Run) *table {
	t.Helper()
	tables, err := Tables(t.Context(), runs)
	fixture.OK(t, err)
	if len(tables) != 1 || tables[0].Name != "blanks" {
		t.Fatalf("tables: %+v", Summary(tables))
	}
	return tables[0]
}

func TestKindsOfColumns(t *testing.T) {
	kinds := make(map[string]columnKind)
	for _, c := range tablesOf(t, made(t, "A", linesOfA), made(t, "B", linesOfB)).Columns {
		kinds[c.Name] = c.Kind
	}
	for name, want := range map[string]columnKind{"uuid": text, "number": whole, "share": number, "right": truth, "text": text, "official.correct": number, "verdicts": text, "mixed": text, "late": whole} {
		if kinds[name] != want {
			t.Errorf("%s is of kind %d, want %d", name, kinds[name], want)
		}
	}
}

func TestCSV(t *testing.T) {
	var out bytes.Buffer
	fixture.OK(t, tablesOf(t, made(t, "A", linesOfA), made(t, "B", linesOfB)).CSV(t.Context(), &out))
	if !strings.Contains(out.String(), "'=1+1") {
		t.Error("a spreadsheet takes a text for a formula")
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != len(want) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows {
		if got := line(row); got != want[i] {
			t.Errorf("row %d: %s, want %s", i, got, want[i])
		}
	}
}

// TestParquet reads what was written, column by column with its kind.
func TestParquet(t *testing.T) {
	var out bytes.Buffer
	fixture.OK(t, tablesOf(t, made(t, "A", linesOfA), made(t, "B", linesOfB)).Parquet(t.Context(), &out))
	f, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	fixture.OK(t, err)
	var names []string
	for _, field := range f.Schema().Fields() {
		names = append(names, field.Name())
		if !field.Optional() {
			t.Errorf("%s has no empty cells", field.Name())
		}
	}
	if got := line(names); got != want[0] {
		t.Errorf("columns %s, want %s", got, want[0])
	}
	rows := parquet.NewReader(f)
	defer rows.Close()
	for i := 1; ; i++ {
		read := make([]parquet.Row, 1)
		n, err := rows.ReadRows(read)
		if n == 0 {
			if err != io.EOF || i != len(want) {
				t.Errorf("it ends after %d rows with %v", i, err)
			}
			return
		}
		cells := make([]string, len(names))
		for _, v := range read[0] {
			if !v.IsNull() {
				cells[v.Column()] = v.String()
			}
		}
		if got := line(cells); got != want[i] {
			t.Errorf("row %d: %s, want %s", i, got, want[i])
		}
	}
}

// TestJSONLines compares the text, since a reader of JSON takes 1 and 1.0 for the same.
func TestJSONLines(t *testing.T) {
	const all = `{"run":"A","benchmark":"omni-cloze","system":"sys A","judge":null,"uuid":"a","number":1,"share":1.0,"right":true,"text":"=1+1","official.correct":1.0,"verdicts":"{\"x\":\"correct\"}","mixed":"1","late":null}
{"run":"A","benchmark":"omni-cloze","system":"sys A","judge":null,"uuid":"b","number":9007199254740993,"share":0.25,"right":false,"text":null,"official.correct":0.5,"verdicts":"{}","mixed":"two","late":null}
{"run":"B","benchmark":"omni-cloze","system":"sys B","judge":null,"uuid":"c","number":null,"share":null,"right":null,"text":null,"official.correct":null,"verdicts":null,"mixed":null,"late":3}
`
	var out bytes.Buffer
	fixture.OK(t, tablesOf(t, made(t, "A", linesOfA), made(t, "B", linesOfB)).JSONLines(t.Context(), &out))
	if out.String() != all {
		t.Errorf("got\n%swant\n%s", out.String(), all)
	}
}

func TestLineThatBreaksOff(t *testing.T) {
	run := made(t, "A", linesOfA+`{"uuid":"z","num`)
	_, err := Tables(t.Context(), []*results.Run{run})
	if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(fmt.Sprint(err), "blanks.jsonl:3") {
		t.Errorf("%v", err)
	}
}
