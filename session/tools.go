package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/catalog"
	"omniscope/internal/spelling"
	"omniscope/model/openai"
	"omniscope/perceive"
	"omniscope/perceive/asr"
	"omniscope/perceive/mllm"
	"omniscope/run"
)

// A ToolSelection says which tools and models observe a clip.
type ToolSelection struct {
	Tools     []string // by name; nil = all that work here
	Observers []*Role
	ASR       *Role                // that transcribes; nil = what is installed here
	Senses    []omniscope.Modality // an observer of each is made of each model
}

// OpenTools makes the tools, and an observer of each sense of each model. One that
// was not asked for by name and does not work here is left out, with a warning.
func (m *Models) OpenTools(ctx context.Context, d ToolSelection, warnings io.Writer) ([]perceive.Tool, error) {
	options, err := m.speechOptions(d.ASR)
	if err != nil {
		return nil, err
	}
	var out []perceive.Tool
	known := catalog.OpenTools(options)
	for _, name := range d.Tools {
		if !slices.ContainsFunc(known, func(t perceive.Tool) bool { return t.Info().Name == name }) {
			return nil, usage("there is no tool %q%s: %s", name, spelling.Among(name, toolNames(known)), strings.Join(toolNames(known), ", "))
		}
	}
	for _, t := range known {
		info := t.Info()
		if len(d.Tools) > 0 && !slices.Contains(d.Tools, info.Name) || len(d.Tools) == 0 && !uses(d.Senses, info.Modality) {
			continue
		}
		if err := t.Check(ctx); err != nil {
			if len(d.Tools) > 0 {
				return nil, err
			}
			fmt.Fprintf(warnings, "left out: %s: %s\n", info.Name, strings.TrimPrefix(err.Error(), info.Name+": "))
			continue
		}
		if info.Name != "asr" || len(options.Engines) == 0 {
			t = interruptible{t}
		}
		out = append(out, t)
	}
	for i, role := range d.Observers {
		o, err := m.Open(ctx, role)
		if err != nil {
			return nil, err
		}
		for _, sense := range d.Senses {
			name := fmt.Sprintf("observer%d%s", i+1, map[omniscope.Modality]string{omniscope.Visual: "-seeing", omniscope.Audio: "-hearing"}[sense])
			t, err := mllm.New(name, o.Judge.Model, o.Judge.Request, mllm.Options{Modality: sense, Streak: o.Judge.Streak, Params: o.Judge.Params})
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

// An interruptible tool stops as soon as the run is asked to stop. Its work costs
// no money, so nothing paid for is lost.
type interruptible struct{ perceive.Tool }

func (t interruptible) Observe(ctx context.Context, c *perceive.Clip, question string) (*perceive.Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(run.Stopping(ctx), cancel)()
	return t.Tool.Observe(ctx, c, question)
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

// speechOptions are the engines that transcribe: an endpoint where a role is
// given, else what is installed.
func (m *Models) speechOptions(r *Role) (asr.Options, error) {
	if r == nil {
		return asr.Options{}, nil
	}
	provider, name, err := catalog.SplitModel(r.Model)
	if err != nil {
		return asr.Options{}, err
	}
	if !provider.Transcribes {
		return asr.Options{}, usage("--asr names a transcription model at an endpoint, such as openai/whisper-1, not %s", r.Model)
	}
	e := EndpointOf(provider, r)
	if err := e.Check(); err != nil {
		return asr.Options{}, err
	}
	m.asks(e.Announcement("model " + r.Model)...)
	engine, err := asr.NewEndpoint(asr.EndpointOptions{BaseURL: e.URL, Model: name, Key: e.Key, Headers: e.Headers, Query: e.Query, Timeout: m.calls.Timeout, Tries: m.calls.MaxRetries + 1,
		Reach: m.Shared.Reaches.of(openai.Redacted(e.URL)+" for transcriptions", m.calls.EndpointWait), Wait: waitUnlessStopping})
	if err != nil {
		return asr.Options{}, err
	}
	return asr.Options{Engines: []asr.Engine{engine}}, nil
}
