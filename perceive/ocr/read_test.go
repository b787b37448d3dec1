package ocr

import (
	"context"
	"image"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/need"
	"omniscope/media"
	"omniscope/perceive"
)

func contextEnded(t *testing.T) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx, cancel
}

// a word as tesseract writes it
func cell(text string, conf float64, x, width int) word {
	return word{text: text, conf: conf, box: box{x: x, y: 100, width: width, height: 20}}
}

func TestTesseractTable(t *testing.T) {
	const table = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n" +
		"1\t1\t0\t0\t0\t0\t0\t0\t640\t360\t-1\t\n" +
		"4\t1\t1\t1\t1\t0\t55\t161\t63\t20\t-1\t\n" +
		"5\t1\t1\t2\t3\t1\t55\t161\t63\t20\t95.9\tTHE\n" +
		"5\t1\t1\t2\t3\t2\t130\t161\t103\t20\t12\t \n" +
		"5\t1\t1\t2\t3\t3\t130\tbad\t103\t20\t96\tPEACH\n" +
		"1\t2\t0\t0\t0\t0\t0\t0\t640\t360\t-1\t\n" +
		"1\t3\t0\t0\t0\t0\t0\t0\t640\t360\t-1\t\n" +
		"5\t3\t1\t2\t3\t4\t130\t161\t103\t20\t88\ta\tb\n"
	want := [][]word{
		{{text: "THE", conf: 95.9, line: [3]int{1, 2, 3}, box: box{55, 161, 63, 20}}},
		nil,
		{{text: "a\tb", conf: 88, line: [3]int{1, 2, 3}, box: box{130, 161, 103, 20}}},
	}
	if got := parse(table); !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v", got)
	}
}

func FuzzTable(f *testing.F) {
	f.Add("1\t1\t0\t0\t0\t0\t0\t0\t640\t360\t-1\t\n5\t1\t1\t2\t3\t1\t55\t161\t63\t20\t95.9\tTHE\n5\t1\t1\t2\t3\t1\t55\t161\t63\t20\tNaN\tTHE\n")
	f.Fuzz(func(t *testing.T, table string) {
		for _, l := range lines(slices.Concat(parse(table)...), 0) {
			if l.text == "" || !(l.conf >= hedged && l.conf <= 100.001) {
				t.Errorf("line %+v", l)
			}
		}
	})
}

func TestUncertainWordsDropped(t *testing.T) {
	for _, c := range []struct {
		name  string
		words []word
		want  string // lines, parted by |
	}{
		{"words of a line", []word{cell("GET", 95, 0, 60), cell("READY", 96, 80, 100)}, "GET READY"},
		{"a word in between is not legible", []word{cell("GET", 95, 0, 60), cell("wvw", 30, 70, 20), cell("READY", 96, 100, 100)}, "GET|READY"},
		{"far apart", []word{cell("4.004", 95, 0, 60), cell("00:04", 96, 400, 100)}, "4.004|00:04"},
		{"marks at the ends go, within they stay", []word{cell("—", 95, 0, 10), cell("Salt", 95, 20, 60), cell("&", 91, 90, 10), cell("Iron", 93, 110, 60), cell("©", 95, 180, 10)}, "Salt & Iron"},
		{"too short alone", []word{cell("OS", 96, 0, 30)}, ""},
		{"an upright edge", []word{cell("Ill", 92, 0, 30)}, ""},
		{"a row of one letter", []word{cell("eee", 92, 0, 30)}, ""},
		{"one word is doubtful, the line is not", []word{cell("COMING", 96, 0, 100), cell("SOON", 65, 120, 80)}, "COMING SOON"},
		{"doubtful altogether", []word{cell("COMING", 76, 0, 100), cell("SOON", 62, 120, 80)}, ""},
		{"a number", []word{cell("7", 96, 0, 10)}, "7"},
	} {
		var got []string
		for _, l := range lines(c.words, 0) {
			got = append(got, l.text)
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

// TestCapitals has boxes that tesseract found around words in known fonts.
func TestCapitals(t *testing.T) {
	for _, c := range []struct {
		text          string
		width, height int
		least, most   float64 // capitals of the font, give or take a pixel
	}{
		{"window", 37, 8, 6.3, 8.3},    // DejaVu Sans of 10 pixels
		{"captain", 37, 9, 6.3, 8.3},   //
		{"bridge", 30, 10, 6.3, 8.3},   //
		{"52", 10, 7, 6.3, 8.3},        //
		{"captain", 33, 28, 0, 10},     // the box of another line
		{"summer", 80, 11, 13.6, 15.6}, // DejaVu Sans of 20 pixels
		{"village", 65, 19, 13.6, 15.6},
		{"forest", 57, 15, 13.6, 15.6},
		{"76", 24, 15, 13.6, 15.6},
		{"HARBOUR", 119, 15, 14, 16},
		{"garden", 37, 11, 7.3, 9.3}, // Liberation Sans of 12 pixels
	} {
		w := word{text: c.text, box: box{width: c.width, height: c.height}}
		if size := w.capitals(); size < c.least || size > c.most {
			t.Errorf("%q in %d×%d pixels: capitals of %.1f, want %.1f to %.1f", c.text, c.width, c.height, size, c.least, c.most)
		}
	}
}

// TestSmallText has lines of one text in letters of several sizes, in frames that are enlarged or not.
func TestSmallText(t *testing.T) {
	line := func(height int) (list []word) {
		x := 0
		for _, text := range []string{"SOUTH", "PIER", "317"} {
			width := len(text) * height * 4 / 5
			list = append(list, word{text: text, conf: 95, box: box{x, 100, width, height}})
			x += width + height/2
		}
		return list
	}
	for _, c := range []struct {
		name   string
		height int
		grown  float64
		closer bool
		want   string // quotes; ? = with a reservation
	}{
		{"small", 8, 1, false, "SOUTH PIER 317?"},
		{"large enough", 9, 1, false, "SOUTH PIER 317"},
		{"tiny", 6, 1, false, "SOUTH PIER?|317?"},
		{"tiny, enlarged", 24, 4, true, "SOUTH PIER|317?"},
		{"small, enlarged", 30, 4, true, "SOUTH PIER 317"},
		{"small, hardly enlarged", 12, 1.5, true, "SOUTH PIER 317?"},
	} {
		s := &session{height: 720, width: 1280, closer: c.closer, grown: c.grown}
		for i := range 3 {
			s.readings = append(s.readings, reading{at: time.Duration(i) * 500 * time.Millisecond, fresh: true, lines: lines(line(c.height), figureLeast*c.grown)})
		}
		var got []string
		for _, card := range s.cards(follow(s.readings, s.height)) {
			quote := card.quote()
			if card.sure(s.readings) < doubted {
				quote += "?"
			}
			got = append(got, quote)
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

// film makes readings, half a second apart, of one line each at one place; ""
// is a frame without text.
func film(texts ...string) (list []reading) {
	for i, text := range texts {
		r := reading{at: time.Duration(i) * 500 * time.Millisecond, fresh: true}
		if text != "" {
			r.lines = lines([]word{cell(text, 93, 0, 300)}, 0)
		}
		list = append(list, r)
	}
	return list
}

func TestMergeReadings(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		want  string
	}{
		{"misread once", []string{"RABBIT", "RABBlT", "RABBIT"}, "RABBIT"},
		{"missed once", []string{"RABBIT", "", "RABBIT"}, "RABBIT"},
		{"another text", []string{"RABBIT", "RABBIT", "PAYBACK", "PAYBACK"}, "RABBIT|PAYBACK"},
		{"gone and back", []string{"RABBIT", "RABBIT", "", "", "", "", "RABBIT", "RABBIT"}, "RABBIT|RABBIT"},
		{"seen once, and short", []string{"", "THREE", ""}, ""},
		{"seen once, and long", []string{"", "ATTRIBUTION", ""}, "ATTRIBUTION"},
		{"a counter", []string{"00:01", "00:02", "00:03", "00:04"}, "00:01 … 00:04"},
		{"a score", []string{"10:20", "10:20", "10:23", "10:23"}, "10:20|10:23"},
	} {
		s := &session{readings: film(c.texts...), height: 360}
		var got []string
		for _, card := range s.cards(follow(s.readings, s.height)) {
			got = append(got, card.quote())
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

func TestTextSpanOfStillPicture(t *testing.T) {
	sight := func(changes ...float32) *media.VideoSurvey {
		s := &media.VideoSurvey{}
		for i, c := range changes {
			s.Moments = append(s.Moments, media.Moment{Time: time.Duration(i) * 100 * time.Millisecond, Change: c})
		}
		s.End = time.Duration(len(changes)) * 100 * time.Millisecond
		return s
	}
	for _, c := range []struct {
		name     string
		sight    *media.VideoSurvey
		still    bool
		from, to int // tenths of a second
	}{
		{"a jump before and one after", sight(0, 0.1, 9, 0, 0, 0.04, 0, 9, 0), true, 2, 7},
		{"words that fade in and out", sight(0, 0.3, 0.3, 0.3, 0.04, 0, 0, 0.04, 0.3, 0.3), true, 3, 8},
		{"motion", sight(5, 4, 5, 6, 5, 4, 5, 4, 5), true, 4, 6},
		{"nothing", sight(0, 0, 0, 0, 0, 0, 0), true, 0, 7},
		{"a number, in a picture that hardly changes", sight(0, 0, 0, 0, 0, 0, 0), false, 4, 6},
	} {
		got := shown(c.sight, 400*time.Millisecond, 500*time.Millisecond, c.still)
		if want := (omniscope.Span{Start: time.Duration(c.from) * 100 * time.Millisecond, End: time.Duration(c.to) * 100 * time.Millisecond}); got != want {
			t.Errorf("%s: shown %v, want %v", c.name, got, want)
		}
	}
}

func TestCheckMissingPrograms(t *testing.T) {
	if err := New(Options{Languages: "--psm"}).Check(t.Context()); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("a language that is none: %v", err)
	}
	need.Programs(t, program)
	if err := New(Options{}).Check(t.Context()); err != nil {
		t.Errorf("tesseract is installed, and checked as %v", err)
	}
	if v := New(Options{}).Info().Version; !strings.Contains(v, "eng tesseract ") || strings.HasSuffix(v, "tesseract") {
		t.Errorf("version %q", v)
	}
	if err := New(Options{Languages: "eng+tlh"}).Check(t.Context()); omniscope.KindOf(err) != omniscope.NotFound || !strings.Contains(err.Error(), "apt-get install tesseract-ocr-tlh") {
		t.Errorf("a language that is not installed: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := New(Options{}).Check(t.Context()); omniscope.KindOf(err) != omniscope.NotFound || !strings.Contains(err.Error(), "apt-get install tesseract-ocr") {
		t.Errorf("no program: %v", err)
	}
}

func TestSkippedShots(t *testing.T) {
	at := func(seconds ...float64) (list []time.Duration) {
		for _, s := range seconds {
			list = append(list, time.Duration(s*float64(time.Second)))
		}
		return list
	}
	sight := &media.VideoSurvey{}
	for _, time := range at(1, 4, 4.2, 5, 9) {
		sight.Cuts = append(sight.Cuts, media.Cut{Time: time})
	}
	var frames []media.Frame
	for _, time := range at(0, 3, 6, 9) {
		frames = append(frames, media.Frame{Time: time})
	}
	if got := unseen(sight, frames); len(got) != 1 || got[0] != at(4.6)[0] {
		t.Errorf("frames at %v, want one at 4.6 s: the shot from 4 to 4.2 s is too short", got)
	}
}

func TestUnreadableFrames(t *testing.T) {
	s, err := New(Options{}).read(t.Context(), []media.Frame{{JPEG: []byte("no picture")}}, perceive.Focus{}, image.Point{})
	if err == nil {
		t.Errorf("read %+v", s)
	}
}
