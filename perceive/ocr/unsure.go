package ocr

import (
	"cmp"
	"math"
	"slices"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
)

// Where a closer look may tell more: at what was read with a reservation, and at lines in which a word was hardly read.
const (
	doubted    = 0.8 // observations less sure
	guessed    = 20  // of 100; words below are noise
	guessLeast = 4   // letters of the line
	guessTwice = 2   // frames in which there has to be such a line
	mostUnsure = 4   // places
)

// A spot is where words were seen but not read for certain.
type spot struct {
	box
	first, last int // frames
	frames      int
	weight      float64 // letters, each by how sure it is
}

// unsure are the places for closer looks, those with most letters first.
func (s *session) unsure(list []perceive.Observation, sight *media.VideoSurvey) (places []perceive.Focus) {
	if s.closer {
		return nil
	}
	for _, o := range list {
		if o.Sure < doubted {
			at := media.Region{o.Values["left"], o.Values["top"], o.Values["right"], o.Values["bottom"]}
			places = append(places, s.around(at, o.Span, sight))
		}
	}
	spots := s.guesses()
	slices.SortStableFunc(spots, func(a, b *spot) int { return cmp.Compare(b.weight, a.weight) })
	for _, p := range spots {
		span := omniscope.Span{Start: s.readings[p.first].at, End: sight.End}
		if p.last+1 < len(s.readings) {
			span.End = s.readings[p.last+1].at
		}
		f := s.around(s.place(p.box), span, sight)
		if !slices.ContainsFunc(places, func(o perceive.Focus) bool { return meet(o, f) }) {
			places = append(places, f)
		}
	}
	return places[:min(len(places), mostUnsure)]
}

// meet reports whether a closer look at one place shows much of the other.
func meet(a, b perceive.Focus) bool {
	width := min(a.Region[2], b.Region[2]) - max(a.Region[0], b.Region[0])
	height := min(a.Region[3], b.Region[3]) - max(a.Region[1], b.Region[1])
	apart := a.ToS > 0 && b.FromS >= a.ToS || b.ToS > 0 && a.FromS >= b.ToS
	return !apart && width > 0 && height > 0 && 2*width*height >= (b.Region[2]-b.Region[0])*(b.Region[3]-b.Region[1])
}

// around is the focus on a place, with room around it.
func (s *session) around(at media.Region, span omniscope.Span, sight *media.VideoSurvey) perceive.Focus {
	tall := at[3] - at[1]
	wide := tall * float64(s.height) / float64(s.width) // the same in shares of the width
	f := perceive.Focus{Region: media.Region{share(at[0] - 3*wide), share(at[1] - tall), share(at[2] + 3*wide), share(at[3] + tall)}}
	hundredths := func(d time.Duration) float64 { return math.Round(d.Seconds()*100) / 100 }
	if span.Start > sight.Start {
		f.FromS = hundredths(span.Start)
	}
	if span.End < sight.End {
		f.ToS = max(hundredths(span.End), f.FromS+0.1)
	}
	return f
}

// guesses are the lines of the plain pass with a word that was hardly read, as they stand through the frames.
func (s *session) guesses() (spots []*spot) {
	var before *job
	for i := range s.readings {
		j := s.jobs[i][plainPass]
		for _, l := range guessedLines(j, s.readings[i].lines) {
			at := slices.IndexFunc(spots, func(p *spot) bool { return p.shared(l.box) >= 0.5 && i-p.last <= 2 })
			if at < 0 {
				at = len(spots)
				spots = append(spots, &spot{box: l.box, first: i})
			}
			p := spots[at]
			p.box, p.last, p.frames = p.with(l.box), i, p.frames+1
			if j != before {
				p.weight += l.conf
			}
		}
		before = j
	}
	return slices.DeleteFunc(spots, func(p *spot) bool { return p.frames < min(guessTwice, len(s.readings)) || p.height > s.height/8 })
}

// guessedLines are the lines of a picture with a word that was hardly read, but for those that another pass read.
func guessedLines(j *job, known []line) (found []line) {
	words := j.words
	for len(words) > 0 {
		n := 1
		for n < len(words) && words[n].line == words[0].line {
			n++
		}
		l, guesses := line{box: words[0].box}, 0
		for _, w := range words[:n] {
			if w.conf < guessed || letters(w.text) == 0 {
				continue
			}
			l.box = l.with(w.box)
			l.text += w.text
			l.conf += float64(letters(w.text)) * w.conf / 100
			if w.conf < surely && letters(w.text) >= 3 {
				guesses++
			}
		}
		read := slices.ContainsFunc(known, func(k line) bool { return k.shared(l.box) >= 0.8 && k.conf >= surely })
		if guesses > 0 && letters(l.text) >= guessLeast && !read {
			found = append(found, l)
		}
		words = words[n:]
	}
	return found
}
