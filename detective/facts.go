package detective

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/perceive"
)

// A FactKind is what can be measured of a claim.
type FactKind string

// The kinds.
const (
	FactText     FactKind = "text"      // words to read
	FactSpeech   FactKind = "speech"    // words to hear
	FactQuote    FactKind = "quote"     // words of which the caption does not say whether they are read or heard
	FactCuts     FactKind = "cuts"      // how many cuts there are
	FactCutAt    FactKind = "cut_at"    // a cut at a time
	FactSilent   FactKind = "silent"    // no sound at all
	FactSilence  FactKind = "silence"   // a silence somewhere
	FactNoSpeech FactKind = "no_speech" // nobody speaks
	FactNoText   FactKind = "no_text"   // nothing to read
	FactColour   FactKind = "colour"    // a predominant colour
)

// A Fact is what of a claim a tool can check without a model.
type Fact struct {
	Kind    FactKind `json:"kind"`
	Quote   string   `json:"quote,omitempty"`
	Count   int      `json:"count,omitempty"`    // of cuts
	AtS     float64  `json:"at_s,omitempty"`     // of a cut
	WithinS float64  `json:"within_s,omitempty"` // how far off it may be
	Colour  string   `json:"colour,omitempty"`

	// TimesS are the times, in seconds, that the sentence gives for words to read
	// and for silence: what is elsewhere does not support it.
	TimesS []float64 `json:"times_s,omitempty"`
}

// claim is the fact as a sentence.
func (f *Fact) claim() string {
	switch f.Kind {
	case FactText:
		return fmt.Sprintf("The words “%s” can be read.", f.Quote)
	case FactSpeech:
		return fmt.Sprintf("Somebody says “%s”.", f.Quote)
	case FactQuote:
		return fmt.Sprintf("The words “%s” can be read or heard.", f.Quote)
	case FactCuts:
		return fmt.Sprintf("The number of cuts is %d.", f.Count)
	case FactCutAt:
		return fmt.Sprintf("There is a cut at %s s.", strconv.FormatFloat(f.AtS, 'f', -1, 64))
	case FactSilent:
		return "There is no sound."
	case FactSilence:
		return "There is a silence."
	case FactNoSpeech:
		return "Nobody speaks."
	case FactNoText:
		return "There is no text to read."
	}
	return fmt.Sprintf("A predominant colour is %s.", f.Colour)
}

func (f *Fact) sense() omniscope.Modality {
	switch f.Kind {
	case FactSpeech, FactSilent, FactSilence, FactNoSpeech:
		return omniscope.Audio
	case FactQuote:
		return ""
	}
	return omniscope.Visual
}

// factsOf finds what of a sentence can be measured.
func factsOf(sentence string) []Fact {
	var facts []Fact
	quotes := quotesOf(sentence)
	bare := outside(sentence, quotes)
	if negates(bare) {
		facts = absences(bare) // what else it denies would be read as if it were said
		if denies(bare, perceive.Cut) {
			facts = append(facts, Fact{Kind: FactCuts})
		}
		return facts
	}
	times := timesOf(bare)
	for _, q := range quotes {
		if len(words(q.text)) > 0 {
			facts = append(facts, Fact{Kind: quoteKind(bare, q), Quote: q.text, TimesS: times})
		}
	}
	if at := cutTimes(bare); len(at) > 0 {
		facts = append(facts, at...)
	}
	if n := cutCount(bare); n >= 0 {
		facts = append(facts, Fact{Kind: FactCuts, Count: n})
	}
	facts = append(facts, absences(bare)...)
	return append(facts, colours(bare)...)
}

// cues are the words that tell speech from text around a quote.
var cues = map[FactKind][]string{
	FactSpeech: {"says", "said", "say", "saying", "speaks", "speak", "speaking", "asks", "asking", "shouts", "announces", "announcing", "whispers",
		"states", "stating", "sings", "singing", "spoken", "tells", "replies", "answers", "narrates", "narrator", "voice", "voiceover", "heard", "exclaims"},
	FactText: {"reads", "read", "reading", "text", "sign", "title", "titled", "caption", "card", "cards", "written", "word", "words", "labelled",
		"labeled", "logo", "subtitle", "subtitles", "displays", "displaying", "shows", "showing", "inscription", "letters", "screen", "banner", "headline", "print", "printed"},
}

// writings are what says something without a voice.
var writings = []string{"sign", "title", "card", "logo", "subtitle", "subtitles", "inscription", "screen", "banner", "headline", "label", "poster", "text", "caption"}

// cueReach is how many bytes from a quote a cue may be.
const cueReach = 120

// quoteKind goes by the nearest cue before a quote, else by the nearest after
// it. bare is the sentence with its quotes blanked out.
func quoteKind(bare string, q quoted) FactKind {
	before := words(bare[max(0, q.start-cueReach):q.start])
	after := words(bare[q.end:min(len(bare), q.end+cueReach)])
	slices.Reverse(before)
	for i, w := range slices.Concat(before, after) {
		if i+1 < len(before) && slices.Contains(cues[FactSpeech], w) && slices.Contains(writings, before[i+1]) {
			return FactText // "a sign says"
		}
		for _, kind := range []FactKind{FactSpeech, FactText} {
			if slices.Contains(cues[kind], w) {
				return kind
			}
		}
	}
	return FactQuote
}

// cutTimes finds the times of a sentence about cuts: "a cut at 3.2 s".
func cutTimes(s string) []Fact {
	list := words(s)
	if !slices.ContainsFunc(list, func(w string) bool { return slices.Contains(cutWords, w) }) {
		return nil
	}
	var facts []Fact
	fields := strings.Fields(s)
	place := "" // the last word that says what a time is of
	for i, field := range fields {
		if slices.Contains(placing, strings.ToLower(field)) {
			place = strings.ToLower(field)
		}
		number, hasUnit := timeAt(fields, i)
		listed := strings.HasSuffix(field, ",") || i+1 < len(fields) && fields[i+1] == "and"
		at, err := strconv.ParseFloat(number, 64)
		if err != nil || at < 0 || place != "at" || !hasUnit && !(listed && strings.Contains(number, ".")) {
			continue
		}
		facts = append(facts, Fact{Kind: FactCutAt, AtS: at, WithinS: max(sameCutS, lastDigit(number)/2)})
	}
	return facts
}

// placing are the words before a time. Only "at" gives the time of a cut: "one
// shot of 16 s" and "a cut within 9 s" give none.
var placing = []string{"at", "in", "of", "for", "from", "to", "until", "between", "within", "before", "after", "by", "lasting", "every", "over"}

// timeAt reads field i as a number, and says whether it counts seconds.
func timeAt(fields []string, i int) (number string, seconds bool) {
	number, seconds = strings.CutSuffix(strings.TrimRight(fields[i], ",.;:"), "s")
	if !seconds && i+1 < len(fields) {
		next := strings.TrimRight(fields[i+1], ",.;:")
		seconds = slices.Contains([]string{"s", "seconds", "second", "sec"}, next)
	}
	return number, seconds
}

// timesOf are the times in a sentence, in seconds.
func timesOf(s string) []float64 {
	var times []float64
	fields := strings.Fields(s)
	for i := range fields {
		number, seconds := timeAt(fields, i)
		if at, err := strconv.ParseFloat(number, 64); seconds && err == nil && at >= 0 {
			times = append(times, at)
		}
	}
	return times
}

// lastDigit is what the last digit of a written number counts.
func lastDigit(number string) float64 {
	_, digits, _ := strings.Cut(number, ".")
	unit := 1.0
	for range digits {
		unit /= 10
	}
	return unit
}

// absences finds what a sentence says is not there.
func absences(s string) []Fact {
	var facts []Fact
	switch list := words(s); {
	case denies(s, perceive.Sound):
		facts = append(facts, Fact{Kind: FactSilent})
	case (slices.Contains(list, "silence") || slices.Contains(list, "silences")) && !negates(s):
		facts = append(facts, Fact{Kind: FactSilence, TimesS: timesOf(s)})
	}
	if denies(s, perceive.Speech) {
		facts = append(facts, Fact{Kind: FactNoSpeech})
	}
	if denies(s, perceive.Text) {
		facts = append(facts, Fact{Kind: FactNoText})
	}
	return facts
}

var colourWords = []string{"red", "orange", "yellow", "green", "blue", "purple", "violet", "pink", "brown", "black", "white", "grey", "gray", "cyan", "teal", "magenta", "beige"}

// predominance are the words by which a caption speaks of the picture's
// colours as a whole. The colour of a thing in it cannot be measured.
var predominance = []string{"predominant", "predominantly", "dominant", "dominated", "dominates", "mostly", "mainly", "overall", "tint", "tinted", "palette"}

func colours(s string) []Fact {
	list := words(s)
	if !slices.ContainsFunc(list, func(w string) bool { return slices.Contains(predominance, w) }) {
		return nil
	}
	var facts []Fact
	for _, w := range list {
		if w == "gray" {
			w = "grey"
		}
		f := Fact{Kind: FactColour, Colour: w}
		if slices.Contains(colourWords, w) && !slices.ContainsFunc(facts, func(other Fact) bool { return other.Colour == f.Colour }) {
			facts = append(facts, f)
		}
	}
	return facts
}

// small are words that say nothing beside a fact.
var small = strings.Fields(`a an the there is are was at in on of to from and or with by it this that i as for then while
	picture clip video shows show says say saying reads read words word text card title somebody voice perhaps seems cuts cut times time
	once twice hard s second seconds sound silence silent no not any throughout predominant predominantly dominant colour color colours colors mostly mainly`)

// saysMore reports whether a sentence says more than its facts.
func saysMore(sentence string, facts []Fact) bool {
	rest := " " + strings.Join(words(outside(sentence, quotesOf(sentence))), " ") + " "
	for _, phrases := range denials {
		for _, d := range phrases {
			rest = strings.Replace(rest, " "+d+" ", " ", 1)
		}
	}
	more := 0
	for _, w := range strings.Fields(rest) {
		if !slices.Contains(small, w) && number(w) < 0 && !slices.Contains(colourWords, w) {
			more++
		}
	}
	return more >= 3
}
