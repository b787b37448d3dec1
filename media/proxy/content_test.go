package proxy

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
)

func TestPeaksOfASine(t *testing.T) {
	t.Parallel()
	// Half a second of silence, then a tone of half the full scale, in opposite channels.
	source := clips.Made(t, "a.wav", "-f lavfi -i aevalsrc='0.5*sin(880*PI*t)*gte(t,0.5)|-0.5*sin(880*PI*t)*gte(t,0.5)':s=44100 -t 2")
	p := prepared(t, source, t.TempDir(), Options{Muted: true})
	if p.Film || !p.Sound || p.Player() != SoundFile || p.Path(SoundFile) == "" || p.Path(TimesFile) != "" || p.Path(MutedFile) != "" || math.Abs(p.Seconds-2) > 0.05 {
		t.Errorf("%+v", p)
	}
	peaks, err := p.Peaks()
	fixture.OK(t, err)
	if n := len(peaks); n < 2*peaksPerSecond || n > 2*peaksPerSecond+1 {
		t.Errorf("%d peaks", n)
	}
	for i, peak := range peaks[:2*peaksPerSecond] {
		switch {
		case i < peaksPerSecond/2-1 && peak > 1, i > peaksPerSecond/2 && i < 2*peaksPerSecond-1 && math.Abs(float64(peak)-127.5) > 3:
			t.Errorf("peak %d is %d", i, peak)
		}
	}
	if times, err := p.Times(); err != nil || len(times) > 0 {
		t.Errorf("times of a sound: %v, %v", times, err)
	}
	if _, err := p.Frame(t.Context(), 0); err == nil {
		t.Error("a frame of a sound")
	}
}

func TestLongPeaksOfALateSound(t *testing.T) {
	source := clips.Made(t, "a.mkv", "-f lavfi -i testsrc=s=64x48:r=10 -itsoffset 0.4 -f lavfi -i sine=440 -t 1 -c:v libx264 -c:a pcm_s16le")
	p := prepared(t, source, t.TempDir(), Options{})
	peaks, err := p.Peaks()
	fixture.OK(t, err)
	first := slices.IndexFunc(peaks, func(v byte) bool { return v > 20 })
	if want := 0.4 * peaksPerSecond; math.Abs(float64(first)-want) > 1.5 {
		t.Errorf("the sound starts at peak %d, want %v", first, want)
	}
}

func TestLongShots(t *testing.T) {
	t.Parallel()
	// Three plain pictures, the second with a cut at 1.2 s, the third at 2 s.
	source := clips.Made(t, "a.mp4", "-f lavfi -i color=black:s=320x180:r=25:d=1.2 -f lavfi -i testsrc=s=320x180:r=25:d=0.8 -f lavfi -i color=white:s=320x180:r=25:d=1 "+
		"-filter_complex [0:v]format=yuv420p[a];[1:v]format=yuv420p[b];[2:v]format=yuv420p[c];[a][b][c]concat=n=3:v=1 -c:v libx264 -preset ultrafast")
	p := prepared(t, source, t.TempDir(), Options{})
	shots, err := p.Shots()
	if err != nil || len(shots) != 3 {
		t.Fatalf("%v, %v", shots, err)
	}
	for i, want := range []Shot{{0, 0, false, "shot-0.jpg"}, {30, 1.2, true, "shot-1.jpg"}, {50, 2, true, "shot-2.jpg"}} {
		if shots[i] != want {
			t.Errorf("shot %d is %+v, want %+v", i, shots[i], want)
		}
	}
	for i, want := range []float64{0, -1, 255} {
		data, err := os.ReadFile(p.Path(shots[i].Picture))
		fixture.OK(t, err)
		picture, grey := decoded(t, data)
		if picture.Bounds().Dx() != shotSide || want >= 0 && math.Abs(grey-want) > 4 {
			t.Errorf("picture %d is %v, brightness %.0f", i, picture.Bounds(), grey)
		}
	}
}

func TestChooseShots(t *testing.T) {
	times := make([]float64, 25*3600)
	for i := range times {
		times[i] = float64(i) / 25
	}
	var many []media.Cut
	for i := range 500 {
		many = append(many, media.Cut{Time: time.Duration(7*(i+1)) * time.Second, Score: float64(i%100) / 100})
	}
	for name, c := range map[string]struct {
		cuts     []media.Cut
		min, max int
	}{"none": {nil, 99, 101}, "one": {many[:1], 99, 102}, "many": {many, mostCuts, mostCuts + mostEven}} {
		shots := chooseShots(times, c.cuts)
		if len(shots) < c.min || len(shots) > c.max {
			t.Errorf("%s: %d shots", name, len(shots))
		}
		if !slices.IsSortedFunc(shots, func(a, b Shot) int { return a.Frame - b.Frame }) || shots[0].Frame != 0 {
			t.Errorf("%s: not in order, or not from the start", name)
		}
	}
	if shots := chooseShots([]float64{0.3}, nil); len(shots) != 1 || shots[0].Time != 0.3 {
		t.Errorf("of one frame: %v", shots)
	}
}

func TestLongFrame(t *testing.T) {
	p := preparedClips(t)[4]
	want := levels(t, p.Source)
	for _, i := range []int{17, p.Frames - 1} {
		data, err := p.Frame(t.Context(), i)
		fixture.OK(t, err)
		if picture, grey := decoded(t, data); math.Abs(grey-float64(want[i])) > 2 || picture.Bounds().Dx() != 160 {
			t.Errorf("frame %d has brightness %.0f, want %d", i, grey, want[i])
		}
	}
	if _, err := p.Frame(t.Context(), p.Frames); err == nil || !strings.Contains(err.Error(), "they go from 0 to 59") {
		t.Errorf("a frame after the last: %v", err)
	}
}

// decoded is a picture and its mean brightness.
func decoded(t *testing.T, data []byte) (image.Image, float64) {
	t.Helper()
	picture, err := jpeg.Decode(bytes.NewReader(data))
	fixture.OK(t, err)
	sum, n := 0., 0.
	for _, y := range picture.(*image.YCbCr).Y {
		sum, n = sum+float64(y), n+1
	}
	return picture, sum / n
}

func TestLongHEVC(t *testing.T) {
	if !strings.Contains(encoders(t), "libx265") {
		t.Skip("this ffmpeg has no encoder of HEVC")
	}
	checkFilm(t, prepared(t, clips.Made(t, "a.mp4", numbered("25", "162x122")+"-t 1.2 -c:v libx265 -pix_fmt yuv420p10le -x265-params log-level=error:pools=1"), t.TempDir(), Options{}))
}
