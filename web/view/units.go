package view

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/bench/predict"
	"omniscope/internal/rows"
)

// units are the samples of a run: a line of a file each. What a list shows of them is in
// memory, the rest is read when it is looked at.
type units struct {
	file     string
	kind     runKind
	modified time.Time
	lines    *rows.File
	list     []unit
	outcomes []string // that there are

	mu   sync.Mutex // of text
	text []byte
}

// A unit is what a list shows of a sample.
type unit struct {
	Name    string
	Outcome string
	Score   float64 // NaN = it has none
	line    int
}

// mostOpen is how many runs' units are kept in memory.
const mostOpen = 8

// unitsOf returns the units of a run, nil where it has none that can be looked at.
func (v *Viewer) unitsOf(ctx context.Context, r *runEntry) (*units, error) {
	file := v.file(r)
	switch r.Kind {
	case scores:
		file = filepath.Join(file, bench.CasesFile)
	case answers:
	default:
		return nil, nil
	}
	return v.unitsIn(ctx, file, r.Kind)
}

func (v *Viewer) unitsIn(ctx context.Context, file string, kind runKind) (*units, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v.reading.Lock()
	defer v.reading.Unlock()
	if i := slices.IndexFunc(v.units, func(u *units) bool { return u.file == file }); i >= 0 {
		u := v.units[i]
		v.units = slices.Delete(v.units, i, i+1)
		if u.modified.Equal(info.ModTime()) {
			v.units = slices.Insert(v.units, 0, u)
			return u, nil
		}
	}
	u, err := readUnits(ctx, file, kind)
	if err != nil {
		return nil, err
	}
	u.modified = info.ModTime()
	v.units = slices.Insert(v.units, 0, u)
	v.units = v.units[:min(len(v.units), mostOpen)]
	return u, nil
}

// readUnits reads the list of the units of a file. It reads of each line only what the
// list shows, which stands at its start.
func readUnits(ctx context.Context, file string, kind runKind) (*units, error) {
	lines, err := rows.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	u := &units{file: file, kind: kind, lines: lines}
	name, first := "unit", 0
	if kind == answers {
		name, first = "sample", 1 // after the line that describes the run
	}
	for i := first; i < lines.Len(); i++ {
		if u.text, err = lines.AppendTo(u.text[:0], i); err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, errors.Join(err, lines.Close())
		}
		one := unit{Name: gjson.GetBytes(u.text, name).Str, Outcome: gjson.GetBytes(u.text, "outcome").Str, Score: math.NaN(), line: i}
		if score := gjson.GetBytes(u.text, "score"); kind == scores && score.Type == gjson.Number {
			one.Score = score.Num
		}
		if !slices.Contains(u.outcomes, one.Outcome) {
			u.outcomes = append(u.outcomes, one.Outcome)
		}
		u.list = append(u.list, one)
	}
	return u, nil
}

// read decodes the line of a unit.
func (u *units) read(of unit, into any) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	var err error
	if u.text, err = u.lines.AppendTo(u.text[:0], of.line); err != nil {
		return err
	}
	if err := json.Unmarshal(u.text, into); err != nil {
		return u.lines.Bad(of.line, u.text, err)
	}
	return nil
}

func (u *units) named(name string) (unit, bool) {
	i := slices.IndexFunc(u.list, func(one unit) bool { return one.Name == name })
	if i < 0 {
		return unit{}, false
	}
	return u.list[i], true
}

// A unitQuery says which units to list, and how.
type unitQuery struct {
	Words   string // that the name must contain
	Outcome string // "" = all
	Order   string // worst, best, given; "" = worst
	From    int
}

func unitQueryOf(r *http.Request) unitQuery {
	f := r.URL.Query()
	from, _ := strconv.Atoi(f.Get("from")) // anything else is the start
	return unitQuery{Words: f.Get("q"), Outcome: f.Get("outcome"), Order: f.Get("order"), From: max(0, from)}
}

// values are the query's part of an address.
func (q unitQuery) values() []string {
	return []string{"q", q.Words, "outcome", q.Outcome, "order", q.Order}
}

func (q unitQuery) from(n int) []string { return append(q.values(), "from", strconv.Itoa(n)) }

// fit returns the units that fit, in the order that is asked for. Those without a score
// come last.
func (u *units) fit(q unitQuery) (fit []unit) {
	words := strings.ToLower(strings.TrimSpace(q.Words))
	for _, one := range u.list {
		if (q.Outcome == "" || one.Outcome == q.Outcome) && (words == "" || strings.Contains(strings.ToLower(one.Name), words)) {
			fit = append(fit, one)
		}
	}
	sign := 1
	switch q.Order {
	case "given":
		return fit
	case "best":
		sign = -1
	}
	slices.SortStableFunc(fit, func(a, b unit) int {
		switch x, y := math.IsNaN(a.Score), math.IsNaN(b.Score); {
		case x && y:
			return 0
		case x:
			return 1
		case y:
			return -1
		}
		return sign * cmp.Compare(a.Score, b.Score)
	})
	return fit
}

// A unitList is a page of a run's units.
type unitList struct {
	Run      *runEntry
	Query    unitQuery
	Units    []unit
	Fit      int
	All      int
	Outcomes []string
}

func (u *units) page(r *runEntry, q unitQuery) *unitList {
	fit := u.fit(q)
	from := min(q.From, len(fit))
	return &unitList{Run: r, Query: q, Units: fit[from:min(from+perPage, len(fit))], Fit: len(fit), All: len(u.list), Outcomes: u.outcomes}
}

// score is how a list writes it.
func (u unit) score() string {
	if math.IsNaN(u.Score) {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*u.Score)
}

// caseOf is a unit as people look at it.
func (u *units) caseOf(of unit) (*document.Case, error) {
	if u.kind == scores {
		c := new(document.Case)
		return c, u.read(of, c)
	}
	p := new(predict.Prediction)
	if err := u.read(of, p); err != nil {
		return nil, err
	}
	return caseOfPrediction(p), nil
}

// caseOfPrediction shows what was sent for a sample, and what came of it.
func caseOfPrediction(p *predict.Prediction) *document.Case {
	c := &document.Case{Unit: string(p.Sample), Outcome: p.Outcome, Media: p.Sent.File}
	fact := func(name, value string) {
		if value != "" {
			c.Facts = append(c.Facts, document.Fact{Name: name, Value: value})
		}
	}
	fact("why", p.Why)
	fact("answered by", p.Model)
	fact("sent", sentText(&p.Sent))
	if p.Usage.TokensIn+p.Usage.TokensOut > 0 {
		fact("tokens", fmt.Sprintf("%d in, %d out", p.Usage.TokensIn, p.Usage.TokensOut))
	}
	if p.Inquiries > 0 {
		fact("inquiries", strconv.Itoa(p.Inquiries))
	}
	for _, s := range p.Symptoms {
		fact("symptom", string(s.Kind))
	}
	for _, w := range p.Warnings {
		fact("warning", w)
	}
	for _, s := range []struct{ title, text string }{{"System message", p.Sent.System}, {"Prompt", p.Sent.Prompt}, {"Answer", p.Answer}, {"What the model wrote", p.Raw}} {
		if s.text != "" {
			c.Sections = append(c.Sections, document.Section{Title: s.title, Text: []document.Piece{{Text: s.text}}})
		}
	}
	return c
}

func sentText(s *predict.Sent) string {
	var parts []string
	if f := s.Frames; f != nil {
		parts = append(parts, fmt.Sprintf("%d frames of %d x %d", f.Count, f.Width, f.Height))
	}
	if a := s.Sound; a != nil {
		parts = append(parts, fmt.Sprintf("%.1f s of sound", a.Seconds))
	}
	if s.Video != nil {
		parts = append(parts, "the file as it is, "+s.Video.MIME)
	}
	if s.Letters > 0 {
		parts = append(parts, fmt.Sprintf("a text of %d bytes", s.Letters))
	}
	return strings.Join(parts, ", ")
}
