package compare

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/results"
	"omniscope/results/report"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Two systems and two judges of eight clips, with all that can be missing: a
// unit that one run lacks, items that one run lacks or did not judge, and a unit
// whose judging failed.
var (
	calm   = made{system: "calm", judge: "openai/big", signature: plain, lines: []string{"u1 k1 cccn", "u2 k1 ccnw", "u3 k2 cnnn", "u4 k3 ccww", "u5 k4 cccc", "u6 k5 ncnw", "u7 k6 cc", "u8 k7 nnnn"}}
	bold   = made{system: "bold", judge: "openai/big", signature: plain, lines: []string{"u1 k1 cccc", "u2 k1 cwnw", "u3 k2 ccwn", "u4 k3 cccw", "u5 k4 cccc", "u6 k5 wcww", "u7 k6 ??", "u8 k7 wwnn"}}
	second = made{system: "calm", judge: "vllm/small", signature: plain, lines: []string{"u1 k1 cccn", "u2 k1 cwnw", "u3 k2 cn?n", "u4 k3 ccwn", "u5 k4 cccc", "u6 k5 ncnw", "u7 k6 ccc", "u9 k7 nnnn"}}
)

func TestComparisonAsText(t *testing.T) {
	sameText(t, "systems.txt", mustCompare(t, Options{}, calm, bold))
	sameText(t, "judges_of_one_system.txt", mustCompare(t, Options{}, calm, second))
}

func sameText(t *testing.T, file string, c *Comparison) {
	t.Helper()
	var out strings.Builder
	fixture.OK(t, (report.Comparison{Title: c.Title, Tables: c.Tables, Warnings: c.Warnings}).Text(&out, report.TextOptions{}))
	path := filepath.Join(source, file)
	if *update {
		fixture.OK(t, os.WriteFile(path, []byte(out.String()), 0o644))
	}
	want := fixture.Read(t, path)
	if out.String() != want {
		t.Errorf("%s has changed; refresh with -update:\n%s", file, out.String())
	}
}

// source is where the golden files are, whichever folder a test is in.
var source = func() string {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		panic(err)
	}
	return dir
}()

func TestCompareRunWithItself(t *testing.T) {
	c := mustCompare(t, Options{Seed: 7}, calm, calm)
	for _, row := range c.table("differences").Rows {
		if row[5] != "0.00" || row[6] != "[0.00, 0.00]" {
			t.Errorf("got %v", row)
		}
	}
	for _, row := range c.table("verdicts").Rows {
		if row[5] != "1.000" {
			t.Errorf("got %v", row)
		}
	}
	wantRows(t, c.table("agreement"), "a|b|30|100.0|1.000|–|0|0|0")
	wantRows(t, c.table("shared"), "a|b|8|7|0|0|0")
	if len(c.Warnings) > 0 {
		t.Errorf("warnings: %q", c.Warnings)
	}
}

// turned exchanges the sign of a difference or of an interval's ends.
func turned(cell string) string {
	flip := func(s string) string {
		switch {
		case strings.HasPrefix(s, "-"):
			return "+" + s[1:]
		case strings.HasPrefix(s, "+"):
			return "-" + s[1:]
		}
		return s
	}
	low, high, ok := strings.Cut(strings.Trim(cell, "[]"), ", ")
	if !ok {
		return flip(cell)
	}
	return "[" + flip(high) + ", " + flip(low) + "]"
}

func TestCompareReversed(t *testing.T) {
	there := mustCompare(t, Options{Seed: 3}, calm, bold)
	shuffled := bold
	shuffled.lines = append(append([]string{}, bold.lines[4:]...), bold.lines[:4]...)
	back := mustCompare(t, Options{Seed: 3}, shuffled, calm)
	for i, row := range there.table("differences").Rows {
		got := back.table("differences").Rows[i]
		if got[5] != turned(row[5]) || got[6] != turned(row[6]) || got[3] != row[4] || got[4] != row[3] {
			t.Errorf("there %v, back %v", row, got)
		}
	}
	a, b := there.table("agreement").Rows[0], back.table("agreement").Rows[0]
	if strings.Join(a[2:7], " ") != strings.Join(b[2:7], " ") || a[7] != b[8] || a[8] != b[7] {
		t.Errorf("agreement there %v, back %v", a, b)
	}
}

func TestUnsharedItemsCounted(t *testing.T) {
	c := mustCompare(t, Options{}, calm, second)
	// u8 and u9 are in one run each; the fourth k7 items count as items too.
	wantRows(t, c.table("shared"), "openai/big|vllm/small|7|6|1|1|0")
	// Of the items of u1 to u7: u3's third is unjudged, u7's third is in one run.
	row := c.table("agreement").Rows[0]
	if row[2] != "25" || row[6] != "1" || row[7] != "4" || row[8] != "5" {
		t.Errorf("got %v", row)
	}
	c = mustCompare(t, Options{}, calm, bold)
	wantRows(t, c.table("shared"), "calm|bold|8|7|0|0|1")
	if row := c.table("agreement").Rows[0]; row[2] != "28" || row[6] != "2" {
		t.Errorf("got %v", row)
	}
}

func TestAgreementByHand(t *testing.T) {
	// 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no of 50: kappa 0.4.
	first := made{system: "s", judge: "j/1", signature: plain, lines: []string{"u1 k1 " + strings.Repeat("c", 25), "u2 k2 " + strings.Repeat("w", 25)}}
	other := made{system: "s", judge: "j/2", signature: plain, lines: []string{"u1 k1 " + strings.Repeat("c", 20) + "wwwww", "u2 k2 " + strings.Repeat("c", 10) + strings.Repeat("w", 15)}}
	c := mustCompare(t, Options{}, first, other)
	if row := c.table("agreement").Rows[0]; row[3] != "70.0" || row[4] != "0.400" {
		t.Errorf("got %v", row)
	}
	wantRows(t, c.table("confusion"), "j/1|j/2|correct|20|5", "j/1|j/2|wrong|10|15")
}

// TestCostOfRuns shows what each run cost, where that is known of any.
func TestCostOfRuns(t *testing.T) {
	cost := func(calls int, usd *float64) *Run {
		return &Run{Run: &results.Run{Results: &document.Results{Usage: document.UsageInfo{Calls: calls, CostUSD: usd}}}}
	}
	zero, some := 0.0, 1.5
	for _, c := range []struct {
		run  *Run
		want string
	}{{cost(3, &some), "$1.50"}, {cost(3, &zero), "$0.00"}, {cost(3, nil), ""}, {cost(0, &zero), ""}} {
		if got := costOf(c.run); got != c.want {
			t.Errorf("%+v: %q, want %q", c.run.Results.Usage, got, c.want)
		}
	}
}

func TestRunLabels(t *testing.T) {
	calmBySmall, boldBySmall := calm, bold
	calmBySmall.judge, boldBySmall.judge = "vllm/small", "vllm/small"
	for _, c := range []struct {
		runs []made
		want string
	}{
		{[]made{calm, bold}, "calm bold"},
		{[]made{calm, calmBySmall}, "openai/big vllm/small"},
		{[]made{calm, bold, calmBySmall}, "calm by openai/big bold by openai/big calm by vllm/small"},
		{[]made{calm, calm}, "a b"},
	} {
		got := mustCompare(t, Options{}, c.runs...)
		var labels []string
		for _, row := range got.table("runs").Rows {
			labels = append(labels, row[0])
		}
		if strings.Join(labels, " ") != c.want {
			t.Errorf("got %q, want %s", labels, c.want)
		}
	}
}

func TestCompareManyRuns(t *testing.T) {
	var runs []made
	for i, want := range []int{1, 3, 6, 4, 5} { // pairs of 2, 3, 4, 5 and 6 runs
		for len(runs) < i+2 {
			m := calm
			m.system = string(rune('A' + len(runs)))
			runs = append(runs, m)
		}
		c := mustCompare(t, Options{}, runs...)
		if got := len(c.table("shared").Rows); got != want {
			t.Errorf("%d runs make %d pairs, want %d", len(runs), got, want)
		}
	}
}

func TestOtherDifferencesWarned(t *testing.T) {
	other := bold
	other.signature = "reader3|data:0a1b2c|prompt-judge:77|seed:1|omniscope:1.0"
	c := mustCompare(t, Options{}, calm, other)
	want := []string{
		"protocol differs: reader2 (calm), reader3 (bold); differences may come from that",
		"seed differs: 0 (calm), 1 (bold); differences may come from that",
		"prompt-judge differs: none (calm), 77 (bold); differences may come from that",
	}
	if strings.Join(c.Warnings, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", c.Warnings)
	}
	if got := strings.Join(c.table("runs").Columns, "|"); got != "run|judge|n|unscored|protocol|seed|prompt-judge|folder" {
		t.Errorf("columns %s", got)
	}
	wantRows(t, c.table("runs"), "calm|openai/big|30|0|reader2|0|–|a", "bold|openai/big|28|2|reader3|1|77|b")
}

func TestCompareOtherData(t *testing.T) {
	other := bold
	other.signature = "reader2|data:ffff|seed:0|omniscope:1.0"
	other.lines = other.lines[:5]
	_, err := compared(t, Options{}, calm, other)
	fixture.WantError(t, err, omniscope.Invalid, "a and b are runs on different data", "data:0a1b2c", "data:ffff", "--any-data")

	c := mustCompare(t, Options{AnyData: true}, calm, other)
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "0a1b2c (calm), ffff (bold)") {
		t.Errorf("warnings %q", c.Warnings)
	}
	wantRows(t, c.table("shared"), "calm|bold|5|4|3|0|0")

	other.lines = []string{"v1 k9 cc"}
	c = mustCompare(t, Options{AnyData: true}, calm, other)
	if len(c.Warnings) != 2 || !strings.Contains(c.Warnings[1], "no unit in common") {
		t.Errorf("warnings %q", c.Warnings)
	}
	for _, row := range c.table("differences").Rows {
		if row[3] != noScore || row[5] != notAvailable || row[6] != notAvailable {
			t.Errorf("got %v", row)
		}
	}
}

// A run in which nothing was judged has no score, and no difference.
func TestDifferenceWithoutScore(t *testing.T) {
	dead := bold
	dead.lines = []string{"u1 k1 ????", "u2 k1 ????", "u3 k2 ????"}
	c := mustCompare(t, Options{}, calm, dead)
	wantRows(t, omniscope.Table{Rows: c.table("scores").Rows[1:]}, "bold|no score|no score|no score|no score")
	wantRows(t, omniscope.Table{Rows: c.table("differences").Rows[:1]}, "calm|bold|accuracy|50.00|no score|–|–")
	wantRows(t, c.table("agreement"), "calm|bold|0|–|–|–|12|18|0")
}

// Each sentence is read alone: it must not claim more than the tests show.
func TestSentenceOfComparison(t *testing.T) {
	good, poor := made{system: "good", judge: "j", signature: plain}, made{system: "poor", judge: "j", signature: plain}
	for i := range 12 {
		unit := fmt.Sprintf("u%d k%d ", i, i)
		good.lines = append(good.lines, unit+"cccc"[:3+i%2])
		poor.lines = append(poor.lines, unit+"cwnw"[:3+i%2])
	}
	other, judged := poor, poor
	other.judge = "k"
	judged.system, judged.judge = "good", "k"
	third := poor
	third.system = "third"
	one, another := made{system: "one", judge: "j", signature: plain, lines: []string{"u1 k1 cc"}}, made{system: "another", judge: "j", signature: plain, lines: []string{"u1 k1 ww"}}
	apart := another
	apart.lines = []string{"u2 k2 ww"}
	for name, test := range map[string]struct {
		runs []made
		want string
	}{
		"better":            {[]made{good, poor}, "good is better than poor: accuracy +71.4 points [68.7, 74.1], p 0.002, 12 clips"},
		"the second":        {[]made{poor, good}, "good is better than poor: accuracy +71.4 points [68.7, 74.1], p 0.002, 12 clips"},
		"other judge":       {[]made{good, other}, "good is better than poor: accuracy +71.4 points [68.7, 74.1], p 0.002, 12 clips; their judges differ, too"},
		"two judges":        {[]made{good, judged}, "j gives better scores than k: accuracy +71.4 points [68.7, 74.1], p 0.002, 12 clips"},
		"nothing shown":     {[]made{calm, bold}, "no difference between calm and bold could be shown: accuracy of bold +3.6 points, p 0.750, 7 clips"},
		"one clip":          {[]made{one, another}, "one and another could not be tested: accuracy of another -100.0 points, 1 clip"},
		"nothing in common": {[]made{one, apart}, "nothing can be compared: the runs have no unit in common"},
		"three":             {[]made{poor, good, third}, "good has the best accuracy, 100.0; better than poor: good; no difference shown from poor: third"},
	} {
		t.Run(name, func(t *testing.T) {
			c := mustCompare(t, Options{}, test.runs...)
			if c.Sentence != test.want {
				t.Errorf("got  %s\nwant %s", c.Sentence, test.want)
			}
			if len(c.Summary.Rows) == 0 {
				t.Error("no summary")
			}
		})
	}
}
