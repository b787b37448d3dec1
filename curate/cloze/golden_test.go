package cloze

import (
	"context"
	"slices"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// The case studies that the paper prints were made and approved by its authors. What
// is found in them was looked at one by one: answers that stand elsewhere in their
// passages, and answers whose capitals set them apart.
func TestCaseStudiesOfThePaper(t *testing.T) {
	rows, _, err := ReadRows(context.Background(), golden.Path(t, "cloze", "case_studies.jsonl"))
	fixture.OK(t, err)
	want := []map[string][]int{
		{"leak": {1, 2, 6, 7, 8, 9, 15, 23, 24}, "giveaway": {5, 20, 22}},
		{"leak": {9, 20, 29, 30}},
		{"leak": {17, 19, 26}},
	}
	for i, r := range rows {
		got := make(map[string][]int)
		for _, f := range CheckRow(r, Rules{}) {
			got[f.Check] = append(got[f.Check], f.Blank)
		}
		for _, c := range checks {
			if !slices.Equal(got[c.Name], want[i][c.Name]) {
				t.Errorf("row %d: %s found in blanks %v, want %v", i+1, c.Name, got[c.Name], want[i][c.Name])
			}
		}
	}
}
