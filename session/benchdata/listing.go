package benchdata

import (
	"fmt"
	"strings"

	"omniscope/internal/bytesize"
	"omniscope/metric/neural/models"
	"omniscope/perceive/speech"
	"omniscope/session/catalog"
)

// A listing describes data and what of them is on this machine.
type listing struct {
	Schema     string       `json:"schema"` // "omniscope.data/1"
	Benchmarks []row        `json:"benchmarks"`
	Networks   []models.Row `json:"networks"`
	Packs      []packRow    `json:"packs"`
}

// A packRow describes a pack.
type packRow struct {
	Name    string `json:"name"`
	About   string `json:"about"`
	Licence string `json:"licence"`
	Folder  string `json:"folder"`
	There   bool   `json:"there"`
	Do      string `json:"do,omitempty"` // how to install it
}

// List lists the named data, all without names. root is the folder of networks, "" = the usual one. It makes no request.
func List(names []dataName, root string) (*listing, error) {
	if len(names) == 0 {
		names = allNames()
	}
	root, err := networkRoot(root)
	if err != nil {
		return nil, err
	}
	l := &listing{Schema: "omniscope.data/1", Benchmarks: []row{}, Networks: []models.Row{}, Packs: []packRow{}}
	for _, n := range names {
		switch n.Kind {
		case Benchmark:
			rows, err := benchmarkRows(n.Name, root)
			if err != nil {
				return nil, err
			}
			l.Benchmarks = append(l.Benchmarks, rows...)
		case network:
			for _, e := range models.List(root) {
				if e.Model.Name == n.Name {
					l.Networks = append(l.Networks, e.Row())
				}
			}
		case pack:
			l.Packs = append(l.Packs, speechRow())
		}
	}
	return l, nil
}

// networkRoot returns the folder of networks.
func networkRoot(root string) (string, error) {
	if root != "" {
		return root, nil
	}
	return models.Root()
}

// benchmarkRows are the parts of a benchmark, and of its networks if it needs any.
func benchmarkRows(name, root string) ([]row, error) {
	b, err := catalog.Benchmark(name)
	if err != nil {
		return nil, err
	}
	info := b.Info()
	rows, err := Rows(info)
	if err != nil || !info.Networks {
		return rows, err
	}
	networks := row{Benchmark: name, Part: networksPart, From: "`omniscope data list " + strings.Join(models.Names(), " ") + "`", Licence: "MIT, Apache-2.0", Flag: "--models-dir"}
	missing := false
	for _, e := range models.List(root) {
		if !e.There {
			missing = true
			continue
		}
		networks.Folder, networks.Bytes = root, networks.Bytes+e.Info.Bytes()
		networks.Files = append(networks.Files, e.Model.Name)
	}
	if missing {
		networks.Do = fmt.Sprintf("omniscope data get %s --part %s", name, networksPart)
	}
	return append(rows, networks), nil
}

// packBytes is the size of the speech pack.
const packBytes = 31_000_000

func speechRow() packRow {
	folder := speech.Folder()
	row := packRow{Name: SpeechPack, About: "speech recognition for the tool asr, English, 31 MB", Licence: "MIT", Folder: folder, There: true}
	if missing := speech.NewEngine("").Info().Missing; missing != "" {
		row.There, row.Do = false, missing
	}
	return row
}

// Summary is the listing as a table with a row for each name.
func (l *listing) Summary() catalog.List {
	t := catalog.List{Columns: []string{"name", "kind", "licence", "here"}}
	for i := 0; i < len(l.Benchmarks); {
		first := l.Benchmarks[i]
		licence, here := notStated, []string{}
		for ; i < len(l.Benchmarks) && l.Benchmarks[i].Benchmark == first.Benchmark; i++ {
			r := l.Benchmarks[i]
			if licence == notStated && r.Part != networksPart {
				licence = r.Licence
			}
			if len(r.Files) > 0 {
				here = append(here, r.Part)
			}
		}
		t.Rows = append(t.Rows, []string{first.Benchmark, string(Benchmark), licence, orDash(strings.Join(here, ", "))})
	}
	for _, n := range l.Networks {
		here := ""
		switch {
		case n.Problem != "":
			here = "incomplete"
		case n.There:
			here = bytesize.Format(n.Bytes)
		}
		t.Rows = append(t.Rows, []string{n.Name, string(network), n.Licence, orDash(here)})
	}
	for _, p := range l.Packs {
		here := ""
		if p.There {
			here = "yes"
		}
		t.Rows = append(t.Rows, []string{p.Name, string(pack), p.Licence, orDash(here)})
	}
	return t
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// Text describes the listing line by line, with folders and what to do about missing parts.
func (l *listing) Text() (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for i, r := range l.Benchmarks {
		if i == 0 || r.Benchmark != l.Benchmarks[i-1].Benchmark {
			lines = append(lines, aboutBenchmark(r.Benchmark)...)
		}
		if i == 0 || r.Benchmark != l.Benchmarks[i-1].Benchmark || r.From != l.Benchmarks[i-1].From {
			from := r.From
			if r.Revision != "" {
				from += " at " + r.Revision
			}
			say("  from %s\n  licence: %s", from, r.Licence)
		}
		here := "not here: " + r.Do
		if n := len(r.Files); n > 0 {
			if here = fmt.Sprintf("%d files, %s, in %s", n, bytesize.Format(r.Bytes), r.Folder); r.Do != "" {
				here += "; the rest: " + r.Do
			}
		}
		say("  %-11s  %-12s %s", r.Part, r.Flag, here)
	}
	for _, n := range l.Networks {
		say("%s: network, published as %s, licence: %s", n.Name, n.Repo, n.Licence)
		switch {
		case n.Problem != "":
			say("  incomplete: %s", n.Problem)
		case n.There:
			say("  %s, in %s, from %s", bytesize.Format(n.Bytes), n.Dir, n.From)
		default:
			say("  not here (%s): omniscope data get %s", bytesize.Format(n.WeightsBytes), n.Name)
		}
	}
	for _, p := range l.Packs {
		say("%s: %s, licence: %s", p.Name, p.About, p.Licence)
		if p.There {
			say("  in %s", p.Folder)
		} else {
			say("  not here: %s", p.Do)
		}
	}
	return lines
}

func aboutBenchmark(name string) (lines []string) {
	b, err := catalog.Benchmark(name)
	if err != nil {
		return nil
	}
	info := b.Info()
	lines = []string{name + ": " + info.Title}
	if info.Paper != "" {
		lines = append(lines, "  paper: "+info.Paper)
	}
	if info.Judge != "" {
		lines = append(lines, "  published judge: "+info.Judge)
	}
	return lines
}
