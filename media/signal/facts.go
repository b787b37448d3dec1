package signal

import (
	"time"

	"omniscope"
)

// Facts is all that was measured of a stream. Facts that could not be measured
// are not Known and say in Basis why; their numbers mean nothing then.
type Facts struct {
	Rate     int           // Hz
	Channels int           // 1 or 2
	Duration time.Duration // of the samples taken
	Unusable int64         // samples that were no numbers and counted as 0

	Level    Level
	Silences Silences
	Clipping Clipping
	Stereo   Stereo
	Band     Band
	Spectrum Spectrum
	Hum      Hum
	Onsets   Onsets
	Tempo    Tempo
	Repeats  Repeats
	Texture  Texture
	Bursts   Bursts
	Pitch    Pitch
	Notes    Notes
	Speech   Speech
	Hints    []Hint // surest first
}

// Evidence says how far a fact can be trusted.
type Evidence struct {
	Known bool
	// Sure is between 0 and 1. It orders facts of one kind, and 0.5 is
	// where a cautious reader would begin to mention the fact; it is no
	// probability.
	Sure float64
	// From is how much sound the fact rests on.
	From time.Duration
	// Basis names what was measured, or why nothing was, in a few words.
	Basis string
}

// Level is how loud the stream is, and how that changes. Levels are dBFS of the
// RMS of both channels' mean power.
type Level struct {
	Evidence
	RMS     float64 // over all
	Peak    float64 // highest sample of any channel, dBFS; true peaks may lie higher
	Crest   float64 // Peak less RMS, dB
	Offset  float64 // largest mean of a channel, in parts of full scale
	Digital float64 // share of the stream that is zeros only

	// These are levels above 80 Hz, so that an offset or an inaudible
	// rumble does not hide silences and bursts.
	Floor float64 // 10th percentile of 100 ms levels, digital silence left out
	Loud  float64 // 95th percentile of 100 ms levels, digital silence left out
	Range float64 // Loud less Floor, dB

	Seconds []float64 // level of each whole second, of everything
}

// Silences are stretches of at least 0.3 s near the floor. The threshold is
// measured, since a fixed one finds no pause in a noisy recording.
type Silences struct {
	Evidence
	Threshold float64 // dBFS of 50 ms levels
	All       bool    // nothing but silence
	Spans     []Silence
	Parts     []Quiet // what of the spans is how quiet, in itself
	Share     float64 // of the stream
}

// A Silence is a stretch without sound, or with background noise only.
type Silence struct {
	omniscope.Span
	Level float64 // above 80 Hz, dBFS
	// Sure is high for what is low in itself or far below the loud parts:
	// a quiet passage of music is no silence.
	Sure float64
}

// A Depth says how quiet a silence is.
type Depth int

// The depths.
const (
	Empty      Depth = iota // nothing at all but perhaps the last bit
	Still                   // an inaudible room
	Faint                   // a faint background
	Background              // a background that is quiet only beside what is loud
)

// depths are the levels, in dBFS of everything that sounds, below which a silence
// is throughout; Background has none.
var depths = [...]float64{Empty: -96, Still: -60, Faint: -50}

// A Quiet is a stretch within a silence that is so quiet throughout. Its Level
// is that of everything.
type Quiet struct {
	Silence
	Depth Depth
}

// Clipping counts samples at the limit: three or more in a row at 0.985 of full
// scale or above, in one channel, that are flat.
type Clipping struct {
	Evidence
	PPM     float64 // clipped samples per million, over all channels
	Runs    int64
	Longest time.Duration
	First   time.Duration // where the first run begins
}

// Stereo is how two channels belong together. It is not Known for one channel.
type Stereo struct {
	Evidence
	Balance     float64 // right less left, dB; limited to ±120
	Correlation float64 // of the samples, -1 to 1; 0 if a channel is silent
	DualMono    bool    // both channels hold the same
	Inverted    bool    // one is the other in opposite phase: a mono mix would lose it
	OneSided    bool    // one channel is silent, or more than 60 dB below the other
}

// Band is where the spectrum ends: the steepest drop of the long-term spectrum.
// It is not Known where the spectrum reaches up to half the rate or fades away
// gradually, nor for tones, which end where their partials do.
type Band struct {
	Evidence
	Edge float64 // Hz
	Drop float64 // dB, between 0.5 kHz below and 0.5 kHz above
}

// Spectrum describes the long-term spectrum.
type Spectrum struct {
	Evidence
	Centroid float64 // Hz, of power
	Tilt     float64 // dB per octave, 100 Hz to 8 kHz; white noise has 0, pink -3
	Low      float64 // share of power below 250 Hz
	Middle   float64 // 250 to 2000 Hz
	High     float64 // above 2000 Hz
	Flatness float64 // median over loud frames of the speech band's: white noise 0.56, tones near 0; 0 where that band holds next to no power
	Lines    int     // bins that stand out of what is beside them: noise has none
}

// Hum is a comb of lines at multiples of the mains frequency. It is measured in
// pauses; all through only if the sound is steady or speech, because in music it
// would be mixed up with bass notes. Lines too faint to be heard are not Present,
// nor the lines that the word length or a codec adds to a tone.
type Hum struct {
	Evidence
	Present bool
	Base    float64 // 50 or 60 Hz, whichever stands out more
	Excess  float64 // of its lines over their neighbourhood, mean of four, dB
	Level   float64 // of its four lines together, dBFS
	Pauses  bool    // measured in pauses only
}

// Onsets are the beginnings of sounds.
type Onsets struct {
	Evidence
	Times     []Onset
	PerMinute float64
}

// An Onset is where a sound begins, to within about 15 ms.
type Onset struct {
	At       time.Duration
	Strength float64 // mean rise of the bands, dB
}

// Tempo is the pulse of music, or of anything that repeats as evenly. It is
// Known only for 10 s of sound or more with a Pulse of at least 0.3. Half and
// double tempo cannot be distinguished by sound alone.
type Tempo struct {
	Evidence
	BPM   float64 // between 40 and 240, nearest to 120 among equals
	Pulse float64 // autocorrelation of onset strengths at the beat, 0 to 1
}

// Repeats are events at even intervals: ticks, beeps, strokes, blades.
type Repeats struct {
	Evidence
	Rate     float64 // Hz, 0.3 to 20
	Strength float64 // autocorrelation at that interval, 0 to 1
}

// Texture is how the level moves.
type Texture struct {
	Evidence
	// Steadiness is the spread of 200 ms levels, the 90th less the 10th
	// percentile, silences left out, dB. Rain has 1 to 3, speech more than 10.
	Steadiness float64
	Steady     bool // under 4 dB
}

// Bursts are short sounds at least 10 dB above what surrounds them.
type Bursts struct {
	Evidence
	Spans     []Burst
	PerMinute float64
}

// A Burst is a sound of less than 1.5 s that stands out.
type Burst struct {
	omniscope.Span
	Above float64 // peak level over the surroundings, dB
}

// Pitch is the register of what is voiced, whether voice, instrument or animal.
// It says nothing about who that is.
type Pitch struct {
	Evidence
	Median float64 // Hz
	Low    float64 // 10th percentile
	High   float64 // 90th percentile
	Share  float64 // of the sounding part that has a pitch between 60 and 800 Hz
}

// Speech is whether somebody seems to speak. The detector is made by hand and
// cautious: it misses speech in noise or music rather than hear it where there
// is none, and it cannot tell speech from singing or from very similar sounds.
// Single words with long gaps, children's voices, speech under music and crowds
// are missed, so that Sure is at most 0.5 where nothing was found, except in
// silence.
type Speech struct {
	Evidence
	Present bool // at least one span
	Spans   []SpeechSpan
	Share   float64 // of the stream
	Peak    float64 // highest confidence of any 2.5 s, spans or not
}

// A SpeechSpan is a stretch that sounds like speech, to within about half a
// second.
type SpeechSpan struct {
	omniscope.Span
	Sure float64
}

// Facts returns what has been measured so far. It may be called again after
// more samples, and changes nothing.
func (a *Analyzer) Facts() Facts {
	f := Facts{Rate: a.rate, Channels: a.channels, Duration: a.sampleTime(a.frames), Unusable: a.unusable}
	f.Level = a.level()
	f.Silences = a.silences(&f.Level)
	quiet := a.quietHops(&f.Silences)
	f.Clipping = a.clipping()
	f.Stereo = a.stereo()
	f.Band = a.band(quiet)
	f.Texture = a.texture(quiet)
	f.Spectrum = a.spectrum(quiet)
	f.Bursts = a.bursts()
	f.Onsets = a.onsets()
	pulse := a.newPulse()
	f.Tempo = a.tempo(pulse)
	f.Repeats = a.repeats(pulse)
	f.Pitch = a.register(quiet)
	f.Notes = a.notes()
	f.Speech = a.speech(&f.Level)
	f.Hum = a.mainsHum(&f)
	f.Hints = hints(&f)
	return f
}
