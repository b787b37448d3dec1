package view

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	g "maragu.dev/gomponents"

	"omniscope"
	"omniscope/bench"
	"omniscope/detective"
	"omniscope/results"
	"omniscope/results/compare"
	"omniscope/results/diff"
	"omniscope/results/report"
	"omniscope/web"
)

func show(w http.ResponseWriter, page g.Node) error {
	web.Write(w, http.StatusOK, page)
	return nil
}

// run is the page of a run, whatever there is of it.
func (v *Viewer) run(w http.ResponseWriter, r *http.Request, of *runEntry) error {
	if of.State == unreadable {
		return &omniscope.Error{Kind: omniscope.Invalid, Op: of.Path, Err: fmt.Errorf("%s", of.Why)}
	}
	switch of.Kind {
	case scores:
		return v.scores(w, r, of)
	case answers:
		return v.answers(w, r, of)
	case investigation:
		i, err := v.investigation(of)
		if err != nil {
			return err
		}
		calls, err := v.about(r.Context(), of, string(i.Clip.ID))
		if err != nil {
			return err
		}
		return show(w, investigationPage(of, i, v.picturesOf(of, i), calls))
	}
	l, err := v.callList(r, of)
	if err != nil {
		return err
	}
	return show(w, callsPage(l))
}

func (v *Viewer) scores(w http.ResponseWriter, r *http.Request, of *runEntry) error {
	run, err := results.Open(r.Context(), v.file(of))
	if err != nil {
		return err
	}
	list, err := v.unitList(r, of)
	if err != nil {
		return err
	}
	var columns []report.Column
	if m, err := v.options.MetricOf(run.Results.Benchmark.Name); err == nil {
		columns = report.Columns(m)
	}
	return show(w, scoresPage(of, run.Results.In(bench.DefaultScoring.String()), columns, list))
}

// unitList is the page of a run's units that is asked for; nil where there are none to
// look at.
func (v *Viewer) unitList(r *http.Request, of *runEntry) (*unitList, error) {
	u, err := v.unitsOf(r.Context(), of)
	if err != nil || u == nil {
		return nil, err
	}
	return u.page(of, unitQueryOf(r)), nil
}

func (v *Viewer) answers(w http.ResponseWriter, r *http.Request, of *runEntry) error {
	list, err := v.unitList(r, of)
	if err != nil {
		return err
	}
	settings, err := results.ReadSettings(r.Context(), v.file(of))
	if err != nil {
		return err
	}
	return show(w, answersPage(of, settings, list))
}

// investigation reads the report of an investigation.
func (v *Viewer) investigation(of *runEntry) (*detective.Report, error) {
	path := filepath.Join(v.file(of), investigationFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := new(detective.Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: path, Err: err}
	}
	return r, nil
}

// named are the runs that an address names, as files.
func (v *Viewer) named(r *http.Request, want string, enough func(int) bool) (files []string, err error) {
	paths := r.URL.Query()["run"]
	if !enough(len(paths)) {
		return nil, omniscope.Usagef("mark %s in the list, not %d", want, len(paths))
	}
	for _, path := range paths {
		of, err := v.find(r.Context(), path)
		if err != nil {
			return nil, err
		}
		files = append(files, v.file(of))
	}
	return files, nil
}

func (v *Viewer) compare(w http.ResponseWriter, r *http.Request) error {
	dirs, err := v.named(r, "two runs with scores or more", func(n int) bool { return n >= 2 })
	if err != nil {
		return err
	}
	c, err := v.comparison(r.Context(), dirs)
	if err != nil {
		return err
	}
	return show(w, tablesPage(c.Title, c.Sentence, append([]omniscope.Table{c.Summary}, c.Tables...), c.Warnings))
}

func (v *Viewer) comparison(ctx context.Context, dirs []string) (*compare.Comparison, error) {
	runs, err := compare.Open(ctx, dirs)
	if err != nil {
		return nil, err
	}
	m, err := v.options.MetricOf(runs[0].Results.Benchmark.Name)
	if err != nil {
		return nil, err
	}
	return compare.Runs(ctx, runs, m, compare.Options{Scoring: bench.DefaultScoring})
}

func (v *Viewer) diff(w http.ResponseWriter, r *http.Request) error {
	files, err := v.named(r, "two runs", func(n int) bool { return n == 2 })
	if err != nil {
		return err
	}
	var sides []*diff.Side
	for _, file := range files {
		side, err := diff.Open(r.Context(), file)
		if err != nil {
			return err
		}
		sides = append(sides, side)
	}
	d, err := diff.Runs(sides[0], sides[1])
	if err != nil {
		return err
	}
	return show(w, tablesPage(d.Title(), "", d.Tables(), d.Warnings))
}
