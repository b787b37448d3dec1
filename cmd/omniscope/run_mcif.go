package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif"
	"omniscope/internal/filename"
	"omniscope/run/local"
	"omniscope/session"
)

// An mcifRun is the scoring of one file of outputs.
type mcifRun struct {
	b        mcif.Benchmark
	ev       mcif.Evaluation
	name     string
	warnings []string
}

func (o *mcifOptions) openRun(ctx context.Context, b mcif.Benchmark, outputs, references, system string) (*mcifRun, error) {
	ev, err := b.Open(ctx, o.inputs(outputs, references, system))
	if err != nil {
		return nil, err
	}
	plan := ev.Plan()
	h := sha256.New()
	fmt.Fprintln(h, plan.System, plan.Protocol, plan.Data, slices.Sorted(maps.Values(plan.Inputs)), o.Profile, b.Version, o.Breakdown, o.Lenient, o.Limit, o.SampleIDs, o.Seed)
	return &mcifRun{b: b, ev: ev.(mcif.Evaluation), name: fmt.Sprintf("%x", h.Sum(nil)[:6])}, nil
}

// score scores the run and writes its results; shown prints them as well.
func (r *mcifRun) score(cmd *cobra.Command, o *mcifOptions, shown bool) (*omniscope.Results, error) {
	out := o.Out
	if out == "" {
		out = filepath.Join(o.WorkDir, "runs", strings.Join([]string{"mcif", filename.Safe(r.ev.Plan().System), r.name}, "-"))
	} else if !shown {
		out = filepath.Join(out, filename.Safe(r.ev.Plan().System))
	}
	d, err := session.OpenFolder(out, r.b.Info(), func() error {
		if o.Force || !o.outNamed {
			return nil
		}
		return session.CheckFolder(out, r.name)
	})
	if err != nil {
		return nil, err
	}
	defer d.Close()
	results, err := r.results(cmd, o, d)
	if err != nil {
		return nil, err
	}
	if err := d.Write(results, session.Pages(r.ev)); err != nil {
		return nil, err
	}
	if !shown {
		return results, nil
	}
	return results, showResults(cmd, o.JSON, d, results)
}

func (r *mcifRun) results(cmd *cobra.Command, o *mcifOptions, d *session.Folder) (*omniscope.Results, error) {
	profile, _ := bench.ParseProfile(o.Profile)
	plan := r.ev.Plan()
	options := bench.Options{Seed: o.Seed, Engine: &local.Engine{}}
	d.Gather(&options)
	results, err := bench.Score(cmd.Context(), r.b, r.ev, profile, options)
	if err != nil {
		return nil, err
	}
	r.ev.AsPublished(results)
	results.Warnings = append(results.Warnings, r.warnings...)
	if o.encoders != nil {
		results.Warnings = append(results.Warnings, o.encoders.warnings()...)
	}
	results.Run = omniscope.RunInfo{ID: r.name, Version: version(), Command: safeArgs(os.Args), Finished: time.Now().UTC(), Inputs: plan.Inputs}
	results.Signature = strings.Join(append([]string{results.Benchmark.Name, "profile:" + results.Profile}, session.SignatureEnd(plan, o.Seed, thisProgram())...), "|")
	return results, nil
}
