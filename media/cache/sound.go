package cache

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"omniscope"
	"omniscope/internal/visible"
	"omniscope/media"
	"omniscope/media/wav"
)

// A SoundPolicy says how sound is given to a model. The zero value is all of it
// as one channel at media.SpeechRate.
type SoundPolicy struct {
	// Original keeps the stream's own sampling rate and its channels; more than
	// two are mixed down to two.
	Original bool `json:"original,omitempty"`

	// Format is the kind of file. MP3 has no Original: it is for models, which
	// hear one channel.
	Format SoundFormat `json:"format,omitempty"`

	// MaxSeconds is the most that is taken, from the start of the span on; 0 =
	// no limit.
	MaxSeconds float64 `json:"max_seconds,omitempty"`
}

// A SoundFormat is a kind of file that holds sound.
type SoundFormat string

// The formats.
const (
	WAV SoundFormat = ""    // of 16-bit samples: all of the sound, 115 MB an hour
	MP3 SoundFormat = "mp3" // by media.EncodeMP3: 29 MB an hour
)

// sound is a span of a clip's sound as a file.
type sound struct {
	Data     []byte `json:"-"`    // of the policy's format
	Rate     int    `json:"rate"` // samples a second, of each channel
	Channels int    `json:"channels"`

	Start    time.Duration `json:"start"`    // media time of the first sample
	Duration time.Duration `json:"duration"` // of what is in Data
	Peak     float64       `json:"peak"`     // of the absolute samples; 1 is full scale

	// Shortened reports whether the span has more sound than MaxSeconds, by at
	// least a tenth of a second. Then there is a warning too.
	Shortened bool `json:"shortened,omitempty"`

	Warnings []string `json:"warnings,omitempty"`
}

// Silent reports whether there is nothing but digital silence.
func (s *sound) Silent() bool {
	summary := media.AudioSummary{Peak: s.Peak}
	return summary.Silent()
}

// mostSound bounds the bytes of one WAV file: its header counts to 4 GB, and it
// is held in memory.
const mostSound = 2_000_000_000

// Sound returns a span of the clip's sound; the zero Span is the whole. A clip
// without audio is an error of kind Invalid with media.ErrNoAudio in its chain.
// Silence is no error: see Sound.Silent.
func (k *Clip) Sound(ctx context.Context, p SoundPolicy, span omniscope.Span) (*sound, error) {
	if span.Start < 0 || span.End < 0 || span.End > 0 && span.End <= span.Start {
		return nil, invalid("listen to "+visible.Blank(k.Path), "no span from %v to %v", span.Start, span.End)
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if k.File.Audio == nil {
		_, err := media.Speech(ctx, k.File, span, nil) // which says so
		return nil, err
	}
	if !p.Original && k.File.SpeechIsDirect(span) { // faster than to look into the folder
		release, err := takeSlot(ctx, k.cache.slots)
		if err != nil {
			return nil, err
		}
		defer release()
		return k.listenTo(ctx, p, span)
	}
	name, err := k.soundKey(p, span)
	if err != nil {
		return nil, err
	}
	slots := k.cache.slots
	if k.inBatch(p, span) {
		slots = k.cache.gather
	}
	parts, err := k.cache.getIn(ctx, slots, name, func(ctx context.Context) (extracted, error) {
		s, err := k.listenTo(ctx, p, span)
		if err != nil {
			return extracted{}, err
		}
		return s.packed()
	})
	if err != nil {
		return nil, err
	}
	return unpackedSound(parts)
}

func unpackedSound(parts [][]byte) (*sound, error) {
	s := &sound{}
	if err := unmarshal(parts, s); err != nil {
		return nil, err
	}
	if len(parts) != 2 {
		return nil, errContent
	}
	s.Data = parts[1]
	return s, nil
}

// check refuses policies that cannot be followed.
func (p SoundPolicy) check() error {
	if p.MaxSeconds < 0 || math.IsNaN(p.MaxSeconds) || p.MaxSeconds > math.MaxInt32 {
		return invalid("sound policy", "at most %g seconds of sound", p.MaxSeconds)
	}
	if p.Format != WAV && p.Format != MP3 || p.Format == MP3 && p.Original {
		return invalid("sound policy", "sound cannot be had as %q, or not with its original channels", p.Format)
	}
	return nil
}

func invalid(op, format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: op, Err: fmt.Errorf(format, args...)}
}

// soundKey is the key of sound by a policy.
func (k *Clip) soundKey(p SoundPolicy, span omniscope.Span) (key, error) {
	policy, err := json.Marshal(p)
	return k.key(soundVersion, string(policy), span), err
}

// packed makes an entry of sound.
func (s *sound) packed() (extracted, error) {
	text, err := json.Marshal(s)
	return extracted{parts: [][]byte{text, s.Data}, keep: s.Duration > 0}, err
}

// inBatch reports whether sound is extracted by a program that reads several
// files: all sound of a short one.
func (k *Clip) inBatch(p SoundPolicy, span omniscope.Span) bool {
	return !p.Original && span == (omniscope.Span{}) && k.File.ShortSound() &&
		(p.MaxSeconds == 0 || k.File.End().Seconds() <= p.MaxSeconds)
}

// listenTo extracts sound of the file with the clip's digest.
func (k *Clip) listenTo(ctx context.Context, p SoundPolicy, span omniscope.Span) (*sound, error) {
	s, err := k.listen(ctx, p, span)
	if err == nil {
		err = k.unchanged(ctx)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// listen extracts sound.
func (k *Clip) listen(ctx context.Context, p SoundPolicy, span omniscope.Span) (*sound, error) {
	pcm, gathered := k.newRecording(p), k.inBatch(p, span)
	// A second more than is wanted shows whether there is more.
	if end := span.Start + time.Duration((p.MaxSeconds+1)*float64(time.Second)); p.MaxSeconds > 0 && (span.End == 0 || end < span.End) {
		span.End = end
	}
	var encoded *encoding
	if p.Format == MP3 {
		encoded = startMP3(ctx, pcm.rate)
		pcm.to = encoded.samples
	} else {
		pcm.reserve(k.File.End(), span)
	}
	heard, err := k.hear(ctx, p, span, pcm, gathered)
	if encoded != nil {
		pcm.bytes, err = encoded.end(err, pcm.kept)
	}
	if err != nil {
		return nil, err
	}
	s := pcm.sound(heard)
	if s.Shortened {
		s.Warnings = append(s.Warnings, fmt.Sprintf("the sound goes on after %g s: the rest is left out", p.MaxSeconds))
	}
	if s.Duration == 0 {
		s.Warnings = append(s.Warnings, "no sound can be decoded")
		return s, nil
	}
	if s.Silent() && !p.Original && k.File.Audio.Channels > 1 {
		loud, err := k.loud(ctx, span)
		if err != nil {
			return nil, err
		}
		if loud {
			s.Warnings = append(s.Warnings, "mixed to one channel the sound is silence, since its channels cancel each other out: take the original channels")
		}
	}
	return s, nil
}

// hear decodes sound into a recording; gathered = by a program that reads several files.
func (k *Clip) hear(ctx context.Context, p SoundPolicy, span omniscope.Span, pcm *recording, gathered bool) (*media.AudioSummary, error) {
	switch {
	case p.Original:
		return media.Sound(ctx, k.File, span, pcm.add)
	case !gathered:
		return media.Speech(ctx, k.File, span, pcm)
	}
	take, err := k.cache.takes.do(ctx, media.Take{File: k.File, Sound: true})
	if err != nil {
		return nil, err
	}
	_, err = pcm.Write(take.PCM)
	return take.Heard, err
}

// loud reports whether any channel of the original sound is not silent.
func (k *Clip) loud(ctx context.Context, span omniscope.Span) (bool, error) {
	errLoud := errors.New("there is sound")
	_, err := media.Sound(ctx, k.File, span, func(c media.Chunk) error {
		for _, v := range c.Samples {
			if s := (sound{Peak: math.Abs(float64(v))}); !s.Silent() {
				return errLoud
			}
		}
		return nil
	})
	if errors.Is(err, errLoud) {
		return true, nil
	}
	return false, err
}

// An encoding makes MP3 of samples while they come.
type encoding struct {
	samples *io.PipeWriter
	done    chan struct{}
	mp3     []byte
	err     error
}

func startMP3(ctx context.Context, rate int) *encoding {
	from, to := io.Pipe()
	e := &encoding{samples: to, done: make(chan struct{})}
	go func() {
		defer close(e.done)
		e.mp3, e.err = media.EncodeMP3(ctx, from, rate)
		from.CloseWithError(cmp.Or(e.err, io.ErrClosedPipe)) // who writes waits for nobody
	}()
	return e
}

// end ends the samples, of which n bytes came until err, and returns what was made.
func (e *encoding) end(err error, n int64) ([]byte, error) {
	e.samples.CloseWithError(err) // io.EOF without an error
	<-e.done
	switch {
	case e.err != nil && n > 0 && (err == nil || errors.Is(err, e.err)):
		return nil, e.err
	case err != nil || n == 0: // of no samples nothing can be made
		return nil, err
	}
	return e.mp3, nil
}

// A recording is sound as it comes: a WAV file that grows, or samples that go on to an
// encoder.
type recording struct {
	name           string
	rate, channels int
	most           int64 // bytes of samples that are wanted; -1 = all
	seen           int64 // bytes of samples that came
	peak           float64
	kept           int64  // bytes of samples that are in bytes or went to to
	bytes          []byte // header and samples of the WAV file
	to             io.Writer
}

func (k *Clip) newRecording(p SoundPolicy) *recording {
	r := &recording{name: k.Path, rate: media.SpeechRate, channels: 1, most: -1}
	if p.Original {
		r.rate, r.channels = k.File.Audio.SampleRate, min(max(k.File.Audio.Channels, 1), 2)
	}
	if p.MaxSeconds > 0 {
		r.most = int64(math.Round(p.MaxSeconds*float64(r.rate))) * r.frame()
	}
	return r
}

// frame is the number of bytes of one sample of each channel.
func (r *recording) frame() int64 { return 2 * int64(r.channels) }

// reserve gets memory for a span of a clip that says that it ends at end: to
// grow step by step needs twice as much. A header may say anything, so there is
// a limit.
func (r *recording) reserve(end time.Duration, span omniscope.Span) {
	const most = 256 << 20
	if span.End > 0 && (end == 0 || span.End < end) {
		end = span.End
	}
	n := int64(max(0, end-span.Start).Seconds()*float64(r.rate)+float64(r.rate)) * r.frame()
	r.bytes = make([]byte, wav.HeaderBytes, wav.HeaderBytes+min(n, most))
}

// Write takes 16-bit samples.
func (r *recording) Write(p []byte) (int, error) {
	wanted := r.wanted(int64(len(p)))
	r.peak = max(r.peak, wav.Peak(p[:wanted]))
	r.kept += wanted
	if r.to != nil {
		_, err := r.to.Write(p[:wanted])
		return len(p), err
	}
	r.bytes = append(r.bytes, p[:wanted]...)
	return len(p), r.fits()
}

// add takes floating-point samples and rounds them to the nearest step, as
// ffmpeg does with floating-point sound; 24-bit sound it would cut off.
func (r *recording) add(c media.Chunk) error {
	wanted := r.wanted(2 * int64(len(c.Samples)))
	r.kept += wanted
	for _, v := range c.Samples[:wanted/2] {
		r.peak = max(r.peak, math.Abs(float64(v)))
		rounded := math.RoundToEven(float64(v) * (1 << 15))
		r.bytes = binary.LittleEndian.AppendUint16(r.bytes, uint16(int16(min(max(rounded, math.MinInt16), math.MaxInt16))))
	}
	return r.fits()
}

// wanted counts bytes of samples that came, and returns how many of them are
// wanted.
func (r *recording) wanted(n int64) int64 {
	before := r.seen
	r.seen += n
	if r.most < 0 {
		return n
	}
	return min(n, max(0, r.most-before))
}

func (r *recording) fits() error {
	if len(r.bytes) <= mostSound {
		return nil
	}
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "listen to " + visible.Blank(r.name),
		Err: errors.New("its sound is more than 2 GB: choose a shorter span, or set the most seconds of the sound policy")}
}

// sound ends the recording.
func (r *recording) sound(heard *media.AudioSummary) *sound {
	n := r.kept
	if r.to == nil {
		copy(r.bytes, wav.Header(r.rate, r.channels, int(n)))
	}
	left := (r.seen - n) / r.frame()
	return &sound{
		Data: r.bytes, Rate: r.rate, Channels: r.channels, Start: heard.Start, Peak: r.peak, Warnings: heard.Warnings,
		Duration:  time.Duration(float64(n/r.frame()) / float64(r.rate) * float64(time.Second)),
		Shortened: left*10 >= int64(r.rate),
	}
}
