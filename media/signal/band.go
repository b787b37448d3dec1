package signal

import (
	"fmt"
	"math"
	"slices"
)

// How a band edge is found.
const (
	lowestEdge = 1000.0 // Hz; below, drops are what sounds are made of
	edgeReach  = 500.0  // Hz on either side that are compared
	leastDrop  = 15.0   // dB
	mostPeaked = 25.0   // dB from what is usual below the edge to its highest line
	fullBand   = 0.98   // of half the rate: an edge above is that of the converter

	// Images of ffmpeg's converter end at 1.12 to 1.15 of half the old rate.
	mirrorLeast = 1.06
	mirrorMost  = 1.18
	mirrorNoise = 1.5 // dB
	mirrorStep  = 8   // dB over four bins
	slopeReach  = 8   // share of a frequency, see slopeLimit

	// A tone ends where its partials do, which says nothing of a band. Measured:
	// tones, chords and sweeps change by up to 1.45 dB, recordings by 1.85 or more.
	tonalChange = 1.4    // dB, median change of the spectrum over 20 ms
	mixedChange = 1.9    // from here on the sound is not a tone
	limitedBand = 9000.0 // Hz; below, a recording is called limited
	mostLines   = 12     // that stand out of such a recording
)

// halfRates are half of the rates that sound is often converted from, in Hz.
var halfRates = []float64{4000, 5512.5, 6000, 8000, 11025, 12000, 16000}

// band finds the steepest drop of the long-term spectrum after which nothing of
// weight comes back.
func (a *Analyzer) band(quiet []bool) Band {
	s := a.spectra
	out := Band{Evidence: Evidence{From: a.hopTime(s.count)}}
	db := s.longTermLevels()
	if db == nil {
		out.Basis = "no sound above -100 dBFS"
		return out
	}
	nyquist := len(db) - 1
	reach := max(4, s.bin(edgeReach))
	best := 0
	for k := max(s.bin(lowestEdge), reach); k+3 <= nyquist; k++ {
		drop := mean(db[k-reach:k-1]) - mean(db[k+2:min(k+1+reach, nyquist+1)])
		if drop > out.Drop && sharp(db, k, drop) && s.staysLow(db, k, drop) {
			best, out.Drop = k, drop
		}
	}
	if out.Drop < leastDrop {
		out.Basis = fmt.Sprintf("no drop of %.0f dB above %.0f Hz", leastDrop, lowestEdge)
		return out
	}
	if !broad(db, best, reach) {
		out.Basis = fmt.Sprintf("what ends near %.0f Hz is a tone", float64(best)*s.hz(1))
		return out
	}
	out.Edge = s.edgeNear(db, best, reach) * s.hz(1)
	if out.Edge > fullBand*float64(a.rate)/2 {
		out.Basis = "the spectrum reaches up to half the rate"
		return out
	}
	change := s.medianOf(quiet, func(h *shape) float32 { return h.change }, func(*shape) bool { return true })
	if change < tonalChange || out.Edge < limitedBand && s.lines() > mostLines {
		out.Basis = fmt.Sprintf("what ends near %.0f Hz is a tone", out.Edge)
		return out
	}
	out.Known = true
	out.Sure = ramp(out.Drop, leastDrop-5, 35) * ramp(out.From.Seconds(), 0, 1) * ramp(change, tonalChange, mixedChange)
	out.Basis = fmt.Sprintf("long-term spectrum drops by %.0f dB at %.0f Hz and stays low", out.Drop, out.Edge)
	return out
}

// longTermLevels is the long-term spectrum in dB, nil if there is none.
func (s *spectra) longTermLevels() []float64 {
	if s.count == 0 {
		return nil
	}
	db := make([]float64, len(s.longTerm))
	top := silent
	for k, p := range s.longTerm {
		// Not limited at -120: the noise of 16 bits spreads over 512 bins.
		db[k] = 10 * math.Log10(p*s.scale/float64(s.count)+1e-16)
		top = max(top, db[k])
	}
	if top < -100 {
		return nil
	}
	return db
}

// staysLow says whether all but single lines above bin k stay low.
func (s *spectra) staysLow(db []float64, k int, drop float64) bool {
	rest := slices.Clone(db[k+2:])
	slices.Sort(rest)
	return quantile(rest, 0.95) < mean(db[max(1, k-s.bin(edgeReach)):k-1])-0.6*drop
}

// sharp says whether half of the drop lies within a few bins of k: the spectrum
// of music falls as far, but gradually.
func sharp(db []float64, k int, drop float64) bool {
	return mean(db[k-4:k-1])-mean(db[k+2:min(k+5, len(db))]) > 0.5*drop
}

// broad says whether three quarters of what lies below bin k are higher than most
// of what lies above, and not a tone alone, beside which everything drops.
func broad(db []float64, k, reach int) bool {
	below, above := slices.Sorted(slices.Values(db[k-reach:k-1])), slices.Sorted(slices.Values(db[k+2:min(k+1+reach, len(db))]))
	middle := quantile(below, 0.5)
	return quantile(below, 0.25)-quantile(above, 0.5) >= leastDrop/1.5 && below[len(below)-1]-middle <= mostPeaked
}

// edgeNear places an edge at the bin, or between two, where the level is 6 dB
// under what is right below it; the steepest fall itself is a little higher,
// because the window smears a sharp edge upwards. Where the fall ends a mirror image, the
// edge is that of the image's original. The result is in bins.
func (s *spectra) edgeNear(db []float64, k, reach int) float64 {
	best, fall := k, 0.0
	for i := max(6, k-reach/2); i <= min(len(db)-3, k+reach/2); i++ {
		if d := db[i-2] + db[i-1] - db[i+1] - db[i+2]; d > fall {
			best, fall = i, d
		}
	}
	for _, hz := range halfRates {
		if half := s.bin(hz); mirrored(db, half, best) {
			return slopeStart(db, half)
		}
	}
	limit := mean(db[best-6:best-2]) - 6
	for best > 1 && db[best] < limit && db[best-1] < limit {
		best--
	}
	if db[best] >= limit {
		return float64(best)
	}
	return float64(best-1) + (db[best-1]-limit)/(db[best-1]-db[best])
}

// mirrored reports whether the sound between bin half and an edge can be the mirror image
// of what is below, which a converter of the rate leaves above half of the old rate until
// its filter closes: it is never louder than its original, and continues the slope at which
// the original ends. A codec's limit at 16 kHz is a step instead.
func mirrored(db []float64, half, edge int) bool {
	if ratio := float64(edge) / float64(half); half < 2*slopeReach || ratio < mirrorLeast || ratio > mirrorMost {
		return false
	}
	for i := 1; i <= edge-half; i++ {
		if db[half+i] > db[half-i]+mirrorNoise {
			return false
		}
	}
	return db[half-2]-db[half+2] < mirrorStep && db[half] < slopeLimit(db, half)
}

// slopeStart walks from bin k down a slope to where it starts.
func slopeStart(db []float64, k int) float64 {
	for k > 2*slopeReach && max(db[k], db[k-1]) < slopeLimit(db, k) {
		k--
	}
	limit := slopeLimit(db, k)
	if db[k] >= limit || db[k-1] <= limit {
		return float64(k)
	}
	return float64(k-1) + (db[k-1]-limit)/(db[k-1]-db[k])
}

// slopeLimit is 6 dB under the mean of what is below bin k down to a share of its frequency:
// levels below the limit fall by more than 65 dB an octave, as behind a filter.
func slopeLimit(db []float64, k int) float64 { return mean(db[k-k/slopeReach:k-1]) - 6 }

// spectrum describes the long-term spectrum as a whole.
func (a *Analyzer) spectrum(quiet []bool) Spectrum {
	s := a.spectra
	out := Spectrum{Evidence: Evidence{From: a.hopTime(s.count)}}
	if s.longTermLevels() == nil {
		out.Basis = "no sound above -100 dBFS"
		return out
	}
	sum, weighted := 0.0, 0.0
	for k, p := range s.longTerm[1:] {
		hz := s.hz(k + 1)
		if k == 0 {
			p = max(0, p-s.longTerm[0]/4) // what an offset leaves there, through a Hann window
		}
		sum += p
		weighted += p * hz
		switch {
		case hz < 250:
			out.Low += p
		case hz < 2000:
			out.Middle += p
		default:
			out.High += p
		}
	}
	out.Centroid = weighted / sum
	out.Low, out.Middle, out.High = out.Low/sum, out.Middle/sum, out.High/sum
	out.Tilt = s.tilt()
	out.Flatness = s.flatness(quiet)
	out.Lines = s.lines()
	out.Known = true
	out.Sure = ramp(out.From.Seconds(), 0, 2)
	out.Basis = fmt.Sprintf("mean of %d spectra", s.count)
	return out
}

// tilt fits a line through the levels of third octaves, per octave.
func (s *spectra) tilt() float64 {
	var n, sx, sy, sxx, sxy float64
	for octave := 0.0; ; octave += 1.0 / 3 {
		low := 100 * math.Pow(2, octave)
		high := low * math.Pow(2, 1.0/3)
		if high > min(8000, 0.45*float64(s.rate)) {
			break
		}
		from, to := s.bin(low), s.bin(high)
		if to <= from {
			continue // narrower than a bin
		}
		// Density, not power of the band, so that white noise has no tilt.
		y := 10 * math.Log10(mean(s.longTerm[from:to])+1e-20)
		n, sx, sy, sxx, sxy = n+1, sx+octave, sy+y, sxx+octave*octave, sxy+octave*y
	}
	if d := n*sxx - sx*sx; d > 0 {
		return (n*sxy - sx*sy) / d
	}
	return 0
}

// medianOf is the median over the sounding frames that count.
func (s *spectra) medianOf(quiet []bool, of func(*shape) float32, counts func(*shape) bool) float64 {
	var all []float64
	for i := range s.shapes {
		if 2*i < len(quiet) && !quiet[2*i] && counts(&s.shapes[i]) {
			all = append(all, float64(of(&s.shapes[i])))
		}
	}
	return median(all)
}

// What the flatness of a sound rests on: what is between short sounds, or what a word
// length adds next to a tone, is flat and is not what sounds.
const (
	flatUnder = 20   // dB under the loud frames
	flatShare = 1e-4 // of the power: that of the speech band
)

// flatness is the median over the loud frames, 0 where next to no power is in the speech
// band.
func (s *spectra) flatness(quiet []bool) float64 {
	sum, speech := 0.0, 0.0
	for k, p := range s.longTerm[2:] { // without an offset
		sum += p
		if k+2 >= s.speech[0] && k+2 < s.speech[1] {
			speech += p
		}
	}
	var levels []float64
	for i := range s.shapes {
		if 2*i < len(quiet) && !quiet[2*i] {
			levels = append(levels, float64(s.shapes[i].level))
		}
	}
	if speech < flatShare*sum || len(levels) == 0 {
		return 0
	}
	slices.Sort(levels)
	least := float32(quantile(levels, 0.95) - flatUnder)
	return s.medianOf(quiet, func(h *shape) float32 { return h.flatness }, func(h *shape) bool { return h.level >= least })
}

// lines counts the bins between 100 and 4000 Hz that stand out of what is on either
// side of them: noise, however it leans or ends, has none once many spectra are
// added up.
func (s *spectra) lines() (n int) {
	const reach, over = 8, 3.0
	db := s.longTermLevels()
	for k := max(reach, s.bin(100)); k < min(len(db)-reach, s.bin(4000)); k++ {
		if db[k]-max(median(db[k-reach:k-1]), median(db[k+2:k+reach+1])) >= over {
			n++
		}
	}
	return n
}
