package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/bench/document"
)

// TestUsageTable has a row for each run; a cost that is not known is an empty cell.
func TestUsageTable(t *testing.T) {
	usd := 0.25
	priced, unpriced := &document.Results{System: "a"}, &document.Results{System: "b"}
	priced.Usage = document.UsageInfo{Calls: 3, Remembered: 1, Failed: 1, Retries: 2, TokensIn: 30, TokensOut: 9, CostUSD: &usd, Lost: document.LostInfo{Tries: 2, TokensIn: 20, TokensOut: 6, CostUSD: &usd}, Seconds: 1.5}
	unpriced.Usage = document.UsageInfo{Calls: 2, TokensIn: 20, TokensOut: 6}
	want := [][]string{
		{"", "", "a", "", "3", "1", "1", "2", "0", "30", "9", "0.25", "2", "20", "6", "0.25", "1.5"},
		{"", "", "b", "", "2", "0", "0", "0", "0", "20", "6", "", "0", "0", "0", "", "0"},
	}
	table := Usage(priced, unpriced)
	if diff := cmp.Diff(want, table.Rows); diff != "" || len(table.Columns) != len(want[0]) || table.Columns[table.Numbers[7]] != "cost_usd" {
		t.Errorf("%s, %v of %v", diff, table.Numbers, table.Columns)
	}
}

func TestCellsWithoutAValue(t *testing.T) {
	scored, missed := made(0.5, 3, 2), omniscope.Score{Unscored: 3}
	absent, reason := omniscope.Score{}, omniscope.Score{Why: "w"}
	missedWithReason := omniscope.Score{Unscored: 3, Why: "w"}
	for _, test := range []struct {
		name, dimension string
		own, other      omniscope.Score
		want            string
	}{
		{"a value", "task", scored, scored, "0.500"},
		{"nothing was scored", "task", missed, scored, noScore},
		{"nothing was scored, and it is known why", "task", missedWithReason, scored, "–"},
		{"a slice of other things", "task", absent, scored, ""},
		{"a slice of other unscored things", "task", absent, missed, ""},
		{"a slice of other things, with a reason for all slices", "task", reason, scored, ""},
		{"an empty slice", "task", absent, absent, noScore},
		{"an empty slice, and it is known why", "task", reason, absent, "–"},
		{"an empty slice, and only of the other it is known why", "task", absent, reason, ""},
		{"the whole, of which nobody counted the unscored", whole, reason, scored, "–"},
	} {
		s := document.Slice{Dimension: test.dimension, Scores: map[string]omniscope.Score{"a": test.own, "b": test.other}}
		if got := (Column{Name: "a"}).cell(s); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A score that the input had nothing for has no column, unless it says why.
func TestColumnsOfTheInput(t *testing.T) {
	names := func(r *document.Results) (out []string) {
		for _, c := range columnsOf(r, mcifColumns) {
			out = append(out, c.Name)
		}
		return out
	}
	if diff := cmp.Diff([]string{"asr_wer", "qa_bertscore", "sum_bertscore"}, names(mcif())); diff != "" {
		t.Error(diff)
	}
	r := mcif()
	r.Headline.Scores["trans_comet"] = omniscope.Score{Why: "w"}
	if got := names(r); !slices.Contains(got, "trans_comet") {
		t.Errorf("a score with a reason has no column: %v", got)
	}
}

// Scorings that differ in nothing but why a score has no value do differ.
func TestScoringsDifferByReasons(t *testing.T) {
	r := mcif()
	if differ(r, mcifColumns) {
		t.Error("equal profiles differ")
	}
	r.Scorings[0] = unavailable(r.Scorings[0], "sum_bertscore", stopped)
	for _, out := range []string{written(t, asMCIF(TextOptions{Width: 160}), r), written(t, asMCIFMarkdown, r)} {
		for _, want := range []string{"official: SUM-BERTScore: not available: " + stopped, "strict: SUM-BERTScore: not available: needs the encoder"} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is not in\n%s", want, out)
			}
		}
	}
}

func TestCellWidths(t *testing.T) {
	cells := func(widths ...int) (row []string) {
		for _, w := range widths {
			row = append(row, strings.Repeat("x", w))
		}
		return row
	}
	for _, test := range []struct {
		name  string
		rows  [][]string
		width int
		want  []int
	}{
		{"all fit", [][]string{cells(3, 5), cells(9, 1)}, 20, []int{9, 5}},
		{"the widest is cut", [][]string{cells(50, 5)}, 30, []int{23, 5}},
		{"the widest two are cut alike", [][]string{cells(50, 3, 40)}, 51, []int{22, 3, 22}},
		{"texts are cut before columns are left out", [][]string{cells(30, 30)}, 44, []int{21, 21}},
		{"the last columns are left out", [][]string{cells(30, 30, 30)}, 46, []int{22, 22}},
		{"numbers are never cut", [][]string{cells(4, 4, 4), {"30.0 [20.1, 40.5]", strings.Repeat("x", 30), "1"}}, 48, []int{17, 23, 4}},
		{"a list is not a number", [][]string{cells(4), {"1, 2, 3, 4, 5, 6"}}, 14, []int{14}},
		{"one column is always there", [][]string{cells(9)}, 2, []int{2}},
		{"nothing in them", [][]string{cells(0, 0)}, 20, []int{0, 0}},
	} {
		if diff := cmp.Diff(test.want, cellWidths(test.rows, test.width)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestBrokenHeadings(t *testing.T) {
	for heading, want := range map[string]string{
		"n": "n", "unscored": "unscored", "QA-BERTScore": "QA-\nBERTScore", "REC-WER ↓": "REC-\nWER ↓", "not given ↓": "not\ngiven ↓",
	} {
		if got := broken(heading); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
