package repeat

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/quantity"
	"omniscope/internal/visible"
	"omniscope/metric"
	"omniscope/results/compare"
	"omniscope/results/report"
)

const (
	notAvailable = "–"
	textWidth    = 80 // columns of a terminal
	mostRunes    = 36 // of a name in a note of a terminal: the name is not broken, and a character may take two columns
)

// percentage is how shares are shown.
var percentage = metric.Score{Percent: true, Share: true}

// JSON writes the document for programs.
func (d *Document) JSON(w io.Writer) error { return outfile.JSON(w, d) }

// Markdown writes the document as a GitHub-flavoured page.
func (d *Document) Markdown(w io.Writer) error {
	title := cmp.Or(d.Benchmark.Title, d.Benchmark.Name) + ": " + d.summary()
	return report.Comparison{Title: title, Tables: d.tables(true), Warnings: d.Warnings}.Markdown(w)
}

// Text returns the document for a terminal: tables of at most 80 columns, of the profile that was asked for and of the other
// one where it differs.
func (d *Document) Text() string {
	var out strings.Builder
	// A strings.Builder returns no error.
	_ = report.Comparison{Title: d.summary(), Tables: d.tables(false), Warnings: d.Warnings, Rest: page}.Text(&out, report.TextOptions{Width: textWidth})
	return out.String()
}

func (d *Document) summary() string {
	return fmt.Sprintf("%d repetitions, scoring %s", len(d.Repetitions), d.Scoring)
}

// tables returns the tables of a page, or the fewer ones of a terminal.
func (d *Document) tables(page bool) []omniscope.Table {
	out := []omniscope.Table{d.repetitionTable(page)}
	asked := d.scoresOf(d.Scoring)
	out = append(out, d.scoreTable(d.Scoring, asked))
	for _, s := range d.Scorings {
		if s.Name != d.Scoring && (page || !reflect.DeepEqual(s.Scores, asked)) {
			out = append(out, d.scoreTable(s.Name, s.Scores))
		}
	}
	out = append(out, d.varianceTable(asked))
	if d.Verdicts != nil {
		out = append(out, d.passTable())
	}
	return append(out, d.unstableTable())
}

func (d *Document) scoresOf(profile string) []spread {
	for _, s := range d.Scorings {
		if s.Name == profile {
			return s.Scores
		}
	}
	return nil
}

// definition is the score of the metric by that name.
func (d *Document) definition(name string) metric.Score {
	i := slices.IndexFunc(d.metric.Scores, func(s metric.Score) bool { return s.Name == name })
	return d.metric.Scores[i]
}

// headline is the first score of the benchmark that the runs have.
func (d *Document) headline() metric.Score {
	for _, s := range d.scoresOf(d.Scoring) {
		return d.definition(s.Name)
	}
	return d.metric.Scores[0]
}

// repetitionTable has a row for each repetition.
func (d *Document) repetitionTable(page bool) omniscope.Table {
	name := short
	if page {
		name = func(s string) string { return s }
	}
	t := omniscope.Table{Name: "repetitions", Title: "Repetitions", Columns: []string{"repetition"}}
	var parts []string
	for _, part := range varying {
		if _, ok := d.Repetitions[0].Differs[part]; ok {
			parts, t.Columns = append(parts, part), append(t.Columns, part)
		}
	}
	scores := d.scoresOf(d.Scoring)
	headline := scores[:min(len(scores), 1)]
	for _, s := range headline {
		t.Columns = append(t.Columns, compare.Heading(d.definition(s.Name)))
	}
	t.Columns = append(t.Columns, "samples", "unjudged")
	for i := 1; i < len(t.Columns); i++ {
		t.Numbers = append(t.Numbers, i)
	}
	for i, r := range d.Repetitions {
		row := []string{r.Name}
		for _, part := range parts {
			row = append(row, cmp.Or(r.Differs[part], notAvailable))
		}
		for _, s := range headline {
			row = append(row, number(d.definition(s.Name), s.Values[i], false))
		}
		t.Rows = append(t.Rows, append(row, quantity.Grouped(d.Samples), quantity.Grouped(r.Unjudged)))
	}
	t.Note = "system " + name(d.System)
	if d.Judge != "" {
		t.Note += ", judge " + name(d.Judge)
	}
	t.Note += "; " + d.leftOutNote(name)
	return t
}

// leftOutNote states which samples the statistics are of.
func (d *Document) leftOutNote(name func(string) string) string {
	if d.LeftOut == 0 {
		return fmt.Sprintf("all %s samples were judged in each repetition", quantity.Grouped(d.Samples))
	}
	names := make([]string, len(d.LeftOutIDs))
	for i, id := range d.LeftOutIDs {
		names[i] = name(id)
	}
	note := fmt.Sprintf("left out of all statistics, since unjudged in a repetition: %s of %s samples, %s",
		quantity.Grouped(d.LeftOut), quantity.Grouped(d.Samples), strings.Join(names, ", "))
	if more := d.LeftOut - len(d.LeftOutIDs); more > 0 {
		note += " and " + quantity.Grouped(more) + " more"
	}
	return note
}

// scoreTable has a row for each score of a profile.
func (d *Document) scoreTable(profile string, scores []spread) omniscope.Table {
	t := omniscope.Table{Name: "scores-" + profile, Title: "Scores, scoring " + profile, Numbers: []int{2, 3, 4, 5, 6},
		Columns: []string{"score", "mean [95 %]", "sd", "min", "max", "range", "samples"}}
	var made, not []string
	for _, s := range scores {
		def := d.definition(s.Name)
		t.Rows = append(t.Rows, []string{compare.Heading(def), compare.Scored(def, s.Mean), number(def, s.SD, true),
			number(def, s.Min, false), number(def, s.Max, false), number(def, s.Range, true), quantity.Grouped(s.Samples)})
		if s.Mean.Interval != nil {
			made = add(made, s.Mean.Interval.Method)
		} else if s.Mean.NoInterval != "" {
			not = add(not, s.Mean.NoInterval)
		}
	}
	t.Note = "mean over repetitions; all repetitions of a " + cmp.Or(d.Benchmark.Cluster, "clip") + " are drawn together for its interval; " +
		"sd (n-1), min, max and range: between repetitions; samples: that all repetitions scored"
	if len(made) > 0 {
		t.Note += "; intervals: " + strings.Join(made, ", ")
	}
	if len(not) > 0 {
		t.Note += "; no interval: " + strings.Join(not, ", ")
	}
	return t
}

// varianceTable has a row for each score.
func (d *Document) varianceTable(scores []spread) omniscope.Table {
	t := omniscope.Table{Name: "variance", Title: "Variance of the samples' scores, scoring " + d.Scoring, Numbers: []int{1, 2, 3, 4},
		Columns: []string{"score", "within, %", "sd between", "sd within", "samples"},
		Note: "within: the share of the variance that is within a sample, between repetitions; more repetitions reduce this part only; the rest is between samples. " +
			"One-way analysis of variance; each sample counts once"}
	for _, s := range scores {
		def, row := d.definition(s.Name), []string{notAvailable, notAvailable, notAvailable, notAvailable}
		if v := s.Variance; v != nil {
			between, within := math.Sqrt(v.Between), math.Sqrt(v.Within)
			row = []string{number(percentage, v.Share, false), number(def, &between, true), number(def, &within, true), quantity.Grouped(v.Samples)}
		}
		t.Rows = append(t.Rows, append([]string{compare.Heading(def)}, row...))
	}
	return t
}

// passTable has a row for each k.
func (d *Document) passTable() omniscope.Table {
	v := d.Verdicts
	t := omniscope.Table{Name: "passes", Title: "Right answers of k, scoring strict", Numbers: []int{0}, Columns: []string{"k", "pass@k, %", "pass^k, %"}}
	for _, p := range v.Passes {
		t.Rows = append(t.Rows, []string{strconv.Itoa(p.K), compare.Scored(percentage, p.AtK), compare.Scored(percentage, p.HatK)})
	}
	t.Note = fmt.Sprintf("pass@k: at least one of k answers is right; pass^k: all k are; over %s with a verdict in each repetition", quantity.Of(v.Items, "item", "items"))
	if v.LeftOut > 0 {
		t.Note += fmt.Sprintf(", %s left out", quantity.Grouped(v.LeftOut))
	}
	t.Note += fmt.Sprintf("; the repetitions of %s of %s samples (%s) disagree whether an item is right", quantity.Grouped(v.Disagree), quantity.Grouped(v.Samples), quantity.Percent(v.Share))
	return t
}

// unstableTable has a row for each of the least stable samples.
func (d *Document) unstableTable() omniscope.Table {
	def := d.headline()
	t := omniscope.Table{Name: "least_stable", Title: "Least stable samples", Columns: []string{"sample"}}
	if d.Verdicts != nil {
		t.Columns = append(t.Columns, "items", "disagree, %")
		t.Note = "disagree: pairs of repetitions that disagree whether an item is right, over the sample's items; "
	}
	t.Columns = append(t.Columns, "sd", "min", "max")
	t.Note += "sd, min, max: of the sample's own " + def.Title + " between repetitions"
	for i := 1; i < len(t.Columns); i++ {
		t.Numbers = append(t.Numbers, i)
	}
	for _, u := range d.LeastStable {
		row := []string{u.Sample}
		if d.Verdicts != nil {
			row = append(row, quantity.Grouped(u.Items), number(percentage, u.Disagree, false))
		}
		t.Rows = append(t.Rows, append(row, number(def, u.SD, true), number(def, u.Min, false), number(def, u.Max, false)))
	}
	return t
}

// number writes a value, a dash without one.
func number(d metric.Score, v *float64, fine bool) string {
	if v == nil {
		return notAvailable
	}
	return compare.Number(d, *v, fine)
}

// short cuts a name for a note of a terminal.
func short(s string) string {
	runes := []rune(visible.Line(s))
	if len(runes) <= mostRunes {
		return s
	}
	return string(runes[:mostRunes-1]) + "…"
}

// add appends a value that is not there yet.
func add(list []string, v string) []string {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// Files are the files of a summary.
var Files = []string{file, page}

// Write writes the summary to a folder.
func (d *Document) Write(dir string) error {
	return errors.Join(outfile.WriteIn(dir, Files[0], d.JSON), outfile.WriteIn(dir, page, d.Markdown))
}
