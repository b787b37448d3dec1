// Package asr is the tool that transcribes speech. Engines do the hearing: an
// endpoint that speaks OpenAI's transcription protocol (NewEndpoint), the
// program pocketsphinx as a last resort (Pocketsphinx), or any other Engine.
//
// Words are quoted only from an engine that is good enough to be quoted, from
// stretches in which speech was measured to be present, and only where the
// engine was sure of them. All else is "speech, not intelligible": engines
// invent words for crowds, music and silence.
package asr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/media/signal"
	"omniscope/perceive"
)

// An Engine turns sound into words. It is safe for concurrent use.
type Engine interface {
	Info() EngineInfo
	// Check says what keeps the engine from working; it may contact its server.
	Check(ctx context.Context) error
	// Transcribe writes down what is said, in order of time. Its errors are
	// final: it has tried as often as makes sense.
	Transcribe(ctx context.Context, s Sound) ([]Segment, error)
}

// A Listener is an engine that tells where somebody speaks. It is asked before what was measured of the sound is.
type Listener interface {
	// Spoken returns where somebody speaks, in order of time, from the start of the sound.
	Spoken(ctx context.Context, s Sound) ([]signal.SpeechSpan, error)
}

// EngineInfo describes an engine.
type EngineInfo struct {
	Name    string        // with all that shapes its words, such as the model
	Missing string        // what keeps it from being used here, as far as that can be known without a call; "" = nothing
	Quotes  bool          // its words may be quoted
	Longest time.Duration // of one Transcribe; 0 = any
	Most    time.Duration // of the sound of one clip, so that a run does not wait for hours; 0 = any

	Mentions bool // words under LeastLogProb are mentioned as doubtful, and not left out

	// LeastLogProb is the mean log-probability under which its words are not
	// believed; 0 = DefaultLeastLogProb.
	LeastLogProb float64
}

// Sound is a stretch of mono sound at media.SpeechRate, as 16-bit little-endian
// samples.
type Sound struct {
	PCM []byte
}

// Duration is how long the sound lasts.
func (s Sound) Duration() time.Duration { return duration(int64(len(s.PCM))) }

// bytesPerSecond of Sound.
const bytesPerSecond = 2 * media.SpeechRate

func duration(bytes int64) time.Duration {
	return time.Duration(bytes/2) * time.Second / media.SpeechRate
}

// A Segment is some words in a row.
type Segment struct {
	Start, End time.Duration // from the start of the sound
	Text       string
	Sure       Sureness
	Words      []Word // where the engine tells them apart
	Foreign    string // the language that the engine hears, if it wrote the words in another by its settings
}

// A Word is a word and the engine's own confidence in it.
type Word struct {
	Text      string
	Posterior float64 // from 0 to 1
}

// Sureness is how sure an engine is of a segment, as far as it says.
type Sureness struct {
	Known    bool
	LogProb  float64 // mean natural logarithm of the probability of a token
	NoSpeech float64 // probability that there is no speech at all; 0 where it is not known
	Packed   float64 // how many times smaller the text becomes when packed: loops pack well; 0 where it is not known
}

// DefaultLeastLogProb is the mean log-probability under which words of an engine
// are not believed that gives no limit of its own. Measured with Moonshine tiny:
// real speech had -0.235 or more, inventions on crowds and foreign languages
// -0.347 or less.
const DefaultLeastLogProb = -0.3

// Options say how speech is transcribed. The zero value uses pocketsphinx.
type Options struct {
	Engines      []Engine // the best first: the first that can be used here is used; nil = pocketsphinx
	LeastLogProb float64  // see EngineInfo; 0 = that of the engine
}

// A Tool transcribes. It is safe for concurrent use.
type Tool struct {
	engines []Engine
	infos   []EngineInfo
	used    int // -1 = none
	least   float64
}

var _ perceive.Tool = (*Tool)(nil)

// New returns a tool that uses the first engine that lacks nothing here. The
// choice is made once: an engine that fails later is not replaced by a worse
// one in silence.
func New(o Options) *Tool {
	if o.Engines == nil {
		o.Engines = []Engine{Pocketsphinx{}}
	}
	t := &Tool{engines: o.Engines, used: -1, least: o.LeastLogProb}
	for i, e := range o.Engines {
		t.infos = append(t.infos, e.Info())
		if t.used < 0 && t.infos[i].Missing == "" {
			t.used = i
			t.least = cmp.Or(t.least, t.infos[i].LeastLogProb)
		}
	}
	t.least = cmp.Or(t.least, DefaultLeastLogProb)
	return t
}

// Info implements perceive.Tool. Needs says which engine is used and what the
// better ones lack.
func (t *Tool) Info() perceive.Info {
	name := "no engine"
	if t.used >= 0 {
		name = t.infos[t.used].Name
	}
	return perceive.Info{
		Name: "asr", Looks: true, Version: fmt.Sprintf("%d, %s, %g", t.rules(), name, t.least), Modality: omniscope.Audio, Needs: "ffmpeg; " + t.Engines(),
		About: "transcribes speech word for word, with times; where it cannot understand it says so",
	}
}

// rules is raised when the same sound would be reported differently.
func (t *Tool) rules() int {
	if t.used >= 0 {
		if _, listens := t.engines[t.used].(Listener); listens {
			return 6
		}
	}
	return 5
}

// Engines says in words which engine is used, and why none that was named
// before it.
func (t *Tool) Engines() string {
	var parts []string
	for i, info := range t.infos {
		if i == t.used {
			return strings.Join(append([]string{"uses " + info.Name}, parts...), "; ")
		}
		parts = append(parts, fmt.Sprintf("not %s: %s", info.Name, info.Missing))
	}
	return strings.Join(append([]string{"no engine can be used"}, parts...), "; ")
}

// Check implements perceive.Tool: it looks for ffmpeg and asks the engine that
// is used.
func (t *Tool) Check(ctx context.Context) error {
	if t.used < 0 {
		return &omniscope.Error{Kind: omniscope.NotFound, Op: "asr", Err: errors.New(t.Engines())}
	}
	if err := media.CheckPrograms(ctx); err != nil {
		return err
	}
	return t.engines[t.used].Check(ctx)
}

// Observe implements perceive.Tool. It transcribes the same whatever is asked.
func (t *Tool) Observe(ctx context.Context, c *perceive.Clip, _ string) (*perceive.Answer, error) {
	if c.File.Audio == nil {
		return perceive.NewAnswer(true, perceive.Observation{Kind: perceive.Absence, What: "the clip has no sound track", Sure: 1}), nil
	}
	look, err := c.Look(ctx)
	if err != nil {
		return nil, err
	}
	switch h := look.Audio; {
	case h == nil || h.Duration == 0:
		return perceive.NewAnswer(true, perceive.Observation{Kind: perceive.Absence, What: "no sound can be decoded in the clip, though it has a sound track", Sure: 1}), nil
	case h.Silent() || look.Signal == nil || look.Signal.Silences.All:
		return perceive.NewAnswer(true, perceive.Observation{Kind: perceive.Silence, What: "the sound track is silent throughout", Sure: 1}), nil
	}
	h := hearing{tool: t, look: look}
	if t.used >= 0 {
		h.info, h.engine = t.infos[t.used], t.engines[t.used]
	}
	if err := h.listen(ctx); err != nil {
		return nil, err
	}
	if len(h.speech) == 0 {
		return &perceive.Answer{Text: "Nothing was transcribed: the sound has no stretch that resembles speech closely enough. Single words, calls, and speech in loud music are overlooked at times."}, nil
	}
	if t.used < 0 {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Op: "asr", Err: errors.New(t.Engines())}
	}
	return h.transcribe(ctx)
}
