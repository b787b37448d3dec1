package letters

import (
	"regexp"
	"strings"
)

// last is the number of the last option, whichever that is; the one before it has the number below.
const last = -1

// ordinals are words that count options.
var ordinals = map[string]int{
	"first": 0, "1st": 0, "erste": 0, "primera": 0, "première": 0, "prima": 0, "primeira": 0, "一": 0, "pertama": 0,
	"second": 1, "2nd": 1, "zweite": 1, "segunda": 1, "deuxième": 1, "seconde": 1, "seconda": 1, "二": 1, "kedua": 1,
	"third": 2, "3rd": 2, "dritte": 2, "tercera": 2, "troisième": 2, "terza": 2, "terceira": 2, "三": 2, "ketiga": 2,
	"fourth": 3, "4th": 3, "vierte": 3, "cuarta": 3, "quatrième": 3, "quarta": 3, "四": 3, "keempat": 3,
	"fifth": 4, "5th": 4, "五": 4, "sixth": 5, "6th": 5, "六": 5, "seventh": 6, "7th": 6, "七": 6, "eighth": 7, "8th": 7, "八": 7, "ninth": 8, "9th": 8, "九": 8, "tenth": 9, "10th": 9, "十": 9,
	"penultimate": last - 1, "second to last": last - 1, "second-to-last": last - 1,
	"last": last, "letzte": last, "última": last, "dernière": last, "ultima": last, "最后一": last, "terakhir": last,
}

const (
	counted = `(penultimate|second[ -]to[ -]last|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|1st|2nd|3rd|[4-9]th|10th)`
	foreign = `(erste|zweite|dritte|vierte|letzte|primera|segunda|tercera|cuarta|última|première|deuxième|seconde|troisième|quatrième|dernière|prima|seconda|terza|quarta|ultima|primeira|terceira)`
	choices = `(?:answer\s+)?(?:option|choice|alternative|one)`
)

var (
	ordinalOption = regexp.MustCompile(`(?i)^[\s"'“(]*(?:(?:the|die|la|le|el|il|a|l')\s*)?(?:very\s+)?(?:` + counted + `\s+` + choices + `\b|` +
		foreign + `\s+(?:option|antwort|antwortmöglichkeit|réponse|opción|respuesta|opzione|risposta|opção|alternativa)(?:\PL|$)|(?:pilihan|opsi)\s+(pertama|kedua|ketiga|keempat|terakhir)\b)` +
		`|^\s*(?:选择?)?第?([一二三四五六七八九十]|最后一)[个個](?:选项|選項|选择|答案)`)
	ordinalVerdict = search{
		pattern(`(?i)\b` + counted + `\s+` + choices + `\s+(?:(?:is|seems|looks|appears|must be|would be|has to be)\s+(?:clearly |definitely |therefore |probably |most likely |likely )?(?:to be )?(?:the )?(?:most )?` +
			`(?:correct|right|best|answer|likely|accurate|appropriate|plausible|true)|fits|matches)\b`), `.,;:!?`,
		[]string{"option", "choice", "alternative", " one "},
	}
	// conclusion comes before a letter at the end of an argument.
	conclusion = search{
		pattern(`(?:^|[.!?;\n][*_"')]*\s*|, )(?i:so|and so|therefore|thus|hence|consequently|accordingly|in conclusion|donc|daher|deshalb|somit|folglich|por (?:lo )?tanto|portanto|logo|entonces|así que|quindi|dunque|jadi|maka)[,:]?\s+` +
			`(?i:it is |it's |it must be |the answer |option |choice |la |le |die |pilihan )?|(?:^|[\s,:])(?i:i(?:'d| would|'ll| will)? (?:go with|choose|pick|select|opt for|say)|going with)\s+(?i:option )?|(?:所以|因此)(?:应该)?[选選]?[,:]?\s*`), ".!?;\n",
		[]string{"so ", "so,", "so:", "therefore", "thus", "hence", "consequently", "accordingly", "in conclusion", "donc", "daher", "deshalb", "somit", "folglich", "tanto", "logo", "entonces", "que ", "que,", "que:", "quindi", "dunque",
			"jadi", "maka", "go with", "going with", "i choose", "i pick", "i select", "d choose", "d pick", "d select", "l choose", "l pick", "l select", "opt for", "i say", "d say", "所以", "因此"},
	}
	// closes follows a letter that is a conclusion, and not the subject of a sentence.
	closes = regexp.MustCompile(`^["')\]]*\s*(?:[.!;。]|$|,?\s*(?i:because|since|as)\b)`)
)

// ordinal returns the option that a text begins with by its number in words, such as "the second option"; -1 = no option. all: the
// text has no other words. Disagree: the letter or the words of another option follow.
func (r *reader) ordinal(text string) (option int, why Why, all bool) {
	text = beginning(text)
	m := ordinalOption.FindStringSubmatch(text)
	if m == nil || rejected(text[len(m[0]):]) {
		return -1, NoOption, false
	}
	option = r.numbered(m[1] + m[2] + m[3] + m[4])
	if option < 0 {
		return -1, NoOption, false
	}
	rest := strings.TrimLeft(text[len(m[0]):], " ,.:;–—-")
	l, _, _ := label(rest)
	i, j := Index(l, len(r.options)), r.beginsWithWords(rest)
	if i >= 0 && i != option && r.withWords(strings.ToLower(l)) != option || j >= 0 && r.options[j] != r.options[option] {
		return -1, Disagree, false
	}
	return option, "", plain(rest) == ""
}

// numbered returns the option with a number in words; -1 = no option.
func (r *reader) numbered(word string) int {
	n, ok := ordinals[strings.ToLower(word)]
	switch {
	case !ok || n >= len(r.options):
		return -1
	case n < 0:
		return max(-1, len(r.options)+n)
	}
	return n
}

// ordinalVerdicts adds the options that are called right by their number.
func (r *reader) ordinalVerdicts(text string, to *chosen) {
	for _, m := range ordinalVerdict.all(r.fold(text)) {
		if !negated(text[:m[0]]) {
			to.add(r.numbered(text[m[2]:m[3]]), NoOption)
		}
	}
}

// concluded adds the letters that end an argument: "Therefore, B."
func (r *reader) concluded(text string, to *chosen) {
	for _, at := range conclusion.all(r.fold(text)) {
		l, rest, ok := label(text[at[1]:])
		i := Index(l, len(r.options))
		if !ok || i < 0 || excluded.MatchString(rest) {
			continue
		}
		if words := plain(rest); closes.MatchString(rest) || r.withWords(words) == i && words != "" {
			if option, _ := r.labelled(l, rest); option >= 0 {
				to.add(option, "")
			}
		}
	}
}

// yesOrNo reads a reply that begins with yes or no, if one option begins with yes and one with no.
func (r *reader) yesOrNo(text string) (int, Why) {
	yes, no := -1, -1
	for i, o := range r.options {
		switch polarity(o) {
		case 1:
			if yes >= 0 {
				return -1, NoOption
			}
			yes = i
		case -1:
			if no >= 0 {
				return -1, NoOption
			}
			no = i
		}
	}
	if yes < 0 || no < 0 {
		return -1, NoOption
	}
	switch polarity(beginning(text)) {
	case 1:
		return yes, ""
	case -1:
		return no, ""
	}
	return -1, NoOption
}

var (
	yes = regexp.MustCompile(`(?i)^[^\pL\n]*(?:(?:yes|yeah|yep|yup|ja|oui|sí|sì|sim|да|نعم|हाँ|हां|có|vâng|ya|네|예|はい)(?:[^\pL\pM ]|$|\s*\n)|(?:是的?|对的?|有)(?:\P{Han}|$))`)
	no  = regexp.MustCompile(`(?i)^[^\pL\n]*(?:(?:no|nope|nah|nein|non|não|нет|لا|नहीं|không|tidak|bukan|아니요|아니오|いいえ)(?:[^\pL\pM ]|$|\s*\n)|(?:不是|不对|没有|否|不)(?:\P{Han}|$))`)
)

// polarity is 1 for a text that begins with yes, -1 for one that begins with no, with a pause behind it, else 0.
func polarity(text string) int {
	switch {
	case yes.MatchString(text):
		return 1
	case no.MatchString(text):
		return -1
	}
	return 0
}

// noSuch matches what follows a "no" that belongs to the next word, as in "no idea" and "no sound", and answers nothing.
var noSuch = regexp.MustCompile(`^ (?:(?:it|its|it's|there|this|that|he|she|they|i|we|you|because|since|as|and|but|to|in|for|at|from|with|if|when|based|is|are|was|were|or|both|can|could|would|may|might)\b|\PL|(\pL))`)

// belongsToNext reports whether a "no" with this text behind it belongs to the next word.
func belongsToNext(after string) bool {
	m := noSuch.FindStringSubmatch(after)
	return m != nil && m[1] != ""
}
