package media

import (
	"fmt"
	"math"
	"strings"
	"time"

	"omniscope"
)

// keepTimes is the filter that gives sound the times of its packets, in a
// stream that begins at a number of samples: silence where the file holds
// nothing, and less where it holds too much.
func keepTimes(first int64) string {
	return fmt.Sprintf("aresample=async=1:min_hard_comp=%g:first_pts=%d", unevenLeast.Seconds(), first)
}

// movesSound reports whether silence is put into a span of the sound, or a
// little of it left out, so that all of it is heard when it is in the file.
func (f *File) movesSound(span omniscope.Span) bool {
	return f.Audio != nil && !f.renumbered() && (f.Audio.Uneven || f.lateSound(span) > unevenLeast)
}

// SoundRule and PictureRule name what is done to the sound of a span, and to the
// picture, in digests of what is sent; "" for most files.
func (f *File) SoundRule(span omniscope.Span) string {
	if f.movesSound(span) {
		return " in the times of the file"
	}
	return ""
}

// PictureRule is described at SoundRule.
func (f *File) PictureRule() string {
	if f.Video != nil && f.Video.HDR() {
		return " from " + f.Video.Transfer
	}
	return ""
}

// SoundSpan is when the sound begins and ends, as functions of this package give
// it. A file without sound has an empty one.
func (f *File) SoundSpan() omniscope.Span {
	if f.Audio == nil {
		return omniscope.Span{}
	}
	end := max(0, f.Audio.Start-f.Start) + f.Audio.Duration
	return omniscope.Span{Start: f.soundStart(omniscope.Span{}), End: end}
}

// lateSound is how long after the start of a span the sound begins.
func (f *File) lateSound(span omniscope.Span) time.Duration {
	return f.Audio.Start - f.Start - span.Start
}

// soundFilters are the filters before all others of the sound, with a comma
// behind; "" for most files. zero is the time stamp at the start of the span.
func (f *File) soundFilters(span omniscope.Span, zero time.Duration) string {
	switch {
	case f.renumbered():
		return f.Audio.mix() + renumber(span) + ","
	case f.movesSound(span):
		return f.Audio.mix() + keepTimes(int64(math.Round(zero.Seconds()*float64(f.Audio.SampleRate)))) + f.fillEnd(span) + ","
	}
	return f.Audio.mix()
}

// fillEnd is the filter that puts silence at the end of a span that ends where
// the file has no sound, with a comma before; "" at the end of the sound.
func (f *File) fillEnd(span omniscope.Span) string {
	end := f.soundEnd()
	if span.End > 0 && span.End < end {
		end = span.End
	} else if span.End == 0 || end <= span.Start {
		return ""
	}
	return ",apad=whole_dur=" + seconds(end-span.Start)
}

// allSound are soundFilters of the entire file, from media time zero on.
func (f *File) allSound() string {
	if f.renumbered() {
		return f.soundFilters(omniscope.Span{}, 0)
	}
	if f.Audio.Uneven {
		return f.Audio.mix() + keepTimes(0) + ","
	}
	// Where times follow each other, more than that would be rounding of AVI.
	return f.Audio.mix() + "aresample=async=1:first_pts=0,"
}

// renumbered reports whether times are counted on the decoded samples:
// recordings of sound that were joined, such as a chained Ogg file, are heard
// one after the other.
func (f *File) renumbered() bool { return f.Video == nil && f.Audio.BackAt > 0 }

// renumber is the filter that leaves a span by counted times.
func renumber(span omniscope.Span) string {
	text := "asetpts=N/SR/TB,atrim=start=" + seconds(span.Start)
	if span.End > 0 {
		text += ":end=" + seconds(span.End)
	}
	return text
}

// spanStart is the time stamp at the start of a span where the time stamps of the file
// are kept.
func (f *File) spanStart(span omniscope.Span) time.Duration { return f.Start + span.Start }

// ffmpeg has names for the speakers of so many channels, and knows how to mix
// them down.
func hasLayout(channels int) bool { return channels <= 8 || channels == 16 || channels == 24 }

// mix is the filter that mixes channels with unknown positions, evenly; "" for
// others.
func (s *Stream) mix() string {
	if hasLayout(s.Channels) {
		return ""
	}
	var sum strings.Builder
	for i := range s.Channels {
		fmt.Fprintf(&sum, "+%.9f*c%d", 1/float64(s.Channels), i)
	}
	return "pan=mono|c0=" + sum.String()[1:] + ","
}

// mixed is how many channels sound is given as: one, or two.
func (s *Stream) mixed() int {
	if !hasLayout(s.Channels) {
		return 1
	}
	return min(max(s.Channels, 1), 2)
}
