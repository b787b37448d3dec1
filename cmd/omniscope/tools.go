package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/catalog"
	"omniscope/model/openai"
	"omniscope/perceive"
	"omniscope/perceive/asr"
	"omniscope/perceive/mllm"
	"omniscope/perceive/ocr"
	"omniscope/perceive/scene"
	"omniscope/perceive/sound"
	"omniscope/perceive/speech"
	"omniscope/run"
	"omniscope/session"
)

// toolFlags are the flags that say who looks at clips, and how the models among
// them are called.
type toolFlags struct {
	Tools     []string // by name; nil = all that work here
	Observers []string // models
	ASR       string   // model

	observer, asr roleFlags
	address       string // of all roles that have none of their own
	set           *pflag.FlagSet
}

func (t *toolFlags) add(f *pflag.FlagSet) {
	t.set = f
	tools, observers, transcriber := &t.Tools, &t.Observers, &t.ASR
	f.StringSliceVar(tools, "tools", nil, "tools to use, with commas between: scene, ocr, sound, asr (default: all that work here)")
	f.StringArrayVar(observers, "observer", nil, "PROVIDER/NAME of a model that looks at the media itself; several times for several observers")
	t.observer.temperature, t.observer.otherwise = -1, "--"+modelAddress
	t.observer.add(f, session.Observer)
	f.StringVar(transcriber, "asr", "", "PROVIDER/NAME of a transcription model; without it, what is installed here")
	t.asr.role.Name, t.asr.set = session.ASR, f
	f.StringVar(&t.asr.role.BaseURL, "asr-base-url", "", "address of the transcription model (default: --model-base-url)")
	f.StringVar(&t.address, modelAddress, "", "address of all models that have none of their own, such as http://localhost:8000/v1 (default:\nfrom the environment)")
}

// role returns a role with a model, at the address for all models if it has none
// of its own.
func (t *toolFlags) role(r *roleFlags, model string) *session.Role {
	return addressOf(r.of(model), t.address, flagSource(t.set, modelAddress))
}

// check checks the flags of roles.
func (t *toolFlags) check() error { return errors.Join(t.observer.check(), t.asr.check()) }

// localTools are the tools of this machine, in the order in which a fixed plan
// uses them.
func localTools(transcribing asr.Options) []perceive.Tool {
	if transcribing.Engines == nil {
		transcribing.Engines = []asr.Engine{speech.NewEngine(""), asr.Pocketsphinx{}}
	}
	return []perceive.Tool{scene.New(), ocr.New(ocr.Options{}), sound.New(), asr.New(transcribing)}
}

// open makes the tools, and an observer of each sense of each model. One that was not asked for by name and does not
// work here is left out, and that is told.
func (d *toolFlags) open(cmd *cobra.Command, c *session.Calls, models *session.Models, senses []omniscope.Modality) ([]perceive.Tool, error) {
	options, err := d.speechOptions(c, models)
	if err != nil {
		return nil, err
	}
	var out []perceive.Tool
	known := localTools(options)
	for _, name := range d.Tools {
		if !slices.ContainsFunc(known, func(t perceive.Tool) bool { return t.Info().Name == name }) {
			return nil, usagef("there is no tool %q%s: %s", name, offerAmong(name, toolNames(known)), strings.Join(toolNames(known), ", "))
		}
	}
	for _, t := range known {
		info := t.Info()
		if len(d.Tools) > 0 && !slices.Contains(d.Tools, info.Name) || len(d.Tools) == 0 && !uses(senses, info.Modality) {
			continue
		}
		if err := t.Check(cmd.Context()); err != nil {
			if len(d.Tools) > 0 {
				return nil, err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "left out: %s: %s\n", info.Name, strings.TrimPrefix(err.Error(), info.Name+": "))
			continue
		}
		if info.Name != "asr" || len(options.Engines) == 0 {
			t = interruptible{t}
		}
		out = append(out, t)
	}
	for i, spec := range d.Observers {
		m, err := models.Open(cmd.Context(), d.role(&d.observer, spec))
		if err != nil {
			return nil, err
		}
		for _, sense := range senses {
			name := fmt.Sprintf("observer%d%s", i+1, map[omniscope.Modality]string{omniscope.Visual: "-seeing", omniscope.Audio: "-hearing"}[sense])
			t, err := mllm.New(name, m.Judge.Model, m.Judge.Request, mllm.Options{Modality: sense, Streak: m.Judge.Streak, Params: m.Judge.Params})
			if err != nil {
				return nil, err
			}
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Err: errors.New("no tool works here: install what is missing (`omniscope doctor` lists it), or name a model with --observer")}
	}
	return out, nil
}

// uses reports whether a tool of a sense is of use.
func uses(senses []omniscope.Modality, m omniscope.Modality) bool {
	return slices.Contains(senses, m) || slices.Contains(senses, omniscope.AudioVisual)
}

// An interruptible tool gives up when the run winds down: what it does costs
// time and no money, so that nobody needs to wait for it.
type interruptible struct{ perceive.Tool }

func (t interruptible) Observe(ctx context.Context, c *perceive.Clip, question string) (*perceive.Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(run.Stopping(ctx), cancel)()
	return t.Tool.Observe(ctx, c, question)
}

// checkModels checks how models are written before anything is opened for them.
func checkModels(specs ...string) error {
	for _, spec := range specs {
		if spec == "" {
			continue
		}
		if _, _, err := catalog.SplitModel(spec); err != nil {
			return err
		}
	}
	return nil
}

func toolNames(tools []perceive.Tool) []string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Info().Name)
	}
	return names
}

// waitUnlessStopping waits, but not for a run that winds down: a try that failed
// is then not made again.
func waitUnlessStopping(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-run.Stopping(ctx).Done():
		return run.Stopping(ctx).Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// speechOptions are the engines that transcribe: an endpoint where one is
// named, then what is installed.
func (d *toolFlags) speechOptions(c *session.Calls, models *session.Models) (asr.Options, error) {
	spec := d.ASR
	if spec == "" {
		return asr.Options{}, nil
	}
	provider, name, err := catalog.SplitModel(spec)
	if err != nil {
		return asr.Options{}, err
	}
	if provider.Local {
		return asr.Options{}, usagef("--asr names a transcription model at an endpoint, such as openai/whisper-1, not %s", spec)
	}
	e := session.EndpointOf(provider, d.role(&d.asr, spec))
	if err := e.Check(); err != nil {
		return asr.Options{}, err
	}
	models.Asks(e.Announcement("model " + spec)...)
	engine, err := asr.NewEndpoint(asr.EndpointOptions{BaseURL: e.URL, Model: name, Key: e.Key, Timeout: c.Timeout, Tries: c.MaxRetries + 1,
		Reach: models.Shared.Reaches.Of(openai.Redacted(e.URL)+" for transcriptions", c.EndpointWait), Wait: waitUnlessStopping})
	if err != nil {
		return asr.Options{}, err
	}
	return asr.Options{Engines: []asr.Engine{engine}}, nil
}
