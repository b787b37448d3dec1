package report

import (
	"cmp"
	"io"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/quantity"
	"omniscope/internal/webpage"
)

// ComparisonSchema names the form of a Comparison's JSON.
const ComparisonSchema = "omniscope.tables/1"

// A Comparison is tables over several results documents.
type Comparison struct {
	Schema   string            `json:"schema"`
	Sentence string            `json:"sentence,omitempty"` // the result, for a reader of one line
	Title    string            `json:"title"`
	Runs     []string          `json:"runs,omitempty"` // what the tables are over, by id
	Tables   []omniscope.Table `json:"tables"`
	Warnings []string          `json:"warnings"`
	Rest     string            `json:"-"` // where the rest of long tables is; "" = tables.md
	More     string            `json:"-"` // the last line of a text, about tables that it leaves out
}

// comparisonRows is how long a table may be on a terminal. Longer ones are for
// the page.
const comparisonRows = 60

// Text writes the tables for a terminal, but the longest, which it names.
func (c Comparison) Text(w io.Writer, o TextOptions) error {
	t := newTextReport(o, comparisonRows, cmp.Or(c.Rest, "tables.md"))
	if c.Sentence != "" {
		t.words("", c.Sentence)
		if c.Title != "" {
			t.line("")
		}
	}
	if c.Title != "" {
		t.line(clean(c.Title))
	}
	for _, data := range c.Tables {
		if len(data.Rows) > comparisonRows {
			t.line("")
			t.note(clean(titleOf(data)) + ": " + quantity.Things(len(data.Rows), "row") + ", in " + t.rest + ". " + clean(data.Note)) // which may have warnings
			continue
		}
		t.tables([]omniscope.Table{data})
	}
	t.warnings(c.Warnings)
	if c.More != "" {
		t.line("")
		t.line(c.More)
	}
	_, err := io.WriteString(w, t.out.String())
	return err
}

// Rows writes one table for a terminal with all its rows. rest names what has the columns that do not fit.
func Rows(w io.Writer, table omniscope.Table, rest string, o TextOptions) error {
	t := newTextReport(o, len(table.Rows), rest)
	t.tables([]omniscope.Table{table})
	_, err := io.WriteString(w, t.out.String())
	return err
}

// Markdown writes all tables as a GitHub-flavoured page.
func (c Comparison) Markdown(w io.Writer) error {
	m := &page{}
	m.heading(1, c.Title)
	if c.Sentence != "" {
		m.out.WriteString(escape(c.Sentence) + "\n")
	}
	m.tables(c.Tables)
	m.list("Warnings", c.Warnings)
	_, err := io.WriteString(w, m.out.String())
	return err
}

// JSON writes the tables for programs.
func (c Comparison) JSON(w io.Writer) error {
	c.Schema = ComparisonSchema
	return outfile.JSON(w, c)
}

// HTML writes all tables as a page that needs nothing else.
func (c Comparison) HTML(w io.Writer) error {
	return webpage.Write(w, tablesPage(&c))
}
