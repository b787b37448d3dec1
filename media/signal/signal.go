// Package signal measures sound: levels, band edge, clipping, channels, mains
// hum, tempo, onsets, silences, texture, pitch, spectrum, and whether somebody
// speaks. It reads PCM in blocks at its native rate and never resamples for a
// spectral fact, because resampling moves the band edge that is to be measured.
//
// It names no sources. Classifiers that must choose one of their classes take
// rain for a helicopter with full confidence; here a texture is only said to be
// consistent with several sources, never to be one. Nothing is learned from
// data either: every fact is a number that can be checked by hand, with how
// sure it is and what it rests on. Turning facts into sentences is left to the
// caller, as are decoding and neural detectors.
//
// Levels are in dBFS of the root mean square, where 0 is an RMS of 1: a sine
// of full scale has -3.01 dBFS. No level is lower than -120.
package signal

import (
	"fmt"
	"math"
	"time"
)

// silent is the lowest level there is, in dBFS.
const silent = -120.0

// hopsPerSecond is how often levels and onset strengths are taken.
const hopsPerSecond = 100

// An Analyzer measures one stream of PCM. Feed it with Add; ask Facts at any
// time. An hour of sound is kept as about 8 MB of measurements, whatever the
// rate. It is not safe
// for concurrent use; different Analyzers are independent.
type Analyzer struct {
	rate, channels int
	frames         int64   // samples a channel so far
	half           float32 // the left sample of a frame that a block broke in two
	broken         bool
	unusable       int64 // samples that were not numbers

	left, right []float64 // a block taken apart; right is nil for one channel
	meter       *meter
	spectra     *spectra
	toPitch     *decimator
	pitch       *pitchTracker
	toHum       *decimator
	hum         *humMeter
}

// The rates that Analyzers take, in Hz.
const (
	lowestRate  = 4000
	highestRate = 384000
)

// New makes an Analyzer for PCM of the given rate in Hz and 1 or 2 channels.
// More channels are an error: decode the first two, since a mix-down may cancel
// what is in opposite phase.
func New(rate, channels int) (*Analyzer, error) {
	if rate < lowestRate || rate > highestRate {
		return nil, fmt.Errorf("sample rate of %d Hz: signals of %d to %d Hz can be measured", rate, lowestRate, highestRate)
	}
	if channels != 1 && channels != 2 {
		return nil, fmt.Errorf("%d channels: give 1, or 2 interleaved", channels)
	}
	hop := int(math.Round(float64(rate) / hopsPerSecond))
	pitchFactor := max(1, rate/8000)
	humFactor := max(1, rate/pitchFactor/1000)
	a := &Analyzer{
		rate: rate, channels: channels,
		meter:   newMeter(rate, channels, hop),
		spectra: newSpectra(rate, channels, hop),
		toPitch: newDecimator(pitchFactor),
		pitch:   newPitchTracker(float64(rate)/float64(pitchFactor), 2*float64(hop)/float64(pitchFactor)),
		toHum:   newDecimator(humFactor),
		hum:     newHumMeter(float64(rate)/float64(pitchFactor*humFactor), channels),
	}
	return a, nil
}

// blockFrames is how many samples a channel are worked on at once.
const blockFrames = 4096

// Add takes the next samples, left and right in turn if there are two channels;
// full scale is 1. Blocks may have any length, and may break a pair in two.
// What is not a number counts as 0, and is counted. block is not kept.
func (a *Analyzer) Add(block []float32) {
	for len(block) > 0 {
		n := min(len(block), blockFrames*a.channels)
		a.takeApart(block[:n])
		block = block[n:]
		a.frames += int64(len(a.left))
		a.meter.add(a.left, a.right)
		a.spectra.add(a.left, a.right)
		l, r := a.toPitch.add(a.left, a.right)
		a.pitch.add(l, r)
		a.hum.add(a.toHum.add(l, r))
	}
}

// takeApart sorts samples by channel.
func (a *Analyzer) takeApart(block []float32) {
	a.left, a.right = a.left[:0], a.right[:0]
	if a.channels == 1 {
		for _, x := range block {
			a.left = append(a.left, a.number(x))
		}
		a.right = nil
		return
	}
	if a.broken && len(block) > 0 {
		a.left, a.right = append(a.left, a.number(a.half)), append(a.right, a.number(block[0]))
		block, a.broken = block[1:], false
	}
	for ; len(block) >= 2; block = block[2:] {
		a.left, a.right = append(a.left, a.number(block[0])), append(a.right, a.number(block[1]))
	}
	if len(block) == 1 {
		a.half, a.broken = block[0], true
	}
}

// number returns x, or 0 if it is no finite number.
func (a *Analyzer) number(x float32) float64 {
	if x-x != 0 { // true of NaN and of both infinities
		a.unusable++
		return 0
	}
	return float64(x)
}

// hopTime is the start of a hop.
func (a *Analyzer) hopTime(hop int) time.Duration {
	return a.sampleTime(int64(hop) * int64(a.meter.hop))
}

// sampleTime is the time of a sample.
func (a *Analyzer) sampleTime(n int64) time.Duration {
	whole, rest := n/int64(a.rate), n%int64(a.rate)
	return time.Duration(whole)*time.Second + time.Duration(rest)*time.Second/time.Duration(a.rate)
}
