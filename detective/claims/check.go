package claims

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/perceive"
)

// How alike words must be.
const (
	readIt     = 0.85 // to what was read, to be supported
	misreadIt  = 0.65 // from here to readIt it is the same text, misread
	heardIt    = 0.8  // to what was heard, to be supported
	nearlyFull = 0.95 // share of the clip that must be silent to call it silent
)

// A Stretch is where the clip is in its file, in seconds. A length of 0 is not known.
type Stretch struct{ StartS, LengthS float64 }

// A measurement is what one tool measured, sorted by kind.
type measurement struct {
	tool   string
	clip   Stretch
	kinds  map[perceive.Kind][]*Evidence
	denied map[perceive.Kind][]*Evidence // what it says is not there
	lacks  []*Evidence                   // absences of the tool's own sense
	sense  omniscope.Modality
}

func newMeasurement(tool string, l Ledger, clip Stretch) *measurement {
	m := &measurement{tool: tool, clip: clip, kinds: make(map[perceive.Kind][]*Evidence), denied: make(map[perceive.Kind][]*Evidence)}
	for i := range l {
		e := &l[i]
		m.sense = e.Sense
		said := false
		if e.Quote == "" && e.Sure >= perhaps && e.Kind != perceive.Silence {
			for _, kind := range deniedBy(e.What) {
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

// Check compares what can be measured of the claim with what a tool observed. able is false if the
// tool does not measure anything of the kind.
func (c *Claim) Check(tool string, l Ledger, clip Stretch) (say Say, able bool) {
	f := c.Fact
	if f == nil {
		return Say{}, false
	}
	m := newMeasurement(tool, l, clip)
	if say, able = m.compare(f); able && f.Hedged && say.Support == Contradicted {
		say.Support, say.Why = Unsupported, "the sentence does not commit itself; "+say.Why
	}
	return say, able
}

func (m *measurement) compare(f *fact) (Say, bool) {
	kind := kinds[f.Kind]
	if len(m.lacks) > 0 {
		return m.lacking(f, kind)
	}
	if kind.sounds || f.Kind == factLoud && f.Word == "loud" {
		if say, silent := m.heard(f); silent {
			if f.Denied {
				say.Support = Supported
			}
			return say, true
		}
	}
	return kind.check(m, f)
}

func (m *measurement) say(v Support, rests []*Evidence, format string, args ...any) (Say, bool) {
	return Say{Tool: m.tool, Support: v, Outcome: omniscope.OK, Why: fmt.Sprintf(format, args...), Evidence: ids(rests)}, true
}

// lacking is for a clip that has no such track at all.
func (m *measurement) lacking(f *fact, kind rules) (Say, bool) {
	if kind.sense != m.sense {
		return Say{}, false
	}
	what := "no picture"
	if m.sense == omniscope.Audio {
		what = "no sound"
	}
	from, _, _, _ := f.counts()
	return m.say(supportIf(kind.absent || f.Kind == factCuts && from <= 0, true), m.lacks, "the clip has %s", what)
}

// surelyDenied is what a tool says plainly of there being nothing of a kind.
func (m *measurement) surelyDenied(kind perceive.Kind) []*Evidence {
	if rests := m.denied[kind]; len(rests) > 0 && rests[0].Sure >= plainly {
		return rests
	}
	return nil
}

func (m *measurement) text(f *fact) (Say, bool) {
	if len(m.kinds[perceive.Text]) == 0 {
		if rests := m.surelyDenied(perceive.Text); rests != nil {
			return m.say(Contradicted, rests, "no text can be read")
		}
		return Say{}, false
	}
	likeness, stretch, rests := bestQuote(f.Quote, m.kinds[perceive.Text], 0)
	if likeness >= readIt {
		switch {
		case !f.timely(rests, 1):
			return m.say(Unsupported, nil, "reads “%s” at another time", stretch)
		case sameNumbers(f.Quote, stretch) && sameWords(f.Quote, stretch):
			return m.say(Supported, rests, "reads “%s”", stretch)
		case sameNumbers(f.Quote, stretch):
			return m.say(Unsupported, rests, "reads “%s”, which may be the same", stretch)
		}
	}
	if likeness >= misreadIt && len(rests) > 0 && rests[0].Sure >= plainly && otherWord(f.Quote, stretch) && !m.changes(stretch) {
		return m.say(Contradicted, rests, "reads “%s” instead", stretch)
	}
	return m.say(Unsupported, nil, "not among the words it read")
}

// sameWords reports whether two texts have the same words, one by one, but for a
// letter more or less in a long one: harbor, harbour. Another letter in its place
// may make another word.
func sameWords(a, b string) bool {
	x, y := Words(a), Words(b)
	if len(x) != len(y) {
		return strings.Join(x, "") == strings.Join(y, "")
	}
	for i := range x {
		most := max(len(x[i]), len(y[i]))
		if x[i] != y[i] && (most < 6 || len(x[i]) == len(y[i]) || spelling.Distance([]rune(x[i]), []rune(y[i])) > 1) {
			return false
		}
	}
	return true
}

// otherWord reports whether two texts have the same words but for one.
func otherWord(a, b string) bool {
	x, y := Words(a), Words(b)
	if len(x) != len(y) {
		return false
	}
	others := 0
	for i := range x {
		if x[i] != y[i] {
			others++
		}
	}
	return others == 1
}

// changes reports whether a text is read again and again with other numbers, as
// on a clock: what stands there between two looks is not known.
func (m *measurement) changes(stretch string) bool {
	bare := func(s string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }), " ")
	}
	if !strings.ContainsAny(stretch, "0123456789") {
		return false
	}
	seen := make(map[string]bool)
	for _, e := range m.kinds[perceive.Text] {
		if strings.Contains(bare(e.Quote), bare(stretch)) && strings.ContainsAny(e.Quote, "0123456789") {
			seen[strings.Join(Words(e.Quote), " ")] = true
		}
	}
	return len(seen) > 1
}

// bestQuote returns how alike a quote is to the stretch of all quotes together
// that resembles it most, and the observation that has most of it.
func bestQuote(quote string, list []*Evidence, leastSure float64) (likeness float64, stretch string, rests []*Evidence) {
	wanted := Words(quote)
	var all []string
	for _, e := range list {
		if e.Sure < leastSure {
			continue
		}
		own := Words(e.Quote)
		all = append(all, own...)
		if got, what := closest(wanted, own); got > likeness {
			likeness, stretch, rests = got, what, []*Evidence{e}
		}
	}
	if got, what := closest(wanted, all); got > likeness {
		likeness, stretch = got, what
		rests = slices.DeleteFunc(slices.Clone(list), func(e *Evidence) bool {
			return e.Sure < leastSure || !slices.ContainsFunc(Words(e.Quote), func(w string) bool { return slices.Contains(wanted, w) })
		})
	}
	return likeness, stretch, rests
}

// sameNumbers reports whether two texts have the same numbers: a digit is a
// small part of a text, and may be all that matters.
func sameNumbers(a, b string) bool {
	return sameOf(a, b, func(w string) bool { return strings.ContainsAny(w, "0123456789") })
}

// sameDenials reports whether two texts have the same negations: one small word
// turns a sentence around.
func sameDenials(a, b string) bool {
	return sameOf(a, b, func(w string) bool { return slices.Contains(negations, w) })
}

// sameOf reports whether two texts have the same words of a kind, in the same order.
func sameOf(a, b string, kind func(string) bool) bool {
	other := func(w string) bool { return !kind(w) }
	return slices.Equal(slices.DeleteFunc(Words(a), other), slices.DeleteFunc(Words(b), other))
}

func (m *measurement) speech(f *fact) (Say, bool) {
	if len(m.kinds[perceive.Speech]) == 0 {
		if rests := m.surelyDenied(perceive.Speech); rests != nil {
			return m.say(Contradicted, rests, "no speech can be heard")
		}
		if rests, share := m.silentShare(); share >= nearlyFull {
			return m.say(Contradicted, rests, "the sound is silent")
		}
		return Say{}, false
	}
	likeness, stretch, rests := bestQuote(f.Quote, m.kinds[perceive.Speech], perhaps)
	switch {
	case likeness >= heardIt && sameNumbers(f.Quote, stretch) && sameDenials(f.Quote, stretch):
		return m.say(Supported, rests, "hears “%s”", stretch)
	case likeness >= heardIt:
		return m.say(Unsupported, rests, "hears “%s”", stretch)
	}
	return m.say(Unsupported, nil, "not among the words it heard with confidence")
}

// quote is for words that may be read or heard: that one sense misses them
// says nothing.
func (m *measurement) quote(f *fact) (Say, bool) {
	for _, sense := range []func(*fact) (Say, bool){m.text, m.speech} {
		if say, able := sense(f); able && say.Support == Supported {
			return say, true
		}
	}
	if len(m.kinds[perceive.Text])+len(m.kinds[perceive.Speech]) == 0 {
		return Say{}, false
	}
	return m.say(Unsupported, nil, "not among the words it read or heard")
}

// silentShare is the share of the clip that is silent.
func (m *measurement) silentShare() (rests []*Evidence, share float64) {
	for _, e := range m.kinds[perceive.Silence] {
		rests = append(rests, e)
		if e.Whole() {
			return rests, 1
		}
		if from, length := m.clip.StartS, m.clip.LengthS; length > 0 {
			share += max(0, min(e.End(), from+length)-max(e.StartS, from)) / length
		}
	}
	return rests, share
}

func (m *measurement) silent(*fact) (Say, bool) {
	rests, share := m.silentShare()
	if share >= nearlyFull {
		return m.say(Supported, rests, "the sound is silent throughout")
	}
	if rests := m.denied[perceive.Sound]; len(rests) > 0 {
		return m.say(Supported, rests, "no sound found")
	}
	heard := slices.Concat(m.kinds[perceive.Speech], m.kinds[perceive.Sound])
	heard = slices.DeleteFunc(heard, func(e *Evidence) bool { return e.Sure < plainly || !audible(e) })
	if len(heard) > 0 {
		return m.say(Contradicted, heard, "there is something to hear")
	}
	return Say{}, false
}

// heard is for the claim that something can be heard, whatever it is: only a
// sound track that is silent throughout refutes it.
func (m *measurement) heard(*fact) (Say, bool) {
	for _, e := range m.kinds[perceive.Silence] {
		if e.Whole() && e.Sure >= plainly {
			return m.say(Contradicted, []*Evidence{e}, "the sound is silent throughout")
		}
	}
	return Say{}, false
}

// silence is supported by a silence of that time and length. None that is
// measured refutes none: what is silent to an ear may be above any limit.
func (m *measurement) silence(f *fact) (Say, bool) {
	if len(m.kinds[perceive.Silence])+len(m.kinds[perceive.Sound]) == 0 {
		return Say{}, false
	}
	rests := slices.DeleteFunc(slices.Clone(m.kinds[perceive.Silence]), func(e *Evidence) bool {
		from, to := e.StartS, min(e.End(), m.clip.StartS+m.clip.LengthS)
		wrongLength := f.LastS > 0 && max(to-from-f.LastS, f.LastS-to+from) > max(0.5, f.LastS/5)
		beside := f.Range && (from > f.TimesS[0]+silenceNear || to < f.TimesS[1]-silenceNear)
		return e.Sure < perhaps || wrongLength || beside
	})
	switch {
	case len(rests) == 0:
		return m.say(Unsupported, nil, "finds no such silence")
	case !f.Range && !f.timely(rests, silenceNear):
		return m.say(Unsupported, nil, "finds silence at other times")
	}
	return m.say(Supported, rests, "silences found: %d", len(rests))
}

// silenceNear is how far off a silence may begin or end, in seconds.
const silenceNear = 0.3

// timely reports whether an observation is near each time that a fact gives, in seconds; a
// fact that gives none is content with any.
func (f *fact) timely(rests []*Evidence, near float64) bool {
	for _, t := range f.TimesS {
		if !slices.ContainsFunc(rests, func(e *Evidence) bool { return e.StartS-near <= t && t <= e.End()+near }) {
			return false
		}
	}
	return true
}

// none is for the claim that there is nothing of a kind.
func none(kind perceive.Kind) func(*measurement, *fact) (Say, bool) {
	return func(m *measurement, _ *fact) (Say, bool) {
		there := slices.DeleteFunc(slices.Clone(m.kinds[kind]), func(e *Evidence) bool { return e.Sure < plainly })
		if len(there) > 0 {
			return m.say(Contradicted, there, "there is %s", kind)
		}
		if rests := m.surelyDenied(kind); rests != nil {
			return m.say(Supported, rests, "no %s found", kind)
		}
		return Say{}, false
	}
}

// leastShare is the share of the whole clip that a predominant colour has at
// least.
const leastShare = 0.3

func (m *measurement) colour(f *fact) (Say, bool) {
	share := strings.ReplaceAll(f.Colour, "grey", "gr?y") + "_share"
	rests := slices.DeleteFunc(slices.Clone(m.kinds[perceive.Scene]), func(e *Evidence) bool {
		list := Words(strings.ReplaceAll(strings.ToLower(e.What), "gray", "grey"))
		return !e.Whole() || !slices.Contains(list, f.Colour) || !e.mostly(share)
	})
	if len(rests) == 0 {
		return Say{}, false
	}
	return m.say(Supported, rests, "names %s among the colours", f.Colour)
}

// mostly reports whether the shares of a colour, light and dark, add up to much
// of the picture; a tool that gives no shares is taken at its word.
func (e *Evidence) mostly(colour string) bool {
	sum, given := 0.0, false
	for name, share := range e.Values {
		if strings.HasSuffix(name, "_share") {
			given = true
			if matched, _ := path.Match("*"+colour, name); matched {
				sum += share
			}
		}
	}
	return !given || sum >= leastShare
}
