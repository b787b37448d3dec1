package ocr

import (
	"slices"
	"strings"
	"unicode"

	"omniscope/internal/spelling"
)

// How sure tesseract must be, of 100. Measured on film frames: words that stand
// there are read at 86 to 97, inventions of the plain pass stay under 85.
const (
	surely  = 85
	alone   = 90 // of a line that was read in one frame only
	hardly  = 60 // words below are no words
	hedged  = 75 // lines below are not reported
	gapMost = 2.5
	plain   = 0.7 // least share of letters and digits
)

// A line is words next to each other that were read in one frame.
type line struct {
	text string
	box
	conf   float64 // mean over letters
	least  float64 // of a word
	agreed bool    // two passes read the same
}

// lines puts words together, and parts them at what could not be read: a quote
// must not skip a word.
func lines(words []word) (list []line) {
	var open []word
	close := func() {
		if l, ok := joined(open); ok {
			list = append(list, l)
		}
		open = open[:0]
	}
	for _, w := range words {
		if n := len(open); n > 0 {
			if !open[n-1].joins(w) {
				close()
			}
		}
		if w.conf < hardly {
			close()
			continue
		}
		open = append(open, w)
	}
	close()
	return list
}

// joins reports whether a word stands in one line with the next.
func (w *word) joins(next word) bool {
	tall, small := max(w.height, next.height), min(w.height, next.height)
	alike := tall <= 2*small || letters(w.text) == 0 || letters(next.text) == 0
	return w.line == next.line && alike && float64(next.x-w.x-w.width) <= gapMost*float64(tall)
}

// joined makes a line of words, if one of them was read with confidence. Marks
// at its ends are left out: edges of things are taken for them.
func joined(words []word) (l line, ok bool) {
	mark := func(w word) bool { return letters(w.text) == 0 }
	for len(words) > 0 && mark(words[0]) {
		words = words[1:]
	}
	for len(words) > 0 && mark(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	var texts []string
	weights := 0.
	l.least = 100
	for i, w := range words {
		n := letters(w.text)
		texts = append(texts, w.text)
		l.conf += w.conf * float64(n)
		weights += float64(n)
		if n > 0 {
			l.least = min(l.least, w.conf)
		}
		if l.box = l.box.with(w.box); i == 0 {
			l.box = w.box
		}
		ok = ok || w.conf >= hedged && (n >= 3 || digits(w.text) > 0) && wordlike(w.text)
	}
	if !ok {
		return line{}, false
	}
	l.conf /= weights
	l.text = strings.Join(texts, " ")
	return l, l.conf >= hedged && weights >= plain*float64(len([]rune(strings.Join(texts, ""))))
}

// wordlike rejects what upright edges are taken for, such as "Ill" and "|l1",
// and what repeats one letter.
func wordlike(s string) bool {
	seen := make(map[rune]bool)
	strokes := true
	for _, r := range s {
		seen[unicode.ToLower(r)] = true
		strokes = strokes && strings.ContainsRune("iIlLjtr1|!.,:;'’‘-—_/\\()[]", r)
	}
	n := letters(s)
	return digits(s) == n || !strokes && len(seen) > 1
}

func letters(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

func digits(s string) (n int) {
	for _, r := range s {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// with is the least box around both.
func (b box) with(o box) box {
	x, y := min(b.x, o.x), min(b.y, o.y)
	return box{x, y, max(b.x+b.width, o.x+o.width) - x, max(b.y+b.height, o.y+o.height) - y}
}

// shared is the part of the smaller box that lies in the other.
func (b box) shared(o box) float64 {
	width := min(b.x+b.width, o.x+o.width) - max(b.x, o.x)
	height := min(b.y+b.height, o.y+o.height) - max(b.y, o.y)
	smaller := min(b.width*b.height, o.width*o.height)
	if width <= 0 || height <= 0 || smaller == 0 {
		return 0
	}
	return float64(width*height) / float64(smaller)
}

// merged joins what the passes over one frame read, from top to bottom.
func merged(jobs [passes]*job, height int) (all []line) {
	for _, j := range jobs {
		if j == nil {
			continue
		}
		for _, l := range lines(j.read()) {
			if l.height <= height/2 { // else it is no line but half the picture
				all = keep(all, l)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b line) int {
		if d := a.y + a.height/2 - b.y - b.height/2; max(d, -d) > max(a.height, b.height)/2 {
			return d
		}
		return a.x - b.x
	})
	return all
}

// keep adds a line to those of other passes. Of two at one place the one that
// holds the other stays; else the surer.
func keep(all []line, l line) []line {
	var rest []line
	for _, o := range all {
		if o.shared(l.box) < 0.5 {
			rest = append(rest, o)
			continue
		}
		a, b := folded(o.text), folded(l.text)
		same := strings.Contains(a, b) || strings.Contains(b, a) || spelling.Likeness([]rune(a), []rune(b)) >= alikeMost
		longer := len(b) > len(a) && strings.Contains(b, a) || l.conf > o.conf && len(b) >= len(a)
		if same && min(o.conf, l.conf) >= surely {
			o.agreed, l.agreed = true, true
		}
		if !longer {
			l = o
		}
	}
	return append(rest, l)
}
