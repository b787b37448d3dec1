package signal

import (
	"math"
	"math/rand/v2"
	"testing"

	"omniscope/internal/testing/fixture"
)

// Sounds made for the tests. They are mono at full scale 1 unless said otherwise.

func seconds(rate int, s float64) int { return int(math.Round(s * float64(rate))) }

// amplitude of a sine with an RMS of so many dBFS.
func amplitude(dbfs float64) float64 { return math.Sqrt2 * math.Pow(10, dbfs/20) }

// tone is a sine of a given RMS.
func tone(rate int, s, hz, dbfs float64) []float32 {
	out := make([]float32, seconds(rate, s))
	for i := range out {
		out[i] = float32(amplitude(dbfs) * math.Sin(2*math.Pi*hz*float64(i)/float64(rate)))
	}
	return out
}

// noise is Gaussian noise between two frequencies, cut off by zeroing all other
// bins of a long spectrum, and of a given RMS.
func noise(rate int, s, low, high, dbfs float64, seed uint64) []float32 {
	count, n := seconds(rate, s), 4
	for n < count {
		n *= 2
	}
	r := rand.New(rand.NewPCG(seed, 1))
	re, im := make([]float64, n), make([]float64, n)
	for k := 1; k < n/2; k++ {
		if hz := float64(k) * float64(rate) / float64(n); hz >= low && hz < high {
			re[k], im[k] = r.NormFloat64(), r.NormFloat64()
		}
	}
	NewFFT(n).Transform(re, im)
	sum := 0.0
	for _, v := range re[:count] {
		sum += v * v
	}
	scale := math.Pow(10, dbfs/20) / math.Sqrt(sum/float64(count))
	out := make([]float32, count)
	for i := range out {
		out[i] = float32(re[i] * scale)
	}
	return out
}

// clicks are bursts of noise of 5 ms at the given times in seconds.
func clicks(rate int, s float64, at []float64, dbfs float64) []float32 {
	out := make([]float32, seconds(rate, s))
	burst := noise(rate, 0.005, 500, 0.45*float64(rate), dbfs, 7)
	for _, t := range at {
		copy(out[min(len(out), seconds(rate, t)):], burst)
	}
	return out
}

// every lists times from first to the end.
func every(first, interval, end float64) (out []float64) {
	for i := 0; first+float64(i)*interval < end; i++ {
		out = append(out, first+float64(i)*interval)
	}
	return out
}

// comb is mains hum: base and its next three multiples, together of a given RMS.
func comb(rate int, s, base, dbfs float64) []float32 {
	out := make([]float32, seconds(rate, s))
	for h := 1.0; h <= 4; h++ {
		out = mix(out, tone(rate, s, base*h, dbfs-6.02))
	}
	return out
}

// mix adds sounds; the result is as long as the first.
func mix(sounds ...[]float32) []float32 {
	out := append([]float32(nil), sounds[0]...)
	for _, s := range sounds[1:] {
		for i := range min(len(s), len(out)) {
			out[i] += s[i]
		}
	}
	return out
}

// gain changes the level by so many dB.
func gain(x []float32, db float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = v * float32(math.Pow(10, db/20))
	}
	return out
}

// limited cuts off what is above full scale.
func limited(x []float32) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = max(-1, min(1, v))
	}
	return out
}

// stereo interleaves two channels.
func stereo(left, right []float32) []float32 {
	out := make([]float32, 0, 2*len(left))
	for i := range left {
		out = append(out, left[i], right[i])
	}
	return out
}

func silence(rate int, s float64) []float32 { return make([]float32, seconds(rate, s)) }

func join(sounds ...[]float32) (out []float32) {
	for _, s := range sounds {
		out = append(out, s...)
	}
	return out
}

// talk is a simple voice: syllables of 160 ms with a gliding pitch and moving
// formants, hiss between some of them, a pause after every six.
func talk(rate int, s, pitch float64) []float32 {
	r := rand.New(rand.NewPCG(3, uint64(pitch)))
	var out []float32
	for n := 1; float64(len(out)) < s*float64(rate); n++ {
		s := syllable(rate, 0.13+0.06*r.Float64(), pitch*(0.85+0.3*r.Float64()), r)
		out = append(out, gain(s, -9*r.Float64())...)
		switch {
		case n%6 == 0:
			out = append(out, silence(rate, 0.35)...)
		case n%3 == 0:
			out = append(out, noise(rate, 0.07, 3500, 0.45*float64(rate), -38, uint64(n))...)
		default:
			out = append(out, silence(rate, 0.05)...)
		}
	}
	return mix(out[:seconds(rate, s)], noise(rate, s, 50, 0.45*float64(rate), -65, 9))
}

// syllable adds up harmonics under three formants that move.
func syllable(rate int, s, pitch float64, r *rand.Rand) []float32 {
	out := make([]float32, seconds(rate, s))
	from := [3]float64{280 + 200*r.Float64(), 900 + 400*r.Float64(), 2300 + 300*r.Float64()}
	to := [3]float64{600 + 300*r.Float64(), 1700 + 600*r.Float64(), 2700 + 500*r.Float64()}
	if r.IntN(2) == 0 {
		from, to = to, from
	}
	glide := 0.7 + 0.55*r.Float64()
	phase := 0.0
	for i := range out {
		t := float64(i) / float64(len(out))
		hz := pitch * math.Pow(glide, t)
		phase += 2 * math.Pi * hz / float64(rate)
		v := 0.0
		for h := 1.0; h*hz < 3800 && h*hz < 0.45*float64(rate); h++ {
			a := 0.3 / (h * h)
			for f := range from {
				d := (h*hz - from[f] - t*(to[f]-from[f])) / 80
				a += math.Pow(0.5, float64(f)) / (1 + d*d)
			}
			v += a * math.Sin(h*phase)
		}
		out[i] = float32(0.3 * v * math.Sin(math.Pi*t))
	}
	return out
}

// melody is a row of notes with six harmonics and a soft end.
func melody(rate int, s, note float64, pitches ...float64) (out []float32) {
	for i := 0; float64(len(out)) < s*float64(rate); i++ {
		n := silence(rate, note)
		for h := 1.0; h <= 6; h++ {
			n = mix(n, tone(rate, note, h*pitches[i%len(pitches)], -18-6*h))
		}
		for j := range n {
			n[j] *= float32(math.Exp(-4 * float64(j) / float64(len(n))))
		}
		out = append(out, n...)
	}
	return out[:seconds(rate, s)]
}

// measure returns the facts of PCM, given in blocks of an odd length.
func measure(t testing.TB, rate, channels int, x []float32) Facts {
	t.Helper()
	a, err := New(rate, channels)
	fixture.OK(t, err)
	for len(x) > 0 {
		n := min(len(x), 1237)
		a.Add(x[:n])
		x = x[n:]
	}
	return a.Facts()
}

// about fails unless got is within by of want.
func about(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if math.Abs(got-want) > by || math.IsNaN(got) {
		t.Errorf("%s is %.4g, want %.4g ± %.4g", what, got, want, by)
	}
}
