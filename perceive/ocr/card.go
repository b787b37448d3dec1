package ocr

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
)

// How lines stand together on a card, in heights of the taller one, and which
// lettering is rather a logo than a line: most of them are read in part only.
const (
	leading   = 1.8
	likeSizes = 3
	logoShare = 0.2 // of the height of the picture
	logoSure  = 0.7
	hedgeSure = 0.6
	onceLess  = 0.05
)

// A card is lines that come and go together.
type card struct {
	tracks  []*track
	best    []sighting
	box     box
	height  int // of the picture
	running bool
	closer  bool    // it was read in a closer look
	grown   float64 // by how much the picture was enlarged
	unread  bool    // it has letters that were not read as they are
}

// cards puts lines together that stand below each other at the same time.
func (s *session) cards(tracks []*track) []*card {
	var list []*card
	for _, t := range tracks {
		b := t.best(s.readings)
		i := slices.IndexFunc(list, func(c *card) bool { return c.takes(t, b) })
		if i < 0 {
			list = append(list, &card{box: b.box, height: s.height, running: t.running, closer: s.closer, grown: s.grown})
			i = len(list) - 1
		}
		c := list[i]
		c.tracks, c.best, c.box = append(c.tracks, t), append(c.best, b), c.box.with(b.box)
	}
	slices.SortStableFunc(list, func(a, b *card) int {
		return cmp.Or(cmp.Compare(a.first(), b.first()), cmp.Compare(a.box.y, b.box.y), cmp.Compare(a.box.x, b.box.x))
	})
	return list
}

// takes reports whether a line belongs on the card.
func (c *card) takes(t *track, b sighting) bool {
	if c.running || t.running {
		return false
	}
	last := c.best[len(c.best)-1]
	tall, small := max(b.height, last.height), min(b.height, last.height)
	below := b.y - last.y - last.height
	beside := min(b.x+b.width, last.x+last.width) - max(b.x, last.x)
	within := func(i, j int) bool { return i-j <= 1 && j-i <= 1 }
	return within(t.first(), c.first()) && within(t.last().frame, c.last()) &&
		below >= -small/2 && float64(below) <= leading*float64(tall) && tall <= likeSizes*small && beside > 0
}

func (c *card) first() int {
	return slices.MinFunc(c.tracks, func(a, b *track) int { return a.first() - b.first() }).first()
}

func (c *card) last() int {
	return slices.MaxFunc(c.tracks, func(a, b *track) int { return a.last().frame - b.last().frame }).last().frame
}

// quote is the words of the card.
func (c *card) quote() string {
	if c.running {
		t := c.tracks[0]
		return t.seen[0].text + " … " + t.last().text
	}
	var texts []string
	for _, b := range c.best {
		texts = append(texts, b.text)
	}
	return strings.Join(texts, " ")
}

// sure is the confidence of the least sure line, less where nothing confirms
// it.
func (c *card) sure(readings []reading) float64 {
	least := 1.
	for i, t := range c.tracks {
		b := c.best[i]
		sure := b.conf / 100
		if t.lasts(readings) < apart && !b.agreed {
			sure -= onceLess
		}
		if b.conf < surely || c.small(b) || c.closer && b.least < alone {
			sure = min(sure, hedgeSure)
		}
		if c.logo(i) {
			sure = min(sure, logoSure)
		}
		if c.unread {
			sure = min(sure, hedgeSure)
		}
		least = min(least, sure)
	}
	return math.Round(least*100) / 100
}

// small reports whether a line's letters are too small to be distinguished.
func (c *card) small(b sighting) bool {
	if digits(b.text) > 0 && !strings.Contains(b.text, " ") && b.size < figureLeast*c.grown {
		return true
	}
	if c.closer {
		return b.size < enlargedLeast
	}
	return b.size < smallLeast
}

// logo reports whether a line is one large word.
func (c *card) logo(i int) bool {
	b := c.best[i]
	return float64(b.height) >= logoShare*float64(c.height) && !strings.Contains(b.text, " ") && digits(b.text) == 0
}

func (c *card) observation(s *session, sight *media.VideoSurvey) perceive.Observation {
	readings, at := s.readings, s.place(c.box)
	first, last := c.first(), c.last()
	o := perceive.Observation{Kind: perceive.Text, Quote: c.quote(), Sure: c.sure(readings)}
	o.Span = shown(sight, readings[first].at, readings[last].at, c.still())
	before, after := o.Span.Start-sight.Start, sight.End-o.Span.End
	if first > 0 {
		before = o.Span.Start - readings[first-1].at
	}
	if last+1 < len(readings) {
		after = readings[last+1].at - o.Span.End
	}
	frames := math.MaxInt
	for _, t := range c.tracks {
		frames = min(frames, len(t.seen))
	}
	o.Values = map[string]float64{
		"frames": float64(frames), "start_within_s": max(0, before.Seconds()), "end_within_s": max(0, after.Seconds()),
		"height_share": float64(c.best[0].height) / float64(c.height),
		"left":         share(at[0]), "top": share(at[1]), "right": share(at[2]), "bottom": share(at[3]),
	}
	o.What = c.sentence(o.Span, o.Sure, frames, last-first+1)
	if c.unread {
		o.What = strings.TrimSuffix(o.What, ".") + fmt.Sprintf(", with letters that the language data %s lacks.", s.tool.languages)
	}
	return o
}

// share rounds a share of the picture to a part of a pixel.
func share(v float64) float64 { return math.Round(min(max(v, 0), 1)*1e4) / 1e4 }

// still reports whether the words stay as they are: numbers may count, so that a
// picture that hardly changes says nothing of them.
func (c *card) still() bool {
	return !c.running && !slices.ContainsFunc(c.best, func(b sighting) bool { return 2*digits(b.text) >= letters(b.text) })
}

// sentence tells the words; frames is in how many pictures they were read, of
// those between the first and the last of these.
func (c *card) sentence(span omniscope.Span, sure float64, frames, of int) string {
	when := fmt.Sprintf("From %.2f s to %.2f s", span.Start.Seconds(), span.End.Seconds())
	switch {
	case c.running:
		t := c.tracks[0]
		return fmt.Sprintf("%s a running number can be read, from “%s” to “%s”.", when, t.seen[0].text, t.last().text)
	case sure <= hedgeSure:
		return fmt.Sprintf("%s there are words that cannot be read for certain, perhaps “%s”.", when, c.quote())
	case sure <= logoSure:
		return fmt.Sprintf("%s large lettering, perhaps a logo, seems to read “%s”.", when, c.quote())
	case frames < of:
		return fmt.Sprintf("%s the words “%s” can be read in %d of %d pictures.", when, c.quote(), frames, of)
	}
	return fmt.Sprintf("%s the picture shows the words “%s”.", when, c.quote())
}

// sameMost is by how much the picture may change in all, in mean difference of
// brightness, of 255, while words that were read in it are taken to stay. Words
// that slowly fade in are read when they have changed it by a little more.
const sameMost = 0.05

// shown is the stretch in which words stand for certain: from the first picture
// in which they were read to the end of the last, and while the picture stays
// the same before and after, if the words do.
func shown(sight *media.VideoSurvey, first, last time.Duration, still bool) omniscope.Span {
	moments := sight.Moments
	at := func(t time.Duration) int {
		i, _ := slices.BinarySearchFunc(moments, t, func(m media.Moment, t time.Duration) int { return cmp.Compare(m.Time, t) })
		return min(i, len(moments)-1)
	}
	from, to := at(first), at(last)
	if still {
		for all := moments[from].Change; from > 0 && all <= sameMost; all += moments[from].Change {
			from--
		}
		for all := float32(0); to+1 < len(moments); to++ {
			if all += moments[to+1].Change; all > sameMost {
				break
			}
		}
	}
	span := omniscope.Span{Start: moments[from].Time, End: sight.End}
	if to+1 < len(moments) {
		span.End = moments[to+1].Time
	}
	return span
}
