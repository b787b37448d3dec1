package cloze

import (
	"regexp"
	"strings"
)

// tokens are the words and numbers of a text in small letters. Points and commas
// inside a number belong to it; apostrophes are left out.
func tokens(text string) []string {
	text = strings.NewReplacer("’", "", "'", "", "−", "-").Replace(strings.ToLower(text))
	return token.FindAllString(text, -1)
}

var token = regexp.MustCompile(`[$€£#]?\pN+(?:[.,]\pN+)*[%°]?|\pL[\pL\pM\pN]*[#+]*`)

// normal is the form in which two options are compared: no case, articles,
// punctuation or white space. A text that has nothing else stays as it is.
func normal(text string) []string {
	all := tokens(text)
	var out []string
	for _, t := range all {
		if t != "a" && t != "an" && t != "the" {
			out = append(out, t)
		}
	}
	if len(out) > 0 {
		return out
	}
	if len(all) > 0 {
		return all
	}
	return []string{strings.ToLower(strings.TrimSpace(text))}
}

// sign is that of a number at the start of a text, "" if there is none: it alone
// keeps "-5" and "+5" apart.
func sign(text string) string {
	text = strings.Replace(strings.TrimSpace(text), "−", "-", 1)
	if signed.MatchString(text) {
		return text[:1]
	}
	return ""
}

var signed = regexp.MustCompile(`^[-+]\pN`)

// singular takes the plural's ending off a word, by the regular rules of English.
func singular(word string) string {
	n := len(word)
	switch {
	case n > 4 && strings.HasSuffix(word, "ies"):
		return word[:n-3] + "y"
	case n > 4 && (strings.HasSuffix(word, "ches") || strings.HasSuffix(word, "shes") || strings.HasSuffix(word, "sses") || strings.HasSuffix(word, "xes")):
		return word[:n-2]
	case n > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is"):
		return word[:n-1]
	}
	return word
}

func set(words string) map[string]bool {
	out := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// functionWords say nothing of a scene by themselves.
var functionWords = set(`a about above across after again against all along also am among an and another any are around as at away
be because been before behind being below beneath beside between beyond both but by can could did do does down during each
either else even every few for from get go got had has have he her here hers him his how i if in inside into is it its
just like may me might more most much must my near neither no nobody none nor not nothing of off oh ok okay on once only onto or
other our out outside over own per she should since so some still such than that the their them then there these they this
those through till to too toward towards uh um under until up upon us very was we were what when where which while who whom whose why
will with within without would yes yet you your`)

// weakWords are so common in descriptions that their standing elsewhere says
// little: small numbers, colours, sides, sizes. They leak only beside the same thing.
var weakWords = set(`zero one two three four five six seven eight nine ten eleven twelve first second third fourth fifth last next single double
black white grey gray red green blue yellow orange brown purple pink violet golden gold silver beige tan cream navy teal turquoise maroon
dark light bright pale deep left right top bottom upper lower front back rear center centre middle side
small large big little tall short long high low loud quiet soft slow fast man woman boy girl male female person people`)

var smallNumber = regexp.MustCompile(`^\pN{1,2}$`)

func weak(word string) bool { return weakWords[word] || smallNumber.MatchString(word) }

// content are the words of a text that say something, in the singular.
func content(text string) (out []string) {
	for _, t := range tokens(text) {
		if !functionWords[t] {
			out = append(out, singular(t))
		}
	}
	return out
}
