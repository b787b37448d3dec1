package fingerprint

import (
	"math"
	"slices"
	"time"

	"omniscope/media/pdq"
)

// usable are the pictures that are not empty.
func usable(f *Fingerprint) (frames []frame) {
	for _, frame := range f.Frames {
		if frame.Quality >= pictureQuality {
			frames = append(frames, frame)
		}
	}
	return frames
}

// A look is what is looked for of a picture.
type look func(f *frame) []pdq.Hash

func plainLook(f *frame) []pdq.Hash { return []pdq.Hash{f.Hash} }
func innerLook(f *frame) []pdq.Hash { return f.Inner }

// innerLookAt looks for the inner part inside one of the margins; the part after the last is that inside bars.
func innerLookAt(margin int) look {
	return func(f *frame) []pdq.Hash {
		if margin >= len(f.Inner) {
			return nil
		}
		return f.Inner[margin : margin+1]
	}
}

func mirroredLook(f *frame) []pdq.Hash {
	if f.Mirrored == (pdq.Hash{}) {
		return nil
	}
	return []pdq.Hash{f.Mirrored}
}

// whole are all pictures of a file, those between the seconds too.
func whole(f *Fingerprint) (all []moment) {
	for _, frame := range usable(f) {
		all = append(all, moment{frame.Time, frame.Hash})
	}
	return append(all, f.Between...)
}

// of is what is looked for of a file's pictures.
func (look look) of(f *Fingerprint) (all []moment) {
	for _, frame := range usable(f) {
		for _, h := range look(&frame) {
			all = append(all, moment{frame.Time, h})
		}
	}
	return all
}

func comparePictures(a, b *Fingerprint) Match {
	return inEither(a, b, Pictures, func(x, y *Fingerprint) []pair { return shared(usable(x), plainLook, whole(y)) })
}

func compareMirrored(a, b *Fingerprint) Match {
	return inEither(a, b, Mirrored, func(x, y *Fingerprint) []pair { return shared(usable(x), mirroredLook, whole(y)) })
}

// compareCropped looks for the pictures of one file among the inner parts of the other's, and for its inner parts among
// the other's pictures: at the same margin and the same offset in all pictures, since these may differ in more bits. What
// agrees without margins is not cropped.
func compareCropped(a, b *Fingerprint) Match {
	if comparePictures(a, b).Found() {
		return Match{}
	}
	var best Match
	for margin := range len(margins) + 1 {
		look := innerLookAt(margin)
		for _, search := range []func(x, y *Fingerprint) []pair{
			func(x, y *Fingerprint) []pair { return steady(usable(x), plainLook, look.of(y)) },
			func(x, y *Fingerprint) []pair { return steady(usable(x), look, whole(y)) },
		} {
			if m := inEither(a, b, Cropped, search); m.Score > best.Score {
				best = m
			}
		}
	}
	return best
}

// inEither asks how many of one file's pictures the other has, in both directions: the
// shorter file may be a part of the longer. search finds those of x in y.
func inEither(a, b *Fingerprint, kind Kind, search func(x, y *Fingerprint) []pair) Match {
	inA, inB := len(usable(a)), len(usable(b))
	if min(inA, inB) < picturesLeast {
		return Match{}
	}
	pairs, back := search(a, b), search(b, a)
	score := float64(len(pairs)) / float64(inA)
	if s := float64(len(back)) / float64(inB); s > score {
		pairs, score = swapped(back), s
	}
	if score < pictureShare {
		return Match{}
	}
	return Match{Kind: kind, Score: score, Offset: offsetOf(pairs), Speed: speedOf(pairs)}
}

// A pair is when the same picture is shown in two files.
type pair struct{ a, b time.Duration }

// shared finds the pictures x among others, the nearest of each.
func shared(x []frame, look look, among []moment) (pairs []pair) {
	for i := range x {
		best, at := pdq.Bits, time.Duration(0)
		for _, h := range look(&x[i]) {
			for j := range among {
				if d := h.Distance(among[j].Hash); d < best {
					best, at = d, among[j].Time
				}
			}
		}
		if best <= pictureDistance {
			pairs = append(pairs, pair{x[i].Time, at})
		}
	}
	return pairs
}

// steadyStep is how far offsets of one copy lie apart at most, but for half of it.
const steadyStep = time.Second / 2

// steady finds the pictures x among others, all at about the same offset: that at which the most are found.
func steady(x []frame, look look, among []moment) (best []pair) {
	at := make(map[time.Duration]map[int]pair) // by offset in steps, then by picture
	for i := range x {
		for _, h := range look(&x[i]) {
			for j := range among {
				if h.Distance(among[j].Hash) <= cropDistance {
					step := (x[i].Time - among[j].Time).Round(steadyStep)
					for _, to := range []time.Duration{step, step + steadyStep} {
						if at[to] == nil {
							at[to] = make(map[int]pair)
						}
						at[to][i] = pair{x[i].Time, among[j].Time}
					}
				}
			}
		}
	}
	most := time.Duration(0)
	for to := range at {
		if n, m := len(at[to]), len(at[most]); n > m || n == m && (to.Abs() < most.Abs() || to.Abs() == most.Abs() && to > most) {
			most = to
		}
	}
	for i := range x {
		if p, there := at[most][i]; there {
			best = append(best, p)
		}
	}
	return best
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
