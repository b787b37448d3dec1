package media

import (
	"context"
	"errors"
	"os"
	"time"

	"omniscope"
	"omniscope/media/pcm"
)

// ReadDirect fills in the facts of the WAV, FLAC, MP3 or MP4 file at f.Path as Probe
// finds them, without running a program. false = only Probe can.
func (f *File) ReadDirect() bool {
	info, err := os.Stat(f.Path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	p := walkMP3(f.Path, info.Size())
	if p == nil {
		p = walkMP4(f.Path, info.Size())
	}
	if p != nil {
		found, err := p.file(f.Path, info.Size())
		if err != nil || len(found.Warnings) > 0 {
			return false
		}
		f.Adopt(found)
		return true
	}
	sound, err := pcm.Open(f.Path)
	if err != nil {
		return false
	}
	defer func() { _ = sound.Close() }()
	if sound.Check() != nil {
		return false
	}
	tick := Rational{1, int64(sound.Rate)}
	length := durationOf(sound.Frames, tick)
	f.Format, f.Bytes, f.Duration = sound.Format, info.Size(), length.Round(time.Microsecond)
	f.Streams = []Stream{{
		Kind: Audio, Codec: sound.Codec, SampleRate: sound.Rate, Channels: sound.Channels,
		TimeBase: tick, Duration: length, Promised: length, Packets: sound.Packets,
	}}
	f.choose()
	return true
}

// SpeechIsDirect reports whether Speech needs no program for a span, unless samples
// turn out to be unreadable.
func (f *File) SpeechIsDirect(span omniscope.Span) bool {
	p := f.openDirect(span)
	return p != nil && p.Close() == nil
}

// openDirect opens a file that needs neither ffmpeg's decoders nor resampling; nil
// = it does.
func (f *File) openDirect(span omniscope.Span) *pcm.File {
	if f.Format != "wav" && f.Format != "flac" || len(f.Streams) != 1 || f.Audio == nil || len(f.Warnings) > 0 || f.movesSound(span) || f.renumbered() {
		return nil
	}
	p, err := pcm.Open(f.Path)
	if err != nil {
		return nil
	}
	if !p.HasMono(SpeechRate) || p.Codec != f.Audio.Codec {
		_ = p.Close()
		return nil
	}
	return p
}

// direct reads the sound without a program. done = false: ffmpeg has to do it, and
// nothing was written.
func (t *speechTap) direct(ctx context.Context, f *File, span omniscope.Span) (done bool, err error) {
	p := f.openDirect(span)
	if p == nil {
		return false, nil
	}
	defer func() { _ = p.Close() }()
	err = p.Mono(ctx, span.Start, span.End, t)
	return !errors.Is(err, pcm.ErrOther), err
}
