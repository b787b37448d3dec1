package release

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"omniscope"
	"omniscope/internal/visible"
)

// writeCard writes README.md: the header that the Hugging Face hub reads, and the text for people.
func (s *set) writeCard(w io.Writer) error {
	var header bytes.Buffer
	s.header().writeYAML(&header, "")
	p := &page{}
	s.text(p)
	_, err := io.WriteString(w, "---\n"+header.String()+"---\n\n"+strings.TrimRight(p.String(), "\n")+"\n")
	return err
}

func (s *set) text(p *page) {
	o := s.o.Settings
	p.line("# " + escape(o.PrettyName))
	p.line(strings.TrimSpace(o.Description))
	about := "Version " + o.Version
	if o.Date != "" {
		about += " of " + o.Date
	}
	p.line(about + ". Digest of the set: `" + s.version.Digest + "` (VERSION.json has that of each item).")
	p.section("How it was built", o.HowBuilt)
	p.tables("What was left out", s.funnel)
	p.tables("How far people agreed", s.agreement)
	s.licenceText(p)
	s.statisticsText(p)
	p.section("Uses", o.Uses)
	p.section("Limitations", o.Limitations)
	p.section("Biases", o.Biases)
	p.section("Personal information", o.Personal)
	s.fileText(p)
	if o.Citation != "" {
		p.line("## Citation")
		p.line("```bibtex\n" + strings.ReplaceAll(strings.TrimSpace(o.Citation), "```", "") + "\n```")
	}
	if o.Homepage != "" || o.Contact != "" {
		p.line("## Contact")
		p.line(strings.TrimSpace(escape(o.Contact) + " " + escape(o.Homepage)))
	}
}

func (s *set) licenceText(p *page) {
	p.line("## Licences")
	p.line("The annotations: " + escape(s.o.Settings.License) + ". The media keep the licences of their sources; `licences.csv` has each source with its address and whom to name.")
	p.table(s.licences())
	if s.unlicensed > 0 {
		p.line(fmt.Sprintf("%d items were left out since their source has no licence.", s.unlicensed))
	}
	if s.withdrawn > 0 {
		p.line(fmt.Sprintf("%d items were left out on request.", s.withdrawn))
	}
}

func (s *set) statisticsText(p *page) {
	p.line("## Statistics")
	p.table(s.sizes())
	if n := s.untimed(); n > 0 {
		p.line(fmt.Sprintf("The length of %d items is not known, and not in hours and seconds.", n))
	}
	if t := s.questions(); len(t.Rows) > 0 {
		p.table(t)
	}
}

func (s *set) fileText(p *page) {
	p.line("## Files")
	p.line("- `data/SPLIT.jsonl`: the rows, as benchmarks read them; `data/SPLIT.parquet`: the same as a table\n" +
		"- `provenance.jsonl`: source and digest of each item, and how it was made\n" +
		"- `licences.csv`, `VERSION.json`, `croissant.json`")
	if s.o.Media != "" {
		p.line("- `media/`, with `metadata.jsonl`, whose `file_name` says which file is whose")
	}
	if columns := s.shape.jsonColumns(); len(columns) > 0 {
		p.line("Some values in these columns are of different kinds from row to row; in the tables they are JSON: " + escape(strings.Join(columns, ", ")) + ".")
	}
	if split := s.o.Settings.Split; split != nil {
		p.line(fmt.Sprintf("Splits are drawn by a hash of the source (seed %d: train %d %%, validation %d %%, test %d %% of the sources), so that no two share one.",
			split.Seed, split.Train, split.Validation, split.Test))
	}
}

// A page is Markdown.
type page struct{ strings.Builder }

func (p *page) line(text string) { p.WriteString(text + "\n\n") }

func (p *page) section(title, text string) {
	if text = strings.TrimSpace(text); text != "" {
		p.line("## " + title)
		p.line(text)
	}
}

func (p *page) tables(title string, tables []omniscope.Table) {
	if len(tables) > 0 {
		p.line("## " + title)
	}
	for _, t := range tables {
		if t.Title != "" {
			p.line("### " + escape(t.Title))
		}
		p.table(t)
		if t.Note != "" {
			p.line(escape(t.Note))
		}
	}
}

func (p *page) table(t omniscope.Table) {
	rule := make([]string, len(t.Columns))
	for i := range rule {
		rule[i] = "---"
	}
	for _, i := range t.Numbers {
		if i >= 0 && i < len(rule) {
			rule[i] = "---:"
		}
	}
	p.row(t.Columns, escape)
	p.row(rule, func(s string) string { return s })
	for _, row := range t.Rows {
		p.row(row, escape)
	}
	p.WriteByte('\n')
}

func (p *page) row(cells []string, shown func(string) string) {
	for _, cell := range cells {
		p.WriteString("| " + shown(cell) + " ")
	}
	p.WriteString("|\n")
}

var markdownSpecial = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "|", `\|`, "<", `\<`, ">", `\>`, "#", `\#`, "&", `\&`,
	"[", `\[`, "]", `\]`)

// escape makes a text of others plain text in a line or cell of Markdown.
func escape(s string) string { return markdownSpecial.Replace(visible.Line(s)) }
