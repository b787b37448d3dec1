package score

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/rows"
	"omniscope/internal/spelling"
	"omniscope/metric/textnorm"
)

// A textTable is a file that was read.
type textTable struct {
	path   string
	plain  bool
	texts  []string // of a file of text
	rows   []tableRow
	fields []string // of the first row, or of the header
	head   int      // the line that says so
}

type tableRow struct {
	line int // from 1
	text func(field string) (string, error)
	id   func(field string) (string, error) // a text, or a number as it is written
}

func (s *textSource) open(path string) (*textTable, error) {
	if t, ok := s.files[path]; ok {
		return t, nil
	}
	want := input.Texts
	if s.form(path) == AsLines {
		want = input.HeldRows
	}
	f, err := input.Open(s.ctx, path, want)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &textTable{path: f.Path}
	switch s.form(path) {
	case AsLines:
		err = t.readLines(f)
	case AsTSV:
		err = rows.EachText(f, t.readTSV)
	default:
		t.plain = true
		err = rows.EachText(f, func(_ int, line string) error {
			t.texts = append(t.texts, s.texts(line)...)
			return nil
		})
	}
	if err == nil && len(t.texts)+len(t.rows) == 0 {
		err = omniscope.Invalidf("%s has no lines", f.Path)
	}
	if err == nil {
		err = s.hold(f, len(t.texts)+len(t.rows))
	}
	s.files[path] = t
	return t, err
}

func (s *textSource) form(path string) string {
	switch ending := input.Ext(path); {
	case s.as != "":
		return s.as
	case input.IsParquet(path):
		return AsLines
	case ending == ".jsonl" || ending == ".ndjson" || ending == ".json":
		return AsLines
	case ending == ".tsv":
		return AsTSV
	}
	return AsText
}

// Trimmed is what sacrebleu takes of a line.
func Trimmed(line string) []string {
	return []string{strings.TrimRightFunc(line, textnorm.IsSpace)}
}

// pythonLines are the lines of Python's text files, in which a carriage return
// ends a line as well, without the blanks around them.
func pythonLines(line string) []string {
	lines := strings.Split(line, "\r")
	for i, l := range lines {
		lines[i] = textnorm.Strip(l)
	}
	return lines
}

// readLines reads JSON Lines, or a list.
func (t *textTable) readLines(f *input.File) error {
	form, err := rows.JSONFormOf(f)
	if err != nil {
		return err
	}
	return rows.Each(f, form, func(number int, text []byte) error {
		r, err := rows.ParseRecord(strings.Trim(string(text), " \t\r\n"))
		if err != nil {
			return rows.BadLine(t.path, number, err)
		}
		if t.rows == nil {
			t.head = number
			t.fields = r.Names()
		}
		t.rows = append(t.rows, tableRow{line: number, text: r.Text, id: r.ID})
		return nil
	})
}

// readTSV reads lines of fields with tabs between, which are not quoted. The
// first names the fields.
func (t *textTable) readTSV(number int, line string) error {
	if number == 1 {
		t.fields, t.head = strings.Split(line, "\t"), 1
		if len(t.fields) > mostFields {
			return rows.BadLine(t.path, 1, fmt.Errorf("the header has %d fields, more than %d", len(t.fields), mostFields))
		}
		if name := spelling.Twice(t.fields); name != "" {
			return rows.BadLine(t.path, 1, fmt.Errorf("the header has the field %q twice", name))
		}
		return nil
	}
	cells := strings.SplitN(line, "\t", mostFields+1)
	if len(cells) != len(t.fields) {
		return rows.BadLine(t.path, number, rows.Quoting(fmt.Errorf("the line has %d fields and the header %d", strings.Count(line, "\t")+1, len(t.fields)), line))
	}
	cell := func(field string) (string, error) { return cells[slices.Index(t.fields, field)], nil }
	t.rows = append(t.rows, tableRow{line: number, text: cell, id: cell})
	return nil
}

// mostFields is how many fields a table with tabs may have.
const mostFields = 1000

func (t *textTable) has(field string) bool { return slices.Contains(t.fields, field) }

// column returns the texts of a field, the one of the usual names that is there
// where none is named.
func (t *textTable) column(field, flag string, usual []string) (Column, error) {
	if t.plain && field != "" {
		return Column{}, omniscope.Usagef("%s %s: %s is read as text, which has no fields; see --as", flag, field, t.path)
	}
	if t.plain {
		c := Column{Path: t.path, Texts: t.texts}
		for i := range c.Texts {
			c.Lines = append(c.Lines, i+1)
		}
		return c, nil
	}
	if field == "" {
		var err error
		if field, err = t.usualField(flag, usual); err != nil {
			return Column{}, err
		}
	}
	if !t.has(field) {
		return Column{}, rows.BadLine(t.path, t.head, fmt.Errorf("no field %q: there are %s", field, quotedNames(t.fields)))
	}
	return t.gather(field, func(r tableRow) (string, error) { return r.text(field) })
}

func (t *textTable) gather(field string, text func(tableRow) (string, error)) (Column, error) {
	c := Column{Path: t.path, Field: field}
	for _, r := range t.rows {
		value, err := text(r)
		if err != nil {
			return c, rows.BadLine(t.path, r.line, err)
		}
		c.Texts, c.Lines = append(c.Texts, value), append(c.Lines, r.line)
	}
	return c, nil
}

func (t *textTable) usualField(flag string, usual []string) (string, error) {
	var found []string
	for _, name := range usual {
		if t.has(name) {
			found = append(found, name)
		}
	}
	if len(found) > 1 {
		found = slices.DeleteFunc(found, func(name string) bool { return name == nemoHyp || name == nemoRef })
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", rows.BadLine(t.path, t.head, fmt.Errorf("no field %s: there are %s; name one with %s", strings.Join(usual, ", "), quotedNames(t.fields), flag))
	}
	return "", rows.BadLine(t.path, t.head, fmt.Errorf("the fields %s could both be meant: name one with %s", strings.Join(found, " and "), flag))
}

func quotedNames(names []string) string {
	const most = 20
	var out []string
	for _, n := range names[:min(len(names), most)] {
		out = append(out, strconv.Quote(n))
	}
	if len(names) > most {
		out = append(out, fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(out, ", ")
}
