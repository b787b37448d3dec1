package lexical

// negationReach is how many words before a mention a negation may stand.
const negationReach = 4

// negated reports whether the words first to last (exclusive) are denied: a
// negation stands shortly before them in their clause ("no toilet sounds"),
// or they are said not to be there ("a siren is not heard").
func (t *text) negated(first, last int) bool {
	if last <= first || last > len(t.tokens) {
		return false
	}
	for i := first - 1; i >= max(0, first-negationReach); i-- {
		if t.tokens[i].clause != t.tokens[first].clause {
			break
		}
		if t.tokens[i].form.isNegation {
			return true
		}
	}
	return t.absentAfter(last)
}

// absentAfter reports whether the clause goes on with "is not heard" or the
// like.
func (t *text) absentAfter(last int) bool {
	end := min(last+negationReach, len(t.tokens)-1)
	for i := last; i < end && t.tokens[i].clause == t.tokens[last-1].clause; i++ {
		if f := t.tokens[i].form; f.text == "not" || f.text == "never" {
			return perceived[t.tokens[i+1].form.text]
		}
	}
	return false
}
