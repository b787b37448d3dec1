package claims

import (
	"slices"
	"strconv"
	"strings"

	"omniscope/perceive"
)

// A bound says what a number in a claim means.
type bound string

// The bounds. The zero value is an exact number.
const (
	atLeast bound = "at least"
	atMost  bound = "at most"
	about   bound = "about"
	between bound = "between"
	couple  bound = "a couple"
	few     bound = "a few"
	several bound = "several"
	dozens  bound = "dozens"
	many    bound = "many"
)

// countLimit stands for no upper limit.
const countLimit = 1 << 30

// counts returns the range of numbers that surely support a claim, and the wider
// range that does not refute it. Words such as "several" have no sharp limits,
// so a number between the two ranges decides nothing.
func (f *fact) counts() (yesFrom, yesTo, maybeFrom, maybeTo int) {
	n := f.Count
	ranges, ok := map[bound][4]int{
		atLeast: {n, countLimit, n, countLimit},
		atMost:  {0, n, 0, n},
		about:   {n - n/10, n + n/10, n - max(2, n/2), n + max(2, n/2)},
		between: {n, f.CountTo, n, f.CountTo},
		couple:  {2, 2, 1, 4},
		few:     {3, 5, 2, 12},
		several: {3, 12, 2, countLimit},
		dozens:  {24, countLimit, 13, countLimit},
		many:    {countLimit, countLimit, 2, countLimit},
	}[f.Bound]
	if !ok {
		return n, n, n, n
	}
	return ranges[0], ranges[1], ranges[2], ranges[3]
}

// units, teens and tens are the numbers that captions spell out.
var (
	units = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
		"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}
	tens = []string{"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
)

// number reads a word that counts something, -1 if it does not: 12, 1,200,
// twelve, twenty-one.
func number(word string) int {
	if n := slices.Index(units, word); n >= 0 {
		return n
	}
	ten, unit, hyphened := strings.Cut(word, "-")
	if n := slices.Index(tens, ten); n >= 2 && !hyphened {
		return 10 * n
	} else if u := slices.Index(units, unit); n >= 2 && u >= 1 && u <= 9 {
		return 10*n + u
	}
	if parts := strings.Split(word, ","); len(parts) > 1 && !slices.ContainsFunc(parts[1:], func(p string) bool { return len(p) != 3 }) {
		word = strings.Join(parts, "")
	}
	n, err := strconv.Atoi(word)
	if err != nil || len(word) > 5 || strings.Trim(word, "0123456789") != "" {
		return -1
	}
	return n
}

// tokensOf are the words of a text in lower case, without the punctuation around
// them but with that inside, as in 1,200 and twenty-one.
func tokensOf(s string) []string {
	s = strings.NewReplacer("–", "-", "—", " ", "’", "'").Replace(strings.ToLower(s))
	var tokens []string
	for _, field := range strings.Fields(s) {
		if t := strings.Trim(field, `.,;:!?()[]"“”'`); t != "" {
			tokens = append(tokens, t)
		}
	}
	return tokens
}

// A phrase of a number: where it begins, and what it says.
type countPhrase struct {
	from    int
	n, to   int
	bound   bound
	certain bool // it is a plain number, which words before it may bound
}

// A wordList is the words of a sentence. Words before its start and after its end are empty.
type wordList []string

func (w wordList) at(i int) string {
	if i < 0 || i >= len(w) {
		return ""
	}
	return w[i]
}

// one reads a number at word i, where "a" counts as one; -1 = neither.
func (w wordList) one(i int) int {
	if w.at(i) == "a" {
		return 1
	}
	return number(w.at(i))
}

// vague are the words of counts without a number. back is how many words before it the phrase begins; article = only after "a".
var vague = map[string]struct {
	bound   bound
	back    int
	article bool
}{
	"dozens": {dozens, 0, false}, "hundreds": {dozens, 0, false}, "couple": {couple, 1, false}, "few": {few, 1, true}, "handful": {few, 1, true},
	"several": {several, 0, false}, "many": {many, 0, false}, "numerous": {many, 0, false},
}

// numberBefore reads the number phrase that ends right before token end.
func numberBefore(tokens []string, end int) (p countPhrase, ok bool) {
	w, last := wordList(tokens), end-1
	if w.at(last) == "of" && slices.Contains([]string{"dozens", "couple", "handful", "hundreds", "number"}, w.at(last-1)) {
		last--
	}
	if v, isVague := vague[w.at(last)]; isVague {
		return countPhrase{from: last - v.back, bound: v.bound}, !v.article || w.at(last-1) == "a"
	}
	switch w.at(last) {
	case "dozen":
		return w.dozen(last)
	case "hundred":
		n := w.one(last - 1)
		return countPhrase{from: last - 1, n: 100 * n, certain: true}, n > 0 && n < 10
	}
	if p, ok := w.open(last); ok {
		return p, true
	}
	if p, ok = w.plain(last); !ok {
		return p, false
	}
	return w.between(p)
}

// dozen reads a phrase that ends with "dozen": two dozen, half a dozen, a dozen.
func (w wordList) dozen(last int) (p countPhrase, ok bool) {
	switch n := number(w.at(last - 1)); {
	case n > 0:
		return countPhrase{from: last - 1, n: 12 * n, bound: about}, true
	case w.at(last-1) == "half" || w.at(last-1) == "a" && w.at(last-2) == "half":
		return countPhrase{from: last - 2, n: 6, bound: about}, true
	}
	return countPhrase{from: last - 1, n: 12, bound: about}, w.at(last-1) == "a"
}

// open reads a range in one word and numbers without an upper end: 3-5, 5+, 5 or more.
func (w wordList) open(last int) (p countPhrase, ok bool) {
	word := w.at(last)
	if a, b, isRange := strings.Cut(word, "-"); isRange && number(a) > 0 && number(b) > number(a) && number(word) < 0 {
		return countPhrase{from: last, n: number(a), to: number(b), bound: between}, true
	}
	if n, more := strings.CutSuffix(word, "+"); more && number(n) >= 0 {
		return countPhrase{from: last, n: number(n), bound: atLeast}, true
	}
	if n := number(w.at(last - 2)); word == "more" && w.at(last-1) == "or" && n >= 0 {
		return countPhrase{from: last - 2, n: n, bound: atLeast}, true
	}
	return p, false
}

// plain reads a number that ends at word last: 12, twenty one, a hundred and five.
func (w wordList) plain(last int) (p countPhrase, ok bool) {
	n := number(w.at(last))
	if n < 0 {
		return p, false
	}
	p = countPhrase{from: last, n: n, certain: true}
	if t := slices.Index(tens, w.at(last-1)); t >= 2 && n < 10 {
		p.n, p.from = 10*t+n, last-1
	}
	i := p.from - 1
	if w.at(i) == "and" && w.at(i-1) == "hundred" {
		i--
	}
	if w.at(i) != "hundred" {
		return p, true
	}
	hundreds := w.one(i - 1)
	p.n, p.from = p.n+100*hundreds, i-1
	return p, hundreds >= 1
}

// between reads the lower end of a range before its upper end p: 3 to 5, between 3 and 5. Two numbers side by side are not ok: which of
// them counts?
func (w wordList) between(p countPhrase) (countPhrase, bool) {
	if lower := number(w.at(p.from - 2)); lower >= 0 && lower < p.n {
		switch {
		case w.at(p.from-1) == "to" || w.at(p.from-1) == "or":
			return countPhrase{from: p.from - 2, n: lower, to: p.n, bound: between}, true
		case w.at(p.from-1) == "and" && w.at(p.from-3) == "between":
			return countPhrase{from: p.from - 3, n: lower, to: p.n, bound: between}, true
		}
	}
	return p, number(w.at(p.from-1)) < 0
}

// bounded heeds the words before a plain number.
func (p countPhrase) bounded(tokens []string) countPhrase {
	words := strings.Join(tokens[max(0, p.from-2):max(0, p.from)], " ")
	if !p.certain {
		return p
	}
	for _, known := range []struct {
		words string
		bound bound
		add   int
	}{
		{"at least", atLeast, 0}, {"more than", atLeast, 1}, {"at most", atMost, 0}, {"up to", atMost, 0}, {"fewer than", atMost, -1}, {"less than", atMost, -1},
		{"over", atLeast, 1}, {"under", atMost, -1}, {"about", about, 0}, {"around", about, 0}, {"approximately", about, 0}, {"roughly", about, 0},
		{"nearly", about, 0}, {"almost", about, 0}, {"some", about, 0}, {"circa", about, 0},
	} {
		if words == known.words || strings.HasSuffix(words, " "+known.words) {
			p.bound, p.n, p.from = known.bound, p.n+known.add, p.from-len(strings.Fields(known.words))
			return p
		}
	}
	return p
}

// What keeps a count from being of all cuts of the picture.
var (
	// partial are words by which a number is of some cuts only, or of cuts in
	// some time.
	partial = strings.Fields(`per every each first second third last final opening closing next another other others then after before
		until while during minute minutes half between within from later later's earlier remaining rest more than fewer less around over under
		up nearly almost approximately roughly least most of these those if would could should`)
	// unlike are words that speak of cuts in something else than the picture.
	unlike = strings.Fields(`meat beef pork bread cake cheese vegetable vegetables carrot carrots onion onions apple slice slices wood paper hair haircut grass tree
		knife knives scissors blade saw sword razor skin face arm arms hand hands finger fingers leg legs forehead cheek wound wounds bruises bleeding price prices budget power tax taxes spending staff`)
	filmed = strings.Fields("it picture video clip camera scene film movie shot image footage editing edit editor sequence")
)

// countedCuts finds how many cuts of the picture a sentence counts: "3 cuts",
// "twenty-one hard cuts", "at least five cuts", "it cuts twice".
func countedCuts(s string) (f fact, ok bool) {
	tokens := tokensOf(s)
	if anyOf(tokens, unlike...) {
		return f, false
	}
	for i, token := range tokens {
		if !slices.Contains(cutWords, token) || wordList(tokens).at(i+1) == "of" {
			continue
		}
		if p, found := cutsAt(tokens, i); found {
			rest := slices.Concat(tokens[:max(0, p.from)], tokens[min(len(tokens), i+1):])
			return p.fact(factCuts), !anyOf(rest, partial...)
		}
	}
	return f, false
}

func (p countPhrase) fact(kind factKind) fact {
	return fact{Kind: kind, Count: p.n, CountTo: p.to, Bound: p.bound}
}

// countedShots finds how many shots a sentence says the film has.
func countedShots(s string) (f fact, ok bool) {
	tokens := tokensOf(strings.ReplaceAll(s, " consists of ", " has "))
	if anyOf(Words(strings.Join(tokens, " ")), shotAtWith...) {
		return f, false
	}
	filmed := false
	for i, token := range tokens {
		filmed = filmed || anyOf(Words(token), "clip", "video", "film", "footage", "there", "it", "picture", "sequence", "consists", "contains")
		if !filmed || token != "shots" && token != "shot" {
			continue
		}
		end := before(tokens, i, 2, "different", "separate", "distinct", "continuous", "single", "camera")
		p, found := numberBefore(tokens, end)
		if each := end > 0 && anyOf(Words(tokens[end-1]), "each", "every", "any"); !found && tokens[end] == "single" && token == "shot" && !denies(s, perceive.Cut) && !each {
			p, found = countPhrase{from: end, n: 1, certain: true}, true
		}
		if found {
			p = p.bounded(tokens)
			rest := strings.Join(slices.Concat(tokens[:max(0, p.from)], tokens[i+1:]), " ")
			return p.fact(factShots), !anyOf(Words(rest), partial...)
		}
	}
	return f, false
}

// before moves a place in front of at most some adjectives of one list.
func before(tokens []string, i, most int, adjectives ...string) int {
	end := i
	for end > 0 && i-end < most && slices.Contains(adjectives, tokens[end-1]) {
		end--
	}
	return end
}

// shotAtWith are words that make shots something else than shots of a film.
var shotAtWith = strings.Fields("gun guns gunshot gunshots fires fired firing rifle pistol goal goals basket ball player players whiskey tequila vodka glass espresso vaccine close-up close-ups closeup wide long medium establishing tracking")

// cutsAt reads the number of cuts at token i: before the noun ("three cuts") or after the verb ("cuts twice").
func cutsAt(tokens []string, i int) (p countPhrase, found bool) {
	if p, found = numberBefore(tokens, before(tokens, i, 3, cutAdjectives...)); found {
		return p.bounded(tokens), true
	}
	if tokens[i] != "cuts" || i == 0 || i+1 >= len(tokens) || !slices.Contains(filmed, tokens[i-1]) {
		return p, false
	}
	if n := slices.Index([]string{"once", "twice", "thrice"}, tokens[i+1]); n >= 0 {
		return countPhrase{from: i, n: n + 1}, true
	}
	for times := i + 1; times < min(len(tokens), i+8); times++ {
		if tokens[times] == "times" {
			p, found = numberBefore(tokens, times)
			p = p.bounded(tokens)
			return p, found && p.from == i+1
		}
	}
	return p, false
}

// cutCount returns how many cuts a text counts exactly, -1 if it does not.
func cutCount(s string) int {
	if f, ok := countedCuts(s); ok && f.Bound == "" {
		return f.Count
	}
	if _, ok := countedCuts(s); !ok && denies(s, "cut") && !scoped(s) {
		return 0
	}
	return -1
}

var cutAdjectives = []string{"hard", "quick", "clear", "visible", "abrupt", "sharp", "camera", "scene", "shot", "jump", "rapid", "fast", "sudden"}
