package scene

import (
	"image"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/media"
	"omniscope/perceive"
)

func span(from, to time.Duration) omniscope.Span { return omniscope.Span{Start: from, End: to} }

// made runs ffmpeg with a graph of filters and returns the clip.
func made(t *testing.T, graph string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "clip.mp4")
	clips.Make(t, path, "-filter_complex", graph+",format=yuv420p[o]", "-map", "[o]", "-c:v", "libx264", "-preset", "veryfast", "-crf", "16")
	return path
}

func TestScenesMadeByFfmpeg(t *testing.T) {
	for _, c := range []struct {
		name, graph string
		says        []string
		not         []string
	}{
		{
			name:  "two colours, one cut",
			graph: "color=red:s=320x180:r=25:d=2[a];color=blue:s=320x180:r=25:d=2[b];[a][b]concat=n=2",
			says:  []string{"At 2.00 s there is a hard cut.", "0.00 s to 2.00 s the dominant colour is red (#f", "to 4.00 s the dominant colour is blue (#0", "There are 2 shots", "nearly still"},
			not:   []string{"frozen", "dissolve", "pan", "bars"},
		},
		{
			name:  "a fade through black",
			graph: "testsrc=s=320x180:r=25:d=2,fade=out:st=1.5:d=0.5[a];testsrc2=s=320x180:r=25:d=2,fade=in:st=0:d=0.5[b];[a][b]concat=n=2",
			says:  []string{"fade through black", "There are 2 shots"},
			not:   []string{"hard cut."},
		},
		{
			name:  "black throughout",
			graph: "color=black:s=320x180:r=25:d=2",
			says:  []string{"The picture is black throughout", "nearly black", "Whether the camera moves could not be measured"},
			not:   []string{"bars", "hard cut"},
		},
		{
			name:  "a dissolve",
			graph: "mandelbrot=s=320x180:r=25:end_scale=0.3,trim=0:3,setpts=PTS-STARTPTS[a];testsrc=s=320x180:r=25:d=3[b];[a][b]xfade=transition=fade:duration=1:offset=2",
			says:  []string{"dissolve into another", "No cut was found in"},
			not:   []string{"hard cut."},
		},
		{
			name:  "letterbox",
			graph: "testsrc2=s=320x130:r=25:d=2,pad=320:180:0:25:black",
			says:  []string{"letterbox", "% of the height; what they leave is 2.46 times as wide as high"},
			not:   []string{"pillarbox"},
		},
		{
			name:  "a camera that pans right",
			graph: "mandelbrot=s=1280x360:r=25:start_scale=1:end_scale=1,trim=0:4,setpts=PTS-STARTPTS,loop=100:1:0,trim=0:4,crop=320:180:n*2:90",
			says:  []string{"pan right: the picture as a whole shifts by 16 % of its width a second"},
			not:   []string{"hard cut", "dissolve", "fixed"},
		},
		{
			name:  "it grows darker",
			graph: "testsrc=s=320x180:r=25:d=4,fade=out:st=0:d=6",
			says:  []string{"the picture grows darker", "one continuous shot of 4.00 s"},
			not:   []string{"brighter", "hard cut"},
		},
		{
			name:  "a flash",
			graph: "testsrc2=s=320x180:r=25:d=3,eq=brightness='if(between(n,30,31),0.9,0)':eval=frame",
			says:  []string{"At 1.20 s the picture flashes", "No cut was found"},
			not:   []string{"hard cut."},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := observed(t, made(t, c.graph))
			for _, want := range c.says {
				if !strings.Contains(a.Text, want) {
					t.Errorf("not said: %q, in\n%s", want, a.Text)
				}
			}
			for _, no := range c.not {
				if strings.Contains(a.Text, no) {
					t.Errorf("said: %q, in\n%s", no, a.Text)
				}
			}
			for _, o := range a.Observations {
				if o.Sure <= 0 || o.Sure > 1 || o.What == "" || o.Span.End < o.Span.Start {
					t.Errorf("bad observation %+v", o)
				}
			}
		})
	}
}

func TestClipWithoutPicture(t *testing.T) {
	a := observed(t, clips.Made(t, "tone.wav", "-f lavfi -i sine=d=1"))
	if len(a.Observations) != 1 || a.Observations[0].Kind != perceive.Absence || a.Text != "The clip has no picture." {
		t.Errorf("answered %+v", a)
	}
}

func TestColoursHaveTheirNames(t *testing.T) {
	for _, c := range []struct {
		r, g, b uint8
		name    string
	}{
		{0, 0, 0, "black"}, {255, 255, 255, "white"}, {128, 128, 128, "grey"}, {200, 200, 205, "light grey"}, {60, 60, 60, "dark grey"},
		{220, 20, 30, "red"}, {250, 140, 20, "orange"}, {250, 230, 30, "yellow"}, {40, 160, 50, "green"}, {20, 60, 25, "dark green"},
		{30, 200, 210, "cyan"}, {30, 60, 220, "blue"}, {160, 190, 240, "light blue"}, {130, 40, 190, "purple"}, {240, 60, 160, "pink"},
		{250, 170, 180, "pink"}, {110, 70, 35, "brown"}, {225, 205, 170, "beige"},
	} {
		if got := colourName(c.r, c.g, c.b); got != c.name {
			t.Errorf("#%02x%02x%02x is %s, want %s", c.r, c.g, c.b, got, c.name)
		}
	}
}

func TestShotsLieBetweenCutsAndBlack(t *testing.T) {
	s := &media.VideoSurvey{
		End:   10 * time.Second,
		Cuts:  []media.Cut{{Time: 2 * time.Second}, {Time: 6 * time.Second}},
		Black: []omniscope.Span{span(0, time.Second), span(4*time.Second, 6*time.Second)},
	}
	got := spans(shotsOf(s))
	if want := "1.00–2.00, 2.00–4.00, 6.00–10.00 s"; got != want {
		t.Errorf("shots %s, want %s", got, want)
	}
}

// Motion of a known pattern, so that what the camera does is certain.
func TestMotion(t *testing.T) {
	for _, c := range []struct {
		name       string
		dx, dy     int
		zoom       float64
		kind       string
		right, up2 float64
	}{
		{"nothing moves", 0, 0, 1, fixed, 0, 0},
		{"the picture goes left", -8, 0, 1, "pans right", -0.1, 0},
		{"the picture goes down", 0, 5, 1, "tilts up", 0, 0.111},
		{"the picture grows", 0, 0, 1.06, "zooms in", 0, 0},
		{"the picture shrinks", 0, 0, 0.94, "zooms out", 0, 0},
	} {
		a, b := patterned(0, 0, 0, 1), patterned(500*time.Millisecond, c.dx, c.dy, c.zoom)
		m, ok := between(a, b)
		if !ok || m.kind() != c.kind || diff(m.right, c.right) > 0.02 || diff(m.down, c.up2) > 0.02 {
			t.Errorf("%s: measured %+v (%v), which is %q, want %q", c.name, m, ok, m.kind(), c.kind)
		}
	}
	if m, ok := between(patterned(0, 0, 0, 1), patterned(time.Second, 3, 3, -1)); ok {
		t.Errorf("two pictures without likeness move by %+v", m)
	}
}

func diff(a, b float64) float64 { return max(a-b, b-a) }

// patterned draws hills of brightness, moved and scaled. A negative zoom draws
// others.
func patterned(at time.Duration, dx, dy int, zoom float64) *picture {
	wave := 1.
	if zoom < 0 {
		zoom, wave = 1, 1.7
	}
	frame := image.NewYCbCr(image.Rect(0, 0, 160, 90), image.YCbCrSubsampleRatio420)
	for i := range frame.Cb {
		frame.Cb[i], frame.Cr[i] = 128, 128
	}
	for y := range 90 {
		for x := range 160 {
			u, v := wave*(float64(x-dx)-80)/zoom, wave*(float64(y-dy)-45)/zoom
			hills := math.Sin(0.31*u+2*math.Sin(0.017*v*u/5)) + math.Sin(0.27*v+3*math.Sin(0.13*u))
			frame.Y[y*frame.YStride+x] = uint8(128 + 60*hills)
		}
	}
	p := newPicture(at, frame)
	p.crop(bars{})
	return p
}
