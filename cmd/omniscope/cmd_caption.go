package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/bench/document"
	"omniscope/detective"
	"omniscope/internal/visible"
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/predict"
)

// captionOptions are the flags of caption.
type captionOptions struct {
	clipFlags
	ask    predictOptions // of a single model
	spec   caption.Spec   // of an investigation
	own    ownTools
	shard  session.Shard
	engine engineFlag

	list        string
	media       string // folder of the list's media
	passes      []string
	pilot       int
	seed        uint64
	limit       int
	maxFile     int64 // megabytes
	keepFetched bool
	pages       bool
	toolsOnly   bool
	quiet       bool
	used        *document.UsageInfo // what the command took; nil = it asked no model
}

func newCaption() *cobra.Command {
	o := &captionOptions{}
	cmd := &cobra.Command{
		Use:   "caption {CLIPS... | --list FILE}",
		Short: "Caption clips: by one model, or by an investigation with evidence",
		Long: `Write a caption of each clip, as rows of JSON with the fields id, path, caption, modality and system, which eval, audit, people,
train and curate read. A folder means the video and sound files in it and below.

--model asks one model. --detective and --observer investigate: a detective, a language model that never sees the media, asks tools
and observers one question at a time, cross-examines the answers, and writes sentences that name their evidence
(Omni-Detective, arXiv 2510.12720). With neither, a fixed plan asks the tools of this machine. --tools-only writes no captions: what
the tools find is remembered for later commands.

--list describes the clips of a long list, with several passes, a pilot that forecasts the rest, and files of 1,000 rows
(docs/production.md).

Every answer is remembered in the journal of --work-dir: run the same command again to continue after any interruption.`,
		Example: `  omniscope caption clips --model vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct
  omniscope caption clip.mp4
  omniscope caption clips --detective openai/gpt-4.1 --observer openai/gpt-4o --dry-run
  omniscope caption --list clips.jsonl --passes a,v,av --pilot 20 --detective openai/gpt-4.1 --observer openai/gpt-4o
  omniscope caption clips --tools-only -j 8`,
		Args: cobra.ArbitraryArgs, // which depend on flags, and these on the environment
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.addFlags(cmd.Flags())
	return cmd
}

func (o *captionOptions) addFlags(f *pflag.FlagSet) {
	o.calls = clipCalls()
	o.ask.addModelFlags(f)
	o.ask.addAskFlags(f)
	o.addWho(f, session.Detective)
	o.own.add(f, &o.calls)
	f.StringVar(&o.Prompts, "prompts", "", "folder with prompt files that replace the built-in ones of the same name, of an investigation")
	f.IntVar(&o.spec.Inquiries, "inquiries", detective.DefaultBudget, "most inquiries for each clip")
	f.IntVar(&o.spec.EnoughAfter, "enough-after", 0, "end the inquiries after so many in a row that brought nothing new, by the ledger; 0 = when the\ndetective ends them")
	f.IntVar(&o.spec.Confirm, "confirm", 0, "before the caption is written, put at most so many claims that rest on one observer to an observer\nof another model")
	f.IntSliceVar(&o.spec.ConcludeAt, "conclude-at", nil, "write a caption after each of these numbers of inquiries as well, such as 1,2,3,5")
	f.BoolVar(&o.toolsOnly, "tools-only", false, "only ask the tools of this machine, and remember the answers for later commands")
	f.StringVar(&o.list, "list", "", "list of clips instead of CLIPS: JSON Lines, CSV, Parquet, text with a path in each line, or a folder")
	f.StringVar(&o.media, "media", "", "with --list: folder that relative paths start from (default: the list's)")
	f.StringSliceVar(&o.passes, "passes", nil, "with --list: an investigation of each clip for each of these modalities, such as a,v,av")
	f.IntVar(&o.pilot, "pilot", 0, "with --list: investigate so many clips, drawn by --seed, and forecast the rest")
	f.Uint64Var(&o.seed, "seed", 0, "seed of what is drawn: the clips of --pilot, and a model's prompts")
	f.Int64Var(&o.maxFile, "max-file-size", 4096, "with --list: megabytes of a file on the web; a larger one is not fetched")
	f.BoolVar(&o.keepFetched, "keep-fetched", false, "with --list: keep files from the web below --work-dir when no clip needs them any more")
	f.IntVar(&o.limit, "limit", 0, "describe the first N clips only; 0 = all")
	f.StringVarP(&o.Out, "out", "o", "", "folder of the captions; with --model also a file that ends in .jsonl or .csv (default: a folder of its own in captions\nof --work-dir)")
	f.BoolVar(&o.pages, "pages", false, "write a folder with a page for each investigation, not only for those without a caption")
	f.IntVarP(&o.calls.MaxConcurrency, "concurrency", "j", o.calls.MaxConcurrency, fmt.Sprintf("most calls of one model at a time, fewer while the endpoint complains; and clips of an investigation at a\ntime, which are %d without the flag", caption.DefaultJobs))
	f.BoolVar(&o.JSON, "json", false, "print JSON: a line for each report, or the statistics of a list")
	addQuiet(f, &o.quiet)
	f.BoolVar(&o.calls.DryRun, "dry-run", false, "only forecast calls, tokens and dollars: nothing is asked")
	addForce(f, &o.Force)
	addCallFlags(f, &o.calls)
	addShard(f, &o.shard)
	o.engine.add(f)
}

// Flags of one way to describe clips, which mean nothing to the others.
var (
	ofSingleModel   = []string{"prompt", "keep-truncated", "system", "max-failures", "blind-share", "max-blind", "media-as", "serve-media", "cache-size"}
	ofInvestigation = []string{"detective", "observer", "asr", "tools", "tool", "prompts", "inquiries", "enough-after", "confirm", "conclude-at", "tools-only", "pages", "list"}
	ofClipList      = []string{"passes", "media", "pilot", "max-file-size", "keep-fetched"}
	ofToolsOnly     = []string{"detective", "observer", "asr", "tool", "prompts", "enough-after", "confirm", "conclude-at", "pages", "passes", "pilot", "out", "json", "force", "dry-run"}
)

func (o *captionOptions) checkArguments(cmd *cobra.Command, args []string) error {
	f := cmd.Flags()
	single, other := firstGiven(f, ofSingleModel...), firstGiven(f, ofInvestigation...)
	model := o.ask.model.model()
	ofList, captions, drawn := firstGiven(f, ofClipList...), firstGiven(f, ofToolsOnly...), model != "" || o.pilot > 0
	err := checkRules([]rule{
		{model != "" && o.asker.given, "--model asks one model, and --detective has another ask tools and observers: give one of them"},
		{model == predict.DetectiveSystem, "--model names a model: for an investigation leave it out, or name who leads it with --detective"},
		{model != "" && other != "", "--" + other + " belongs to an investigation: leave it out, or leave out --model"},
		{model == "" && single != "", "--" + single + " goes with --model"},
		{o.list == "" && ofList != "", "--" + ofList + " goes with --list"},
		{o.toolsOnly && captions != "", "--" + captions + " is about captions, and --tools-only writes none"},
		{f.Changed("seed") && !drawn, "--seed goes with --pilot or --model"},
		{o.list == "" && len(args) == 0, "name the media files to describe or their folder, or a list of them with --list; see `omniscope caption --help`"},
		{o.list != "" && len(args) > 0, "give --list or media files, not both: " + visible.Line(strings.Join(args[:min(1, len(args))], ""))},
		{o.limit < 0, "--limit must not be negative"},
		{len(o.own.list) > 0 && f.Changed("engine"), "--tool works on this machine alone: workers start no program of yours"},
	})
	if err == nil && o.list != "" {
		err = o.checkListFlags(f)
	}
	return err
}

func (o *captionOptions) checkListFlags(f *pflag.FlagSet) error {
	return checkRules([]rule{
		{f.Changed("passes") && f.Changed("modality"), "--passes selects the modalities instead of --modality: give one of them"},
		{f.Changed("engine") && !o.toolsOnly, "--list is not handed to workers: leave out --engine, and do a part of the list on each machine with --shard"},
		{o.shard.N > 0 && (o.pilot > 0 || o.calls.DryRun), "--pilot and --dry-run use the complete list: leave out --shard"},
		{o.pilot < 0 || o.maxFile < 1, "--pilot and --max-file-size must not be negative"},
		{o.pilot > 0 && o.Force, "--force would remove the captions that are there for a pilot: name another folder with --out"},
		{o.pilot > 0 && o.calls.DryRun, "--pilot asks models, and --dry-run asks nothing: give one of them"},
	})
}

func (o *captionOptions) run(cmd *cobra.Command, args []string) (err error) {
	defer func() { err = o.shared.End(err) }()
	if err := o.checkArguments(cmd, args); err != nil {
		return err
	}
	if o.ask.model.model() != "" {
		return o.askModel(cmd, args)
	}
	if err := o.check(); err != nil {
		return err
	}
	o.setWho(&o.spec)
	switch {
	case o.toolsOnly:
		return o.runTools(cmd, args)
	case o.list != "":
		return o.runList(cmd)
	}
	files, err := o.files(cmd, args)
	if err != nil {
		return err
	}
	return o.runFiles(cmd, files)
}

// check checks the flags of an investigation.
func (o *captionOptions) check() error {
	modality, err := modalityOf(cmp.Or(o.ask.Modality, "audio-visual"))
	if err != nil {
		return err
	}
	o.spec.Modality = modalityLetters[modality]
	err = checkRules([]rule{
		{o.spec.Inquiries < 1, "--inquiries must be at least 1"},
		{min(o.spec.EnoughAfter, o.spec.Confirm) < 0, "--enough-after and --confirm must not be negative"},
		{slices.ContainsFunc(o.spec.ConcludeAt, func(n int) bool { return n < 1 }), "--conclude-at has numbers of inquiries, from 1 on"},
	})
	if err := cmp.Or(err, o.own.check(&o.calls)); err != nil {
		return err
	}
	o.spec.Programs = o.own.list
	slices.Sort(o.spec.ConcludeAt)
	o.spec.ConcludeAt = slices.Compact(o.spec.ConcludeAt)
	return o.clipFlags.check()
}

// atOnce is how many clips are investigated at a time.
func (c *clipFlags) atOnce() int {
	if c.set.Changed("concurrency") {
		return c.calls.MaxConcurrency
	}
	return caption.DefaultJobs
}

// files are the media files of the arguments, as far as --limit goes.
func (o *captionOptions) files(cmd *cobra.Command, args []string) ([]string, error) {
	files, err := predict.MediaFiles(args, o.calls.WorkDir, cmd.ErrOrStderr())
	return o.first(files), err
}

func (o *captionOptions) first(files []string) []string {
	if o.limit > 0 {
		return files[:min(o.limit, len(files))]
	}
	return files
}

// machine is what the flags set of a run that does not shape it.
func (o *captionOptions) machine(cmd *cobra.Command) session.Machine {
	m := o.clipFlags.machine(cmd, o.quiet)
	m.Used = func(u document.UsageInfo) { o.used = &u }
	return m
}

// show prints the result of the command.
func (o *captionOptions) show(cmd *cobra.Command, r *caption.Result) {
	used := ""
	if o.used != nil {
		used = usedText(*o.used)
	}
	if o.JSON {
		if used != "" {
			fmt.Fprintln(cmd.ErrOrStderr(), used)
		}
		return
	}
	fmt.Fprint(cmd.OutOrStdout(), r.Text(used))
}
