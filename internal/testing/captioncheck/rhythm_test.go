package captioncheck

import (
	"fmt"
	"math"
	"strings"
)

// texture: what is heard; what it is consistent with is open.
func texture(x *claim) string {
	a := x.c.sound
	spread := a.spread()
	pitches, sounding := a.pitches(a.start, a.end())
	share := float64(len(pitches)) / float64(max(1, sounding))
	switch word := strings.ToLower(x.m[1]); {
	case strings.HasPrefix(word, "steady broadband noise"):
		power, hz := a.longTerm(2048)
		all, weighted := 0., 0.
		for k, p := range power {
			all, weighted = all+p, weighted+p*float64(k)*hz
		}
		bright := weighted/all > 2000
		return unless(spread <= 6+levelOff && a.flatness() > 0.08 && share < 0.5 && bright == strings.HasSuffix(word, "bright"),
			"levels spread over %.1f dB, flatness %.2f, centroid %.0f Hz, %.0f %% with a pitch", spread, a.flatness(), weighted/all, 100*share)
	case word == "noise that swells and recedes":
		spread = max(spread, a.without80Hz().spread())
		return unless(spread >= 4-levelOff && a.flatness() > 0.05 && share < 0.5, "levels spread over %.1f dB, flatness %.2f, %.0f %% with a pitch", spread, a.flatness(), 100*share)
	case word == "short sounds at even intervals", word == "fast even pulses":
		best := 0.
		for interval := 0.05; interval < min(4, a.length()/2); interval *= 1.04 {
			best = max(best, a.evenness(interval))
		}
		return unless(best >= 0.3, "the highest autocorrelation is %.2f", best)
	case word == "bursts with a pitch":
		return unless(share >= 0.05, "%.0f %% have a pitch", 100*share)
	case word == "mostly pitched sound":
		return unless(share >= 0.3, "%.0f %% have a pitch", 100*share)
	}
	return ""
}

// spread is that of levels of 200 ms, the highest and the lowest tenth left out.
func (a *sound) spread() float64 {
	list := a.levels(a.start, a.end(), 0.2, 0.1)
	return quantile(list, 0.9) - quantile(list, 0.1)
}

// flatness is the median over windows of 23 ms or more of the geometric by the
// arithmetic mean of power between 200 and 4000 Hz: 0.56 for white noise.
func (a *sound) flatness() float64 {
	size := 512
	for size < a.rate/43 {
		size *= 2
	}
	hz := float64(a.rate) / float64(size)
	var list []float64
	for at := 0; at+size <= len(a.pcm[0]); at += 2 * size {
		power := a.spectrum(at, size)
		n, sum, logs := 0., 0., 0.
		for k := int(200 / hz); k < min(len(power), int(4000/hz)); k++ {
			n, sum, logs = n+1, sum+power[k], logs+math.Log(power[k]+1e-20)
		}
		list = append(list, math.Exp(logs/n)/(sum/n+1e-20))
	}
	return quantile(list, 0.5)
}

// tempo: the sound is more alike after a beat, or half or twice that, than after
// times that are none.
func tempo(x *claim) string {
	best := 0.
	for _, times := range []float64{0.5, 1, 2} {
		best = max(best, x.c.sound.evenness(60/x.n(1)*times))
	}
	beside := 0.
	for _, times := range []float64{0.7, 0.85, 1.18, 1.37} {
		beside += x.c.sound.evenness(60/x.n(1)*times) / 4
	}
	return unless(best >= 0.15 || best >= 0.08 && best >= beside+0.05, "the autocorrelation at the beat is %.2f, beside it %.2f", best, beside)
}

func repeats(x *claim) string {
	interval := x.n(1)
	if x.m[1] == "" {
		interval = 1 / x.n(2)
	}
	r := x.c.sound.evenness(interval)
	return unless(r >= 0.25, "the autocorrelation at %.3f s is %.2f", interval, r)
}

// onset returns how much louder it is right after a time than right before it,
// in the octave band in which that is most; -1 if there is no sound after it.
func (a *sound) onset(at float64) float64 {
	size := 256
	for float64(size) < 0.04*float64(a.rate) {
		size *= 2
	}
	long := float64(size) / float64(a.rate)
	bands := func(t float64) []float64 {
		list := make([]float64, 10)
		hz := float64(a.rate) / float64(size)
		for k, p := range a.spectrum(int((t-a.start)*float64(a.rate)), size) {
			if f := float64(k) * hz; f >= 60 {
				list[min(9, int(math.Log2(f/60)))] += p
			}
		}
		for i := range list {
			list[i] = max(dB(list[i]/float64(size*size)*8/3), -85)
		}
		return list
	}
	best := -1.
	for late := -0.06; late <= 0.06; late += 0.01 {
		t := at + late
		if t < a.start-0.02 || t+0.03 > a.end() || a.level(t, min(t+long, a.end())) < -80 {
			continue
		}
		before, after := bands(t-long), bands(t)
		for i := range after {
			best = max(best, after[i]-before[i])
		}
	}
	return best
}

// onsets: at each of the times, to the tenth, a band gets louder by 4 dB.
func onsets(x *claim) string {
	for _, text := range append(strings.Split(x.m[1], ", "), x.m[2]) {
		if rise := x.c.sound.onset(number(text)); rise < 4 {
			return fmt.Sprintf("at %s s nothing gets louder by more than %.1f dB, or no sound follows", text, rise)
		}
	}
	return ""
}

// onsetRate: a count of rises of an octave band, give or take half of it.
func onsetRate(x *claim) string {
	a := x.c.sound
	n, last := 0, -1.
	for t := a.start; t < a.end()-0.03; t += 0.05 {
		if t-last >= 0.1 && a.onset(t) >= 6 {
			n, last = n+1, t
		}
	}
	rate := 60 * float64(n) / a.length()
	return unless(x.n(1) <= 1.5*rate+12, "about %.0f are found", rate)
}

// around is the level that a third of the windows of 50 ms within 2 s of a
// stretch are under.
func (a *sound) around(from, to float64) float64 {
	return quantile(a.levels(max(a.start, from-2), min(a.end(), to+2), 0.05, 0.025), 0.33)
}

// burst: the loudest 50 ms stand out by as much, give or take 3 dB, with rumble
// or without it.
func burst(x *claim) string {
	end := x.to
	if x.again && x.alone {
		end = x.from // how long it is, is not told
	}
	x.said.sounds = append(x.said.sounds, [2]float64{x.from, end})
	want := x.n(1) - 3
	if x.again {
		want = 8
	}
	best := math.Inf(-1)
	for _, a := range []*sound{x.c.sound, x.c.sound.without80Hz()} {
		middle := (x.from + x.to) / 2
		best = max(best, a.highest(x.from-0.05, max(x.to, x.from+0.05)+0.05, 0.05)-max(-70, a.around(middle, middle)))
	}
	if x.to-x.from > 1.6 {
		return "it is not short"
	}
	return unless(best >= want, "it stands out by %.1f dB", best)
}

func bursts(x *claim) string {
	best := 0
	for _, a := range []*sound{x.c.sound, x.c.sound.without80Hz()} {
		n, on := 0, false
		for t := a.start; t < a.end(); t += 0.05 {
			loud := a.level(t, t+0.05) > max(-70, a.around(t, t))+8
			if loud && !on {
				n++
			}
			on = loud
		}
		best = max(best, n)
	}
	rate := x.n(1) / x.c.sound.length() * 60
	return unless(x.n(1) <= 1.35*float64(best)+1 && math.Abs(rate-x.n(2)) <= 0.1*rate+1, "%d are found, %.0f a minute are told", best, rate)
}
