package mcif

import (
	"slices"

	"omniscope"
	"omniscope/model/symptoms"
)

const wholesNote = "under- and over-generation are out of wholes (talks, answers and summaries, with all their outputs), the others out of outputs; `omniscope docs symptoms` says what each is"

// failures sums the symptoms of each row over languages and prompts.
func failures(runs []systemRun) omniscope.Table {
	kinds := kindsFound(runs)
	t := omniscope.Table{Name: "failures", Title: "Failure modes", Columns: []string{"track", "input", "model", "outputs", "wholes"}, Numbers: []int{3, 4},
		Note: "how many show a sign of failure, over all languages and prompts; " + wholesNote}
	t = addKinds(t, kinds)
	for _, row := range rowsOf(runs) {
		var of []systemRun
		for _, r := range runs {
			if r.row() == row {
				of = append(of, r)
			}
		}
		t.Rows = append(t.Rows, append([]string{row.track, row.modality, row.system}, failureCells(of, kinds)...))
	}
	return t
}

// failuresByFile are the symptoms of each file.
func failuresByFile(runs []systemRun) omniscope.Table {
	kinds := kindsFound(runs)
	t := omniscope.Table{Name: "failures-by-file", Title: "Failure modes by file",
		Columns: []string{"track", "input", "model", "language", "prompts", "outputs", "wholes"}, Numbers: []int{5, 6}, Note: wholesNote}
	t = addKinds(t, kinds)
	for _, r := range runs {
		f := r.File
		t.Rows = append(t.Rows, append([]string{f.Track, f.Modality, r.row().system, f.Lang, f.Prompts}, failureCells([]systemRun{r}, kinds)...))
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
func kindsFound(runs []systemRun) []symptoms.Kind {
	var kinds []symptoms.Kind
	for _, k := range symptoms.Kinds {
		if slices.ContainsFunc(runs, func(r systemRun) bool { return r.found(k.Kind) > 0 }) {
			kinds = append(kinds, k.Kind)
		}
	}
	return kinds
}

func (r systemRun) found(kind symptoms.Kind) int {
	n := 0
	for _, c := range r.Symptoms {
		if c.Kind == kind {
			n += c.Found
		}
	}
	return n
}

// failureCells are the outputs and wholes of runs, and how many show each kind.
func failureCells(runs []systemRun, kinds []symptoms.Kind) []string {
	counts := make([]int, 2+len(kinds))
	for _, r := range runs {
		counts[0] += r.Outputs
		counts[1] += r.Whole
		for i, k := range kinds {
			counts[2+i] += r.found(k)
		}
	}
	return numbers(counts...)
}
