package dataset

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// linesFile writes rows of captions as others write them.
func linesFile(t *testing.T, name string, rows ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	fixture.OK(t, os.WriteFile(path, []byte(strings.Join(rows, "\n")+"\n"), 0o644))
	return path
}

// plainRow is a row with a caption and the given further fields only.
func plainRow(n int, more string) string {
	return fmt.Sprintf(`{"id":"r%d","url":"good.mp4","caption":%q%s}`, n, captionOf(n), more)
}

func stageOf(t *testing.T, r *Result, rule string) stage {
	t.Helper()
	i := slices.IndexFunc(r.Funnel, func(s stage) bool { return s.Rule == rule })
	if i < 0 {
		t.Fatalf("no rule %s in %+v", rule, r.Funnel)
	}
	return r.Funnel[i]
}

func TestCaptionsOfWhichNothingIsKnownDoNotPass(t *testing.T) {
	o := options(t, linesFile(t, "captions.jsonl", plainRow(0, ""), plainRow(1, ""), plainRow(2, `,"investigation":{"pass":"av","ended":"enough","sentences":3}`)), "", "ms-swift")
	o.Modality = omniscope.AudioVisual
	b, err := begin(t.Context(), o)
	if err == nil {
		b.apply(onCaptions)
	}
	// A row with an investigation says its pass, the others take --modality: all are of one.
	fixture.OK(t, err)
	for rule, want := range map[string]int{"planner": 2, "unfounded": 3, "contradicted": 3, "returned": 3, "reviewed": 3, "words": 0, "tools": 0, "category": 0, "caption": 0} {
		if got := stageOf(t, b.result(), rule); got.Unknown != want || got.Out != 0 {
			t.Errorf("%s: %+v, want %d not known", rule, got, want)
		}
	}
	passed, unknown := b.passed(b.rows[0], true), b.passed(b.rows[0], false)
	for _, rule := range []string{"planner", "unfounded", "contradicted", "returned", "reviewed"} {
		if slices.Contains(passed, rule) || !slices.Contains(unknown, rule) {
			t.Errorf("%s: passed %v, not known %v", rule, passed, unknown)
		}
	}
	if !slices.Contains(passed, "words") || !slices.Contains(b.passed(b.rows[2], true), "planner") {
		t.Errorf("passed %v", passed)
	}
	if r := b.rows[2]; !r.Partial {
		t.Error("numbers that a row lacks are taken for 0")
	}
	table := FunnelTables(b.stages).Tables[0]
	if row := table.Rows[slices.IndexFunc(table.Rows, func(r []string) bool { return r[0] == "unfounded" })]; row[5] != "3" || row[3] != "0" {
		t.Errorf("funnel: %q", row)
	}
}

// TestCaptionsWithoutACategoryAreNotOfOne limits the captions of a category.
func TestCaptionsWithoutACategoryAreNotOfOne(t *testing.T) {
	o := options(t, linesFile(t, "captions.jsonl", plainRow(0, ""), plainRow(1, ""), plainRow(2, `,"category":"sport"`), plainRow(3, `,"category":"sport"`)), "", "ms-swift")
	o.Modality, o.Rules.PerCategory = omniscope.AudioVisual, 1
	r, err := Preview(t.Context(), o)
	fixture.OK(t, err)
	if got := stageOf(t, r, "category"); got.Out != 1 || got.Unknown != 2 {
		t.Errorf("%+v: one of two of the category is left out, and two have none", got)
	}
}

func TestInvestigatedCaptionsPass(t *testing.T) {
	good := map[string]any{"confirmations": 2}
	o := options(t, captions(t, "av", madeRow{id: "a", url: "good.mp4", summary: good}, madeRow{id: "b", url: "good.mp4"}), "", "ms-swift")
	r, err := Preview(t.Context(), o)
	fixture.OK(t, err)
	// Contradictions are unknown without a second observer.
	for rule, want := range map[string]int{"planner": 0, "unfounded": 0, "contradicted": 1} {
		if got := stageOf(t, r, rule); got.Unknown != want {
			t.Errorf("%s: %+v", rule, got)
		}
	}
}

func TestRequiredRulesRefuseCaptionsOfWhichNothingIsKnown(t *testing.T) {
	o := options(t, linesFile(t, "captions.jsonl", plainRow(0, ""), plainRow(1, "")), "", "ms-swift")
	o.Modality, o.Rules.Required = omniscope.AudioVisual, []string{"unfounded"}
	_, err := Preview(t.Context(), o)
	if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(fmt.Sprint(err), "captions.jsonl:1: r0 lacks the fields for the required rule unfounded") || !strings.Contains(fmt.Sprint(err), "2 of the 2") {
		t.Errorf("%v", err)
	}
	if _, err := Build(t.Context(), o); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("it is built: %v", err)
	}
	o.Rules.Required = []string{"words"}
	if _, err := Preview(t.Context(), o); err != nil {
		t.Error(err)
	}
}

// TestReviewsOfPeople has exports of people's projects: with reviews of some rows, of no row, and of two people.
func TestReviewsOfPeople(t *testing.T) {
	for name, c := range map[string]struct {
		rows       []string
		unreviewed bool
		off        []string
		want       string // rule that leaves each row out
	}{
		"some": {rows: []string{plainRow(0, `,"verdict":"approve","by":"ann"`), plainRow(1, `,"verdict":"send back","comment":"all wrong","by":"ann"`), plainRow(2, "")}, want: ", returned, reviewed"},
		"some, others allowed": {rows: []string{plainRow(0, `,"verdict":"approve"`), plainRow(1, `,"verdict":"send back"`), plainRow(2, "")},
			unreviewed: true, want: ", returned, "},
		"no row, in its fields":           {rows: []string{plainRow(0, `,"reviewed":false`), plainRow(1, `,"reviewed":false`)}, want: "reviewed, reviewed"},
		"not decided":                     {rows: []string{plainRow(0, `,"reviewed":false,"reviews":[{"by":"ann","verdict":"approve"}]`)}, want: "reviewed"},
		"decided against one reviewer":    {rows: []string{plainRow(0, `,"verdict":"approve","reviewed":true,"reviews":[{"by":"ann","verdict":"approve"},{"by":"ben","verdict":"send back"},{"by":"cas","verdict":"approve"}]`)}, want: ""},
		"another spelling, as in a table": {rows: []string{plainRow(0, `,"verdict":"Send_Back","reviewed":"true"`), plainRow(1, `,"verdict":"","reviewed":"false"`)}, want: "returned, reviewed"},
		"the rule cannot be off":          {rows: []string{plainRow(0, `,"verdict":"send back"`), plainRow(1, `,"reviewed":false`)}, off: []string{"returned", "reviewed"}, want: "returned, "},
		"descriptions of a model":         {rows: []string{plainRow(0, `,"sentences":[{"text":"x","from":["a1"]}]`)}, want: ""},
		"captions outside a project":      {rows: []string{plainRow(0, ""), plainRow(1, `,"verdict":5`), plainRow(2, `,"reviewed":true`)}, want: ", , "},
	} {
		o := options(t, linesFile(t, "descriptions.jsonl", c.rows...), "", "ms-swift")
		o.Modality, o.Rules.Unreviewed, o.Rules.Off = omniscope.AudioVisual, c.unreviewed, c.off
		b, err := begin(t.Context(), o)
		fixture.OK(t, err)
		b.apply(onCaptions)
		var got []string
		for _, r := range b.rows {
			got = append(got, r.rule)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: left out by %q, want %q", name, got, c.want)
		}
	}
}
