package sample

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/rows"
	"omniscope/people"
)

// A judgement is one that a judge made in a run, with all that a person needs to make it, too.
type judgement struct {
	Unit    string          `json:"unit"`  // of the run, such as a clip
	Place   string          `json:"place"` // in the unit, such as "blank 3"
	Texts   []people.Text   `json:"texts"` // the caption, and what is judged
	Choices []people.Choice `json:"choices"`
	Key     string          `json:"key,omitempty"` // the right choice; "" = a choice is a verdict
	Chosen  string          `json:"chosen"`        // by the judge
	Verdict string          `json:"verdict"`       // of the judge
}

// Verdicts of choices, where there is a right one.
const (
	correct  = "correct"
	wrong    = "wrong"
	notGiven = "not_given"
)

// verdictOf is the verdict that a choice comes to.
func (j *judgement) verdictOf(choice string) string {
	switch {
	case j.Key == "":
		return choice
	case choice == j.Key:
		return correct
	case choice == notGivenLetter && j.isNotGiven(choice):
		return notGiven
	}
	return wrong
}

// notGivenLetter is the choice of Omni-Cloze that says that the caption does not tell.
const notGivenLetter = "E"

func (j *judgement) isNotGiven(choice string) bool {
	return slices.ContainsFunc(j.Choices, func(c people.Choice) bool { return c.Value == choice && strings.Contains(c.Label, "not given") })
}

// A ref is where a judgement is: in which case of the run, and which of the case's.
type ref struct {
	unit, at int
	verdict  string
}

// A reader finds the judgements of cases. Which form a case has depends on the benchmark.
type reader struct {
	options  *clozeOptions   // of Omni-Cloze; nil = another benchmark
	captions *bench.TextFile // whole captions; nil = those of the cases
	verdicts []string        // that the run has, where a choice is a verdict

	shortened int // cases whose caption is not whole
}

// of are the judgements of a case, in order.
func (r *reader) of(c *document.Case) ([]judgement, error) {
	caption, whole, err := r.caption(c)
	if err != nil {
		return nil, err
	}
	if !whole {
		r.shortened++
		return nil, nil
	}
	if caption == "" {
		return nil, nil // nothing was asked about an empty caption
	}
	shown := []people.Text{{Title: "Caption", Body: caption}}
	if r.options != nil {
		return r.blanks(c, shown)
	}
	if s := section(c, "Options"); s != nil {
		return option(c, s, shown), nil
	}
	var out []judgement
	for i := range c.Sections {
		out = append(out, r.rows(c, &c.Sections[i], shown)...)
	}
	return out, nil
}

func section(c *document.Case, title string) *document.Section {
	for i := range c.Sections {
		if c.Sections[i].Title == title {
			return &c.Sections[i]
		}
	}
	return nil
}

// caption is the caption of a case. Pages leave out the middle of long ones.
func (r *reader) caption(c *document.Case) (text string, whole bool, err error) {
	if r.captions != nil {
		got, err := r.captions.Get(bench.Stem(c.Unit))
		if got == nil || err != nil {
			return "", true, err
		}
		return *got, true, nil
	}
	s := section(c, "Caption")
	if s == nil {
		return "", true, nil
	}
	var b strings.Builder
	for _, p := range s.Text {
		switch {
		case p.Tone == document.Dim && strings.HasPrefix(p.Text, "[… "):
			return "", false, nil
		case p.Tone == document.Dim:
		case p.Tone == document.Subject: // the judge's groups follow it in brackets
			b.WriteString(p.Text[:max(strings.LastIndex(p.Text, " ["), 0)])
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String(), true, nil
}

var ofBlank = regexp.MustCompile(`^blank ([0-9]+),`)

// blanks are those of Omni-Cloze.
func (r *reader) blanks(c *document.Case, shown []people.Text) (out []judgement, err error) {
	passage, table := section(c, "Passage"), section(c, "Blanks")
	if passage == nil || table == nil {
		return nil, nil
	}
	options, err := r.options.of(c.Unit)
	if err != nil {
		return nil, err
	}
	var text strings.Builder // with the blanks as they were
	for _, p := range passage.Text {
		if m := ofBlank.FindStringSubmatch(p.Note); m != nil {
			fmt.Fprintf(&text, "[BLANK_%s]", m[1])
		} else {
			text.WriteString(p.Text)
		}
	}
	shown = append(slices.Clip(shown), people.Text{Title: "Passage", Body: text.String()})
	for _, row := range table.Rows {
		number, verdict := cell(table, row, "blank"), cell(table, row, "verdict")
		if unjudged(verdict) {
			continue
		}
		j := judgement{Unit: c.Unit, Place: "blank " + number, Texts: shown, Key: letter(cell(table, row, "right")), Chosen: letter(cell(table, row, "chosen")), Verdict: verdict}
		for _, o := range options[number] {
			j.Choices = append(j.Choices, people.Choice{Value: letter(o), Label: o})
		}
		if len(j.Choices) > 0 {
			out = append(out, j)
		}
	}
	return out, nil
}

// letter is that of a choice such as "B: a red car".
func letter(choice string) string {
	head, _, _ := strings.Cut(choice, ":")
	return strings.TrimSpace(head)
}

// option is the judgement of a question with choices, which a model answered from the caption.
func option(c *document.Case, s *document.Section, shown []people.Text) []judgement {
	j := judgement{Unit: c.Unit, Place: "question", Texts: shown, Verdict: wrong}
	if question := section(c, "Question"); question != nil {
		j.Texts = append(slices.Clip(j.Texts), people.Text{Title: "Question", Body: plain(question.Text)})
	}
	for _, row := range s.Rows {
		value, note := cell(s, row, "letter"), cell(s, row, "")
		j.Choices = append(j.Choices, people.Choice{Value: value, Label: value + ": " + cell(s, row, "option")})
		if strings.Contains(note, "right") {
			j.Key = value
		}
		if strings.Contains(note, "chosen") {
			j.Chosen = value
		}
	}
	if j.Chosen == "" || j.Key == "" {
		return nil
	}
	if j.Chosen == j.Key {
		j.Verdict = correct
	}
	return []judgement{j}
}

// hidden are the columns that would say what the judge found.
var hidden = []string{"verdict", "score", "chosen", "why", "in the caption", "what the observers say"}

// rows are the judgements of a table that has verdicts: a row is one.
func (r *reader) rows(c *document.Case, s *document.Section, shown []people.Text) (out []judgement) {
	if !slices.Contains(s.Columns, "verdict") {
		return nil
	}
	for i, row := range s.Rows {
		verdict := cell(s, row, "verdict")
		if unjudged(verdict) {
			continue
		}
		j := judgement{Unit: c.Unit, Place: fmt.Sprintf("%s, %d", s.Title, i+1), Texts: slices.Clip(shown), Chosen: verdict, Verdict: verdict}
		for k, column := range s.Columns {
			if !slices.Contains(hidden, column) && k < len(row) {
				j.Texts = append(j.Texts, people.Text{Title: capital(column), Body: plain(row[k])})
			}
		}
		for _, v := range r.verdicts {
			j.Choices = append(j.Choices, people.Choice{Value: v, Label: v})
		}
		out = append(out, j)
	}
	return out
}

func unjudged(verdict string) bool {
	return verdict == "" || verdict == omniscope.Unjudged.String() || verdict == "not judged"
}

// cell is a row's text in a column, without a sign before the words.
func cell(s *document.Section, row [][]document.Piece, column string) string {
	i := slices.Index(s.Columns, column)
	if i < 0 || i >= len(row) {
		return ""
	}
	text := plain(row[i])
	if column == "verdict" {
		text = strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	}
	return text
}

// plain is the text of pieces, without remarks.
func plain(pieces []document.Piece) string {
	var b strings.Builder
	for i, p := range pieces {
		if i == 0 || p.Tone != document.Dim {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// clozeOptions are the choices of Omni-Cloze's blanks, which cases do not hold, read from the data
// of the run.
type clozeOptions struct {
	lines *rows.File
	rows  map[string]int
}

type clozeRow struct {
	UUID  string `json:"uuid"`
	Cloze struct {
		Blanks []struct {
			Number  int      `json:"number"`
			Options []string `json:"options"`
		} `json:"blanks"`
	} `json:"cloze"`
}

func openOptions(ctx context.Context, path string) (_ *clozeOptions, err error) {
	o := &clozeOptions{rows: make(map[string]int)}
	if o.lines, err = rows.Open(ctx, path); err != nil {
		return nil, err
	}
	for i := range o.lines.Len() {
		row, err := o.row(i)
		if err == nil && len(row.Cloze.Blanks) == 0 {
			err = omniscope.Usagef("line %d of %s has no blanks: it is no data set of Omni-Cloze", i+1, path)
		}
		if err != nil {
			return nil, errors.Join(err, o.Close())
		}
		o.rows[row.UUID] = i
	}
	return o, nil
}

func (o *clozeOptions) row(i int) (*clozeRow, error) {
	text, err := o.lines.AppendTo(nil, i)
	if err != nil {
		return nil, err
	}
	row := &clozeRow{}
	if err := json.Unmarshal(text, row); err != nil {
		return nil, o.lines.Bad(i, text, err)
	}
	return row, nil
}

// of are the choices of a unit's blanks, by number.
func (o *clozeOptions) of(unit string) (map[string][]string, error) {
	i, ok := o.rows[unit]
	if !ok {
		return nil, omniscope.Usagef("%s has no clip %s: name the data of the run with --data", o.lines.Path, unit)
	}
	row, err := o.row(i)
	if err != nil {
		return nil, err
	}
	out := make(map[string][]string)
	for _, b := range row.Cloze.Blanks {
		out[fmt.Sprint(b.Number)] = b.Options
	}
	return out, nil
}

func (o *clozeOptions) Close() error { return o.lines.Close() }
