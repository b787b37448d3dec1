package signal

import (
	"fmt"
	"os/exec"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// Sound of every old rate ends below half of that rate, whichever converter brought it to
// another: ffmpeg's own lets a mirror image through above it.
func TestBandEdgeAfterConversionOfTheRate(t *testing.T) {
	need.FFmpeg(t)
	pink := "anoisesrc=c=pink:d=3:a=0.5:seed=5:r=48000"
	telephone := ",highpass=f=300,lowpass=f=3400,lowpass=f=3400,lowpass=f=3400,lowpass=f=3400"
	for _, c := range []struct {
		name, sound string
		old         int
		low, high   float64
	}{
		{"noise", pink, 8000, 3400, 4000},
		{"telephone", pink + telephone, 8000, 3300, 3950},
		{"sharp telephone", pink + ",firequalizer=gain='if(between(f,300,3400),0,-90)'", 8000, 3350, 3500},
		{"noise", pink, 11025, 4700, 5512},
		{"noise", pink, 12000, 5100, 6000},
		{"noise", pink, 16000, 6800, 8000},
		{"noise", pink, 22050, 9400, 11025},
		{"noise", pink, 24000, 10200, 12000},
	} {
		for _, converter := range []string{"swr", "soxr"} {
			for _, rate := range []int{44100, 48000} {
				f := made(t, rate, fmt.Sprintf("%s,aresample=%d:resampler=%s,aresample=%d:resampler=%s", c.sound, c.old, converter, rate, converter))
				if !f.Band.Known || f.Band.Edge < c.low || f.Band.Edge > c.high {
					t.Errorf("%s of %d Hz brought to %d by %s: edge %.0f, want %.0f to %.0f (%s)", c.name, c.old, rate, converter, f.Band.Edge, c.low, c.high, f.Band.Basis)
				}
			}
		}
	}
}

// Filters of codecs and of radio, and sounds that end nowhere.
func TestBandEdgeOfCodecsAndRadio(t *testing.T) {
	need.FFmpeg(t)
	white := noise(44100, 3, 20, 22050, -20, 5)
	for _, cutoff := range []int{11000, 16000, 19000} {
		for _, codec := range []string{"libmp3lame", "aac"} {
			r := reencoded(t, recording{44100, 1, white}, "-c:a", codec, "-b:a", "128k", "-cutoff", fmt.Sprint(cutoff))
			about(t, fmt.Sprintf("edge of %s at %d Hz", codec, cutoff), r.facts(t).Band.Edge, float64(cutoff), 0.08*float64(cutoff))
		}
	}
	for _, c := range []struct {
		name, sound string
		edge        float64 // 0: no claim
	}{
		{"AM", "anoisesrc=c=pink:d=3:a=0.5:seed=5:r=44100,firequalizer=gain='if(lt(f,4500),0,-70)'", 4500},
		{"AM of 5 kHz", "anoisesrc=c=pink:d=3:a=0.5:seed=5:r=44100,firequalizer=gain='if(lt(f,5000),0,-70)'", 5000},
		{"FM with its pilot tone", "anoisesrc=c=pink:d=3:a=0.5:seed=5:r=44100,firequalizer=gain='if(lt(f,15000),0,-70)',aeval='val(0)+0.01*sin(2*PI*19000*t)'", 15000},
		{"a gentle low-pass", "anoisesrc=c=white:d=3:a=0.5:seed=5:r=44100,lowpass=f=3400:p=1", 0},
		{"brown noise", "anoisesrc=c=brown:d=3:a=0.5:seed=5:r=44100", 0},
	} {
		f := made(t, 44100, c.sound)
		if c.edge == 0 && f.Band.Known {
			t.Errorf("%s: %+v", c.name, f.Band)
		}
		about(t, c.name, f.Band.Edge, c.edge, 0.03*c.edge)
	}
}

// made returns the facts of mono sound that a filter graph of ffmpeg makes.
func made(t *testing.T, rate int, graph string) Facts {
	t.Helper()
	raw, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", graph, "-ac", "1", "-f", "f32le", "-").Output()
	fixture.OK(t, err)
	return measure(t, rate, 1, samples(raw))
}
