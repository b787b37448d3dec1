package lexical

import "slices"

// traits is what a description says of a person.
type traits struct {
	words  []string // all that says something, reduced as in deeds
	names  []string
	heads  []string // nouns for persons, reduced
	gender gender
	plural bool
	child  bool // by the noun: boy, girl
	adult  bool
	looks  []look
	nature []string // tall, old and the like
}

// look is a garment, hair and the like.
type look struct {
	sort    string // see garments
	noun    string // empty where only the color is told: "in black"
	quality []string
}

func (t traits) isEmpty() bool { return len(t.words) == 0 && len(t.names) == 0 }

// isBare reports whether the description fits many: "the man".
func (t traits) isBare() bool {
	if len(t.names) > 0 || len(t.looks) > 0 || len(t.nature) > 0 {
		return false
	}
	for _, h := range t.heads {
		if !bareHeads[h] {
			return false
		}
	}
	return true
}

// natures, by what they exclude each other in.
var natures = map[string]string{
	"tall": "height", "short": "height", "young": "age", "old": "age", "elderly": "age",
	"teenage": "age", "middle": "age", "fat": "build", "chubby": "build", "stout": "build",
	"thin": "build", "slim": "build", "slender": "build", "skinny": "build", "bald": "hair",
	"pregnant": "state", "bearded": "beard", "hooded": "hood", "masked": "mask", "muscular": "muscle",
	"blind": "sight", "uniformed": "uniform",
}

// alike gives natures that do not exclude each other one name.
var alike = pairs(`elderly old aging old teenage young chubby fat stout fat slim thin slender thin skinny thin`)

// hairWords are colors that need no "hair" after them.
var hairWords = pairs(`blond blond blonde blond redhead red ginger red brunette brown haired - graying gray`)

// describe reads a description such as "a tall man in a grey coat".
func describe(source string) traits {
	c := casedText(source)
	var t traits
	var pending []string // qualities that wait for their noun
	for i := range c.text.tokens {
		tok := &c.text.tokens[i]
		if tok.isBlank {
			continue
		}
		word, sense := tok.form.text, c.sense(i)
		if many[word] || tok.form.isNumber && word != "1" {
			t.plural = true
		}
		if tok.form.isFunction || tok.form.isNumber {
			if len(pending) > 0 && word == "and" {
				continue
			}
			t.settle(&pending)
			continue
		}
		t.words = appendNew(t.words, deedOf(word))
		switch {
		case i+1 < len(c.text.tokens) && c.isPossessive(i):
			pending = nil // the bride, in "the bride's father"
		case hairWords[word] != "":
			t.addHair(hairWords[word], &pending)
		case colorWords[word] || isTexture(word):
			pending = append(pending, word)
		case garments[sense] != "":
			t.looks = append(t.looks, look{garments[sense], sense, pending})
			pending = nil
		case c.nameHere(i):
			t.names = append(t.names, word)
			t.gender = max(t.gender, given[sense])
		case isPersonWord(sense):
			t.addHead(word, sense, &pending)
		case natures[word] != "":
			if word == "short" && garmentFollows(c, i) {
				pending = append(pending, word)
			} else {
				t.nature = append(t.nature, word)
			}
		}
	}
	t.settle(&pending)
	if c.word(0) == "1" {
		t.plural = false // "one of the judges"
	}
	return t
}

// casedText reads a short text with what is needed to know names in it.
func casedText(source string) *Caption {
	lex := newLexicon()
	c := &Caption{text: newText(lex, source)}
	c.seen = readCasing(c.text, lex.size())
	return c
}

// nameHere reports whether word i of a description is a name. A capital
// letter at the start may be that of any sentence, but a description of one
// or two words is hardly one.
func (c *Caption) nameHere(i int) bool {
	if c.isName(i) {
		return true
	}
	tok := &c.text.tokens[i]
	return i == 0 && c.text.isCapital(0) && !tok.form.isFunction && !unnamed[tok.form.text] && len(c.text.tokens) <= 2 &&
		!isPersonWord(c.sense(0)) && !isAdjective(tok.form.text)
}

func isTexture(word string) bool {
	switch word {
	case "long", "curly", "wavy", "straight", "dark", "light", "striped", "checkered", "plaid", "floral", "denim", "leather":
		return true
	}
	return false
}

// garmentFollows reports whether "short" at i tells of hair or clothes.
func garmentFollows(c *Caption, i int) bool {
	for k := i + 1; k < len(c.text.tokens) && k <= i+3; k++ {
		if sense := c.sense(k); garments[sense] != "" {
			return true
		} else if isPersonWord(sense) {
			return false
		}
	}
	return false
}

// settle ends a phrase: colors without a noun are those of the clothes.
func (t *traits) settle(pending *[]string) {
	var worn []string
	for _, q := range *pending {
		if colorWords[q] {
			worn = append(worn, q)
		}
	}
	if len(worn) > 0 && len(t.heads)+len(t.names) > 0 {
		t.looks = append(t.looks, look{sort: "outfit", quality: worn})
	}
	*pending = nil
}

func (t *traits) addHair(color string, pending *[]string) {
	quality := *pending
	if color != "-" && color != "" {
		quality = append(quality, color)
	}
	t.looks = append(t.looks, look{"hair", "hair", quality})
	*pending = nil
}

func (t *traits) addHead(word, sense string, pending *[]string) {
	*pending = nil // a color of the person is no color of clothes
	t.heads = appendNew(t.heads, sense)
	t.gender = max(t.gender, gendered[sense])
	t.child = t.child || children[sense]
	t.adult = t.adult || adults[sense]
	t.plural = t.plural || plurals[word] || len(word) > 3 && word[len(word)-1] == 's' && word[len(word)-2] != 's'
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
