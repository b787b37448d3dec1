package media

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// choose decides which streams are used. ffmpeg's own choice is not asked: it
// takes the sound with most channels whatever its sampling rate, and cover
// pictures for video.
func (f *File) choose() {
	f.Video = best(f.Streams, func(s *Stream) bool {
		return s.Kind == Video && !s.Cover && s.Width > 0 && s.Height > 0 && s.Packets > 0
	}, func(s *Stream) []int64 {
		return []int64{int64(s.Width) * int64(s.Height), flag(s.Default), s.Packets}
	})
	f.Audio = best(f.Streams, func(s *Stream) bool {
		return s.Kind == Audio && s.SampleRate > 0 && s.Packets > 0
	}, func(s *Stream) []int64 {
		// Above 16 kHz, what tells tracks apart is what the author meant by
		// them: the default one, then more channels.
		return []int64{min(int64(s.SampleRate), 16000), flag(s.Default), int64(s.Channels), int64(s.SampleRate)}
	})
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

// endsEarly tells where a header promises more packets than there are.
func (f *File) endsEarly() (warnings []string) {
	for _, s := range []*Stream{f.Video, f.Audio} {
		if s != nil && s.Declared > s.Packets+max(2, s.Declared/100) {
			warnings = append(warnings, fmt.Sprintf("the file is cut off: its header promises %d packets of %s, %d are there", s.Declared, s.Kind, s.Packets))
		}
	}
	return warnings
}

// cutOff tells where a stream ends well before the file says. Containers such
// as WebM declare one duration for all streams, and the picture of many ends
// before the sound: only the last of the chosen streams counts there.
func cutOff(declared, reached time.Duration) string {
	if missing := declared - reached; declared > 0 && missing > max(time.Second, declared/50) {
		return fmt.Sprintf("the file says %.2f s, but what can be decoded ends at %.2f s: it is cut off or damaged", declared.Seconds(), reached.Seconds())
	}
	return ""
}

// compareTimes orders by time, for slices.SortFunc and BinarySearchFunc.
func compareTimes(a, b time.Duration) int { return cmp.Compare(a, b) }

// Whole reports whether the file has all packets that its header promises, and why not. What a header
// promises is not known of every format.
func (f *File) Whole() (ok bool, why string) {
	if early := f.endsEarly(); len(early) > 0 {
		return false, early[0]
	}
	return true, ""
}
