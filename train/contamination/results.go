package contamination

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/curate/fingerprint"
	"omniscope/internal/outfile"
	"omniscope/internal/quantity"
	"omniscope/results/report"
)

// Files of the results.
const (
	RemovalsFile = "removals.txt"
	HitsFile     = "hits.jsonl"
	FailuresFile = "failures.jsonl"
	settingsFile = "decontaminate.json"
)

// settings are what shapes the results. A folder holds those of one.
type settings struct {
	Schema      string   `json:"schema"`
	List        string   `json:"list"`
	Clips       int      `json:"clips"`
	Digest      string   `json:"digest"` // of the clips' ids and places
	Against     []string `json:"against"`
	Texts       []string `json:"texts"`
	Without     []string `json:"without_checks"`
	Fingerprint int      `json:"fingerprint"` // version
	Program     string   `json:"program"`
}

// begin refuses a folder that holds something else, and marks it as this run's.
func (r *run) begin(context.Context) error {
	r.settings = settings{Schema: "omniscope.decontaminate/1", List: r.List, Clips: len(r.clips), Against: []string{}, Texts: []string{}, Without: []string{},
		Fingerprint: fingerprint.Version, Program: r.Program}
	h := sha256.New()
	for i := range r.clips {
		fmt.Fprintf(h, "%s\n%s\n%v\n", r.clips[i].id, r.clips[i].path, r.clips[i].source)
	}
	r.settings.Digest = fmt.Sprintf("%x", h.Sum(nil))
	for _, a := range r.Against {
		r.settings.Against = append(r.settings.Against, a.Name+"="+a.Path)
	}
	r.settings.Texts = append(append(r.settings.Texts, r.AgainstTexts...), r.Texts...)
	for _, c := range Checks {
		if !r.makes(c.Name) {
			r.settings.Without = append(r.settings.Without, string(c.Name))
		}
	}
	if err := r.checkFolder(); err != nil {
		return err
	}
	return outfile.WriteIn(r.Dir, settingsFile, func(w io.Writer) error { return outfile.JSON(w, r.settings) })
}

func (r *run) checkFolder() error {
	if r.Force {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(r.Dir, settingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		names, err := outfile.Entries(r.Dir)
		if err == nil && len(names) > 0 {
			err = omniscope.Usagef("%s holds %s: %s", r.Dir, names[0], outfile.OrForce)
		}
		return err
	}
	if err != nil {
		return err
	}
	var earlier settings
	now := r.settings
	now.Program = ""
	if err := json.Unmarshal(text, &earlier); err == nil {
		earlier.Program = ""
		a, _ := json.Marshal(earlier) // settings always encode
		b, _ := json.Marshal(now)
		if string(a) == string(b) {
			return nil
		}
	}
	return omniscope.Usagef("%s holds the results of another list, or of other benchmarks or checks: %s (fingerprints are kept)", r.Dir, outfile.OrForce)
}

// Results are what a run came to.
type Results struct {
	Clips    int         // compared
	Remote   int         // of these, that lie on the web: only their sources and texts were compared
	Removals []string    // ids of clips to leave out, in the list's order
	Found    int         // clips with a hit that is no hint
	Hinted   int         // clips with hints, and nothing else
	Hits     []hitRecord // hints too, in the list's order
	Failures []failure

	tables *report.Comparison
}

func (r *run) results() *Results {
	order := make(map[checkName]int)
	for i, c := range Checks {
		order[c.Name] = i
	}
	slices.SortStableFunc(r.hits, func(a, b hitRecord) int { return cmp.Or(a.clip-b.clip, order[a.Check]-order[b.Check]) })
	groups := groupsOf(r.clips)
	found, hinted := make(map[int]bool), make(map[int]bool)
	dropped := make(map[int]bool) // groups
	for i := range r.hits {
		h := &r.hits[i]
		if h.Hint {
			hinted[h.clip] = true
			continue
		}
		found[h.clip], dropped[groups.of(h.clip)] = true, true
		for _, other := range groups.members[groups.of(h.clip)] {
			if other != h.clip {
				h.Drops = append(h.Drops, r.clips[other].id)
			}
		}
	}
	x := &Results{Clips: len(r.clips), Found: len(found), Hits: r.hits, Failures: r.failures}
	for c := range r.clips {
		if dropped[groups.of(c)] {
			x.Removals = append(x.Removals, r.clips[c].id)
		} else if hinted[c] {
			x.Hinted++
		}
		if r.clips[c].remote {
			x.Remote++
		}
	}
	x.tables = r.report(x, groups)
	return x
}

// Tables show the results for people.
func (x *Results) Tables() *report.Comparison { return x.tables }

func (r *run) report(x *Results, groups *groups) *report.Comparison {
	c := &report.Comparison{
		Title:    fmt.Sprintf("%d of %d clips are in benchmarks; with all clips of their sources %d are to be left out", x.Found, x.Clips, len(x.Removals)),
		Warnings: append([]string{}, r.warnings...), Rest: "report.md",
	}
	if x.Remote > 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%d clips lie on the web: only their sources and texts were compared; download them and compare again", x.Remote))
	}
	if len(r.failures) > 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%d files could not be compared, such as %s: %s; all are in %s", len(r.failures), r.failures[0].ID, r.failures[0].Why, FailuresFile))
	}
	if warning := r.shortWarning(); warning != "" {
		c.Warnings = append(c.Warnings, warning)
	}
	c.Tables = []omniscope.Table{r.checkTable(groups), r.itemTable()}
	if t := r.shortTable(); len(t.Rows) > 0 {
		c.Tables = append(c.Tables, t)
	}
	if t := r.uncheckedTable(); len(t.Rows) > 0 {
		c.Tables = append(c.Tables, t)
	}
	return c
}

// benchmarks are the names that were compared with, in the order in which they were given.
func (r *run) benchmarks() (names []string) {
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, it := range r.items {
		add(it.benchmark)
	}
	for _, t := range r.texts.items {
		add(t.benchmark)
	}
	return names
}

// checkTable counts by check and benchmark.
func (r *run) checkTable(groups *groups) omniscope.Table {
	pairs, clips, sources := make(map[cell]int), make(map[cell]map[int]bool), make(map[cell]map[int]bool)
	for _, h := range r.hits {
		at := cell{h.Check, h.Benchmark}
		if pairs[at]++; clips[at] == nil {
			clips[at], sources[at] = make(map[int]bool), make(map[int]bool)
		}
		if clips[at][h.clip] = true; !h.Hint {
			sources[at][groups.of(h.clip)] = true
		}
	}
	t := omniscope.Table{Name: "checks", Title: "Found by each check", Columns: []string{"check", "benchmark", "proposed pairs", "confirmed pairs", "clips", "dropped sources"}, Numbers: []int{2, 3, 4, 5},
		Note: "Each check counts by itself: a pair that several find is counted at each. Proposed by source are pairs of one source, confirmed those whose stretches overlap; sound proposes by fingerprints and is confirmed by correlation or pictures; a text drops nothing."}
	for _, c := range Checks {
		for _, b := range r.benchmarks() {
			if !r.makes(c.Name) {
				t.Rows = append(t.Rows, []string{string(c.Name), b, "not made", "", "", ""})
				continue
			}
			at := cell{c.Name, b}
			t.Rows = append(t.Rows, []string{string(c.Name), b, strconv.Itoa(r.proposed[at]), strconv.Itoa(pairs[at]), strconv.Itoa(len(clips[at])), strconv.Itoa(len(sources[at]))})
		}
	}
	return t
}

// itemTable says what of each benchmark was compared.
func (r *run) itemTable() omniscope.Table {
	t := omniscope.Table{Name: "benchmarks", Title: "Compared with", Columns: []string{"benchmark", "items", "with media", "unreadable", "with a source", "texts"}, Numbers: []int{1, 2, 3, 4, 5}}
	for _, b := range r.benchmarks() {
		var items, media, bad, sources, texts int
		for i := range r.items {
			if it := &r.items[i]; it.benchmark == b {
				items++
				media += quantity.If(it.path != "")
				sources += quantity.If(len(it.source.keys) > 0)
			}
		}
		for _, f := range r.failures {
			bad += quantity.If(f.Benchmark == b && slices.ContainsFunc(r.items, func(it item) bool { return it.path == f.Path }))
		}
		for _, x := range r.texts.items {
			texts += quantity.If(x.benchmark == b)
		}
		t.Rows = append(t.Rows, []string{b, strconv.Itoa(items), strconv.Itoa(media), strconv.Itoa(bad), strconv.Itoa(sources), strconv.Itoa(texts)})
	}
	return t
}

// uncheckedTable lists the known benchmarks of which no media were compared.
func (r *run) uncheckedTable() omniscope.Table {
	t := omniscope.Table{Name: "unchecked", Title: "Not checked", Columns: []string{"benchmark", "why"},
		Note: "That a clip is in none of these is not known. Give their media with --against NAME=FOLDER."}
	for _, b := range r.Benchmarks {
		has := func(with bool) bool {
			return slices.ContainsFunc(r.items, func(it item) bool { return it.benchmark == b && (it.path != "") == with })
		}
		switch {
		case has(true):
		case has(false):
			t.Rows = append(t.Rows, []string{b, "only its sources were compared: its media were not given, or are not there"})
		case slices.ContainsFunc(r.texts.items, func(x textItem) bool { return x.benchmark == b }):
			t.Rows = append(t.Rows, []string{b, "only its texts were compared: its media were not given"})
		default:
			t.Rows = append(t.Rows, []string{b, "its media were not given"})
		}
	}
	return t
}

func (x *Results) write(dir string) error {
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{RemovalsFile, func(w io.Writer) error { return writeIDs(w, x.Removals) }},
		{HitsFile, func(w io.Writer) error { return outfile.Lines(w, x.Hits...) }},
		{FailuresFile, func(w io.Writer) error { return outfile.Lines(w, x.Failures...) }},
		{"report.md", x.tables.Markdown},
		{"report.json", x.tables.JSON},
	} {
		if err := outfile.WriteIn(dir, f.name, f.write); err != nil {
			return err
		}
	}
	return nil
}

func writeIDs(w io.Writer, ids []string) error {
	for _, id := range ids {
		if _, err := fmt.Fprintln(w, id); err != nil {
			return err
		}
	}
	return nil
}
