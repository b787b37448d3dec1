package predict

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"omniscope"
	"omniscope/internal/bytesize"
	"omniscope/model"
)

// Preview is what the model would be sent of a sample, without asking it. Media are
// made, so that what cannot be is found.
func (s *System) Preview(ctx context.Context, sample *omniscope.Sample) (*Preview, error) {
	var way manner
	out, err := s.preview(ctx, sample, way)
	for s.anotherWay(err, &way) {
		out, err = s.preview(ctx, sample, way)
	}
	return out, err
}

func (s *System) preview(ctx context.Context, sample *omniscope.Sample, way manner) (*Preview, error) {
	sh, err := s.show(ctx, sample, way)
	if err != nil {
		return nil, err
	}
	prompt := s.Profile.promptFor(sample, s.Seed)
	sh.sent.Prompt, sh.sent.System = prompt, s.Profile.System
	out := &Preview{Warnings: sh.warnings}
	made := make(map[model.PartKind]int64) // bytes
	for _, m := range s.messages(sh, prompt) {
		for _, p := range m.Parts {
			line := previewPart{Role: string(m.Role), Kind: string(p.Kind), MIME: p.MIME, Text: p.Text}
			if p.Load != nil {
				data, err := p.Load(ctx)
				if err != nil {
					return nil, err
				}
				line.Bytes = len(data)
				made[p.Kind] += int64(len(data))
			}
			out.Bytes += line.Bytes
			out.Parts = append(out.Parts, line)
		}
	}
	for kind, n := range made {
		sh.sent.measured([]model.SentMedia{{Kind: kind, Bytes: n}})
	}
	sh.sent.Bytes = int64(out.Bytes)
	out.Sent = sh.sent
	return out, nil
}

// A Preview says what would be sent.
type Preview struct {
	Sent     Sent          `json:"sent"`
	Parts    []previewPart `json:"parts"`
	Bytes    int           `json:"bytes"` // of all media; a request has a third more, since they are written as base64
	Warnings []string      `json:"warnings,omitempty"`
}

// A previewPart is a part of a request.
type previewPart struct {
	Role  string `json:"role"`
	Kind  string `json:"kind"`
	MIME  string `json:"mime,omitempty"`
	Bytes int    `json:"bytes,omitempty"`
	Text  string `json:"text,omitempty"`
}

// Rows say what would be sent, in words: what, and how much of it.
func (p *Preview) Rows() (rows [][]string) {
	row := func(name, format string, args ...any) {
		rows = append(rows, []string{name, fmt.Sprintf(format, args...)})
	}
	if f := p.Sent.Frames; f != nil {
		row("frames", "%d of %d x %d, %.3g a second, from %.2f to %.2f s", f.Count, f.Width, f.Height, f.SampleFPS, f.Times[0], f.Times[len(f.Times)-1])
	}
	if s := p.Sent.Sound; s != nil {
		row("sound", "%.2f s, mono, %d Hz, %s%s", s.Seconds, s.Rate, strings.ToUpper(cmp.Or(s.Format, "wav")), s.inParts())
	}
	if v := p.Sent.Video; v != nil {
		row("video", "the file itself, %s", v.MIME)
	}
	row("media", "%s", bytesize.Format(int64(p.Bytes)))
	row("prompt", "%s", p.Sent.Prompt)
	if p.Sent.System != "" {
		row("system", "%s", p.Sent.System)
	}
	return rows
}

// Media says in a line which pictures and how much sound are sent.
func (s *Sent) Media() string {
	var parts []string
	if f := s.Frames; f != nil {
		parts = append(parts, fmt.Sprintf("%d frames of %d x %d", f.Count, f.Width, f.Height))
	}
	if v := s.Video; v != nil {
		length := "unknown length"
		if s.Seconds > 0 {
			length = fmt.Sprintf("%.0f s", s.Seconds)
		}
		parts = append(parts, fmt.Sprintf("the file, %s of %s%s", v.MIME, length, map[bool]string{true: " with sound"}[v.Sound]))
	}
	if a := s.Sound; a != nil {
		parts = append(parts, fmt.Sprintf("%.0f s of sound, mono%s", a.Seconds, a.inParts()))
	}
	return strings.Join(parts, ", ")
}

func (s *SentSound) inParts() string {
	if len(s.Parts) == 0 {
		return ""
	}
	return fmt.Sprintf(", in %d parts", len(s.Parts))
}
