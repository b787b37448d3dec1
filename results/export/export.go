// Package export makes tables, for other programs, of the lines that runs write about
// each question, unit and answer.
package export

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/jsonfast"
	"omniscope/internal/rows"
	"omniscope/results"
)

// A table holds the lines of one kind of several runs, such as blanks.jsonl of Omni-Cloze.
type table struct {
	Name    string // of the file of lines, without its ending
	Columns []column
	sources []source
	at      map[string]int // columns by name
	lines   int
}

// A column is a field of the lines.
type column struct {
	Name string
	Kind columnKind
}

// A columnKind is what a column holds. Any cell may be empty.
type columnKind int

// The kinds. A column whose values are of several kinds holds texts, and so does one of
// lists or objects: their JSON.
const (
	none   columnKind = iota // nothing but empty cells, written as texts
	whole                    // 64-bit integers
	number                   // 64-bit floating point
	truth                    // true or false
	text
)

// source is a file of lines of a run.
type source struct {
	path    string
	first   int  // line
	details bool // of a run of a model
	run     *results.Run
	counts  map[string][]string // by profile, the names of all counts; nil = lines without counts, or with all counts
}

// runColumns say which run a line is of.
var runColumns = []string{"run", "benchmark", "system", "judge"}

func (s *source) runCells() []string {
	r := s.run.Results
	return []string{r.Run.ID, r.Benchmark.Name, r.System, r.Judge.Name}
}

// answers is the table of what systems were sent and answered, and predictions its name where
// the benchmark has a file of answers of its own.
const (
	answers     = "answers"
	predictions = "predictions"
)

// Tables are those of all files of lines that runs wrote, and of the answers that were
// scored where their details are known. Cases, which are for people, are left out. Each
// file is read through for its columns.
func Tables(ctx context.Context, runs []*results.Run) ([]*table, error) {
	return TablesOf(ctx, runs, func(string) bool { return true })
}

// TablesOf is Tables of those files only that may be read, by their paths.
func TablesOf(ctx context.Context, runs []*results.Run, may func(path string) bool) ([]*table, error) {
	var tables []*table
	add := func(name string, s source) error {
		i := slices.IndexFunc(tables, func(t *table) bool { return t.Name == name })
		if i < 0 {
			i = len(tables)
			tables = append(tables, newTable(name))
		}
		return tables[i].add(ctx, s)
	}
	for _, run := range runs {
		for _, file := range run.Results.Run.Files {
			name, ok := strings.CutSuffix(file, ".jsonl")
			path := filepath.Join(run.Dir, file)
			if !ok || file == bench.CasesFile || file != filepath.Base(file) || !may(path) {
				continue
			}
			if err := add(name, source{path: path, run: run}); err != nil {
				return nil, err
			}
		}
		details, _, err := run.DetailsFile()
		if err == nil && details != "" && may(details) {
			name := answers
			if slices.Contains(run.Results.Run.Files, answers+".jsonl") {
				name = predictions
			}
			err = add(name, source{path: details, first: 1, details: true, run: run})
		}
		if err != nil {
			return nil, err
		}
	}
	return tables, nil
}

func newTable(name string) *table {
	t := &table{Name: name, at: make(map[string]int)}
	for _, column := range runColumns {
		t.column(column, text)
	}
	return t
}

// column finds or adds a column, and makes it hold values of a kind as well.
func (t *table) column(name string, kind columnKind) {
	i, ok := t.at[name]
	if !ok {
		i = len(t.Columns)
		t.at[name] = i
		t.Columns = append(t.Columns, column{Name: name})
	}
	t.Columns[i].Kind = both(t.Columns[i].Kind, kind)
}

// both is the kind of a column that holds values of two.
func both(a, b columnKind) columnKind {
	switch {
	case a == b || b == none:
		return a
	case a == none:
		return b
	case a <= number && b <= number:
		return number
	}
	return text
}

func kindOf(v gjson.Result) columnKind {
	switch v.Type {
	case gjson.Null:
		return none
	case gjson.True, gjson.False:
		return truth
	case gjson.Number:
		if _, err := strconv.ParseInt(v.Raw, 10, 64); err == nil {
			return whole
		}
		return number
	}
	return text
}

// add reads the columns of a file.
func (t *table) add(ctx context.Context, s source) error {
	t.declare(&s)
	t.sources = append(t.sources, s)
	return s.each(ctx, func(line []byte) error {
		t.lines++
		fields(line, func(name string, v gjson.Result) { t.column(name, kindOf(v)) })
		return nil
	})
}

// each calls do for each line of the file. The line is valid during the call.
func (s *source) each(ctx context.Context, do func(line []byte) error) (err error) {
	lines, err := rows.Open(ctx, s.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	var text []byte
	for i := s.first; i < lines.Len(); i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if text, err = lines.AppendTo(text[:0], i); err != nil {
			return err
		}
		if !jsonfast.ValidBytes(text) || text[0] != '{' {
			return lines.Bad(i, text, errors.New("the line is not a JSON object: was it being written when the machine stopped?"))
		}
		if err := do(text); err != nil {
			return err
		}
	}
	return nil
}

// opened are objects whose fields are columns of their own, called OBJECT.FIELD. Others
// have names from the data in them, and stay JSON.
var opened = []string{"official", "strict", "sent", "sent.frames", "sent.sound", "sent.video", "usage"}

func fields(line []byte, do func(name string, v gjson.Result)) {
	var walk func(prefix string, object gjson.Result)
	walk = func(prefix string, object gjson.Result) {
		object.ForEach(func(key, v gjson.Result) bool {
			name := prefix + key.Str
			switch known := slices.Contains(opened, name); {
			case known && v.IsObject():
				walk(name+".", v)
			case !known || v.Type != gjson.Null: // an object that is not known has columns like the others
				do(name, v)
			}
			return true
		})
	}
	walk("", gjson.ParseBytes(line))
}

// A cell is a value of a row. The zero value is an empty one.
type cell struct {
	there bool
	text  string // as CSV has it
	value gjson.Result
}

// rows calls do for each row, run by run. The row is valid during the call.
func (t *table) rows(ctx context.Context, do func(row []cell) error) error {
	row := make([]cell, len(t.Columns))
	for _, s := range t.sources {
		of := s.runCells()
		err := s.each(ctx, func(line []byte) error {
			clear(row)
			for i, text := range of {
				row[i] = cell{text != "", text, gjson.Result{Type: gjson.String, Str: text}}
			}
			fields(line, func(name string, v gjson.Result) {
				i := t.at[name]
				if i < len(of) || v.Type == gjson.Null { // a line's own "run" would say the same
					return
				}
				row[i] = cell{true, v.String(), v}
			})
			t.complete(&s, line, row)
			return do(row)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Summary says what there is in tables: their columns with kinds, and rows.
func Summary(tables []*table) []omniscope.Table {
	t := omniscope.Table{Name: "tables", Title: "Tables", Columns: []string{"table", "rows", "columns"}, Numbers: []int{1}}
	for _, one := range tables {
		var names []string
		for _, c := range one.Columns {
			names = append(names, c.Name)
		}
		t.Rows = append(t.Rows, []string{one.Name, strconv.Itoa(one.lines), strings.Join(names, " ")})
	}
	return []omniscope.Table{t}
}
