package media

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// A seen is what is sent of a file, and measured.
type seen struct {
	times    []time.Duration
	pictures []image.Image
	sound    int // samples
	onsets   []float64
	moments  int
	loudness float64
}

func seenOf(t *testing.T, path string) (s seen) {
	t.Helper()
	f := probedFile(t, path)
	frames, err := Frames(t.Context(), f, Policy{Frames: 4}, omniscope.Span{}, "")
	fixture.OK(t, err)
	for _, frame := range frames.Frames {
		picture, err := jpeg.Decode(bytes.NewReader(frame.JPEG))
		fixture.OK(t, err)
		s.times, s.pictures = append(s.times, frame.Time), append(s.pictures, picture)
	}
	survey, err := RunSurvey(t.Context(), f, SurveyOptions{})
	fixture.OK(t, err)
	s.moments = len(survey.Video.Moments)
	if f.Audio == nil {
		return s
	}
	var pcm bytes.Buffer
	if _, err := Speech(t.Context(), f, omniscope.Span{}, &pcm); err != nil {
		t.Fatal(err)
	}
	s.sound, s.onsets, s.loudness = pcm.Len()/2, onsets(pcm.Bytes()), survey.Audio.Loudness.Integrated
	return s
}

// meanOff is the mean difference of two pictures, in steps of 8 bits.
func meanOff(a, b image.Image) (off float64) {
	if a.Bounds() != b.Bounds() {
		return math.Inf(1)
	}
	bounds := a.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			r, g, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			off += math.Abs(float64(r>>8)-float64(r2>>8)) + math.Abs(float64(g>>8)-float64(g2>>8)) + math.Abs(float64(b1>>8)-float64(b2>>8))
		}
	}
	return off / 3 / float64(bounds.Dx()*bounds.Dy())
}

// TestVersionsOfFFmpeg runs with the installed ffmpeg and with those in the
// folders that OMNISCOPE_FFMPEGS lists as PATH does, each with ffmpeg and
// ffprobe. All give frames of the same times and colours, and the same sound.
func TestVersionsOfFFmpeg(t *testing.T) {
	need.FFmpeg(t)
	folders := filepath.SplitList(os.Getenv("OMNISCOPE_FFMPEGS"))
	if len(folders) == 0 {
		t.Skip("OMNISCOPE_FFMPEGS names no folders with other versions of ffmpeg")
	}
	var paths []string
	for name, args := range map[string]string{
		"film.mp4": film8 + beeps8 + both + h264 + "-c:a aac",
		"full.mp4": "-f lavfi -i smptehdbars=s=64x48:r=25:d=2,scale=out_range=pc,format=yuvj420p " + h264 + "-color_range pc",
		"bars.mkv": "-f lavfi -i smptehdbars=s=64x48:r=25:d=2,format=yuv444p " + h264,
		"b.avi":    film8 + beeps8 + both + "-c:v mpeg4 -bf 2 -c:a libmp3lame",
		"gap.mkv":  film8 + beeps8 + both + lost + h264 + "-c:a libopus",
		"rgb.mkv":  "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -c:v ffv1 -pix_fmt bgr0",
	} {
		paths = append(paths, clips.Made(t, name, args))
	}
	paths = append(paths, hdrPatch(t, patches[5], pq), hdrPatch(t, patches[1], hlg))
	installed := make(map[string]seen)
	for _, path := range paths {
		installed[path] = seenOf(t, path)
	}
	search := os.Getenv("PATH")
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Setenv("PATH", folder+string(os.PathListSeparator)+search)
			t.Setenv("AV_LOG_FORCE_COLOR", "1")
			if programs := Programs(t.Context()); tooOld("ffmpeg", programs[0].Version) != "" {
				_, err := Frames(t.Context(), probedFile(t, paths[0]), Policy{Frames: 4}, omniscope.Span{}, "")
				fixture.WantError(t, err, omniscope.NotFound, "is too old: "+oldest+" or later is needed")
				return
			}
			if err := SelfTest(t.Context()); err != nil {
				t.Error(err)
			}
			for _, path := range paths {
				compareSeen(t, strings.TrimPrefix(path, os.TempDir()), seenOf(t, path), installed[path])
			}
		})
	}
}

func compareSeen(t *testing.T, name string, got, want seen) {
	t.Helper()
	if !slices.Equal(got.times, want.times) || got.moments != want.moments {
		t.Errorf("%s: frames at %v of %d, and not at %v of %d", name, got.times, got.moments, want.times, want.moments)
		return
	}
	for i := range got.pictures {
		if off := meanOff(got.pictures[i], want.pictures[i]); off > 1.5 {
			t.Errorf("%s: frame %d differs by %.2f of 255", name, i, off)
		}
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 0.005 }
	if d := got.sound - want.sound; d > SpeechRate/50 || d < -SpeechRate/50 || !slices.EqualFunc(got.onsets, want.onsets, near) {
		t.Errorf("%s: %d samples, heard at %v, and not %d at %v", name, got.sound, got.onsets, want.sound, want.onsets)
	}
	if math.Abs(got.loudness-want.loudness) > 0.15 {
		t.Errorf("%s: loudness %.2f, and not %.2f", name, got.loudness, want.loudness)
	}
}
