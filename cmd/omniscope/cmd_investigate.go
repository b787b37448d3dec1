package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/detective"
	"omniscope/session"
)

// investigateOptions are the flags of investigate. Their JSON is the run's
// manifest; it holds nothing secret.
type investigateOptions struct {
	Modality  string                   `json:"modality"`
	Detective string                   `json:"detective"`
	Tools     []string                 `json:"tools,omitempty"`
	Observers []string                 `json:"observers,omitempty"`
	ASR       string                   `json:"asr,omitempty"`
	Inquiries int                      `json:"max_inquiries"`
	Prompts   string                   `json:"prompts,omitempty"`
	Roles     map[string]*session.Role `json:"roles,omitempty"` // whose flags are not the defaults
	Clips     []string                 `json:"clips,omitempty"` // whole paths

	Out         string `json:"-"`
	Force       bool   `json:"-"`
	Jobs        int    `json:"-"`
	JSON        bool   `json:"-"`
	NoProgress  bool   `json:"-"`
	calls       session.Calls
	detective   roleFlags
	tools       toolFlags
	oldMaxCalls int // by the flag's old name
}

func (o *investigateOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.Modality, "modality", "av", "senses that may be used: av, a (hear only) or v (see only)")
	f.StringVar(&o.Detective, "detective", "offline", "who asks and writes: PROVIDER/NAME of a language model, which never sees the media, or\noffline, a fixed plan through the tools")
	f.IntVar(&o.Inquiries, "max-inquiries", detective.DefaultBudget, "inquiries at most, for each clip")
	f.StringVar(&o.Prompts, "prompts", "", "folder with prompt files that replace the built-in ones of the same name")
	f.StringVarP(&o.Out, "out", "o", "investigations", "folder of the results: one for each clip, and trajectories.jsonl")
	f.IntVarP(&o.Jobs, "jobs", "j", 2, "clips at a time")
	addForce(f, &o.Force)
	f.BoolVar(&o.JSON, "json", false, "print each report as a line of JSON instead of its caption")
	f.BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
	o.detective.role.Attempts, o.detective.otherwise = 3, "--"+modelAddress
	o.detective.add(f, session.Detective)
	o.tools.add(f)
	o.calls = clipCalls()
	f.IntVar(&o.calls.MaxConcurrency, "max-concurrency", o.calls.MaxConcurrency, "most calls of one model at a time; fewer while the endpoint complains")
	addCallFlags(f, &o.calls)
	addOldMaxCalls(f, &o.oldMaxCalls)
}

func newInvestigate() *cobra.Command {
	o := &investigateOptions{}
	cmd := &cobra.Command{
		Use:   "investigate MEDIA...",
		Short: "Write captions of clips by investigation, with evidence",
		Long: `Find out what is in clips by asking tools and observers, and write captions whose sentences name
the observations they rest on (Omni-Detective, arXiv 2510.12720). The detective, a language model or a
fixed plan, never sees the media: it asks one tool one question at a time and cross-examines the
answers. What contradicts itself is listed; sentences without evidence are marked.

Every call of a model or tool is remembered in the journal of --work-dir: run the same command again
after any interruption and it goes on where it stopped.`,
		Example: `  omniscope investigate clip.mp4
  omniscope investigate *.mp4 --detective openai/gpt-4.1 --observer openai/gpt-4o --out captions
  omniscope investigate talk.webm --modality a --tools sound,asr`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the media files to investigate; see `omniscope investigate --help`")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.addFlags(cmd.Flags())
	return cmd
}

// letters are what other commands call the modalities, as this one does.
var letters = map[string]string{"audio-visual": "av", "audiovisual": "av", "va": "av", "both": "av", "audio": "a", "sound": "a", "visual": "v", "video": "v"}

var modalities = map[string]omniscope.Modality{"av": omniscope.AudioVisual, "a": omniscope.Audio, "v": omniscope.Visual}

func (o *investigateOptions) check() error {
	if err := checkChoice("modality", o.Modality, []string{"av", "a", "v"}, letters); err != nil {
		return err
	}
	switch {
	case o.Inquiries < 1:
		return usagef("--max-inquiries must be at least 1")
	case o.Jobs < 1:
		return usagef("--jobs must be at least 1")
	}
	return errors.Join(checkModels(append(o.tools.Observers, o.Detective, o.tools.ASR)...), o.detective.check(), o.tools.check(), o.calls.Check())
}

// renameFlags heeds the flags of commands written when --max-calls was the most
// inquiries and --max-model-calls the budget of calls. A command with both of
// them can only mean that; --max-calls alone may be new or old, and counts as
// the budget that it is in every other command: less is spent, and what stops
// can go on.
func (o *investigateOptions) renameFlags(f *pflag.FlagSet, warn io.Writer) error {
	calls, inquiries := f.Changed("max-calls"), f.Changed("max-inquiries")
	switch {
	case calls && !inquiries && f.Changed("max-model-calls"):
		o.Inquiries, o.calls.MaxCalls = o.calls.MaxCalls, o.oldMaxCalls
		fmt.Fprintf(warn, "warning: flags have new names: write --max-inquiries %d --max-calls %d\n", o.Inquiries, o.calls.MaxCalls)
		return nil
	case calls && !inquiries:
		fmt.Fprintf(warn, "warning: --max-calls %d is the most calls of models, of all clips together; the most inquiries for each clip, which it once was, is --max-inquiries (%d)\n", o.calls.MaxCalls, o.Inquiries)
	}
	return renameMaxCalls(f, warn, o.oldMaxCalls, &o.calls)
}

func (o *investigateOptions) run(cmd *cobra.Command, files []string) error {
	if err := o.renameFlags(cmd.Flags(), cmd.ErrOrStderr()); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	o.Tools, o.Observers, o.ASR = o.tools.Tools, o.tools.Observers, o.tools.ASR
	o.Roles = changedRoles(&o.detective, &o.tools.observer)
	flags, err := json.Marshal(o)
	if err != nil {
		return err
	}
	o.Clips = absolute(files)
	manifest, err := json.Marshal(o)
	if err != nil {
		return err
	}
	w := &investigation{cmd: cmd, o: o, files: files, names: clipNames(files), flags: fmt.Sprintf("%x", sha256.Sum256(flags))}
	if err := w.checkFolders(); err != nil {
		return err
	}
	name := fmt.Sprintf("investigate-%x", sha256.Sum256(manifest))[:len("investigate-")+12]
	models, err := session.OpenModels(cmd.Context(), &o.calls, &session.Shared{}, name, string(manifest), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer models.Close()
	defer func() { models.Warn(cmd.ErrOrStderr()) }()
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return err
	}
	if err := w.open(models); err != nil {
		return err
	}
	models.Announce(cmd.ErrOrStderr())
	w.locks = &clipLocks{dir: session.JournalDir(o.calls.WorkDir), flags: w.flags, held: make(map[string]*clipLock)}
	return errors.Join(w.all(cmd.Context()), w.trajectories.Close())
}

// absolute are the files' whole paths in order, each once: the same clips are
// the same run, in whatever order and from whatever folder they are named.
func absolute(files []string) []string {
	paths := make([]string, len(files))
	for i, path := range files {
		if whole, err := filepath.Abs(path); err == nil {
			path = whole
		}
		paths[i] = path
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// open makes the tools and the planner, and opens the trajectories.
func (w *investigation) open(models *session.Models) (err error) {
	o := w.o
	w.models, w.planner = models, detective.Offline{}
	if w.prompts, err = loadDetectivePrompts(o.Prompts); err != nil {
		return err
	}
	if w.tools, err = o.tools.open(w.cmd, &o.calls, models, o.senses()); err != nil {
		return err
	}
	if o.Detective != "offline" {
		m, err := models.Open(w.cmd.Context(), o.tools.role(&o.detective, o.Detective))
		if err != nil {
			return err
		}
		w.planner = &detective.LLM{Judge: m.Judge}
	}
	unlock, err := lockTrajectories(w.cmd.Context(), o.Out)
	if err != nil {
		return err
	}
	defer unlock()
	w.trajectories, err = detective.OpenTrajectories(filepath.Join(o.Out, "trajectories.jsonl"))
	return err
}

// senses are those of which each observing model becomes an observer. Where
// both may be used, a detective may also want to know what is heard by one who
// does not see; a fixed plan would only ask the same three times.
func (o *investigateOptions) senses() []omniscope.Modality {
	m := modalities[o.Modality]
	if m == omniscope.AudioVisual && o.Detective != "offline" {
		return []omniscope.Modality{m, omniscope.Visual, omniscope.Audio}
	}
	return []omniscope.Modality{m}
}

func loadDetectivePrompts(folder string) (*detective.Prompts, error) {
	if folder == "" {
		return detective.LoadPrompts(nil, "")
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, notAFolder("prompts", folder)
	}
	return detective.LoadPrompts(os.DirFS(folder), folder)
}
