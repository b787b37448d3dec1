package media

import (
	"context"
	"errors"
	"time"

	"omniscope"
	"omniscope/media/pcm"
)

// direct describes a WAV or FLAC file as ffprobe does, without running it; nil = it is
// left to ffprobe.
func direct(path string, bytes int64) *File {
	p, err := pcm.Open(path)
	if err != nil {
		return nil
	}
	defer p.Close()
	if p.Check() != nil {
		return nil
	}
	tick := Rational{1, int64(p.Rate)}
	length := durationOf(p.Frames, tick)
	f := &File{
		Path: path, Format: p.Format, Bytes: bytes, Duration: length.Round(time.Microsecond),
		Streams: []Stream{{
			Kind: Audio, Codec: p.Codec, SampleRate: p.Rate, Channels: p.Channels,
			TimeBase: tick, Duration: length, Promised: length, Packets: p.Packets,
		}},
	}
	f.choose()
	return f
}

// direct reads the sound of a file that needs neither ffmpeg's decoders nor
// resampling. done = false: ffmpeg has to do it, and nothing was written.
func (t *speechTap) direct(ctx context.Context, f *File, span omniscope.Span) (done bool, err error) {
	if f.Format != "wav" && f.Format != "flac" || len(f.Streams) != 1 || len(f.Warnings) > 0 || f.movesSound(span) || f.renumbered() {
		return false, nil
	}
	p, err := pcm.Open(f.Path)
	if err != nil {
		return false, nil
	}
	defer p.Close()
	if !p.HasMono(SpeechRate) || p.Codec != f.Audio.Codec {
		return false, nil
	}
	if err := p.Mono(ctx, span.Start, span.End, t); !errors.Is(err, pcm.ErrOther) {
		return true, err
	}
	return false, nil
}
