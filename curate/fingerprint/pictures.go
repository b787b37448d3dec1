package fingerprint

import (
	"math"
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

// A look is what is looked for of a picture.
type look func(f *Frame) []pdq.Hash

func plainLook(f *Frame) []pdq.Hash { return []pdq.Hash{f.Hash} }
func innerLook(f *Frame) []pdq.Hash { return f.Inner }
func mirroredLook(f *Frame) []pdq.Hash {
	if f.Mirrored == (pdq.Hash{}) {
		return nil
	}
	return []pdq.Hash{f.Mirrored}
}

// whole are all pictures of a file, those between the seconds too.
func whole(f *Fingerprint) (all []Moment) {
	for _, frame := range usable(f) {
		all = append(all, Moment{frame.Time, frame.Hash})
	}
	return append(all, f.Between...)
}

// inner are the inner parts of a file's pictures.
func inner(f *Fingerprint) (all []Moment) {
	for _, frame := range usable(f) {
		for _, h := range frame.Inner {
			all = append(all, Moment{frame.Time, h})
		}
	}
	return all
}

func comparePictures(a, b *Fingerprint) Match {
	return inEither(a, b, Pictures, PictureDistance, []search{{plainLook, whole}})
}

func compareMirrored(a, b *Fingerprint) Match {
	return inEither(a, b, Mirrored, PictureDistance, []search{{mirroredLook, whole}})
}

// compareCropped looks for the pictures of one file among the inner parts of the other's, and for its inner parts among
// the other's pictures.
func compareCropped(a, b *Fingerprint) Match {
	return inEither(a, b, Cropped, CropDistance, []search{{plainLook, inner}, {innerLook, whole}})
}

// A search looks for something of each picture of one file among pictures of another.
type search struct {
	look  look
	among func(*Fingerprint) []Moment
}

// inEither asks how many of one file's pictures are in the other, in both directions: the
// shorter file may be a part of the longer.
func inEither(a, b *Fingerprint, kind Kind, distance int, searches []search) Match {
	x, y := usable(a), usable(b)
	if min(len(x), len(y)) < picturesLeast {
		return Match{}
	}
	var best []pair
	score := 0.
	for _, s := range searches {
		if pairs := shared(x, s.look, s.among(b), distance); float64(len(pairs))/float64(len(x)) > score {
			best, score = pairs, float64(len(pairs))/float64(len(x))
		}
		if pairs := shared(y, s.look, s.among(a), distance); float64(len(pairs))/float64(len(y)) > score {
			best, score = swapped(pairs), float64(len(pairs))/float64(len(y))
		}
	}
	if score < PictureShare {
		return Match{}
	}
	m := Match{Kind: kind, Score: score, Offset: offsetOf(best)}
	m.Speed = speedOf(best)
	return m
}

// A pair is when the same picture is shown in two files.
type pair struct{ a, b time.Duration }

// shared finds the pictures x among others.
func shared(x []Frame, look look, among []Moment, distance int) (pairs []pair) {
	for i := range x {
		best, at := pdq.Bits, time.Duration(0)
		for _, h := range look(&x[i]) {
			for j := range among {
				if d := h.Distance(among[j].Hash); d < best {
					best, at = d, among[j].Time
				}
			}
		}
		if best <= distance {
			pairs = append(pairs, pair{x[i].Time, at})
		}
	}
	return pairs
}

func swapped(pairs []pair) []pair {
	for i, p := range pairs {
		pairs[i] = pair{p.b, p.a}
	}
	return pairs
}

// offsetOf is the median of what a is later.
func offsetOf(pairs []pair) time.Duration {
	offsets := make([]time.Duration, len(pairs))
	for i, p := range pairs {
		offsets[i] = p.a - p.b
	}
	slices.Sort(offsets)
	return offsets[len(offsets)/2]
}

// Speeds nearer to one than speedLeast are those of the same speed with times to a quarter of a second; pairs that lie further than
// speedScatter from a line, in the middle, have no speed, since the picture stands still or repeats.
const (
	speedLeast   = 0.05
	speedScatter = 300 * time.Millisecond
)

// speedOf is how many seconds of b pass in one of a, by the median slope between pictures that are half the file apart;
// 0 = one, or not known.
func speedOf(pairs []pair) float64 {
	pairs = slices.Clone(pairs)
	slices.SortFunc(pairs, func(p, q pair) int { return int(p.a - q.a) })
	var slopes []float64
	for i, half := 0, len(pairs)/2; i+half < len(pairs) && half > 0; i++ {
		if p, q := pairs[i], pairs[i+half]; q.a > p.a {
			slopes = append(slopes, float64(q.b-p.b)/float64(q.a-p.a))
		}
	}
	if len(slopes) < 2 {
		return 0
	}
	slices.Sort(slopes)
	speed := slopes[len(slopes)/2]
	if speed <= 0 || math.Abs(speed-1) < speedLeast || scatter(pairs, speed) > speedScatter {
		return 0
	}
	return math.Round(speed*100) / 100
}

// scatter is the median distance of pairs from the line of a speed.
func scatter(pairs []pair, speed float64) time.Duration {
	from := make([]time.Duration, len(pairs))
	for i, p := range pairs {
		from[i] = p.b - time.Duration(speed*float64(p.a))
	}
	slices.Sort(from)
	middle := from[len(from)/2]
	for i := range from {
		from[i] = (from[i] - middle).Abs()
	}
	slices.Sort(from)
	return from[len(from)/2]
}
