// Package captioncheck holds tests alone: every sentence of the captions that
// `omniscope caption` writes without a model is taken apart and checked
// against the clip. What is checked with shares no code with the tools: ffmpeg
// decodes, and levels, spectra, onsets, cuts, colours and motion are computed
// here anew, in other ways. A sentence that no template knows fails, so that a
// new sentence comes with a check of its claim.
//
// Clips are made by ffmpeg: a few of each kind for `make test`, many more for
// `make check`, and with OMNISCOPE_ALL_CLIPS=1 the golden clips, which takes
// longest. OMNISCOPE_CLIPS is a pattern of names, to check some only, and
// OMNISCOPE_REPORTS a folder in which reports are kept.
package captioncheck

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/fonts"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/need"
)

var templates = append(append(append([]template{}, soundTemplates...), pictureTemplates...), textTemplates...)

func TestMain(m *testing.M) { os.Exit(built.Main(m)) }

func TestMadeClips(t *testing.T) {
	prepare(t)
	verify(t, makeClips(t, true))
}

func TestLongMadeClips(t *testing.T) {
	prepare(t)
	verify(t, makeClips(t, false))
}

// TestLongFonts checks captions of the clips with words in other fonts, as far as they are installed.
func TestLongFonts(t *testing.T) {
	prepare(t)
	words := slices.DeleteFunc(slices.Clone(recipes), func(r recipe) bool { return !strings.Contains(r.picture, "drawtext") })
	for _, name := range []string{"DejaVuSerif.ttf", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf"} {
		t.Run(name, func(t *testing.T) {
			font := fonts.Installed(name)
			if font == "" {
				t.Skipf("the font %s is not installed", name)
			}
			verify(t, makeClipsIn(t, font, words))
		})
	}
}

// False sentences of a clip are found, so that true ones mean something.
func TestFalseSentences(t *testing.T) {
	prepare(t)
	t.Setenv("OMNISCOPE_CLIPS", "^cuts_hard$")
	c, err := open(makeClips(t, true)[0].path)
	fixture.OK(t, err)
	first, second := "Shot 1 lasts from 0.00 s to 1.20 s.", "Shot 2 lasts from a cut at 1.20 s to 2.60 s."
	rest := "Shots 3 and 4, from 2.60 s to 4.60 s, begin with cuts at 2.60 s and 3.60 s."
	count := "There are 4 shots in 4.60 s, parted by hard cuts or black."
	for _, list := range [][]string{
		{"Shot 1 lasts from 0.00 s to 1.20 s.", "Shot 3 lasts from a cut at 1.20 s to 2.60 s."},
		{"Shot 1 lasts from 0.00 s to 2.00 s.", "Shot 2 lasts from a cut at 2.00 s to 2.60 s."},
		{"Shot 1 lasts from 0.00 s to 1.20 s.", "Shot 2 lasts from 1.20 s to 2.60 s."},
		{"Shot 1 lasts from 0.00 s to 1.20 s.", "Shot 2 lasts from 2.00 s to 2.60 s, after black."},
		{"Shot 1 lasts from 0.00 s to 1.20 s.", "Shots 2 and 3, from 1.20 s to 3.60 s, begin with cuts at 1.20 s and 2.00 s."},
		{first, second, "There are 2 shots in 4.60 s, parted by hard cuts or black."},
		{first, second, rest, "There are 3 shots in 4.60 s, parted by hard cuts or black."},
		{first, second, count},
		{first, "Shot 2, from a cut at 1.20 s to 2.60 s: it is the brightest shot, of medium brightness (mean brightness 119 of 255).", rest, count},
		{first, "At 0.60 s the picture cuts."},
		{"Shot 1, from 0.00 s to 1.20 s: the dominant colour is blue (#0000ff, 90 %).", second, rest, count},
		{first, second, rest, count, "From 1.20 s to 2.60 s the picture is black."},
		{second, first},
	} {
		if found := falseSentences(c, list); len(found) == 0 {
			t.Errorf("no sentence was found false: %s", strings.Join(list, " "))
		}
	}
	if found := falseSentences(c, []string{first, second, rest, count}); len(found) > 0 {
		t.Errorf("true sentences were found false: %+v", found)
	}
}

// A zoom of another direction, or of another rate, is found false, with and without words over the picture.
func TestLongFalseZoom(t *testing.T) {
	prepare(t)
	for name, rates := range map[string]struct{ right, wrong []string }{
		"zoom_in":              {[]string{"in 6", "in 7", "in 5"}, []string{"in 2", "in 15", "in 30", "out 6"}},
		"words_moving_picture": {[]string{"in 15", "in 12", "in 18"}, []string{"in 5", "in 35", "in 60", "out 15", "out 5"}},
		"pan_right":            {nil, []string{"in 5", "in 15", "out 5", "out 15"}},
		"fixed_with_ball":      {nil, []string{"in 5", "in 15", "out 5", "out 15"}},
	} {
		t.Setenv("OMNISCOPE_CLIPS", "^"+name+"$")
		c, err := open(makeClips(t, false)[0].path)
		fixture.OK(t, err)
		for i, list := range [][]string{rates.right, rates.wrong} {
			for _, r := range list {
				way, rate, _ := strings.Cut(r, " ")
				found := falseSentences(c, []string{fmt.Sprintf("From 0.56 s to 2.76 s the camera seems to move or zoom %s: the picture as a whole changes its size by %s %% a second.", way, rate)})
				if isFalse := len(found) > 0; isFalse != (i == 1) {
					t.Errorf("%s: a zoom %s %% a second is found false: %v (%+v)", name, r, isFalse, found)
				}
			}
		}
	}
}

// falseSentences checks the sentences of a caption.
func falseSentences(c *clip, sentences []string) (found []finding) {
	said := new(told)
	for _, s := range sentences {
		list, _ := checkSentence(c, s, said)
		found = append(found, list...)
	}
	return append(append(found, said.checkLater()...), said.agree()...)
}

// TestLongKnownClips checks captions of real clips.
func TestLongKnownClips(t *testing.T) {
	prepare(t)
	if os.Getenv("OMNISCOPE_ALL_CLIPS") == "" {
		t.Skip("set OMNISCOPE_ALL_CLIPS=1 to check the golden clips")
	}
	folder := golden.Path(t, "media")
	text, err := os.ReadFile(filepath.Join(folder, "MANIFEST.json"))
	fixture.OK(t, err)
	var manifest struct {
		Files []struct {
			File    string `json:"file"`
			Content struct {
				Speech []any    `json:"speech"`
				Sounds []string `json:"sounds"`
			} `json:"content"`
		} `json:"files"`
	}
	fixture.OK(t, json.Unmarshal(text, &manifest))
	var list []made
	names := regexp.MustCompile(os.Getenv("OMNISCOPE_CLIPS"))
	for _, f := range manifest.Files {
		if !names.MatchString(f.File) {
			continue
		}
		list = append(list, made{path: filepath.Join(folder, f.File), spoken: len(f.Content.Speech) > 0})
	}
	verify(t, list)
}

// prepare skips where a program is missing.
func prepare(t *testing.T) {
	t.Helper()
	t.Setenv("OMNISCOPE_SPEECH_PACK", os.DevNull) // tests go by what every machine has: what a transcript says, no template knows
	need.Programs(t, "ffmpeg", "ffprobe", "tesseract")
}

// A made clip, or a real one, and what is known of it.
type made struct {
	path   string
	spoken bool
}

// verify investigates clips and checks what is said of each.
func verify(t *testing.T, list []made) {
	reports := investigate(t, list)
	var total count
	var lock sync.Mutex
	var all sync.WaitGroup
	turns := make(chan struct{}, runtime.NumCPU())
	for _, m := range list {
		all.Add(1)
		turns <- struct{}{}
		go func() {
			defer func() { <-turns; all.Done() }()
			name := strings.TrimSuffix(filepath.Base(m.path), filepath.Ext(m.path))
			found, n, err := checkClip(m, filepath.Join(reports, name, "report.json"))
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			total.clips++
			total.sentences += n.sentences
			total.statements += n.statements
			for _, f := range found {
				t.Errorf("%s: %s\n    %s", name, f.sentence, f.why)
			}
		}()
	}
	all.Wait()
	t.Logf("%d clips, %d sentences, %d statements checked", total.clips, total.sentences, total.statements)
}

// A report is what is read of the program's.
type report struct {
	Caption struct {
		Text      string `json:"text"`
		Sentences []struct {
			Text string `json:"text"`
		} `json:"sentences"`
	} `json:"caption"`
	Contradictions []struct {
		What string `json:"what"`
	} `json:"contradictions"`
}

func checkClip(m made, path string) (found []finding, n count, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, n, err
	}
	var r report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, n, err
	}
	c, err := open(m.path)
	if err != nil {
		return nil, n, err
	}
	c.spoken = m.spoken
	if len(r.Caption.Sentences) == 0 {
		found = append(found, finding{why: "the caption says nothing"})
	}
	said := new(told)
	for _, s := range r.Caption.Sentences {
		list, statements := checkSentence(c, s.Text, said)
		found = append(found, list...)
		n.sentences++
		n.statements += statements
	}
	found = append(found, said.checkLater()...)
	if list := said.agree(); len(list) > len(r.Contradictions) { // else they are listed
		found = append(found, list...)
	}
	return found, n, nil
}

// checkLater makes the checks that need what all sentences say.
func (s *told) checkLater() (found []finding) {
	for _, l := range s.later {
		if why := l.check(); why != "" {
			found = append(found, finding{sentence: l.sentence, why: why})
		}
	}
	return append(found, s.inOrder()...)
}

// inOrder finds sentences that are not in order of time, or that come after one
// of the clip as a whole, which belongs at the end.
func (s *told) inOrder() (found []finding) {
	last, general := 0., false
	for _, p := range s.order {
		switch {
		case !p.timed:
			general = true
		case general:
			found = append(found, finding{sentence: p.sentence, why: "it tells of a time, after what is told of the whole"})
		case p.from < last-0.011:
			found = append(found, finding{sentence: p.sentence, why: fmt.Sprintf("it comes after what is told of %.2f s", last)})
		default:
			last = max(last, p.from)
		}
	}
	return found
}

// agree finds sentences of one caption that contradict each other.
func (s *told) agree() (found []finding) {
	add := func(format string, args ...any) {
		found = append(found, finding{sentence: "two sentences", why: fmt.Sprintf(format, args...)})
	}
	meet := func(what string, a, b [][2]float64, least float64) {
		for _, p := range a {
			for _, q := range b {
				if min(p[1], q[1])-max(p[0], q[0]) > least {
					add("%s at %.2f s and at %.2f s", what, p[0], q[0])
				}
			}
		}
	}
	meet("a short sound in a silence", s.sounds, s.silences, 0.15)
	meet("words in a black picture", s.texts, s.black, 0.1)
	meet("motion in a still picture", s.moving, s.still, 0.5)
	if len(s.cuts) > 0 && !s.counted {
		add("cuts, and no count of shots")
	}
	for i := 1; i < len(s.shots); i++ {
		joined := s.shots[i][0]-s.shots[i-1][1] < 0.011
		listed := false
		for _, at := range s.cuts {
			listed = listed || at >= s.shots[i-1][1]-0.011 && at <= s.shots[i][0]+0.011
		}
		if joined && !listed {
			add("a shot begins at %.2f s, where no cut is listed", s.shots[i][0])
		}
	}
	return found
}

// investigate has the program describe all clips.
func investigate(t *testing.T, list []made) (reports string) {
	t.Helper()
	work := t.TempDir()
	reports = filepath.Join(work, "reports")
	if kept := os.Getenv("OMNISCOPE_REPORTS"); kept != "" {
		reports = filepath.Join(kept, t.Name())
	}
	args := []string{"caption", "--pages", "--detective", "offline", "--out", reports, "--work-dir", work, "--quiet", "--"}
	for _, m := range list {
		args = append(args, m.path)
	}
	cmd := exec.Command(built.Program(t), args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.4000s", err, out)
	}
	return reports
}
