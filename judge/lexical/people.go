package lexical

import (
	"unicode"
	"unicode/utf8"
)

// person is a noun phrase, a name or a pronoun that stands for somebody, the
// words first to last (exclusive) of a caption.
type person struct {
	first, last int
	gender      gender
	plural      bool
	pronoun     bool
	owner       bool // only a possessive: "the man's hat"
	agent       bool // stands where the one who acts does
}

// casing tells how a word is written in a caption, as bits.
type casing uint8

const (
	lowerCased casing = 1 << iota
	capitalInside
	namedSo // after "named" or "called"
)

// readCasing notes for every word, by its exact id, how it is written.
func readCasing(t *text, size int) []casing {
	seen := make([]casing, size)
	for i := range t.tokens {
		tok := &t.tokens[i]
		if tok.isBlank {
			continue
		}
		id := tok.form.ids[exactLevel]
		switch {
		case !t.isCapital(i):
			seen[id] |= lowerCased
		case i > 0 && t.tokens[i-1].sentence == tok.sentence:
			seen[id] |= capitalInside
		}
		if i > 0 && isNaming(t.tokens[i-1].form.text) {
			seen[id] |= namedSo
		}
	}
	return seen
}

func isNaming(word string) bool { return word == "named" || word == "called" || word == "nicknamed" }

// isCapital reports whether word i is written like a name: one capital letter
// in front.
func (t *text) isCapital(i int) bool {
	r, width := utf8.DecodeRuneInString(t.source[t.tokens[i].start:t.tokens[i].end])
	if !unicode.IsUpper(r) {
		return false
	}
	next, _ := runeAt(t.source, t.tokens[i].start+width)
	return unicode.IsLower(next)
}

// isName reports whether word i is somebody's name.
func (c *Caption) isName(i int) bool {
	tok := &c.text.tokens[i]
	if tok.isBlank || tok.form.isFunction || tok.form.isNumber || unnamed[tok.form.text] {
		return false
	}
	seen := c.seen[tok.form.ids[exactLevel]]
	if seen&namedSo != 0 {
		return !lightWords[stemOf(tok.form.text)]
	}
	if !c.text.isCapital(i) {
		return false
	}
	if given[senseOf(tok.form.text)] != anyGender {
		return true
	}
	if i > 0 && placeWords[c.text.tokens[i-1].form.text] {
		return false
	}
	return seen&capitalInside != 0 && seen&lowerCased == 0 && !isPersonWord(c.sense(i))
}

// placeWords before a capital letter make it a place's.
var placeWords = set(`in at near from into inside outside through across`)

func (c *Caption) sense(i int) string {
	if c.text.tokens[i].isBlank {
		return ""
	}
	return senseOf(c.text.tokens[i].form.text)
}

func (c *Caption) word(i int) string {
	if i < 0 || i >= len(c.text.tokens) || c.text.tokens[i].isBlank {
		return ""
	}
	return c.text.tokens[i].form.text
}

// people lists those who are spoken of in the words first to last, in order.
func (c *Caption) people(first, last int) []person {
	var all []person
	for i := first; i < last; {
		p, ok := c.personAt(i, first, last)
		if !ok {
			i++
			continue
		}
		i = p.last
		if c.isApposition(p, all) {
			before := &all[len(all)-1]
			before.last, before.gender = p.last, max(before.gender, p.gender)
			continue
		}
		if n := len(all); n > 0 && all[n-1].owner && all[n-1].last == p.first && !p.pronoun {
			p.first = all[n-1].first // "the bride's father"
			all = all[:n-1]
		}
		p.agent = c.standsAsAgent(p, all)
		all = append(all, p)
	}
	return all
}

// personAt reads the person whose head is word i.
func (c *Caption) personAt(i, from, to int) (person, bool) {
	if g, plural, ok := pronounAt(c.word(i), c.word(i+1)); ok {
		return person{first: i, last: i + 1, gender: g, plural: plural, pronoun: true}, true
	}
	p := person{first: i, last: i + 1}
	switch {
	case c.isName(i):
		p.gender = given[c.sense(i)]
		for p.first > from && c.joins(p.first) && titles[c.word(p.first-1)] {
			p.first--
			p.gender = max(p.gender, gendered[c.sense(p.first)])
		}
	case isPersonWord(c.sense(i)):
		if !c.readHead(&p, i, from, to) {
			return p, false
		}
	default:
		return p, false
	}
	for p.last < to && c.joins(p.last) && c.isName(p.last) {
		p.gender = max(p.gender, given[c.sense(p.last)])
		p.last++
	}
	p.owner = c.isPossessive(p.last - 1)
	if !p.owner {
		p.last = c.modifiersEnd(p.last, to)
	}
	return p, true
}

// readHead reads the noun phrase around the person word i, which may be
// followed by another one: "police officer".
func (c *Caption) readHead(p *person, i, from, to int) bool {
	for p.last < to && c.joins(p.last) && isPersonWord(c.sense(p.last)) && !verbHeads[c.sense(p.last)] && !c.isPossessive(p.last-1) {
		p.last++
	}
	head := p.last - 1
	p.gender = gendered[c.sense(head)]
	for k := i; k < p.last; k++ {
		p.gender = max(p.gender, gendered[c.sense(k)])
	}
	word := c.word(head)
	p.plural = plurals[word] || word[len(word)-1] == 's' && (len(word) < 2 || word[len(word)-2] != 's')
	article := c.readLeft(p, from)
	if many[c.word(p.first)] || c.text.tokens[p.first].form.isNumber && c.word(p.first) != "1" {
		p.plural = true
	}
	if p.first-2 >= from && c.word(p.first-1) == "of" && c.word(p.first-2) == "1" {
		p.first, p.plural = p.first-2, false // "one of the judges"
	}
	switch {
	case article:
		return true
	case verbHeads[c.sense(i)]:
		return false
	}
	return p.plural || p.first < i || bareHeads[c.sense(head)] || kinships[c.sense(head)]
}

// phraseReach is how many words may stand between an article and its noun.
const phraseReach = 5

// readLeft moves p.first to the article or number of the phrase, or over the
// adjectives if there is none, and reports which.
func (c *Caption) readLeft(p *person, from int) (article bool) {
	for k := p.first; k > from && p.first-k < phraseReach && c.joins(k); {
		k--
		switch word := c.word(k); {
		case articles[word] || c.text.tokens[k].form.isNumber || many[word]:
			p.first = k
			return true
		case word == "" || c.text.tokens[k].form.isFunction || isPersonWord(c.sense(k)):
			k = from // no article belongs to the phrase
		}
	}
	for p.first > from && c.joins(p.first) && isAdjective(c.word(p.first-1)) {
		p.first--
	}
	return false
}

var articles = set(`a an the this that another his her their its my our your whose each every 1`)

func isAdjective(word string) bool { return modifiers[word] || genericWords[word] || colorWords[word] }

// joins reports whether word i belongs to the same clause as the word before.
func (c *Caption) joins(i int) bool {
	return i > 0 && c.text.tokens[i].clause == c.text.tokens[i-1].clause && c.text.tokens[i].sentence == c.text.tokens[i-1].sentence
}

func (c *Caption) isPossessive(i int) bool {
	tok := &c.text.tokens[i]
	s := c.text.source[tok.start:tok.end]
	r, width := utf8.DecodeLastRuneInString(s)
	before, _ := utf8.DecodeLastRuneInString(s[:len(s)-width])
	if r == 's' && isApostrophe(before) {
		return true
	}
	next, _ := runeAt(c.text.source, tok.end)
	return r == 's' && isApostrophe(next)
}

// pronounAt reads a personal pronoun. "Her" and "his" before a noun only say
// whose it is.
func pronounAt(word, next string) (g gender, plural, ok bool) {
	switch word {
	case "he", "him":
		return maleGender, false, true
	case "she":
		return femaleGender, false, true
	case "her":
		return femaleGender, false, next == "" || functionWords[next]
	case "they", "them":
		return anyGender, true, true
	}
	return anyGender, false, false
}

// modifiersEnd reads what follows a head and tells who is meant: "in a grey
// coat and a hat", "with red hair", "named Tomas".
func (c *Caption) modifiersEnd(i, to int) int {
	for i < to {
		k := i
		who := c.word(k) == "who"
		if who {
			k++
		}
		if w := c.word(k); w == "is" || w == "dressed" || w == "clad" {
			k++
		}
		switch w := c.word(k); {
		case isNaming(w) && k+1 < to && c.isName(k+1):
			k += 2
			for k < to && c.joins(k) && c.isName(k) {
				k++
			}
			i = k
			continue
		case w == "in" || w == "with" || w == "wearing" || w == "sporting" || who && w == "wears":
		case w == "and" && i > 0 && garments[c.sense(i-1)] != "":
		default:
			return i
		}
		end := c.garmentEnd(k+1, to)
		if end < 0 {
			return i
		}
		i = end
	}
	return i
}

// garmentEnd returns the end of a phrase about looks that starts at i, -1 if
// there is none: "a long grey coat", "black", "short curly hair".
func (c *Caption) garmentEnd(i, to int) int {
	start := i
	for ; i < to && i-start <= phraseReach; i++ {
		word := c.word(i)
		if i > start && !c.joins(i) || word == "" {
			break
		}
		if garments[c.sense(i)] != "" {
			for i++; i < to && c.joins(i) && garments[c.sense(i)] != ""; i++ {
			}
			return i // past both words of a tank top
		}
		if !articles[word] && (c.text.tokens[i].form.isFunction || isPersonWord(c.sense(i))) {
			break
		}
	}
	if i > start && i <= to && colorWords[c.word(i-1)] && i-start <= 2 {
		return i
	}
	return -1
}
