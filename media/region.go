package media

import (
	"fmt"
	"math"

	"omniscope"
)

// A Region is a part of the picture as it is shown: where it ends on the left, at the top, on the right and at
// the bottom, in shares of the picture's width and height from 0 to 1. The zero Region is the whole picture.
type Region [4]float64

// String gives the four shares, as in "0.25, 0, 0.75, 0.5".
func (r Region) String() string { return fmt.Sprintf("%.4g, %.4g, %.4g, %.4g", r[0], r[1], r[2], r[3]) }

// regionLeast is the shortest side of a region, in pixels of the video.
const regionLeast = 16

// Within says where in the whole picture a part of this region is.
func (r Region) Within(part Region) Region {
	if r == (Region{}) {
		return part
	}
	width, height := r[2]-r[0], r[3]-r[1]
	return Region{r[0] + part[0]*width, r[1] + part[1]*height, r[0] + part[2]*width, r[1] + part[3]*height}
}

// Part is the file with nothing but a region of its picture: all functions of this package see that region alone.
// Its sides are moved out to even pixels. A region that is none, or too small to see anything in,
// is an error of kind Invalid; that of a file without video is, too.
func (f *File) Part(r Region) (*File, error) {
	if r == (Region{}) {
		return f, nil
	}
	if f.whole != nil {
		return f.whole.Part(f.region.Within(r))
	}
	if f.Video == nil {
		return nil, errNoVideo(f.Path)
	}
	bad := func(format string, args ...any) error {
		return &omniscope.Error{Kind: omniscope.Invalid, Op: "region " + r.String(), Err: fmt.Errorf(format, args...)}
	}
	for i, share := range r {
		if !(share >= 0 && share <= 1) || i >= 2 && share <= r[i-2] {
			return nil, bad("a region has a left, top, right and bottom from 0 to 1, left before right and top before bottom")
		}
	}
	crop := func(from, to float64, side int) (at, length int) {
		at = int(from*float64(side)/2) * 2
		return at, min(int(math.Ceil(to*float64(side)/2))*2, side&^1) - at
	}
	x, width := crop(r[0], r[2], f.Video.Width)
	y, height := crop(r[1], r[3], f.Video.Height)
	if min(width, height) < regionLeast {
		return nil, bad("it has %d×%d pixels of %d×%d: at least %d are needed on each side", width, height, f.Video.Width, f.Video.Height, regionLeast)
	}
	video := *f.Video
	video.Width, video.Height = width, height
	return &File{Path: f.Path, Format: f.Format, Bytes: f.Bytes, Start: f.Start, Duration: f.Duration, Streams: f.Streams, Video: &video, Audio: f.Audio,
		Warnings: f.Warnings, whole: f, crop: fmt.Sprintf("crop=%d:%d:%d:%d,", width, height, x, y), region: r}, nil
}
