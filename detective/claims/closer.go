package claims

import (
	"omniscope/media"
	"omniscope/perceive"
)

// quoteKept is the least length of a better reading, as a share of the one it replaces: a sure word of a line
// does not stand for the line.
const quoteKept = 0.8

// betterReading returns words that the same tool read at the same place and time with more certainty, where one of both
// readings is from a closer look; nil = there are none. Of two that are as sure, the first counts.
func betterReading(l Ledger, e *Evidence) *Evidence {
	var best *Evidence
	first := true // what comes before e in the ledger
	for i := range l {
		o := &l[i]
		if o == e {
			first = false
			continue
		}
		if o.Kind != e.Kind || float64(len(o.Quote)) < quoteKept*float64(len(e.Quote)) {
			continue
		}
		surer := o.Sure > e.Sure || first && o.Sure == e.Sure
		if surer && samePlace(e, o) && (best == nil || o.Sure > best.Sure) {
			best = o
		}
	}
	return best
}

// samePlace reports whether two readings, one of them from a closer look, are of one place.
func samePlace(a, b *Evidence) bool {
	if a.Kind != perceive.Text || b.Kind != perceive.Text || a.Tool != b.Tool || a.Closer == b.Closer || a.overlap(b) <= 0 {
		return false
	}
	p, q := a.place(), b.place()
	width, height := min(p[2], q[2])-max(p[0], q[0]), min(p[3], q[3])-max(p[1], q[1])
	return width > 0 && height > 0 && 2*width*height >= min(area(p), area(q))
}

// place is where in the picture words stand; the zero region where the tool does not say.
func (e *Evidence) place() media.Region {
	return media.Region{e.Values["left"], e.Values["top"], e.Values["right"], e.Values["bottom"]}
}

func area(r media.Region) float64 { return (r[2] - r[0]) * (r[3] - r[1]) }
