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

// MendsSound reports whether silence is put into a span of the sound, or a
// little of it left out, so that all of it is heard when it is in the file.
func (f *File) MendsSound(span omniscope.Span) bool {
	return f.Audio != nil && (f.Audio.Uneven || f.lateSound(span) > unevenLeast)
}

// lateSound is how long after the start of a span the sound begins.
func (f *File) lateSound(span omniscope.Span) time.Duration {
	return f.Audio.Start - f.Start - span.Start
}

// soundFilters are the filters before all others of the sound, with a comma
// behind; "" for most files. zero is the time stamp at the start of the span.
func (f *File) soundFilters(span omniscope.Span, zero time.Duration) string {
	filters := f.Audio.mix()
	if f.MendsSound(span) {
		filters += keepTimes(int64(math.Round(zero.Seconds()*float64(f.Audio.SampleRate)))) + ","
	}
	return filters
}

// spanStart is the time stamp at the start of a span where those of the file
// are kept.
func (f *File) spanStart(span omniscope.Span) time.Duration { return f.Start + span.Start }

// ffmpeg has names for the speakers of so many channels, and knows how to mix
// them down.
func hasLayout(channels int) bool { return channels <= 8 || channels == 16 || channels == 24 }

// mix is the filter that mixes channels of which no one knows where they are
// heard, evenly; "" for others.
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
