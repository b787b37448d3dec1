package letters

import (
	"regexp"
	"strings"
)

// Words next to a letter that are no option's.
var (
	// placeholders are words that a format example has where an option's belong.
	placeholders = regexp.MustCompile(`(?i)^(?:[x×]+|placeholder|(?:your |the |some |option(?:'s)? |answer )?(?:answer|words?|text|string|value)|todo|tbd|foo|bar|lorem ipsum)$`)
	// bareNotGiven and lacking are texts that lack a detail: all of their words, or some of them.
	bareNotGiven = regexp.MustCompile(`(?i)^(?:none|nothing|not given)$`)
	lacking      = search{
		pattern(`(?i)\bnot (?:\w+ ){0,2}(?:given|mentioned|specified|stated|provided|described|indicated|clear|known|said|available|determined|determinable|inferred|discussed|included|covered|detailed)\b` +
			`|(?:n['’]t|\bnot) (?:\w+ )?(?:mention|say|specify|state|describe|give|indicate|provide|tell|include)\b` +
			`|\b(?:unknown|unspecified|unmentioned|unstated|undetermined|n/?a|no (?:information|mention|details?|answer)|none of (?:the(?: (?:above|options|others))?|these)|cannot be \w+)\b` +
			`|未提及|未提到|未给出|没有提|未说明|未提供|无法确定|不确定|未知`), `.,;:!?()"`,
		[]string{"not ", "n't ", "n’t ", "unknown", "unspecified", "unmentioned", "unstated", "undetermined", "n/a", "na", "no information", "no mention", "no detail", "no answer",
			"none of the", "cannot be ", "未", "没有提", "无法确定", "不确定"},
	}
	// remainder may follow on words that mean not given.
	remainder = regexp.MustCompile(`(?i)^(?:[ ,]*(?:in|by|from) the \w+)?[^\pL\pN]*$`)
)

// IsPlaceholder reports whether words come from a format example, such as xxx.
func IsPlaceholder(words string) bool { return placeholders.MatchString(words) }

// SaysNotGiven reports whether words say that something is not given, perhaps among other things.
func SaysNotGiven(words string) bool {
	return bareNotGiven.MatchString(words) || lacking.in(fold(words))
}

// onlyNotGiven reports whether words say that something is not given, and nothing else.
func onlyNotGiven(words string) bool {
	at := lacking.pattern().FindStringIndex(words)
	return bareNotGiven.MatchString(words) || at != nil && at[0] == 0 && remainder.MatchString(words[at[1]:])
}

var letterWithWords = regexp.MustCompile(`^[^\pL\pN]*[A-Z][^\pL\pN]+(\pL.*)$`)

// IsHollow reports whether a reply is a letter with words that contradict any choice: a placeholder, or that
// nothing is given. option is the text of the letter's option.
func IsHollow(reply, option string) bool {
	m := letterWithWords.FindStringSubmatch(strings.TrimSpace(reply))
	if m == nil || plain(m[1]) == plain(option) {
		return false
	}
	words := plain(m[1])
	return IsPlaceholder(words) || onlyNotGiven(words) && !SaysNotGiven(option)
}
