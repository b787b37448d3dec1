package media

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"omniscope"
)

// A Frame is one picture of a video, as JPEG.
type Frame struct {
	Index int           `json:"index"` // in the video, counted from 0 in the order shown
	PTS   int64         `json:"pts"`   // its time stamp in ticks of the stream's time base
	Time  time.Duration `json:"time"`  // media time
	Path  string        `json:"-"`     // of the JPEG, where a folder was given
	JPEG  []byte        `json:"-"`     // otherwise
}

// Bytes returns the JPEG, from wherever it is.
func (f *Frame) Bytes() ([]byte, error) {
	if f.JPEG != nil || f.Path == "" {
		return f.JPEG, nil
	}
	return os.ReadFile(f.Path)
}

// SampledFrames are the frames that Frames extracted.
type SampledFrames struct {
	Plan     Plan     `json:"plan"`
	Frames   []Frame  `json:"frames,omitempty"`   // fewer than planned if nothing near can be decoded
	Moved    int      `json:"moved,omitempty"`    // how many are not the planned ones, which cannot be decoded, but the nearest
	Warnings []string `json:"warnings,omitempty"` // missing frames, and warnings of ffmpeg
}

// Frames takes the frames that a policy chooses from a span of the video; the
// zero Span is the whole. With a folder, which must exist, each frame becomes a
// file frame-INDEX.jpg there; with "" they stay in memory.
//
// A few frames of a long video are sought one by one, two at a time; many are
// picked out in one pass. Both give the same frames. Instead of a frame that
// cannot be decoded the nearest one is taken, with a warning. A frame that the plan repeats, as in
// very short clips, is returned as often.
func Frames(ctx context.Context, f *File, p Policy, span omniscope.Span, folder string) (*SampledFrames, error) {
	plan, err := p.Plan(ctx, f, span)
	if err != nil {
		return nil, err
	}
	return extractFrames(ctx, f, p, plan, folder)
}

// FramesAt takes the frames on the screen at some media times, each at the
// size that the policy gives; its rules of counting are without effect. Times
// beyond the last frame give the last frame. Frames come in the order of time,
// each once.
func FramesAt(ctx context.Context, f *File, p Policy, times []time.Duration, folder string) (*SampledFrames, error) {
	plan, err := p.planAt(ctx, f, times)
	if err != nil {
		return nil, err
	}
	return extractFrames(ctx, f, p, plan, folder)
}

// framePath is where a frame is kept.
func framePath(folder string, index int) string {
	return filepath.Join(folder, "frame-"+padded(index)+".jpg")
}
