package cite

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"omniscope/results/report"
)

// A paper is where a benchmark was published.
type paper struct {
	Key     string   `yaml:"key"` // in BibTeX
	Title   string   `yaml:"title"`
	Authors []string `yaml:"authors"`
	Year    int      `yaml:"year"`
	ArXiv   string   `yaml:"arxiv"`
	Task    string   `yaml:"task"` // of the hub's tasks, such as video-text-to-text
}

//go:embed papers.yaml
var papersFile []byte

var papers = sync.OnceValues(func() (map[string]paper, error) {
	var all map[string]paper
	err := yaml.Unmarshal(papersFile, &all)
	return all, err
})

// PaperOf is the paper of a benchmark; ok is false where none is known.
func PaperOf(benchmark string) (p paper, ok bool) {
	all, err := papers()
	if err != nil {
		return p, false
	}
	p, ok = all[benchmark]
	return p, ok
}

// BibTeX writes the papers of benchmarks, each once, and this program.
func BibTeX(w io.Writer, benchmarks []string, version string) error {
	var out strings.Builder
	for i, name := range benchmarks {
		p, ok := PaperOf(name)
		switch {
		case slices.Contains(benchmarks[:i], name):
		case !ok:
			fmt.Fprintf(&out, "%% %s: no paper is known\n\n", name)
		default:
			p.write(&out)
		}
	}
	fmt.Fprintf(&out, "@software{omniscope,\n  title   = {omniscope: a toolkit that scores how well models see and hear},\n  version = {%s}\n}\n", report.LaTeXText(version))
	_, err := io.WriteString(w, out.String())
	return err
}

func (p paper) write(out *strings.Builder) {
	authors := make([]string, len(p.Authors))
	for i, a := range p.Authors {
		authors[i] = report.LaTeXText(a)
	}
	fmt.Fprintf(out, "@misc{%s,\n  title         = {{%s}},\n  author        = {%s},\n  year          = {%d},\n", p.Key, report.LaTeXText(p.Title), strings.Join(authors, " and "), p.Year)
	fmt.Fprintf(out, "  eprint        = {%s},\n  archivePrefix = {arXiv},\n  url           = {https://arxiv.org/abs/%[1]s}\n}\n\n", p.ArXiv)
}
