package speech

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"
	"time"

	"omniscope"
	"omniscope/media/signal"
	"omniscope/perceive/asr"
)

// How much the engine listens to. On one core it takes a quarter of the
// duration of speech, and a fiftieth of that of anything else.
const (
	longestSound = 10 * time.Minute
	mostSound    = time.Hour
)

// An Engine transcribes English with the pack. Its segments are what somebody
// says without a long pause. It reads the pack when it is first used.
type Engine struct {
	folder string
	open   func() (*Pack, error)
}

var _ asr.Engine = (*Engine)(nil)

// NewEngine returns an engine with the pack in a folder; "" = Folder(). It
// reads nothing yet; Info says whether the pack is there.
func NewEngine(folder string) *Engine {
	if folder == "" {
		folder = Folder()
	}
	return &Engine{folder: folder, open: sync.OnceValues(func() (*Pack, error) { return Open(folder) })}
}

// Info implements asr.Engine.
func (e *Engine) Info() asr.EngineInfo {
	return asr.EngineInfo{
		Name: "speech pack 1 (Moonshine tiny, Silero VAD 5, English)", Missing: missing(e.folder),
		Quotes: true, Longest: longestSound, Most: mostSound, LeastLogProb: asr.DefaultLeastLogProb,
	}
}

// Check implements asr.Engine: it reads the pack.
func (e *Engine) Check(context.Context) error {
	if m := missing(e.folder); m != "" {
		return &omniscope.Error{Kind: omniscope.NotFound, Op: "asr", Err: errors.New(m)}
	}
	_, err := e.open()
	return err
}

// Transcribe implements asr.Engine.
func (e *Engine) Transcribe(ctx context.Context, s asr.Sound) ([]asr.Segment, error) {
	p, err := e.open()
	if err != nil {
		return nil, err
	}
	samples := floats(s.PCM)
	chances, err := p.Voice(ctx, samples)
	if err != nil {
		return nil, err
	}
	var list []asr.Segment
	for _, part := range phrases(spoken(chances), chances, len(samples)) {
		t, err := p.Recognise(ctx, samples[part.from:part.to])
		if err != nil {
			return nil, err
		}
		if t.Text == "" || t.Cut { // what never ends is invented, and surer of itself with each repetition
			continue
		}
		list = append(list, asr.Segment{
			Start: timeOf(part.from), End: timeOf(part.to), Text: t.Text,
			Sure: asr.Sureness{Known: true, LogProb: t.LogProb},
		})
	}
	return list, nil
}

// How sure the detector must be of what is said with no longer pause than joined, in the mean over it. Measured on clips of
// known content: speech and single words had 0.77 or more, music with a voice in it 0.60 or less.
const leastMean = 0.68

var _ asr.Listener = (*Engine)(nil)

// Spoken implements asr.Listener. Voices in music are left out where the detector is not sure of them as a whole.
func (e *Engine) Spoken(ctx context.Context, s asr.Sound) (list []signal.SpeechSpan, err error) {
	p, err := e.open()
	if err != nil {
		return nil, err
	}
	chances, err := p.Voice(ctx, floats(s.PCM))
	if err != nil {
		return nil, err
	}
	all := spoken(chances)
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].from-all[n-1].to <= samplesIn(joined) {
			n++
		}
		if mean := meanChance(chances, all[:n]); mean >= leastMean {
			for _, part := range all[:n] {
				list = append(list, signal.SpeechSpan{Span: omniscope.Span{Start: timeOf(part.from), End: timeOf(part.to)}, Sure: mean})
			}
		}
		all = all[n:]
	}
	return list, nil
}

// meanChance is the mean probability of speech over stretches, without what is between them.
func meanChance(chances []float32, list []stretch) float64 {
	sum, n := 0., 0
	for _, s := range list {
		for _, c := range chances[s.from/frameSamples : s.to/frameSamples] {
			sum += float64(c)
			n++
		}
	}
	return sum / float64(max(n, 1))
}

// floats turns 16-bit samples into numbers between -1 and 1.
func floats(pcm []byte) []float32 {
	samples := make([]float32, len(pcm)/2)
	for i := range samples {
		samples[i] = float32(int16(binary.LittleEndian.Uint16(pcm[2*i:]))) / (1 << 15)
	}
	return samples
}
