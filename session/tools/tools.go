// Package tools opens who looks at clips: the tools of this machine, tools that the user brings, a transcriber, and observers, which
// are models.
package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/media"
	"omniscope/model"
	"omniscope/perceive"
	"omniscope/perceive/all"
	"omniscope/perceive/mllm"
	"omniscope/run"
	"omniscope/session"
)

// A Selection names the tools and models that observe a clip.
type Selection struct {
	Tools     []string // by name; nil = all that work here
	Observers []*session.Role
	ASR       *session.Role        // that transcribes; nil = what is installed here
	Senses    []omniscope.Modality // an observer of each is made of each model
}

// Open makes the tools, and an observer of each sense of each model. One that
// was not asked for by name and does not work here is left out, with a warning. own opens the tools that the user brings.
func Open(ctx context.Context, m *session.Models, d Selection, own func() ([]perceive.Tool, error)) ([]perceive.Tool, error) {
	engine, err := session.OpenTranscriber(ctx, d.ASR, m.Settings, m.Shared, m.Once)
	if err != nil {
		return nil, err
	}
	if engine != nil {
		m.Add(engine.Model, "model")
	}
	out, err := LocalTools(ctx, d, engine, m.LeftOut)
	if err != nil {
		return nil, err
	}
	brought, err := own()
	if err != nil {
		return nil, err
	}
	for _, t := range brought {
		out = append(out, interruptible{t})
	}
	for i, role := range d.Observers {
		o, err := m.Open(ctx, role)
		if err != nil {
			return nil, err
		}
		tools, err := ObserversOf(o, i, d.Senses)
		if err != nil {
			return nil, err
		}
		out = append(out, tools...)
	}
	if len(out) == 0 {
		return nil, ErrNoTool
	}
	if twice := spelling.Twice(ToolNames(out)); twice != "" {
		return nil, omniscope.Usagef("two tools are called %s: a tool of your own (--tool) needs a name that no other has", twice)
	}
	return out, nil
}

var ErrNoTool = omniscope.NotFoundf("no tool works here: install what is missing (`omniscope doctor` lists it), or name a model with --observer")

// LocalTools makes the tools that are no models.
func LocalTools(ctx context.Context, d Selection, engine *session.Transcriber, left func(...string)) (out []perceive.Tool, err error) {
	known, decoder := all.Open(engine.Options()), media.FFmpegVersion(ctx)
	for _, name := range d.Tools {
		if !slices.ContainsFunc(known, func(t perceive.Tool) bool { return t.Info().Name == name }) {
			return nil, omniscope.Usagef("there is no tool %q%s: %s", name, spelling.Among(name, ToolNames(known)), strings.Join(ToolNames(known), ", "))
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
			left(fmt.Sprintf("left out: %s: %s", info.Name, strings.TrimPrefix(err.Error(), info.Name+": ")))
			continue
		}
		if info.Name != "asr" || engine == nil {
			t = interruptible{t}
		}
		if decoder != "" && !(info.Name == "asr" && engine != nil) { // a transcript of a model is remembered by the sound that was sent
			t = decoding{t, " ffmpeg " + decoder}
		}
		out = append(out, t)
	}
	return out, nil
}

// A decoding tool measures what ffmpeg decodes: its answers are remembered under the version of ffmpeg, too.
type decoding struct {
	perceive.Tool
	by string
}

// Info implements perceive.Tool.
func (t decoding) Info() perceive.Info {
	info := t.Tool.Info()
	info.Version += t.by
	return info
}

// ObserversOf are the observers that the i-th model is: one of each sense.
func ObserversOf(o *session.Model, i int, senses []omniscope.Modality) (out []perceive.Tool, err error) {
	if o.Judge.Streak == nil && !o.Local {
		o.Judge.Streak = &model.Streak{}
	}
	for _, sense := range senses {
		shown := mllm.Options{Modality: sense, Streak: o.Judge.Streak, Params: o.Judge.Params, Source: o.Identity, Remembered: o.Meter.Note}
		if s := o.Role.Shown; s != nil {
			shown.System = s.System
			shown.Policy = mllm.Policy(s.FPS, s.MaxFrames, s.MaxPixels)
		}
		t, err := mllm.New(ObserverName(i, sense), o.Judge.Model, o.Judge.Request, shown)
		if err != nil {
			return nil, err
		}
		out = append(out, AskedAgain{t})
	}
	return out, nil
}

// AskedAgain puts a question to an observer again where --ask-failed wants it: its remembered reply is of no use.
type AskedAgain struct{ perceive.Tool }

// Observe implements perceive.Tool.
func (t AskedAgain) Observe(ctx context.Context, c *perceive.Clip, question string) (*perceive.Answer, error) {
	a, err := t.Tool.Observe(ctx, c, question)
	kind := omniscope.KindOf(err)
	if again, ok := run.Again(ctx); ok && err != nil && (kind == omniscope.Declined || kind == omniscope.Malformed) {
		return t.Tool.Observe(again, c, question)
	}
	return a, err
}

// Remembered implements perceive.Rememberer.
func (t AskedAgain) Remembered(a *perceive.Answer) {
	if r, ok := t.Tool.(perceive.Rememberer); ok {
		r.Remembered(a)
	}
}

func ObserverName(i int, sense omniscope.Modality) string {
	return fmt.Sprintf("observer%d%s", i+1, map[omniscope.Modality]string{omniscope.Visual: "-seeing", omniscope.Audio: "-hearing"}[sense])
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

func ToolNames(tools []perceive.Tool) []string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Info().Name)
	}
	return names
}
