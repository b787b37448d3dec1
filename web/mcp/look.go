package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"omniscope"
	"omniscope/detective"
	"omniscope/media"
	"omniscope/media/wav"
	"omniscope/perceive"
)

// Bounds of what one call gives.
const (
	mostFrames  = 16
	usualFrames = 4
	mostPixels  = 1280 * 720 // of a frame
	mostSeconds = 60         // of sound
)

type question struct {
	place
	Question string `json:"question,omitempty" jsonschema:"what is asked; a tool that measures needs none"`
}

// An observation is one of perceive's, with its times in seconds.
type observation struct {
	Kind   perceive.Kind `json:"kind"`
	What   string        `json:"what"`
	Quote  string        `json:"quote,omitempty"`
	StartS float64       `json:"start_s"`
	EndS   float64       `json:"end_s"` // 0 = to the end
	Sure   float64       `json:"sure"`
}

type observed struct {
	Observations []observation    `json:"observations"`
	Closer       []perceive.Focus `json:"closer,omitempty"` // where a closer look may tell more
	Warnings     []string         `json:"warnings,omitempty"`
}

// observe puts a question to a tool.
func (d *desk) observe(tool perceive.Tool) func(context.Context, *call, question) (observed, error) {
	return func(ctx context.Context, c *call, q question) (out observed, err error) {
		focus, err := q.focus()
		if err != nil {
			return out, err
		}
		whole, _, err := d.open(ctx, &place{Path: q.Path})
		if err != nil {
			return out, err
		}
		defer whole.Close()
		name := tool.Info().Name
		if tool.Info().Asks && strings.TrimSpace(q.Question) == "" {
			return out, fmt.Errorf("%s answers questions: ask one", name)
		}
		a, err := detective.Observe(ctx, d.Once, whole, tool, detective.Inquiry{Tool: name, Question: q.Question, Focus: focus})
		if err != nil {
			return out, err
		}
		c.say(a.Text)
		out = observed{Observations: []observation{}, Closer: a.Closer, Warnings: a.Warnings}
		for _, o := range a.Observations {
			out.Observations = append(out.Observations, observation{o.Kind, o.What, o.Quote, o.Span.Start.Seconds(), o.Span.End.Seconds(), o.Sure})
		}
		return out, nil
	}
}

type frameRequest struct {
	place
	TimesS []float64 `json:"times_s,omitempty" jsonschema:"times of the frames, in seconds; else they are evenly spread"`
	Count  *int      `json:"count,omitempty" jsonschema:"how many, where no times are given; default 4"`
}

type shownFrames struct {
	TimesS []float64 `json:"times_s"`
	Width  int       `json:"width"`
	Height int       `json:"height"`
}

// frames gives frames as pictures.
func (d *desk) frames(ctx context.Context, c *call, q frameRequest) (out shownFrames, err error) {
	if q.Count != nil && (*q.Count < 1 || *q.Count > mostFrames) || len(q.TimesS) > mostFrames {
		return out, fmt.Errorf("at least one frame is shown, and at most %d at a time", mostFrames)
	}
	whole, part, err := d.open(ctx, &q.place)
	if err != nil {
		return out, err
	}
	defer whole.Close()
	if part.File.Video == nil {
		return out, errors.New("the file has no picture")
	}
	taken, err := takeFrames(ctx, part, q)
	if err != nil {
		return out, err
	}
	out = shownFrames{TimesS: []float64{}, Width: taken.Plan.Width, Height: taken.Plan.Height}
	for i := range taken.Frames {
		data, err := taken.Frames[i].Bytes()
		if err != nil {
			return out, err
		}
		at := taken.Frames[i].Time.Seconds()
		c.say(fmt.Sprintf("at %.2f s:", at))
		c.content = append(c.content, &sdk.ImageContent{Data: data, MIMEType: "image/jpeg"})
		out.TimesS = append(out.TimesS, at)
	}
	return out, nil
}

func takeFrames(ctx context.Context, part *perceive.Clip, q frameRequest) (*media.SampledFrames, error) {
	policy := media.Policy{Frames: usualFrames, MaxPixels: mostPixels}
	if q.Count != nil {
		policy.Frames = *q.Count
	}
	policy = part.Finely(policy)
	if len(q.TimesS) == 0 {
		return part.Frames(ctx, policy)
	}
	var times []time.Duration
	for _, s := range q.TimesS {
		if !(s >= 0 && s < 1e6) {
			return nil, fmt.Errorf("%v is no time of the file, in seconds", s)
		}
		at := time.Duration(s * float64(time.Second))
		start, end := part.Span.Start, part.Span.End
		if end == 0 {
			end = part.File.End()
		}
		if at < start || end > 0 && at >= end {
			return nil, fmt.Errorf("%v s is not in the clip, which lasts from %.2f to %.2f s", s, start.Seconds(), end.Seconds())
		}
		times = append(times, at)
	}
	return media.FramesAt(ctx, part.File, policy, times, "")
}

type snippetRequest struct {
	Path  string  `json:"path" jsonschema:"a media file, as list_media names it"`
	FromS float64 `json:"from_s" jsonschema:"start of the stretch, in seconds"`
	ToS   float64 `json:"to_s" jsonschema:"its end"`
}

type snippet struct {
	FromS  float64 `json:"from_s"`
	ToS    float64 `json:"to_s"`
	RateHz int     `json:"rate_hz"`
}

// snippet gives a stretch of sound.
func (d *desk) snippet(ctx context.Context, c *call, q snippetRequest) (out snippet, err error) {
	if q.ToS-q.FromS > mostSeconds || q.ToS <= q.FromS {
		return out, fmt.Errorf("a stretch has a start before its end, and at most %d seconds", mostSeconds)
	}
	whole, part, err := d.open(ctx, &place{Path: q.Path, FromS: q.FromS, ToS: q.ToS})
	if err != nil {
		return out, err
	}
	defer whole.Close()
	if part.File.Audio == nil {
		return out, errors.New("the file has no sound")
	}
	var pcm grown
	if _, err := media.Speech(ctx, part.File, part.Span, &pcm); err != nil {
		return out, err
	}
	c.content = append(c.content, &sdk.AudioContent{Data: slices.Concat(wav.Header(media.SpeechRate, 1, len(pcm)), pcm), MIMEType: "audio/wav"})
	return snippet{part.Span.Start.Seconds(), part.Span.End.Seconds(), media.SpeechRate}, nil
}

// grown is bytes that are written to it.
type grown []byte

func (g *grown) Write(p []byte) (int, error) {
	*g = append(*g, p...)
	return len(p), nil
}

type investigation struct {
	Path     string `json:"path" jsonschema:"a media file, as list_media names it"`
	Modality string `json:"modality,omitempty" jsonschema:"audio, visual or audio-visual, which is usual"`
}

type sentence struct {
	Text      string   `json:"text"`
	Evidence  []string `json:"evidence"`
	Unfounded bool     `json:"unfounded,omitempty"`
}

type cited struct {
	ID string `json:"id"`
	observation
	Tool string `json:"tool"`
}

type found struct {
	Caption        string     `json:"caption"`
	Sentences      []sentence `json:"sentences"`
	Evidence       []cited    `json:"evidence"`
	Contradictions []string   `json:"contradictions,omitempty"`
	Ended          string     `json:"ended"`
	Warnings       []string   `json:"warnings,omitempty"`
}

// caption investigates a clip and writes a caption.
func (d *desk) caption(ctx context.Context, c *call, q investigation) (out found, err error) {
	whole, _, err := d.open(ctx, &place{Path: q.Path})
	if err != nil {
		return out, err
	}
	defer whole.Close()
	budget := d.Budget
	if budget == 0 {
		budget = detective.DefaultBudget
	}
	r, err := detective.Investigate(ctx, &detective.Investigation{Clip: whole, Modality: omniscope.Modality(q.Modality), Tools: d.Tools, Budget: budget, Prompts: d.Prompts}, d.Planner,
		detective.Options{Once: d.Once, OnTurn: func(t detective.Turn) { c.progress(ctx, t.Number, budget, t.Inquiry.Tool) }})
	if err != nil {
		return out, err
	}
	if r.Outcome != omniscope.OK {
		return out, fmt.Errorf("there is no caption (%s): %s", r.Outcome, r.Why)
	}
	c.say(r.Caption.Text)
	out = found{Caption: r.Caption.Text, Sentences: []sentence{}, Evidence: []cited{}, Ended: string(r.Ended), Warnings: r.Warnings}
	for _, s := range r.Caption.Sentences {
		out.Sentences = append(out.Sentences, sentence{s.Text, append([]string{}, s.Evidence...), s.Unfounded})
	}
	for _, e := range r.Ledger {
		out.Evidence = append(out.Evidence, cited{e.ID, observation{e.Kind, e.What, e.Quote, e.StartS, e.EndS, e.Sure}, e.Tool})
	}
	for _, x := range r.Contradictions {
		out.Contradictions = append(out.Contradictions, x.What)
	}
	return out, nil
}

type auditRequest struct {
	Path    string `json:"path" jsonschema:"a media file, as list_media names it"`
	Caption string `json:"caption" jsonschema:"what somebody says of the file"`
}

type checked struct {
	Claims   []checkedClaim     `json:"claims"`
	Rates    map[string]float64 `json:"rates"` // shares of all claims by verdict
	Warnings []string           `json:"warnings,omitempty"`
}

type checkedClaim struct {
	Text    string `json:"text"`
	Support string `json:"verdict"`
}

// longestCaption is in bytes.
const longestCaption = 1 << 20

// audit checks a caption.
func (d *desk) audit(ctx context.Context, c *call, q auditRequest) (out checked, err error) {
	if strings.TrimSpace(q.Caption) == "" || len(q.Caption) > longestCaption {
		return out, errors.New("give a caption, of at most a megabyte")
	}
	whole, _, err := d.open(ctx, &place{Path: q.Path})
	if err != nil {
		return out, err
	}
	defer whole.Close()
	r, err := detective.Audit(ctx, q.Caption, whole, d.Tools, detective.AuditOptions{Prompts: d.Prompts, Once: d.Once, Splitter: d.Splitter})
	if err != nil {
		return out, err
	}
	if r.Outcome != omniscope.OK && r.Outcome != omniscope.Abstained {
		return out, fmt.Errorf("the caption was not split into claims (%s): %s", r.Outcome, r.Why)
	}
	var text strings.Builder
	if err := r.Text(&text); err != nil {
		return out, err
	}
	c.say(text.String())
	out = checked{Claims: []checkedClaim{}, Rates: make(map[string]float64), Warnings: r.Warnings}
	for i := range r.Claims {
		out.Claims = append(out.Claims, checkedClaim{r.Claims[i].Text, string(r.Claims[i].Support)})
	}
	for support, rate := range r.Rates {
		out.Rates[string(support)] = rate
	}
	return out, nil
}
