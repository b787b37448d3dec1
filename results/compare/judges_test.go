package compare

import (
	"bytes"
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// Three systems by two judges: accuracies 3/4, 2/4, 1/4 and 4/4, 2/4, 1/4.
func TestCorrelationOfJudges(t *testing.T) {
	var runs []made
	for _, r := range [][3]string{
		{"high", "j/1", "cccw"}, {"mid", "j/1", "ccwn"}, {"low", "j/1", "cwnn"},
		{"high", "j/2", "cccc"}, {"mid", "j/2", "ccww"}, {"low", "j/2", "cwnw"}, {"extra", "j/2", "wwww"},
	} {
		runs = append(runs, made{system: r[0], judge: r[1], signature: plain, lines: []string{"u1 k1 " + r[2][:2], "u2 k2 " + r[2][2:]}})
	}
	c := mustCompare(t, Options{}, runs...)
	var got []string
	for _, row := range c.table("judges").Rows {
		value, _, _ := strings.Cut(row[2], " ")
		got = append(got, row[0]+" "+row[1]+" "+value)
	}
	if want := "j/1 high 75.0, j/1 mid 50.0, j/1 low 25.0, j/2 high 100.0, j/2 mid 50.0, j/2 low 25.0, j/2 extra 0.0"; strings.Join(got, ", ") != want {
		t.Errorf("got %s", strings.Join(got, ", "))
	}
	// Deviations 1, 0, -1 and 5/3, -1/3, -4/3: r = 3 / √(2 · 42/9).
	if row := c.table("correlations").Rows[0]; strings.Join(row, "|") != "accuracy|j/1|j/2|3|0.9820|1.0000|0|1" {
		t.Errorf("got %v", row)
	}
}

func TestCorrelationNeedsThreeSystems(t *testing.T) {
	boldBySecond := bold
	boldBySecond.judge = second.judge
	c := mustCompare(t, Options{}, calm, bold, second, boldBySecond)
	if len(c.table("judges").Rows) != 4 {
		t.Errorf("got %v", c.table("judges").Rows)
	}
	for _, row := range c.table("correlations").Rows {
		if row[3] != "2" || row[4] != notAvailable || row[5] != notAvailable {
			t.Errorf("got %v", row)
		}
	}
	c = mustCompare(t, Options{}, calm, bold, second, boldBySecond, calm)
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "e is not among the judges") || len(c.table("judges").Rows) != 4 {
		t.Errorf("warnings %q, rows %v", c.Warnings, c.table("judges").Rows)
	}
}

func TestJudgeTableNeedsTwo(t *testing.T) {
	for _, runs := range [][]made{{calm, bold}, {calm, second}, {calm, calm}} {
		if c := mustCompare(t, Options{}, runs...); c.table("judges").Name != "" || c.table("correlations").Name != "" {
			t.Errorf("%s and %s: there are judges", runs[0].system, runs[1].system)
		}
	}
}

// The judge ablation of CapRiCorn-1K's Table 4, which prints 0.999, 0.998 and
// 0.998.
func TestCorrelationsOfCapricorn(t *testing.T) {
	ratings := table4(t)
	wantRows(t, ofRatings("table 4", ratings).Tables[0],
		"acc|GPT-4.1|Qwen3-235B-A22B|5|0.9994|1.0000|0|0",
		"cov|GPT-4.1|Qwen3-235B-A22B|5|0.9979|1.0000|0|0",
		"ref|GPT-4.1|Qwen3-235B-A22B|5|0.9984|1.0000|0|0")
}

func table4(t *testing.T) []rating {
	t.Helper()
	ratings, err := readRatings(t.Context(), "testdata/capricorn_table4.csv")
	if err != nil || len(ratings) != 30 {
		t.Fatal(len(ratings), err)
	}
	return ratings
}

// The published scores are those of GPT-4.1 here.
func TestFirstJudge(t *testing.T) {
	text, err := os.ReadFile(golden.Path(t, "published", "capricorn_published.csv"))
	fixture.OK(t, err)
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	fixture.OK(t, err)
	listed := make(map[string]string)
	for _, r := range rows {
		if r[0] == "capricorn-1k" && r[3] == "overall" && (r[2] == "" || r[2] == "7B" || r[2] == "30B-A3B") {
			listed[r[1]+" "+r[4]] = r[5]
		}
	}
	for _, r := range table4(t) {
		name := strings.TrimSuffix(r.System, "-7B") + " " + r.Score
		if want := listed[name]; r.Judge == "GPT-4.1" && want != fixed(r.Value, 1) {
			t.Errorf("%s: %v, published %q", name, r.Value, want)
		}
	}
}

func TestRatingsInAnyOrder(t *testing.T) {
	ratings, err := readRatings(t.Context(), fixture.File(t, "r.csv", "\ufeffvalue,score,note,system,judge\n# two\n1.5,acc,x,s,\"j, the first\"\n"))
	if err != nil || len(ratings) != 1 || ratings[0] != (rating{Judge: "j, the first", System: "s", Score: "acc", Value: 1.5}) {
		t.Errorf("got %v, %v", ratings, err)
	}
}

func TestInvalidRatings(t *testing.T) {
	const head = "judge,system,score,value\n"
	for text, words := range map[string]string{
		"":                                   "r.csv is empty",
		head:                                 "no ratings",
		"judge,system,value\na,b,1\n":        `r.csv:1: there is no column "score"`,
		head + "a,b,c,1\na,b,c\n":            "r.csv:3: wrong number of fields",
		head + "a,b,c,much\n":                `r.csv:2: the value "much"`,
		head + "a,b,c,NaN\n":                 `r.csv:2: the value "NaN"`,
		head + "a,b,c,\n":                    `r.csv:2: the value ""`,
		head + "\n# why\na,,c,1\n":           "r.csv:4: system is empty",
		head + "a,b,c,1\na,d,c,1\na,b,c,2\n": "r.csv:4: judge \"a\" has rated system \"b\" for \"c\" on line 2 already",
		head + "a,\"b,c,1\n":                 "r.csv:",
	} {
		_, err := readRatings(t.Context(), fixture.File(t, "r.csv", text))
		fixture.WantError(t, err, omniscope.Invalid, words)
	}
}

func TestCorrelationOfConstantJudge(t *testing.T) {
	var ratings []rating
	for i, system := range []string{"x", "y", "z"} {
		ratings = append(ratings, rating{"moody", system, "acc", float64(i)}, rating{"same", system, "acc", 7})
	}
	wantRows(t, ofRatings("", ratings).Tables[0], "acc|moody|same|3|–|–|0|0")
}
