package plant

import (
	"regexp"
	"slices"
	"strings"
)

// mentioned finds the words that a text of a kind has, whether or not a change of them makes it false.
var mentioned = map[string]*regexp.Regexp{
	"colour":  regexp.MustCompile(`(?i)\b(?:red|blue|green|yellow|orange|purple|pink|brown|black|white|gray|grey)\b`),
	"count":   regexp.MustCompile(`(?i)\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[0-9]{1,3})\b`),
	"order":   regexp.MustCompile(`(?i)\b(?:before|after|first|last|earlier|later|beginning|starts|begins|ends)\b`),
	"speaker": regexp.MustCompile(`(?i)\b(?:man|woman|boy|girl|men|women|male|female|he|she|father|mother|actor|actress|boys|girls)\b`),
	"sound": regexp.MustCompile(`(?i)\b(?:applause|laughter|thunder|birdsong|rain|gunfire|traffic|music|cheering|silence|barks|meows|neighs|quacks|howls|crows|roars|` +
		`barking|meowing|neighing|quacking|howling|crowing|roaring|siren|bell|whistle|drum|piano|guitar|trumpet|violin|horn)\b`),
	"text": quotes,
}

// KindsOf are the kinds of claim that a text makes. What it quotes is a matter of text alone.
func KindsOf(text string) (kinds []string) {
	for _, kind := range Kinds {
		own := text
		if kind != "text" {
			own = quotes.ReplaceAllString(text, `""`)
		}
		if mentioned[kind].MatchString(own) && (kind != "speaker" || speech.MatchString(text)) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// countRange is a list or a range of counts: the sentence does not claim one count.
var (
	countWord  = `(?:[0-9]+|` + strings.Join(numbers, "|") + `)`
	countRange = regexp.MustCompile(`(?i)\b` + countWord + `(?:(?:,? or |,? and | to | and a |, | ?[-–/] ?)` + countWord + `)+\b`)
)

// An unsure text may stay true after a change of a word: it has a negation, a bound, an alternative, a possibility, a
// part or a time, or it is a question.
var unsure = regexp.MustCompile(`(?i)\b(?:` + strings.Join([]string{
	// negations
	"no", "not", `\w+n['’]t`, "cannot", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "hardly", "barely", "scarcely", "rarely", "seldom", "lack", "lacks", "lacking", "absent", "absence", "missing", "except", "unless", "instead", "rather",
	"unlike", "zero", "devoid", "empty of", `exclud\w+`, "apart from", "aside from", "besides", "save for", "but for", "hidden", "invisible", "unseen", "inaudible", "forgets?", "ignores?", "bans?", "banned", `forbid\w*`, `prohibit\w*`, `prevent\w*`,
	"fails?", "failed", "refuses?", "refused", "avoids?", "denies", "denied", "false", "fake", "free of", "other than", "anything but", "far from", "stops? being", "no longer",
	// bounds and vague counts
	"least", "most", "up to", "more", "fewer", "less", "maximum", "minimum", "about", "roughly", "approximately", "nearly", "almost", "circa", "some", "several", "many", "few", "couple", "dozens?", "hundreds?", "any", "various", "half", "between", "close to", "as many", "as much", "or so", "both", "each", "every", "all",
	"approx", "ca", "est", "max", "min", "estimated", "average", "odd", "plus", "upwards", "excess", `(?:one|` + countWord + `) (?:in|of|out of) (?:every |the |his |her |its |their )?` + countWord,
	`(?:` + countWord + `|quarters?|thirds?|fourths?|fifths?|sixths?|tenths?|share|fraction|portion|minority) of (?:the|these|those|them|his|her|its|their)`, "percent", "per cent",
	"another", "others?", "also", "too", "as well", `(?:over|under|above|below|around|near|past|by|within|than) ` + countWord,
	// times
	"noon", "midnight", "the hour", "strikes?", "struck", `minutes? (?:to|past|before|after|until) ` + countWord,
	// alternatives
	"or", "either", "whether", "and/or", "alternatively", "alternately", "sometimes", "occasionally", "at times", "often", "usually",
	// possibilities
	"may", "might", "could", "would", "should", "must", "will", "shall", "perhaps", "maybe", "whenever", "otherwise", "provided", "in case", `assum\w+`, `suppos\w+`, `expect\w*`, `doubt\w*`, "possibly", "probably", "likely", "seems?", "seemed", "seemingly", "appears? to", "apparently", "presumably", "allegedly", "potentially", "looks? like", "sounds? like",
	"as if", "as though", "like", "if", "unclear", "unsure", "unknown", "pretends?", "imagines?", "dreams?", "wants?", "hopes?", "wishes", "thinks?", "believes?", "plans? to", "tries", "trying", "about to", "going to", "resembles?", "suggests?", "similar", "can",
	// parts
	"partly", "partially", "mostly", "mainly", "largely", "predominantly", "slightly", "somewhat", "tinged", "hint", "touch", "part",
}, "|") + `)\b|[?/<>≤≥≈~±+%]`)

// seen matches "can be seen" and the like: it asserts that something is seen, not that it is possible.
var seen = regexp.MustCompile(`(?i)\bcan (?:also )?be (?:seen|heard|read|made out)\b`)

// Sure reports whether a sentence has no word, such as "not" or "maybe", that may leave it true after a change.
func Sure(sentence string) bool {
	own := quotes.ReplaceAllString(sentence, `""`)
	own = seen.ReplaceAllString(countRange.ReplaceAllString(own, "#"), "is seen")
	return !unsure.MatchString(own)
}

// has reports whether a word is in a list; letter case is ignored.
func has(list []string, word string) bool { return slices.Contains(list, strings.ToLower(word)) }

// A told holds the words of a caption: no claim is planted that another sentence makes true.
type told struct {
	text         string            // in small letters
	words, stems map[string]bool   // of the text
	sexes        map[bool]bool     // whether it has words for women (true) or men
	speech       map[bool][]string // sentences with such words in which somebody speaks
	heard        map[string]bool   // sounds with a source in the text
}

var sentenceEnd = regexp.MustCompile(`[.!?\n]`)

func newTold(caption string) *told {
	t := &told{text: strings.ToLower(caption), words: make(map[string]bool), stems: make(map[string]bool), sexes: make(map[bool]bool), speech: make(map[bool][]string), heard: make(map[string]bool)}
	for _, form := range []*regexp.Regexp{words, tokenForm} {
		for _, word := range form.FindAllString(t.text, -1) {
			t.words[word] = true
		}
	}
	for _, stem := range stems(caption) {
		t.stems[stem] = true
	}
	for sex, form := range bySex {
		t.sexes[sex] = form.MatchString(t.text)
	}
	for _, part := range sentenceEnd.Split(t.text, -1) {
		for sex, form := range bySex {
			if speech.MatchString(part) && form.MatchString(part) {
				t.speech[sex] = append(t.speech[sex], part)
			}
		}
	}
	for sound, form := range heardWith {
		t.heard[sound] = form.MatchString(t.text)
	}
	return t
}
