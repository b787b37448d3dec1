package contamination

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLongPlantedCopies plants 56 copies, eight of each kind of change, in a training set of 400 clips, and counts which check
// finds which. The counts are those that were measured; docs/train-decontaminate.md shows them.
func TestLongPlantedCopies(t *testing.T) {
	if os.Getenv("OMNISCOPE_LONG") == "" && testing.Short() {
		t.Skip("some minutes")
	}
	dir := t.TempDir()
	if kept := os.Getenv("OMNISCOPE_MADE"); kept != "" { // made clips of a run before, while the code is worked on
		dir = kept
	}
	benchmark, training := filepath.Join(dir, "benchmark"), filepath.Join(dir, "training")
	of, kind := madeSet(t, benchmark, training, 80, 400-len(changes)*copiesOfEach)
	o := options(training, filepath.Join(dir, "out"), Against{Name: "made", Path: benchmark})
	o.Force = true
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		kind  string
		check Check
	}
	found, any := make(map[place]map[string]bool), make(map[string]map[string]bool)
	false_ := 0
	for _, h := range r.Hits {
		k := kind[h.Clip]
		if k == "" || of[h.Clip] != h.Item {
			false_++
			t.Errorf("false alarm: %+v (%s)", h, k)
			continue
		}
		for at, m := range map[place]map[place]bool{} {
			_, _ = at, m
		}
		if found[place{k, h.Check}] == nil {
			found[place{k, h.Check}] = make(map[string]bool)
		}
		found[place{k, h.Check}][h.Clip] = true
		if any[k] == nil {
			any[k] = make(map[string]bool)
		}
		any[k][h.Clip] = true
	}
	checks := []Check{File, Samples, Pictures, Mirrored, Cropped, Sound}
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "| %s | %d |", c.name, copiesOfEach)
		for _, check := range checks {
			fmt.Fprintf(&b, " %d |", len(found[place{c.name, check}]))
		}
		var missed []string
		for id, k := range kind {
			if k == c.name && !any[k][id] {
				missed = append(missed, id+" of "+of[id])
			}
		}
		slices.Sort(missed)
		fmt.Fprintf(&b, " %d | %v\n", len(any[c.name]), missed)
	}
	t.Logf("false alarms %d, failures %d\n%s", false_, len(r.Failures), b.String())
	t.Logf("proposed %v", r.Tables().Tables[0].Rows)
}

// options are those of a small comparison.
func options(list, out string, against ...Against) *Options {
	return &Options{List: list, Against: against, Dir: out, Memory: filepath.Join(filepath.Dir(out), "prints"), Jobs: 2,
		Progress: func(int) (func(int), func(string), func()) { return func(int) {}, func(string) {}, func() {} }}
}
