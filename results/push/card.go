package push

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/visible"
	"omniscope/results/report"
)

// mark stands in each card that push made, so that the next push may replace it.
const mark = "<!-- made by omniscope push, which replaces it: write of your own elsewhere -->"

// The header is what the hub and the library datasets read of a card:
// huggingface.co/docs/hub/datasets-cards and datasets-manual-configuration.
type cardHeader struct {
	License    string       `yaml:"license"`
	PrettyName string       `yaml:"pretty_name"`
	Tags       []string     `yaml:"tags"`
	Configs    []cardConfig `yaml:"configs,omitempty"`
}

type cardConfig struct {
	Name    string     `yaml:"config_name"`
	Files   []cardFile `yaml:"data_files"`
	Default bool       `yaml:"default,omitempty"`
}

type cardFile struct {
	Split string `yaml:"split"`
	Path  string `yaml:"path"`
}

func (p *Plan) writeCard(w io.Writer, o Options, configs []config) error {
	h := cardHeader{License: o.License, PrettyName: o.Title, Tags: []string{"omniscope", "evaluation-results"}}
	if h.License == "" {
		h.License = "other"
	}
	if h.PrettyName == "" {
		h.PrettyName = p.title()
	}
	for i, c := range configs {
		h.Configs = append(h.Configs, cardConfig{c.name, []cardFile{{"test", c.path}}, i == 0})
	}
	header, err := yaml.MarshalWithOptions(h, yaml.Indent(2), yaml.IndentSequence(false))
	if err != nil {
		return err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "---\n%s---\n\n%s\n\n# %s\n\n", header, mark, report.MarkdownText(h.PrettyName))
	p.writeRuns(&out)
	p.writeTables(&out, configs)
	p.writeLicence(&out, o)
	fmt.Fprintf(&out, "Made with omniscope %s.\n", report.MarkdownText(o.Program))
	_, err = io.WriteString(w, out.String())
	return err
}

// title names the benchmarks, or the files.
func (p *Plan) title() string {
	var names []string
	for _, r := range p.Runs {
		name, _, _ := strings.Cut(r.Results.Benchmark.Title, ":")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "Predictions"
	}
	return "Results on " + strings.Join(names, ", ")
}

// writeRuns writes a row for each score of each run's headline, with a second row where the other
// profile has another value, and the signatures.
func (p *Plan) writeRuns(out *strings.Builder) {
	if len(p.Runs) == 0 {
		return
	}
	out.WriteString("## Runs\n\n| benchmark | system | judge | profile | score | value | 95 % interval | n | unscored | folder | marks |\n|---|---|---|---|---|---:|---|---:|---:|---|---|\n")
	for _, r := range p.Runs {
		shown, other := r.Results.In(bench.DefaultScoring.String()), r.Results.In((1 - bench.DefaultScoring).String())
		for _, name := range slices.Sorted(maps.Keys(shown.Headline.Scores)) {
			writeScore(out, shown, name, r.target)
			if valueOf(other, name) != valueOf(shown, name) {
				writeScore(out, other, name, r.target)
			}
		}
	}
	out.WriteString("\nValues are as in `results.json`: shares are fractions. What could not be scored is counted, and is no score.\n\n## Signatures\n\nScores compare where these are equal.\n\n")
	for _, r := range p.Runs {
		fmt.Fprintf(out, "- %s: `%s`\n", report.MarkdownText(r.Results.System), strings.ReplaceAll(visible.Line(r.Results.In(bench.DefaultScoring.String()).Signature), "`", "'"))
	}
	out.WriteString("\n")
}

// writeScore writes the row of a score of the headline.
func writeScore(out *strings.Builder, r *document.Results, name, folder string) {
	s, interval := r.Headline.Scores[name], "–"
	if s.Interval != nil {
		interval = fraction(s.Interval.Low) + " to " + fraction(s.Interval.High)
	}
	for _, cell := range []string{r.Benchmark.Name, r.System, judge(r), r.Headline.Scoring, name, valueOf(r, name), interval, strconv.Itoa(s.N), strconv.Itoa(s.Unscored), folder, cmp.Or(r.Marked(), "–")} {
		out.WriteString("| " + report.MarkdownText(cell) + " ")
	}
	out.WriteString("|\n")
}

func valueOf(r *document.Results, name string) string {
	if v := r.Headline.Scores[name].Value; v != nil {
		return fraction(*v)
	}
	return string(document.NoScore)
}

func judge(r *document.Results) string {
	name := cmp.Or(r.Judge.Shown(), "none")
	if r.Judge.Baseline {
		name += " (baseline: compares with no published scores)"
	}
	return name
}

func fraction(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }

func (p *Plan) writeTables(out *strings.Builder, configs []config) {
	if len(configs) == 0 {
		return
	}
	out.WriteString("## Tables\n\n| config | file | what |\n|---|---|---|\n")
	for _, c := range configs {
		fmt.Fprintf(out, "| %s | `%s` | %s |\n", report.MarkdownText(c.name), strings.ReplaceAll(c.path, "`", "'"), report.MarkdownText(c.about))
	}
	fmt.Fprintf(out, "\n```python\nfrom datasets import load_dataset\n\nload_dataset(\"ORG/NAME\", %q, split=\"test\")\n```\n\n", configs[0].name)
}

// writeLicence says which licences matter: the questions are their benchmark's.
func (p *Plan) writeLicence(out *strings.Builder, o Options) {
	out.WriteString("## Licence\n\n")
	if o.License == "" {
		out.WriteString("No licence was given for these files. ")
	}
	var papers []string
	for _, r := range p.Runs {
		b := r.Results.Benchmark
		if line := b.Name + " (" + b.Paper + ")"; !slices.Contains(papers, line) {
			papers = append(papers, line)
		}
	}
	if len(papers) > 0 {
		out.WriteString("Questions and references that stand in the tables are under the licences of their benchmarks: " + report.MarkdownText(strings.Join(papers, ", ")) + ". ")
	}
	out.WriteString("No media are included.\n\n")
}
