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
)

func addToolFlags(f *pflag.FlagSet, tools, observers *[]string, transcriber *string) {
	f.StringSliceVar(tools, "tools", nil, "tools to use, with commas between: scene, ocr, sound, asr (default: all that work here)")
	f.StringArrayVar(observers, "observer", nil, "PROVIDER/NAME of a model that looks at the media itself; several times for several observers")
	f.StringVar(transcriber, "asr", "", "PROVIDER/NAME of a transcription model; without it, what is installed here")
}

// localTools are the tools of this machine, in the order in which a fixed plan
// uses them.
func localTools(transcribing asr.Options) []perceive.Tool {
	if transcribing.Engines == nil {
		transcribing.Engines = []asr.Engine{speech.NewEngine(""), asr.Pocketsphinx{}}
	}
	return []perceive.Tool{scene.New(), ocr.New(ocr.Options{}), sound.New(), asr.New(transcribing)}
}

// A demand is which tools a command wants.
type demand struct {
	tools     []string // by name; nil = all that work here
	observers []string // models
	asr       string
	senses    []omniscope.Modality // an observer of each is made of each model
}

// openTools makes the tools. One that was not asked for by name and does not
// work here is left out, and that is told.
func openTools(cmd *cobra.Command, calls *calls, d demand) ([]perceive.Tool, error) {
	options, err := speechOptions(d.asr, calls)
	if err != nil {
		return nil, err
	}
	var out []perceive.Tool
	known := localTools(options)
	for _, name := range d.tools {
		if !slices.ContainsFunc(known, func(t perceive.Tool) bool { return t.Info().Name == name }) {
			return nil, usagef("there is no tool %q%s: %s", name, offerAmong(name, toolNames(known)), strings.Join(toolNames(known), ", "))
		}
	}
	for _, t := range known {
		info := t.Info()
		if len(d.tools) > 0 && !slices.Contains(d.tools, info.Name) || len(d.tools) == 0 && !d.uses(info.Modality) {
			continue
		}
		if err := t.Check(cmd.Context()); err != nil {
			if len(d.tools) > 0 {
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
	for i, spec := range d.observers {
		j, err := calls.model(cmd.Context(), "observer", spec, 1)
		if err != nil {
			return nil, err
		}
		for _, sense := range d.senses {
			name := fmt.Sprintf("observer%d%s", i+1, map[omniscope.Modality]string{omniscope.Visual: "-seeing", omniscope.Audio: "-hearing"}[sense])
			t, err := mllm.New(name, j.judge.Model, j.judge.Request, mllm.Options{Modality: sense, Streak: j.judge.Streak})
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
func (d *demand) uses(m omniscope.Modality) bool {
	return slices.Contains(d.senses, m) || slices.Contains(d.senses, omniscope.AudioVisual)
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
func speechOptions(spec string, c *calls) (asr.Options, error) {
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
	e := resolveEndpoint(provider, modelAddress, c.o.BaseURL, flagSource(c.o.flags, modelAddress))
	if err := e.check(); err != nil {
		return asr.Options{}, err
	}
	c.asked = append(c.asked, e.announcement("model "+spec)...)
	engine, err := asr.NewEndpoint(asr.EndpointOptions{BaseURL: e.url, Model: name, Key: e.key, Timeout: c.o.Timeout, Tries: c.o.MaxRetries + 1,
		Reach: c.reaches.of(openai.Redacted(e.url)+" for transcriptions", c.o.EndpointWait), Wait: waitUnlessStopping})
	if err != nil {
		return asr.Options{}, err
	}
	return asr.Options{Engines: []asr.Engine{engine}}, nil
}
