package cite

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"omniscope/internal/testing/fixture"
	"omniscope/results"
	"omniscope/results/compare"
)

var update = flag.Bool("update", false, "write the golden files anew")

// madeBoard has what must be escaped, a run without a score, and a best value.
func madeBoard() *board {
	return &board{Benchmark: "omni-cloze", Title: "A & B_1: 100% <of> {it}", Dataset: "org/set", Scoring: "strict", Version: "0.1",
		Scores: []string{"accuracy", "wrong ↓"}, Marked: "paired permutation", Notes: []string{"~one is a baseline"},
		Rows: []row{
			{System: `a_1 & \input{x}`, Judge: "openai/gpt-4o", N: "1–2", Signature: "omni-cloze|judge:x|100%\n\\end{document}", Run: "1",
				Cells: []cell{{Score: "accuracy", Shown: "70.0", Interval: "63.3, 75.8", Value: new(0.7), Best: true}, {Score: "wrong", Shown: "no score"}}},
			{System: "<script>| b #2 ~^$", Judge: "openai/gpt-4o", N: "12", Signature: "s`x`", Run: "2",
				Cells: []cell{{Score: "accuracy", Shown: "-3.1"}, {Score: "wrong", Shown: "–"}}},
		}}
}

func TestForms(t *testing.T) {
	for name, write := range map[string]func(w *bytes.Buffer) error{
		"board.md":       func(w *bytes.Buffer) error { return madeBoard().Markdown(w, false) },
		"board.tex":      func(w *bytes.Buffer) error { return madeBoard().LaTeX(w, false) },
		"turned.tex":     func(w *bytes.Buffer) error { return madeBoard().LaTeX(w, true) },
		"board.html":     func(w *bytes.Buffer) error { return madeBoard().HTML(w, false) },
		"modelindex.yml": func(w *bytes.Buffer) error { return writeModelIndex(w, []*board{madeBoard()}) },
		"papers.bib": func(w *bytes.Buffer) error {
			return BibTeX(w, []string{"mcif", "claims", "mcif", "video-holmes"}, "0.1_2")
		},
	} {
		var out bytes.Buffer
		fixture.OK(t, write(&out))
		path := filepath.Join("testdata", name)
		if *update {
			fixture.OK(t, os.WriteFile(path, out.Bytes(), 0o644))
		}
		want := fixture.Read(t, path)
		if out.String() != want {
			t.Errorf("%s: %s\nwant\n%s", name, out.String(), want)
		}
	}
}

// TestRunsOfOneNameAreToldApart has three runs of one system, two of them by one judge.
func TestRunsOfOneNameAreToldApart(t *testing.T) {
	b := &board{Rows: []row{{System: "s", Judge: "a"}, {System: "s", Judge: "b"}, {System: "s", Judge: "a"}}}
	b.tellApart([]*compare.Run{{Run: &results.Run{Dir: "x/1"}}, {Run: &results.Run{Dir: "x/2"}}, {Run: &results.Run{Dir: "y/1"}}})
	var names []string
	for _, line := range b.grid(false)[1:] {
		names = append(names, line[0].shown)
	}
	if want := []string{"s (x/1)", "s", "s (y/1)"}; !slices.Equal(names, want) {
		t.Errorf("the rows are called %q, want %q", names, want)
	}
}

// commands are all that a table needs.
var commands = strings.Fields(`\begin \end \centering \caption \label \toprule \midrule \bottomrule \textbf \scriptsize \textless \textgreater
	\textbackslash \textbar \textasciitilde \textasciicircum \downarrow \% \& \_ \# \$ \{ \} \\`)

// TestLaTeXIsWhole reads a table as LaTeX does: commands that are known, braces that
// match, as many cells in each line as columns, and nothing special that is not escaped.
func TestLaTeXIsWhole(t *testing.T) {
	for _, turned := range []bool{false, true} {
		var out bytes.Buffer
		fixture.OK(t, madeBoard().LaTeX(&out, turned))
		checkLaTeX(t, out.String())
	}
}

func checkLaTeX(t *testing.T, text string) {
	t.Helper()
	var body []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "%") {
			body = append(body, line)
		}
	}
	text = strings.Join(body, "")
	for _, c := range regexp.MustCompile(`\\([a-zA-Z]+|.)`).FindAllString(text, -1) {
		if !slices.Contains(commands, c) {
			t.Errorf("the command %s is in\n%s", c, text)
		}
	}
	columns := len(regexp.MustCompile(`\\begin\{tabular\}\{([lr]+)\}`).FindStringSubmatch(text)[1])
	plain := regexp.MustCompile(`\\[%&_#${}]`).ReplaceAllString(text, "")
	if strings.Count(plain, "{") != strings.Count(plain, "}") || strings.ContainsAny(plain, "%#~^_") {
		t.Errorf("braces do not match, or something is not escaped:\n%s", plain)
	}
	rows := 0
	for line := range strings.Lines(plain) {
		if cells, ok := strings.CutSuffix(strings.TrimSpace(line), ` \\`); ok {
			if rows++; strings.Count(cells, "&") != columns-1 {
				t.Errorf("%d columns, and the line %s", columns, line)
			}
		}
	}
	if rows < 3 || strings.Count(plain, "$")%2 != 0 {
		t.Errorf("%d lines, or mathematics that does not end:\n%s", rows, plain)
	}
}

// TestModelIndexCanBeRead reads the YAML back: no value was made up for a score that
// does not exist.
func TestModelIndexCanBeRead(t *testing.T) {
	var out bytes.Buffer
	fixture.OK(t, writeModelIndex(&out, []*board{madeBoard()}))
	var back modelIndex
	fixture.OK(t, yaml.Unmarshal(out.Bytes(), &back))
	if len(back.Models) != 2 || back.Models[0].Name != madeBoard().Rows[0].System || len(back.Models[0].Results[0].Metrics) != 1 {
		t.Errorf("%+v", back)
	}
	if m := back.Models[1].Results[0].Metrics; len(m) != 1 || m[0].Value != -3.1 || m[0].Type != "accuracy" {
		t.Errorf("%+v", m)
	}
}

func TestPapersAreWhole(t *testing.T) {
	all, err := papers()
	fixture.OK(t, err)
	keys := make(map[string]bool)
	for name, p := range all {
		if keys[p.Key] || p.Key == "" || p.Title == "" || len(p.Authors) == 0 || p.Task == "" {
			t.Errorf("%s: %+v", name, p)
		}
		keys[p.Key] = true
		if !regexp.MustCompile(`^\d{4}\.\d{5}$`).MatchString(p.ArXiv) || strconv.Itoa(p.Year) != "20"+p.ArXiv[:2] {
			t.Errorf("%s: arXiv %s is not of %d", name, p.ArXiv, p.Year)
		}
	}
}
