package ocr

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"omniscope/internal/spelling"
)

// How long a line may go unread and still be the same, and how far apart two
// readings must be to confirm each other.
const (
	blink   = 1500 * time.Millisecond
	apart   = 300 * time.Millisecond
	already = 0.9 // likeness at which a line that moved is still itself

	// Figures of one or two digits must be this high, of the picture's height:
	// specks are taken for small ones.
	figureShare = 0.05
)

// A sight of a line in one frame.
type sighting struct {
	frame int
	line
}

// A track is one line as it stands, moves or counts through the frames.
type track struct {
	seen    []sighting
	running bool // a number that changes
}

func (t *track) first() int      { return t.seen[0].frame }
func (t *track) last() *sighting { return &t.seen[len(t.seen)-1] }

// follow joins the lines of all frames to tracks and keeps those to be trusted.
// Height is the picture's.
func follow(readings []reading, height int) []*track {
	var all, open []*track
	for i := range readings {
		taken := make(map[*track]bool)
		for _, l := range readings[i].lines {
			t := nearest(open, taken, l)
			if t == nil {
				t = &track{}
				all, open = append(all, t), append(open, t)
			}
			taken[t] = true
			t.seen = append(t.seen, sighting{frame: i, line: l})
		}
		open = slices.DeleteFunc(open, func(t *track) bool {
			last := t.last().frame
			return i-last > 2 || i-last > 0 && readings[i].at-readings[last].at > blink
		})
	}
	var kept []*track
	for _, t := range all {
		for _, part := range t.parts() {
			if part.trusted(readings, height) {
				kept = append(kept, part)
			}
		}
	}
	return kept
}

// nearest finds the track that a line continues.
func nearest(open []*track, taken map[*track]bool, l line) (found *track) {
	best := 0.
	for _, t := range open {
		if taken[t] {
			continue
		}
		for i := range recent(t.seen) {
			if fit := recent(t.seen)[i].fits(l); fit > best {
				found, best = t, fit
			}
		}
	}
	return found
}

// recent is the sightings that the next one is compared with: one alone may be
// misread.
func recent(seen []sighting) []sighting { return seen[max(0, len(seen)-3):] }

// fits says how well a line continues another, 0 if it does not.
func (l *line) fits(next line) float64 {
	a, b := folded(l.text), folded(next.text)
	at := l.shared(next.box)
	like := spelling.Likeness([]rune(a), []rune(b))
	switch {
	case at >= 0.5 && (like >= alikeMost || numbered(l.text, next.text)):
		return 1 + like
	case at >= 0.5 && min(len(a), len(b)) >= 3 && (strings.Contains(a, b) || strings.Contains(b, a)):
		return 1 + like
	case like >= already && min(len(a), len(b)) >= 4:
		return like
	}
	return 0
}

// parts parts a track whose number changed once or twice into one for each
// number, and marks one whose number runs.
func (t *track) parts() []*track {
	values := make(map[string]bool)
	changes := 0
	for i, s := range t.seen {
		values[folded(s.text)] = true
		if i > 0 && numbered(s.text, t.seen[i-1].text) {
			changes++
		}
	}
	if changes == 0 {
		return []*track{t}
	}
	if changes >= 3 && len(values) >= 3 {
		t.running = true
		return []*track{t}
	}
	var list []*track
	for i, s := range t.seen {
		if i == 0 || numbered(s.text, t.seen[i-1].text) {
			list = append(list, &track{})
		}
		part := list[len(list)-1]
		part.seen = append(part.seen, s)
	}
	return list
}

// numbered reports whether two texts are two states of a counter.
func numbered(a, b string) bool {
	x := shape(a)
	return x != "" && x == shape(b) && folded(a) != folded(b)
}

// best is the surest text: the one for which most readings speak, each by how
// sure it is. A picture that stands still speaks once.
func (t *track) best(readings []reading) sighting {
	votes := make(map[string]float64)
	surest := make(map[string]sighting)
	for i, s := range t.seen {
		if i == 0 || readings[s.frame].fresh {
			votes[s.text] += (s.conf - hardly) * (s.conf - hardly)
		}
		if old, ok := surest[s.text]; !ok || s.conf > old.conf {
			s.agreed = s.agreed || old.agreed
			surest[s.text] = s
		}
	}
	text := slices.MaxFunc(slices.Sorted(maps.Keys(votes)), func(a, b string) int {
		return cmp.Or(cmp.Compare(votes[a], votes[b]), cmp.Compare(len(a), len(b)))
	})
	return surest[text]
}

// lasts is the time between the first and the last reading.
func (t *track) lasts(readings []reading) time.Duration {
	return readings[t.last().frame].at - readings[t.first()].at
}

// trusted reports whether a line was read surely enough, or often enough, to
// be reported.
func (t *track) trusted(readings []reading, height int) bool {
	b := t.best(readings)
	n := letters(b.text)
	again := t.lasts(readings) >= apart
	switch {
	case n < 3 && float64(b.height) < figureShare*float64(height):
		return false
	case b.conf >= alone && n >= 5:
		return again || b.agreed || n >= 8
	case b.conf >= surely && (n >= 3 || digits(b.text) == n):
		return again
	}
	return again && n >= 5 && len(t.seen) >= 3
}
