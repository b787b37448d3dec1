package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/internal/input"
	"omniscope/internal/textnorm"
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
	f, err := input.Open(s.ctx, path, input.Texts)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &textTable{path: f.Path}
	switch s.form(path) {
	case asLines:
		err = t.readLines(f)
	case asTSV:
		err = eachText(f, t.readTSV)
	default:
		t.plain = true
		err = eachText(f, func(_ int, line string) error {
			t.texts = append(t.texts, s.trim(line)...)
			return nil
		})
	}
	if err == nil && len(t.texts)+len(t.rows) == 0 {
		err = invalidf("%s has no lines", f.Path)
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
	case ending == ".jsonl" || ending == ".ndjson" || ending == ".json":
		return asLines
	case ending == ".tsv":
		return asTSV
	}
	return asText
}

// trimmedLine is what sacrebleu takes of a line.
func trimmedLine(line string) []string {
	return []string{strings.TrimRightFunc(line, textnorm.IsSpace)}
}

// universalLines are the lines of Python's text files, in which a carriage return
// ends a line as well, without the blanks around them.
func universalLines(line string) []string {
	lines := strings.Split(line, "\r")
	for i, l := range lines {
		lines[i] = textnorm.Strip(l)
	}
	return lines
}

// readLines reads JSON Lines, or a list.
func (t *textTable) readLines(f *input.File) error {
	form, err := f.JSONForm()
	if err != nil {
		return err
	}
	return f.EachRow(form, func(number int, text []byte) error {
		r, err := readRecord(strings.Trim(string(text), " \t\r\n"))
		if err != nil {
			return badLine(t.path, number, err)
		}
		if t.rows == nil {
			t.head = number
			for _, m := range r.members {
				t.fields = append(t.fields, m.key)
			}
		}
		t.rows = append(t.rows, tableRow{line: number, text: r.text, id: r.id})
		return nil
	})
}

// id returns a field that must be a string or a number.
func (r *record) id(name string) (string, error) {
	if value, ok, err := r.find(name); ok && err == nil && value.Type == gjson.Number {
		return value.Raw, nil
	}
	return r.text(name)
}

// readTSV reads lines of fields with tabs between, which are not quoted. The
// first names the fields.
func (t *textTable) readTSV(number int, line string) error {
	if number == 1 {
		t.fields, t.head = strings.Split(line, "\t"), 1
		if len(t.fields) > mostFields {
			return badLine(t.path, 1, fmt.Errorf("the header has %d fields, more than %d", len(t.fields), mostFields))
		}
		if name := twice(t.fields); name != "" {
			return badLine(t.path, 1, fmt.Errorf("the header has the field %q twice", name))
		}
		return nil
	}
	cells := strings.SplitN(line, "\t", mostFields+1)
	if len(cells) != len(t.fields) {
		return badLine(t.path, number, quoting(fmt.Errorf("the line has %d fields and the header %d", strings.Count(line, "\t")+1, len(t.fields)), line))
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
func (t *textTable) column(field, flag string, usual []string) (column, error) {
	if t.plain && field != "" {
		return column{}, usagef("%s %s: %s is read as text, which has no fields; see --as", flag, field, t.path)
	}
	if t.plain {
		c := column{path: t.path, texts: t.texts}
		for i := range c.texts {
			c.lines = append(c.lines, i+1)
		}
		return c, nil
	}
	if field == "" {
		var err error
		if field, err = t.usualField(flag, usual); err != nil {
			return column{}, err
		}
	}
	if !t.has(field) {
		return column{}, badLine(t.path, t.head, fmt.Errorf("no field %q: there are %s", field, quotedNames(t.fields)))
	}
	return t.gather(field, func(r tableRow) (string, error) { return r.text(field) })
}

func (t *textTable) gather(field string, text func(tableRow) (string, error)) (column, error) {
	c := column{path: t.path, field: field}
	for _, r := range t.rows {
		value, err := text(r)
		if err != nil {
			return c, badLine(t.path, r.line, err)
		}
		c.texts, c.lines = append(c.texts, value), append(c.lines, r.line)
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
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", badLine(t.path, t.head, fmt.Errorf("no field %s: there are %s; name one with %s", strings.Join(usual, ", "), quotedNames(t.fields), flag))
	}
	return "", badLine(t.path, t.head, fmt.Errorf("the fields %s could both be meant: name one with %s", strings.Join(found, " and "), flag))
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
