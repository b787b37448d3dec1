package mcif

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"omniscope"
	"omniscope/internal/symptoms"
	"omniscope/metric"
)

// A SystemRun is one scored file of outputs.
type SystemRun struct {
	File     OutputFile
	Results  *omniscope.Results
	Outputs  int // that were scored or looked at
	Symptoms []SymptomCount
}

// A row of the paper's tables is a system with its input modality on a track.
type tableRow struct{ track, modality, system string }

// rowsOf lists the rows in the paper's order: the short track first, then
// input modalities, then names.
func rowsOf(runs []SystemRun) []tableRow {
	seen := make(map[tableRow]bool)
	for _, r := range runs {
		seen[tableRow{r.File.Track, r.File.Modality, r.File.System}] = true
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
	{metric.QABERTScore, "QA", Languages},
	{metric.SumBERTScore, "SUM", Languages},
}

const whatTheyAre = "in percent; REC: word error rate, lower is better; TRANS: COMET; QA and SUM: BERTScore"

// SystemTables are the paper's Table 2 (means over languages), its Tables 9 and
// 10 (each language, fixed and mixed prompts), and the failures found in the
// texts.
func SystemTables(runs []SystemRun) []omniscope.Table {
	tables := []omniscope.Table{overview(runs)}
	for _, p := range promptSets {
		if t := byLanguage(runs, p.name, p.title); len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return append(tables, failures(runs), failuresByFile(runs))
}

// scoreOf is a score of one file in profile headline, nil where there is none.
func scoreOf(runs []SystemRun, row tableRow, prompts, lang, score string) *float64 {
	for _, r := range runs {
		if (tableRow{r.File.Track, r.File.Modality, r.File.System}) == row && r.File.Prompts == prompts && r.File.Lang == lang {
			if s, ok := r.Results.Headline.Scores[score]; ok {
				return s.Value
			}
		}
	}
	return nil
}

func overview(runs []SystemRun) omniscope.Table {
	t := omniscope.Table{Name: "overview", Title: "Overview (the paper's Table 2)", Columns: []string{"track", "input", "model"},
		Note: "means over languages, " + whatTheyAre + "; * not all of the score's languages are there; – none is"}
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
				sum, n := 0.0, 0
				for _, lang := range s.languages {
					if v := scoreOf(runs, row, p.name, lang, s.name); v != nil {
						sum, n = sum+*v, n+1
					}
				}
				cells = append(cells, meanCell(sum, n, len(s.languages)))
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

func meanCell(sum float64, n, languages int) string {
	switch {
	case n == 0:
		return "–"
	case n < languages:
		return fmt.Sprintf("%.1f*", 100*sum/float64(n))
	}
	return fmt.Sprintf("%.1f", 100*sum/float64(n))
}

func byLanguage(runs []SystemRun, prompts, title string) omniscope.Table {
	number := map[string]string{"fix": "9", "mix": "10"}[title]
	t := omniscope.Table{Name: "languages-" + title, Title: fmt.Sprintf("MCIF %s by language (the paper's Table %s)", title, number),
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
				v := scoreOf(runs, row, prompts, lang, s.name)
				if v == nil {
					cells = append(cells, "–")
					continue
				}
				any = true
				cells = append(cells, fmt.Sprintf("%.1f", 100**v))
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

// failures sums the symptoms of each row over languages and prompts.
func failures(runs []SystemRun) omniscope.Table {
	kinds := kindsFound(runs)
	t := omniscope.Table{Name: "failures", Title: "Failure modes", Columns: []string{"track", "input", "model", "outputs"}, Numbers: []int{3},
		Note: "outputs that show a sign of failure, over all languages and prompts; `omniscope list symptoms` says what each is"}
	t = addKinds(t, kinds)
	for _, row := range rowsOf(runs) {
		var of []SystemRun
		for _, r := range runs {
			if (tableRow{r.File.Track, r.File.Modality, r.File.System}) == row {
				of = append(of, r)
			}
		}
		t.Rows = append(t.Rows, append([]string{row.track, row.modality, row.system}, failureCells(of, kinds)...))
	}
	return t
}

// failuresByFile are the symptoms of each file.
func failuresByFile(runs []SystemRun) omniscope.Table {
	kinds := kindsFound(runs)
	t := omniscope.Table{Name: "failures-by-file", Title: "Failure modes by file",
		Columns: []string{"track", "input", "model", "language", "prompts", "outputs"}, Numbers: []int{5}}
	t = addKinds(t, kinds)
	for _, r := range runs {
		f := r.File
		t.Rows = append(t.Rows, append([]string{f.Track, f.Modality, f.System, f.Lang, f.Prompts}, failureCells([]SystemRun{r}, kinds)...))
	}
	return t
}

func addKinds(t omniscope.Table, kinds []symptoms.Kind) omniscope.Table {
	for _, k := range kinds {
		t.Numbers = append(t.Numbers, len(t.Columns))
		t.Columns = append(t.Columns, string(k))
	}
	return t
}

// kindsFound are the kinds of symptoms that any run has, in their usual order.
func kindsFound(runs []SystemRun) []symptoms.Kind {
	var kinds []symptoms.Kind
	for _, k := range symptoms.Kinds {
		if slices.ContainsFunc(runs, func(r SystemRun) bool { return r.found(k.Kind) > 0 }) {
			kinds = append(kinds, k.Kind)
		}
	}
	return kinds
}

func (r SystemRun) found(kind symptoms.Kind) int {
	n := 0
	for _, c := range r.Symptoms {
		if c.Kind == kind {
			n += c.Found
		}
	}
	return n
}

// failureCells are the outputs of runs, and how many show each kind.
func failureCells(runs []SystemRun, kinds []symptoms.Kind) []string {
	counts := make([]int, 1+len(kinds))
	for _, r := range runs {
		counts[0] += r.Outputs
		for i, k := range kinds {
			counts[1+i] += r.found(k)
		}
	}
	return numbers(counts...)
}
