package media

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"time"

	"omniscope"
)

// A Timeline lists the frames of a video in the order they are shown.
type Timeline struct {
	// PTS holds a time stamp for each frame, in ticks of Base, ascending.
	PTS  []int64
	Base Rational
	// Last is how long the last frame is shown, as far as it is known.
	Last time.Duration

	start time.Duration // zero of media time
}

// Frames returns the number of frames.
func (t *Timeline) Frames() int { return len(t.PTS) }

// At returns the media time of a frame.
func (t *Timeline) At(frame int) time.Duration { return durationOf(t.PTS[frame], t.Base) - t.start }

// End returns the media time at which the last frame ends.
func (t *Timeline) End() time.Duration { return t.At(len(t.PTS)-1) + t.Last }

// Rate returns frames a second over the whole video: frames by duration, as
// the readers of video models compute it. 0 means that it cannot be known.
func (t *Timeline) Rate() float64 {
	if d := t.End() - t.At(0); d > 0 {
		return float64(len(t.PTS)) / d.Seconds()
	}
	return 0
}

// First returns the first frame that is shown at or after a media time, clamped
// to the last frame.
func (t *Timeline) First(at time.Duration) int {
	return min(sort.Search(len(t.PTS), func(i int) bool { return t.At(i) >= at }), len(t.PTS)-1)
}

// Showing returns the frame on the screen at a media time, clamped to the
// first and the last.
func (t *Timeline) Showing(at time.Duration) int {
	return max(sort.Search(len(t.PTS), func(i int) bool { return t.At(i) > at })-1, 0)
}

// Timeline returns the time stamps of all frames of the chosen video. The first
// call may read the file without decoding it, later ones remember. Where packets
// carry no time stamps, as in AVI, it decodes the file.
//
// A file without video is an error of kind Invalid.
func (f *File) Timeline(ctx context.Context) (*Timeline, error) {
	if f.Video == nil {
		return nil, errNoVideo(f.Path)
	}
	if f.whole != nil {
		return f.whole.Timeline(ctx)
	}
	return f.timeline.Do(ctx, func() (*Timeline, error) {
		packets, err := f.packets, error(nil)
		if packets == nil {
			packets, _, err = f.listed(ctx, packetEntries)
		}
		if err == nil && packets.timeless {
			packets, _, err = f.listed(ctx, frameEntries)
		}
		if err != nil {
			return nil, err
		}
		t := timelineOf(packets.shown, f.Video.TimeBase, f.Start)
		if t == nil {
			return nil, invalid(f.Path, errors.New("its video holds no frame"))
		}
		return t, nil
	})
}

// ErrNoVideo and ErrNoAudio are in the chain of errors that say so.
var (
	ErrNoVideo = errors.New("the file has no video")
	ErrNoAudio = errors.New("the file has no audio stream")
)

func errNoVideo(path string) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "look at " + shown(path), Err: ErrNoVideo}
}

func errNoAudio(path string) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "listen to " + shown(path), Err: ErrNoAudio}
}

// decodable are the frames of a video that can be decoded.
type decodable struct {
	pts     []int64 // ascending
	damaged bool    // the decoder complained
}

// decodedFrames returns the frames that can be decoded.
func (f *File) decodedFrames(ctx context.Context) (decodable, error) {
	if f.whole != nil {
		return f.whole.decodedFrames(ctx)
	}
	return f.decoded.Do(ctx, func() (decodable, error) {
		frames, log, err := f.listed(ctx, frameEntries)
		if t := timelineOf(frames.shown, f.Video.TimeBase, f.Start); t != nil && ctx.Err() == nil {
			return decodable{t.PTS, err != nil || len(log.complaints("error", "fatal")) > 0}, nil
		}
		return decodable{}, err
	})
}

// frameEntries are the fields of each frame.
const frameEntries = "frame=stream_index,best_effort_timestamp,pkt_duration,duration"

// listed reads packets or frames of the chosen video.
func (f *File) listed(ctx context.Context, entries string) (*track, *runLog, error) {
	r := &packetReader{tracks: make(map[int]*track)}
	p := program{
		name: "ffprobe", path: f.Path,
		args: slices.Concat([]string{"-loglevel", "level+error"}, opening(),
			[]string{"-of", "json=compact=1", "-select_streams", strconv.Itoa(f.Video.Index), "-show_entries", entries, "-i", argument(f.Path)}),
		readers: []func(io.Reader) error{r.read},
	}
	log, err := p.run(ctx)
	if t := r.tracks[f.Video.Index]; t != nil {
		t.date()
	}
	return cmp.Or(r.tracks[f.Video.Index], &track{}), log, err
}

// window returns the first and the last frame of a span; a zero End means to
// the end. Bounds are inclusive: a frame shown at span.End belongs to it.
func (t *Timeline) window(span omniscope.Span) (first, last int, err error) {
	first, last = 0, len(t.PTS)-1
	if span.Start > 0 {
		first = t.First(span.Start)
	}
	if span.End > 0 {
		last = t.Showing(span.End)
	}
	if span.Start < 0 || span.End < 0 || span.End > 0 && span.End <= span.Start || span.Start >= max(t.End(), 1) {
		return 0, 0, &omniscope.Error{Kind: omniscope.Invalid, Op: "choose frames", Err: fmt.Errorf(
			"no span from %v to %v in a video of %v", span.Start, span.End, t.End())}
	}
	return first, max(first, last), nil
}
