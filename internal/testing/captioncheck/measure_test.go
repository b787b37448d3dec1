package captioncheck

import (
	"math"
	"slices"
)

// dB is a power in decibels, not below -140.
func dB(power float64) float64 { return 10 * math.Log10(power+1e-14) }

// level is the RMS level of a stretch in dBFS, over all channels.
func (a *sound) level(from, to float64) float64 {
	i, j := a.index(from), a.index(to)
	if j <= i {
		return -140
	}
	return dB(max(0, a.power[j]-a.power[i]) / float64(j-i))
}

func (a *sound) index(t float64) int {
	return min(len(a.pcm[0]), max(0, int(math.Round((t-a.start)*float64(a.rate)))))
}

// levels are those of windows, each step seconds.
func (a *sound) levels(from, to, width, step float64) (list []float64) {
	for t := from; t+width <= to+1e-9; t += step {
		list = append(list, a.level(t, t+width))
	}
	return list
}

// highest is the highest level of any window of a stretch; the stretch as a
// whole if it is shorter.
func (a *sound) highest(from, to, width float64) float64 {
	list := a.levels(from, to, width, width/5)
	if len(list) == 0 {
		return a.level(from, to)
	}
	return slices.Max(list)
}

func quantile(list []float64, q float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// fft transforms in place; the length is a power of two.
func fft(x []complex128) {
	n := len(x)
	for i, j := 1, 0; i < n; i++ {
		bit := n >> 1
		for ; j&bit != 0; bit >>= 1 {
			j ^= bit
		}
		if j ^= bit; i < j {
			x[i], x[j] = x[j], x[i]
		}
	}
	for size := 2; size <= n; size *= 2 {
		s, c := math.Sincos(-2 * math.Pi / float64(size))
		step := complex(c, s)
		for i := 0; i < n; i += size {
			w := complex(1, 0)
			for k := i; k < i+size/2; k++ {
				u, v := x[k], w*x[k+size/2]
				x[k], x[k+size/2] = u+v, u-v
				w *= step
			}
		}
	}
}

// spectrum is the power of each bin of one Hann window, summed over channels.
func (a *sound) spectrum(at, size int) []float64 {
	power := make([]float64, size/2+1)
	buffer := make([]complex128, size)
	for _, pcm := range a.pcm {
		for i := range buffer {
			buffer[i] = 0
			if at+i >= 0 && at+i < len(pcm) {
				buffer[i] = complex(pcm[at+i]*(0.5-0.5*math.Cos(2*math.Pi*float64(i)/float64(size))), 0)
			}
		}
		fft(buffer)
		for k := range power {
			re, im := real(buffer[k]), imag(buffer[k])
			power[k] += re*re + im*im
		}
	}
	return power
}

// withoutOffset is the sound with a mean of 0.
func (a *sound) withoutOffset() *sound {
	b := *a
	b.pcm = nil
	for _, pcm := range a.pcm {
		mean := 0.
		for _, v := range pcm {
			mean += v / float64(len(pcm))
		}
		out := make([]float64, len(pcm))
		for i, v := range pcm {
			out[i] = v - mean
		}
		b.pcm = append(b.pcm, out)
	}
	return &b
}

// longTerm is the mean spectrum of all of it, and the width of a bin in Hz.
func (a *sound) longTerm(size int) (power []float64, hz float64) {
	power = make([]float64, size/2+1)
	for at := 0; at == 0 || at+size <= len(a.pcm[0]); at += size / 2 {
		for k, p := range a.spectrum(at, size) {
			power[k] += p
		}
	}
	return power, float64(a.rate) / float64(size)
}

// pitches are the frequencies of windows of 60 ms that are periodic, and how
// many windows sound at all (within 35 dB of the loudest). The period is the
// first peak of the autocorrelation that is nearly as high as the highest.
func (a *sound) pitches(from, to float64) (list []float64, sounding int) {
	a = a.withoutOffset()
	size := 1024
	for float64(size) < 0.06*float64(a.rate) {
		size *= 2
	}
	loudest := a.highest(from, to, 0.06)
	for t := from; t+float64(size)/float64(a.rate) <= to; t += 0.03 {
		if l := a.level(t, t+float64(size)/float64(a.rate)); l < loudest-35 || l < -75 {
			continue
		}
		sounding++
		auto := a.autocorrelation(a.index(t), size)
		r := func(lag int) float64 {
			// The Hann window's own autocorrelation is taken out.
			x := float64(lag) / float64(size)
			taper := (1-x)*(2./3+math.Cos(2*math.Pi*x)/3) + math.Sin(2*math.Pi*x)/(2*math.Pi)
			return auto[lag] / auto[0] / taper
		}
		most, longest := 0., min(int(float64(a.rate)/50), size/3)
		first := 2
		for first < longest && r(first) > 0.5 {
			first++
		}
		for lag := first; lag < longest; lag++ {
			most = max(most, r(lag))
		}
		if most < 0.6 {
			continue
		}
		for lag := max(first, 2); lag < longest; lag++ {
			if b := r(lag); b >= 0.92*most && b >= r(lag-1) && b >= r(lag+1) {
				p, q := r(lag-1), r(lag+1)
				shift := 0.
				if bend := p - 2*b + q; bend < 0 {
					shift = (p - q) / (2 * bend)
				}
				list = append(list, float64(a.rate)/(float64(lag)+shift))
				break
			}
		}
	}
	return list, sounding
}

// autocorrelation is that of one Hann window, summed over channels.
func (a *sound) autocorrelation(at, size int) []float64 {
	sum := make([]float64, size)
	buffer := make([]complex128, 2*size)
	for _, pcm := range a.pcm {
		clear(buffer)
		for i := range size {
			if at+i < len(pcm) {
				buffer[i] = complex(pcm[at+i]*(0.5-0.5*math.Cos(2*math.Pi*float64(i)/float64(size))), 0)
			}
		}
		fft(buffer)
		for k, v := range buffer {
			buffer[k] = complex(real(v)*real(v)+imag(v)*imag(v), 0)
		}
		fft(buffer) // of a real even spectrum: its own inverse, up to scale
		for lag := range sum {
			sum[lag] += real(buffer[lag])
		}
	}
	return sum
}

// A biquad is a filter of second order.
type biquad struct{ b0, b1, b2, a1, a2, x1, x2, y1, y2 float64 }

func (f *biquad) next(x float64) float64 {
	y := f.b0*x + f.b1*f.x1 + f.b2*f.x2 - f.a1*f.y1 - f.a2*f.y2
	f.x2, f.x1, f.y2, f.y1 = f.x1, x, f.y1, y
	return y
}

// highPass is a Butterworth filter (RBJ's cookbook).
func highPass(hz, rate float64) *biquad {
	w := 2 * math.Pi * hz / rate
	alpha, c := math.Sin(w)/math.Sqrt2, math.Cos(w)
	a0 := 1 + alpha
	return &biquad{b0: (1 + c) / 2 / a0, b1: -(1 + c) / a0, b2: (1 + c) / 2 / a0, a1: -2 * c / a0, a2: (1 - alpha) / a0}
}

// without80Hz is the sound above 80 Hz, without inaudible rumble.
func (a *sound) without80Hz() *sound {
	b := &sound{rate: a.rate, channels: a.channels, start: a.start, power: make([]float64, len(a.power))}
	for _, pcm := range a.pcm {
		f := highPass(80, float64(a.rate))
		out := make([]float64, len(pcm))
		for i, x := range pcm {
			out[i] = f.next(x)
		}
		b.pcm = append(b.pcm, out)
	}
	for i := range b.pcm[0] {
		sum := 0.
		for _, pcm := range b.pcm {
			sum += pcm[i] * pcm[i]
		}
		b.power[i+1] = b.power[i] + sum/float64(len(b.pcm))
	}
	return b
}

// channelsOf are all channels, as far as they were decoded.
func (a *sound) channelsOf() [][]float64 {
	if a.all != nil {
		return a.all
	}
	return a.pcm
}

// kWeighted returns the running sum of K-weighted power, channels added (ITU-R
// BS.1770-4; the filters for other rates as in De Man, "Evaluation of
// implementations of the EBU R128 loudness measurement", 2018).
func (a *sound) kWeighted() []float64 {
	all := a.channelsOf()
	sums := make([]float64, len(a.pcm[0])+1)
	for channel, pcm := range all {
		weight := 1.
		switch {
		case len(all) == 6 && channel == 3: // of low frequencies: not counted
			weight = 0
		case len(all) == 6 && channel > 3:
			weight = 1.41
		}
		f0, g, q := 1681.974450955533, 3.999843853973347, 0.7071752369554196
		k := math.Tan(math.Pi * f0 / float64(a.rate))
		vh := math.Pow(10, g/20)
		vb := math.Pow(vh, 0.4996667741545416)
		a0 := 1 + k/q + k*k
		shelf := &biquad{b0: (vh + vb*k/q + k*k) / a0, b1: 2 * (k*k - vh) / a0, b2: (vh - vb*k/q + k*k) / a0, a1: 2 * (k*k - 1) / a0, a2: (1 - k/q + k*k) / a0}
		f0, q = 38.13547087602444, 0.5003270373238773
		k = math.Tan(math.Pi * f0 / float64(a.rate))
		a0 = 1 + k/q + k*k
		low := &biquad{b0: 1, b1: -2, b2: 1, a1: 2 * (k*k - 1) / a0, a2: (1 - k/q + k*k) / a0}
		for i, x := range pcm {
			y := low.next(shelf.next(x))
			sums[i+1] += weight * y * y
		}
	}
	for i := 1; i < len(sums); i++ {
		sums[i] += sums[i-1]
	}
	return sums
}

// loudness is the integrated loudness in LUFS and the loudness range in LU.
func (a *sound) loudness() (integrated, span float64) {
	sums := a.kWeighted()
	blocks := func(width, step float64) (list []float64) {
		w, s := int(width*float64(a.rate)), int(step*float64(a.rate))
		for i := 0; i+w < len(sums); i += s {
			list = append(list, (sums[i+w]-sums[i])/float64(w))
		}
		return list
	}
	lufs := func(p float64) float64 { return -0.691 + 10*math.Log10(p+1e-15) }
	over := func(list []float64, gate float64) (kept []float64, mean float64) {
		for _, p := range list {
			if lufs(p) > gate {
				kept, mean = append(kept, p), mean+p
			}
		}
		return kept, mean / float64(max(1, len(kept)))
	}
	short := blocks(0.4, 0.1)
	kept, mean := over(short, -70)
	_, mean = over(kept, lufs(mean)-10)
	integrated = lufs(mean)
	long, mean := over(blocks(3, 0.1), -70)
	long, _ = over(long, lufs(mean)-20)
	for i := range long {
		long[i] = lufs(long[i])
	}
	if len(long) > 0 {
		span = quantile(long, 0.95) - quantile(long, 0.10)
	}
	return integrated, span
}

// truePeak is the highest value between samples, in dB: four times as many
// samples, by a windowed sinc of 24 samples.
func (a *sound) truePeak() float64 {
	const reach = 12
	var taps [4][2 * reach]float64
	for phase := range taps {
		for i := range taps[phase] {
			x := float64(i-reach+1) - float64(phase)/4
			w := 0.5 + 0.5*math.Cos(math.Pi*x/(reach+1))
			s := 1.
			if x != 0 {
				s = math.Sin(math.Pi*x) / (math.Pi * x)
			}
			taps[phase][i] = s * w
		}
	}
	top := 0.
	for _, pcm := range a.channelsOf() {
		for i := range pcm {
			if math.Abs(pcm[i]) < 0.5*top {
				continue // no neighbour of a peak
			}
			for phase := range taps {
				sum := 0.
				for k, tap := range taps[phase] {
					if at := i + k - reach + 1; at >= 0 && at < len(pcm) {
						sum += tap * pcm[at]
					}
				}
				top = max(top, math.Abs(sum))
			}
		}
	}
	return 20 * math.Log10(top+1e-9)
}

// evenness is how well the sound's envelope repeats after an interval in
// seconds: the highest autocorrelation within 3 % of it (or 15 ms), from -1 to 1.
func (a *sound) evenness(interval float64) float64 {
	const step = 0.005
	levels := a.levels(a.start, a.end(), 0.02, step)
	top := slices.Max(levels)
	rise := make([]float64, len(levels))
	for i := 2; i < len(levels); i++ {
		rise[i] = max(0, max(levels[i], top-50)-max(levels[i-2], top-50))
	}
	soft := make([]float64, len(rise))
	for i := range rise {
		for d := -3; d <= 3; d++ {
			if j := i + d; j >= 0 && j < len(rise) {
				soft[i] += rise[j] / 7
			}
		}
	}
	mean := 0.
	for _, v := range soft {
		mean += v / float64(len(soft))
	}
	r := func(lag int) float64 {
		sum, all := 0., 0.
		for i := range soft {
			all += (soft[i] - mean) * (soft[i] - mean)
			if i+lag < len(soft) {
				sum += (soft[i] - mean) * (soft[i+lag] - mean)
			}
		}
		return sum / (all + 1e-12) * float64(len(soft)) / float64(max(1, len(soft)-lag))
	}
	best := -1.
	off := max(0.03*interval, 0.015)
	for lag := int((interval - off) / step); float64(lag)*step <= interval+off; lag++ {
		if lag > 0 && lag < len(soft)-20 {
			best = max(best, r(lag))
		}
	}
	return best
}
