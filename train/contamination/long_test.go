package contamination

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// measured are how many copies of each kind of change each check found, and all checks together, when this was written. Other versions of
// ffmpeg make other media, so that a copy less is let pass.
var measured = map[string]struct {
	by  map[checkName]int
	all int
}{
	"recoded, scaled, softer or louder": {map[checkName]int{pictures: 6, sound: 7}, 8},
	"cut":                               {map[checkName]int{pictures: 5, sound: 4}, 7},
	"cropped":                           {map[checkName]int{cropped: 6, sound: 7}, 8},
	"mirrored":                          {map[checkName]int{mirrored: 7, sound: 7}, 8},
	"other speed":                       {map[checkName]int{pictures: 5, sound: 4}, 5},
	"framed":                            {map[checkName]int{cropped: 8, sound: 6}, 8},
	"sound under another picture":       {map[checkName]int{sound: 8}, 8},
}

// A tally says which planted copies were found.
type tally map[string]map[checkName]map[string]bool // by kind of change and check; "" = any

func (t tally) add(kind string, check checkName, clip string) {
	if t[kind] == nil {
		t[kind] = make(map[checkName]map[string]bool)
	}
	if t[kind][check] == nil {
		t[kind][check] = make(map[string]bool)
	}
	t[kind][check][clip] = true
}

// TestLongPlantedCopies plants copies, eight of each kind of change, in a training set, and counts which check finds which.
// docs/train-decontaminate.md shows the counts for one of 400 clips, which is made with OMNISCOPE_SOAK=1; else it has 120.
func TestLongPlantedCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes and compares 480 clips")
	}
	dir := t.TempDir()
	benchmark, training := filepath.Join(dir, "benchmark"), filepath.Join(dir, "training")
	clips := 120
	if os.Getenv("OMNISCOPE_SOAK") != "" {
		clips = 400
	}
	of, kind := madeSet(t, benchmark, training, 80, clips-len(changes)*copiesOfEach)
	r, err := Run(t.Context(), options(training, filepath.Join(dir, "out"), Against{Name: "made", Path: benchmark}))
	fixture.OK(t, err)
	found := make(tally)
	for _, h := range r.Hits {
		if of[h.Clip] != h.Item {
			t.Errorf("false alarm: %+v", h)
			continue
		}
		found.add(kind[h.Clip], h.Check, h.Clip)
		found.add(kind[h.Clip], "", h.Clip)
	}
	for _, c := range changes {
		t.Log(found.row(c.name, kind))
		for check, n := range measured[c.name].by {
			if got := len(found[c.name][check]); got < n-1 {
				t.Errorf("%s: %s found %d, and %d when it was measured", c.name, check, got, n)
			}
		}
		if got := len(found[c.name][""]); got < measured[c.name].all-1 {
			t.Errorf("%s: all checks found %d, and %d when it was measured", c.name, got, measured[c.name].all)
		}
	}
	if len(r.Failures) > 0 {
		t.Errorf("failures: %+v", r.Failures)
	}
	t.Log(r.Tables().Tables[0].Rows)
}

// row is a line of the documented table, and which copies were missed.
func (t tally) row(kind string, kinds map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |", kind)
	for _, check := range []checkName{pictures, mirrored, cropped, sound, ""} {
		fmt.Fprintf(&b, " %d |", len(t[kind][check]))
	}
	var missed []string
	for id, k := range kinds {
		if k == kind && !t[kind][""][id] {
			missed = append(missed, id)
		}
	}
	slices.Sort(missed)
	return fmt.Sprint(b.String(), " missed ", missed)
}
