package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/outfile"
	"omniscope/results/report"
	"omniscope/run/local"
	"omniscope/session"
	"omniscope/session/catalog"
	"omniscope/session/reconstruct"
	"omniscope/session/reconstruct/render"
	"omniscope/session/reconstruct/videos"
)

// reconstructOptions are the flags of reconstruct.
type reconstructOptions struct {
	plan      reconstruct.Options
	run       reconstruct.Run
	captions  []string
	generator string
	role      session.Role
	json      bool
	size      string
	again     []string
	choices   string
	videoMB   int
	retries   int
	timeout   time.Duration

	Out         string
	Concurrency int
	MaxFailures float64
	DryRun      bool
	Force       bool
	NoProgress  bool
}

func newReconstruct() *cobra.Command {
	o := &reconstructOptions{role: session.Role{Name: "generator"}}
	cmd := &cobra.Command{
		Use:   "reconstruct --captions SYSTEM=FILE --originals CLIPS --generator GENERATOR --out DIR",
		Short: "Generate videos from captions, to rate against the originals",
		Long: `Draw clips, and have a video generated from each system's caption of each. People then rate how much it is like the original:
'omniscope people new rating --pairs DIR/pairs.jsonl', and 'omniscope reconstruct report' sets their ratings beside scores. So
CapRiCorn-1K shows that its scores mean something.

GENERATOR is a model at an endpoint that speaks OpenAI's Videos API, such as openai/sora-2 or vllm/NAME, or a program:

  exec:python render.py --prompt-file {prompt_file} --seconds {seconds} --out {out}

No shell reads that line: it is split into arguments, and then the placeholders {prompt_file}, {seconds}, {name} and {out} are filled.

Each video is ordered once. Its job is in DIR/jobs.jsonl before it is asked for, so that the same command goes on after any
interruption, with the same jobs. What failed for good is told in DIR/failures.jsonl and not ordered again unless --order-again
names how it ended. An order whose reply never came is one of these: it may be paid for.

DIR gets videos/, pairs.jsonl, key.jsonl (whose videos they are: not for those who rate), failures.jsonl, automatic.jsonl and
automatic.md. docs/reconstruct.md says more.`,
		Example: `  omniscope reconstruct --captions ours=ours.jsonl --captions theirs=theirs.jsonl --originals clips.jsonl \
    --generator openai/sora-2 --price-per-second 0.10 --out reconstructed --dry-run
  omniscope people new rating ratings --pairs reconstructed/pairs.jsonl --controls 5
  omniscope reconstruct report reconstructed --ratings ratings --scores scores.csv`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.do(cmd) },
	}
	o.addFlags(cmd)
	cmd.AddCommand(newReconstructReport())
	return cmd
}

func (o *reconstructOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&o.captions, "captions", nil, "a system's captions, as SYSTEM=FILE (JSON Lines, JSON, CSV, Parquet, a folder); FILE alone names the system; repeatable")
	f.StringVar(&o.plan.Field, "caption-field", "", "field of the caption (default: the first that is there of "+strings.Join(bench.CaptionFields, ", ")+")")
	f.StringVar(&o.plan.Originals, "originals", "", "list of the clips, or a folder, as 'omniscope caption --list' reads them; captions go by their ids")
	f.StringVar(&o.plan.Media, "media", "", "folder that relative paths in --originals start from (default: the list's)")
	f.IntVar(&o.plan.Draw, "draw", 50, "how many clips are drawn, of those with captions of all systems; 0 = all")
	f.Uint64Var(&o.plan.Seed, "seed", 1, "seed of the clips and of all orders")
	f.StringVar(&o.generator, "generator", "", "who makes the videos: PROVIDER/NAME at an endpoint, or exec:COMMAND on this machine")
	f.StringVar(&o.role.BaseURL, "generator-base-url", "", "address of the generator, such as http://localhost:8091/v1 (default: from the environment)")
	addGatewayFlags(f, &o.role, "generator", "generator")
	f.StringVar(&o.role.Extra, "generator-extra", "", "further fields of the generator's orders, as a JSON object, such as {\"fps\": 16}")
	f.BoolVar(&o.json, "generator-json", false, "send orders as JSON rather than as a form")
	f.StringVar(&o.size, "size", "", "size of the videos, such as 1280x720 (default: the endpoint's own)")
	f.StringVar(&o.choices, "seconds-choices", "", "lengths in seconds that the generator can, such as 4,8,12: a clip gets the nearest (default: these for\nopenai, else whole seconds)")
	f.IntVar(&o.plan.MaxPrompt, "max-prompt", 0, "most characters of a prompt; a longer caption is refused; 0 = no limit")
	f.BoolVar(&o.plan.Cut, "cut-prompts", false, "cut captions that are longer than --max-prompt at the end of a sentence")
	f.StringVarP(&o.Out, "out", "o", "", "folder for the videos and the files about them")
	f.IntVarP(&o.Concurrency, "concurrency", "j", 4, "most jobs in flight")
	f.IntVar(&o.run.MaxJobs, "max-jobs", 0, "most videos that this command may order; it stops resumably (exit 4). 0 = no limit")
	f.Float64Var(&o.run.MaxCost, "max-cost", 0, "most US dollars that the orders of this command may cost, by --price-per-second; it stops resumably\n(exit 4). 0 = no limit")
	f.Float64Var(&o.run.Price, "price-per-second", 0, "US dollars for a second of video")
	f.BoolVar(&o.DryRun, "dry-run", false, "say how many jobs, seconds and dollars there are to order, and stop")
	f.DurationVar(&o.run.Poll, "poll", 10*time.Second, "wait before a job is asked for; it grows to ten times as much, or to what the server asks for")
	f.DurationVar(&o.run.Patience, "job-timeout", time.Hour, "longest wait for one video; the same command goes on waiting. A program is ended")
	f.DurationVar(&o.timeout, "timeout", 2*time.Minute, "longest wait for one answer of the endpoint, and longest silence of a download")
	f.IntVar(&o.retries, "max-retries", 9, "further tries of a request or a download that fails for a passing reason")
	f.DurationVar(&o.run.RetryWait, "retry-wait", time.Second, "wait before the second try, doubled for each further")
	f.MarkHidden("retry-wait") // for tests, which cannot wait as long as people
	f.IntVar(&o.videoMB, "max-video-size", 512, "largest video, in MB")
	f.StringSliceVar(&o.again, "order-again", nil, "order once more what ended so in an earlier command: uncertain (the default of the flag), failed,\nmoderated, expired")
	f.Lookup("order-again").NoOptDefVal = string(reconstruct.Uncertain)
	f.Float64Var(&o.MaxFailures, "max-failures", 0.05, "share of videos that may be missing before the exit code is 3")
	addQuiet(f, &o.NoProgress)
	f.BoolVar(&o.Force, "force", false, "write to --out even if that is of other captions, clips or lengths, or of another generator; videos and jobs that are\nthere are kept")
}

// check checks the flags, and fills in what follows from them.
func (o *reconstructOptions) check() error {
	for _, step := range []func() error{o.checkInputs, o.checkNumbers, o.readChoices, o.readAgain} {
		if err := step(); err != nil {
			return err
		}
	}
	for _, text := range o.captions {
		system, path, named := strings.Cut(text, "=")
		if _, err := os.Stat(text); !named || err == nil {
			system, path = bench.SystemName(text), text
		}
		o.plan.Captions = append(o.plan.Captions, reconstruct.Captions{System: system, Path: path})
	}
	o.plan.Threads = min(runtime.NumCPU(), 4)
	o.run.Tries, o.run.MaxBytes, o.run.Dir = o.retries+1, int64(o.videoMB)<<20, o.Out
	o.run.Engine = &local.Engine{Workers: o.Concurrency}
	return nil
}

func (o *reconstructOptions) checkInputs() error {
	return checkRules([]rule{
		{len(o.captions) == 0, "name the captions of a system with --captions SYSTEM=FILE; once for each system"},
		{o.plan.Originals == "", "name the list of the clips with --originals"},
		{o.generator == "", "name who makes the videos with --generator, such as openai/sora-2, or exec:'python render.py --prompt-file {prompt_file} --out {out}'"},
		{o.Out == "" && !o.DryRun, "name the folder for the results with --out"},
		{o.run.MaxCost > 0 && o.run.Price == 0, "--max-cost needs the price of a second: give it with --price-per-second, such as 0.10"},
	})
}

func (o *reconstructOptions) checkNumbers() error {
	within := func(x, most float64) bool { return x >= 0 && x <= most } // false for NaN
	return checkRules([]rule{
		{min(o.Concurrency, o.videoMB) < 1 || min(o.plan.Draw, o.plan.MaxPrompt, o.retries, o.run.MaxJobs) < 0,
			"--concurrency and --max-video-size must be at least 1, --draw, --max-prompt, --max-retries and --max-jobs at least 0"},
		{!within(o.run.MaxCost, 1e9) || !within(o.run.Price, 1e6), "--max-cost and --price-per-second are US dollars, from 0 on"},
		{min(o.run.Poll, o.run.Patience, o.timeout) <= 0 || o.run.RetryWait < 0, "--poll, --job-timeout and --timeout must be more than 0, such as 10s"},
		{!isShare(o.MaxFailures), "--max-failures is a share from 0 to 1, such as 0.05"},
	})
}

// readAgain reads the outcomes after which a video is ordered once more.
func (o *reconstructOptions) readAgain() error {
	for _, again := range o.again {
		if !slices.Contains(reconstruct.Final, reconstruct.Outcome(again)) {
			return omniscope.Usagef("--order-again=%s: it is any of %v", again, reconstruct.Final)
		}
		o.run.Again = append(o.run.Again, reconstruct.Outcome(again))
	}
	return nil
}

// readChoices reads the lengths that the generator can.
func (o *reconstructOptions) readChoices() error {
	if o.choices == "" {
		return nil
	}
	for text := range strings.SplitSeq(o.choices, ",") {
		seconds, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(seconds > 0 && seconds <= 3600) {
			return omniscope.Usagef("--seconds-choices are seconds, such as 4,8,12, not %q", text)
		}
		o.plan.Choices = append(o.plan.Choices, seconds)
	}
	return nil
}

// open opens the generator, and says whom it is.
func (o *reconstructOptions) open() (announcement []string, err error) {
	if strings.HasPrefix(o.generator, render.Prefix) {
		for _, f := range []struct {
			set  bool
			name string
		}{{o.role.BaseURL != "", "generator-base-url"}, {o.size != "", "size"}, {o.json, "generator-json"}, {o.role.Extra != "", "generator-extra"}} {
			if f.set {
				return nil, omniscope.Usagef("--%s is for endpoints: give a program what it needs among its arguments", f.name)
			}
		}
		o.plan.Generator = o.generator
		o.run.Maker, err = render.New(o.generator, o.run.Patience, o.run.MaxBytes)
		return nil, err
	}
	return o.openEndpoint()
}

func (o *reconstructOptions) openEndpoint() (announcement []string, err error) {
	o.role.Model = o.generator
	if err := o.role.Check(); err != nil {
		return nil, err
	}
	provider, name, err := catalog.SplitModel(o.generator)
	if err != nil {
		return nil, err
	}
	if !provider.Videos {
		return nil, omniscope.Usagef("--generator names a video model at an endpoint that speaks OpenAI's Videos API, such as openai/sora-2 or vllm/NAME, or exec:COMMAND, not %s", o.generator)
	}
	var extra map[string]json.RawMessage
	if o.role.Extra != "" {
		if err := json.Unmarshal([]byte(o.role.Extra), &extra); err != nil {
			return nil, err
		}
	}
	e := session.EndpointOf(provider, &o.role)
	if err := o.checkEndpoint(provider, e); err != nil {
		return nil, err
	}
	if provider.Name == "openai" && len(o.plan.Choices) == 0 {
		o.plan.Choices = []float64{4, 8, 12}
	}
	// The address does not shape a video: a server may move. Headers marked with ! are.
	shaping := []any{o.generator, o.size, extra}
	if o.role.SetRoute(); o.role.Route != "" {
		shaping = append(shaping, o.role.Route)
	}
	shaped, err := json.Marshal(shaping)
	if err != nil {
		return nil, err
	}
	o.plan.Generator = string(shaped)
	endpoint, err := videos.New(videos.Options{BaseURL: e.URL, Model: name, Key: e.Key, Headers: e.Headers, Query: e.Query, Size: o.size, Extra: extra, JSON: o.json,
		Timeout: o.timeout, Conns: o.Concurrency})
	if err != nil {
		return nil, err
	}
	o.run.Queue, o.run.Server = endpoint, endpoint.Shown()
	return e.Announcement("generator " + o.generator), nil
}

// checkEndpoint checks an endpoint. A forecast needs neither its address nor a key.
func (o *reconstructOptions) checkEndpoint(provider catalog.Provider, e session.Endpoint) error {
	if err := e.Check(); err != nil || o.DryRun {
		return err
	}
	if err := e.Given(); err != nil {
		return err
	}
	if !e.Key.IsSet() && e.URL == provider.BaseURL && provider.NeedsKey {
		return &omniscope.Error{Kind: omniscope.Denied, Err: fmt.Errorf("no key for %s: set %s, or give another address with --generator-base-url", provider.Name, provider.KeyEnv[0])}
	}
	return nil
}

func (o *reconstructOptions) do(cmd *cobra.Command) error {
	if o.role.BaseURL != "" {
		o.role.BaseURLFrom = flagSource(cmd.Flags(), "generator-base-url")
	}
	if err := o.check(); err != nil {
		return err
	}
	announcement, err := o.open()
	if err != nil {
		return err
	}
	plan, err := reconstruct.NewPlan(cmd.Context(), o.plan)
	if err != nil {
		return err
	}
	warn(cmd, printables(plan.Warnings)...)
	if o.DryRun {
		lines, err := o.run.Forecast(plan, o.Out)
		sayLines(cmd, lines)
		return err
	}
	for _, line := range announcement {
		fmt.Fprintln(cmd.ErrOrStderr(), printable(line))
	}
	return o.make(cmd, plan)
}

// make makes the videos, and writes the files about them.
func (o *reconstructOptions) make(cmd *cobra.Command, plan *reconstruct.Plan) (err error) {
	unlock, err := plan.Lock(o.Out, o.generator, o.Force)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	warnings, err := o.run.OtherServers(plan)
	if err != nil {
		return err
	}
	warn(cmd, printables(warnings)...)
	display := startProgress(cmd.ErrOrStderr(), o.NoProgress, len(plan.Jobs), nil)
	var done atomic.Int64
	o.run.Done = func() { display.Done(int(done.Add(1))) }
	result, err := o.run.Do(cmd.Context(), plan.Jobs)
	display.Stop()
	if result == nil {
		return err
	}
	if err != nil {
		sayLines(cmd, o.run.Sentences(plan, result))
		return err
	}
	automatic, err := plan.Write(cmd.Context(), o.Out, result, o.plan.Threads)
	if err != nil {
		return err
	}
	c := report.Comparison{Title: "Automatic companions of reconstructions", Tables: []omniscope.Table{plan.AutomaticTable(automatic)}}
	if err := outfile.WriteIn(o.Out, "automatic.md", c.Markdown); err != nil {
		return err
	}
	sayLines(cmd, o.run.Sentences(plan, result))
	fmt.Fprintf(cmd.OutOrStdout(), "written to %s; next: %s\n", printable(o.Out), printable(plan.Next(o.Out)))
	if failed, all := len(result.Failures), len(plan.Jobs); failed == all || float64(failed) > o.MaxFailures*float64(all) {
		return fmt.Errorf("%w: %d of %d videos are missing, more than --max-failures %g allows: %s says why", session.ErrTooManyFailures, failed, all, o.MaxFailures,
			filepath.Join(o.Out, reconstruct.FailuresFile))
	}
	return nil
}

func sayLines(cmd *cobra.Command, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(cmd.OutOrStdout(), line)
	}
}
