package ocr

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/fonts"
	"omniscope/media"
	"omniscope/perceive"
)

// smallLines are lines of words with the size of their letters in pixels of 720 rows.
var smallLines = []struct {
	size  int
	words string
	x, y  int
}{
	{8, "river market seven orange 31", 120, 60}, {10, "window captain silver bridge 52", 640, 120}, {12, "garden letter winter morning 47", 200, 200},
	{14, "station thunder yellow ticket 68", 700, 280}, {16, "doctor island mirror pocket 29", 150, 370}, {18, "harbour lantern copper meadow 83", 600, 450},
	{20, "summer village candle forest 76", 100, 540}, {24, "castle ribbon shadow engine 95", 560, 640},
}

var smallGrounds = []struct{ name, source string }{
	{"plain", "color=0x204060:s=1280x720:r=25:d=2"},
	{"a moving picture", "mandelbrot=s=1280x720:r=25:end_scale=0.1,trim=0:2,setpts=PTS-STARTPTS,lutyuv=y=val*0.6"},
	{"a test card", "testsrc2=s=1280x720:r=25:d=2,lutyuv=y=val*0.5"},
}

// A tally is what was read of the lines: words, parts of words where a line was read in part, and what stands nowhere.
type tally struct {
	found           map[int]map[string]bool // by size
	parts, invented map[string]bool
}

func (y *tally) add(list []perceive.Observation) {
	for _, o := range list {
		for _, w := range strings.Fields(o.Quote) {
			if clock := strings.ContainsAny(w, ":.…"); o.Sure >= doubted && !clock {
				y.addWord(folded(w))
			}
		}
	}
}

func (y *tally) addWord(w string) {
	part := false
	for _, l := range smallLines {
		for _, want := range strings.Fields(l.words) {
			if want == w {
				y.found[l.size][want] = true
				return
			}
			part = part || strings.Contains(want, w)
		}
	}
	if part {
		y.parts[w] = true
	} else {
		y.invented[w] = true
	}
}

// smallFonts are the fonts that the small lines are drawn in, as far as they are installed: two that all machines
// with the tests' programs have, and two of other designs; with how many words more must be read where the tool asks.
var smallFonts = []struct {
	name  string
	asked int
}{{"DejaVuSans.ttf", 5}, {"DejaVuSerif.ttf", 5}, {"NotoSans-Regular.ttf", 5}, {"LiberationSans-Regular.ttf", 3}}

// TestLongSmallText measures how many words of 8 to 24 pixels are read at first, with the closer looks that the tool
// asks for, with one at the whole picture, and with one at the part of the picture that a line is in.
func TestLongSmallText(t *testing.T) {
	fonts.Sans(t)
	for _, f := range smallFonts {
		t.Run(f.name, func(t *testing.T) {
			font := fonts.Installed(f.name)
			if font == "" {
				t.Skipf("the font %s is not installed", f.name)
			}
			total, invented := make([]int, len(smallWays)), make([]int, len(smallWays))
			for _, ground := range smallGrounds {
				smallText(t, font, ground.name, ground.source, total, invented)
			}
			t.Logf("of %d words: %v; invented %v", 5*len(smallLines)*len(smallGrounds), total, invented)
			if total[1] < total[0]+f.asked || total[2] < total[0]+5 || total[3] < total[0]+12 || slices.Max(invented) > invented[0] {
				t.Errorf("%v words, invented %v: a closer look should read more, and not invent more", total, invented)
			}
		})
	}
}

var smallWays = []string{"at first", "where it was unsure", "closer at all of it", "closer at a part"}

// smallText adds what is read of the small lines over one ground, in each of the ways.
func smallText(t *testing.T, font, ground, source string, total, invented []int) {
	t.Helper()
	tool := New(Options{})
	texts := make([]string, len(smallLines))
	for i, l := range smallLines {
		texts[i] = fmt.Sprintf("text='%s':x=%d:y=%d:fontsize=%d:fontcolor=white", l.words, l.x, l.y, l.size)
	}
	clip := opened(t, drawnIn(t, font, source, texts...))
	first := observedIn(t, tool, clip, perceive.Focus{})
	looks := [][]perceive.Focus{nil, first.Closer, {{ToS: 2}}, nil}
	for _, l := range smallLines {
		x, y := float64(l.x)/1280, float64(l.y)/720
		looks[3] = append(looks[3], perceive.Focus{Region: media.Region{max(0, x-0.05), max(0, y-0.1), min(1, x+0.45), min(1, y+0.15)}})
	}
	for way, list := range looks {
		y := tally{make(map[int]map[string]bool), make(map[string]bool), make(map[string]bool)}
		for _, l := range smallLines {
			y.found[l.size] = make(map[string]bool)
		}
		y.add(first.Observations)
		for _, f := range list {
			y.add(observedIn(t, tool, clip, f).Observations)
		}
		row := ""
		for _, l := range smallLines {
			row += fmt.Sprintf(" %d:%d", l.size, len(y.found[l.size]))
			total[way] += len(y.found[l.size])
		}
		invented[way] += len(y.invented)
		t.Logf("%-18s %-20s%s of 5, parts of words %v, invented %v", ground, smallWays[way], row, slices.Sorted(maps.Keys(y.parts)), slices.Sorted(maps.Keys(y.invented)))
	}
}

// observedIn is what the tool reads in a closer look.
func observedIn(t *testing.T, tool *Tool, clip *perceive.Clip, f perceive.Focus) *perceive.Answer {
	t.Helper()
	part, err := clip.LookCloser(f)
	fixture.OK(t, err)
	a, err := tool.Observe(t.Context(), part, "")
	fixture.OK(t, err)
	return a
}
