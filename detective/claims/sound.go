package claims

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"omniscope/perceive"
)

// What a sentence says of the sound of the clip, in small letters.
var (
	soundless = regexp.MustCompile(`\b(?:clip|video|footage|recording|audio|soundtrack|sound track|audio track|sound)(?: itself)? (?:is|remains|stays|was) (?:completely |entirely |totally |absolutely )?(?:silent|soundless|mute|muted)\b` +
		`|\b(?:silent|soundless) (?:clip|video|footage|recording|audio|soundtrack)\b`)
	channelled = regexp.MustCompile(`\b(?:is|are|in|sounds?) (?:a |plain |pure |true )?(mono|monophonic|monaural|stereo|stereophonic)\b` +
		`|\b(mono|monophonic|monaural|stereo|stereophonic) (?:sound|audio|recording|track|soundtrack|signal|mix)\b`)
	paced      = regexp.MustCompile(`\b(about |around |roughly |approximately |nearly |almost )?(\d+(?:\.\d+)?) ?(?:bpm|beats per minute|beats a minute)\b`)
	pitched    = regexp.MustCompile(`\b(?:at|of|near|around|about|approximately|roughly|is|a|an) (\d+(?:\.\d+)?) ?(hz|hertz|khz)\b`)
	hertzRange = regexp.MustCompile(`\b(?:from|between) \d+ (?:to|and) \d+ hz\b`)
	metered    = regexp.MustCompile(`(?:[-−–]|minus )(\d+(?:\.\d+)?) ?(?:lufs|lkfs)\b`)
	loudness   = regexp.MustCompile(`\b(?:sound|audio|soundtrack|sound track|audio track|recording|clip)(?: as a whole| overall)? (?:is|sounds) (very |extremely |quite |rather )?(loud|quiet|faint)\b`)
	mainsHum   = regexp.MustCompile(`\b(?:mains|electrical|electric|power line|powerline|(?:50|60) ?(?:hz|hertz)) (?:hum|buzz)\b|\bmultiples of (?:50|60) hz\b`)
	humBase    = regexp.MustCompile(`\b(50|60) ?(?:hz|hertz)\b`)
	noHum      = regexp.MustCompile(`\b(?:no|without(?: any)?|free (?:of|from)) (?:audible |perceptible |noticeable )?(?:((?:mains|electrical|electric|power line|powerline|(?:50|60) ?(?:hz|hertz)) )(?:hum|buzz)|hum)\b`)
	onlySide   = regexp.MustCompile(`\bonly (?:in |on |from |through )?the (left|right) (?:audio |stereo |sound )?channel\b` +
		`|\bthe (left|right) (?:audio |stereo |sound )?channel (?:is|remains|stays) (?:completely |entirely |totally )?(?:silent|mute|empty)\b`)
	loudDevices = strings.Fields("system systems set speaker speakers player equipment headphones headset cables microphone microphones")
	toneWords   = strings.Fields("tone tones pitch pitches note notes sine beep")
	bandWords   = strings.Fields("rate sampling sampled band above below filter filtered multiples spectrum")
)

// soundFacts finds what a sentence about the entire clip states of
// its sound: silence, channels, tempo, pitch, loudness, mains hum.
func soundFacts(bare string) (facts []fact) {
	s := hertzRange.ReplaceAllString(strings.ToLower(strings.Join(strings.Fields(bare), " ")), "")
	if m := onlySide.FindStringSubmatch(s); m != nil && !scoped(strings.Replace(s, m[0], " ", 1)) {
		side := m[1]
		if side == "" {
			side = map[string]string{"left": "right", "right": "left"}[m[2]]
		}
		return []fact{{Kind: factSide, Word: side}}
	}
	// These words narrow nothing here: half the tempo, near a pitch.
	if scoped(strings.NewReplacer("half or twice", "", " near ", " at ").Replace(s)) && !mainsHum.MatchString(s) {
		return nil
	}
	if soundless.MatchString(s) && !denies(s, perceive.Sound) {
		facts = append(facts, fact{Kind: factSilent})
	}
	if n := channelsIn(s); n > 0 {
		facts = append(facts, fact{Kind: factChannels, Count: n})
	}
	for _, find := range []func(string) (fact, bool){tempoIn, loudnessIn, toneIn} {
		if f, ok := find(s); ok {
			facts = append(facts, f)
		}
	}
	return facts
}

func tempoIn(s string) (fact, bool) {
	m := paced.FindStringSubmatch(s)
	if m == nil || anyOf(Words(s), "heart", "heartbeat") {
		return fact{}, false
	}
	f := fact{Kind: factTempo, Number: atof(m[2])}
	if m[1] != "" {
		f.Bound = about
	}
	return f, true
}

func loudnessIn(s string) (fact, bool) {
	if m := metered.FindStringSubmatch(s); m != nil {
		return fact{Kind: factLoudness, Number: -atof(m[1])}, true
	}
	if m := loudness.FindStringSubmatch(s); m != nil {
		return fact{Kind: factLoud, Word: m[2]}, true
	}
	return fact{}, false
}

// toneIn finds mains hum, or else a pitch.
func toneIn(s string) (fact, bool) {
	if mainsHum.MatchString(s) {
		f := fact{Kind: factHum}
		if m := humBase.FindStringSubmatch(s); m != nil {
			f.Number = atof(m[1])
		}
		return f, true
	}
	m := pitched.FindStringSubmatch(s)
	if m == nil || !anyOf(Words(s), toneWords...) || anyOf(Words(s), bandWords...) {
		return fact{}, false
	}
	f := fact{Kind: factPitch, Number: atof(m[1])}
	if m[2] == "khz" {
		f.Number *= 1000
	}
	return f, true
}

// deniedHum finds that a sentence about the entire clip says that no hum is heard.
func deniedHum(bare string) []fact {
	s := strings.ToLower(strings.Join(strings.Fields(bare), " "))
	m := noHum.FindStringSubmatch(s)
	if m == nil || negates(strings.Replace(s, m[0], " ", 1)) {
		return nil
	}
	f := fact{Kind: factHum, Denied: true, Word: strings.TrimSpace(m[1])}
	if base := humBase.FindStringSubmatch(m[1]); base != nil {
		f.Number = atof(base[1])
	}
	return []fact{f}
}

// channelsIn is the number of channels that a sentence gives to the sound; 0 = it
// gives no number, or names a device.
func channelsIn(s string) int {
	if anyOf(Words(s), loudDevices...) {
		return 0
	}
	m := channelled.FindStringSubmatch(s)
	switch {
	case m == nil:
		return 0
	case strings.HasPrefix(m[1]+m[2], "mon"):
		return 1
	}
	return 2
}

func atof(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// value finds the first observation of the clip's sound with a measured value.
func (m *measurement) value(name string) (e *Evidence, v float64, ok bool) {
	for _, e := range m.kinds[perceive.Sound] {
		if v, ok := e.Values[name]; ok && e.Whole() {
			return e, v, true
		}
	}
	return nil, 0, false
}

// judged compares a measured value by a rule. The format prints the value; "" = in the words of the tool.
func (m *measurement) judged(name, format string, rule func(e *Evidence, v float64) Support) (Say, bool) {
	e, v, ok := m.value(name)
	switch {
	case !ok:
		return Say{}, false
	case format == "":
		return m.say(rule(e, v), []*Evidence{e}, "%s", shortened(e.What))
	}
	return m.say(rule(e, v), []*Evidence{e}, format, v)
}

// How near a measured value must be to support a claim, and how far to refute it.
const (
	tempoNear  = 0.03 // as a share of the tempo
	tempoAbout = 0.06
	tempoFar   = 0.12
	pitchNear  = 0.03 // half a semitone
	pitchFar   = 0.12
	louderNear = 1.0 // LU
	louderFar  = 2.5
	notHeard   = -60.0 // dBFS or LUFS: what is fainter breaks no silence
)

// channels compares a number of channels. Two equal channels, or a sounding and a silent
// one, are neither mono nor stereo beyond doubt.
func (m *measurement) channels(f *fact) (Say, bool) {
	return m.judged("channels", "", func(e *Evidence, n float64) Support {
		alone := math.Abs(e.Values["balance_db"]) > oneChannel || e.Values["correlation"] > 0.9999
		unclear := n == 2 && alone
		return supportIf(!unclear && n == float64(f.Count), !unclear)
	})
}

// What measuring may confuse: a tempo with that of other beats, a pitch with a
// partial.
var (
	beats    = []float64{1. / 4, 1. / 3, 1. / 2, 2. / 3, 3. / 2, 2, 3, 4}
	partials = []float64{1. / 4, 1. / 3, 1. / 2, 2, 3, 4}
)

// nearRatio reports whether a number is near one of some multiples or fractions of
// another.
func nearRatio(a, b, near float64, ratios []float64) bool {
	for _, r := range ratios {
		if math.Abs(a/b-r) <= near*r {
			return true
		}
	}
	return false
}

func (m *measurement) tempo(f *fact) (Say, bool) {
	near := tempoNear
	if f.Bound == about {
		near = tempoAbout
	}
	return m.judged("bpm", "measures %.0f beats a minute, or half or twice that", func(e *Evidence, bpm float64) Support {
		off := math.Abs(f.Number-bpm) / bpm
		return supportIf(off <= near, off > tempoFar && e.Sure >= plainly && !nearRatio(f.Number, bpm, tempoFar, beats))
	})
}

// pitch compares a claimed pitch with the pitches that were measured, from 60 to
// 800 Hz. A partial is a tone of its own, so that it refutes no other.
func (m *measurement) pitch(f *fact) (Say, bool) {
	return m.judged("pitch_hz", "measures pitches near %.0f Hz", func(e *Evidence, hz float64) Support {
		low, high := e.Values["pitch_low_hz"], e.Values["pitch_high_hz"]
		beyond := low > 0 && (f.Number < low*(1-pitchFar) || f.Number > high*(1+pitchFar)) && f.Number >= 60 && f.Number <= 800
		return supportIf(math.Abs(f.Number-hz) <= pitchNear*hz && low > 0 && high <= 1.1*low,
			beyond && e.Values["pitched_share"] >= 0.8 && e.Sure >= plainly && !nearRatio(f.Number, hz, pitchFar, partials))
	})
}

func (m *measurement) loudness(f *fact) (Say, bool) {
	return m.judged("integrated_lufs", "measures %.1f LUFS", func(_ *Evidence, lufs float64) Support {
		off := math.Abs(f.Number - lufs)
		return supportIf(off <= louderNear, off > louderFar)
	})
}

// loud compares a word. What one hears as loud depends on the volume control, so
// that only what is far off is refuted: at -14 LUFS streaming services play, at
// -23 broadcasts (EBU R 128).
func (m *measurement) loud(f *fact) (Say, bool) {
	const loud, middle, quiet = -17.0, -25.0, -33.0
	return m.judged("integrated_lufs", "measures %.1f LUFS", func(_ *Evidence, lufs float64) Support {
		if f.Word != "loud" {
			lufs = loud + quiet - lufs // mirrored
		}
		return supportIf(lufs >= loud, lufs < middle-4)
	})
}

// hum compares mains hum. A tool that looked for it and found no line of it says so by the
// value hum, which is 0. Without a word for the mains, "no hum" may be of another hum.
func (m *measurement) hum(f *fact) (Say, bool) {
	there, not := Supported, Contradicted
	if f.Denied {
		there, not = Contradicted, Supported
		if f.Word == "" {
			not = Unsupported
		}
	}
	if e, base, ok := m.value("hum_hz"); ok && e.Sure >= perhaps {
		if f.Number > 0 && f.Number != base {
			return m.say(not, []*Evidence{e}, "measures hum of %.0f Hz", base)
		}
		return m.say(there, []*Evidence{e}, "measures hum of %.0f Hz", base)
	}
	if e, v, ok := m.value("hum"); ok && v == 0 {
		return m.say(not, []*Evidence{e}, "finds no lines of mains hum")
	}
	return Say{}, false
}

// The difference of the levels of two channels, in dB, if one alone carries sound, and if
// both surely do.
const (
	oneChannel   = 60.0
	bothChannels = 30.0
)

// side compares the only channel with sound.
func (m *measurement) side(f *fact) (Say, bool) {
	return m.judged("balance_db", "", func(_ *Evidence, balance float64) Support {
		if f.Word == "left" {
			balance = -balance
		}
		return supportIf(balance > oneChannel, balance < bothChannels)
	})
}

// audible reports whether an observation is of something that can be heard, and not of
// channels, a sampling rate or a sound that is too faint.
func audible(e *Evidence) bool {
	if e.Kind == perceive.Speech || len(e.Values) == 0 {
		return true
	}
	for _, name := range []string{"integrated_lufs", "rms_dbfs", "level_dbfs"} {
		if v, ok := e.Values[name]; ok {
			return v > notHeard
		}
	}
	for _, name := range []string{"channels", "rate_hz", "pauses"} {
		if _, ok := e.Values[name]; ok {
			return false
		}
	}
	return true
}
