// Package clip measures files of training: what a trainer does with a file that is mute, cut off or has no constant frame rate is
// seldom told, and always paid for. What is measured here is what trainers rest on; what counts as wrong is train/check's
// business.
package clip

import (
	"context"
	"time"

	"omniscope"
	"omniscope/media"
)

// A Measured file. All lengths are in seconds.
type Measured struct {
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`

	Sound   *soundFacts   `json:"sound,omitempty"`   // nil = no sound
	Picture *pictureFacts `json:"picture,omitempty"` // nil = no picture

	// Broken says what could not be decoded; "" = the file decodes whole.
	Broken string `json:"broken,omitempty"`
}

// soundFacts are the measurements of a sound track.
type soundFacts struct {
	Start   float64 `json:"start"` // by the file's own clock
	Seconds float64 `json:"seconds"`
	Missing float64 `json:"missing,omitempty"` // between packets, where trainers that count samples hear what comes later
	Uneven  bool    `json:"uneven,omitempty"`  // packets do not follow each other in time: by what is missing, by overlaps or by drift
	Silent  bool    `json:"silent,omitempty"`  // nothing but digital silence
	Quiet   float64 `json:"quiet"`             // share of the length that is silence
}

// pictureFacts are the measurements of a video track.
type pictureFacts struct {
	Start    float64 `json:"start"` // by the file's own clock
	Seconds  float64 `json:"seconds"`
	Frames   int     `json:"frames"`
	Tracks   int     `json:"tracks,omitempty"`   // of video, if there are several: trainers choose one of them, as each likes
	Rate     float64 `json:"rate"`               // frames a second, on average
	Variable bool    `json:"variable,omitempty"` // frames are not equally far apart
	Width    int     `json:"width"`              // in pixels, as shown
	Height   int     `json:"height"`
	Still    float64 `json:"still"` // share of the length in which nothing moves
}

// Seconds is the length of the longer track.
func (m *Measured) Seconds() float64 {
	longest := 0.0
	if m.Sound != nil {
		longest = m.Sound.Seconds
	}
	if m.Picture != nil {
		longest = max(longest, m.Picture.Seconds)
	}
	return longest
}

// Measure decodes a whole file once. A file that is no media is an error of kind Invalid, as media.Probe has it; one that
// breaks off is not: see Measured.Broken.
func Measure(ctx context.Context, path string) (*Measured, error) {
	f, err := media.Probe(ctx, path)
	if err != nil {
		return nil, err
	}
	return measure(ctx, f)
}

func measure(ctx context.Context, f *media.File) (m *Measured, err error) {
	m = &Measured{Bytes: f.Bytes}
	if m.SHA256, err = f.Digest(ctx); err != nil {
		return nil, err
	}
	survey, err := media.RunSurvey(ctx, f, media.SurveyOptions{})
	if err != nil {
		if ctx.Err() != nil || omniscope.KindOf(err) != omniscope.Invalid {
			return nil, err
		}
		m.Broken = err.Error()
		return m, nil
	}
	for _, w := range append(append([]string{}, f.Warnings...), survey.Warnings...) {
		m.Broken = joined(m.Broken, w)
	}
	if survey.Audio != nil {
		m.Sound = sound(f, survey.Audio)
	}
	if survey.Video == nil {
		return m, nil
	}
	m.Picture, err = picture(ctx, f, survey.Video)
	return m, err
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

func sound(f *media.File, a *media.AudioSurvey) *soundFacts {
	start := max(a.Start, f.Audio.Start-f.Start) // of what the file holds, without the silence before it
	s := &soundFacts{Start: (f.Start + start).Seconds(), Seconds: (a.Start + a.Duration - start).Seconds(), Uneven: f.Audio.Uneven, Silent: a.Silent()}
	for _, gap := range f.SoundGaps() {
		if gap.Start > start {
			s.Missing += (gap.End - gap.Start).Seconds()
		}
	}
	if a.Duration > 0 {
		quiet := time.Duration(0)
		for _, q := range a.Quiet {
			quiet += q.End - q.Start
		}
		s.Quiet = min(1, quiet.Seconds()/a.Duration.Seconds())
	}
	if s.Silent {
		s.Quiet = 1
	}
	return s
}

func picture(ctx context.Context, f *media.File, v *media.VideoSurvey) (*pictureFacts, error) {
	line, err := f.Timeline(ctx)
	if err != nil {
		return nil, err
	}
	length := line.End() - line.At(0)
	p := &pictureFacts{Start: (f.Start + line.At(0)).Seconds(), Seconds: length.Seconds(), Frames: line.Frames(), Rate: line.Rate(), Variable: variable(line.PTS),
		Width: f.Video.Width, Height: f.Video.Height}
	for i := range f.Streams {
		if f.Streams[i].Kind == media.Video {
			p.Tracks++
		}
	}
	if p.Tracks == 1 {
		p.Tracks = 0
	}
	still := time.Duration(0)
	for _, s := range v.Still {
		still += s.End - s.Start
	}
	if length > 0 {
		p.Still = min(1, still.Seconds()/length.Seconds())
	}
	return p, nil
}

// variable reports whether frames are not equally far apart. A tick more or less is rounding, as in files that count milliseconds.
func variable(pts []int64) bool {
	if len(pts) < 3 {
		return false
	}
	mean := float64(pts[len(pts)-1]-pts[0]) / float64(len(pts)-1)
	for i := 1; i < len(pts); i++ {
		if off := float64(pts[i]-pts[i-1]) - mean; off > 1.01 || off < -1.01 {
			return true
		}
	}
	return false
}
