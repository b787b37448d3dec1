package letters

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The places of a reply in which an option is looked for. Each look returns NoOption where
// its place does not exist, and another look may then try.

// whole looks at a reply that is nothing but an option: its letter, its words, or both.
func (r *reader) whole(text string) (int, Why) {
	bare := plain(text)
	if i := r.withWords(bare); i >= 0 {
		return r.meant(bare, i)
	}
	if len(bare) == 1 {
		return r.letter(bare)
	}
	if notAvailable.MatchString(text) && r.abstain < 0 {
		return -1, Abstains
	}
	if i, why, all := r.ordinal(text); all || why == Disagree {
		return i, why
	}
	if strings.ContainsRune(text, '\n') || announcement.in(r.fold(text)) || announcementAbroad.in(r.fold(text)) || verdicts.in(r.fold(text)) || verdictsAbroad.in(r.fold(text)) {
		return -1, NoOption
	}
	if pair.MatchString(text) {
		return -1, Several
	}
	if l, rest, ok := label(softeners.ReplaceAllString(text, "")); ok && !excluded.MatchString(rest) {
		return r.labelled(l, rest)
	}
	return -1, NoOption
}

var (
	notAvailable = regexp.MustCompile(`(?i)^\W*n\W?/?\W?a\W*$`)
	inList       = regexp.MustCompile(`^["']?[:)][^\n]*[,;]\s*["'(]?[A-Z]["']?[:)]`) // "A: yes, B: no"
	pair         = regexp.MustCompile(`^\W*(?i:either|both|entweder|sowohl)\s+(?i:(?:option|choice)\s+)?\W?[A-Z]\b`)
)

// withWords is the first option with these words, in plain; -1 = none.
func (r *reader) withWords(words string) int {
	for i, o := range r.options {
		if o == words && o != "" {
			return i
		}
	}
	return -1
}

// meant is an option with these words, unless they are also the letter of another.
func (r *reader) meant(words string, option int) (int, Why) {
	if len(words) == 1 {
		if i := Index(strings.ToUpper(words), len(r.options)); i >= 0 && i != option {
			return -1, Several
		}
	}
	return option, ""
}

// letter is the option with a letter.
func (r *reader) letter(l string) (int, Why) {
	i := Index(strings.ToUpper(l), len(r.options))
	if i < 0 {
		if 'a' <= l[0]|0x20 && l[0]|0x20 <= 'z' {
			return -1, NotOffered
		}
		return -1, NoOption
	}
	if other := r.withWords(strings.ToLower(l)); other >= 0 && other != i {
		return -1, Several
	}
	return i, ""
}

// labelled is the option with a letter, if what follows is not the words of another and does not
// reject it. Of several that a line names in turn it is the one that is not rejected.
func (r *reader) labelled(l, rest string) (int, Why) {
	option, why := r.letter(l)
	if option < 0 {
		return -1, why
	}
	if m := another.FindStringSubmatch(rest); alternative(rest) || inList.MatchString(rest) || m != nil && m[1] != l {
		return -1, Several
	}
	words := plain(rest)
	if i := r.withWords(words); i >= 0 && r.options[i] != r.options[option] {
		return -1, Disagree
	}
	if option, why, many := r.inTurn(l, rest); many {
		return option, why
	}
	if r.takenBack(l, rest) {
		return -1, NoOption
	}
	if m := retraction.FindStringSubmatch(rest); m != nil && m[1] != l && Index(m[1], len(r.options)) >= 0 {
		return -1, Several
	}
	var ends chosen // of an argument behind the letter: "A. No dog is heard, so B."
	if r.concluded(rest, &ends); ends.any() {
		ends.add(option, "")
		return ends.one()
	}
	return option, ""
}

// A label is a letter as people write it before an option: "B.", "(B)", "[B]:", "b)", "B - ",
// "option B". A capital alone is one, too, where no word follows that it may belong to.
const (
	quotes  = `[\s"'“”‘’«»]*`
	called  = `(?i:(?:option|choice|answer|letter|antwort|réponse|opción|opzione|opção|letra|alternativa|pilihan|opsi|phương án|lựa chọn|đáp án|jawaban(?:nya)?|resposta|respuesta|risposta|ans|选项|選項|答案|정답|الخيار|الإجابة|إجابتي|विकल्प|उत्तर)\s*)`
	because = `because|since|pois|karena|sebab|as|is|are|was|seems?|appears?|would|should|must|and|or|but|for|based|which|given|due|considering|with|from|weil|da|ist|und|oder|denn|sondern|parce|car|et|ou|porque|y|perché|poiché`
)

var (
	pointed = regexp.MustCompile(`^` + quotes + called + `?[("'\[<“‘「【]*\s*([A-Za-z])(\s*["'”’]?[)\]>」】.:,;!?]+.*)$`)
	lone    = regexp.MustCompile(`^` + quotes + called + `?["'“‘]?([A-Z])(["'”’]?(?:\s*(?:$|[-–—=→(/&+|\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Arabic}\p{Devanagari}।。，；！？、])|\s+(?i:` + because + `)\b).*)$`)
	option  = regexp.MustCompile(`^` + quotes + `(?i:option|choice|letter|opción|opção|letra|alternativa|pilihan|opsi|phương án|lựa chọn|đáp án|jawaban(?:nya)?|resposta|respuesta|risposta|ans|选项|選項|答案|정답|الخيار|الإجابة|إجابتي|विकल्प|उत्तर)\s*["'(]*([A-Za-z])(["')]*(?:[\s\p{Han}].*|$))`)
)

// label is the letter that a text begins with, and what follows.
func label(text string) (l, rest string, ok bool) {
	text = beginning(text)
	if first, _, _ := strings.Cut(text, "\n"); first != "" {
		text = first
	}
	for _, form := range []*regexp.Regexp{pointed, lone, option} {
		if m := form.FindStringSubmatch(text); m != nil && !isWordOrName(m[1], m[2]) {
			return m[1], m[2], true
		}
	}
	return "", "", false
}

// isWordOrName reports whether a letter is the word I, or part of a name or an address, as
// in "B.C." and "D.txt".
func isWordOrName(l, rest string) bool {
	if l == "I" && (strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "'")) {
		return true
	}
	if !strings.HasPrefix(rest, ".") {
		return false
	}
	r, size := utf8.DecodeRuneInString(rest[1:])
	return size > 0 && unicode.IsLetter(r) && r < 0x250
}

var (
	alternatives = regexp.MustCompile(`^["')\]]*\s*(?:(?i:and/or|and|or|und|oder|et|ou|y|o|e|[/&,+|]|和|或者?|与)\s*)+(?i:(?:maybe|perhaps|possibly|even|also)\s+)?(?i:(?:option|choice)\s*)?[(\["']*([A-Z])(?:[)\].:,;"']|\s*$|\s+(?i:or|and|und|oder|et|ou|y|o|are|both|could|might|seem|is|sind)\b|\p{Han})`)
	another      = regexp.MustCompile(`^["')\].]*\s*[(\[]\s*([A-Z])\s*[)\]]["'.]*\s*$`) // all that follows: "(A) (B)"
	excluded     = regexp.MustCompile(`(?i)^["')\]]*\s*(?:[,;:–-]\s*(?:it|this|that|which)\s+)?(?:is|are|was|seems?|can be|could be|must be|ist|sind|est|es|è)?\s*(?:(?:definitely|clearly|probably|obviously|certainly|simply|just|also) )?(?:n't|not|never|wrong|incorrect|false|impossible|ruled out|eliminated|excluded|out\b|unlikely|nicht|falsch|ausgeschlossen|pas|incorrecte?|faux|sbagliat[ao]|incorrect[ao]|不对|错|不正确|不是)`)
)

// alternative reports whether another letter follows a letter as one more choice.
func alternative(rest string) bool { return alternatives.MatchString(rest) }

const (
	right  = `(?:correct|right|best|final|true|proper|appropriate|most likely|likely|most accurate|richtige|korrekte|beste|correcte|bonne|correcta|corretta|giusta|finale)`
	things = `(?:answer|option|choice|solution|selection|response|antwort(?:möglichkeit)?|lösung|réponse|respuesta|opción|risposta|opzione|resposta|antwoord|ответ)`
	equals = `(?:\s*(?:(?:is|was|would be|should be|must be|has to be|will be|lautet|ist|wäre|est|es|sería|sarebbe)\b|è|é)\s*[:=]?|\s*[:=→]|\s*[-–—]+>?|\s*\n+)`
	asian  = `(?:正确)?(?:答案|选项|選項)(?:应该)?(?:是|为|為|選|选|:|：)+|(?:应该?|我)?[选選](?:择|擇)?(?:的是|:|：)?|(?:答え|正解|回答)(?:は|:|：)|(?:정답|답|답변)(?:은|는|:|：)`
)

var (
	// announcement comes before an answer that is meant as one.
	announcement = search{
		pattern(`(?i)(?:(?:^|[^\pL])(?:` + right + `\s+)*` + things + `(?:\s+(?:correcte?|correcta|corretta|exacta|esatta|to (?:the|this) (?:multiple[- ]choice )?question|here|choice|letter|option))*` + equals + `|\b` + things + `\s+(?:is|was)n't\b|\b(?:correct|right|best) (?:one|letter)\s+(?:is|:)|\b(?:correct|selected|chosen|final|result|output|prediction|verdict|conclusion|guess)\s*:|` + asian + `)`), `.,;()"!?`,
		[]string{"answer", "option", "choice", "solution", "selection", "ponse", "antwo", "sung", "respuesta", "opci", "risposta", "opzione", "resposta", "е", "Е",
			"t one", "t letter", "correct", "selected", "chosen", "final", "result", "output", "prediction", "verdict", "conclusion", "guess", "答", "选", "選", "正解", "답"},
	}
	// finally announces what counts even where another answer was announced before.
	finally = regexp.MustCompile(`(?i)\b(?:final(?:e|ly)?|endgültige)\b[^.\n]{0,20}$`)
	// doubt before an announcement takes it back.
	doubt = regexp.MustCompile(`(?i)(?:\b(?:do not|don't|doesn't|does not|cannot|can't|wouldn't|would not) (?:think|believe|say|mean|agree)(?: that)?|\bdoubt(?: that)?|\bunlikely(?: that)?|\b(?:sure|certain|clear|known|know|tell|say) (?:if|whether)|\bif|\bwhether|\bassuming|\bsuppose|\bunless|\bwould|\bnot|\b(?:wrong|incorrect|false|worst|least \pL+|other))(?:\s+(?:the|my|a|this|its))*\s*$`)
	// naming comes before an option that is preferred in passing.
	naming = search{
		pattern(`(?i)\b(?:i(?:'d| would|'ll| will)? (?:go with|choose|chose|pick|picked|select|selected|say|opt for|answer|guess|vote for)|(?:i'm |am |i am )?going with|(?:i )?(?:think|believe|say|guess) (?:it(?:'s| is| must be| should be)|that it(?:'s| is))|it(?:'s| is| must be| should be)|ich (?:wähle|nehme)|je choisis|elijo|(?:creo|pienso|diría) que (?:es|sería)|(?:acho|acredito|diria) que é(?: a)?|scelgo)\s+(?:for )?|\b(?:option|choice|answer|letter|antwort)\s+`), `.,;:()"!?`,
		[]string{"it's", "it is", "it must be", "it should be", "answer", "option", "choice", "letter", "antwort", "go with", "going with", "choose", "chose", "pick", "select", " say", "opt for",
			"guess", "vote for", "ich w", "nehme", "je choisis", "elijo", " que ", "scelgo"},
	}
	// verdicts follow a letter that is preferred.
	verdicts = search{
		pattern(`(?:^|[\s("'])(?i:(?:option|choice|answer|letter|antwort)\s*)?[("']*([A-Z])[)"'.]*\s+(?i:(?:is|seems|looks|appears|must be|would be|has to be|ist)\s+(?:clearly |definitely |therefore |probably |most likely |likely |thus |indeed )?(?:to be )?(?:the |a |die )?(?:most |more )?(?:correct|right|best|better|answer|likely|accurate|appropriate|plausible|true|richtig|korrekt|antwort)\b)`), `,;:!?`,
		[]string{"correct", "right", "best", "better", "answer", "likely", "accurate", "appropriate", "plausible", "true", "richtig", "korrekt", "antwort"},
	}
	// weakVerdict is a verdict that an option may have which is not chosen in the end.
	weakVerdict = regexp.MustCompile(`(?i)(?:is|seems|looks|appears|be|clearly|therefore|thus|indeed) (?:plausible|likely|appropriate|accurate)$`)
	softeners   = regexp.MustCompile(`^(?i:\s*(?:probably|likely|most likely|clearly|definitely|simply|just|indeed|actually|therefore|thus|hence|obviously|certainly|surely|then|still|in fact|of course|best|either|wahrscheinlich|vermutlich|eindeutig|wohl|also|probablement|probablemente|probabilmente|that|the|it is|it's|given by|represented by|letter|option|choice|number|la|el|le|il|l'|die|letra|la lettre|opción|la letra|opção|alternativa|pilihan|opsi|huruf|phương án|lựa chọn)\b[,:]?\s*)+`)
	articles    = regexp.MustCompile(`^(?i:the|la|el|le|il|die|o|a letra|letra|letter|option|opción|opção)\s+`)
	denied      = regexp.MustCompile(`^(?i:\s*(?:n't|not|never|nicht|pas|no|non|不是))\s+`)
	butRather   = regexp.MustCompile(`(?i)(?:,|;)?\s*(?:but|rather|instead|it is|it's|sondern|mais|sino|ma|而是)\s+(?:rather\s+)?`)
	inRound     = regexp.MustCompile(`\(\s*([A-Z])\s*\)`)
)

// announced looks behind words that announce an answer.
func (r *reader) announced(text string) (int, Why) {
	var all, last chosen
	read := make(map[string]chosen) // a reply may say the same again and again
	for _, at := range slices.Concat(announcement.all(r.fold(text)), announcementAbroad.all(r.fold(text))) {
		before, words, after := end(text[:at[0]]), text[at[0]:at[1]], text[at[1]:]
		if doubt.MatchString(before) {
			continue
		}
		if strings.HasSuffix(strings.ToLower(words), "n't") {
			after = "not " + after
		}
		after = beginning(after)
		c, known := read[after]
		if !known {
			c.add(r.content(after))
			read[after] = c
		}
		all.join(c)
		if finally.MatchString(before + words[:min(len(words), len("final "))]) {
			last.join(c)
		}
	}
	if i := r.firstLine(text); i >= 0 && all.any() {
		all.add(i, "") // an answer alone, and what was written after it
	}
	if last.any() {
		return last.one()
	}
	return all.one()
}

// beginning is the beginning of a text, as much as an answer may be.
func beginning(text string) string {
	const most = 400
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// content reads what was announced.
func (r *reader) content(text string) (int, Why) {
	text = strings.TrimLeft(text, " \t\n:=-–—→>.…,")
	if line, _, cut := strings.Cut(text, "\n"); cut {
		text = line
	}
	either := regexpEither.MatchString(text)
	if skipped := softeners.ReplaceAllString(text, ""); skipped != "" && !either {
		if option, why := r.directly(text); option >= 0 || why != NoOption {
			return option, why
		}
		text = skipped
	}
	if m := denied.FindStringIndex(text); m != nil {
		rather := butRather.FindStringIndex(text[m[1]:])
		if rather == nil {
			return -1, NoOption
		}
		text = text[m[1]+rather[1]:]
	}
	if option, why := r.directly(text); option >= 0 || why != NoOption {
		return option, why
	}
	if either {
		return -1, Several
	}
	if abstains(sentence(text)) && r.abstain < 0 {
		return -1, Abstains
	}
	var all chosen
	for _, m := range inRound.FindAllStringSubmatch(sentence(text), -1) {
		all.add(r.letter(m[1]))
	}
	return all.one()
}

var regexpEither = regexp.MustCompile(`(?i)^\s*(?:probably |likely )?(?:either|both|entweder|sowohl)\b`)

// directly reads a text that begins with an option.
func (r *reader) directly(text string) (int, Why) {
	if i := r.beginsWithWords(text); i >= 0 {
		return r.withLetter(text, i)
	}
	if notAvailable.MatchString(sentence(text)) && r.abstain < 0 {
		return -1, Abstains
	}
	if i, why, _ := r.ordinal(text); i >= 0 || why == Disagree {
		return i, why
	}
	if l, rest, ok := label(text); ok && !excluded.MatchString(rest) {
		return r.labelled(l, rest)
	}
	if bare := plain(sentence(text)); len(bare) == 1 && bare != "a" {
		return r.letter(bare)
	}
	return -1, NoOption
}

// withLetter returns an option if a text begins with its words, unless a letter in brackets is another option's.
func (r *reader) withLetter(text string, option int) (int, Why) {
	if m := inRound.FindStringSubmatch(sentence(text)); m != nil && m[1] != Letter(option) && r.withWords(strings.ToLower(m[1])) < 0 {
		return -1, Disagree
	}
	return r.meant(r.options[option], option)
}

// sentence is the first sentence of a text.
func sentence(text string) string {
	if i := sentenceEnd.FindStringIndex(text); i != nil {
		return text[:i[0]]
	}
	return text
}

var sentenceEnd = regexp.MustCompile(`[.!?](?:\s|$)|[。！？\n]`)

// beginsWithWords is the option with whose words a text begins, the longest; -1 = none.
func (r *reader) beginsWithWords(text string) int {
	words, best := plain(text), -1
	for i, o := range r.options {
		if o == "" || len(o) == 1 && words != o || !strings.HasPrefix(words, o) || !endsWord(words[len(o):]) {
			continue
		}
		if best < 0 || len(o) > len(r.options[best]) {
			best = i
		}
	}
	return best
}

// endsWord reports whether no word goes on at the start of a text.
func endsWord(rest string) bool {
	c, size := utf8.DecodeRuneInString(rest)
	return size == 0 || !unicode.IsLetter(c) && !unicode.IsNumber(c) || c >= 0x2e80
}

// named looks for options that are preferred in passing.
func (r *reader) named(text string) (int, Why) {
	var all, weak chosen
	for _, m := range slices.Concat(verdicts.all(r.fold(text)), verdictsAbroad.all(r.fold(text))) {
		switch option, why := r.letter(text[m[2]:m[3]]); {
		case negated(text[:m[0]]):
		case weakVerdict.MatchString(text[m[0]:m[1]]):
			weak.add(option, why)
		default:
			all.add(option, why)
		}
	}
	r.ordinalVerdicts(text, &all)
	for _, at := range naming.all(r.fold(text)) {
		if before := end(text[:at[0]]); negated(before) || doubt.MatchString(before) {
			continue
		}
		after := articles.ReplaceAllString(text[at[1]:], "")
		if l, rest, ok := label(after); ok && !excluded.MatchString(rest) {
			all.add(r.labelled(l, rest))
		} else {
			i, why, _ := r.ordinal(after)
			all.add(i, why)
		}
	}
	if r.concluded(text, &all); !all.any() {
		return weak.one()
	}
	return all.one()
}

var negation = regexp.MustCompile(`(?i)(?:\bnot|n't|\bnever|\bneither|\bnor|\brather than|\binstead of|\bexcept|\bunlike|\bwithout|\bno|\bnicht|\bkein(?:e[nmrs]?)?|\bpas|不是|不选|并非|排除)\s*(?:necessarily\s+|just\s+|only\s+|the\s+|an?\s+)?[("']*$`)

func negated(before string) bool { return negation.MatchString(end(before)) }

// end is the end of a text, as much as can bear on what follows.
func end(text string) string {
	const most = 100
	return strings.ToValidUTF8(text[max(0, len(text)-most):], "")
}

// leading looks at labels at the beginning of lines. Several are a list of options.
func (r *reader) leading(text string) (int, Why) {
	var all chosen
	first := true
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		l, rest, ok := label(line)
		switch {
		case ok && excluded.MatchString(rest):
		case ok:
			all.add(r.labelled(l, rest))
		case first:
			if i := r.beginsWithWords(line); i >= 0 && pausesAfter(line, r.options[i]) && !r.takenBack(Letter(i), line) {
				all.add(r.withLetter(line, i))
			}
		}
		if first && !all.any() {
			return -1, NoOption // a letter that only a later line begins with is that of a list, or an answer at the end
		}
		first = false
	}
	return all.one()
}

// pausesAfter reports whether a line makes a pause after the words that it begins with.
func pausesAfter(line, words string) bool {
	at := strings.Index(strings.ToLower(line), words)
	if at < 0 || at+len(words) > len(line) {
		return false
	}
	rest := strings.TrimLeft(line[at+len(words):], `"')]`)
	return rest == "" || strings.HasPrefix(rest, " (") || strings.ContainsAny(rest[:1], ".,;:!?-(") || strings.HasPrefix(rest, "。") || strings.HasPrefix(rest, "，")
}

// ending looks at the last line, if it is an option alone.
func (r *reader) ending(text string) (int, Why) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) < 2 {
		return -1, NoOption
	}
	last := plain(lines[len(lines)-1])
	if i := r.withWords(last); i >= 0 {
		return r.meant(last, i)
	}
	if len(last) == 1 {
		return r.letter(last)
	}
	var all chosen
	for _, line := range lines {
		if l, rest, ok := label(line); ok && !excluded.MatchString(rest) {
			all.add(r.labelled(l, rest))
		}
	}
	return all.one()
}

// bracketed looks for letters in brackets.
func (r *reader) bracketed(text string) (int, Why) {
	var all chosen
	for _, m := range inRound.FindAllStringSubmatchIndex(text, -1) {
		if after := beginning(text[m[1]:]); !negated(text[:m[0]]) && !excluded.MatchString(after) && !r.takenBack(text[m[2]:m[3]], after) {
			all.add(r.letter(text[m[2]:m[3]]))
		}
	}
	return all.one()
}
