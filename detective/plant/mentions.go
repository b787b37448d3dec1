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

// An unsure text may stay true after a change of a word: it has a negation, a bound, an alternative, a possibility or a
// part, or it is a question.
var unsure = regexp.MustCompile(`(?i)\b(?:` + strings.Join([]string{
	// negations
	"no", "not", `\w+n['’]t`, "cannot", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "hardly", "barely", "scarcely", "rarely", "seldom", "lack", "lacks", "lacking", "absent", "absence", "missing", "except", "unless", "instead", "rather",
	"unlike", "fails?", "failed", "refuses?", "refused", "avoids?", "denies", "denied", "false", "fake", "free of", "other than", "anything but", "far from", "stops? being", "no longer", "too \\w+ to",
	// bounds and vague counts
	"least", "most", "up to", "more", "fewer", "less", "maximum", "minimum", "about", "roughly", "approximately", "nearly", "almost", "circa", "some", "several", "many", "few", "couple", "dozens?", "hundreds?", "any", "various", "half", "between", "close to", "as many", "as much", "or so", "both", "each", "every", "all",
	`(?:[0-9]+|one|two|three|four|five|six|seven|eight|nine|ten) (?:in|of|out of) (?:every )?(?:[0-9]+|two|three|four|five|six|seven|eight|nine|ten)`,
	"another", "others?", `(?:over|under|above|below|around|near|past|by|within|than) (?:[0-9]+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`,
	// alternatives
	"or", "either", "whether", "and/or", "alternatively", "alternately", "sometimes", "occasionally", "at times", "often", "usually",
	// possibilities
	"may", "might", "could", "would", "should", "must", "will", "shall", "perhaps", "maybe", "possibly", "probably", "likely", "seems?", "seemed", "seemingly", "appears? to", "apparently", "presumably", "supposedly", "allegedly", "potentially", "looks? like", "sounds? like",
	"as if", "as though", "like", "if", "unclear", "unsure", "unknown", "pretends?", "imagines?", "dreams?", "wants?", "hopes?", "wishes", "thinks?", "believes?", "plans? to", "tries", "trying", "about to", "going to", "resembles?", "suggests?", "similar", "can",
	// parts
	"partly", "partially", "mostly", "mainly", "largely", "predominantly", "slightly", "somewhat", "tinged", "hint", "touch", "part",
}, "|") + `)\b|[?/]`)

// seen matches "can be seen" and the like: it asserts that something is seen, not that it is possible.
var seen = regexp.MustCompile(`(?i)\bcan (?:also )?be (?:seen|heard|read|made out)\b`)

// countRange is a list or a range of counts: the sentence does not claim one count.
var (
	countWord  = `(?:[0-9]+|` + strings.Join(numbers, "|") + `)`
	countRange = regexp.MustCompile(`(?i)\b` + countWord + `(?:(?:,? or |,? and | to | and a |, | ?[-–/] ?)` + countWord + `)+\b`)
)

// sure reports whether a sentence has no word, such as "not" or "maybe", that may leave it true after a change.
func sure(sentence string) bool {
	own := quotes.ReplaceAllString(sentence, `""`)
	own = seen.ReplaceAllString(countRange.ReplaceAllString(own, "#"), "is seen")
	return !unsure.MatchString(own)
}

// has reports whether a word is in a list; letter case is ignored.
func has(list []string, word string) bool { return slices.Contains(list, strings.ToLower(word)) }
