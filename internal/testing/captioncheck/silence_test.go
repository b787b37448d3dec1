package captioncheck

import (
	"fmt"
	"math"
	"strings"
)

// quietRuns are the stretches of 0.3 s or more in which no 50 ms are above a
// level.
func (a *sound) quietRuns(level, least float64) (runs [][2]float64) {
	begun := -1.
	for t := a.start; ; t += 0.01 {
		quiet := t+0.05 <= a.end() && a.level(t, t+0.05) <= level
		switch {
		case quiet && begun < 0:
			begun = t
		case !quiet && begun >= 0:
			if t+0.04-begun >= least {
				runs = append(runs, [2]float64{begun, t + 0.04})
			}
			begun = -1
		}
		if t > a.end() {
			return runs
		}
	}
}

// pauses: at least nine in ten as many stretches lie 12 dB or more under the
// loud parts.
func pauses(x *claim) string {
	a := x.c.sound
	loud := quantile(a.levels(a.start, a.end(), 0.1, 0.05), 0.95)
	n := len(a.quietRuns(loud-12, 0.27))
	return unless(float64(n) >= 0.9*x.n(1), "%d are found", n)
}

// silence: no 100 ms of it, but for 50 ms at its ends, are louder than the word
// allows.
func silence(x *claim) string {
	a := x.c.sound
	if a == nil {
		return "there is no sound"
	}
	from, to := max(x.from, a.start), min(x.to, a.end())
	high, level := a.highest(from+0.05, to-0.05, 0.1), a.level(from+0.05, to-0.05)
	state := fmt.Sprintf("100 ms of it have %.1f dBFS, all of it %.1f", high, level)
	if !strings.HasPrefix(strings.ToLower(x.m[1]), "a pause") {
		x.said.silences = append(x.said.silences, [2]float64{from, to})
	}
	switch word := strings.ToLower(x.m[1]); {
	case strings.HasPrefix(word, "silence without"):
		return unless(high <= nothingAt, "%s", state)
	case word == "silence":
		return unless(high <= quietAt+levelOff, "%s", state)
	case strings.HasPrefix(word, "near silence"):
		return unless(high <= nearQuietAt+levelOff && (x.again || math.Abs(level-x.n(2)) <= levelOff), "%s", state)
	}
	loud := quantile(a.levels(a.start, a.end(), 0.1, 0.05), 0.95)
	off := levelOff
	if x.again {
		off = 4
	}
	return unless(high <= loud-10 && high <= level+6 && math.Abs(level-x.n(3)) <= off, "%s, the loud parts %.1f", state, loud)
}

// silences: as many as are told lie in the stretch, and have these lengths.
func silences(x *claim) string {
	limit := quietAt + levelOff
	if strings.Contains(strings.ToLower(x.m[2]), "near") {
		limit = nearQuietAt + levelOff
	}
	shortest, longest := x.n(3), x.n(4)
	n := 0
	for off := 0.; off <= 2*levelOff; off += levelOff {
		at := 0
		for _, r := range x.c.sound.quietRuns(limit-off, 0.25) {
			if r[0] >= x.from-timeOff && r[1] <= x.to+timeOff && r[1]-r[0] >= shortest-timeOff {
				at++
			}
		}
		n = max(n, at) // a little over the limit two of them are one
	}
	if n < int(x.n(1)) {
		return fmt.Sprintf("%d are found", n)
	}
	if strings.Contains(x.m[2], "short") && longest > 1 {
		return "they are not short"
	}
	if x.m[5] != "" {
		each := (x.to - x.from - longest) / (x.n(1) - 1)
		return unless(math.Abs(each-x.n(5)) <= 0.15*each, "one every %.2f s", each)
	}
	return ""
}

func silentThroughout(x *claim) string {
	a := x.c.sound
	if a == nil {
		return "there is no sound track"
	}
	x.said.silences = append(x.said.silences, [2]float64{a.start, a.end()})
	high := a.highest(a.start, a.end(), 0.1)
	return unless(high <= quietAt+levelOff, "100 ms of it have %.1f dBFS", high)
}
