package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"omniscope"
	"omniscope/report"
	"omniscope/stats"
)

// text prints tables for people.
func (s *scored) text(w io.Writer, o report.TextOptions, perSegment bool) error {
	c := report.Comparison{Title: s.title(), Tables: []omniscope.Table{s.table()}, Warnings: s.warnings}
	if len(s.pairs) > 0 {
		c.Tables = append(c.Tables, s.differences())
	}
	if err := c.Text(w, o); err != nil || !perSegment {
		return err
	}
	if _, err := fmt.Fprintf(w, "\nSegments\n"); err != nil {
		return err
	}
	columns, rows := s.segmentTable(scoreOf.show)
	t := newTable(w, cellsOf(columns)...)
	for _, r := range rows {
		t.AppendRow(cellsOf(r))
	}
	t.Render()
	if s.segmentSignature != s.signature {
		_, err := fmt.Fprintln(w, s.segmentSignature)
		return err
	}
	return nil
}

func cellsOf(cells []string) table.Row {
	row := make(table.Row, len(cells))
	for i, c := range cells {
		row[i] = c
	}
	return row
}

func (s *scored) title() string {
	title := s.m.title + ": " + counted(s.in.Len(), "segment")
	if s.in.clusters != nil {
		title += " in " + counted(s.clusters, "cluster")
	}
	return title
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (s *scored) table() omniscope.Table {
	t := omniscope.Table{Name: "scores", Title: "Scores", Columns: []string{"system", "n"}, Numbers: []int{1}}
	var all []stats.Interval
	for _, sc := range s.m.scores {
		t.Numbers = append(t.Numbers, len(t.Columns))
		t.Columns = append(t.Columns, sc.title, "95 % interval")
	}
	if s.m.detail != nil {
		title, _ := s.m.detail(s.systems[0].sum)
		t.Columns = append(t.Columns, title)
	}
	for _, system := range s.systems {
		row := []string{system.name, strconv.Itoa(s.in.Len())}
		for i, sc := range s.m.scores {
			value, ok := sc.value(system.sum)
			row = append(row, sc.show(value, ok, ""), sc.within(system.intervals[i], ""))
		}
		if s.m.detail != nil {
			_, detail := s.m.detail(system.sum)
			row = append(row, detail)
		}
		t.Rows, all = append(t.Rows, row), append(all, system.intervals...)
	}
	t.Note = "n: segments; signature: " + s.signature + intervalNote(all)
	return t
}

func (s *scored) differences() omniscope.Table {
	t := omniscope.Table{Name: "differences", Title: "Differences", Columns: []string{"base", "system"}}
	var all []stats.Interval
	for _, sc := range s.m.scores {
		t.Numbers = append(t.Numbers, len(t.Columns))
		t.Columns = append(t.Columns, sc.title, "95 % interval")
	}
	for _, p := range s.pairs {
		row := []string{p.a.name, p.b.name}
		for i, sc := range s.m.scores {
			row = append(row, sc.show(p.differences[i], !math.IsNaN(p.differences[i]), "+"), sc.within(p.intervals[i], "+"))
		}
		t.Rows, all = append(t.Rows, row), append(all, p.intervals...)
	}
	t.Note = "system less base" + intervalNote(all)
	return t
}

// intervalNote says how intervals were made and why some could not be.
func intervalNote(all []stats.Interval) string {
	made, not := make(map[string]bool), make(map[string]bool)
	for _, iv := range all {
		if iv.Known {
			made[iv.Method] = true
		} else {
			not[strings.TrimPrefix(iv.Method, "not available: ")] = true
		}
	}
	note := ""
	if len(made) > 0 {
		note += "; intervals: " + strings.Join(slices.Sorted(maps.Keys(made)), ", ")
	}
	if len(not) > 0 {
		note += "; no interval: " + strings.Join(slices.Sorted(maps.Keys(not)), ", ")
	}
	return note
}

func (sc scoreOf) show(value float64, ok bool, plus string) string {
	if !ok {
		return string(omniscope.NoScore)
	}
	text := strconv.FormatFloat(value, 'f', sc.digits, 64)
	zero := strings.Trim(text, "-0.") == ""
	switch {
	case zero:
		return strings.TrimPrefix(text, "-")
	case value > 0:
		return plus + text
	}
	return text
}

func (sc scoreOf) within(iv stats.Interval, plus string) string {
	if !iv.Known {
		return "–"
	}
	return "[" + sc.show(iv.Low, true, plus) + ", " + sc.show(iv.High, true, plus) + "]"
}

// segmentTable has a row for each segment, with its score by each system.
func (s *scored) segmentTable(show func(sc scoreOf, value float64, ok bool, plus string) string) (columns []string, rows [][]string) {
	columns = []string{"segment"}
	if s.in.clusters != nil {
		columns = append(columns, "cluster")
	}
	for _, system := range s.systems {
		for _, sc := range s.m.scores {
			name := sc.name
			if len(s.systems) > 1 {
				name = system.name + " " + name
			}
			columns = append(columns, name)
		}
	}
	for i := range s.in.Len() {
		row := []string{strconv.Itoa(i + 1)}
		if s.in.clusters != nil {
			row = append(row, s.in.clusters[i])
		}
		for _, system := range s.systems {
			for _, sc := range s.m.scores {
				value, ok := sc.ofSegment(system.rows[i])
				row = append(row, show(sc, value, ok, ""))
			}
		}
		rows = append(rows, row)
	}
	return columns, rows
}
