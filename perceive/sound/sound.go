// Package sound is the tool that measures how a clip sounds: level, dynamics,
// faults of the recording, rhythm, events, silences, and whether somebody
// seems to speak. It says what was measured and where. It does not transcribe
// (that is package asr), and a source is at most something that the sound is
// consistent with.
package sound

import (
	"context"
	"slices"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/media/signal"
	"omniscope/perceive"
)

// least is how sure a measurement must be to be reported.
const least = 0.5

// A Tool measures sound. It is safe for concurrent use.
type Tool struct{}

var _ perceive.Tool = (*Tool)(nil)

// New returns the tool.
func New() *Tool { return &Tool{} }

// Info implements perceive.Tool.
func (*Tool) Info() perceive.Info {
	return perceive.Info{
		Name: "sound", Looks: true, Version: "5", Modality: omniscope.Audio, Needs: "ffmpeg",
		About: "measures the sound: loudness, dynamics, frequency band, clipping, channels, hum, tempo, events, silences, pitch, and whether somebody seems to speak; it neither transcribes nor names sources for certain",
	}
}

// Check implements perceive.Tool: it looks for ffmpeg.
func (*Tool) Check(ctx context.Context) error {
	return media.CheckPrograms(ctx)
}

// Observe implements perceive.Tool. It measures the same whatever is asked.
func (*Tool) Observe(ctx context.Context, c *perceive.Clip, _ string) (*perceive.Answer, error) {
	if c.File.Audio == nil {
		return perceive.NewAnswer(true, perceive.Observation{Kind: perceive.Absence, What: "the clip has no sound track", Sure: 1}), nil
	}
	look, err := c.Look(ctx)
	if err != nil {
		return nil, err
	}
	l := listening{hearing: look.Audio, facts: look.Signal, channels: c.File.Audio.Channels, clip: c.Span, gaps: c.File.SoundGaps()}
	if look.Video != nil {
		l.clip.End = look.Video.End
	}
	a := perceive.NewAnswer(true, l.observe()...)
	if look.Audio != nil {
		a.Warnings = look.Audio.Warnings
	}
	return a, nil
}

// A listening is what is known of the sound of one clip.
type listening struct {
	hearing  *media.AudioSurvey
	facts    *signal.Facts
	channels int              // of the stream: more than two were mixed down
	clip     omniscope.Span   // where there is something to see; a zero End = nothing
	gaps     []omniscope.Span // media times between which the file has no sound: what is heard there is not of the recording
}

// observe says all that is known well enough, what holds throughout before
// what happens.
func (l *listening) observe() []perceive.Observation {
	h := l.hearing
	if h == nil || h.Duration == 0 {
		return []perceive.Observation{{Kind: perceive.Absence, What: "no sound can be decoded in the clip, though it has a sound track", Sure: 1}}
	}
	if h.Silent() || l.facts == nil {
		return []perceive.Observation{l.silent(1)}
	}
	if s := &l.facts.Silences; s.Known && s.All && s.Sure >= least {
		return []perceive.Observation{l.silent(s.Sure)}
	}
	return slices.Concat(l.loudness(), l.fidelity(), l.character(), l.rhythm(), l.events(), l.speech(), l.silences(), l.ends())
}

// silent says that nothing is heard.
func (l *listening) silent(sure float64) perceive.Observation {
	return perceive.Observation{
		Kind: perceive.Silence, What: "the sound track is silent throughout", Sure: sure,
		Values: map[string]float64{"peak": l.hearing.Peak},
	}
}

// whole is an observation about all of the sound.
func whole(sure float64, what string, values map[string]float64) perceive.Observation {
	return perceive.Observation{Kind: perceive.Sound, What: what, Sure: sure, Values: values}
}

// at turns a stretch of the sound into media time.
func (l *listening) at(s omniscope.Span) omniscope.Span {
	return omniscope.Span{Start: l.hearing.Start + s.Start, End: l.hearing.Start + s.End}
}

// isReported reports whether a fact is sure enough to be reported.
func isReported(e signal.Evidence) bool { return e.Known && e.Sure >= least }

// speaking reports whether speech fills most of the sound. Its rhythm is then
// that of syllables, which are no tempo and no events.
func (l *listening) speaking() bool {
	return l.facts.Speech.Present && l.facts.Speech.Share > 0.5
}

func seconds(d time.Duration) float64 { return d.Seconds() }
