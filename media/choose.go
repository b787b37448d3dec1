package media

import (
	"fmt"
	"slices"
	"time"
)

// choose decides which streams are used. ffmpeg's own choice is not asked: it
// takes the sound with most channels whatever its sampling rate, and cover
// pictures for video.
func (f *File) choose() {
	picture := func(s *Stream) bool {
		return s.Kind == Video && !s.Cover && s.Width > 0 && s.Height > 0 && s.Packets > 0
	}
	most := best(f.Streams, picture, func(s *Stream) []int64 { return []int64{s.Packets} })
	meant := best(f.Streams, func(s *Stream) bool { return picture(s) && moves(s, most) }, func(s *Stream) []int64 {
		return []int64{flag(s.Default), int64(s.Duration)}
	})
	f.Video = best(f.Streams, picture, func(s *Stream) []int64 {
		return []int64{flag(moves(s, most)), flag(asLong(s, meant)), int64(s.Width) * int64(s.Height), flag(s.Default), s.Packets}
	})
	f.Audio = best(f.Streams, func(s *Stream) bool {
		return s.Kind == Audio && s.SampleRate > 0 && s.Packets > 0 && s.Channels <= mostChannels
	}, func(s *Stream) []int64 {
		// Above 16 kHz, what tells tracks apart is what the author meant by
		// them: the default one, then more channels.
		return []int64{min(int64(s.SampleRate), 16000), flag(s.Default), int64(s.Channels), int64(s.SampleRate)}
	})
}

// mostChannels are as many as ffmpeg's filters take.
const mostChannels = 64

// tooManyChannels names sound that is not used for that.
func (f *File) tooManyChannels() string {
	for i := range f.Streams {
		if n := f.Streams[i].Channels; f.Audio == nil && n > mostChannels {
			return fmt.Sprintf("its sound has %d channels, and at most %d can be mixed: leave it out, or mix it with another program", n, mostChannels)
		}
	}
	return ""
}

// otherCodecs are the codecs of streams that are not used, such as covers:
// ffmpeg looks at them, too, and complains.
func (f *File) otherCodecs() (codecs []string) {
	used := func(codec string) bool {
		return f.Video != nil && f.Video.Codec == codec || f.Audio != nil && f.Audio.Codec == codec
	}
	for i := range f.Streams {
		if codec := f.Streams[i].Codec; !used(codec) {
			codecs = append(codecs, codec)
		}
	}
	return codecs
}

// moves reports whether a track is a film, compared with the one with most pictures:
// covers and thumbnails that lost their flag have one picture, or few.
func moves(s, most *Stream) bool {
	const few = 20 // times as many pictures as of a film
	return (s.Packets > 1 || most.Packets == 1) && s.Packets*few >= most.Packets &&
		(s.Packets*2 > most.Packets || !pictureCodec(s) || pictureCodec(most))
}

// pictureCodec reports whether a track is a row of single pictures, as
// thumbnails are.
func pictureCodec(s *Stream) bool {
	return slices.Contains([]string{"mjpeg", "png", "gif", "bmp", "webp", "tiff"}, s.Codec)
}

// asLong reports whether a track lasts as long as the one that is meant to be
// seen, or nearly so.
func asLong(s, meant *Stream) bool {
	return meant == nil || s == meant || s.Duration >= meant.Duration*9/10
}

// best returns the fit stream with the greatest rank, the first of equals.
func best(streams []Stream, fits func(*Stream) bool, rank func(*Stream) []int64) *Stream {
	var chosen *Stream
	for i := range streams {
		s := &streams[i]
		if fits(s) && (chosen == nil || slices.Compare(rank(s), rank(chosen)) > 0) {
			chosen = s
		}
	}
	return chosen
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// endsEarly lists where a header promises more than there is.
func (f *File) endsEarly() (warnings []string) {
	for _, s := range []*Stream{f.Video, f.Audio} {
		if s != nil && short(s.Promised, s.Duration) {
			warnings = append(warnings, fmt.Sprintf("the file is cut off: its header promises %.2f s of %s, %.2f s are there", s.Promised.Seconds(), s.Kind, s.Duration.Seconds()))
		}
	}
	if len(warnings) > 0 {
		return warnings
	}
	last := time.Duration(0)
	for i := range f.Streams {
		last = max(last, f.Streams[i].Start+f.Streams[i].Duration-f.Start)
	}
	if last > 0 && short(f.Duration, last) {
		warnings = append(warnings, fmt.Sprintf("the file is cut off: its header promises %.2f s, %.2f s are there", f.Duration.Seconds(), last.Seconds()))
	}
	return warnings
}

// short reports whether much less is there than was promised.
func short(promised, there time.Duration) bool {
	return promised > 0 && promised-there > max(time.Second, promised/50)
}

// cutOff tells where a stream ends well before the file says. Containers such
// as WebM declare one duration for all streams, and the picture of many ends
// before the sound: only the last of the chosen streams counts there.
func cutOff(declared, reached time.Duration) string {
	if short(declared, reached) {
		return fmt.Sprintf("the file says %.2f s, but what can be decoded ends at %.2f s: it is cut off or damaged", declared.Seconds(), reached.Seconds())
	}
	return ""
}

// Whole reports whether the file is complete, that is as long as its header promises, and why not. Some formats promise
// nothing.
func (f *File) Whole() (ok bool, why string) {
	if early := f.endsEarly(); len(early) > 0 {
		return false, early[0]
	}
	return true, ""
}
