package push

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/filename"
	"omniscope/results"
	"omniscope/results/export"
	"omniscope/results/report"
	"omniscope/results/tablefile"
)

// A runEntry is a run among what is pushed.
type runEntry struct {
	dir    string // on this machine
	target string // folder in the repository
	*results.Run
}

// A config is a table that the library datasets can load by a name.
type config struct {
	name, path string
	about      string
}

// addMade adds what push makes itself: tables of all runs, and the card. They are made of
// files that are pushed and of nothing else.
func (p *Plan) addMade(ctx context.Context, o Options) error {
	var documents []*document.Results
	for i := range p.Runs {
		run, err := results.Open(ctx, p.Runs[i].dir)
		if err != nil {
			return err
		}
		p.Runs[i].Run = run
		documents = append(documents, run.Results)
	}
	var configs []config
	if len(documents) > 0 {
		err := p.addTable(o, "data/scores.parquet", func(w io.Writer) error { return tablefile.Parquet(w, report.Scores(documents...)) })
		if err != nil {
			return err
		}
		configs = append(configs, config{"scores", "data/scores.parquet", "every score of every slice, with intervals and bounds"})
		more, err := p.addRecords(ctx, o)
		if err != nil {
			return err
		}
		configs = append(configs, more...)
	}
	if o.NoCard {
		return nil
	}
	p.Card = true
	return p.addTable(o, "README.md", func(w io.Writer) error { return p.writeCard(w, o, append(configs, p.predictions()...)) })
}

// addRecords makes tables of the lines that runs of a benchmark wrote, for each kind.
func (p *Plan) addRecords(ctx context.Context, o Options) (configs []config, err error) {
	sent := make(map[string]bool)
	for _, f := range p.Files {
		if f.From != "" {
			sent[absolute(f.From)] = true
		}
	}
	var benchmarks []string
	of := make(map[string][]*results.Run)
	for _, r := range p.Runs {
		name := r.Results.Benchmark.Name
		if !slices.Contains(benchmarks, name) {
			benchmarks = append(benchmarks, name)
		}
		of[name] = append(of[name], r.Run)
	}
	for _, name := range benchmarks {
		tables, err := export.TablesOf(ctx, of[name], func(path string) bool { return sent[absolute(path)] })
		if err != nil {
			return nil, err
		}
		folder := filename.Safe(name)
		for _, t := range tables {
			path := "data/" + folder + "/" + filename.Safe(t.Name) + ".parquet"
			if err := p.addTable(o, path, func(w io.Writer) error { return t.Parquet(ctx, w) }); err != nil {
				return nil, err
			}
			configs = append(configs, config{folder + "-" + filename.Safe(t.Name), path, t.Name + " of " + name})
		}
	}
	return configs, nil
}

// absolute is a path by which files are told apart: a table is not made of another file
// that a link leads to.
func absolute(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return whole
}

// predictions are the files of predictions that can be loaded as tables.
func (p *Plan) predictions() (configs []config) {
	for _, f := range p.Files {
		if strings.HasPrefix(f.Name, "predictions/") && slices.Contains([]string{".jsonl", ".csv", ".parquet"}, filepath.Ext(f.Name)) && !results.IsDetails(f.Name) {
			name := strings.TrimSuffix(strings.TrimPrefix(f.Name, "predictions/"), filepath.Ext(f.Name))
			configs = append(configs, config{"predictions-" + filename.Safe(name), f.Name, "predictions"})
		}
	}
	return configs
}

// addTable adds a file that is made now, in the folder for work.
func (p *Plan) addTable(o Options, name string, write func(io.Writer) error) error {
	path := filepath.Join(o.Work, strings.ReplaceAll(name, "/", "-"))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	err = write(io.MultiWriter(f, sum))
	info, statErr := f.Stat()
	if err := errors.Join(err, statErr, f.Close()); err != nil {
		return err
	}
	if slices.ContainsFunc(p.Files, func(f pushedFile) bool { return f.Name == name }) {
		return omniscope.Usagef("a file of a source would be %s, which push makes itself: rename it", name)
	}
	p.Files = append(p.Files, pushedFile{Name: name, Size: info.Size(), SHA256: hex.EncodeToString(sum.Sum(nil)), State: newFile,
		open: func() (io.ReadCloser, error) { return os.Open(path) }})
	return nil
}
