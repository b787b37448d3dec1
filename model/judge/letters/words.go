package letters

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// abstention are words that decline to choose.
var abstention = search{
	pattern(`(?i)(?:\bn/a\b|\bnone of (?:the|these|those) (?:above|options|choices|answers|given)|\b(?:cannot|can't|can not|could not|couldn't|unable to|impossible to|not possible to|hard to|difficult to|no way to) (?:be )?(?:answer|answered|determin|tell|say|identify|identified|infer|know|known|decide|choose|select|conclude|be sure)|\b(?:not|isn't|is not|insufficient|not enough|lacks?|without) (?:enough |sufficient )?(?:information|evidence|context|details?|clear from)|\binsufficient\b|\bi(?:'m| am)? (?:not sure|do not know|don't know|have no idea|cannot|can't)\b|\b(?:does|do|did) not (?:mention|say|specify|state|provide|describe|indicate|contain|include)|\b(?:doesn't|don't|didn't) (?:mention|say|specify|state|provide|describe|indicate|contain|include)|\bnot (?:mentioned|specified|stated|given|provided|described|available)|\bunknown\b|\bunanswerable\b|\bno answer\b|\bundetermined\b|nicht (?:beantworte|bestimm|ersichtlich|erwähnt|genannt)|keine (?:angabe|antwort|information)|unbekannt|weiß (?:es )?nicht|无法|不能确定|不知道|没有提到|未提及|信息不足|わかりません|判断できません|알 수 없|no se puede|(?-i:[Nn]o lo sé|[Nn]ão (?:é possível|sei|há como)|[Kk]hông (?:thể|biết|rõ)|لا (?:يمكن|أعرف|أستطيع)|غير معروف|पता नहीं|नहीं (?:बता|कह))|tidak (?:dapat|tahu|bisa|diketahui|disebutkan)|non (?:è possibile|si può)|impossible de)`), `.,;:()"!?`,
	[]string{"not", "n't", "n/a", "none of", "unable to", "possible to", "hard to", "difficult to", "no way to", "insufficient", "lack", "without", "no idea", "unknown", "unanswerable",
		"no answer", "undetermined", "nicht", "keine ", "unbekannt", "无法", "不能确定", "不知道", "没有提到", "未提及", "信息不足", "わかりません", "判断できません", "알 수 없", "no se puede", "no lo s", "ão ", "hông ", "لا ", "غير معروف", "नहीं", "tidak ", "non ", "possible de"},
}

// abstains reports whether a text declines to choose.
func abstains(text string) bool { return notAvailable.MatchString(text) || abstention.in(fold(text)) }

// abstaining looks for words that decline to choose.
func (r *reader) abstaining(text string) (int, Why) {
	if !abstains(text) {
		return -1, NoOption
	}
	if r.abstain >= 0 {
		return -1, NoOption // an option says the same
	}
	return -1, Abstains
}

// worded looks for the words of options in the reply. Of options whose words contain each
// other, the longer is meant where it stands.
func (r *reader) worded(text string) (int, Why) {
	words := " " + strings.Join(strings.Fields(strings.ToLower(text)), " ") + " "
	var all chosen
	for i, o := range r.options {
		if len(o) < 2 {
			continue
		}
		for from := 0; ; {
			at := strings.Index(words[from:], o)
			if at < 0 {
				break
			}
			at += from
			from = at + len(o)
			if m := ownLetter.FindStringSubmatch(strings.ToUpper(beginning(words[from:]))); m != nil && m[1] != Letter(i) && Index(m[1], len(r.options)) >= 0 {
				all.add(-1, Disagree)
			}
			if standsAlone(words, at, from) && !r.within(words, i, at, from) && !rejectedAround(words[:at], o, words[from:], Letter(i)) {
				all.add(r.withWords(o), "")
			}
		}
	}
	return all.one()
}

// rejectedAround reports whether what is before or after the words of an option rejects it.
func rejectedAround(before, option, after, letter string) bool {
	return negated(before) || negated(withoutLabel(before, letter)) || rejected(beginning(after)) || answeredNo.MatchString(beginning(after)) ||
		option == "no" && belongsToNext(after)
}

// withoutLabel returns a text in small letters without a letter that labels what follows.
func withoutLabel(text, letter string) string {
	before, ok := strings.CutSuffix(strings.TrimRight(text, ` .:)-–"'`), strings.ToLower(letter))
	if last, _ := utf8.DecodeLastRuneInString(before); !ok || unicode.IsLetter(last) {
		return text
	}
	return before
}

// ownLetter is a letter in brackets right behind the words of an option.
var ownLetter = regexp.MustCompile(`^\s*\(([A-Z])\)`)

func standsAlone(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	return (!unicode.IsLetter(before) && !unicode.IsNumber(before) || before >= 0x2e80) && endsWord(text[to:])
}

// within reports whether the words of option i, found there, are part of a longer option.
func (r *reader) within(text string, i, from, to int) bool {
	for k, o := range r.options {
		if k == i || len(o) <= to-from {
			continue
		}
		for at := max(0, to-len(o)); at <= from && at+len(o) <= len(text); at++ {
			if text[at:at+len(o)] == o {
				return true
			}
		}
	}
	return false
}
