package letters

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	wrong    = `(?:wrong|incorrect|false|untrue|ruled out|eliminated|excluded|falsch|faux|incorrect[ao]|incorret[ao]|errad[ao]|sbagliat[ao]|salah|sai)`
	unlikely = `(?:impossible|implausible|unlikely)`
	copula   = `(?:is|are|was|were|seems?|looks?|sounds?|can be|could be|must be|would be|would have been|ist|sind|est|es|está|è|é|adalah)`
	adverbs  = `(?:(?:definitely|clearly|probably|obviously|certainly|simply|just|also|therefore|thus|eindeutig)\s+)?`
	onset    = `^[\s"'.,:;?!(\[)\]–—-]*`
	stop     = `(?:\s*(?:[.,;:!?)]|$)|\s+(?:because|since|as|for|here|weil)\b)`
)

var (
	// refused follows an option that is rejected: "is wrong", ". It is incorrect.", "- wrong".
	refused = regexp.MustCompile(`(?i)^["')\]*\s]*\?["')\]*\s]*(?:no|nope|nein|non|not)(?:\PL|$)|` + onset + `(?:` +
		copula + `\s+` + adverbs + `(?:` + wrong + `|not (?:correct|right|true|it\b|the (?:answer|right|correct|best)))(?:\PL|$)` +
		`|(?:(?:it|this|that|which|this one|that one|this option)\s+` + copula + `\s+)?` + adverbs + `(?:` + wrong + `|not (?:correct|right|true))` + stop +
		`|(?:would|should|could|can)(?:n't|\s*not)\s+be(?:\PL|$)` +
		`|(?:it |this |that )?` + copula + `\s+` + adverbs + unlikely + stop +
		`|(?:错|不对|不正确|❌|✗|✘|✖|ليس|غير صحيح|خطأ|गलत|[^।\n]{0,20}नहीं))`)
	negatedVerb = regexp.MustCompile(`(?i)^["')\]]*\s*(?:is|are|was|were|does|do|did|can|could|ist|sind)(?:n't|\s*not|\s+never|\s+nicht)\b`)
	// answeredNo follows words of an option: "a dog: no".
	answeredNo = regexp.MustCompile(`(?i)^["')\]]*\s*[:–—-]+\s*(?:no|nope|nein|non|not)\s*(?:[.,;!)]|$)`)
	// flatNo is all that is said of a letter: "A - no", "A: not heard.".
	flatNo = regexp.MustCompile(`(?i)^["')\]]*\s*[.,:–—-]*\s*(?:no|nope|nein|non|not (?:heard|present|audible|there|mentioned|it|this|this one|likely|possible))\s*(?:[.;!)]\s*[^\pL]*|,\s*(?i:but|so|it|that|because)\b.*)?$`)
	// judgement is all that is said of an option: "(A) no (B) yes".
	judgement = regexp.MustCompile(`(?i)^[\s:,)\].–—-]*(?:yes|no|true|false|right|wrong|correct|incorrect)[\s(\["']*$`)
	// retraction takes a letter back for another one: ", no wait, B".
	retraction = regexp.MustCompile(`(?i)^[\s,.;:!?)–—-]*(?:(?:no|wait|sorry|actually|oops|hmm?|scratch that|correction|or rather|i mean|make that)[\s,.;:!–—-]+)+(?:option |it's |it is )?\(?((?-i:[A-Z]))(?:[).,;!]|\s*$)`)
	// confirmed matches a remark about an option that is right, denial a remark about one that is wrong, where a reply speaks of
	// several in turn.
	confirmed = regexp.MustCompile(`(?i)` + onset + `(?:(?:yes|yeah|correct|right|true|ja|oui|sí|sì|sim|richtig)(?:\PL|$)|对|正确|✅|✓|✔)|\b` + copula + `\s+` + adverbs +
		`(?:the )?(?:most )?(?:correct|right|true|best|better|more \pL+|answer|richtig|korrekt|correct[ao]|corret[ao]|certa|certo)\b|\b(?:fits|matches)\b|正确的`)
	denial = regexp.MustCompile(`(?i)` + onset + `(?:no|nope|nein|non|não|not|never|neither)(?:\PL|$)|\b(?:` + copula + `|does|do|did|can|could|would)(?:n't|\s*not|\s+never)\b|\b` +
		copula + `\s+` + adverbs + `(?:` + wrong + `|` + unlikely + `|off)\b|\bcannot\b|不是|不对|没有`)
	// twiceNegated matches remarks that begin like a denial and deny nothing.
	twiceNegated = regexp.MustCompile(`(?i)` + onset + `(?:no (?:doubt|other|one else|question)\b|not (?:wrong|incorrect|only)\b|not \(?(?-i:[A-Z])\b)`)
	negative     = regexp.MustCompile(`(?i)\b(?:no|not|never|none|nobody|nothing|without|silence|cannot)\b|n't\b`)
	// nextLabel is a further label on a line: with a mark behind it (group 1), behind the word option (2), or as the subject of a
	// sentence (3).
	nextLabel = regexp.MustCompile(`[\s(\[][("'\[]*([A-Za-z])(?:[)\].:?]+(?:\s|$)|\s+[-–—]\s|\s*[(\[](?i:wrong|incorrect|right|correct|true|false|yes|no)[)\]])` +
		`|\s(?i:option|choice|opción|opzione|opção)\s+[("']*([A-Z])\b|[.!?;,]\s+(?:(?i:but|while|whereas|and|yet|however,?)\s+)?([A-Z])\s+(?i:is|isn't|was|wasn't|does|doesn't|can|can't|cannot|has|seems)\b`)
	// subject follows a letter that is the subject of a sentence, contrast comes before a further one.
	subject    = regexp.MustCompile(`^["')\]]*\s+(?i:is|was|does|can|has|seems|sounds|looks)\b`)
	contrast   = regexp.MustCompile(`(?i)([.!?;,])\s+(?:but|while|whereas|and|yet|however,?)$`)
	optionWord = regexp.MustCompile(`(?i)\b(?:option|choice|opción|opção|opzione)$`)
	titles     = regexp.MustCompile(`\b(?:Dr|Mr|Mrs|Ms|Prof|St|[Vv]itamin)\.?$`)
)

// rejected reports whether what follows an option takes it back.
func rejected(after string) bool { return excluded.MatchString(after) || refused.MatchString(after) }

// A remark is the part of a line that speaks of one option.
type remark struct {
	letter, text string
	mention      bool // it speaks of the option, as in "Option B is ...", and does not list it
}

// remarks splits a line that names several options in turn. l is its first letter, rest the text after it. A further letter
// is behind a sentence or a comma, or before the words of its option.
func (r *reader) remarks(l, rest string) []remark {
	all := []remark{{letter: l, mention: subject.MatchString(rest)}}
	start := 0
	for _, m := range nextLabel.FindAllStringSubmatchIndex(rest, -1) {
		from, to := max(m[2], m[4], m[6]), max(m[3], m[5], m[7]) // -1 for the groups that are not there
		letter := rest[from:to]
		i := Index(strings.ToUpper(letter), len(r.options))
		if i < 0 || letter == l || unicode.IsUpper(rune(letter[0])) != unicode.IsUpper(rune(l[0])) {
			continue
		}
		before := strings.TrimRight(optionWord.ReplaceAllString(strings.TrimRight(rest[:from], ` ("'[`), ""), ` ("'[`)
		before = contrast.ReplaceAllString(before, "$1")
		c, _ := utf8.DecodeLastRuneInString(before)
		own := len(r.options[i]) > 1 && strings.HasPrefix(plain(rest[to:]), r.options[i])
		if titles.MatchString(before) || !judgement.MatchString(rest[start:from]) && (negated(rest[:from]) || !own && !strings.ContainsRune(".!?;,❌✗✘✖✅✓✔", c)) {
			continue
		}
		all[len(all)-1].text = optionWord.ReplaceAllString(strings.TrimRight(rest[start:from], ` ("'[`), "")
		all = append(all, remark{letter: letter, mention: m[2] < 0})
		start = to
	}
	all[len(all)-1].text = rest[start:]
	return all
}

// inTurn reads a line that says something of several options in turn: the one that it confirms, or the only one that it does not
// deny. many is false where the line speaks of one option, or of others only to explain its answer.
func (r *reader) inTurn(l, rest string) (option int, why Why, many bool) {
	all := r.remarks(l, rest)
	if len(all) < 2 || plain(all[0].text) == "" && !r.lists(all[1]) {
		return 0, "", false
	}
	var open, sure chosen
	for _, one := range all {
		said := strings.TrimLeft(r.withoutOwnWords(one), ` .,:;?!)]"'–—-`)
		switch first := sentence(said); {
		case twiceNegated.MatchString(said):
			open.add(r.letter(one.letter))
		case refused.MatchString(said) || denial.MatchString(first):
		case confirmed.MatchString(first):
			sure.add(r.letter(one.letter))
		case one.mention && !all[0].mention && plain(one.text) != "": // it explains the answer
		default:
			open.add(r.letter(one.letter))
		}
	}
	if sure.any() {
		open = sure
	}
	option, why = open.one()
	return option, why, true
}

// lists reports whether a remark is an item of a list: nothing, or the option's own words.
func (r *reader) lists(one remark) bool {
	return plain(one.text) == "" || r.withoutOwnWords(one) != one.text
}

// withoutOwnWords returns the rest of a remark after the option's own words.
func (r *reader) withoutOwnWords(one remark) string {
	i := Index(strings.ToUpper(one.letter), len(r.options))
	if i < 0 || len(r.options[i]) < 2 {
		return one.text
	}
	at := strings.Index(strings.ToLower(one.text), r.options[i])
	end := at + len(r.options[i])
	if at < 0 || end > len(one.text) || plain(one.text[:at]) != "" || !endsWord(one.text[end:]) {
		return one.text
	}
	return one.text[end:]
}

// fillers come after the words that "no" or "not" denies.
var fillers = map[string]bool{"is": true, "are": true, "was": true, "were": true, "can": true, "could": true, "heard": true, "present": true, "here": true, "there": true, "in": true, "at": true, "to": true}

// takenBack reports whether a line that speaks of one option rejects it: behind its words, or by beginning with no and words of it.
func (r *reader) takenBack(l, rest string) bool {
	said := r.withoutOwnWords(remark{letter: l, text: rest})
	if refused.MatchString(said) || said != rest && (negatedVerb.MatchString(said) || answeredNo.MatchString(said)) {
		return true
	}
	i := Index(strings.ToUpper(l), len(r.options))
	if i < 0 || said != rest || negative.MatchString(r.options[i]) {
		return false
	}
	return flatNo.MatchString(rest) || deniesWords(rest, r.options[i])
}

// deniesWords reports whether a line begins with no or not and words of an option.
func deniesWords(line, option string) bool {
	words := strings.FieldsFunc(plain(sentence(strings.TrimLeft(line, ` .:)]–-`))), func(c rune) bool { return !isWord(c) })
	if len(words) < 2 || words[0] != "no" && words[0] != "not" {
		return false
	}
	own, denied := wordsOf(option), false
	for _, w := range words[1:] {
		switch {
		case fillers[w]:
			return denied
		case !own[w]:
			return false
		}
		denied = denied || len(w) > 2
	}
	return denied
}
