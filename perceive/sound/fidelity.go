package sound

import (
	"fmt"
	"math"

	"omniscope/perceive"
)

// fidelity says what the recording itself is like.
func (l *listening) fidelity() (list []perceive.Observation) {
	for _, look := range []func() (perceive.Observation, bool){l.band, l.clipping, l.stereo, l.hum} {
		if o, ok := look(); ok {
			list = append(list, o)
		}
	}
	return list
}

// band says where the spectrum ends.
func (l *listening) band() (perceive.Observation, bool) {
	b, rate := &l.facts.Band, float64(l.hearing.Rate)
	if !isReported(b.Evidence) {
		if rate > 24000 {
			return perceive.Observation{}, false
		}
		return whole(1, fmt.Sprintf("the sampling rate is %s, so that nothing is above %s", kilohertz(rate), kilohertz(rate/2)),
			map[string]float64{"rate_hz": rate}), true
	}
	words := fmt.Sprintf("the spectrum drops off sharply near %s", kilohertz(b.Edge))
	switch {
	case b.Edge < 4500:
		words += ", a narrow band such as telephones have"
	case b.Edge < 9000:
		words += ", a limited band that sounds dull"
	case b.Edge > 14500 && b.Edge < 20000 && rate >= 44100:
		words += ", which is consistent with lossy compression"
	}
	return whole(b.Sure, words, map[string]float64{"edge_hz": b.Edge, "drop_db": b.Drop, "rate_hz": rate}), true
}

func kilohertz(hz float64) string { return fmt.Sprintf("%.3g kHz", hz/1000) }

// clipping says whether peaks are cut off.
func (l *listening) clipping() (perceive.Observation, bool) {
	c := &l.facts.Clipping
	if !isReported(c.Evidence) || c.Runs == 0 {
		return perceive.Observation{}, false
	}
	first := l.hearing.Start + c.First
	extent := "here and there"
	switch {
	case c.PPM >= 1000:
		extent = "heavily"
	case c.Runs <= 3:
		extent = "in single places"
	}
	what := fmt.Sprintf("peaks are clipped %s, first at %.2f s: %.2g samples in a million", extent, seconds(first), c.PPM)
	if c.PPM >= 100 {
		what = fmt.Sprintf("peaks are clipped %s, first at %.2f s: %.0f samples in a million", extent, seconds(first), c.PPM)
	}
	return whole(c.Sure, what, map[string]float64{"clipped_ppm": c.PPM, "runs": float64(c.Runs), "first_s": seconds(first)}), true
}

// How channels are compared.
const (
	leastBalance = 1.5 // dB
	narrow       = 0.9 // correlation
	wide         = 0.3
)

// stereo says how the channels belong together.
func (l *listening) stereo() (perceive.Observation, bool) {
	s := &l.facts.Stereo
	if l.facts.Channels == 1 {
		return whole(1, "the sound is mono", map[string]float64{"channels": 1}), true
	}
	if !isReported(s.Evidence) {
		return perceive.Observation{}, false
	}
	what := "the sound is stereo"
	if l.channels > 2 {
		what = fmt.Sprintf("the sound has %d channels; mixed down to two", l.channels)
	}
	side, weaker := "right", "left"
	if s.Balance < 0 {
		side, weaker = weaker, side
	}
	switch {
	case s.OneSided:
		what += fmt.Sprintf(", but only the %s channel carries sound", side)
	case s.Inverted:
		what += ", but the channels are in opposite phase: mixed to mono they cancel each other"
	case s.DualMono:
		what += " in form only: both channels carry the same"
	case math.Abs(s.Balance) >= leastBalance:
		what += fmt.Sprintf(", with the %s channel %.1f dB stronger than the %s one", side, math.Abs(s.Balance), weaker)
	case s.Correlation > narrow:
		what += ", balanced and close to mono"
	case s.Correlation < wide:
		what += ", balanced and wide"
	default:
		what += " and balanced"
	}
	return whole(s.Sure, what, map[string]float64{"channels": float64(l.channels), "balance_db": s.Balance, "correlation": s.Correlation}), true
}

// hum says whether the mains are heard.
func (l *listening) hum() (perceive.Observation, bool) {
	h := &l.facts.Hum
	if !isReported(h.Evidence) || !h.Present {
		return perceive.Observation{}, false
	}
	where := "throughout"
	if h.Pauses {
		where = "in the pauses"
	}
	return whole(h.Sure, fmt.Sprintf("lines at multiples of %.0f Hz are heard %s, consistent with mains hum", h.Base, where),
		map[string]float64{"hum_hz": h.Base, "excess_db": h.Excess, "hum_dbfs": h.Level}), true
}
