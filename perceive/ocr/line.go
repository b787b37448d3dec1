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

// How high capitals must be, in pixels as boxes measure them. In 96 made pictures, words and numbers in eight fonts
// of 8 to 14 pixels: of 1,755 with capitals of 8.5 or more that were read with confidence at first, one was wrong, of
// 1,521 smaller ones 58 were. Twice as large, they are read better, except for digits in fonts of 8 pixels: of 252 of these
// numbers 27 were wrong, and no neighbours narrow down a digit.
const (
	smallLeast    = 8.5
	enlargedLeast = 13 // in an enlarged picture
	figureLeast   = 7  // of numbers, in pixels of the file
)

// A line is words next to each other that were read in one frame.
type line struct {
	text string
	box
	size   float64 // height of its capitals, in pixels of the frame
	conf   float64 // mean over letters
	least  float64 // of a word
	agreed bool    // two passes read the same
}

// lines puts words together, and parts them at what could not be read: a quote
// must not skip a word. A number with digits lower than figures is a line of its own.
func lines(words []word, figures float64) (list []line) {
	var open []word
	close := func() {
		if l, ok := joined(open); ok {
			list = append(list, l)
		}
		open = open[:0]
	}
	for _, w := range words {
		low := digits(w.text) > 0 && w.capitals() < figures
		if n := len(open); n > 0 && (low || !open[n-1].joins(w)) {
			close()
		}
		if w.conf < hardly {
			close()
			continue
		}
		open = append(open, w)
		if low {
			close()
		}
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
	var sizes []float64
	weights := 0.
	l.least = 100
	for i, w := range words {
		n := letters(w.text)
		texts = append(texts, w.text)
		l.conf += w.conf * float64(n)
		weights += float64(n)
		if n > 0 {
			l.least = min(l.least, w.conf)
			sizes = append(sizes, w.capitals())
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
	l.size = median(sizes)
	l.text = strings.Join(texts, " ")
	return l, l.conf >= hedged && weights >= plain*float64(len([]rune(strings.Join(texts, ""))))
}

// capitals is how high capitals of a word's font are, in pixels: what of the word's box is due to its letters is
// taken away. In fonts for text, small letters are 3/4 as high as capitals and descend by 1/4 to 1/3. Boxes that
// are much too high for their letters happen: letters are at least half as wide as capitals are high.
func (w *word) capitals() float64 {
	high, deep := false, false
	for _, r := range w.text {
		high = high || unicode.IsDigit(r) || unicode.IsLetter(r) && !strings.ContainsRune("acegijmnopqrsuvwxyz", r)
		deep = deep || strings.ContainsRune("gjpqy", r)
	}
	size := float64(w.height)
	switch {
	case high && deep:
		size *= 0.75
	case !high && !deep:
		size /= 0.75
	}
	return min(size, 2*float64(w.width)/float64(letters(w.text)))
}

// median is the middle one, the lower one of two.
func median(list []float64) float64 {
	slices.Sort(list)
	return list[(len(list)-1)/2]
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

func letters(s string) int { return digits(s) + count(s, unicode.IsLetter) }
func digits(s string) int  { return count(s, unicode.IsDigit) }

func count(s string, is func(rune) bool) (n int) {
	for _, r := range s {
		if is(r) {
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
func merged(jobs [passes]*job, height int, figures float64) (all []line) {
	for _, j := range jobs {
		if j == nil {
			continue
		}
		for _, l := range lines(j.read(), figures) {
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
