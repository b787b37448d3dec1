package signal

import "math"

// spectra takes short-time spectra, a Hann window of 20 to 40 ms around every
// hop, and keeps of them the long-term average, an onset strength for each hop
// and the shape of the speech band for every second one.
type spectra struct {
	rate, hop int
	fft       *FFT
	window    []float64
	scale     float64 // makes a sum of bins the mean square of a channel

	left, right []float64 // not used up yet
	re, im      []float64
	power       []float64

	edges  []int // first bins of the bands, and the end of the last
	bands  []float64
	before [3][]float64 // bands of the last three hops, in dB
	flux   []float32    // onset strength of each hop, dB
	shapes []shape

	longTerm []float64 // sum of all power spectra
	count    int
	speech   [2]int // bins of the speech band, 200 to 4000 Hz
	voices   [2]int // bands of the speech band
	high     int    // first bin above 3500 Hz
}

// A shape is what the speech detector wants to know of one spectrum.
type shape struct {
	level    float32 // of the speech band, dBFS
	flatness float32 // of the speech band: geometric by arithmetic mean of power
	high     float32 // share of power above 3500 Hz
	change   float32 // mean change of its bands over 20 ms without that of loudness, dB
}

const (
	bandCount  = 28
	lowestBand = 60.0    // Hz
	topBand    = 16000.0 // Hz
	// bandFloor keeps the noise of a converter from counting as onsets, dBFS a band.
	bandFloor = -80.0
)

func newSpectra(rate, channels, hop int) *spectra {
	n := 64
	for n < rate/50 {
		n *= 2
	}
	s := &spectra{rate: rate, hop: hop, fft: NewFFT(n)}
	var energy float64
	s.window, energy = Hann(n)
	// Parseval, one-sided: a bin counts twice, and a channel's share is wanted.
	s.scale = 2 / (energy * float64(n) * float64(channels))
	// Zeros before the start centre the first window on the first hop.
	s.left, s.right = make([]float64, n/2-hop/2), make([]float64, n/2-hop/2)
	s.re, s.im = make([]float64, n), make([]float64, n)
	s.power, s.longTerm = make([]float64, n/2+1), make([]float64, n/2+1)
	s.edges = bandEdges(rate, n)
	s.bands = make([]float64, len(s.edges)-1)
	for i := range s.before {
		s.before[i] = make([]float64, len(s.bands))
		for b := range s.before[i] {
			s.before[i][b] = bandFloor
		}
	}
	s.speech = [2]int{s.bin(200), min(s.bin(4000), n/2)}
	s.high = min(s.bin(3500), n/2)
	for b, edge := range s.edges[:len(s.bands)] {
		if edge < s.speech[0] {
			s.voices[0] = b + 1
		}
		if edge < s.speech[1] {
			s.voices[1] = b + 1
		}
	}
	return s
}

// bin is the nearest bin to a frequency.
func (s *spectra) bin(hz float64) int {
	return int(math.Round(hz * float64(s.fft.n) / float64(s.rate)))
}

// hz is the frequency of a bin.
func (s *spectra) hz(bin int) float64 { return float64(bin) * float64(s.rate) / float64(s.fft.n) }

// bandEdges spaces bands evenly on the mel scale (O'Shaughnessy 1987:
// 2595·log10(1 + f/700)), at least one bin wide.
func bandEdges(rate, n int) []int {
	mel := func(hz float64) float64 { return 2595 * math.Log10(1+hz/700) }
	low, high := mel(lowestBand), mel(min(topBand, float64(rate)/2))
	edges := []int{max(1, int(math.Round(lowestBand*float64(n)/float64(rate))))}
	for i := 1; i <= bandCount; i++ {
		m := low + (high-low)*float64(i)/bandCount
		hz := 700 * (math.Pow(10, m/2595) - 1)
		if edge := int(math.Round(hz * float64(n) / float64(rate))); edge > edges[len(edges)-1] {
			edges = append(edges, edge)
		}
	}
	return edges
}

func (s *spectra) add(left, right []float64) {
	s.left = append(s.left, left...)
	if right != nil {
		s.right = append(s.right, right...)
	}
	at := 0
	for ; at+s.fft.n <= len(s.left); at += s.hop {
		for i, w := range s.window {
			s.re[i] = s.left[at+i] * w
		}
		clear(s.im)
		if right != nil {
			for i, w := range s.window {
				s.im[i] = s.right[at+i] * w
			}
		}
		s.frame()
	}
	s.left = append(s.left[:0], s.left[at:]...)
	if right != nil {
		s.right = append(s.right[:0], s.right[at:]...)
	}
}

// frame takes one windowed frame.
func (s *spectra) frame() {
	s.fft.Transform(s.re, s.im)
	bothPowers(s.re, s.im, s.power)
	for k, p := range s.power {
		s.longTerm[k] += p
	}
	for b := range s.bands {
		sum := 0.0
		for _, p := range s.power[s.edges[b]:s.edges[b+1]] {
			sum += p
		}
		s.bands[b] = max(bandFloor, decibels(sum*s.scale))
	}
	s.flux = append(s.flux, float32(s.rise()))
	if s.count%2 == 0 {
		s.shapes = append(s.shapes, s.shape())
	}
	last := s.before[2]
	copy(last, s.bands)
	s.before = [3][]float64{last, s.before[0], s.before[1]}
	s.count++
}

// rise is the mean rise of the bands over two hops, falls left out, in dB. Two
// hops, because neighbouring windows share half of their samples.
func (s *spectra) rise() float64 {
	sum := 0.0
	for b, level := range s.bands {
		if up := level - s.before[1][b]; up > 0 {
			sum += up
		}
	}
	return sum / float64(len(s.bands))
}

// shape describes the speech band of the frame at hand.
func (s *spectra) shape() shape {
	part := s.power[s.speech[0]:s.speech[1]]
	sum, logs := 0.0, 0.0
	for _, p := range part {
		sum += p
		logs += math.Log(p + 1e-20)
	}
	all := 0.0
	for _, p := range s.power[s.speech[0]:] {
		all += p
	}
	above := 0.0
	for _, p := range s.power[s.high:] {
		above += p
	}
	n := float64(len(part))
	out := shape{level: float32(decibels(sum * s.scale))}
	if all > 0 {
		out.flatness = float32(math.Exp(logs/n) / (sum/n + 1e-20))
		out.high = float32(above / all)
	}
	out.change = float32(s.change())
	return out
}

// change is how far the bands of speech move over two hops, less what they move
// together.
func (s *spectra) change() float64 {
	now, before := s.bands[s.voices[0]:s.voices[1]], s.before[1][s.voices[0]:s.voices[1]]
	all := 0.0
	for b, level := range now {
		all += level - before[b]
	}
	all /= float64(len(now))
	sum := 0.0
	for b, level := range now {
		sum += math.Abs(level - before[b] - all)
	}
	return sum / float64(len(now))
}
