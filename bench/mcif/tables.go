package mcif

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/metric"
)

// A systemRun is one scored file of outputs.
type systemRun struct {
	File      outputPath
	Results   *document.Results
	Folder    string // of its results
	Reference bool   // its outputs are what the references were made of
	Outputs   int    // that were scored or looked at
	Whole     int    // talks, answers and summaries of which all outputs are there
	Symptoms  []symptomCount
	Unscored  map[string]string // by score: how many units were left unscored, and why
}

// A row of the paper's tables is a system with its input modality on a track.
type tableRow struct{ track, modality, system string }

func (r systemRun) row() tableRow {
	system := r.File.System
	if r.Reference {
		system += " (the reference)"
	}
	return tableRow{r.File.Track, r.File.Modality, system}
}

// rowsOf lists the rows in the paper's order: the short track first, then
// input modalities, then names.
func rowsOf(runs []systemRun) []tableRow {
	seen := make(map[tableRow]bool)
	for _, r := range runs {
		seen[r.row()] = true
	}
	modalities := []string{"text", "audio", "video", "mllm"}
	return slices.SortedFunc(maps.Keys(seen), func(a, b tableRow) int {
		return cmp.Or(-cmp.Compare(a.track, b.track),
			cmp.Compare(slices.Index(modalities, a.modality), slices.Index(modalities, b.modality)), cmp.Compare(a.system, b.system))
	})
}

// promptSets are the paper's names of the prompts, by the published files'.
var promptSets = []struct{ name, title string }{{"fixed", "fix"}, {"random", "mix"}}

// tableScores are the columns of the paper's Table 2, and the languages that
// each has.
var tableScores = []struct {
	name, title string
	languages   []string
}{
	{metric.ASRWER, "REC", []string{"en"}},
	{metric.TransCOMET, "TRANS", []string{"de", "it", "zh"}},
	{metric.QABERTScore, "QA", languages},
	{metric.SumBERTScore, "SUM", languages},
}

// What a cell says of a score that has no value.
const (
	nothingThere = "–" // no outputs for it, or no references
	notAvailable = "n/a"
	stopped      = "stops" // official scoring of all tasks
	leftOut      = "unscored"
)

// partly marks values of which some items were left unscored.
const partly = "†"

const whatTheyAre = "in percent; REC: word error rate, lower is better; TRANS: COMET; QA and SUM: BERTScore; " +
	"† some items were left unscored; unscored: all were; n/a: the scorer is not available; stops: the published scorer gives no score; – no outputs or references; details.csv has every number"

// systemTables are the paper's Table 2 (means over languages), its Tables 9 and
// 10 (each language, fixed and mixed prompts), every score with what is behind
// it, and the failures found in the texts.
func systemTables(runs []systemRun) []omniscope.Table {
	tables := []omniscope.Table{overview(runs)}
	for _, p := range promptSets {
		if t := byLanguage(runs, p.name, p.title); len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return append(tables, details(runs), failures(runs), failuresByFile(runs))
}

// A cell is a score of one file in the shown scoring; its mark replaces the
// value, or after it.
type cell struct {
	value *float64
	mark  string
}

func (c cell) String() string {
	if c.value == nil {
		return c.mark
	}
	return fmt.Sprintf("%.1f%s", 100**c.value, c.mark)
}

func cellOf(r systemRun, score string) cell {
	s, ok := r.Results.Headline.Scores[score]
	switch {
	case s.Value != nil && s.Unscored > 0:
		return cell{s.Value, partly}
	case s.Value != nil:
		return cell{s.Value, ""}
	case strings.HasPrefix(s.Why, stops):
		return cell{mark: stopped}
	case s.Why != "":
		return cell{mark: notAvailable}
	case ok && s.Unscored > 0:
		return cell{mark: leftOut}
	}
	return cell{mark: nothingThere}
}

func findCell(runs []systemRun, row tableRow, prompts, lang, score string) cell {
	for _, r := range runs {
		if r.row() == row && r.File.Prompts == prompts && r.File.Lang == lang {
			return cellOf(r, score)
		}
	}
	return cell{mark: nothingThere}
}

// scoringOf is the scoring that the tables show.
func scoringOf(runs []systemRun) string { return runs[0].Results.Scoring }

func overview(runs []systemRun) omniscope.Table {
	t := omniscope.Table{Name: "overview", Title: "Overview (the paper's Table 2), scoring " + scoringOf(runs), Columns: []string{"track", "input", "model"},
		Note: "means over languages, " + whatTheyAre + "; * not all of the score's languages are there"}
	for _, p := range promptSets {
		for _, s := range tableScores {
			t.Numbers = append(t.Numbers, len(t.Columns))
			t.Columns = append(t.Columns, p.title+" "+s.title)
		}
	}
	for _, row := range rowsOf(runs) {
		cells := []string{row.track, row.modality, row.system}
		for _, p := range promptSets {
			for _, s := range tableScores {
				var of []cell
				for _, lang := range s.languages {
					of = append(of, findCell(runs, row, p.name, lang, s.name))
				}
				cells = append(cells, meanCell(of))
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// meanCell is the mean over the languages that have a value.
func meanCell(of []cell) string {
	sum, n := 0.0, 0
	languages, unscored, without := "", "", nothingThere
	for _, c := range of {
		if c.value == nil {
			languages = "*"
			if without == nothingThere {
				without = c.mark
			}
			continue
		}
		if c.mark == partly {
			unscored = partly
		}
		sum, n = sum+*c.value, n+1
	}
	if n == 0 {
		return without
	}
	return fmt.Sprintf("%.1f%s%s", 100*sum/float64(n), languages, unscored)
}

func byLanguage(runs []systemRun, prompts, title string) omniscope.Table {
	number := map[string]string{"fix": "9", "mix": "10"}[title]
	t := omniscope.Table{Name: "languages-" + title, Title: fmt.Sprintf("MCIF %s by language (the paper's Table %s), scoring %s", title, number, scoringOf(runs)),
		Columns: []string{"track", "input", "model"}, Note: whatTheyAre}
	for _, s := range tableScores {
		for _, lang := range s.languages {
			t.Numbers = append(t.Numbers, len(t.Columns))
			t.Columns = append(t.Columns, s.title+" "+lang)
		}
	}
	for _, row := range rowsOf(runs) {
		cells, any := []string{row.track, row.modality, row.system}, false
		for _, s := range tableScores {
			for _, lang := range s.languages {
				c := findCell(runs, row, prompts, lang, s.name)
				any = any || c.mark != nothingThere
				cells = append(cells, c.String())
			}
		}
		if any {
			t.Rows = append(t.Rows, cells)
		}
	}
	return withoutEmptyColumns(t)
}

// withoutEmptyColumns leaves out the scores that no row has.
func withoutEmptyColumns(t omniscope.Table) omniscope.Table {
	for i := len(t.Columns) - 1; i >= 0 && len(t.Rows) > 0; i-- {
		if slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "–" }) {
			continue
		}
		t.Columns = slices.Delete(t.Columns, i, i+1)
		for r := range t.Rows {
			t.Rows[r] = slices.Delete(t.Rows[r], i, i+1)
		}
		t.Numbers = t.Numbers[:len(t.Numbers)-1] // they are the last columns
	}
	return t
}
