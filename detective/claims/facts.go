package claims

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/perceive"
)

// A factKind is what can be measured of a claim.
type factKind string

// The kinds.
const (
	factText     factKind = "text"      // words to read
	factSpeech   factKind = "speech"    // words to hear
	factQuote    factKind = "quote"     // quoted words; the caption does not say whether they are read or heard
	factCuts     factKind = "cuts"      // how many cuts there are
	factCutAt    factKind = "cut_at"    // a cut at a time
	factSilent   factKind = "silent"    // no sound at all
	factSilence  factKind = "silence"   // a silence somewhere
	factNoSpeech factKind = "no_speech" // there is no speech
	factNoText   factKind = "no_text"   // nothing to read
	factColour   factKind = "colour"    // a predominant colour
	factHeard    factKind = "heard"     // something to hear: a clip without sound refutes it
	factSeen     factKind = "seen"      // something to see: a clip without a picture refutes it
	factShots    factKind = "shots"     // how many shots there are
	factChannels factKind = "channels"  // mono or stereo
	factTempo    factKind = "tempo"     // beats a minute
	factPitch    factKind = "pitch"     // Hz
	factLoudness factKind = "loudness"  // LUFS
	factLoud     factKind = "loud"      // loud, quiet or faint
	factHum      factKind = "hum"       // of the mains
	factSide     factKind = "side"      // the only channel with sound, left or right
)

// rules are how a kind of fact is worded and checked.
type rules struct {
	sense omniscope.Modality // "" = either
	claim string             // the fact as a sentence; "" = see fact.claim. {quote}, {word}, {at}, {number} and {bound} are of the fact
	check func(m *measurement, f *fact) (Say, bool)

	absent bool // it is borne out by a clip without such a track
	sounds bool // it needs something to hear
	terms  bool // it takes technical terms, see smallSounds
}

var kinds = map[factKind]rules{
	factText:     {sense: omniscope.Visual, claim: "The words “{quote}” can be read.", check: (*measurement).text},
	factSpeech:   {sense: omniscope.Audio, claim: "Somebody says “{quote}”.", check: (*measurement).speech},
	factQuote:    {claim: "The words “{quote}” can be read or heard.", check: (*measurement).quote},
	factCuts:     {sense: omniscope.Visual, check: (*measurement).cuts},
	factCutAt:    {sense: omniscope.Visual, claim: "There is a cut at {at} s.", check: (*measurement).cutAt},
	factSilent:   {sense: omniscope.Audio, claim: "There is no sound.", check: (*measurement).silent, absent: true},
	factSilence:  {sense: omniscope.Audio, claim: "There is a silence.", check: (*measurement).silence, absent: true},
	factNoSpeech: {sense: omniscope.Audio, claim: "Nobody speaks.", check: none(perceive.Speech), absent: true},
	factNoText:   {sense: omniscope.Visual, claim: "There is no text to read.", check: none(perceive.Text), absent: true},
	factColour:   {sense: omniscope.Visual, claim: "A predominant colour is {word}.", check: (*measurement).colour},
	factHeard:    {sense: omniscope.Audio, check: (*measurement).heard},
	factSeen:     {sense: omniscope.Visual, check: func(*measurement, *fact) (Say, bool) { return Say{}, false }},
	factShots:    {sense: omniscope.Visual, check: (*measurement).shots, terms: true},
	factChannels: {sense: omniscope.Audio, claim: "The sound is {word}.", check: (*measurement).channels, terms: true},
	factTempo:    {sense: omniscope.Audio, claim: "The tempo is {bound}{number} beats a minute.", check: (*measurement).tempo, sounds: true, terms: true},
	factPitch:    {sense: omniscope.Audio, claim: "The pitch is {number} Hz.", check: (*measurement).pitch, sounds: true, terms: true},
	factLoudness: {sense: omniscope.Audio, claim: "The loudness is {number} LUFS.", check: (*measurement).loudness, sounds: true, terms: true},
	factLoud:     {sense: omniscope.Audio, claim: "The sound is {word}.", check: (*measurement).loud, terms: true},
	factHum:      {sense: omniscope.Audio, check: (*measurement).hum, sounds: true, terms: true},
	factSide:     {sense: omniscope.Audio, claim: "Only the {word} channel carries sound.", check: (*measurement).side, terms: true},
}

// A fact is what of a claim a tool can check without a model.
type fact struct {
	Kind    factKind `json:"kind"`
	Quote   string   `json:"quote,omitempty"`
	Count   int      `json:"count,omitempty"`    // of cuts, shots or channels
	Bound   bound    `json:"bound,omitempty"`    // what the count means; "" = exactly
	CountTo int      `json:"count_to,omitempty"` // of a bound "between"
	AtS     float64  `json:"at_s,omitempty"`     // of a cut
	WithinS float64  `json:"within_s,omitempty"` // how far off it may be
	Colour  string   `json:"colour,omitempty"`
	Number  float64  `json:"number,omitempty"` // beats a minute, Hz or LUFS
	Word    string   `json:"word,omitempty"`   // of loudness, or a side
	Denied  bool     `json:"denied,omitempty"` // the sentence says that it is not there

	// TimesS are the times, in seconds, that the sentence gives for words to read
	// and for silence: what is elsewhere does not support it.
	TimesS []float64 `json:"times_s,omitempty"`

	LastS  float64 `json:"last_s,omitempty"` // how long a silence lasts, in seconds
	Range  bool    `json:"range,omitempty"`  // TimesS are a start and an end
	Hedged bool    `json:"hedged,omitempty"` // the sentence does not commit itself: nothing refutes it
}

// claim is the fact as a sentence.
func (f *fact) claim() string {
	switch f.Kind {
	case factCuts, factShots:
		return f.counted()
	case factHum:
		if f.Denied {
			return "No " + strings.TrimSpace(f.Word+" hum") + " is heard."
		}
		if f.Number > 0 {
			return fmt.Sprintf("Mains hum of %.0f Hz is heard.", f.Number)
		}
		return "Mains hum is heard."
	}
	word := f.Word + f.Colour
	if f.Kind == factChannels {
		word = []string{"mono", "mono", "stereo"}[min(f.Count, 2)]
	}
	digits := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	return strings.NewReplacer("{quote}", f.Quote, "{word}", word, "{at}", digits(f.AtS), "{number}", digits(f.Number),
		"{bound}", strings.TrimLeft(string(f.Bound)+" ", " ")).Replace(kinds[f.Kind].claim)
}

// counted is a number of cuts or shots as a sentence.
func (f *fact) counted() string {
	switch f.Bound {
	case "":
		return fmt.Sprintf("The number of %s is %d.", f.Kind, f.Count)
	case between:
		return fmt.Sprintf("The number of %s is between %d and %d.", f.Kind, f.Count, f.CountTo)
	case atLeast, atMost, about:
		return fmt.Sprintf("The number of %s is %s %d.", f.Kind, f.Bound, f.Count)
	}
	return fmt.Sprintf("There are %s %s.", f.Bound, f.Kind)
}

func (f *fact) sense() omniscope.Modality { return kinds[f.Kind].sense }

// factsOf finds what of a sentence can be measured.
func factsOf(sentence string) []fact {
	quotes := quotesOf(sentence)
	bare := outside(sentence, quotes)
	facts := wholeDenials(bare)
	if !negates(bare) { // what else a sentence denies would be read as if it were said
		facts = append(stated(bare, quotes), facts...)
	}
	unsure := hedged(bare)
	for i := range facts {
		facts[i].Hedged = unsure
	}
	return facts
}

// stated finds what a sentence without a negation says is there.
func stated(bare string, quotes []quoted) (facts []fact) {
	times := timesOf(bare)
	for _, q := range quotes {
		if len(Words(q.text)) > 0 {
			facts = append(facts, fact{Kind: quoteKind(bare, q), Quote: q.text, TimesS: times})
		}
	}
	facts = append(facts, cutTimes(bare)...)
	if f, ok := countedCuts(bare); ok {
		facts = append(facts, f)
	}
	if f, ok := countedShots(bare); ok {
		facts = append(facts, f)
	}
	facts = append(facts, soundFacts(bare)...)
	if list := Words(bare); anyOf(list, "silence", "silences") && !breaksSilence(list) {
		if f := silenceFact(bare); f.LastS > 0 || !anyOf(list, durations...) {
			facts = append(facts, f)
		}
	}
	return append(facts, colours(bare)...)
}

// durations are words for how long something lasts, but
// not in seconds: no measured length supports or refutes it.
var durations = []string{"long", "lengthy", "prolonged", "extended", "brief", "short"}

// dashed is a range with a dash.
var dashed = regexp.MustCompile(`(\d)\s?[-–]\s?(\d)`)

// silenceFact reads when a silence is, and how long it lasts.
func silenceFact(s string) fact {
	f := fact{Kind: factSilence}
	fields := strings.Fields(dashed.ReplaceAllString(s, "$1 to $2"))
	for i := range fields {
		at, unit, ok := timeAt(fields, i)
		if !unit && i+2 < len(fields) && slices.Contains([]string{"to", "and", "until", "till"}, fields[i+1]) {
			_, unit, _ = timeAt(fields, i+2) // from 2 to 3 s
		}
		if !unit || !ok {
			continue
		}
		before, after := place(fields, i), next(fields, i)
		if slices.Contains([]string{"of", "for", "lasting", "lasts"}, before) || slices.Contains([]string{"long", "pause", "silence"}, after) {
			f.LastS = at
			continue
		}
		f.TimesS = append(f.TimesS, at)
	}
	f.Range = len(f.TimesS) == 2 && (strings.Contains(s, "from ") || strings.Contains(s, "From ") || strings.Contains(s, "etween "))
	return f
}

// place is the word before a time, without the words that only soften it.
func place(fields []string, i int) string {
	for least := i - 4; i > max(0, least); {
		i--
		w := strings.ToLower(strings.Trim(fields[i], ",;:"))
		if !slices.Contains([]string{"about", "around", "approximately", "roughly", "nearly", "a", "the"}, w) {
			return w
		}
	}
	return ""
}

// next is the word after a time and its unit.
func next(fields []string, i int) string {
	for i++; i < len(fields); i++ {
		w := strings.ToLower(strings.Trim(fields[i], ",;:."))
		if !slices.Contains([]string{"s", "seconds", "second", "sec"}, w) {
			return w
		}
	}
	return ""
}

// cues are the words that tell speech from text around a quote.
var cues = map[factKind][]string{
	factSpeech: {"says", "said", "say", "saying", "speaks", "speak", "speaking", "asks", "asking", "shouts", "announces", "announcing", "whispers",
		"states", "stating", "sings", "singing", "spoken", "tells", "replies", "answers", "narrates", "narrator", "voice", "voiceover", "heard", "exclaims"},
	factText: {"reads", "read", "reading", "text", "sign", "title", "titled", "caption", "card", "cards", "written", "word", "words", "labelled",
		"labeled", "logo", "subtitle", "subtitles", "displays", "displaying", "shows", "showing", "inscription", "letters", "screen", "banner", "headline", "print", "printed"},
}

// writings are what says something without a voice.
var writings = []string{"sign", "title", "card", "logo", "subtitle", "subtitles", "inscription", "screen", "banner", "headline", "label", "poster", "text", "caption"}

// cueReach is how many bytes from a quote a cue may be.
const cueReach = 120

// quoteKind goes by the nearest cue before a quote, else by the nearest after
// it. bare is the sentence with its quotes blanked out.
func quoteKind(bare string, q quoted) factKind {
	before := Words(bare[max(0, q.start-cueReach):q.start])
	after := Words(bare[q.end:min(len(bare), q.end+cueReach)])
	slices.Reverse(before)
	for i, w := range slices.Concat(before, after) {
		if i+1 < len(before) && slices.Contains(cues[factSpeech], w) && slices.Contains(writings, before[i+1]) {
			return factText // "a sign says"
		}
		for _, kind := range []factKind{factSpeech, factText} {
			if slices.Contains(cues[kind], w) {
				return kind
			}
		}
	}
	return factQuote
}

// cutTimes finds the times of cuts: "a cut at 3.2 s", "cuts at 3 s, 5 s and 8 s",
// "at 3.2 s there is a cut". A time that may be of something else is left out.
func cutTimes(s string) (facts []fact) {
	if list := Words(s); !anyOf(list, cutWords...) || anyOf(list, elsewhere...) || anyOf(list, unlike...) {
		return nil
	}
	fields := strings.Fields(s)
	last := -1 // the field of the last time of a cut
	for i, field := range fields {
		at, unit, ok := timeAt(fields, i)
		point := strings.Contains(strings.TrimRight(field, ",.;:"), ".")
		listed := strings.HasSuffix(field, ",") || i+1 < len(fields) && fields[i+1] == "and"
		if !ok || !unit && !(listed && point) || slices.Contains(relative, next(fields, i)) {
			continue
		}
		if last >= 0 && listedOn(fields[last+1:i]) || aboutCut(fields, i) {
			last = i
			facts = append(facts, fact{Kind: factCutAt, AtS: at, WithinS: tolerance(fields, i)})
		}
	}
	return facts
}

// tolerance is how far off a time may be, in seconds: half of what its last digit counts, or more where it is rounded.
func tolerance(fields []string, i int) float64 {
	within := sameCutS
	if _, digits, _ := strings.Cut(written(fields[i]), "."); len(digits) == 0 {
		within = max(within, 0.5)
	}
	if before := strings.ToLower(fields[max(0, i-1)]); slices.Contains([]string{"about", "around", "approximately", "roughly", "nearly"}, before) {
		within = max(within, 1.5)
	}
	return within
}

// relative are words after a time that make it no time of the clip; elsewhere
// are those that make a number no number of seconds.
var (
	relative  = []string{"before", "after", "from", "later", "earlier", "past", "long", "apart", "each", "intervals", "interval", "into"}
	elsewhere = []string{"minute", "minutes", "min", "hour", "hours", "h"}
)

// aboutCut reports whether the time at field i, after "at", is a
// cut's: the cut is named right before it, or right after it.
func aboutCut(fields []string, i int) bool {
	if place(fields, i) != "at" {
		return false
	}
	at := i - 1
	for at >= max(0, i-5) && !strings.EqualFold(fields[at], "at") {
		at--
	}
	if at < 0 || !strings.EqualFold(fields[at], "at") {
		return false
	}
	isCut := func(w string) bool {
		return slices.Contains(cutWords, strings.ToLower(strings.Trim(w, ",;:.")))
	}
	for k := max(0, at-3); k < at; k++ {
		if isCut(fields[k]) {
			return true
		}
	}
	return at == 0 && slices.ContainsFunc(fields[i:min(len(fields), i+8)], isCut)
}

// listedOn reports whether nothing but the list goes on between two times.
func listedOn(fields []string) bool {
	return len(fields) < 6 && !slices.ContainsFunc(fields, func(w string) bool {
		return !slices.Contains([]string{"s", "s,", "seconds", "seconds,", "and", "at", ","}, strings.ToLower(w))
	})
}

// written is a number as it is written in a field, without the marks and the unit after it.
func written(field string) string { return strings.TrimSuffix(strings.TrimRight(field, ",.;:"), "s") }

// timeAt reads field i as a time that is not negative; unit reports whether it counts seconds.
func timeAt(fields []string, i int) (at float64, unit, ok bool) {
	number := written(fields[i])
	if unit = len(number) < len(strings.TrimRight(fields[i], ",.;:")); !unit && i+1 < len(fields) {
		unit = slices.Contains([]string{"s", "seconds", "second", "sec"}, strings.TrimRight(fields[i+1], ",.;:"))
	}
	at, err := strconv.ParseFloat(number, 64)
	return at, unit, err == nil && at >= 0 && !math.IsInf(at, 1)
}

// timesOf are the times in a sentence, in seconds.
func timesOf(s string) (times []float64) {
	fields := strings.Fields(s)
	for i := range fields {
		if at, unit, ok := timeAt(fields, i); unit && ok {
			times = append(times, at)
		}
	}
	return times
}

var colourWords = []string{"red", "orange", "yellow", "green", "blue", "purple", "violet", "pink", "brown", "black", "white", "grey", "gray", "cyan", "teal", "magenta", "beige"}

// predominance are the words by which a caption speaks of the picture's
// colours as a whole. The colour of a thing in it cannot be measured.
var predominance = []string{"predominant", "predominantly", "dominant", "dominated", "dominates", "mostly", "mainly", "overall", "tint", "tinted", "palette"}

// pictured are the words for the picture as a whole.
var pictured = strings.Fields("picture image images frame video clip footage screen colour colours color colors palette tint tinted tone tones hue hues shades")

func colours(s string) []fact {
	list := Words(s)
	if !anyOf(list, predominance...) || !anyOf(list, pictured...) || scoped(s) && !anyOf(list, "mostly", "mainly") || strings.Contains(strings.Join(list, " "), "black and white") {
		return nil
	}
	var facts []fact
	for _, w := range list {
		if w == "gray" {
			w = "grey"
		}
		f := fact{Kind: factColour, Colour: w}
		if slices.Contains(colourWords, w) && !slices.ContainsFunc(facts, func(other fact) bool { return other.Colour == f.Colour }) {
			facts = append(facts, f)
		}
	}
	return facts
}

// small are words that say nothing beside a fact.
var small = strings.Fields(`a an the there is are was at in on of to from and or with by it this that i as for then while
	picture clip video shows show says say saying reads read words word text card title somebody voice perhaps seems cuts cut times time
	can be once twice hard s second seconds sound silence silent no not any throughout predominant predominantly dominant colour color colours colors mostly mainly`)

// smallSounds are words without a claim of their own next to a fact of the sound, or of shots.
var smallSounds = strings.Fields(`audio track soundtrack recording mono stereo tempo beats beat per minute bpm hz khz tone pitch near lufs loudness loud quiet faint very
	mains hum heard about around music has have shot shots consists contains lines multiples consistent pulse half whole entire overall electrical buzz
	true peak dbtp full scale close pitches most lie register high middle low form only both channels channel left right carry carries comes same balanced`)

// ordering are the words for what comes first.
var ordering = strings.Fields("then before after followed follows first later next finally afterwards precedes preceded once until")

// saysMore reports whether a sentence says more than its facts.
func saysMore(sentence string, facts []fact) bool {
	rest := " " + strings.Join(Words(outside(sentence, quotesOf(sentence))), " ") + " "
	for _, phrases := range denials {
		for _, d := range phrases {
			rest = strings.Replace(rest, " "+d+" ", " ", 1)
		}
	}
	if len(facts) > 1 && anyOf(strings.Fields(rest), ordering...) {
		return true // that one comes after the other is a claim of its own
	}
	ofSound := slices.ContainsFunc(facts, func(f fact) bool { return kinds[f.Kind].terms })
	more := 0
	for _, w := range strings.Fields(rest) {
		if !slices.Contains(small, w) && number(w) < 0 && !slices.Contains(colourWords, w) && !(ofSound && slices.Contains(smallSounds, w)) {
			more++
		}
	}
	return more >= 3
}
