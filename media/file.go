package media

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/once"
)

// A Kind is what a stream carries.
type Kind string

// The kinds, spelled as ffprobe spells them.
const (
	Video    Kind = "video"
	Audio    Kind = "audio"
	Subtitle Kind = "subtitle"
	Data     Kind = "data"
)

// A Stream is one track of a file.
type Stream struct {
	Index int    `json:"index"` // its number in the file
	Kind  Kind   `json:"kind"`
	Codec string `json:"codec"`

	// Of video. Width and Height are as shown: a picture turned by a quarter
	// has them exchanged.
	Width     int      `json:"width,omitempty"`
	Height    int      `json:"height,omitempty"`
	Rotation  int      `json:"rotation,omitempty"`    // degrees clockwise by which the stored picture is turned to be shown: 0, 90, 180, 270
	FrameRate Rational `json:"frame_rate,omitzero"`   // average, frames a second; zero if the file does not say
	PixelForm Rational `json:"pixel_aspect,omitzero"` // width to height of a pixel; zero if the file does not say
	Cover     bool     `json:"cover,omitempty"`       // an attached picture, no video
	FullRange bool     `json:"full_range,omitempty"`  // luma from 0 to 255 instead of 16 to 235
	Transfer  string   `json:"transfer,omitempty"`    // transfer function in ffprobe's words, such as bt709 and, of HDR, smpte2084 and arib-std-b67; "" = the file does not say

	// Of audio.
	SampleRate int `json:"sample_rate,omitempty"` // samples a second
	Channels   int `json:"channels,omitempty"`

	// Of sound. Uneven: packets do not follow each other in time, by more than
	// rounding. Gaps are the stretches of at least 50 ms without any, in the
	// file's own clock.
	Uneven bool             `json:"uneven,omitempty"`
	Gaps   []omniscope.Span `json:"gaps,omitempty"`

	TimeBase Rational      `json:"time_base,omitzero"` // seconds of one tick of a PTS
	Start    time.Duration `json:"start"`              // PTS of the first packet, in the file's own clock
	Duration time.Duration `json:"duration"`           // to the end of the last packet; by the header if its packets agree; 0 = they have no times
	Promised time.Duration `json:"promised,omitempty"` // by the header; 0 = it does not say
	Packets  int64         `json:"packets"`            // counted; a packet of video is a frame, but for what edit lists hide
	BackAt   int64         `json:"back_at,omitempty"`  // number of the packet, from 1, at which times begin again; 0 = they do not
	Default  bool          `json:"default,omitempty"`
	Language string        `json:"language,omitempty"` // as the file says it, often ISO 639-2

	startless bool // the header has no Start
	crowded   bool // there is much more sound than its times have room for
}

// A File is what Probe found. Its exported fields are not to be changed: what
// is computed later rests on them.
type File struct {
	Path     string        `json:"-"`
	Format   string        `json:"format"` // the container, in ffmpeg's words
	Bytes    int64         `json:"bytes"`
	Start    time.Duration `json:"start"`    // the earliest start of a stream: zero of media time
	Duration time.Duration `json:"duration"` // as the container declares it, all streams together; 0 = it does not, or guesses by the bit rate
	Streams  []Stream      `json:"streams"`

	// Video and Audio are the streams that all functions of this package use,
	// nil where there is none. A cover picture is no video.
	Video *Stream `json:"-"`
	Audio *Stream `json:"-"`

	// Warnings tell of harmless trouble, such as a file that ends early.
	Warnings []string `json:"warnings,omitempty"`

	digest   once.Value[string]
	timeline once.Value[*Timeline]
	decoded  once.Value[decodable]
	packets  *track // of the video, as they were probed; nil = not known here

	// Of a part of another file, see Part.
	whole  *File
	crop   string // filter that leaves the region, with a comma behind it
	region Region
}

// Adopt takes over what Probe found of the same file, and keeps the digest that f
// knows.
func (f *File) Adopt(found *File) {
	f.Format, f.Bytes, f.Start, f.Duration, f.Streams = found.Format, found.Bytes, found.Start, found.Duration, found.Streams
	f.Video, f.Audio, f.Warnings, f.packets = found.Video, found.Audio, found.Warnings, found.packets
}

// Digest returns the SHA-256 of the file's bytes in hex. The first call reads
// the file, later ones remember.
func (f *File) Digest(ctx context.Context) (string, error) {
	if f.whole != nil {
		return f.whole.Digest(ctx)
	}
	return f.digest.Do(ctx, func() (string, error) {
		r, err := os.Open(f.Path)
		if err != nil {
			return "", readError(f.Path, err)
		}
		defer r.Close()
		h := sha256.New()
		if _, err := io.Copy(h, &contextReader{ctx, r}); err != nil {
			return "", readError(f.Path, err)
		}
		return hex.EncodeToString(h.Sum(nil)), nil
	})
}

// End returns the media time at which the last of the chosen streams ends; 0
// where neither packets nor headers have times.
func (f *File) End() time.Duration {
	var end time.Duration
	for _, s := range []*Stream{f.Video, f.Audio} {
		if s != nil && s.Duration > 0 {
			end = max(end, s.Start+s.Duration-f.Start)
		}
	}
	if end == 0 {
		end = f.Duration
	}
	return end
}

// SoundGaps returns the media times between which the file has no sound: before
// the first, and where packets are missing.
func (f *File) SoundGaps() (gaps []omniscope.Span) {
	if f.Audio == nil {
		return nil
	}
	if late := f.Audio.Start - f.Start; late >= gapLeast {
		gaps = append(gaps, omniscope.Span{End: late})
	}
	reached := time.Duration(0) // gaps of a damaged file may overlap
	for _, g := range f.Audio.Gaps {
		start := max(g.Start-f.Start, reached)
		if reached = max(reached, g.End-f.Start); reached > start {
			gaps = append(gaps, omniscope.Span{Start: start, End: reached})
		}
	}
	return gaps
}

// contextReader stops reading once its context is done.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// readError says that a file of the user's could not be read.
func readError(path string, err error) error {
	kind := omniscope.Internal
	switch {
	case os.IsNotExist(err):
		kind = omniscope.NotFound
	case os.IsPermission(err):
		kind = omniscope.Denied
	}
	return &omniscope.Error{Kind: kind, Op: "read " + shown(path), Err: err}
}

// TimeOf is the media time of a frame of the video by its time stamp.
func (f *File) TimeOf(pts int64) time.Duration { return durationOf(pts, f.Video.TimeBase) - f.Start }

// MIME is the type of a container that models take as it is; "" for others.
// The list is that of the Gemini API (ai.google.dev/gemini-api/docs/video-understanding).
// ffprobe has one name for WebM and Matroska.
func (f *File) MIME() string {
	formats := strings.Split(f.Format, ",")
	if slices.Contains(formats, "webm") && strings.EqualFold(filepath.Ext(f.Path), ".webm") {
		return "video/webm"
	}
	for _, known := range []struct{ format, mime string }{
		{"mp4", "video/mp4"}, {"avi", "video/avi"}, {"flv", "video/x-flv"}, {"mpeg", "video/mpeg"}, {"asf", "video/wmv"},
	} {
		if slices.Contains(formats, known.format) {
			return known.mime
		}
	}
	return ""
}
