package media

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/media/wav"
)

// SpeechRate is the sampling rate of what Speech yields, and what recognisers
// and language models want to hear.
const SpeechRate = 16000

// silent is the level, in dBFS, under which sound is digital silence: not half
// a step of 16-bit samples.
const silent = -96

// A Chunk is a stretch of sound as floating-point samples, 1 being full scale;
// louder is possible in lossy formats.
type Chunk struct {
	Rate     int           // sample frames a second: the stream's own
	Channels int           // 1 or 2; more are mixed down to 2
	Samples  []float32     // interleaved; only valid during the call
	Time     time.Duration // media time of the first of them
}

// AudioSummary holds the duration, peak and warnings of one pass over a sound
// track.
type AudioSummary struct {
	Start    time.Duration `json:"start"`    // media time of the first sample
	Duration time.Duration `json:"duration"` // as decoded
	Peak     float64       `json:"peak"`     // of the absolute samples; 1 is full scale
	Warnings []string      `json:"warnings,omitempty"`
}

// Silent reports whether there was nothing but digital silence.
func (h *AudioSummary) Silent() bool { return decibels(h.Peak) < silent }

// decibels returns the level of an amplitude, -Inf for 0.
func decibels(amplitude float64) float64 { return 20 * math.Log10(amplitude) }

// Speech writes a span of the sound to w as 16-bit little-endian samples, mono,
// at SpeechRate; the zero Span is all of the file. Where the file has no sound
// between two packets, or at the start of the span, for more than 15 ms, there
// is silence, so that all of it keeps its time; see File.SoundGaps. A mix of two channels of
// opposite sign is silence: to judge balance or presence of sound, use
// Sound.
//
// A file without audio is an error of kind Invalid with ErrNoAudio in its
// chain. A silent track is no error: see AudioSummary.Silent. What a damaged file
// still yields is written, with a warning.
func Speech(ctx context.Context, f *File, span omniscope.Span, w io.Writer) (*AudioSummary, error) {
	if f.Audio == nil {
		return nil, errNoAudio(f.Path)
	}
	pcm := speechTap{w: w, most: spanFrames(span, SpeechRate)}
	if done, err := pcm.direct(ctx, f, span); done {
		if err != nil {
			return nil, err
		}
		return (&AudioSummary{Start: f.soundStart(span)}).close(f, span, pcm.frames, SpeechRate, pcm.peak), nil
	}
	h, err := listen(ctx, f, span, speechOutput(f.soundFrom(span, f.spanStart(span)), 1), pcm.read)
	if err != nil {
		return nil, err
	}
	return h.close(f, span, pcm.frames, SpeechRate, pcm.peak), nil
}

// Sound hands a span of the sound to do, chunk by chunk, at the stream's own
// sampling rate, as one or two channels: for analysis, which resampling and
// mixing would falsify. An error of do ends it and is returned.
func Sound(ctx context.Context, f *File, span omniscope.Span, do func(Chunk) error) (*AudioSummary, error) {
	if f.Audio == nil {
		return nil, errNoAudio(f.Path)
	}
	tap := newSoundTap(f, span, do)
	h, err := listen(ctx, f, span, soundOutput(f.soundFrom(span, f.spanStart(span)), f.Audio, 1), tap.read)
	if err != nil {
		return nil, err
	}
	return h.close(f, span, tap.frames, tap.rate, tap.peak), nil
}

// listen runs ffmpeg with one output of sound.
func listen(ctx context.Context, f *File, span omniscope.Span, output []string, read func(io.Reader) error) (*AudioSummary, error) {
	args := append(slices.Clone(general), f.input(span)...)
	p := program{name: "ffmpeg", path: f.Path, args: append(args, output...), readers: []func(io.Reader) error{read}}
	log, err := p.run(ctx)
	if err != nil && (ctx.Err() != nil || !undecodable(log)) {
		return nil, err
	}
	return &AudioSummary{Start: f.soundStart(span), Warnings: f.notice(log)}, nil
}

// undecodable reports whether a program failed at what a stream holds, such as
// encrypted sound. Then the samples that came, if any, are all there are.
func undecodable(log *runLog) bool {
	return log != nil && slices.ContainsFunc(log.complaints("error"), func(text string) bool {
		return strings.HasPrefix(text, "Error while decoding stream") || strings.Contains(text, "Error submitting packet to decoder")
	})
}

// soundFrom are the options that choose a span of the sound, with its filters.
// zero is the time stamp at the start of the span.
func (f *File) soundFrom(span omniscope.Span, zero time.Duration) []string {
	from := []string{"-map", fmt.Sprintf("0:%d", f.Audio.Index)}
	if filters := f.soundFilters(span, zero); filters != "" {
		from = append(from, "-af", strings.TrimSuffix(filters, ","))
	}
	return from
}

// soundStart is the media time of the first sample of a span.
func (f *File) soundStart(span omniscope.Span) time.Duration {
	if f.movesSound(span) {
		return span.Start
	}
	return max(span.Start, f.Audio.Start-f.Start)
}

// close adds the peak, the duration and a warning if the sound is cut off.
func (h *AudioSummary) close(f *File, span omniscope.Span, frames int64, rate int, peak float64) *AudioSummary {
	h.Peak = peak
	h.Duration = time.Duration(float64(frames) / float64(rate) * float64(time.Second))
	declared := f.soundEnd()
	if span.End > 0 && (declared == 0 || span.End < declared) {
		declared = span.End
	}
	if text := cutOff(declared, h.Start+h.Duration); text != "" {
		h.Warnings = append(h.Warnings, text)
	}
	return h
}

// soundEnd is the media time at which the sound ends by what its stream
// declares, 0 if it declares nothing. What the container declares may be about
// another stream.
func (f *File) soundEnd() time.Duration {
	if f.Audio.Duration > 0 {
		return f.Audio.Start + f.Audio.Duration - f.Start
	}
	if f.Video == nil {
		return f.Duration
	}
	return 0
}

// spanFrames is the number of samples in a span, -1 for one without an end:
// the resampler may give a few more.
func spanFrames(span omniscope.Span, rate int) int64 {
	if span.End <= 0 {
		return -1
	}
	return int64(math.Round((span.End - span.Start).Seconds() * float64(rate)))
}

// speechOutput are the options of an output of speech samples.
func speechOutput(from []string, fd int) []string {
	return append(from, "-ac", "1", "-ar", fmt.Sprint(SpeechRate), "-c:a", "pcm_s16le", "-f", "s16le", pipe(fd))
}

// soundOutput are the options of an output at the stream's own rate.
func soundOutput(from []string, s *Stream, fd int) []string {
	return append(from, "-ac", fmt.Sprint(s.mixed()), "-ar", fmt.Sprint(s.SampleRate), "-c:a", "pcm_f32le", "-f", "f32le", pipe(fd))
}

// A speechTap counts and measures 16-bit samples on their way to a writer.
type speechTap struct {
	w      io.Writer // nil: not wanted
	most   int64     // samples; -1 = no limit
	frames int64
	peak   float64
}

func (t *speechTap) read(r io.Reader) error {
	return whole(r, 2, func(p []byte) error {
		_, err := t.Write(p)
		return err
	})
}

// Write takes complete samples.
func (t *speechTap) Write(p []byte) (int, error) {
	n := len(p)
	if room := t.most - t.frames; t.most >= 0 && int64(n/2) > room {
		p = p[:2*room]
	}
	t.frames += int64(len(p) / 2)
	t.peak = max(t.peak, wav.Peak(p))
	if t.w == nil {
		return n, nil
	}
	if _, err := t.w.Write(p); err != nil {
		return 0, fmt.Errorf("write sound: %w", err)
	}
	return n, nil
}

// A soundTap turns bytes into chunks.
type soundTap struct {
	do             func(Chunk) error // nil: not wanted
	rate, channels int
	start          time.Duration
	most, frames   int64
	peak           float64
	samples        []float32
}

func newSoundTap(f *File, span omniscope.Span, do func(Chunk) error) *soundTap {
	return &soundTap{do: do, rate: f.Audio.SampleRate, channels: f.Audio.mixed(), start: f.soundStart(span), most: spanFrames(span, f.Audio.SampleRate)}
}

func (t *soundTap) read(r io.Reader) error {
	return whole(r, 4*t.channels, func(p []byte) error {
		if room := t.most - t.frames; t.most >= 0 && int64(len(p)/4/t.channels) > room {
			p = p[:4*int64(t.channels)*room]
		}
		t.samples = slices.Grow(t.samples[:0], len(p)/4)[:len(p)/4]
		highest := uint32(0) // amplitude: the bits of positive numbers are in their order
		for i := range t.samples {
			bits := binary.LittleEndian.Uint32(p[4*i:])
			t.samples[i] = math.Float32frombits(bits)
			highest = max(highest, bits&^(1<<31))
		}
		t.peak = max(t.peak, float64(math.Float32frombits(highest)))
		at := t.start + time.Duration(float64(t.frames)/float64(t.rate)*float64(time.Second))
		t.frames += int64(len(t.samples) / t.channels)
		if t.do == nil || len(t.samples) == 0 {
			return nil
		}
		return t.do(Chunk{Rate: t.rate, Channels: t.channels, Samples: t.samples, Time: at})
	})
}

// whole reads in multiples of unit bytes and hands them on. A last part that is
// no whole unit is left out.
func whole(r io.Reader, unit int, do func([]byte) error) error {
	buffer := make([]byte, (1<<16)/unit*unit)
	for {
		n, err := io.ReadFull(r, buffer)
		if n -= n % unit; n > 0 {
			if err := do(buffer[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
