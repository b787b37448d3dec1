package signal

import (
	"cmp"
	"fmt"
	"slices"
)

// A Hint lists sources that a measured texture is consistent with. It is never
// complete and never asserts one: say "consistent with", not "is".
type Hint struct {
	Texture        string   // what was measured, in words
	ConsistentWith []string // sources; their order means nothing
	Sure           float64  // that the texture is as described; nothing about sources
	Basis          string
}

// leastHint is the confidence under which a texture is not mentioned.
const leastHint = 0.4

// hints names the textures that f shows, surest first.
func hints(f *Facts) []Hint {
	var out []Hint
	if f.Silences.All || !f.Level.Known {
		return nil
	}
	for _, look := range []func(*Facts) Hint{steadyNoise, swellingNoise, evenRepeats, crackle, pitchedBursts, heldPitch, humming} {
		if h := look(f); h.Sure >= leastHint {
			out = append(out, h)
		}
	}
	slices.SortStableFunc(out, func(a, b Hint) int { return cmp.Compare(b.Sure, a.Sure) })
	return out
}

// noisy is how much like noise the speech band is, without lines, and how little
// pitched.
func noisy(f *Facts) float64 {
	return ramp(f.Spectrum.Flatness, 0.08, 0.2) * ramp(float64(f.Spectrum.Lines), 2, 0) * ramp(f.Pitch.Share, 0.3, 0.1) * ramp(f.Speech.Peak, 0.5, 0.2)
}

func steadyNoise(f *Facts) Hint {
	h := Hint{
		Texture:        "steady broadband noise, darker",
		ConsistentWith: []string{"wind", "traffic", "waves", "an engine", "ventilation"},
		Sure:           noisy(f) * ramp(f.Texture.Steadiness, 6, 3) * f.Texture.Sure * ramp(f.Silences.Share, 0.1, 0.02),
		Basis: fmt.Sprintf("levels within %.1f dB, flatness %.2f, centroid %.0f Hz",
			f.Texture.Steadiness, f.Spectrum.Flatness, f.Spectrum.Centroid),
	}
	if f.Spectrum.Centroid > 2000 {
		h.Texture = "steady broadband noise, bright"
		h.ConsistentWith = []string{"rain", "running water", "waves", "wind", "traffic on a wet road", "applause", "ventilation"}
	}
	return h
}

func swellingNoise(f *Facts) Hint {
	few := ramp(f.Onsets.PerMinute, 60, 20)
	return Hint{
		Texture:        "noise that swells and recedes",
		ConsistentWith: []string{"waves", "gusts of wind", "passing vehicles", "breathing", "applause"},
		Sure:           noisy(f) * few * ramp(f.Texture.Steadiness, 4, 8) * f.Texture.Sure,
		Basis:          fmt.Sprintf("levels spread over %.1f dB, %.0f onsets a minute", f.Texture.Steadiness, f.Onsets.PerMinute),
	}
}

func evenRepeats(f *Facts) Hint {
	if !f.Repeats.Known {
		return Hint{}
	}
	h := Hint{
		Texture:        "short sounds at even intervals",
		ConsistentWith: []string{"a clock", "a metronome", "dripping water", "a signal tone", "music with an even beat", "a machine"},
		Sure:           f.Repeats.Sure,
		Basis:          fmt.Sprintf("%.2f a second, autocorrelation %.2f", f.Repeats.Rate, f.Repeats.Strength),
	}
	if f.Repeats.Rate > 6 {
		h.Texture = "fast even pulses"
		h.ConsistentWith = []string{"an engine", "a rotor", "a motor", "an alarm", "an insect", "a drum roll"}
	}
	return h
}

func crackle(f *Facts) Hint {
	short := 0
	for _, b := range f.Bursts.Spans {
		if b.End-b.Start <= shortBurst {
			short++
		}
	}
	perMinute := 60 * float64(short) / max(1, f.Duration.Seconds())
	return Hint{
		Texture:        "many short clicks at uneven intervals",
		ConsistentWith: []string{"a crackling fire", "drops on a hard surface", "typing", "handling noise", "a worn record"},
		Sure: ramp(perMinute, 20, 60) * ramp(float64(short), 2, 6) * ramp(f.Pitch.Share, 0.3, 0.1) *
			ramp(f.Repeats.Strength, 0.5, 0.3) * ramp(f.Speech.Peak, 0.5, 0.2),
		Basis: fmt.Sprintf("%.0f bursts a minute of 0.1 s or less, none at an even interval", perMinute),
	}
}

func pitchedBursts(f *Facts) Hint {
	return Hint{
		Texture:        "bursts with a pitch",
		ConsistentWith: []string{"animal calls", "cries or shouts", "single words", "single notes", "squeaks", "horns"},
		Sure: ramp(float64(len(f.Bursts.Spans)), 0, 2) * ramp(f.Pitch.Share, 0.05, 0.25) *
			ramp(f.Speech.Peak, 0.5, 0.2) * f.Pitch.Sure,
		Basis: fmt.Sprintf("%d bursts, %.0f %% of the sound with a pitch, median %.0f Hz",
			len(f.Bursts.Spans), 100*f.Pitch.Share, f.Pitch.Median),
	}
}

func heldPitch(f *Facts) Hint {
	return Hint{
		Texture:        "mostly pitched sound",
		ConsistentWith: []string{"an instrument", "singing", "a siren", "a whistle", "a motor", "animal calls", "a cry"},
		Sure:           ramp(f.Pitch.Share, 0.3, 0.6) * ramp(f.Speech.Peak, 0.5, 0.2) * f.Pitch.Sure,
		Basis: fmt.Sprintf("%.0f %% of the sound with a pitch, %.0f to %.0f Hz",
			100*f.Pitch.Share, f.Pitch.Low, f.Pitch.High),
	}
}

func humming(f *Facts) Hint {
	if !f.Hum.Present {
		return Hint{}
	}
	return Hint{
		Texture:        fmt.Sprintf("lines at multiples of %.0f Hz", f.Hum.Base),
		ConsistentWith: []string{"mains hum in the recording", "a transformer", "a motor or rotor of that speed"},
		Sure:           f.Hum.Sure,
		Basis:          f.Hum.Basis,
	}
}
