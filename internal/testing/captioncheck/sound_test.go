package captioncheck

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Tolerances of what is said of the sound, and why.
const (
	levelOff    = 1.5   // dB: windows of another place and kind
	loudnessOff = 0.5   // LU: as exact as EBU Tech 3341 asks of programmes
	peakOff     = 0.6   // dB: what oversampling four times may miss (BS.1770-4, annex 2)
	rangeOff    = 1.0   // LU: as exact as EBU Tech 3342 asks
	timeOff     = 0.1   // s: one step of most measurements
	semitone    = 1.059 // of a pitch
	quietAt     = -60.0 // dBFS of 100 ms: what is called silence is not above,
	nearQuietAt = -50.0 // and near silence not above this
	nothingAt   = -90.0 // dBFS: no signal but the last bit of 16
)

var soundTemplates = []template{
	{form(`the clip has no sound track`), func(x *claim) string { return unless(x.c.sound == nil, "there is one") }},
	{form(`no sound can be decoded in the clip, though it has a sound track`), func(x *claim) string { return unless(x.c.sound == nil || x.c.sound.length() == 0, "some can") }},
	{form(`the sound is (very loud|loud|of middling loudness|rather quiet|very quiet): {N} LUFS, true peak {N} dBTP(, above full scale|, close to full scale)?`), loudness},
	{form(`(the loudness varies very much|the loudness varies clearly|the loudness varies a little|the loudness hardly varies): loudness range {N} LU`), loudnessRange},
	{form(`the sound is too short or too faint for a loudness; its level is {N} dBFS, its highest sample {N} dBFS`), tooShort},
	{form(`the sampling rate is {N} kHz, so that nothing is above {N} kHz`), samplingRate},
	{form(`the spectrum drops off sharply near {N} kHz(, a narrow band such as telephones have|, a limited band that sounds dull|, which is consistent with lossy compression)?`), bandEdge},
	{form(`peaks are clipped (heavily|here and there|in single places), first at {T}: {N} samples in a million`), clipped},
	{form(`the sound is mono`), func(x *claim) string {
		return unless(x.c.sound.channels == 1, "it has %d channels", x.c.sound.channels)
	}},
	{form(`(?:the sound is stereo|the sound has (\d+) channels; mixed down to two)([^;]*)`), stereo},
	{form(`lines at multiples of (50|60) Hz are heard (throughout|in the pauses), consistent with mains hum`), hum},
	{form(`the sound is (dark, mostly low frequencies|bright, mostly high frequencies): about {N} % of its power is below 250 Hz, about {N} % above 2 kHz`), leaning},
	{form(`the level is steady, within {N} dB`), steady},
	{form(`of the pitches from 60 to 800 Hz most lie (?:between {N} and {N}|near {N}) Hz, (?:in a (very low|low|middle|high|very high) register|from a (very low|low|middle|high|very high) to a (very low|low|middle|high|very high) register)`), pitched},
	{form(`(steady broadband noise, darker|steady broadband noise, bright|noise that swells and recedes|short sounds at even intervals|fast even pulses|many short clicks at uneven intervals|bursts with a pitch|mostly pitched sound|lines at multiples of (?:50|60) Hz), consistent with [^;]*, or with something else`), texture},
	{form(`there is a pulse of about {N} beats a minute, or half or twice that`), tempo},
	{form(`something repeats at even intervals, about (?:every {N} s|{N} times a second)`), repeats},
	{form(`sounds set in at ((?:\d+\.\d+, )*\d+\.\d+) and (\d+\.\d+) s`), onsets},
	{form(`sounds set in about {N} times a minute`), onsetRate},
	{form(`a short sound stands out, {N} dB above what surrounds it`), burst},
	{form(`(\d+) short sounds stand out from their surroundings, about {N} a minute`), bursts},
	{form(`there are (\d+) pauses of 0\.3 s or more`), pauses},
	{form(`(?:there is )?(silence without any signal|silence|near silence, with a faint background at {N} dBFS|a pause in which only the background is heard, at {N} dBFS)`), silence},
	{form(`there are (\d+) ((?:short )?silences|(?:short )?near silences), of {N} to {T}(?:, about one every {T})?`), silences},
	{form(`the sound track is silent throughout`), silentThroughout},
	{form(`the sound is clearly (louder|quieter) there than on the whole: {N} dBFS against {N}`), course},
	{form(`the sound track begins only at {T}`), func(x *claim) string {
		x.timed = true
		return unless(math.Abs(x.c.sound.start-x.n(1)) < timeOff, "it begins at %.2f s", x.c.sound.start)
	}},
	{form(`the sound track ends at {T}, before the clip does`), func(x *claim) string {
		x.from, x.timed = x.n(1), true
		return unless(math.Abs(x.c.sound.end()-x.n(1)) < timeOff && x.c.end > x.n(1)+0.4, "it ends at %.2f s, the clip at %.2f s", x.c.sound.end(), x.c.end)
	}},
	{form(`(?:there may be speech, not intelligible here|somebody seems to speak; the speech is not intelligible here|speech is heard, not intelligible(?:, possibly about: [^;]* \(unreliable\)|, perhaps “[^”]*”)?)`), speech},
	{form(`nothing was transcribed: .*`), nothingClaimed},
}

func nothingClaimed(*claim) string { return "" }

func unless(ok bool, format string, args ...any) string {
	if ok {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// A grade is a word for a range of numbers. A number near the limit may have
// either.
type grade struct {
	word      string
	low, high float64
}

func graded(list []grade, word string, v, slack float64) bool {
	return slices.ContainsFunc(list, func(g grade) bool { return g.word == word && v >= g.low-slack && v < g.high+slack })
}

func loudness(x *claim) string {
	grades := []grade{{"very loud", -10, 99}, {"loud", -17, -10}, {"of middling loudness", -25, -17}, {"rather quiet", -33, -25}, {"very quiet", -99, -33}}
	own, _ := x.c.sound.loudness()
	peak := x.c.sound.truePeak()
	switch word := strings.ToLower(x.m[1]); {
	case math.Abs(own-x.n(2)) > loudnessOff || !graded(grades, word, own, loudnessOff):
		return fmt.Sprintf("the loudness is %.1f LUFS", own)
	case math.Abs(peak-x.n(3)) > peakOff:
		return fmt.Sprintf("the true peak is %.1f dBTP", peak)
	case strings.Contains(x.m[4], "above") && peak < -peakOff, strings.Contains(x.m[4], "close") && math.Abs(peak+0.5) > 0.5+peakOff:
		return fmt.Sprintf("the true peak is %.1f dBTP: not%s", peak, x.m[4])
	}
	return ""
}

func loudnessRange(x *claim) string {
	grades := []grade{{"the loudness varies very much", 15, 99}, {"the loudness varies clearly", 8, 15}, {"the loudness varies a little", 4, 8}, {"the loudness hardly varies", 0, 4}}
	_, own := x.c.sound.loudness()
	return unless(math.Abs(own-x.n(2)) <= rangeOff && graded(grades, strings.ToLower(x.m[1]), own, rangeOff), "the range is %.1f LU", own)
}

func tooShort(x *claim) string {
	a := x.c.sound
	peak := 0.
	for _, pcm := range a.pcm {
		for _, v := range pcm {
			peak = max(peak, math.Abs(v))
		}
	}
	level := a.level(a.start, a.end())
	own, _ := a.loudness()
	short := a.length() < 0.5 || own < -69 || math.IsNaN(own)
	return unless(short && math.Abs(level-x.n(1)) <= levelOff && math.Abs(20*math.Log10(peak)-x.n(2)) <= 0.2,
		"%.2f s of %.1f LUFS; its level is %.1f dBFS, its highest sample %.1f", a.length(), own, level, 20*math.Log10(peak))
}

func samplingRate(x *claim) string {
	rate := float64(x.c.sound.rate)
	return unless(math.Abs(rate-1000*x.n(1)) < 51 && math.Abs(rate/2-1000*x.n(2)) < 51, "it is %.0f Hz", rate)
}

// bandEdge: what is usual below the edge is at least 8 dB above what is usual
// beyond it, and only single lines beyond come up to it.
func bandEdge(x *claim) string {
	power, hz := x.c.sound.longTerm(4096)
	edge := 1000 * x.n(1)
	part := func(from, to float64) (list []float64) {
		for k := max(1, int(from/hz)); k <= min(len(power)-1, int(to/hz)); k++ {
			list = append(list, dB(power[k]))
		}
		return list
	}
	below, beyond, rest := part(edge-800, edge-200), part(edge+200, edge+800), part(edge+200, 1e9)
	if len(beyond) == 0 {
		return "the edge is that of the sampling rate"
	}
	drop := quantile(below, 0.5) - quantile(beyond, 0.5)
	if drop < 8 || quantile(rest, 0.95) > quantile(below, 0.5)-4 {
		return fmt.Sprintf("the median level drops by %.1f dB there", drop)
	}
	remark := x.m[2]
	return unless(!strings.Contains(remark, "telephone") || edge < 4600, "a telephone's band is narrower")
}

// clipped: runs of three samples or more that are as high as the highest ones,
// and flat: a rounded peak is none.
func clipped(x *claim) string {
	n, all, first := 0, 0, -1
	for _, pcm := range x.c.sound.pcm {
		all += len(pcm)
		for i := 0; i < len(pcm); {
			j := i
			for j < len(pcm) && math.Abs(pcm[j]) >= 0.98 && pcm[j]*pcm[i] > 0 {
				j++
			}
			if j-i >= 3 {
				n += j - i
				if first < 0 || i < first {
					first = i
				}
			}
			i = max(j, i+1)
		}
	}
	ppm := 1e6 * float64(n) / float64(all)
	at := x.c.sound.start + float64(first)/float64(x.c.sound.rate)
	switch {
	case n == 0:
		return "no three samples in a row are near full scale"
	case x.c.sound.roundPeaks():
		return "the peaks are round: a loud sound, not a clipped one"
	case at > x.n(2)+timeOff:
		return fmt.Sprintf("the first is at %.2f s", at)
	case x.n(3) > 1.3*ppm+1:
		return fmt.Sprintf("%.1f samples in a million are near full scale in a row", ppm)
	case strings.EqualFold(x.m[1], "heavily") && ppm < 700:
		return fmt.Sprintf("%.1f samples in a million are not heavily", ppm)
	}
	return ""
}

// roundPeaks reports whether runs near full scale are mostly arcs: their ends
// lie lower than their middle, by about what their length asks for.
func (a *sound) roundPeaks() bool {
	round, flat := 0, 0
	for _, pcm := range a.pcm {
		for i := 1; i+1 < len(pcm); {
			j := i
			for j+1 < len(pcm) && math.Abs(pcm[j]) >= 0.98 {
				j++
			}
			if j-i >= 3 {
				enter := math.Abs(pcm[i]) - math.Abs(pcm[i-1])
				leave := math.Abs(pcm[j-1]) - math.Abs(pcm[j])
				// In an arc the slope within is half of that at its ends.
				within := math.Abs(math.Abs(pcm[i+1])-math.Abs(pcm[i])) + math.Abs(math.Abs(pcm[j-1])-math.Abs(pcm[j-2]))
				if within > 0.3*(enter+leave) {
					round++
				} else {
					flat++
				}
			}
			i = max(j, i+1)
		}
	}
	return round > 4*flat
}

func stereo(x *claim) string {
	a := x.c.sound
	if x.m[1] != "" && int(x.n(1)) != a.channels || x.m[1] == "" && a.channels != 2 {
		return fmt.Sprintf("it has %d channels", a.channels)
	}
	var left, right, cross, apart float64
	for i, l := range a.pcm[0] {
		r := a.pcm[1][i]
		left, right, cross, apart = left+l*l, right+r*r, cross+l*r, max(apart, math.Abs(l-r))
	}
	balance := dB(right/float64(len(a.pcm[0]))) - dB(left/float64(len(a.pcm[0])))
	like := cross / math.Sqrt(left*right+1e-20)
	state := fmt.Sprintf("right less left is %.1f dB, correlation %.3f", balance, like)
	rest := strings.TrimPrefix(x.m[2], ",")
	balanced := math.Abs(balance) < levelOff+0.1
	if m := regexp.MustCompile(`^ with the (left|right) channel ([\d.]+) dB stronger than the (left|right) one$`).FindStringSubmatch(rest); m != nil {
		want := number(m[2])
		if m[1] == "left" {
			want = -want
		}
		return unless(math.Abs(balance-want) <= 0.2, "%s", state)
	}
	switch rest {
	case " but only the left channel carries sound":
		return unless(balance < -50, "%s", state)
	case " but only the right channel carries sound":
		return unless(balance > 50, "%s", state)
	case " but the channels are in opposite phase: mixed to mono they cancel each other":
		return unless(like < -0.97, "%s", state)
	case " in form only: both channels carry the same":
		return unless(like > 0.999 && math.Abs(balance) < 0.2, "%s", state)
	case " balanced and close to mono":
		return unless(balanced && like > 0.89, "%s", state)
	case " balanced and wide":
		return unless(balanced && like < 0.31, "%s", state)
	case " and balanced":
		return unless(balanced && like > 0.29 && like < 0.91, "%s", state)
	}
	return "no template knows: stereo" + rest
}

// hum: at least two lines at multiples of the frequency stand 6 dB or more over
// what is 4 to 9 Hz beside them.
func hum(x *claim) string {
	size := 1
	for size < 2*x.c.sound.rate && size < len(x.c.sound.pcm[0]) {
		size *= 2
	}
	power, hz := x.c.sound.longTerm(size)
	lines := 0
	for i := 1.; i <= 4; i++ {
		at := int(math.Round(x.n(1) * i / hz))
		var beside []float64
		for d := int(4 / hz); d <= int(9/hz); d++ {
			beside = append(beside, dB(power[at-d]), dB(power[at+d]))
		}
		peak := dB(max(power[at-1], power[at], power[at+1]))
		if peak-quantile(beside, 0.5) >= 6 {
			lines++
		}
	}
	return unless(lines >= 2, "%d lines stand out", lines)
}

// leaning: the shares of power, an offset left out, to 6 in a hundred: windows
// of 40 ms smear the border at 250 Hz by 50 Hz.
func leaning(x *claim) string {
	power, hz := x.c.sound.withoutOffset().longTerm(16384)
	low, high, all := 0., 0., 0.
	for k, p := range power {
		all += p
		if f := float64(k) * hz; f < 250 {
			low += p
		} else if f >= 2000 {
			high += p
		}
	}
	low, high = 100*low/all, 100*high/all
	return unless(math.Abs(low-x.n(2)) <= 6 && math.Abs(high-x.n(3)) <= 6, "%.0f %% are below 250 Hz, %.0f %% above 2 kHz", low, high)
}

// steady: levels of 200 ms, the highest and the lowest tenth left out.
func steady(x *claim) string {
	spread := x.c.sound.spread()
	return unless(spread <= x.n(1)+levelOff, "levels of 200 ms spread over %.1f dB", spread)
}

var registers = []grade{{"very low", 20, 60}, {"low", 60, 150}, {"middle", 150, 250}, {"high", 250, 520}, {"very high", 520, 99999}}

// pitched: at least six in ten pitches lie in the range, give or take a
// semitone, and so do both of its ends in the registers.
func pitched(x *claim) string {
	low, high := x.n(1), x.n(2)
	if x.m[3] != "" {
		low, high = x.n(3), x.n(3)
	}
	lowWord, highWord := x.m[4], x.m[4]
	if lowWord == "" {
		lowWord, highWord = x.m[5], x.m[6]
	}
	in := func(word string, hz float64) bool {
		return slices.ContainsFunc(registers, func(g grade) bool {
			return g.word == strings.ToLower(word) && hz*semitone >= g.low && hz/semitone <= g.high
		})
	}
	if !in(lowWord, low) || !in(highWord, high) {
		return "a range of other registers"
	}
	list, _ := x.c.sound.pitches(x.c.sound.start, x.c.sound.end())
	list = slices.DeleteFunc(list, func(hz float64) bool { return hz < 60/semitone || hz > 800*semitone })
	inside := 0
	for _, hz := range list {
		if hz*semitone >= low && hz/semitone <= high {
			inside++
		}
	}
	return unless(10*inside >= 6*len(list) && len(list) > 0, "%d of %d pitches lie there, they go from %.0f to %.0f Hz", inside, len(list), quantile(list, 0.1), quantile(list, 0.9))
}

func course(x *claim) string {
	a := x.c.sound
	there, all := a.level(x.from, x.to), a.level(a.start, a.end())
	off, want := levelOff, x.n(2)
	if x.again {
		off, want = 4, there
	}
	louder := there > all+5
	if x.m[1] == "quieter" {
		louder = there < all-5
	}
	return unless(louder && math.Abs(there-want) <= off && math.Abs(all-x.n(3)) <= levelOff, "%.1f dBFS against %.1f", there, all)
}

// speech is told only of clips in which somebody is known to speak, and not
// where nothing is heard.
func speech(x *claim) string {
	if !x.c.spoken {
		return "nobody speaks in the clip"
	}
	high := x.c.sound.highest(x.from, x.to, 0.1)
	return unless(high > -55, "100 ms of it have %.1f dBFS at most", high)
}
