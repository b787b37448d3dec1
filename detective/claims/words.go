package claims

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"omniscope/internal/spelling"
	"omniscope/perceive"
)

// Words returns the letters and digits of a text, word by word in lower case, so
// that what differs in punctuation alone compares as equal.
func Words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(apostrophes.Replace(s)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// anyOf reports whether a list has one of some words.
func anyOf(list []string, known ...string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(known, w) })
}

var apostrophes = strings.NewReplacer("'", "", "’", "")

// alike returns how alike two texts are, from 0 to 1: 1 less the edit distance
// of their letters over the length of the longer one.
func alike(a, b string) float64 {
	const longest = 400 // letters; beyond, whole words are compared
	x, y := strings.Join(Words(a), " "), strings.Join(Words(b), " ")
	if len(x) > longest || len(y) > longest {
		return spelling.Likeness(strings.Fields(x), strings.Fields(y))
	}
	return spelling.Likeness([]rune(x), []rune(y))
}

// closest returns how alike a text is to the stretch of another that resembles
// it most, both in words, and that stretch. The stretch is as long as the
// text, a quarter more or less.
func closest(text, within []string) (likeness float64, stretch string) {
	n := len(text)
	if n == 0 {
		return 0, ""
	}
	own := make(map[string]bool, n)
	for _, w := range text {
		own[w] = true
	}
	wanted := []rune(strings.Join(text, " "))
	for size := max(1, n-n/4); size <= n+n/4; size++ {
		for at := 0; at+size <= len(within); at++ {
			if n >= longText && !sharesWords(own, within[at:at+size]) {
				continue
			}
			candidate := strings.Join(within[at:at+size], " ")
			if got := spelling.Likeness(wanted, []rune(candidate)); got > likeness {
				likeness, stretch = got, candidate
			}
		}
	}
	return likeness, stretch
}

// longText is from how many words on texts that share few of them are not
// compared letter by letter, which is dear.
const longText = 6

func sharesWords(own map[string]bool, list []string) bool {
	shared := 0
	for _, w := range list {
		if own[w] {
			shared++
		}
	}
	return 3*shared >= len(list)
}

// denials are the words by which observers say that there is nothing of a kind.
var denials = map[perceive.Kind][]string{
	perceive.Text: {"no text", "no visible text", "no readable text", "no legible text", "no on screen text", "no words can be read",
		"no writing", "no captions", "no lettering", "without any text"},
	perceive.Speech: {"no speech", "nobody speaks", "no one speaks", "nobody is speaking", "no one is speaking", "no voice", "no voices", "no spoken words",
		"no human voice", "no human voices", "nobody talks", "no one talks", "without any speech", "nothing is said"},
	perceive.Sound: {"no sound", "no audio", "completely silent", "entirely silent", "totally silent", "silent throughout", "without sound",
		"without any sound", "nothing can be heard", "nothing to hear"},
	perceive.Cut: {"no cut", "no cuts", "without a cut", "without cuts", "no scene change", "no scene changes", "single continuous shot",
		"one continuous shot", "single uncut shot", "single unbroken shot", "one unbroken shot", "single take", "continuous take",
		"camera never cuts", "video never cuts", "clip never cuts", "film never cuts", "picture never cuts"},
}

// negations are words that turn around what a sentence says.
var negations = []string{"not", "no", "never", "nobody", "none", "nothing", "neither", "nor", "without", "hardly", "cannot", "cant", "dont", "doesnt",
	"didnt", "isnt", "arent", "wasnt", "werent", "hasnt", "havent", "wont", "couldnt", "wouldnt"}

// described takes out negations that turn nothing around: they describe.
var described = strings.NewReplacer(" without any signal ", " ", " not intelligible ", " ")

// negates reports whether a sentence denies something.
func negates(s string) bool {
	all := described.Replace(" " + strings.Join(Words(s), " ") + " ")
	return anyOf(strings.Fields(all), negations...)
}

// denies reports whether a text denies a kind ("there is no text").
func denies(s string, kind perceive.Kind) bool {
	return denials[kind] != nil && slices.Contains(deniedBy(s), kind)
}

// deniedBy returns the kinds that a text denies ("there is no text").
func deniedBy(s string) (kinds []perceive.Kind) {
	all := " " + strings.Join(Words(s), " ") + " "
	for kind, phrases := range denials {
		if slices.ContainsFunc(phrases, func(d string) bool { return strings.Contains(all, " "+d+" ") }) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// cutWords are what is counted when cuts are.
var cutWords = []string{"cut", "cuts"}

// capital makes the first letter a capital one.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}
