package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
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
	"omniscope/internal/filename"
	"omniscope/model/openai"
	"omniscope/run/local"
)

// runName names a run by all that shapes its results, so that the same command
// finds its run again. What the files hold matters, not where they are; who
// answers matters, too, unless --any-endpoint says otherwise.
func runName(o *evalOptions, j *judging, plan *bench.Plan) string {
	shaping := *o
	shaping.Predictions, shaping.Data, shaping.Prompts, shaping.Source, shaping.System = "", "", "", "", plan.System
	source := j.source
	if j.byStep {
		shaping.Judge = "scripted" // its source is the script's digest
	} else if o.AnyEndpoint {
		source = ""
	}
	manifest, _ := json.Marshal(shaping) // check has seen to it that its numbers can be encoded
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s\n", manifest, source, plan.Protocol, slices.Sorted(maps.Values(plan.Inputs)))
	for _, p := range plan.Prompts {
		fmt.Fprintln(h, p.Name, p.Digest)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
}

// checkOut refuses a folder that the user named and that holds something else
// than results of the run called name. One that we name has the id in its name.
func (o *evalOptions) checkOut(name string) error {
	if o.Force || !o.outNamed {
		return nil
	}
	return checkOutFolder(o.Out, name, ownIn(o.Out, o.WorkDir)...)
}

// runEval does a run on its journal and writes and prints its results.
func runEval(cmd *cobra.Command, b bench.Benchmark, o *evalOptions, j *judging, ev bench.Evaluation) (results *omniscope.Results, err error) {
	o.Source = j.source
	manifest, err := o.manifest(ev.Plan())
	if err != nil {
		return nil, err
	}
	name := runName(o, j, ev.Plan())
	if o.outNamed = o.Out != ""; !o.outNamed {
		o.Out = filepath.Join(o.WorkDir, "runs", strings.Join([]string{o.Benchmark, filename.Safe(ev.Plan().System), name}, "-"))
	}
	d, err := openDestination(o.Out, b.Info(), func() error { return o.checkOut(name) })
	if err != nil {
		return nil, err
	}
	defer d.close()

	journal, err := o.openJournal(cmd, b, j, name, manifest)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, journal.Close()) }()
	for _, line := range j.announcement("judge") {
		fmt.Fprintln(cmd.ErrOrStderr(), line)
	}
	options := bench.Options{Seed: o.Seed, Engine: &local.Engine{Workers: j.workers(o, b.Info().Asking)}}
	d.gather(&options)
	results, err = score(cmd, b, o, j, ev, journal, options)
	if err != nil {
		warnOfEndpoints(cmd.ErrOrStderr(), j)
		return nil, errors.Join(err, journal.stoppedBy(err))
	}
	results.Run = omniscope.RunInfo{ID: name, Version: version(), Command: safeArgs(os.Args), Finished: time.Now().UTC(), Inputs: ev.Plan().Inputs}
	describeJudge(results, ev.Plan(), o, j)
	if err := journal.complete(cmd.Context(), results, j.price); err != nil {
		return nil, err
	}
	if err := d.write(results, pagesOf(ev)); err != nil {
		return nil, err
	}
	if isOver(results, o.MaxFailures) {
		if err := journal.EndFresh(); err != nil {
			return nil, err
		}
	}
	return results, d.show(cmd, o.JSON, results)
}

// openJournal opens the run's journal; nil where no model is asked: the offline
// reader costs nothing and always answers the same.
func (o *evalOptions) openJournal(cmd *cobra.Command, b bench.Benchmark, j *judging, name, manifest string) (*runJournal, error) {
	if j.judge == nil {
		return nil, nil
	}
	return openRunJournal(cmd.Context(), journalOptions{WorkDir: o.WorkDir, Fresh: o.Fresh, AskDamaged: o.AskDamaged,
		InFlight: o.MaxConcurrency + j.workers(o, b.Info().Asking), ErrOut: cmd.ErrOrStderr()}, name, manifest)
}

func score(cmd *cobra.Command, b bench.Benchmark, o *evalOptions, j *judging, ev bench.Evaluation, journal *runJournal, options bench.Options) (_ *omniscope.Results, err error) {
	if journal != nil {
		if options.Known, err = journal.Steps(cmd.Context()); err != nil {
			return nil, err
		}
		w := &watch{limit: o.StopUnusable, workDir: o.WorkDir, run: journal.name, role: "judge", model: o.Judge, fresh: o.Fresh, begun: journal.begun, maxTokens: maxTokensFlag(o)}
		if err := j.watchedBy(w); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, w.end()) }()
		j.connect(o, journal)
		options.Meter = j.tally
	}
	p := startProgress(cmd.ErrOrStderr(), o.NoProgress, ev.Plan().Units, j)
	options.Done = p.done
	defer p.stop()
	profile, _ := bench.ParseProfile(o.Profile)
	return bench.Score(cmd.Context(), b, ev, profile, options)
}

// isOver reports whether the run has come to its end: the same command has
// nothing more to ask.
func isOver(r *omniscope.Results, allowed float64) bool {
	return verdictOf(r, allowed) == nil || r.Outcomes[omniscope.Failed.String()] == 0
}

func describeJudge(r *omniscope.Results, plan *bench.Plan, o *evalOptions, j *judging) {
	r.Judge.Name = o.Judge
	if j.at != nil {
		at := j.at.info()
		r.Judge.Endpoint = &at
	}
	r.Judge.Answered, r.Judge.Sources = counts(j.tally.Models()), counts(j.tally.Sources())
	if j.price != nil {
		cost, lost := j.tally.CostUSD(), j.tally.Lost().CostUSD
		r.Usage.CostUSD, r.Usage.Lost.CostUSD = &cost, &lost
	}
	if j.judge != nil && len(r.Judge.Answered) > 1 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the judge answered under %d names: %s", len(r.Judge.Answered), joinCounts(r.Judge.Answered)))
	}
	if len(r.Judge.Sources) > 1 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("answers come from %d endpoints: %s", len(r.Judge.Sources), joinCounts(r.Judge.Sources)))
	}
	r.Warnings = append(r.Warnings, endpointWarnings(j.tally)...)
	r.Signature = signature(r, plan, o, j)
}

// signature lists what must be equal for two scores to be comparable.
func signature(r *omniscope.Results, plan *bench.Plan, o *evalOptions, j *judging) string {
	parts := []string{r.Benchmark.Name, "judge:" + judgeName(o, j), "profile:" + r.Profile}
	for _, p := range r.Judge.Prompts {
		parts = append(parts, "prompt-"+strings.TrimSuffix(p.Name, ".txt")+":"+p.Digest)
	}
	if !r.Judge.Baseline {
		parts = append(parts, judgeSettings(o, r))
	}
	return strings.Join(append(parts, signatureEnd(plan, o.Seed)...), "|")
}

// signatureEnd is what every benchmark's signature ends in.
func signatureEnd(plan *bench.Plan, seed uint64) []string {
	return []string{plan.Protocol, "data:" + plan.Data, fmt.Sprintf("samples:%d", plan.Units), fmt.Sprintf("seed:%d", seed), "omniscope:" + version()}
}

// judgeName is the judge's name; a script is named by what it holds.
func judgeName(o *evalOptions, j *judging) string {
	if j.byStep {
		return "scripted/" + j.source
	}
	return o.Judge
}

// judgeSettings names what else shapes a judge's answers.
func judgeSettings(o *evalOptions, r *omniscope.Results) string {
	text := fmt.Sprintf("temperature:%g|attempts:%d", o.JudgeTemperature, o.JudgeAttempts)
	if r.Profile == bench.Official.String() {
		text = fmt.Sprintf("temperature:%g", o.JudgeTemperature)
	}
	if o.JudgeMaxTokens > 0 {
		text += fmt.Sprintf("|max-tokens:%d", o.JudgeMaxTokens)
	}
	if o.JudgeExtra != "" {
		text += fmt.Sprintf("|extra:%x", sha256.Sum256([]byte(o.JudgeExtra)))[:len("|extra:")+12]
	}
	return text
}

// safeArgs is the command line without anything secret in its addresses.
func safeArgs(args []string) []string {
	safe := []string{"omniscope"}
	for _, a := range args[1:] {
		name, value, given := strings.Cut(a, "=")
		switch {
		case strings.Contains(a, "://") && given && strings.HasPrefix(name, "--"):
			a = name + "=" + openai.Redacted(value)
		case strings.Contains(a, "://"):
			a = openai.Redacted(a)
		}
		safe = append(safe, a)
	}
	return safe
}
