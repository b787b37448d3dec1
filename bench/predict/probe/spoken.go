package probe

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"omniscope/bench/predict"
)

// A language is one in which digits are spoken.
type language struct {
	trial, name string
	code        string     // of ISO 639-1
	digits      [10]string // its words; "" = the digit is not used
	groups      []float64  // when a group of three digits begins, in seconds
	seconds     int        // of the clip
}

// languages are those of MCIF. In English digits are spoken at the beginning, in the
// middle and at the end of a minute, which also shows how much of the sound is heard.
var languages = []language{
	{"speech", "English", "en", [10]string{1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}, []float64{6, 30, 56}, 60},
	{"german", "German", "de", [10]string{1: "eins", 2: "zwei", 3: "drei", 4: "vier", 5: "fünf", 6: "sechs", 7: "sieben", 8: "acht", 9: "neun"}, []float64{1}, 6},
	{"italian", "Italian", "it", [10]string{1: "uno", 2: "due", 3: "tre", 4: "quattro", 5: "cinque", 6: "sei", 7: "sette", 8: "otto", 9: "nove"}, []float64{1}, 6},
	{"chinese", "Chinese", "zh", [10]string{1: "一", 2: "二", 3: "三", 4: "四", 5: "五", 6: "六", 7: "七", 8: "八", 9: "九"}, []float64{1}, 6},
}

// Digits of a group begin so many seconds apart.
const (
	spokenStep  = 1.2
	groupDigits = 3
)

// spoken has digits spoken in a language.
func (h How) spoken(l language, marks *rand.Rand) Trial {
	c := clip{seconds: l.seconds, channels: 1}
	var digits []int
	voice, why := h.voice(l.code)
	for _, at := range l.groups {
		for i, digit := range marks.Perm(9)[:groupDigits] {
			digits = append(digits, digit+1)
			c.said = append(c.said, said{at + spokenStep*float64(i), l.digits[digit+1], voice})
		}
	}
	t := Trial{Name: l.trial, Tests: "whether speech is understood in " + l.name, Unsent: why, clip: c.withPicture(h.film()),
		read: func(answer string, sent *predict.Sent) finding {
			return l.read(digitsIn(answer), l.within(digits, sent))
		}}
	if len(l.groups) == 1 {
		t.Question = fmt.Sprintf("Somebody speaks %d digits in this clip, in %s. Which are they, in their order? Answer with the digits only, such as 4 7 1, or NONE if you hear no speech or do not understand it.", groupDigits, l.name)
		return t
	}
	t.Tests += ", from beginning to end"
	t.Question = fmt.Sprintf("Somebody speaks digits in this clip, in %s: %d groups of %d digits, with long silences between the groups. Which digits are spoken, in their order? Answer with the digits of all groups only, such as 4 7 1, 2 9 5, or NONE if you hear no speech.", l.name, len(l.groups), groupDigits)
	return t
}

// voice finds a voice, or says why there is none.
func (h How) voice(code string) (voice Voice, why string) {
	if h.Voice == nil {
		return nil, "no voice"
	}
	voice, err := h.Voice(code)
	if err != nil {
		return nil, err.Error()
	}
	return voice, ""
}

// end is when the digits of a group are over.
func (l *language) end(group int) float64 { return l.groups[group] + spokenStep*groupDigits }

// within are the digits of those groups that were sent.
func (l *language) within(digits []int, sent *predict.Sent) []int {
	for group := len(l.groups) - 1; group >= 0 && sent.Sound != nil && l.end(group) > sent.Sound.Seconds; group-- {
		digits = digits[:group*groupDigits]
	}
	return digits
}

// read compares digits.
func (l *language) read(answered, asked []int) finding {
	f := finding{Perception: Partly, Expected: listed(asked)}
	right := 0
	for i := range min(len(answered), len(asked)) {
		if answered[i] == asked[i] {
			right++
		}
	}
	groups, heard := len(asked)/groupDigits, len(answered)/groupDigits
	switch {
	case len(asked) == 0:
		return finding{Perception: NotSent, Perceived: "the profile sends too little sound"}
	case len(answered) == 0:
		f.Perception, f.Perceived = NotPerceived, "no speech is heard, or "+l.name+" is not understood"
	case slices.Equal(answered, asked) && len(l.groups) == 1:
		f.Perception, f.Perceived = Perceived, l.name+" is understood"
	case slices.Equal(answered, asked):
		f.Perception, f.Perceived = Perceived, fmt.Sprintf("%s is understood until %.0f s of %d s", l.name, l.end(groups-1), l.seconds)
	case heard > 0 && heard < groups && right == len(answered) && len(answered)%groupDigits == 0:
		f.Perceived = fmt.Sprintf("%s is understood until %.0f s and not from %.0f s on: the rest is cut off", l.name, l.end(heard-1), l.groups[heard])
	case right == 0:
		f.Perception, f.Perceived = NotPerceived, "other digits are named than those that are spoken"
	default:
		f.Perceived = fmt.Sprintf("%d of %d spoken digits are named", right, len(asked))
	}
	return f
}

// A languageResult says whether digits that are spoken in a language are understood.
type languageResult struct {
	Language   string     `json:"language"` // in English
	Perception Perception `json:"verdict"`
}

// languageResults are those of the languages that were spoken.
func (r *Report) languageResults() (all []languageResult) {
	for _, l := range languages {
		for _, result := range r.Results {
			if result.Trial == l.trial && result.Perception != NotSent {
				all = append(all, languageResult{l.name, result.Perception})
			}
		}
	}
	return all
}

// Summarise fills in what follows from the results.
func (r *Report) Summarise() { r.Languages = r.languageResults() }

// LanguageLine says which languages are understood, for people; "" if none was spoken.
func (r *Report) LanguageLine() string {
	by := make(map[Perception][]string)
	for _, l := range r.Languages {
		by[l.Perception] = append(by[l.Perception], l.Language)
	}
	var parts []string
	for _, v := range []struct {
		perception Perception
		words      string
	}{{Perceived, "understood"}, {Partly, "in part"}, {NotPerceived, "not understood"}, {NoAnswer, "no answer"}} {
		if names := by[v.perception]; len(names) > 0 {
			parts = append(parts, v.words+": "+strings.Join(names, ", "))
		}
	}
	return strings.Join(parts, "; ")
}
