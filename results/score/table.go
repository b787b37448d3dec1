package score

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
	"omniscope/metric"
	"omniscope/metric/stats"
)

// Tables are the scores, and the differences where there are several systems.
func (s *Scored) Tables() []omniscope.Table {
	tables := []omniscope.Table{s.table()}
	if len(s.pairs) > 0 {
		tables = append(tables, s.differences())
	}
	return tables
}

// Title says what was scored.
func (s *Scored) Title() string {
	title := s.Measure.Title + ": " + quantity.Of(s.Input.Len(), "segment", "segments")
	if s.Input.Clusters != nil {
		title += " in " + quantity.Of(s.clusters, "cluster", "clusters")
	}
	return title
}

func (s *Scored) table() omniscope.Table {
	t := omniscope.Table{Name: "scores", Title: "Scores", Columns: []string{"system", "n"}, Numbers: []int{1}}
	var all []stats.Interval
	for _, sc := range s.Measure.Scores {
		t.Numbers = append(t.Numbers, len(t.Columns))
		t.Columns = append(t.Columns, sc.Title, "95 % interval")
	}
	if s.Measure.Detail != nil {
		title, _ := s.Measure.Detail(s.Systems[0].Sum)
		t.Columns = append(t.Columns, title)
	}
	for _, system := range s.Systems {
		row := []string{system.Name, strconv.Itoa(s.Input.Len())}
		for i, sc := range s.Measure.Scores {
			value, ok := sc.Value(system.Sum)
			row = append(row, show(sc, value, ok, ""), within(sc, system.intervals[i], ""))
		}
		if s.Measure.Detail != nil {
			_, detail := s.Measure.Detail(system.Sum)
			row = append(row, detail)
		}
		t.Rows, all = append(t.Rows, row), append(all, system.intervals...)
	}
	t.Note = "n: segments; signature: " + s.Signature + intervalNote(all)
	return t
}

func (s *Scored) differences() omniscope.Table {
	t := omniscope.Table{Name: "differences", Title: "Differences", Columns: []string{"base", "system"}}
	var all []stats.Interval
	for _, sc := range s.Measure.Scores {
		t.Numbers = append(t.Numbers, len(t.Columns))
		t.Columns = append(t.Columns, sc.Title, "95 % interval")
	}
	for _, p := range s.pairs {
		row := []string{p.a.Name, p.b.Name}
		for i, sc := range s.Measure.Scores {
			row = append(row, show(sc, p.differences[i], !math.IsNaN(p.differences[i]), "+"), within(sc, p.intervals[i], "+"))
		}
		t.Rows, all = append(t.Rows, row), append(all, p.intervals...)
	}
	t.Note = "system less base" + intervalNote(all)
	return t
}

// whyNone returns the reason for a missing interval, with "clusters" for "clips": texts need not be of clips.
func whyNone(iv stats.Interval) string {
	return strings.ReplaceAll(strings.TrimPrefix(iv.Method, "not available: "), "clips", "clusters")
}

// intervalNote names the methods of the intervals and the reasons for missing intervals.
func intervalNote(all []stats.Interval) string {
	made, not := make(map[string]bool), make(map[string]bool)
	for _, iv := range all {
		if iv.Known {
			made[iv.Method] = true
		} else {
			not[whyNone(iv)] = true
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

func show(sc metric.Score, value float64, ok bool, plus string) string {
	if !ok {
		return string(document.NoScore)
	}
	text := strconv.FormatFloat(value, 'f', sc.Digits, 64)
	zero := strings.Trim(text, "-0.") == ""
	switch {
	case zero:
		return strings.TrimPrefix(text, "-")
	case value > 0:
		return plus + text
	}
	return text
}

func within(sc metric.Score, iv stats.Interval, plus string) string {
	if !iv.Known {
		return "–"
	}
	return "[" + show(sc, iv.Low, true, plus) + ", " + show(sc, iv.High, true, plus) + "]"
}

// Segments has a row for each segment, with its score by each system.
func (s *Scored) Segments() (columns []string, rows [][]string) { return s.segmentTable(show) }

func (s *Scored) segmentTable(show func(sc metric.Score, value float64, ok bool, plus string) string) (columns []string, rows [][]string) {
	columns = []string{"segment"}
	if s.Input.Clusters != nil {
		columns = append(columns, "cluster")
	}
	for _, system := range s.Systems {
		for _, sc := range s.Measure.Scores {
			name := sc.Name
			if len(s.Systems) > 1 {
				name = system.Name + " " + name
			}
			columns = append(columns, name)
		}
	}
	for i := range s.Input.Len() {
		row := []string{strconv.Itoa(i + 1)}
		if s.Input.Clusters != nil {
			row = append(row, s.Input.Clusters[i])
		}
		for _, system := range s.Systems {
			for _, sc := range s.Measure.Scores {
				value, ok := ofSegment(sc, system.Rows[i])
				row = append(row, show(sc, value, ok, ""))
			}
		}
		rows = append(rows, row)
	}
	return columns, rows
}
