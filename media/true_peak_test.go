package media

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// The true peak is that of ffmpeg's ebur128 filter, which interpolates everywhere.
func TestTruePeakIsThatOfEBUR128(t *testing.T) {
	const fade = "*min(1\\,10*t)*min(1\\,10*(2-t))"
	for name, c := range map[string]struct {
		form string
		rate int
	}{
		"near half the rate, at unlucky phases": {"0.9*sin(2*PI*t*10980+0.7)" + fade, 44100},
		"near half the rate, 48 kHz":            {"0.9*sin(2*PI*t*11980+0.7)" + fade + "|0.8*sin(2*PI*t*15900)" + fade, 48000},
		"a low tone":                            {"0.5*sin(2*PI*t*110)" + fade, 16000},
		"noise":                                 {"0.6*(2*random(0)-1)" + fade + "|0.3*(2*random(1)-1)", 44100},
		"clipped music":                         {"clip(2*sin(2*PI*t*700)+sin(2*PI*t*1410+1)\\,-0.95\\,0.95)" + fade, 32000},
		"single clicks":                         {"0.7*lt(mod(t*1000\\,37)\\,0.03)", 22050},
		"a rate with many phases":               {"0.9*sin(2*PI*t*9000+0.2)" + fade, 37799},
		"a rate that needs none":                {"0.9*sin(2*PI*t*40000+0.2)" + fade, 192000},
	} {
		t.Run(name, func(t *testing.T) {
			path := clips.Made(t, "tone.wav", fmt.Sprintf("-f lavfi -i aevalsrc=%s:s=%d:d=2 -c:a pcm_f32le", c.form, c.rate))
			f := probedFile(t, path)
			s, err := RunSurvey(t.Context(), f, SurveyOptions{})
			if err != nil || s.Audio.Loudness == nil {
				t.Fatal(err)
			}
			if want := ebuPeak(t, path); math.Abs(s.Audio.Loudness.TruePeak-want) > 0.1001 {
				t.Errorf("true peak %g dBTP, not %g", s.Audio.Loudness.TruePeak, want)
			}
		})
	}
}

func ebuPeak(t *testing.T, path string) float64 {
	out, err := exec.Command("ffmpeg", "-nostdin", "-hide_banner", "-i", path, "-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-").CombinedOutput()
	found := regexp.MustCompile(`Peak: +(\S+) dBFS`).FindSubmatch(out)
	if err != nil || found == nil {
		t.Fatalf("%v: %s", err, out)
	}
	v, err := strconv.ParseFloat(string(found[1]), 64)
	fixture.OK(t, err)
	return v
}

// The bounds leave out no position that is higher: all positions are interpolated for
// comparison, and samples come in chunks of any size.
func TestTruePeakMissesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, rate := range []int{8000, 44100, 48000} {
		for kind := range 6 {
			samples := make([]float32, 6000)
			phase, step := random.Float64(), math.Pow(random.Float64(), 2)*math.Pi
			for i := range samples {
				samples[i] = float32(0.6*math.Sin(phase+step*float64(i)) + 0.02*float64(kind)*random.NormFloat64()*math.Sin(float64(i)/300))
			}
			m := newTruePeakMeter(rate, 1)
			for rest := samples; len(rest) > 0; {
				n := min(len(rest), 1+random.IntN(700))
				m.add(rest[:n])
				rest = rest[n:]
			}
			want, got := decibels(peakOfAll(newInterpolator(rate), samples)), decibels(m.amplitude())
			if got > want+1e-9 || want-got > 0.005 {
				t.Errorf("rate %d, kind %d: %.4f dB, not %.4f", rate, kind, got, want)
			}
		}
	}
}

func peakOfAll(p *interpolator, samples []float32) (peak float64) {
	for i, v := range samples {
		peak = max(peak, math.Abs(float64(v)))
		if i < peakGroup || i+peakTaps > len(samples) {
			continue
		}
		p.each(int64(i), func(weights *[peakTaps]float64) {
			sum := 0.
			for j, w := range weights {
				sum += w * float64(samples[i-peakGroup+1+j])
			}
			peak = max(peak, math.Abs(sum))
		})
	}
	return peak
}

// Values that are not numbers, silence and sound shorter than the filter are measured, too.
func TestTruePeakOfOddSound(t *testing.T) {
	for name, c := range map[string]struct {
		samples []float32
		want    float64
	}{
		"no sample":        {nil, 0},
		"one sample":       {[]float32{-0.5}, 0.5},
		"silence":          {make([]float32, 1000), 0},
		"not a number":     {append([]float32{float32(math.NaN()), 0.25}, make([]float32, 100)...), 0.25},
		"fewer than taps":  {[]float32{0.125, -0.25, 0.375}, 0.375},
		"above full scale": {append([]float32{1.5}, make([]float32, 100)...), 1.5},
	} {
		m := newTruePeakMeter(48000, 1)
		m.add(c.samples)
		if got := m.amplitude(); got != c.want {
			t.Errorf("%s: %g, not %g", name, got, c.want)
		}
	}
}
