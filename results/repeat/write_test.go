package repeat

import (
	"os"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"

	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
)

// TestDocumentationExample has docs/repeat.md show the text of the three repetitions.
func TestDocumentationExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/repeat.md")
	fixture.OK(t, err)
	_, after, found := strings.Cut(string(page), "```\n3 repetitions")
	block, _, closed := strings.Cut("3 repetitions"+after, "```\n")
	if !found || !closed {
		t.Fatal("docs/repeat.md has no block of 3 repetitions")
	}
	printed := mustRepeat(t, three...).Text()
	shown := 0
	for line := range strings.Lines(block) {
		_, rest, ok := strings.Cut(printed, line)
		switch {
		case ok:
			printed, shown = rest, shown+1
		case strings.TrimSpace(line) != "...":
			t.Fatalf("docs/repeat.md shows a line that is not printed there: %q\nthe rest of the text:\n%s", line, printed)
		}
	}
	if shown < 12 {
		t.Errorf("docs/repeat.md shows %d lines", shown)
	}
}

func TestTextOfOneProfile(t *testing.T) {
	text := mustRepeat(t, three...).Text()
	if strings.Contains(text, "scoring official") || !strings.Contains(text, "Scores, scoring strict") {
		t.Errorf("the profiles agree, and both are shown:\n%s", text)
	}
}

// TestTextOfBothProfiles has a blank that official counts as wrong.
func TestTextOfBothProfiles(t *testing.T) {
	run := three[0]
	run.lines = append([]string{"s00 c00 c?"}, run.lines...)
	other := three[1]
	other.lines = append([]string{"s00 c00 cc"}, other.lines...)
	d := mustRepeat(t, run, other)
	text := d.Text()
	strict, official := strings.Index(text, "Scores, scoring strict"), strings.Index(text, "Scores, scoring official")
	if strict < 0 || official < strict {
		t.Errorf("want the tables of both profiles, strict first:\n%s", text)
	}
}

func TestTextKeepsToWidth(t *testing.T) {
	long := strings.Repeat("a-very-long-name/", 20)
	runs := make([]made, 12)
	for i := range runs {
		runs[i] = choices(strings.Repeat("ccw?", 10))
		runs[i].lines[i] = long + " " + long + " w"
		runs[i].lines[i] = strings.Replace(runs[i].lines[i], long, runs[0].lines[i][:3]+"-"+long, 1)
		runs[i].change = func(r *document.Results) {
			r.System, r.Judge.Name, r.Benchmark.Title = long, "openai/"+long, long
		}
	}
	for i := range runs { // the same names in each run
		for k := range runs {
			runs[k].lines[i] = runs[i].lines[i][:strings.LastIndex(runs[i].lines[i], " ")] + " " + string("cw?"[(i+k)%3])
		}
	}
	d := mustRepeat(t, runs...)
	for line := range strings.Lines(d.Text()) {
		if width := text.StringWidth(strings.TrimSuffix(line, "\n")); width > textWidth {
			t.Errorf("%d columns: %s", width, line)
		}
	}
	var page strings.Builder
	fixture.OK(t, d.Markdown(&page))
	if !strings.Contains(page.String(), strings.ReplaceAll(long, "_", `\_`)) {
		t.Error("the page cuts the name of the system")
	}
}

func TestMarkdownPage(t *testing.T) {
	var page strings.Builder
	d := mustRepeat(t, three...)
	d.Warnings = append(d.Warnings, "a <warning>")
	fixture.OK(t, d.Markdown(&page))
	for _, want := range []string{
		"# Made choice: 3 repetitions, scoring strict\n",
		"| r1 | 1 | 60.0 | 10 | 0 |\n",
		"## Scores, scoring official\n",
		"| accuracy | 70.0 [41.8, 88.4] | 10.00 | 60.0 | 80.0 | 20.00 | 10 |\n",
		"| accuracy | 59.7 | 30.02 | 36.51 | 10 |\n",
		"| 2 | 83.3 | 56.7 [26.5, 82.6] |\n",
		"| s06 | 1 | 66.7 | 57.74 | 0.0 | 100.0 |\n",
		`a \<warning\>`,
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, page.String())
		}
	}
}
