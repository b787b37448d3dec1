package captioncheck

import (
	"fmt"
	"os/exec"
	"strings"
	"unicode"
)

var textTemplates = []template{
	{form(`the picture shows the words “(.*)”`), func(x *claim) string { return shows(x, x.m[1], 0.85) }},
	{form(`there are words that cannot be read for certain, perhaps “(.*)”(?:, with letters that the language data [a-z_+]+ lacks)?`), nothingClaimed},
	{form(`large lettering, perhaps a logo, seems to read “(.*)”`), nothingClaimed},
	{form(`a running number can be read, from “(.*)” to “(.*)”`), running},
	{form(`the words “(.*)” can be read in (\d+) of (\d+) pictures`), blinking},
	{form(`(?:in a part of the picture: )?no text can be read with confidence`), nothingClaimed},
}

// read reads the picture at a time with tesseract, enlarged, in several ways,
// until enough says that it is content.
func (c *clip) read(at float64, enough func(text string) bool) bool {
	var video *stream
	for i := range c.streams {
		if s := &c.streams[i]; s.Kind == "video" && s.Disposition["attached_pic"] == 0 && (video == nil || s.Width*s.Height > video.Width*video.Height) {
			video = s
		}
	}
	n := c.picture.index(at)
	for _, way := range []struct{ filter, layout string }{
		{"scale=iw*2:ih*2:flags=lanczos", "11"}, {"scale=iw*2:ih*2:flags=lanczos", "3"}, {"scale=iw*3:ih*3:flags=bicubic", "6"}, {"null", "11"}, {"null", "3"}, {"scale=iw*4:ih*4:flags=bicubic,negate", "11"},
		{"scale=iw*2:ih*2,lutyuv=y='if(gt(val,200),0,255)'", "11"}, {"scale=iw*2:ih*2,lutyuv=y='if(lt(val,60),0,255)'", "11"},
	} {
		png, err := exec.Command("ffmpeg", "-nostdin", "-v", "error", "-i", c.path, "-map", fmt.Sprintf("0:%d", video.Index),
			"-vf", fmt.Sprintf("select=eq(n\\,%d),%s,format=gray", n, way.filter), "-vsync", "passthrough", "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-").Output()
		if err != nil || len(png) == 0 {
			continue
		}
		cmd := exec.Command("tesseract", "stdin", "stdout", "--psm", way.layout)
		cmd.Stdin = strings.NewReader(string(png))
		cmd.Env = append(cmd.Environ(), "OMP_THREAD_LIMIT=1")
		if text, err := cmd.Output(); err == nil && enough(string(text)) {
			return true
		}
	}
	return false
}

// bare keeps letters and digits.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// holds reports whether a text has words, letter by letter but for a share of
// errors; digits must be right.
func holds(text, words string, least float64) bool {
	a, b := []rune(bare(text)), []rune(bare(words))
	if digitsOnly(string(b)) {
		return strings.Contains(string(a), string(b))
	}
	// The edit distance of b to the best stretch of a.
	row := make([]int, len(a)+1)
	for i := range b {
		corner := row[0]
		row[0] = i + 1
		for j := range a {
			cost := corner
			if a[j] != b[i] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, corner+1)
		}
	}
	best := len(b)
	for _, v := range row {
		best = min(best, v)
	}
	return float64(best) <= (1-least)*float64(len(b))
}

func digitsOnly(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// times are where a stretch is looked at: at its first and its last frame, and
// between.
func (x *claim) times() []float64 {
	if x.moment {
		return []float64{x.from}
	}
	last := max(x.from, x.c.picture.frames[x.c.picture.index(x.to-0.012)].at)
	return []float64{x.from, (x.from + last) / 2, x.from + (last-x.from)*0.31, x.from + (last-x.from)*0.83, last}
}

// shows: the words can be read at the start, at the end and between.
func shows(x *claim, words string, least float64) string {
	x.said.texts = append(x.said.texts, [2]float64{x.from, x.to})
	for _, at := range x.times() {
		if !x.c.read(at, func(text string) bool { return everyWord(text, words, least) }) {
			return fmt.Sprintf("at %.2f s they cannot be read", at)
		}
	}
	return ""
}

// everyWord reports whether a text holds all words, wherever they stand: lines
// may be read in another order.
func everyWord(text, words string, least float64) bool {
	if holds(text, words, least) {
		return true
	}
	for _, w := range strings.Fields(words) {
		if bare(w) != "" && !holds(text, w, least) {
			return false
		}
	}
	return true
}

// running: the numbers are those at the start and at the end.
func running(x *claim) string {
	last := max(x.from, x.to-0.012)
	for at, words := range map[float64]string{x.from: x.m[1], last: x.m[2]} {
		if !x.c.read(at, func(text string) bool { return holds(text, words, 0.999) }) {
			return fmt.Sprintf("at %.2f s “%s” cannot be read", at, words)
		}
	}
	return ""
}

func blinking(x *claim) string {
	n := int(x.n(2))
	if n > int(x.n(3)) {
		return "more than all"
	}
	for _, at := range x.times() {
		if x.c.read(at, func(text string) bool { return everyWord(text, x.m[1], 0.8) }) {
			return ""
		}
	}
	return "they cannot be read at any of its times"
}
