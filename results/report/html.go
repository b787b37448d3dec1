package report

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/plot"
	"omniscope/internal/quantity"
	"omniscope/internal/visible"
	"omniscope/internal/webpage"
)

// Cases are the units of a run as people look at them; At reads one.
type Cases interface {
	Len() int
	At(i int) (*document.Case, error)
}

// HTML writes a run as one page that needs nothing else: scores, charts, tables, and all
// cases, which may be nil. Columns nil shows the scores of the document, by name.
func HTML(ctx context.Context, w io.Writer, r *document.Results, columns []Column, cases Cases) error {
	t := termsOf(r, columns)
	p := newRunHTML(r, t)
	if cases != nil && cases.Len() > 0 {
		var err error
		if p.Cases, err = newCaseList(ctx, cases, t); err != nil {
			return err
		}
	}
	return webpage.Write(w, runPage(p))
}

// Body shows a run as HTML does, on another page, which has Style. cases is the section of its cases, with the
// id "cases".
func Body(r *document.Results, columns []Column, cases g.Node) g.Node {
	return runBody(newRunHTML(r, termsOf(r, columns)), cases)
}

func newRunHTML(r *document.Results, t terms) *runHTML {
	m := &page{terms: t}
	return &runHTML{Title: clean(r.Benchmark.Name + ": " + r.System), Facts: pageFacts(r, t), Outcomes: outcomeShares(r), Warnings: r.Warnings,
		Cards: cards(r, t), Charts: slicesCharts(headline(r), t), Tables: m.pageTables(r), Run: runTables(r)}
}

// A runHTML is what the page of a run shows.
type runHTML struct {
	Title    string
	Cards    []card
	Facts    []fact
	Outcomes []outcomeShare
	Warnings []string
	Charts   []*plot.Chart
	Tables   []omniscope.Table
	Run      []omniscope.Table
	Cases    *caseList
}

// A card is a score of the headline.
type card struct{ Title, Value, Interval string }

func cards(r *document.Results, t terms) (all []card) {
	for _, c := range t.columns {
		s, there := r.Headline.Scores[c.Name]
		if !there {
			continue
		}
		k := card{Title: c.Heading(), Value: noScore}
		if v, ok := finite(s.Value); ok {
			k.Value, k.Interval = c.Number(v), c.interval(s)
		}
		if other := c.cell(overall(otherThan(r))); other != "" && other != k.Value && r.Status != document.NoScore {
			k.Interval = strings.TrimSpace(k.Interval + " " + otherThan(r).Name + " " + other)
		}
		all = append(all, k)
	}
	return all
}

// pageFacts are the facts but for the headline, which the cards show.
func pageFacts(r *document.Results, t terms) []fact {
	facts := slices.DeleteFunc(head(r, t), func(f fact) bool { return f.label == "headline" && r.Status != document.NoScore })
	for i, f := range usage(r.Usage) {
		if i > 0 {
			f.label = "this command"
		}
		facts = append(facts, f)
	}
	return facts
}

// An outcomeShare is a part of the bar of outcomes.
type outcomeShare struct{ Class, Style, Text string }

func outcomeShares(r *document.Results) (all []outcomeShare) {
	whole := 0
	for _, n := range r.Outcomes {
		whole += n
	}
	names := slices.Sorted(maps.Keys(r.Outcomes))
	for _, o := range slices.Backward(omniscope.Outcomes) {
		if i := slices.Index(names, o.String()); i >= 0 {
			names = slices.Insert(slices.Delete(names, i, i+1), 0, o.String())
		}
	}
	for _, name := range names {
		n := r.Outcomes[name]
		if n == 0 || whole == 0 {
			continue
		}
		class := "fail"
		switch name {
		case omniscope.OK.String():
			class = "fine"
		case omniscope.Abstained.String(), omniscope.Pending.String():
			class = "so-so"
		}
		all = append(all, outcomeShare{class, "width:" + strconv.FormatFloat(100*float64(n)/float64(whole), 'f', 3, 64) + "%;", quantity.Grouped(n) + " " + clean(name)})
	}
	return all
}

// mostGroups is how many groups of a dimension a chart can name.
const mostGroups = 8

// slicesCharts shows the scores of each dimension that has a few groups.
func slicesCharts(p document.ScoringInfo, t terms) (charts []*plot.Chart) {
	for _, section := range sections(p) {
		if len(section.slices) < 2 || len(section.slices) > mostGroups {
			continue
		}
		c := &plot.Chart{Title: "By " + section.title, X: section.title, Y: "score"}
		for _, s := range section.slices {
			c.Names = append(c.Names, visible.First(clean(label(s)), 64/len(section.slices)))
		}
		for _, column := range t.columns {
			if line := column.line(section.slices); column.Percent && len(line.Points) > 1 {
				for i := range line.Points { // side by side
					line.Points[i].X += 0.07 * float64(len(c.Lines))
				}
				c.Lines, c.Y = append(c.Lines, line), "%"
			}
		}
		if len(c.Lines) > 0 {
			charts = append(charts, c)
		}
	}
	return charts
}

// line has a point for each slice that has the score, beside those of the other scores.
func (c Column) line(slices []document.Slice) plot.Line {
	line := plot.Line{Name: c.Heading(), Loose: true}
	for i, s := range slices {
		score := s.Scores[c.Name]
		v, ok := finite(score.Value)
		if !ok {
			continue
		}
		p := plot.Point{X: float64(i), Y: 100 * v, Low: 100 * v, High: 100 * v}
		if low, high, ok := intervalEnds(score); ok {
			p.Low, p.High = 100*low, 100*high
		}
		line.Points = append(line.Points, p)
	}
	return line
}

// pageTables are the scores of both scorings, their differences, and what the benchmark
// tells.
func (m *page) pageTables(r *document.Results) (tables []omniscope.Table) {
	tables = append(tables, m.scoresTable(headline(r)))
	if differ(r, m.columns) {
		for _, p := range r.Scorings {
			if p.Name != r.Headline.Scoring {
				tables = append(tables, m.scoresTable(p))
			}
		}
		apart := omniscope.Table{Title: "What sets the profiles apart", Columns: []string{"difference", "samples", quantity.Plural(m.item), "official", "strict", "effect by itself"}, Numbers: []int{1, 2}}
		for _, d := range r.Differences {
			apart.Rows = append(apart.Rows, []string{d.What, quantity.Grouped(d.Samples), quantity.Grouped(d.Items), d.Official, d.Strict, effects(d, m.columns)})
		}
		if len(apart.Rows) > 0 {
			tables = append(tables, apart)
		}
	}
	return append(tables, r.Tables...)
}

func (m *page) scoresTable(p document.ScoringInfo) omniscope.Table {
	t := omniscope.Table{Title: "Scores, scoring " + p.Name, Columns: []string{"dimension", "slice", "n"}}
	for _, c := range m.columns {
		t.Columns = append(t.Columns, c.Heading())
	}
	t.Columns = append(t.Columns, "unscored", quantity.Plural(m.cluster))
	for i := 2; i < len(t.Columns); i++ {
		t.Numbers = append(t.Numbers, i)
	}
	for _, section := range sections(p) {
		for _, s := range section.slices {
			row := []string{section.title, label(s)}
			for _, cell := range m.cells(s) {
				row = append(row, strings.ReplaceAll(cell, "<br>", "; "))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Note = strings.Join(notes(p, p, p, m.terms), "; ")
	return t
}

// runTables say what the run was made of.
func runTables(r *document.Results) []omniscope.Table {
	run := omniscope.Table{Title: "Run", Columns: []string{"", ""}, Rows: [][]string{{"name", r.Run.ID}, {"omniscope", r.Run.Version}, {"signature", r.Signature}}}
	if !r.Run.Finished.IsZero() {
		run.Rows = append(run.Rows, []string{"finished", r.Run.Finished.UTC().Format("2006-01-02 15:04:05 UTC")})
	}
	if len(r.Run.Command) > 0 {
		run.Rows = append(run.Rows, []string{"command", shell(r.Run.Command)})
	}
	tables := []omniscope.Table{run}
	if len(r.Run.Inputs) > 0 {
		inputs := omniscope.Table{Title: "Inputs", Columns: []string{"file", "SHA-256"}}
		for _, path := range slices.Sorted(maps.Keys(r.Run.Inputs)) {
			inputs.Rows = append(inputs.Rows, []string{path, r.Run.Inputs[path]})
		}
		tables = append(tables, inputs)
	}
	if len(r.Judge.Prompts) > 0 {
		prompts := omniscope.Table{Title: "Prompts", Columns: []string{"prompt", "digest", "from"}}
		for _, p := range r.Judge.Prompts {
			prompts.Rows = append(prompts.Rows, []string{p.Name, p.Digest, p.From})
		}
		tables = append(tables, prompts)
	}
	return tables
}

// toneClass is the style of a tone.
func toneClass(t document.Tone) string {
	switch t {
	case document.Good, document.Bad, document.Mild, document.Dim, document.Subject:
		return string(t)
	}
	return ""
}

func caseScore(v *float64) string { return fmt.Sprintf("%.1f %%", 100**v) }

// Style is what pages with a Body or a case look like, beside webpage.Style.
const Style = `:root { --tint: 88%; --edge: 38% } @media (prefers-color-scheme: dark) { :root { --tint: 24%; --edge: 68% } }
header { border-bottom: 1px solid var(--line) } nav a { margin-right: 1rem }
.cards { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1rem 0 }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.5rem 0.9rem; display: flex; flex-direction: column }
.card strong { font-size: 1.5rem }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0.5rem 0 } dl.facts dt { color: var(--dim) } dl.facts dd { margin: 0 }
.bar { display: flex; height: 0.8rem; border-radius: 0.3rem; overflow: hidden; background: var(--line) }
.fine { background: #009e73 } .so-so { background: #e69f00 } .fail { background: #d55e00 }
.key { display: inline-block; width: 0.7rem; height: 0.7rem; border-radius: 0.15rem; margin-left: 0.6rem }
.warnings { background: var(--mild-back); border-radius: 0.4rem; padding: 0.1rem 1rem }
.text { white-space: pre-wrap; background: var(--card); padding: 0.6rem; border-radius: 0.3rem }
mark { color: inherit; background: none; border-radius: 0.2rem; padding: 0 0.15rem }
mark.good { background: var(--good-back); border-bottom: 2px solid var(--good) } mark.bad { background: var(--bad-back); border-bottom: 2px dashed var(--bad) }
mark.mild { background: var(--mild-back); border-bottom: 2px dotted var(--mild) } mark.dim { color: var(--dim) } mark.subject { border-bottom: 2px solid var(--mark) }
mark.subject[style] { background: hsl(var(--hue) 75% var(--tint)); border-bottom-color: hsl(var(--hue) 65% var(--edge)); print-color-adjust: exact }
ins { background: var(--mild-back); text-decoration: underline } del { background: var(--bad-back) }
form { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; margin: 0.5rem 0 } input, select, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 0.3rem; padding: 0.25rem 0.5rem; max-width: 100% }
button { cursor: pointer } .list { max-height: 16rem; overflow-y: auto; display: flex; flex-wrap: wrap; gap: 0.25rem; border: 1px solid var(--line); border-radius: 0.3rem; padding: 0.4rem }
.list button { font-size: 0.85rem } .list button[aria-current=true] { border-color: var(--mark); box-shadow: 0 0 0 1px var(--mark) }
article { border-top: 1px solid var(--line); margin-top: 1rem } [hidden] { display: none !important }
@media print { form, .list, nav { display: none !important } }
@media (max-width: 30rem) { dl.facts { grid-template-columns: 1fr } dl.facts dt { margin-top: 0.4rem } }
`
