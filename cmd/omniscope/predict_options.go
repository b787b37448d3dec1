package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/bench/predict"
	"omniscope/internal/input"
	"omniscope/internal/spelling"
	"omniscope/model/ref"
	"omniscope/session"
	"omniscope/session/benchdata"
	"omniscope/session/caption"
	"omniscope/session/catalog"
	runpredict "omniscope/session/predict"
)

// predictOptions are the flags of commands that ask a model about media.
type predictOptions struct {
	spec        runpredict.Spec
	used        *document.UsageInfo // what the run took; nil = it asked no model
	Model       string
	Prompt      string
	Modality    string
	Out, System string
	Force       bool
	MaxFailures float64
	NoProgress  bool
	quiet       bool // standard output is a document of another half
	Blind       float64
	MaxBlind    int
	MediaAs     string
	ServeMedia  string

	model     modelFlag
	detective detectiveFlags
	calls     session.Calls
	cacheSize input.Bytes
	shard     session.Shard
	engine    engineFlag
}

func (o *predictOptions) addDataFlags(f *pflag.FlagSet) {
	f.StringVarP(&o.spec.Data, "data", "d", "", "the benchmark's own file, which says what is asked (default: that of the hub's cache: omniscope data get)")
	f.StringVar(&o.spec.Media, "media", "", "folder that the media's names in --data start from (default: the folder of --data)")
}

// findData finds the benchmark's file.
func (o *predictOptions) findData(cmd *cobra.Command) error {
	b, err := catalog.Benchmark(o.spec.Benchmark)
	if err == nil {
		o.spec.Data, err = findData(cmd, b.Info(), o.spec.Data, true)
	}
	return err
}

// findData finds a benchmark's file, and says where if it was not named by its path.
func findData(cmd *cobra.Command, info bench.Info, data string, needed bool) (string, error) {
	file, found, err := benchdata.Resolve(info, data, needed)
	if found {
		fmt.Fprintln(cmd.ErrOrStderr(), "data:", file)
	}
	return file, err
}

// addModelFlags adds the flags that name a model, and how it is asked.
func (o *predictOptions) addModelFlags(f *pflag.FlagSet) {
	o.model.words, o.model.systems = []string{runpredict.DetectiveSystem}, true
	o.model.add(f, runpredict.Answering, "", "model to run; detective = investigation by tools and observers, as 'omniscope caption' without --model does it")
	f.StringVar(&o.Modality, "modality", "", "what the model is given: audio-visual, audio, visual or text; or mllm, audio, video, text (default: the\nprofile's first)")
}

func (o *predictOptions) addFlags(f *pflag.FlagSet, out string) {
	o.calls = clipCalls()
	o.addModelFlags(f)
	o.addAskFlags(f)
	o.detective.add(f)
	f.IntVar(&o.spec.Limit, "limit", 0, "ask about the first N samples only; 0 = all")
	f.StringSliceVar(&o.spec.SampleIDs, "sample", nil, "ask about these samples only, with commas between")
	f.Uint64Var(&o.spec.Seed, "seed", 0, "seed of drawn prompts")
	f.StringVarP(&o.Out, "out", "o", out, "file of the answers, or a folder, in which it has its usual name; beside it FILE.details.jsonl says what was\nsent and what went wrong")
	addForce(f, &o.Force)
	addQuiet(f, &o.NoProgress)
	f.IntVarP(&o.calls.MaxConcurrency, "concurrency", "j", o.calls.MaxConcurrency, "most calls of the model at a time; fewer while the endpoint complains")
	addCallFlags(f, &o.calls)
}

// addAskFlags adds the flags of what is sent to the model and of which answers are taken.
func (o *predictOptions) addAskFlags(f *pflag.FlagSet) {
	f.StringVar(&o.Prompt, "prompt", "", "ask this in place of the profile's prompts; a benchmark's own prompts stay")
	f.BoolVar(&o.spec.KeepCut, "keep-truncated", false, "take answers that were cut off by the length limit for answers, as published runners do")
	f.StringVar(&o.System, "system", "", "name of the system in the answers (default: the model's)")
	f.Float64Var(&o.MaxFailures, "max-failures", session.DefaultMaxFailures, "share of samples that may have no answer before the exit code is 3")
	f.Float64Var(&o.Blind, "blind-share", runpredict.DefaultBlind, "ask this share of samples, at least one, again without their media, as calls beside the others: an answer that\nis as good shows that the media were not perceived; 0 = none")
	f.IntVar(&o.MaxBlind, "max-blind", runpredict.DefaultMostBlind, "ask at most N samples again without their media; 0 = no limit")
	f.StringVar(&o.MediaAs, "media-as", runpredict.AsData, "how files that a profile sends whole (send: video) reach the model: data, in the request; file, as the\nfile:// address of a disk that it sees as well; http, served by this command while it runs")
	f.StringVar(&o.ServeMedia, "serve-media", "", "HOST:PORT at which --media-as http serves, as the endpoint reaches it (default: any port of 127.0.0.1)")
	f.Var(&o.cacheSize, "cache-size", "most that the frames and sound of clips may take in --work-dir, where other models and runs find them\n(default: 20 GB)")
}

func (o *predictOptions) check(cmd *cobra.Command) error {
	if err := checkRules([]rule{
		{o.Out == "" && o.spec.Benchmark != "", "--out names a file or a folder"},
		{o.spec.Limit < 0, "--limit must not be negative"},
		{!isShare(o.MaxFailures), "--max-failures is a share from 0 to 1"},
		{!isShare(o.Blind) || o.MaxBlind < 0, "--blind-share is a share from 0 to 1, and --max-blind is not negative"},
	}); err != nil {
		return err
	}
	return o.checkModel(cmd)
}

// checkModel checks the flags that say which model is asked, and how.
func (o *predictOptions) checkModel(cmd *cobra.Command) error {
	if o.Model = o.model.model(); o.Model == "" {
		return omniscope.Usagef("name the model to run with --model PROVIDER/NAME (`omniscope docs models`)")
	}
	if o.detective.set != nil {
		if err := o.detective.useSystem(cmd, o.Model, &o.System); err != nil {
			return err
		}
		if o.Model == runpredict.DetectiveSystem || o.detective.system != "" {
			return o.checkDetective()
		}
	}
	if err := cmp.Or(o.detective.checkUnused(), o.model.check(), o.calls.Check()); err != nil {
		return err
	}
	return o.setProfile(cmd)
}

// setProfile finds out how the model is asked.
func (o *predictOptions) setProfile(cmd *cobra.Command) error {
	role := o.model.one()
	if o.Prompt != "" {
		role.Shows = append(role.Shows, ref.Setting{Key: "prompt", Value: o.Prompt})
	}
	p, modality, made, err := runpredict.Asked(cmd.Context(), role, o.spec.Benchmark)
	if err != nil {
		return err
	}
	if !made {
		fmt.Fprintf(cmd.ErrOrStderr(), "no profile is made for %s: it is asked by the profile called %s (--model %s,profile=NAME names another)\n", o.Model, predict.DefaultProfile, o.Model)
	}
	if err := runpredict.CheckMediaAs(o.MediaAs, o.ServeMedia, o.Model, p); err != nil {
		return err
	}
	o.spec.Profile = p
	if p.AtOnce > 0 && !cmd.Flags().Changed("concurrency") {
		o.calls.MaxConcurrency = p.AtOnce
	}
	if o.Modality == "" {
		o.spec.AnySense = modality == ""
		o.Modality = string(modality)
	}
	o.spec.Modality, err = o.modality(p)
	return err
}

// modality returns the named modality, else the default of benchmark and profile. p is nil for the detective.
func (o *predictOptions) modality(p *predict.Profile) (given omniscope.Modality, err error) {
	if o.Modality != "" {
		if given, err = givenModality(o.Modality); err != nil {
			return "", err
		}
	}
	return runpredict.ChooseModality(o.spec.Benchmark, p, given)
}

// givenModality reads a modality of predict, by our name or MCIF's.
func givenModality(text string) (omniscope.Modality, error) {
	if text == string(predict.Text) {
		return predict.Text, nil
	}
	name := map[string]string{"mllm": "audio-visual", "video": "visual"}[text]
	name, err := modalityOf(cmp.Or(name, text))
	if err != nil {
		return "", spelling.CheckChoice("modality", text, append(slices.Clone(modalities), string(predict.Text)), map[string]string{"sound": "audio"})
	}
	return omniscope.Modality(name), nil
}

// An openedAsking is an opened run that asks a model, with the flags that it was opened by.
type openedAsking struct {
	runpredict.Asking
	flags   *predictOptions
	options *runpredict.Options
}

// open checks the flags and opens the run.
func (o *predictOptions) open(cmd *cobra.Command, shared *session.Shared) (*openedAsking, error) {
	if err := o.prepare(cmd); err != nil {
		return nil, err
	}
	p := o.predicting(cmd, shared)
	a, err := runpredict.Open(cmd.Context(), &o.spec, p)
	if err != nil {
		return nil, err
	}
	return &openedAsking{a, o, p}, nil
}

// finish asks the model, closes the run and prints the outcomes.
func (a *openedAsking) finish(cmd *cobra.Command) (_ *runpredict.Summary, err error) {
	o, m := a.flags, &a.options.Machine
	closeWork, err := o.engine.remotely(cmd, m, o.NoProgress, func() (session.Units, error) { return runpredict.Open(cmd.Context(), &o.spec, a.options) })
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	defer func() { err = errors.Join(err, closeWork()) }()
	if err := session.Finish(cmd.Context(), a.Asking, m); err != nil {
		return nil, err
	}
	o.show(cmd, a.Summary())
	return a.Summary(), nil
}

// predictPart runs the model on a part of the samples.
func (o *predictOptions) predictPart(cmd *cobra.Command) error {
	if err := o.prepare(cmd); err != nil {
		return err
	}
	p := o.predicting(cmd, nil)
	return doShard(cmd, &p.Machine, o.shard, o.NoProgress, func() (session.Units, error) { return runpredict.Open(cmd.Context(), &o.spec, p) })
}

// prepare checks the flags and says what the run does.
func (o *predictOptions) prepare(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	s := &o.spec
	if s.Investigation == nil {
		s.Model = o.model.one()
	}
	if s.Media == "" && s.Data != "" {
		s.Media = filepath.Dir(s.Data)
	}
	return nil
}

// predicting says how the model is run.
func (o *predictOptions) predicting(cmd *cobra.Command, shared *session.Shared) *runpredict.Options {
	return &runpredict.Options{
		Machine: session.Machine{Calls: &o.calls, Shared: shared, Warnings: cmd.ErrOrStderr(), Address: o.address(), Progress: showing(cmd, o.NoProgress), Out: o.Out, Force: o.Force, Used: func(u document.UsageInfo) { o.used = &u }},
		System:  o.System, Blind: o.Blind, MostBlind: o.MaxBlind, MediaAs: o.MediaAs, ServeMedia: o.ServeMedia, CacheBytes: int64(o.cacheSize), Jobs: o.clipsAtOnce(),
	}
}

// show prints the results.
func (o *predictOptions) show(cmd *cobra.Command, p *runpredict.Summary) {
	o.showWarnings(cmd, p)
	if o.quiet {
		return
	}
	printList(cmd, catalog.List{Columns: []string{"outcome", "samples"}, Rows: p.Rows()})
	if o.used != nil {
		showUsed(cmd.OutOrStdout(), *o.used)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "written to %s, and what was sent to %s\n", p.File, p.Details)
}

// showWarnings prints the warnings about the answers.
func (o *predictOptions) showWarnings(cmd *cobra.Command, p *runpredict.Summary) {
	warn(cmd, p.Warnings...)
	if p.Few > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: for %d of %d samples the endpoint counted fewer tokens than what it was sent has: it did not perceive all of it, or does not count it; %s has the numbers\n", p.Few, p.Samples, p.Details)
	}
}

// clipsAtOnce is how many clips the detective investigates at a time.
func (o *predictOptions) clipsAtOnce() int {
	if o.detective.set != nil && o.detective.set.Changed("concurrency") {
		return o.calls.MaxConcurrency
	}
	return caption.DefaultJobs
}
