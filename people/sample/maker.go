package sample

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/ondisk"
	"omniscope/internal/rows"
	"omniscope/people"
	"omniscope/results"
)

// leaseMinutes is how long a judgement is kept for somebody who took it.
const leaseMinutes = 15

// Settings of projects.
const (
	settingShares = "run_verdicts" // how many judgements of each verdict the run has, as JSON
	settingJudge  = "judge"
)

// A maker makes projects of judgements. Its fields are its options.
type maker struct {
	Run      string // folder of its results
	N        int
	Stratify string
	Seed     int
	People   int
	Data     string // of Omni-Cloze; "" = as the run says
	Captions string // file; "" = as the run's cases have them
}

// newMaker makes a maker with the defaults.
func newMaker() *maker { return &maker{N: 200, Stratify: byVerdict, People: 1} }

// Ways to draw.
const (
	byVerdict = "verdict"
	byNothing = "none"
)

// Options implements people.Maker.
func (m *maker) Options() []bench.Option {
	return []bench.Option{
		{Name: "run", Help: "folder of results that omniscope eval wrote", Value: bench.Text(&m.Run), Path: true},
		{Name: "n", Help: "how many judgements", Value: bench.Number(&m.N)},
		{Name: "stratify", Help: "verdict: equally many of each verdict of the judge; none: as they come", Value: bench.Text(&m.Stratify), Choices: []string{byVerdict, byNothing}},
		{Name: "seed", Help: "seed of the draw", Value: bench.Number(&m.Seed)},
		{Name: "people", Help: "how many people make each judgement", Value: bench.Number(&m.People)},
		{Name: "data", Help: "data set of an Omni-Cloze run, for the choices of its blanks (default: the file that the run names)", Value: bench.Text(&m.Data), Path: true},
		{Name: "captions", Help: "file of the captions that were judged, where the run's cases hold shortened ones", Value: bench.Text(&m.Captions), Path: true},
	}
}

// A drawing is a run from which judgements are drawn.
type drawing struct {
	run    *results.Run
	cases  *results.CaseReader
	reader *reader
	refs   []ref
	files  map[string]string // of a run of claims: SHA-256 of the audited files, by unit
}

// Make implements people.Maker.
func (m *maker) Make(ctx context.Context) (_ *people.Plan, err error) {
	switch {
	case m.Run == "":
		return nil, omniscope.Usagef("name the folder of the results: omniscope people sample RUN PROJECT")
	case m.N < 1 || m.People < 1:
		return nil, omniscope.Usagef("--n and --people are at least 1")
	}
	d := &drawing{reader: &reader{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	if err := d.open(ctx, m); err != nil {
		return nil, err
	}
	if err := d.read(ctx); err != nil {
		return nil, err
	}
	if len(d.refs) == 0 {
		return nil, omniscope.Usagef("%s has no judgement of a caption to make again%s", m.Run, d.shortened())
	}
	return m.plan(ctx, d)
}

func (d *drawing) open(ctx context.Context, m *maker) (err error) {
	if d.run, err = results.Open(ctx, m.Run); err != nil {
		return err
	}
	if d.cases, err = d.run.Cases(ctx); err != nil {
		return err
	}
	if d.cases == nil {
		return omniscope.Usagef("%s has no %s: its benchmark writes no cases", m.Run, bench.CasesFile)
	}
	if m.Captions != "" {
		if d.reader.captions, err = bench.OpenTextFile(ctx, m.Captions, bench.Captions("")); err != nil {
			return err
		}
	}
	if d.run.Results.Benchmark.Name == "omni-cloze" {
		d.reader.options, err = d.openData(ctx, m.Data)
	}
	if err == nil && d.needsMedia() {
		err = d.readFiles(ctx)
	}
	return err
}

// readFiles reads the digests of the audited files. Without the run's audits they stay unknown.
func (d *drawing) readFiles(ctx context.Context) error {
	path := filepath.Join(d.run.Dir, "audits.jsonl")
	if !ondisk.Exists(path) {
		return nil
	}
	d.files = make(map[string]string)
	return people.ReadRows(ctx, path, func(_ *rows.File, _ int, text []byte) error {
		d.files[gjson.GetBytes(text, "clip.id").String()] = gjson.GetBytes(text, "clip.sha256").String()
		return nil
	})
}

// openData opens the data of an Omni-Cloze run: the file that is named, or that of the run's inputs
// that has blanks.
func (d *drawing) openData(ctx context.Context, given string) (*clozeOptions, error) {
	if given != "" {
		return openOptions(ctx, given)
	}
	for _, path := range slices.Sorted(maps.Keys(d.run.Results.Run.Inputs)) {
		if o, err := openOptions(ctx, path); err == nil {
			return o, nil
		}
	}
	return nil, omniscope.Usagef("the data set of the run is not where it was: name it with --data")
}

// read finds all judgements of the run.
func (d *drawing) read(ctx context.Context) error {
	if err := d.readVerdicts(ctx); err != nil {
		return err
	}
	return d.each(ctx, func(r ref) { d.refs = append(d.refs, r) })
}

// each calls do for each judgement of the run.
func (d *drawing) each(ctx context.Context, do func(ref)) error {
	for i := range d.cases.Len() {
		all, err := d.of(ctx, i)
		if err != nil {
			return err
		}
		for k, j := range all {
			do(ref{unit: i, at: k, verdict: j.Verdict})
		}
	}
	return nil
}

func (d *drawing) of(ctx context.Context, i int) ([]judgement, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, err := d.cases.At(i)
	if err != nil {
		return nil, err
	}
	return d.reader.of(c)
}

// readVerdicts finds the verdicts that the run has: they are the choices where a judgement is a
// verdict.
func (d *drawing) readVerdicts(ctx context.Context) error {
	seen := make(map[string]bool)
	if err := d.each(ctx, func(r ref) { seen[r.verdict] = true }); err != nil {
		return err
	}
	if len(seen) == 1 && (seen[correct] || seen[wrong]) {
		seen[correct], seen[wrong] = true, true // a judge may have found one of them only
	}
	d.reader.verdicts, d.reader.shortened = slices.Sorted(maps.Keys(seen)), 0
	return nil
}

func (d *drawing) shortened() string {
	if n := d.reader.shortened; n > 0 {
		return fmt.Sprintf("; of %d units the results hold shortened captions: name the whole ones with --captions", n)
	}
	return ""
}

// plan draws judgements.
func (m *maker) plan(ctx context.Context, d *drawing) (*people.Plan, error) {
	shares := make(map[string]int)
	for _, r := range d.refs {
		shares[r.verdict]++
	}
	text, err := json.Marshal(shares)
	if err != nil {
		return nil, err
	}
	drawn := m.draw(d.refs)
	judge := d.run.Results.Judge.Name
	p := &people.Plan{
		Project: people.Project{Kind: name, Title: "Judgements of " + judge,
			Guideline: "Judge each caption as the question asks. Another judge has judged it before; what that one found is not shown.",
			Stages: []people.Stage{{Name: stage, Title: "Judge", People: m.People, LeaseMinutes: leaseMinutes,
				By: []people.ProjectRole{people.Annotator, people.Senior, people.Lead}}},
			Settings: map[string]string{settingShares: string(text), settingJudge: judge, "run": d.run.Results.Run.ID, "signature": d.run.Results.Signature,
				people.SettingSeed: fmt.Sprint(m.Seed), "stratify": m.Stratify}},
		Items: people.MadeItems(len(drawn), func(n int) (*people.Item, any, error) { return d.item(n, drawn[n]) }), Close: d.Close,
	}
	if !d.needsMedia() {
		p.Project.Stages[0].Sound = people.NoMedia
	}
	if len(drawn) < m.N {
		p.Warnings = append(p.Warnings, fmt.Sprintf("the run has %d judgements, fewer than --n %d: all are taken", len(drawn), m.N))
	}
	if why := d.shortened(); why != "" {
		p.Warnings = append(p.Warnings, "left out"+why)
	}
	return p, nil
}

// needsMedia reports whether judgements are of the clip, as those of claims are.
func (d *drawing) needsMedia() bool { return d.run.Results.Benchmark.Name == "claims" }

// draw draws judgements by the seed, in an order in which verdicts do not come together.
func (m *maker) draw(refs []ref) (out []ref) {
	draw := rand.New(rand.NewPCG(uint64(m.Seed), 0))
	strata := map[string][]ref{}
	for _, i := range draw.Perm(len(refs)) {
		name := refs[i].verdict
		if m.Stratify == byNothing {
			name = ""
		}
		strata[name] = append(strata[name], refs[i])
	}
	names := slices.Sorted(maps.Keys(strata))
	for round := 0; len(out) < min(m.N, len(refs)); round++ {
		for _, name := range names {
			if list := strata[name]; round < len(list) && len(out) < m.N {
				out = append(out, list[round])
			}
		}
	}
	draw.Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], out[i] })
	return out
}

func (d *drawing) item(n int, r ref) (*people.Item, any, error) {
	c, err := d.cases.At(r.unit)
	if err != nil {
		return nil, nil, err
	}
	all, err := d.reader.of(c)
	if err != nil {
		return nil, nil, err
	}
	item := &people.Item{ID: fmt.Sprintf("check-%d", n+1), Clip: cmp.Or(c.Cluster, c.Unit)}
	if d.needsMedia() && c.Media != "" {
		item.Media = []people.Media{{File: filepath.ToSlash(strings.TrimPrefix(c.Media, "./")), SHA256: d.files[c.Unit]}}
	}
	return item, &all[r.at], nil
}

// Close closes the run's files.
func (d *drawing) Close() (err error) {
	if d.cases != nil {
		err = d.cases.Close()
	}
	if d.reader.options != nil {
		err = errors.Join(err, d.reader.options.Close())
	}
	if d.reader.captions != nil {
		err = errors.Join(err, d.reader.captions.Lines.Close())
	}
	return err
}
