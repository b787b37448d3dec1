package wording

import "strconv"

// ordinalMark ends the text of an ordinal number: "8th" and "eighth" both
// read as 8th, and so do "1st" and "first" as 1th.
const ordinalMark = "th"

// joinNumbers writes numbers in words as digits ("one hundred and forty-six"
// as 146), names units one way, and drops the "to" of "two to one" so that it
// reads like the score 2-1.
func joinNumbers(words []word) []word {
	out := words[:0]
	for i := 0; i < len(words); {
		if number, n := numberInWords(words[i:], lastIsNumber(out)); n > 0 {
			joined := words[i]
			joined.end, joined.text, joined.kind = words[i+n-1].end, number, numberWord
			out = append(out, joined)
			i += n
			continue
		}
		w := words[i]
		n := 1
		if unit, size := unitName(words[i:]); size > 0 {
			w.end, w.text, n = words[i+size-1].end, unit, size
		}
		if !(w.text == "to" && lastIsNumber(out) && startsNumber(words[i+1:])) {
			out = append(out, w)
		}
		i += n
	}
	return out
}

func lastIsNumber(words []word) bool {
	return len(words) > 0 && words[len(words)-1].kind == numberWord
}

func startsNumber(words []word) bool {
	if len(words) == 0 || words[0].boundary != noBoundary {
		return false
	}
	_, inWords := cardinals[words[0].text]
	return inWords || words[0].kind == numberWord
}

// unitName reads a unit of several words or a short form of one.
func unitName(words []word) (name string, size int) {
	for _, p := range unitPhrases {
		if startsWith(words, p.words) {
			return p.name, len(p.words)
		}
	}
	return "", 0
}

func startsWith(words []word, phrase []string) bool {
	if len(words) < len(phrase) {
		return false
	}
	for i, p := range phrase {
		if words[i].text != p {
			return false
		}
	}
	return true
}

// numberInWords reads a number in words at the start of words and returns
// its digits and how many words it took, 0 for none. "Second" after a number
// is a unit of time.
func numberInWords(words []word, afterNumber bool) (digits string, taken int) {
	p := numberParser{words: words}
	ordinal := false
	for !ordinal && p.more() {
		text := words[p.taken].text
		if value, ok := ordinals[text]; ok && !(afterNumber && p.taken == 0) && p.fits(value) {
			p.add(value)
			ordinal = true
			continue
		}
		value, ok := cardinals[text]
		if !ok || !p.fits(value) {
			break
		}
		p.add(value)
	}
	if p.taken == 0 {
		return "", 0
	}
	digits = strconv.Itoa(p.total + p.group)
	if ordinal {
		return digits + ordinalMark, p.taken
	}
	return p.withFraction(digits)
}

// numberParser adds up number words from left to right: group is the part
// below the next thousand, last the value of the last word.
type numberParser struct {
	words              []word
	taken              int
	total, group, last int
}

// more reports whether another word may continue the number, and skips the
// "and" of "one hundred and six".
func (p *numberParser) more() bool {
	rest := p.words[p.taken:]
	if len(rest) == 0 || rest[0].kind != plainWord {
		return false
	}
	if p.taken == 0 {
		return true
	}
	if rest[0].boundary != noBoundary {
		return false
	}
	if p.last >= 100 && rest[0].text == "and" && len(rest) > 1 {
		if value, ok := cardinals[rest[1].text]; ok && value > 0 && value < 100 {
			p.taken++
		}
	}
	return true
}

// fits reports whether value may follow the last word: "forty six" is one
// number, "four four" and "six forty" are two.
func (p *numberParser) fits(value int) bool {
	switch {
	case p.taken == 0:
		return true
	case value >= 1000:
		return p.group > 0 && p.total == 0
	case value == 100:
		return p.group > 0 && p.group < 10
	case p.last >= 100:
		return value > 0
	default:
		return p.last >= 20 && value > 0 && value < 10
	}
}

func (p *numberParser) add(value int) {
	switch {
	case value >= 1000:
		p.total, p.group = max(p.group, 1)*value, 0
	case value == 100:
		p.group = max(p.group, 1) * value
	default:
		p.group += value
	}
	p.last = value
	p.taken++
}

// withFraction reads "point three" after an integer.
func (p *numberParser) withFraction(digits string) (string, int) {
	rest := p.words[p.taken:]
	if len(rest) < 2 || rest[0].text != "point" {
		return digits, p.taken
	}
	fraction := ""
	for _, w := range rest[1:] {
		value, ok := cardinals[w.text]
		if !ok || value > 9 || w.boundary != noBoundary {
			break
		}
		fraction += strconv.Itoa(value)
	}
	if fraction == "" {
		return digits, p.taken
	}
	return canonicalNumber(digits + "." + fraction), p.taken + 1 + len(fraction)
}
