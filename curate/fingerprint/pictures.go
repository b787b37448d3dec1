package fingerprint

import (
	"slices"
	"time"

	"omniscope/internal/pdq"
)

// usable are the pictures that are not empty.
func usable(f *Fingerprint) (frames []Frame) {
	for _, frame := range f.Frames {
		if frame.Quality >= PictureQuality {
			frames = append(frames, frame)
		}
	}
	return frames
}

// comparePictures asks how many of one file's pictures the other has, in both directions: the
// shorter file may be a part of the longer.
func comparePictures(a, b *Fingerprint) Match {
	x, y := usable(a), usable(b)
	if min(len(x), len(y)) < picturesLeast {
		return Match{}
	}
	inY, offsets := shared(x, y)
	inX, back := shared(y, x)
	share := max(inY, inX)
	if share < PictureShare {
		return Match{}
	}
	if inX > inY {
		for i := range back {
			back[i] = -back[i]
		}
		offsets = back
	}
	slices.Sort(offsets)
	return Match{Kind: Pictures, Score: share, Offset: offsets[len(offsets)/2]}
}

// shared is the share of pictures x that are among y, and how much later each is in x than in y.
func shared(x, y []Frame) (share float64, offsets []time.Duration) {
	for _, f := range x {
		best, at := pdq.Bits, time.Duration(0)
		for _, g := range y {
			if d := f.Hash.Distance(g.Hash); d < best {
				best, at = d, g.Time
			}
		}
		if best <= PictureDistance {
			offsets = append(offsets, f.Time-at)
		}
	}
	return float64(len(offsets)) / float64(len(x)), offsets
}
