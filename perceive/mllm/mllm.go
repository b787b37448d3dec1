// Package mllm is the tool that shows a clip to a model and hands on what it
// says: any model behind package model can be an observer. A model's word is
// reported as its word, with an even chance of being right unless it says
// otherwise. What the model costs, and that its replies are remembered, is the
// business of the wrapped model that is handed in.
package mllm

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/media"
	"omniscope/model"
	"omniscope/perceive"
)

//go:embed prompts/system.txt
var prompts embed.FS

// A form says how a clip is shown.
type form string

// The forms.
const (
	parts form = "parts" // frames as pictures, with their times, and sound as WAV
	video form = "video" // the file, or the cut span, as one video
)

// defaultPolicy returns the sampling policy of parts: a frame a second, at most
// 48 of them, of at most 768×432 pixels.
func defaultPolicy() media.Policy {
	return media.Policy{Name: "observer", FPS: 1, MaxFrames: 48, MaxPixels: 768 * 432}
}

// Policy is the usual sampling policy of parts with other numbers: frames a second, most frames of a clip, most pixels of a frame. 0
// leaves a number as it is.
func Policy(fps float64, maxFrames, maxPixels int) *media.Policy {
	p := defaultPolicy()
	p.FPS, p.MaxFrames, p.MaxPixels = cmp.Or(fps, p.FPS), cmp.Or(maxFrames, p.MaxFrames), cmp.Or(maxPixels, p.MaxPixels)
	return &p
}

// Options say what a model is shown, and how it is asked. The zero value shows
// frames and sound.
type Options struct {
	Modality omniscope.Modality // what it is shown; "" = AudioVisual
	Form     form               // "" = parts
	Policy   *media.Policy      // of parts; nil = defaultPolicy

	// URL returns where the endpoint itself can open the whole of a clip's file;
	// "" = it cannot, and is sent the bytes. Of video only.
	URL func(c *perceive.Clip) string

	MostBytes  int                                  // of media in one request; 0 = 20 MB
	Params     model.Params                         // MaxTokens 0 = 2048
	Streak     *model.Streak                        // of the model; nil = it may answer nothing of use for ever
	System     string                               // replaces the built-in system prompt; may contain {input}
	Remembered func(model string, dropped []string) // is called for each remembered answer; nil = not wanted

	Source string // provider and address of the model, which its answers are remembered under; "" = any
}

const (
	defaultBytes  = 20 << 20
	DefaultTokens = 2048 // longest answer where Params do not say
)

// A Tool shows clips to a model. It is safe for concurrent use.
type Tool struct {
	name      string
	model     model.Model
	requested string
	options   Options
	version   string
}

var (
	_ perceive.Tool       = (*Tool)(nil)
	_ perceive.Rememberer = (*Tool)(nil)
)

// New returns a tool of some name that asks m for the model that its endpoint
// calls requested. Options that contradict each other are an error of kind
// Usage.
func New(name string, m model.Model, requested string, o Options) (*Tool, error) {
	if o.Modality == "" {
		o.Modality = omniscope.AudioVisual
	}
	if o.Form == "" {
		o.Form = parts
	}
	if o.Policy == nil {
		p := defaultPolicy()
		o.Policy = &p
	}
	if o.MostBytes == 0 {
		o.MostBytes = defaultBytes
	}
	if o.Params.MaxTokens == 0 {
		o.Params.MaxTokens = DefaultTokens
	}
	if o.System == "" {
		text, err := prompts.ReadFile("prompts/system.txt")
		if err != nil {
			return nil, err
		}
		o.System = string(text)
	}
	if err := check(name, m, &o); err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "observer " + name, Err: err}
	}
	t := &Tool{name: name, model: m, requested: requested, options: o}
	params, err := json.Marshal(o.Params)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "observer " + name, Err: fmt.Errorf("parameters: %w", err)}
	}
	shapes := strings.Join([]string{"1", string(o.Modality), string(o.Form), o.Policy.Hash(), fmt.Sprint(o.MostBytes), string(params), o.System}, "\x00")
	if o.Source != "" {
		shapes += "\x00" + o.Source
	}
	t.version = requested + " " + short(shapes)
	return t, nil
}

func check(name string, m model.Model, o *Options) error {
	switch {
	case name == "" || m == nil:
		return errors.New("an observer needs a name and a model")
	case o.Modality != omniscope.Audio && o.Modality != omniscope.Visual && o.Modality != omniscope.AudioVisual:
		return fmt.Errorf("modality %q is none of audio, visual, audio-visual", o.Modality)
	case o.Form != parts && o.Form != video:
		return fmt.Errorf("form %q is none of parts, video", o.Form)
	case o.Form == video && o.Modality != omniscope.AudioVisual:
		return errors.New("a video has picture and sound: only an audio-visual observer can be shown it")
	case o.URL != nil && o.Form != video:
		return errors.New("only a video can be shown by its URL")
	}
	return nil
}

// short is a digest of a text in 12 hex digits.
func short(text string) string {
	return sha256hex.Of(text)[:12]
}

// Info implements perceive.Tool.
func (t *Tool) Info() perceive.Info {
	senses := map[omniscope.Modality]string{omniscope.Audio: "hears the sound", omniscope.Visual: "sees frames of the picture", omniscope.AudioVisual: "sees frames of the picture and hears the sound"}
	info := perceive.Info{
		Name: t.name, Version: t.version, Modality: t.options.Modality, Model: t.requested, Asks: true, Needs: "ffmpeg; the model " + t.requested,
		About: "a model that " + senses[t.options.Modality] + " and answers any question; it may err and invent",
	}
	if t.options.Form == parts {
		info.Looks = t.options.Modality != omniscope.Visual // for the sound
		if t.options.Modality != omniscope.Audio {
			info.Frames = t.options.Policy
		}
	}
	return info
}

// Check implements perceive.Tool: it looks for ffmpeg, and whether the model
// can be reached, if that can be asked for nothing.
func (t *Tool) Check(ctx context.Context) error {
	if err := media.CheckPrograms(ctx); err != nil {
		return err
	}
	if p, ok := t.model.(model.Prober); ok {
		return p.Probe(ctx)
	}
	return nil
}

// callStep is the readable key of the call that puts a question to a tool, for
// scripts.
func callStep(c *perceive.Clip, tool, question string) string {
	clip := string(c.ID)
	if clip == "" {
		clip = filepath.Base(c.Path)
	}
	if !c.Focus.Whole() {
		question += "\x00" + c.Focus.Words()
	}
	return fmt.Sprintf("%s/%s/%s", clip, tool, short(question))
}

// Observe implements perceive.Tool. A refusal is an error of kind Declined; a
// reply that is empty or cut off one of kind Malformed: neither says anything
// of the clip. Text is the reply as it came, so that the asker can demand a
// form, such as JSON, and read it.
func (t *Tool) Observe(ctx context.Context, c *perceive.Clip, question string) (*perceive.Answer, error) {
	if o, ok := t.nothing(c); ok {
		return perceive.NewAnswer(false, o), nil
	}
	shown, err := t.show(ctx, c)
	if err != nil {
		return nil, err
	}
	if !shown.any() {
		return perceive.NewAnswer(false, perceive.Observation{Kind: perceive.Silence, What: "the sound track is silent throughout", Sure: 1}), nil
	}
	parts := append(shown.parts[:len(shown.parts):len(shown.parts)], model.Part{Kind: model.TextPart, Text: question})
	if err := t.options.Streak.Begin(ctx); err != nil {
		return nil, err
	}
	step := callStep(c, t.name, question)
	resp, err := t.model.Generate(ctx, &model.Request{
		Step: step, Attempt: 1, Model: t.requested, Params: t.options.Params, Streak: t.options.Streak,
		Messages: []model.Message{
			model.Text(model.System, strings.ReplaceAll(t.options.System, "{input}", shown.input)),
			{Role: model.User, Parts: parts},
		},
	})
	if err != nil {
		return nil, err
	}
	a, err := read(resp)
	if err != nil {
		return nil, cmp.Or(t.useless(resp, step), err)
	}
	t.options.Streak.Usable()
	for i := range a.Observations {
		a.Observations[i].Span = c.Span
	}
	a.Warnings = append(a.Warnings, shown.warnings...)
	a.Model, a.Dropped = resp.Model, resp.DroppedOptions
	return a, nil
}

// Remembered implements perceive.Rememberer.
func (t *Tool) Remembered(a *perceive.Answer) {
	if t.options.Remembered != nil && a.Model != "" {
		t.options.Remembered(a.Model, a.Dropped)
	}
}

// useless counts an answer that could not be used. One that is remembered was
// counted when it came.
func (t *Tool) useless(resp *model.Response, step string) error {
	if resp.Cached {
		return nil
	}
	reason := resp.Reason()
	if reason == model.WrongForm {
		reason = model.Refusals // in words: an observer's reply may have any form
	}
	return t.options.Streak.Unusable(reason, resp.Awaited, step)
}

// nothing says that a clip has nothing for the observer's sense, in which case
// no model is asked.
func (t *Tool) nothing(c *perceive.Clip) (perceive.Observation, bool) {
	o := perceive.Observation{Kind: perceive.Absence, Sure: 1}
	switch {
	case t.options.Modality == omniscope.Audio && c.File.Audio == nil:
		o.What = "the clip has no sound track"
	case t.options.Modality == omniscope.Visual && c.File.Video == nil:
		o.What = "the clip has no picture"
	default:
		return o, false
	}
	return o, true
}
