package plant

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A place is where a sentence can be changed so that it is false if it was true.
type place struct {
	start, end int
	// other returns the new words and the reason why the sentence is false with them; "" = no fitting words.
	other func(from string, caption *told, draw *rand.Rand) (to, reason string)
	// whole returns the sentence with the new words; nil = put them at the place, after the right article.
	whole func(to string) string
}

// placesOf are the places where a sentence that is [Sure] can be changed for a kind.
func placesOf(sentence, kind string) []place {
	one := oneOf.MatchString(sentence) // of several: another of them may be different
	switch {
	case kind == "text":
		return quoted(sentence)
	case kind == "count":
		return append(countPlaces(sentence), single(sentence)...)
	case kind == "order":
		return orderPlaces(sentence)
	case kind == "speaker" && !one:
		return speakerPlaces(sentence)
	case kind == "sound":
		return soundPlaces(sentence)
	case kind == "colour" && !one:
		return colourPlaces(sentence)
	}
	return nil
}

var oneOf = regexp.MustCompile(`(?i)\bone\b`)

// A token is a word or a number of a sentence, with the marks around it.
type token struct {
	start, end int
	text       string // in small letters
	capital    bool
	glued      bool // to a mark before or behind it that makes it a part of something, such as two-thirds, 3:15 and $5
	stop       bool // a comma or the like follows
}

var tokenForm = regexp.MustCompile(`[A-Za-z]+(?:['’][a-z]+)?|[0-9]+`)

// tokensOf returns the words of a sentence without quoted words, which are text and not events.
func tokensOf(sentence string) (all []token) {
	within := quotes.FindAllStringIndex(sentence, -1)
	for _, at := range tokenForm.FindAllStringIndex(sentence, -1) {
		if slices.ContainsFunc(within, func(q []int) bool { return at[0] >= q[0] && at[1] <= q[1] }) {
			continue
		}
		t := token{start: at[0], end: at[1], text: strings.ToLower(sentence[at[0]:at[1]])}
		t.capital = sentence[at[0]] >= 'A' && sentence[at[0]] <= 'Z'
		before, behind := sentence[:at[0]], sentence[at[1]:]
		t.glued = before != "" && !strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "\n") && !strings.HasSuffix(before, "(")
		if behind != "" && behind[0] != ' ' {
			t.stop = true
			t.glued = t.glued || !strings.ContainsRune(".,;!)\n", rune(behind[0])) || len(behind) > 1 && behind[1] >= '0' && behind[1] <= '9'
		}
		all = append(all, t)
	}
	return all
}

// named reports whether a word may be a name or a part of one.
func named(all []token, i int) bool {
	next := i+1 < len(all) && all[i+1].capital
	return all[i].capital && (i > 0 || next) || next
}

// at is the text of token i; "" = out of range.
func at(all []token, i int) string {
	if i < 0 || i >= len(all) {
		return ""
	}
	return all[i].text
}

func colourPlaces(sentence string) (out []place) {
	all := tokensOf(sentence)
	for i, t := range all {
		if colours[t.text] == nil || t.glued || t.capital || named(all, i) || blended(all, i) {
			continue
		}
		if coloursThing(all, i) || isColoured(all, i) {
			out = append(out, place{start: t.start, end: t.end, other: otherColour})
		}
	}
	return out
}

// blended reports whether a colour belongs to a shade or to several colours: dark blue, black and white.
func blended(all []token, i int) bool {
	isColour := func(n int) bool { return colours[at(all, n)] != nil }
	before, joint := at(all, i-1), at(all, i-1) == "and" || at(all, i+1) == "and" || at(all, i-1) == "with"
	return isColour(i-1) || isColour(i+1) || slices.Contains(tones, before) || joint && (isColour(i-2) || isColour(i+2))
}

// coloursThing reports whether the word is the colour of a thing after it.
func coloursThing(all []token, i int) bool {
	for n := i; n < len(all) && n < i+3 && !all[n].stop; n++ {
		next := at(all, n+1)
		for _, thing := range []string{next, strings.TrimSuffix(next, "s"), strings.TrimSuffix(next, "es")} {
			if slices.Contains(coloured, thing) {
				return !all[n+1].glued
			}
		}
		if !slices.Contains(made, next) {
			return false
		}
	}
	return false
}

// isColoured reports whether the word ends a sentence such as "The car is red."
func isColoured(all []token, i int) bool {
	thing := at(all, i-2)
	return i == len(all)-1 && all[i].stop && has([]string{"is", "are", "was", "were"}, at(all, i-1)) &&
		(slices.Contains(coloured, thing) || slices.Contains(coloured, strings.TrimSuffix(thing, "s")))
}

func otherColour(from string, caption *told, draw *rand.Rand) (to, reason string) {
	others := colours[strings.ToLower(from)]
	for _, i := range draw.Perm(len(others)) {
		to := others[i]
		if !slices.ContainsFunc(append(strings.Fields(shades[to]), to), func(word string) bool { return caption.words[word] }) {
			return likeFirst(to, from), fmt.Sprintf("what is %s is not %s", strings.ToLower(from), to)
		}
	}
	return "", ""
}

func countPlaces(sentence string) (out []place) {
	ranges := countRange.FindAllStringIndex(sentence, -1)
	all := tokensOf(sentence)
	for i, t := range all {
		if slices.ContainsFunc(ranges, func(r []int) bool { return t.start < r[1] && t.end > r[0] }) {
			continue
		}
		n := countOf(t.text)
		if n < 2 || t.glued || t.stop || t.capital && i > 0 || i+1 < len(all) && all[i+1].capital || !counts(all, i) {
			continue
		}
		noun := nounOf(all, i)
		if noun == "" {
			continue
		}
		out = append(out, place{start: t.start, end: t.end, other: func(from string, caption *told, draw *rand.Rand) (string, string) {
			return otherCount(from, caption, n, slices.Contains(measures, noun), draw)
		}})
	}
	return out
}

// countOf is the number that a word means; 0 = not a number.
func countOf(word string) int {
	if i := slices.Index(numbers, word); i >= 0 {
		return values[i]
	}
	if n, err := strconv.Atoi(word); err == nil && n < 1000 && word[0] != '0' {
		return n
	}
	return 0
}

// counts reports whether a number may be a count, by the word before it: in "room 12" it is a name.
func counts(all []token, i int) bool {
	before := at(all, i-1)
	switch {
	case i == 0:
		return true
	case all[i-1].stop:
		return true
	case slices.Contains(names, before):
		return false
	case slices.Contains(beforeCounts, before):
		return true
	case before == "of":
		return has([]string{"group", "row", "line", "set", "team", "crowd"}, at(all, i-2))
	case all[i-1].capital:
		return false
	}
	return strings.HasSuffix(before, "s") || strings.HasSuffix(before, "ed") || strings.HasSuffix(before, "ing")
}

// nounOf is the plural noun that a number counts, with at most two words between them; "" = not found.
func nounOf(all []token, i int) string {
	for n := i + 1; n < len(all) && n <= i+3; n++ {
		word := all[n].text
		switch {
		case all[n].capital || slices.Contains(noNoun, word) || strings.Contains(word, "'") || strings.Contains(word, "’") || word[0] >= '0' && word[0] <= '9':
			return ""
		case slices.Contains(plurals, word), strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
			return word
		case all[n].stop:
			return ""
		}
	}
	return ""
}

// otherCount returns a larger count that is not in the caption; a smaller count would also be true. For amounts, and for
// counts from ten, which may be rounded, it is at least twice as large.
func otherCount(from string, caption *told, n int, rounded bool, draw *rand.Rand) (to, reason string) {
	least, most := n+2, n+5
	if rounded || n >= 10 {
		least, most = 2*n, 3*n
	}
	fits := func(to string, value int) bool { return !caption.words[to] && !caption.words[strconv.Itoa(value)] }
	inDigits := from[0] >= '0' && from[0] <= '9'
	var list []string
	for value := least; value <= most; value++ {
		if i := slices.Index(values, value); !inDigits && i >= 0 && fits(numbers[i], value) {
			list = append(list, numbers[i])
		} else if inDigits && fits(strconv.Itoa(value), value) {
			list = append(list, strconv.Itoa(value))
		}
	}
	if len(list) == 0 {
		return "", ""
	}
	to = list[draw.IntN(len(list))]
	return likeFirst(to, from), fmt.Sprintf("where there are exactly %s there are not %s", strings.ToLower(from), to)
}

// oneThing is a sentence such as "There is one box."
var oneThing = regexp.MustCompile(`^\s*There (is (?:exactly |only )?(1|one) ([a-z]+))\.?\s*$`)

// single changes a sentence about one thing to a sentence about several.
func single(sentence string) []place {
	m := oneThing.FindStringSubmatchIndex(sentence)
	if m == nil {
		return nil
	}
	one, noun := sentence[m[4]:m[5]], sentence[m[6]:m[7]]
	if !slices.Contains(coloured, noun) && !slices.Contains(countable, noun) && irregular[noun] == "" {
		return nil // its plural is not known
	}
	whole := func(to string) string { return sentence[:m[2]] + "are " + to + " " + plural(noun) + sentence[m[7]:] }
	return []place{{start: m[4], end: m[5], whole: whole, other: func(_ string, caption *told, draw *rand.Rand) (string, string) {
		from := one
		if one == "one" {
			from = "two" // so that the other is a word
		}
		to, _ := otherCount(from, caption, 1, false, draw)
		if to == "" {
			return "", ""
		}
		return to, fmt.Sprintf("where there is exactly %s there are not %s", one, to)
	}}}
}

var irregular = map[string]string{"man": "men", "woman": "women", "child": "children", "person": "people", "foot": "feet", "tooth": "teeth", "mouse": "mice", "goose": "geese", "sheep": "sheep", "fish": "fish", "deer": "deer", "series": "series"}

// plural is the plural of a noun that single knows.
func plural(noun string) string {
	if many := irregular[noun]; many != "" {
		return many
	}
	switch last := noun[len(noun)-1]; {
	case last == 's' || last == 'x' || strings.HasSuffix(noun, "ch") || strings.HasSuffix(noun, "sh"):
		return noun + "es"
	case last == 'y' && len(noun) > 1 && !strings.ContainsRune("aeiou", rune(noun[len(noun)-2])):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}

var (
	// happens are verbs of events that happen once, so that they cannot be both before and after another event.
	happens = regexp.MustCompile(`(?i)\b(?:arrives?|arrived|leaves?|enters?|entered|exits?|exited|opens?|opened|closes?|closed|shuts?|sits? down|sat down|stands? up|stood up|gets? up|got up|stops?|stopped|disappears?|disappeared|appears?|appeared|falls? (?:over|down)|` +
		`picks? up|picked up|puts? down|lies down|lay down|wakes? up|woke up|explodes?|exploded|crash(?:es|ed)?|breaks?|broke|turns? (?:on|off)|turned (?:on|off)|takes? off|took off|lands?|landed|ends?|ended|starts?|started|begins?|began|finish(?:es|ed)?|` +
		`runs? past|ran past|walks? past|walked past|pass(?:es|ed)? by)\b`)
	// somebody begins a clause about a known number of things, theThing is one thing: neither event can come again.
	somebody = regexp.MustCompile(`(?i)^\s*(?:an?|the|he|she|it|his|her|two|three|four|five) `)
	theThing = regexp.MustCompile(`(?i)^\s*the [a-z]+[.,]?\s*$`)
	// again are words about repeated events.
	again  = regexp.MustCompile(`(?i)\b(?:again|each|every|always|repeatedly|keeps?|twice|times|continues?|continuously|constantly|still|also|both|all|last|first|then)\b`)
	joints = regexp.MustCompile(`(?i)\b(before|after)\b`)
	// opening marks the first or the last of several events.
	opening = regexp.MustCompile(`^\s*(First|Last)(?:,| (?:a|an|the|he|she|they|it|his|her|two|three) )`)
)

func orderPlaces(sentence string) (out []place) {
	own := quotes.ReplaceAllStringFunc(sentence, func(q string) string { return strings.Repeat("x", len(q)) })
	if m := opening.FindStringSubmatchIndex(own); m != nil && !joints.MatchString(own) && happens.MatchString(own) {
		return []place{{start: m[2], end: m[3], other: func(from string, caption *told, _ *rand.Rand) (string, string) {
			to := map[string]string{"First": "Last", "Last": "First"}[from]
			if caption.words[strings.ToLower(to)] {
				return "", ""
			}
			return to, "of several events the first is not the last"
		}}}
	}
	all := joints.FindAllStringIndex(own, -1)
	if len(all) != 1 || again.MatchString(own) {
		return nil
	}
	start, end := all[0][0], all[0][1]
	event, other := own[:start], own[end:]
	if strings.TrimSpace(event) == "" {
		clause, rest, found := strings.Cut(other, ",")
		if !found {
			return nil
		}
		event, other = rest, clause
	}
	after := strings.EqualFold(own[start:end], "after") // before may be a place: before the mirror
	if !happens.MatchString(event) || !somebody.MatchString(event) || !happens.MatchString(other) && !(after && theThing.MatchString(other)) {
		return nil
	}
	return []place{{start: start, end: end, other: func(from string, _ *told, _ *rand.Rand) (string, string) {
		to := map[string]string{"before": "after", "after": "before"}[strings.ToLower(from)]
		return likeFirst(to, from), fmt.Sprintf("one event that comes %s another does not come %s it", strings.ToLower(from), to)
	}}}
}

var (
	// says is a verb of speaking at most a few words after its subject.
	says = regexp.MustCompile(`(?i)^(?:['’]s voice\b|(?: [a-z]+){0,6}? (?:says?|said|speaks?|spoke|asks?|asked|shouts?|shouted|explains?|explained|narrates?|talks?|talked|replies|replied|announces?|announced|whispers?|whispered)\b)`)
	// voice is a noun for a speaker after the word male or female.
	voice   = regexp.MustCompile(`(?i)^ (?:voice|narrator|speaker|announcer|presenter|reporter|singer)\b`)
	someone = regexp.MustCompile(`(?i)\b(?:man|woman|boy|girl|men|women|male|female|father|mother|actor|actress|boys|girls|person|people|child|children|and|who|whom|while|as|with|to|hears?|sees?|watch(?:es)?|films?)\b`)
)

// speakerPlaces are the words for a speaker.
func speakerPlaces(sentence string) (out []place) {
	all := tokensOf(sentence)
	for i, t := range all {
		word, possessive := strings.CutSuffix(strings.ReplaceAll(t.text, "’", "'"), "'s")
		to := speakers[word]
		if to == "" || t.glued || t.capital && (i > 0 || len(all) > 1 && all[1].capital) {
			continue
		}
		end := t.start + len(word)
		rest := sentence[end:]
		outside := quotes.ReplaceAllString(sentence[:t.start]+" "+rest, "")
		if !speaksNext(word, possessive, rest) || gendered.MatchString(outside) {
			continue
		}
		out = append(out, place{start: t.start, end: end, other: func(from string, caption *told, _ *rand.Rand) (string, string) {
			if caption.maySpeak(to, sentence) {
				return "", ""
			}
			return likeFirst(to, from), fmt.Sprintf("the one who speaks there is said to be %s, and not %s", withArticle(word), withArticle(to))
		}})
	}
	return out
}

// speaksNext reports whether the speaker that a word names speaks in the rest of the sentence, and no one else.
func speaksNext(word string, possessive bool, rest string) bool {
	m := says.FindString(rest)
	verb := m != ""
	if word == "male" || word == "female" {
		verb = voice.MatchString(rest)
	}
	return verb && (!possessive || strings.HasSuffix(m, "voice")) && !someone.MatchString(m)
}

// maySpeak reports whether another speaker may be in the caption anyway, outside of a sentence.
func (t *told) maySpeak(speaker, sentence string) bool {
	female := bySex[true].MatchString(speaker)
	return t.words[speaker] || t.words[speakersMany[speaker]] || (speaker == "he" || speaker == "she") && t.sexes[female] ||
		slices.ContainsFunc(t.speech[female], func(part string) bool { return !strings.Contains(strings.ToLower(sentence), part) })
}

// speakersMany are the plurals, and of plurals the singulars.
var speakersMany = map[string]string{"man": "men", "woman": "women", "men": "man", "women": "woman", "boy": "boys", "girl": "girls", "boys": "boy", "girls": "girl"}

func withArticle(word string) string {
	switch word {
	case "he", "she", "men", "women", "boys", "girls", "male", "female":
		return word
	}
	return "a " + word
}

var (
	animal  = `(?:dog|puppy|cat|kitten|horse|foal|duck|animal)`
	calling = regexp.MustCompile(`(?i)\b(?:` + animal + `s?)(?: (?:is|are|was|were|starts|begins))? (` + alternatives(calls...) + `)\b`)
	noise   = regexp.MustCompile(`(?i)(?:^\s*|\b(?:sound of|sounds of|hear|hears|over|loud|then) )(` + alternatives(noises) + `)(?: (?:is|can be|are) (?:heard|audible)\b|\s*[.,;])`)
	source  = regexp.MustCompile(`(?i)\b(?:a|the) (` + alternatives(sources...) + `)(?: (?:is|can be) (?:heard|audible)\b| sounds\b)`)
)

func soundPlaces(sentence string) (out []place) {
	own := quotes.ReplaceAllStringFunc(sentence, func(q string) string { return strings.Repeat("#", len(q)) })
	for _, form := range []struct {
		form   *regexp.Regexp
		groups [][]string
	}{{calling, calls}, {noise, [][]string{noises}}, {source, sources}} {
		for _, m := range form.form.FindAllStringSubmatchIndex(own, -1) {
			word := strings.ToLower(own[m[2]:m[3]])
			group := form.groups[slices.IndexFunc(form.groups, func(g []string) bool { return slices.Contains(g, word) })]
			why := "what is heard is %s and not %s"
			if form.form == calling {
				why = "an animal with the call %q does not give the call %q"
			}
			out = append(out, place{start: m[2], end: m[3], other: func(from string, caption *told, draw *rand.Rand) (string, string) {
				for _, i := range draw.Perm(len(group)) {
					if to := group[i]; !caption.stems[stems(to)[0]] && !caption.heard[to] {
						return likeFirst(to, from), fmt.Sprintf(why, word, to)
					}
				}
				return "", ""
			}})
		}
	}
	return out
}

// quoted are the quoted texts of a sentence about reading or speaking.
func quoted(sentence string) (out []place) {
	if !reading.MatchString(quotes.ReplaceAllString(sentence, `""`)) {
		return nil
	}
	for _, at := range quotes.FindAllStringIndex(sentence, -1) {
		out = append(out, place{start: at[0], end: at[1], other: func(from string, caption *told, draw *rand.Rand) (string, string) {
			to := misread(from, caption, draw)
			if strings.Contains(caption.text, strings.ToLower(strings.Trim(to, `"“”`))) {
				return "", "" // it can be read elsewhere
			}
			return to, fmt.Sprintf("the words there are %s and not %s", from, to)
		}})
	}
	return out
}

// misread changes a word or a number of a quoted text.
func misread(from string, caption *told, draw *rand.Rand) string {
	if at := digits.FindStringIndex(from); at != nil {
		n, _ := strconv.Atoi(from[at[0]:at[1]])
		return from[:at[0]] + strconv.Itoa(n+1+draw.IntN(7)) + from[at[1]:]
	}
	if list := words.FindAllString(from, -1); len(list) > 1 && slices.ContainsFunc(list, func(w string) bool { return w[0] >= 'a' }) {
		return "" // another word of a sentence may be an error of grammar
	}
	var all [][]int // words that another can replace without an error of grammar
	for _, at := range words.FindAllStringIndex(from, -1) {
		if before := strings.ToLower(from[:at[0]]); at[1]-at[0] >= 4 && !strings.HasSuffix(before, "an ") && !strings.HasSuffix(before, "'") && !strings.HasSuffix(before, "’") {
			all = append(all, at)
		}
	}
	if len(all) == 0 {
		return ""
	}
	others := []string{"garden", "window", "seven", "market", "winter", "silver", "river", "bridge"}
	at := all[draw.IntN(len(all))]
	for _, i := range draw.Perm(len(others)) {
		if to := others[i]; !caption.words[to] {
			if from[at[0]:at[1]] == strings.ToUpper(from[at[0]:at[1]]) {
				to = strings.ToUpper(to)
			}
			return from[:at[0]] + likeFirst(to, from[at[0]:at[1]]) + from[at[1]:]
		}
	}
	return ""
}

// likeFirst gives a word a capital if the replaced word has one.
func likeFirst(to, from string) string {
	if to != "" && from[0] >= 'A' && from[0] <= 'Z' && to[0] >= 'a' && to[0] <= 'z' {
		return strings.ToUpper(to[:1]) + to[1:]
	}
	return to
}

var article = regexp.MustCompile(`(?i)\ban?( )$`)

// replaced is a sentence with other words at a place, and the right article before them.
func replaced(sentence string, start, end int, to string) string {
	before := sentence[:start]
	if m := article.FindStringIndex(before); m != nil {
		a := before[m[0] : m[0]+1] // its capital, or not
		if strings.ContainsRune("aeiou", rune(strings.ToLower(to)[0])) || strings.HasPrefix(strings.ToLower(to), "eight") {
			a += "n"
		}
		before = before[:m[0]] + a + " "
	}
	return before + to + sentence[end:]
}
