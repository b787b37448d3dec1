package detective

import (
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/perceive"
)

// How alike words must be.
const (
	readIt     = 0.85 // to what was read, to be supported
	misreadIt  = 0.65 // from here to readIt it is the same text, but otherwise
	heardIt    = 0.8  // to what was heard, to be supported
	nearlyFull = 0.95 // share of the clip that must be silent to call it silent
)

// A measurement is what one tool measured, sorted by kind.
type measurement struct {
	tool   string
	clip   ClipInfo
	kinds  map[perceive.Kind][]*Evidence
	denied map[perceive.Kind][]*Evidence // what it says is not there
	lacks  []*Evidence                   // absences of the tool's own sense
	sense  omniscope.Modality
}

func newMeasurement(tool string, l Ledger, clip ClipInfo) *measurement {
	m := &measurement{tool: tool, clip: clip, kinds: make(map[perceive.Kind][]*Evidence), denied: make(map[perceive.Kind][]*Evidence)}
	for i := range l {
		e := &l[i]
		m.sense = e.Sense
		said := false
		for kind := range denials {
			if denies(e.What, kind) && e.Quote == "" && e.Sure >= perhaps && e.Kind != perceive.Silence {
				m.denied[kind], said = append(m.denied[kind], e), true
			}
		}
		switch {
		case e.Kind == perceive.Absence:
			m.lacks = append(m.lacks, e)
		case !said:
			m.kinds[e.Kind] = append(m.kinds[e.Kind], e)
		}
	}
	return m
}

// measured compares a fact with what a tool observed. able is false if the
// tool does not measure anything of the kind.
func measured(f *Fact, tool string, l Ledger, clip ClipInfo) (say Say, able bool) {
	m := newMeasurement(tool, l, clip)
	if len(m.lacks) > 0 {
		return m.lacking(f)
	}
	switch f.Kind {
	case FactText:
		return m.text(f)
	case FactSpeech:
		return m.speech(f)
	case FactQuote:
		return m.quote(f)
	case FactCuts, FactCutAt:
		return m.cuts(f)
	case FactSilent:
		return m.silent()
	case FactSilence:
		return m.silence(f)
	case FactNoSpeech:
		return m.none(perceive.Speech)
	case FactNoText:
		return m.none(perceive.Text)
	}
	return m.colour(f)
}

func (m *measurement) say(v Verdict, rests []*Evidence, format string, args ...any) (Say, bool) {
	return Say{Tool: m.tool, Verdict: v, Outcome: omniscope.OK, Why: fmt.Sprintf(format, args...), Evidence: ids(rests)}, true
}

// lacking is for a clip that has no such track at all.
func (m *measurement) lacking(f *Fact) (Say, bool) {
	if f.sense() != m.sense {
		return Say{}, false
	}
	what := "no picture"
	if m.sense == omniscope.Audio {
		what = "no sound"
	}
	if slices.Contains([]FactKind{FactSilent, FactSilence, FactNoSpeech, FactNoText}, f.Kind) {
		return m.say(Supported, m.lacks, "the clip has %s", what)
	}
	return m.say(Contradicted, m.lacks, "the clip has %s", what)
}

func (m *measurement) text(f *Fact) (Say, bool) {
	if len(m.kinds[perceive.Text]) == 0 {
		if rests := m.denied[perceive.Text]; len(rests) > 0 && rests[0].Sure >= plainly {
			return m.say(Contradicted, rests, "no text can be read")
		}
		return Say{}, false
	}
	likeness, stretch, rests := bestQuote(f.Quote, m.kinds[perceive.Text], 0)
	switch {
	case likeness >= readIt && !f.timely(rests):
		return m.say(Unsupported, nil, "reads “%s” at another time", stretch)
	case likeness >= readIt && sameNumbers(f.Quote, stretch):
		return m.say(Supported, rests, "reads “%s”", stretch)
	case likeness >= misreadIt && len(rests) > 0 && rests[0].Sure >= plainly:
		return m.say(Contradicted, rests, "reads “%s” instead", stretch)
	}
	return m.say(Unsupported, nil, "not among the words it read")
}

// bestQuote returns how alike a quote is to the stretch of all quotes together
// that resembles it most, and the observation that has most of it.
func bestQuote(quote string, list []*Evidence, leastSure float64) (likeness float64, stretch string, rests []*Evidence) {
	wanted := words(quote)
	var all []string
	for _, e := range list {
		if e.Sure < leastSure {
			continue
		}
		own := words(e.Quote)
		all = append(all, own...)
		if got, what := closest(wanted, own); got > likeness {
			likeness, stretch, rests = got, what, []*Evidence{e}
		}
	}
	if got, what := closest(wanted, all); got > likeness {
		likeness, stretch = got, what
		rests = slices.DeleteFunc(slices.Clone(list), func(e *Evidence) bool {
			return e.Sure < leastSure || !slices.ContainsFunc(words(e.Quote), func(w string) bool { return slices.Contains(wanted, w) })
		})
	}
	return likeness, stretch, rests
}

// sameNumbers reports whether two texts have the same numbers: a digit is a
// small part of a text, and may be all that matters.
func sameNumbers(a, b string) bool {
	numbers := func(s string) []string {
		return slices.DeleteFunc(words(s), func(w string) bool { return !strings.ContainsAny(w, "0123456789") })
	}
	return slices.Equal(numbers(a), numbers(b))
}

func (m *measurement) speech(f *Fact) (Say, bool) {
	if len(m.kinds[perceive.Speech]) == 0 {
		if rests := m.denied[perceive.Speech]; len(rests) > 0 && rests[0].Sure >= plainly {
			return m.say(Contradicted, rests, "no speech can be heard")
		}
		if rests, share := m.silentShare(); share >= nearlyFull {
			return m.say(Contradicted, rests, "the sound is silent")
		}
		return Say{}, false
	}
	likeness, stretch, rests := bestQuote(f.Quote, m.kinds[perceive.Speech], perhaps)
	if likeness >= heardIt {
		return m.say(Supported, rests, "hears “%s”", stretch)
	}
	return m.say(Unsupported, nil, "not among the words it heard with confidence")
}

// quote is for words that may be read or heard: that one sense misses them
// says nothing.
func (m *measurement) quote(f *Fact) (Say, bool) {
	for _, sense := range []func(*Fact) (Say, bool){m.text, m.speech} {
		if say, able := sense(f); able && say.Verdict == Supported {
			return say, true
		}
	}
	if len(m.kinds[perceive.Text])+len(m.kinds[perceive.Speech]) == 0 {
		return Say{}, false
	}
	return m.say(Unsupported, nil, "not among the words it read or heard")
}

func (m *measurement) cuts(f *Fact) (Say, bool) {
	if len(m.kinds[perceive.Cut])+len(m.kinds[perceive.Scene])+len(m.denied[perceive.Cut]) == 0 {
		return Say{}, false
	}
	all := m.kinds[perceive.Cut]
	seen := slices.DeleteFunc(slices.Clone(all), func(e *Evidence) bool { return e.Sure < perhaps })
	if f.Kind == FactCuts {
		switch {
		case len(seen) == f.Count:
			return m.say(Supported, seen, "cuts seen: %d", len(seen))
		case len(seen) < f.Count && f.Count <= len(all):
			return m.say(Unsupported, all, "cuts seen: %d, and perhaps %d more", len(seen), len(all)-len(seen))
		}
		return m.say(Contradicted, seen, "cuts seen: %d", len(seen))
	}
	var nearby *Evidence
	for _, e := range all {
		if max(e.StartS-f.AtS, f.AtS-e.StartS) <= f.WithinS && (nearby == nil || e.Sure > nearby.Sure) {
			nearby = e
		}
	}
	switch {
	case nearby == nil:
		return m.say(Contradicted, seen, "no cut is nearer than %.1f s", f.WithinS)
	case nearby.Sure < perhaps:
		return m.say(Unsupported, []*Evidence{nearby}, "perhaps a cut at %s", seconds(nearby.StartS))
	}
	return m.say(Supported, []*Evidence{nearby}, "a cut at %s", seconds(nearby.StartS))
}

// silentShare is the share of the clip that is silent.
func (m *measurement) silentShare() (rests []*Evidence, share float64) {
	for _, e := range m.kinds[perceive.Silence] {
		rests = append(rests, e)
		if e.whole() {
			return rests, 1
		}
		if from, length := m.clip.StartS, m.clip.LengthS; length > 0 {
			share += max(0, min(e.end(), from+length)-max(e.StartS, from)) / length
		}
	}
	return rests, share
}

func (m *measurement) silent() (Say, bool) {
	rests, share := m.silentShare()
	if share >= nearlyFull {
		return m.say(Supported, rests, "the sound is silent throughout")
	}
	if rests := m.denied[perceive.Sound]; len(rests) > 0 {
		return m.say(Supported, rests, "no sound found")
	}
	heard := slices.Concat(m.kinds[perceive.Speech], m.kinds[perceive.Sound])
	heard = slices.DeleteFunc(heard, func(e *Evidence) bool { return e.Sure < perhaps })
	if len(heard) > 0 {
		return m.say(Contradicted, heard, "there is something to hear")
	}
	return Say{}, false
}

func (m *measurement) silence(f *Fact) (Say, bool) {
	if rests := m.kinds[perceive.Silence]; len(rests) > 0 {
		if !f.timely(rests) {
			return m.say(Unsupported, nil, "finds silence at other times")
		}
		return m.say(Supported, rests, "silences found: %d", len(rests))
	}
	if rests := m.kinds[perceive.Sound]; len(rests) > 0 {
		return m.say(Contradicted, rests, "no silence found")
	}
	return Say{}, false
}

// timely reports whether an observation is near each time that a fact gives; a
// fact that gives none is content with any.
func (f *Fact) timely(rests []*Evidence) bool {
	const near = 1.0 // seconds
	for _, t := range f.TimesS {
		if !slices.ContainsFunc(rests, func(e *Evidence) bool { return e.StartS-near <= t && t <= e.end()+near }) {
			return false
		}
	}
	return true
}

// none is for the claim that there is nothing of a kind.
func (m *measurement) none(kind perceive.Kind) (Say, bool) {
	there := slices.DeleteFunc(slices.Clone(m.kinds[kind]), func(e *Evidence) bool { return e.Sure < perhaps })
	if len(there) > 0 {
		return m.say(Contradicted, there, "there is %s", kind)
	}
	if rests := m.denied[kind]; len(rests) > 0 && rests[0].Sure >= plainly {
		return m.say(Supported, rests, "no %s found", kind)
	}
	return Say{}, false
}

func (m *measurement) colour(f *Fact) (Say, bool) {
	rests := slices.DeleteFunc(slices.Clone(m.kinds[perceive.Scene]), func(e *Evidence) bool {
		list := words(strings.ReplaceAll(strings.ToLower(e.What), "gray", "grey"))
		return !slices.Contains(list, f.Colour)
	})
	if len(rests) == 0 {
		return Say{}, false
	}
	return m.say(Supported, rests, "names %s among the colours", f.Colour)
}
