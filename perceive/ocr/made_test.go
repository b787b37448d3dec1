package ocr

import (
	"fmt"
	"image"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/fonts"
	"omniscope/internal/testing/need"
	"omniscope/perceive"
)

// drawn makes a clip of a source and texts drawn on it in DejaVu Sans, each as
// drawtext's options.
func drawn(t *testing.T, source string, texts ...string) omniscope.Clip {
	t.Helper()
	return drawnIn(t, fonts.Sans(t), source, texts...)
}

// drawnIn does it with a font file.
func drawnIn(t *testing.T, font, source string, texts ...string) omniscope.Clip {
	t.Helper()
	need.Programs(t, "ffmpeg", "ffprobe", program)
	path := filepath.Join(t.TempDir(), "clip.mp4")
	for _, text := range texts {
		source += ",drawtext=x=(w-text_w)/2:" + text
	}
	out, err := exec.Command("ffmpeg", "-v", "error", "-nostdin", "-y", "-filter_complex", fonts.Named(source, font)+",format=yuv420p[o]", "-map", "[o]",
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "18", path).CombinedOutput()
	if err != nil {
		t.Fatalf("ffmpeg: %v\n%s", err, out)
	}
	return omniscope.Clip{Path: path}
}

func TestDrawnText(t *testing.T) {
	const hills = "mandelbrot=s=640x360:r=25:end_scale=0.1,trim=0:4,setpts=PTS-STARTPTS,lutyuv=y=val*0.6"
	for _, c := range []struct {
		name, source string
		texts        []string
		quote        []string
		at           [][2]float64 // seconds
	}{
		{
			name: "a card that changes without a cut", source: "color=0xf0f0f0:s=640x360:r=25:d=5",
			texts: []string{"text='The first card':y=140:fontsize=44:enable='lt(t,2.4)'", "text='Second card says 42':y=140:fontsize=44:enable='gte(t,2.4)'"},
			quote: []string{"The first card", "Second card says 42"}, at: [][2]float64{{0, 2.4}, {2.4, 5}},
		},
		{
			name: "two lines of one card", source: "color=black:s=640x360:r=25:d=2",
			texts: []string{"text='HARBOUR LIGHTS':y=120:fontsize=48:fontcolor=white", "text='a film in three parts':y=190:fontsize=28:fontcolor=white"},
			quote: []string{"HARBOUR LIGHTS a film in three parts"}, at: [][2]float64{{0, 2}},
		},
		{
			name: "white words over a moving picture", source: hills,
			texts: []string{"text='Where does the river end':y=300:fontsize=32:fontcolor=white:enable='between(t,1,3)'"},
			quote: []string{"Where does the river end"}, at: [][2]float64{{1, 3}},
		},
		{
			name: "a time code", source: "testsrc2=s=640x360:r=25:d=4",
			texts: []string{`timecode='10\:20\:30\:00':rate=25:y=160:fontsize=48:box=1:boxcolor=black:boxborderw=16:fontcolor=white`},
			quote: []string{"10:20:30:00 … 10:20:33:24"}, at: [][2]float64{{0, 4}},
		},
		{name: "nothing to read", source: hills},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := observed(t, drawn(t, c.source, c.texts...))
			if len(a.Observations) != len(c.quote) {
				t.Fatalf("%d texts, want %d:\n%s", len(a.Observations), len(c.quote), a.Text)
			}
			for i, o := range a.Observations {
				if o.Kind != perceive.Text || o.Quote != c.quote[i] || o.Sure < 0.8 || !strings.Contains(o.What, strings.Split(o.Quote, " … ")[0]) {
					t.Errorf("observed %+v, want %q", o, c.quote[i])
				}
				for j, at := range []float64{o.Span.Start.Seconds(), o.Span.End.Seconds()} {
					if within := 0.1 + o.Values[[]string{"start_within_s", "end_within_s"}[j]]; math.Abs(at-c.at[i][j]) > within {
						t.Errorf("“%s” at %.2f s, want %.2f s give or take %.2f", o.Quote, at, c.at[i][j], within)
					}
				}
			}
			if len(c.quote) == 0 && a.Text != "No text can be read with confidence." {
				t.Errorf("answered %q", a.Text)
			}
		})
	}
}

func TestStillPictureReadOnce(t *testing.T) {
	c := opened(t, drawn(t, "color=navy:s=640x360:r=25:d=10", "text='Nothing moves here':y=160:fontsize=40:fontcolor=white"))
	look, err := c.Look(t.Context())
	fixture.OK(t, err)
	s, err := New(Options{}).read(t.Context(), look.Frames, perceive.Focus{}, image.Point{})
	fixture.OK(t, err)
	runs := make(map[*job]bool)
	for _, jobs := range s.jobs {
		for _, j := range jobs {
			if j != nil {
				runs[j] = true
			}
		}
	}
	if len(runs) > passes || len(s.readings) < 15 {
		t.Errorf("%d runs for %d frames of one picture, want at most %d", len(runs), len(s.readings), passes)
	}
}

func TestClipWithoutPicture(t *testing.T) {
	a := observed(t, omniscope.Clip{Path: clips.Made(t, "tone.wav", "-f lavfi -i sine=d=1")})
	if len(a.Observations) != 1 || a.Observations[0].Kind != perceive.Absence || a.Text != "The clip has no picture." {
		t.Errorf("answered %+v", a)
	}
}

func TestReadingEndsWithItsContext(t *testing.T) {
	c := opened(t, drawn(t, "testsrc2=s=640x360:r=25:d=3"))
	look, err := c.Look(t.Context())
	fixture.OK(t, err)
	ctx, cancel := contextEnded(t)
	defer cancel()
	start := time.Now()
	if _, err := New(Options{}).read(ctx, look.Frames, perceive.Focus{}, image.Point{}); err == nil {
		t.Error("no error")
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("it took %v to end", took)
	}
}

// TestLettersBeyondTheLanguage with the data of English: words that it cannot read letter by letter are doubted.
func TestLettersBeyondTheLanguage(t *testing.T) {
	doubted := []string{"Herr Müller", "Citroën Café", "Žižkov tower", "ÜBERGANG", "Smørrebrød"}
	certain := []string{"Fiji Islands", "Minimum is: 42 pt", "HARBOUR LIGHTS", "jigging in a pit"}
	for _, style := range []string{"color=navy:s=640x360:r=10|white|32", "color=0xf0f0f0:s=640x360:r=10|black|44", "testsrc2=s=640x360:r=10,lutyuv=y=val*0.3|white|30"} {
		source, rest, _ := strings.Cut(style, "|")
		colour, size, _ := strings.Cut(rest, "|")
		var texts []string
		for i, text := range slices.Concat(doubted, certain) {
			texts = append(texts, fmt.Sprintf("text='%s':y=150:fontsize=%s:fontcolor=%s:enable='between(n,%d,%d)'", strings.ReplaceAll(text, ":", `\:`), size, colour, 12*i, 12*i+9))
		}
		source = strings.Replace(source, "r=10", fmt.Sprintf("r=10:d=%.1f", 1.2*float64(len(texts))), 1)
		a := observed(t, drawn(t, source, texts...))
		var got []string
		for _, o := range a.Observations {
			if o.Sure >= 0.8 {
				got = append(got, o.Quote)
			}
		}
		if !slices.Equal(got, certain) {
			t.Errorf("%s: certain of %q, want %q\n%s", style, got, certain, a.Text)
		}
		if !strings.Contains(a.Text, "“Herr Muller”, with letters that the language data eng lacks") || !strings.HasSuffix(a.Text, "were read with the language data eng.") {
			t.Errorf("%s: the language is not named in\n%s", style, a.Text)
		}
	}
}
