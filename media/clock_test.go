package media

import (
	"bytes"
	"encoding/binary"
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
	"omniscope/media/wav"
)

const (
	film8  = "-f lavfi -i testsrc2=s=64x48:r=25:d=8 "
	beeps8 = "-f lavfi -i aevalsrc=0.5*sin(2*PI*880*t)*lt(mod(t\\,1)\\,0.1):s=48000:d=8 " // at each second
	both   = "-map 0:v -map 1:a "
	// lost leaves out the sound from 2.2 to 4.9 s.
	lost = "-af aselect=not(between(t\\,2.2\\,4.9)) "
	h264 = "-c:v libx264 -preset ultrafast "
)

// onsets are the times in seconds at which 16-bit samples at SpeechRate begin to
// be loud after quiet, to 2 ms.
func onsets(pcm []byte) (list []float64) {
	const step = SpeechRate / 500
	quiet := 1000 // steps
	for i := 0; 2*(i+step) <= len(pcm); i += step {
		peak := 0
		for j := i; j < i+step; j++ {
			v := int(int16(binary.LittleEndian.Uint16(pcm[2*j:])))
			peak = max(peak, v, -v)
		}
		if quiet++; peak < 3000 {
			continue
		}
		if quiet > 20 {
			list = append(list, float64(i)/SpeechRate)
		}
		quiet = 0
	}
	return list
}

// heard are the onsets of what Speech gives.
func heard(t *testing.T, path string, span omniscope.Span) []float64 {
	t.Helper()
	var pcm bytes.Buffer
	if _, err := Speech(t.Context(), probedFile(t, path), span, &pcm); err != nil {
		t.Fatal(err)
	}
	return onsets(pcm.Bytes())
}

// Sound keeps its time through everything that is made of a file: what a model
// hears, cuts, training files and proxies.
func TestSoundKeepsItsTime(t *testing.T) {
	gap := []float64{0, 1, 2, 5, 6, 7}
	late := []float64{3, 4, 5, 6, 7}
	lateSound := "-f lavfi -i testsrc2=s=64x48:r=25:d=8 -f lavfi -itsoffset 3 -i aevalsrc=0.5*sin(2*PI*880*t)*lt(mod(t\\,1)\\,0.1):s=48000:d=5 " + both + h264 + "-c:a aac"
	for _, c := range []struct {
		name, args string
		want       []float64
	}{
		{"gap.mkv", film8 + beeps8 + both + lost + h264 + "-c:a pcm_s16le", gap},
		{"gap.ts", film8 + beeps8 + both + lost + h264 + "-c:a aac", gap},
		{"gap.flv", film8 + beeps8 + both + lost + h264 + "-ar 44100 -c:a aac", gap},
		{"gap.mp4", film8 + beeps8 + both + lost + h264 + "-c:a aac", gap},
		{"gap.webm", "-f lavfi -i aevalsrc=0.5*sin(2*PI*880*t)*lt(mod(t\\,1)\\,0.1):s=48000:d=8 " + lost + "-c:a libopus", gap},
		{"late.mp4", lateSound, late},
		{"late.mkv", lateSound, late},
		{"late.ts", lateSound, late},
		{"whole.mp4", film8 + beeps8 + both + h264 + "-c:a aac", []float64{0, 1, 2, 3, 4, 5, 6, 7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := clips.Made(t, c.name, c.args)
			f := probedFile(t, path)
			span := omniscope.Span{Start: 1500 * time.Millisecond, End: 6500 * time.Millisecond}
			same := func(what string, got []float64, shift float64) {
				var want []float64
				for _, at := range c.want {
					if at >= shift && (shift == 0 || at < 6.5) {
						want = append(want, at-shift)
					}
				}
				if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 0.025 }) {
					t.Errorf("%s: heard at %v, and not at %v", what, got, want)
				}
			}
			same("whole", heard(t, path, omniscope.Span{}), 0)
			same("span", heard(t, path, span), 1.5)
			wav, mp4 := filepath.Join(t.TempDir(), "a.wav"), filepath.Join(t.TempDir(), "a.mp4")
			fixture.OK(t, CutAudio(t.Context(), f, omniscope.Span{}, wav))
			same("CutAudio", heard(t, wav, omniscope.Span{}), 0)
			if _, err := EncodeProxy(t.Context(), f, 64, mp4, nil); err != nil {
				t.Fatal(err)
			}
			same("EncodeProxy", heard(t, mp4, omniscope.Span{}), 0)
			if !strings.HasSuffix(c.name, ".mp4") {
				return
			}
			fixture.OK(t, CutFullSize(t.Context(), f, span, mp4))
			same("CutFullSize", heard(t, mp4, omniscope.Span{}), 1.5)
			fixture.OK(t, CutSteady(t.Context(), f, omniscope.Span{}, mp4))
			same("CutSteady", heard(t, mp4, omniscope.Span{}), 0)
		})
	}
}

// A span is as long as it is, though it ends or begins in a gap, or is in one.
func TestSpansInGaps(t *testing.T) {
	for _, path := range []string{
		clips.Made(t, "gap.mkv", film8+beeps8+both+lost+h264+"-c:a pcm_s16le"),
		clips.Made(t, "gap.mov", film8+beeps8+both+lost+h264+"-c:a alac"),
	} {
		f := probedFile(t, path)
		for _, c := range []struct {
			start, end, seconds float64
			want                []float64
		}{
			{1.5, 2.5, 1, []float64{0.5}}, {2.5, 4, 1.5, nil}, {0, 4.5, 4.5, []float64{0, 1, 2}}, {4, 5.5, 1.5, []float64{1}}, {7.5, 20, 0.5, nil},
		} {
			span := omniscope.Span{Start: time.Duration(c.start * 1e9), End: time.Duration(c.end * 1e9)}
			var pcm bytes.Buffer
			_, err := Speech(t.Context(), f, span, &pcm)
			got, long := onsets(pcm.Bytes()), float64(pcm.Len())/2/SpeechRate
			if err != nil || math.Abs(long-c.seconds) > 0.03 || !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 0.02 }) {
				t.Errorf("%s from %g to %g s: %.3f s, heard at %v, %v", filepath.Base(path), c.start, c.end, long, got, err)
			}
		}
	}
}

func TestGapsAreNamed(t *testing.T) {
	f := probedFile(t, clips.Made(t, "gap.mkv", film8+beeps8+both+lost+h264+"-c:a aac"))
	gaps := f.SoundGaps()
	if len(gaps) != 1 || (gaps[0].Start-2200*time.Millisecond).Abs() > 60*time.Millisecond || (gaps[0].End-4900*time.Millisecond).Abs() > 60*time.Millisecond {
		t.Errorf("gaps %v", gaps)
	}
	if gaps := probedFile(t, clips.Made(t, "whole.mkv", film8+beeps8+both+h264+"-c:a aac")).SoundGaps(); len(gaps) > 0 {
		t.Errorf("a complete file has gaps %v", gaps)
	}
}

// joined is a file with the bytes of others one after the other, as cat makes it.
func joined(t *testing.T, name string, paths ...string) string {
	t.Helper()
	var all []byte
	for _, path := range paths {
		data, err := os.ReadFile(path)
		fixture.OK(t, err)
		all = append(all, data...)
	}
	path := filepath.Join(t.TempDir(), name)
	fixture.OK(t, os.WriteFile(path, all, 0o600))
	return path
}

func TestTimesThatBeginAgain(t *testing.T) {
	film := clips.Made(t, "a.ts", "-f lavfi -i testsrc2=s=64x48:r=25:d=4 -f lavfi -i sine=d=4 "+both+h264+"-c:a aac")
	_, err := Probe(t.Context(), joined(t, "cat.ts", film, film))
	fixture.WantError(t, err, omniscope.Invalid, "the times of its video begin again at packet 101")

	beep := func(name string) string {
		return clips.Made(t, name, "-f lavfi -i aevalsrc=0.5*sin(2*PI*880*t)*between(t\\,1\\,1.1):s=48000:d=3 -c:a libvorbis")
	}
	chained := joined(t, "cat.ogg", beep("a.ogg"), clips.Made(t, "b.ogg", "-f lavfi -i aevalsrc=0.4*sin(2*PI*700*t)*between(t\\,1\\,1.1):s=48000:d=3 -c:a libvorbis"))
	f := probedFile(t, chained)
	if (f.End()-6*time.Second).Abs() > 50*time.Millisecond || len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "several recordings") {
		t.Errorf("two recordings end at %v, warnings %v", f.End(), f.Warnings)
	}
	near := func(got []float64, want ...float64) bool {
		return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 0.02 })
	}
	if got := heard(t, chained, omniscope.Span{}); !near(got, 1, 4) {
		t.Errorf("heard at %v", got)
	}
	if got := heard(t, chained, omniscope.Span{Start: 3500 * time.Millisecond, End: 5 * time.Second}); !near(got, 0.5) {
		t.Errorf("a span of the second is heard at %v", got)
	}
}

func TestSoundOfManyChannels(t *testing.T) {
	need.FFmpeg(t)
	for _, n := range []int{1, 3, 6, 9, 12, 16, 40} {
		samples := make([]byte, 0, 2*n*SpeechRate)
		for i := range SpeechRate {
			v := int16(16000 * math.Sin(2*math.Pi*880*float64(i)/SpeechRate))
			for range n {
				samples = binary.LittleEndian.AppendUint16(samples, uint16(v))
			}
		}
		path := filepath.Join(t.TempDir(), "many.wav")
		fixture.OK(t, os.WriteFile(path, append(wav.Header(SpeechRate, n, len(samples)), samples...), 0o600))
		f := probedFile(t, path)
		var pcm bytes.Buffer
		h, err := Speech(t.Context(), f, omniscope.Span{}, &pcm)
		if err != nil || pcm.Len() != 2*SpeechRate || h.Peak < 0.3 {
			t.Errorf("%d channels: %d bytes, %+v, %v", n, pcm.Len(), h, err)
		}
		if s, err := RunSurvey(t.Context(), f, SurveyOptions{}); err != nil || s.Audio.Loudness == nil {
			t.Errorf("survey of %d channels: %+v, %v", n, s, err)
		}
		if _, err := EncodeProxy(t.Context(), f, 64, filepath.Join(t.TempDir(), "a.mp4"), nil); err != nil {
			t.Errorf("proxy of %d channels: %v", n, err)
		}
	}
}
