package predict

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/spelling"
	"omniscope/internal/yamlfile"
	"omniscope/media"
)

// Text is the modality of a model that reads and neither sees nor hears.
const Text omniscope.Modality = "text"

// A Profile says how a class of models is asked: what of a clip it is given, in
// which form, with which words, and how its answer is read. It is a YAML file; all
// of it shapes the answers.
type Profile struct {
	Name   string   `yaml:"name" json:"name"`
	About  string   `yaml:"about" json:"-"`
	Source string   `yaml:"source" json:"-"` // where the figures come from
	Models []string `yaml:"models" json:"-"` // patterns of model names, as path.Match has them, that this profile is for

	Benchmarks []string `yaml:"benchmarks" json:"-"` // that it is for alone, such as capricorn, as a paper asked the models there; nil = any

	Senses   []omniscope.Modality `yaml:"senses" json:"senses"`             // what it can be asked by; the first is the default
	Prompt   PromptPolicy         `yaml:"prompt" json:"prompt,omitempty"`   // "" = FromDataset
	Prompts  []string             `yaml:"prompts" json:"prompts,omitempty"` // one is drawn for each sample whose dataset has none; nil = the built-in one
	System   string               `yaml:"system" json:"system,omitempty"`   // message; "" = none is sent
	Decoding Decoding             `yaml:"decoding" json:"decoding"`
	Frames   FramePolicy          `yaml:"frames" json:"frames"`
	Sound    SoundPolicy          `yaml:"sound" json:"sound"`
	Send     Form                 `yaml:"send" json:"send,omitempty"`   // "" = AsFrames
	AtOnce   int                  `yaml:"concurrency" json:"-"`         // calls at a time, where the user does not say; 0 = the command's default
	Strip    []Marks              `yaml:"strip" json:"strip,omitempty"` // of reasoning, which is no part of the answer

	text string // of its file
}

// Text returns the YAML that the profile was read from.
func (p *Profile) Text() string { return p.text }

// A PromptPolicy says which text goes with the media.
type PromptPolicy string

// The policies.
const (
	FromDataset PromptPolicy = "dataset" // the sample's own prompt, else a drawn one
	NoPrompt    PromptPolicy = "none"    // never any: the model was trained without
)

// A Form is how a picture in motion is sent.
type Form string

// The forms.
const (
	AsFrames Form = "frames" // single pictures with their times, and the sound apart
	AsVideo  Form = "video"  // the file itself: the endpoint samples it
)

// Decoding are the settings of requests; nil and 0 are not sent.
type Decoding struct {
	Temperature *float64       `yaml:"temperature" json:"temperature,omitempty"`
	TopP        *float64       `yaml:"top_p" json:"top_p,omitempty"`
	MaxTokens   int            `yaml:"max_tokens" json:"max_tokens,omitempty"`
	Extra       map[string]any `yaml:"extra" json:"extra,omitempty"` // further fields of the request
}

// A FramePolicy is a media.Policy as profiles write it: one of media.Profiles by its
// name, or the fields.
type FramePolicy struct {
	Name        string         `yaml:"policy" json:"policy,omitempty"`
	Count       media.Counting `yaml:"count" json:"count,omitempty"`
	FPS         float64        `yaml:"fps" json:"fps,omitempty"`
	Frames      int            `yaml:"frames" json:"frames,omitempty"`
	MinFrames   int            `yaml:"min_frames" json:"min_frames,omitempty"`
	MaxFrames   int            `yaml:"max_frames" json:"max_frames,omitempty"`
	Factor      int            `yaml:"factor" json:"factor,omitempty"`
	MinPixels   int            `yaml:"min_pixels" json:"min_pixels,omitempty"`
	MaxPixels   int            `yaml:"max_pixels" json:"max_pixels,omitempty"`
	TotalPixels int            `yaml:"total_pixels" json:"total_pixels,omitempty"`
	PerFrame    bool           `yaml:"per_frame" json:"per_frame,omitempty"`
	Width       int            `yaml:"width" json:"width,omitempty"`
	Height      int            `yaml:"height" json:"height,omitempty"`
	Quality     int            `yaml:"quality" json:"quality,omitempty"`
	Times       string         `yaml:"times" json:"times,omitempty"` // how they are told: once (default), in a line before all frames, or each, before each frame
}

// Policy is the policy for package media.
func (f FramePolicy) Policy() (media.Policy, error) {
	if f.Name != "" {
		return media.Profile(f.Name)
	}
	return media.Policy{Count: f.Count, FPS: f.FPS, Frames: f.Frames, MinFrames: f.MinFrames, MaxFrames: f.MaxFrames, Factor: f.Factor,
		MinPixels: f.MinPixels, MaxPixels: f.MaxPixels, TotalPixels: f.TotalPixels, PerFrame: f.PerFrame, Width: f.Width, Height: f.Height, Quality: f.Quality}, nil
}

// A SoundPolicy says how much of the sound is sent, mono at media.SpeechRate, and as
// what.
type SoundPolicy struct {
	Format     string  `yaml:"format" json:"format,omitempty"`           // wav (default; 16 bits), or mp3: see soundFormat
	MaxSeconds float64 `yaml:"max_seconds" json:"max_seconds,omitempty"` // 0 = no limit
	Longer     string  `yaml:"longer" json:"longer,omitempty"`           // what becomes of longer ones: refuse (default), cut to the first MaxSeconds, or parts of at most MaxSeconds, in order
	Apart      bool    `yaml:"apart" json:"apart,omitempty"`             // with send: video, sent beside it as well: vLLM and SGLang leave out the sound of a video unless a field of the request asks for it
	Tokens     float64 `yaml:"tokens" json:"-"`                          // that a second of sound is for the model; 0 = not known
}

// timesEach tells the time of each frame before it.
const timesEach = "each"

// Marks enclose what a model writes to itself.
type Marks struct {
	Begin string `yaml:"begin" json:"begin"`
	End   string `yaml:"end" json:"end"`
}

//go:embed profiles/*.yaml
var builtin embed.FS

// Profiles are the built-in profiles, by name.
func Profiles() ([]*Profile, error) {
	files, err := fs.Glob(builtin, "profiles/*.yaml")
	if err != nil {
		return nil, err
	}
	var all []*Profile
	for _, file := range files {
		text, err := builtin.ReadFile(file)
		if err != nil {
			return nil, err
		}
		p, err := parseProfile(file, text)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// LoadProfile returns the built-in profile of a name, or reads a user's file, which
// holds one.
func LoadProfile(ctx context.Context, name string) (*Profile, error) {
	if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") || strings.ContainsAny(name, `/\`) {
		text, _, err := input.ReadFile(ctx, name, input.Texts)
		if err != nil {
			return nil, err
		}
		return parseProfile(name, text)
	}
	all, err := Profiles()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range all {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return nil, omniscope.Usagef("no profile %q%s: %s; or name a YAML file", name, spelling.Among(name, names), strings.Join(names, ", "))
}

// DefaultProfile is the name of the built-in profile for models that none is for.
const DefaultProfile = "default"

// ProfileOf returns the built-in profile for a model by name on a benchmark ("" = clips of the user's own), nil if no profile is for it.
// A profile for this benchmark comes first, then the one that the model is served under the name of, then one for any benchmark.
func ProfileOf(model, benchmark string) (*Profile, error) {
	all, err := Profiles()
	if err != nil {
		return nil, err
	}
	name := strings.ToLower(path.Base(model))
	for _, suits := range []func(p *Profile) bool{
		func(p *Profile) bool { return slices.Contains(p.Benchmarks, benchmark) && p.isFor(name) },
		func(p *Profile) bool { return strings.EqualFold(p.Name, name) && p.Name != DefaultProfile },
		func(p *Profile) bool { return p.Benchmarks == nil && p.isFor(name) },
	} {
		if i := slices.IndexFunc(all, suits); i >= 0 {
			return all[i], nil
		}
	}
	return nil, nil
}

// isFor reports whether a profile is for a model by name, in small letters. A model of the name omni hears, also where a pattern of
// its family without hearing matches it.
func (p *Profile) isFor(name string) bool {
	if strings.Contains(name, "omni") && !p.hears() {
		return false
	}
	return slices.ContainsFunc(p.Models, func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok })
}

// AskedBy lists the modalities that models of the profile can be asked by.
func (p *Profile) AskedBy() string {
	var names []string
	for _, m := range p.Senses {
		names = append(names, string(m))
	}
	return strings.Join(names, ", ")
}

// hears reports whether models of the profile can be sent sound.
func (p *Profile) hears() bool {
	return slices.Contains(p.Senses, omniscope.Audio) || slices.Contains(p.Senses, omniscope.AudioVisual)
}

func parseProfile(file string, text []byte) (*Profile, error) {
	p := &Profile{text: string(text)}
	err := yamlfile.Decode(text, p)
	if err == nil {
		err = p.Check()
	}
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "read profile " + file, Err: err}
	}
	return p, nil
}

// Check says what is wrong with a profile.
func (p *Profile) Check() error {
	inParts := p.Sound.Longer == partsLonger
	for _, c := range []struct {
		wrong bool
		why   string
	}{
		{p.Name == "", "it has no name"},
		{len(p.Senses) == 0, "senses is missing: a list of " + strings.Join(senseNames(), ", ")},
		{p.AtOnce < 0, "concurrency must not be negative"},
		{p.Sound.MaxSeconds < 0 || p.Sound.Tokens < 0 || p.Decoding.MaxTokens < 0, "sound.max_seconds, sound.tokens and decoding.max_tokens must not be negative"},
		{inParts && p.Sound.MaxSeconds == 0, "sound.longer: parts needs sound.max_seconds, the most that a part lasts"},
		{inParts && p.Prompt == NoPrompt, "sound.longer: parts adds words to the prompt (when each part begins), and prompt: none allows no words"},
	} {
		if c.wrong {
			return errors.New(c.why)
		}
	}
	for _, s := range p.Senses {
		if err := among("senses", string(s), senseNames()); err != nil {
			return err
		}
	}
	for _, c := range []struct {
		field, value string
		choices      []string
	}{
		{"prompt", string(p.Prompt), []string{string(FromDataset), string(NoPrompt)}},
		{"send", string(p.Send), []string{string(AsFrames), string(AsVideo)}},
		{"sound.format", p.Sound.Format, []string{"wav", "mp3"}},
		{"sound.longer", p.Sound.Longer, []string{"refuse", cutLonger, partsLonger}},
		{"frames.times", p.Frames.Times, []string{"once", timesEach}},
		{"frames.count", string(p.Frames.Count), []string{string(media.QwenUtils), string(media.QwenTransformers)}},
	} {
		if c.value == "" {
			continue
		}
		if err := among(c.field, c.value, c.choices); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(p.Strip, func(m Marks) bool { return m.Begin == "" || m.End == "" }) {
		return errors.New("strip: each entry has a begin and an end")
	}
	if _, err := json.Marshal(p); err != nil {
		return fmt.Errorf("decoding.extra: %w", err)
	}
	return p.Frames.check()
}

func (f FramePolicy) check() error {
	v := reflect.ValueOf(f)
	for i := range v.NumField() {
		field := v.Field(i)
		if field.CanInt() && field.Int() < 0 || field.CanFloat() && !(field.Float() >= 0) {
			return fmt.Errorf("frames.%s must not be negative", v.Type().Field(i).Tag.Get("yaml"))
		}
	}
	if (f.Width == 0) != (f.Height == 0) {
		return errors.New("frames.width and frames.height go together")
	}
	if f.Name != "" && f != (FramePolicy{Name: f.Name, Times: f.Times}) {
		return fmt.Errorf("frames.policy %s says everything: leave out the other fields of frames, or the policy", f.Name)
	}
	_, err := f.Policy()
	return err
}

func senseNames() []string {
	return []string{string(omniscope.AudioVisual), string(omniscope.Audio), string(omniscope.Visual), string(Text)}
}

func among(field, value string, choices []string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	return fmt.Errorf("%s: %q%s: %s", field, value, spelling.Among(value, choices), strings.Join(choices, ", "))
}
