package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif"
	"omniscope/internal/filename"
	"omniscope/run"
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

// openJournal opens the run's journal, which remembers what networks compute;
// nil where none computes, or nothing is to be remembered.
func (r *mcifRun) openJournal(cmd *cobra.Command, o *mcifOptions) (*session.Journal, error) {
	if o.encoders == nil || !o.encoders.inUse || o.networks.NoCache {
		return nil, nil
	}
	manifest, err := json.Marshal(networkRun{Command: "eval mcif", Predictions: o.Hypothesis[0], Inputs: r.ev.Plan().Inputs})
	if err != nil {
		return nil, err
	}
	journal, err := session.OpenScores(cmd.Context(), o.WorkDir, r.name, string(manifest), cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	o.encoders.once = &run.Once{Journal: journal}
	return journal, nil
}

// A networkRun describes, in the journal, a run that asks no model and remembers
// what networks compute.
type networkRun struct {
	Command     string            `json:"command"`
	Predictions string            `json:"predictions"`
	Inputs      map[string]string `json:"inputs"` // path to SHA-256
}

func (r *mcifRun) results(cmd *cobra.Command, o *mcifOptions, d *session.Folder) (_ *omniscope.Results, err error) {
	journal, err := r.openJournal(cmd, o)
	if err != nil {
		return nil, err
	}
	if journal != nil {
		defer func() {
			o.encoders.once = nil
			err = errors.Join(err, journal.Close())
		}()
	}
	profile, _ := bench.ParseProfile(o.Profile)
	plan := r.ev.Plan()
	options := bench.Options{Seed: o.Seed, Engine: &local.Engine{Workers: runtime.GOMAXPROCS(0)}}
	d.Gather(&options)
	results, err := bench.Score(cmd.Context(), r.b, r.ev, profile, options)
	if err != nil {
		return nil, err
	}
	r.ev.AsPublished(results)
	results.Warnings = append(results.Warnings, r.warnings...)
	if o.encoders != nil {
		results.Warnings = append(results.Warnings, o.encoders.CacheWarnings()...)
	}
	results.Run = omniscope.RunInfo{ID: r.name, Version: thisProgram().Version, Command: thisProgram().Command, Finished: time.Now().UTC(), Inputs: plan.Inputs}
	results.Signature = strings.Join(append([]string{results.Benchmark.Name, "profile:" + results.Profile}, session.SignatureEnd(plan, o.Seed, thisProgram())...), "|")
	return results, nil
}
