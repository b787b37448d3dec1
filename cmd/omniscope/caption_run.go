package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/outfile"
	"omniscope/internal/visible"
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/catalog"
	"omniscope/session/measure"
	"omniscope/session/predict"
	"omniscope/session/production"
)

// askModel asks one model for captions.
func (o *captionOptions) askModel(cmd *cobra.Command, args []string) error {
	files, err := o.files(cmd, args)
	if err != nil {
		return err
	}
	p := &o.ask
	p.calls, p.Out, p.Force, p.NoProgress = o.calls, o.Out, o.Force, o.quiet
	p.spec.Clips, p.spec.Seed = session.WholePaths(files), o.seed
	if ext := filepath.Ext(p.Out); p.Out != "" && ext != ".jsonl" && ext != ".csv" {
		p.Out += string(filepath.Separator)
	}
	if err := p.prepare(cmd); err != nil {
		return err
	}
	options := p.predicting(cmd, &o.shared)
	open := func() (session.Units, error) { return predict.Open(cmd.Context(), &p.spec, options) }
	if o.calls.DryRun {
		return o.forecastModel(cmd, options)
	}
	if o.shard.N > 0 {
		return doShard(cmd, &options.Machine, o.shard, o.quiet, open)
	}
	closeWork, err := o.engine.remotely(cmd, &options.Machine, o.quiet, open)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeWork()) }()
	u, err := predict.Open(cmd.Context(), &p.spec, options)
	if err != nil {
		return err
	}
	if err := session.Finish(cmd.Context(), u, &options.Machine); err != nil {
		return err
	}
	done := u.Summary()
	o.used = p.used
	p.showWarnings(cmd, done)
	if o.JSON {
		err = outfile.JSON(documentOut(cmd), done.Result())
	} else {
		printList(cmd, catalog.List{Columns: []string{"outcome", "clips"}, Rows: done.Rows()})
		fmt.Fprintf(cmd.OutOrStdout(), "details   %s: what was sent, and what went wrong\n", done.Details)
	}
	if err != nil {
		return err
	}
	o.show(cmd, done.Result())
	return done.Verdict(p.MaxFailures)
}

// forecastModel forecasts the calls of one model.
func (o *captionOptions) forecastModel(cmd *cobra.Command, options *predict.Options) (err error) {
	u, err := predict.Open(cmd.Context(), &o.ask.spec, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, u.Close()) }()
	asking, err := u.Forecast(cmd.Context())
	if err != nil {
		return err
	}
	f := measure.NewForecast()
	f.Add("", &measure.Outlook{Asking: asking})
	return showForecast(cmd, f, o.JSON)
}

// mostShown is how many captions are printed as they come.
const mostShown = 10

// runFiles investigates files.
func (o *captionOptions) runFiles(cmd *cobra.Command, files []string) (err error) {
	s, m := &o.spec, o.machine(cmd)
	options := &caption.Options{Machine: m, Files: files, Jobs: o.atOnce(), Pages: o.pages}
	if o.JSON || len(files) <= mostShown {
		options.Show = func(r *detective.Report, dir string) error { return showReport(cmd, r, o.JSON, dir) }
	}
	if o.calls.DryRun {
		f, err := caption.ForecastFiles(cmd.Context(), s, options)
		if err != nil {
			return err
		}
		return o.showForecast(cmd, f)
	}
	open := func() (session.Units, error) { return caption.Open(cmd.Context(), s, options) }
	if o.shard.N > 0 {
		return doShard(cmd, &m, o.shard, o.quiet, open)
	}
	closeWork, err := o.engine.remotely(cmd, &m, o.quiet, open)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeWork()) }()
	u, err := caption.Open(cmd.Context(), s, options)
	if err != nil {
		return err
	}
	err = session.Finish(cmd.Context(), u, &m)
	if r := u.Result(); r.Captions+r.Failed > 0 {
		o.show(cmd, r)
	}
	return err
}

// showReport prints the caption of a clip, or its report as a line of JSON. dir is the folder of the clip, "" = it has none.
func showReport(cmd *cobra.Command, r *detective.Report, asJSON bool, dir string) error {
	for _, warning := range r.Warnings {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: warning: %s\n", r.Clip.ID, visible.Line(warning))
	}
	out := cmd.OutOrStdout()
	if asJSON {
		return json.NewEncoder(visible.Unwrapped(out)).Encode(r)
	}
	if r.Outcome != omniscope.OK {
		return nil
	}
	page := ""
	if at := filepath.Join(dir, caption.PageFile); dir != "" && isFile(at) {
		page = "; " + at
	}
	_, err := fmt.Fprintf(out, "%s: %d inquiries, %d observations, %d contradictions%s\n%s\n\n",
		r.Clip.ID, len(r.Turns), len(r.Ledger), len(r.Contradictions), page, visible.Text(r.Caption.Text))
	return err
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// readList reads the list of clips, as far as --limit goes.
func (o *captionOptions) readList(cmd *cobra.Command) (*production.List, error) {
	list, err := production.ReadList(cmd.Context(), o.list, o.media, o.calls.WorkDir)
	if err == nil && o.limit > 0 {
		list.Rows = list.Rows[:min(o.limit, len(list.Rows))]
	}
	return list, err
}

// runList investigates the clips of a list.
func (o *captionOptions) runList(cmd *cobra.Command) error {
	var err error
	if o.spec.Passes, err = o.passNames(); err != nil {
		return err
	}
	o.spec.Modality = ""
	list, err := o.readList(cmd)
	if err != nil {
		return err
	}
	c := &caption.ListOptions{
		Machine: o.machine(cmd), List: list, Pages: o.pages, Pilot: o.pilot, Seed: max(o.seed, 1), Jobs: o.atOnce(), MaxFileSize: o.maxFile << 20, KeepFetched: o.keepFetched,
	}
	if o.calls.DryRun {
		f, err := caption.ForecastList(cmd.Context(), &o.spec, c)
		if err != nil {
			return err
		}
		return o.showForecast(cmd, f)
	}
	u, err := caption.OpenList(cmd.Context(), &o.spec, c)
	if err != nil {
		return err
	}
	if o.shard.N > 0 {
		return doShard(cmd, &c.Machine, o.shard, o.quiet, func() (session.Units, error) { return u, nil })
	}
	if err := session.Finish(cmd.Context(), u, &c.Machine); err != nil {
		return err
	}
	if o.JSON {
		err = json.NewEncoder(visible.Unwrapped(cmd.OutOrStdout())).Encode(u.Captions)
	} else {
		_, err = io.WriteString(cmd.OutOrStdout(), u.Captions.Text(c.Out))
	}
	if err != nil {
		return err
	}
	o.show(cmd, u.Captions.Result)
	return u.Captions.Verdict(c.Out)
}

// passNames are the passes of the command, each once, by their letters.
func (o *captionOptions) passNames() ([]string, error) {
	if len(o.passes) == 0 {
		return []string{o.spec.Modality}, nil
	}
	var names []string
	for _, text := range o.passes {
		modality, err := modalityOf(text)
		if err != nil {
			return nil, omniscope.Usagef("--passes has some of a, v, av, as in a,v,av, not %q", text)
		}
		if name := modalityLetters[modality]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

func (o *captionOptions) showForecast(cmd *cobra.Command, f *caption.Forecast) error {
	if o.JSON {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(f)
	}
	_, err := io.WriteString(cmd.OutOrStdout(), f.Text())
	return err
}

// runTools asks the tools what an investigation without a model asks them, closer looks included, and keeps the answers.
func (o *captionOptions) runTools(cmd *cobra.Command, args []string) (err error) {
	if o.list != "" {
		if args, err = o.listedFiles(cmd); err != nil {
			return err
		}
	}
	files, err := o.files(cmd, args)
	if err != nil {
		return err
	}
	s, m := &o.spec, o.machine(cmd)
	open := opener(func() (session.Units, error) {
		return caption.Open(cmd.Context(), s, &caption.Options{Machine: m, Files: files, Jobs: o.atOnce()})
	})
	closeWork, err := o.engine.remotely(cmd, &m, o.quiet, open)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeWork()) }()
	w, err := open.part(cmd, &m, o.shard)
	if err != nil {
		return err
	}
	w.Then = "`omniscope caption` without --tools-only finds the answers there"
	failed, err := doPart(cmd, w, o.shard, o.quiet)
	if err == nil && failed.Units > 0 {
		err = omniscope.Invalidf("of %d clips something failed, such as of %s", failed.Units, failed.Such)
	}
	return err
}

// listedFiles are the files of a list.
func (o *captionOptions) listedFiles(cmd *cobra.Command) (files []string, err error) {
	list, err := o.readList(cmd)
	if err != nil {
		return nil, err
	}
	for i := range list.Rows {
		row := &list.Rows[i]
		if row.Remote() || row.Span != (omniscope.Span{}) {
			return nil, omniscope.Usagef("--tools-only works on complete files of this machine, and %s is another clip: leave out --tools-only", visible.Line(row.ID))
		}
		if !slices.Contains(files, row.Path) {
			files = append(files, row.Path)
		}
	}
	return files, nil
}
