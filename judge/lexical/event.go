package lexical

import (
	"strconv"
	"strings"
)

// term is one content word of an event.
type term struct {
	names    wordNames
	form     *form
	at       int // word of the event
	weight   float64
	particle string // "on" in "turns on the lamp"
}

// wordNames are the strings behind a wordKey.
type wordNames struct{ sense, deed, kin string }

// role is a subject marker of an event.
type role struct {
	marker string // as written, without brackets
	at     int    // word of the event
	traits traits // of a marker in words; nothing is known of an id
	owner  bool   // only a possessive: "<sbj_2>'s purse"
}

// event is a keypoint read into words.
type event struct {
	text   *text
	terms  []term
	roles  []role
	act    int     // first term after the first marker, -1 if none
	verb   int     // act if it says much, else -1
	weight float64 // of all terms
	unreal bool    // told as tried, meant or refused
}

// Weights of terms. A door that is not said to be wooden is still the door.
const (
	plainWeight = 1.0
	minorWeight = 0.4 // adjectives, small numbers, verbs such as "go"
	frameWeight = 0.1 // "the camera shows"
)

// maxTerms is how many words of an event count; a place remembers them as
// bits of one number.
const maxTerms = 64

// maxRoles bounds the work for one event.
const maxRoles = 100

func readEvent(source string) *event {
	e := &event{act: -1, verb: -1}
	plain := e.takeMarkers(source)
	e.text = newText(newLexicon(), plain)
	for i := range e.roles {
		e.roles[i].at = -1
		if at := e.text.blanks[i]; len(at) > 0 {
			e.roles[i].at = at[0]
		}
	}
	known := make(map[string]bool)
	for i := range e.text.tokens {
		tok := &e.text.tokens[i]
		if tok.isBlank {
			continue
		}
		e.unreal = e.unreal || unreal[stemOf(tok.form.text)]
		if tok.form.isFunction || len(e.terms) == maxTerms {
			continue
		}
		t := term{names: namesOf(tok.form), form: tok.form, at: i, weight: e.weightOf(i), particle: particleOf(e.text, i)}
		if known[t.names.deed] {
			continue
		}
		known[t.names.deed] = true
		e.weight += t.weight
		e.terms = append(e.terms, t)
	}
	e.act = e.findAct()
	if e.act >= 0 && e.terms[e.act].weight == plainWeight {
		e.verb = e.act
	}
	return e
}

// takeMarkers writes a placeholder for every <...> and remembers what it
// stands for. A marker that comes again is the same role.
func (e *event) takeMarkers(source string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(source, "<")
		b.WriteString(before)
		inner, after, closed := strings.Cut(rest, ">")
		if !ok || !closed || len(e.roles) == maxRoles {
			b.WriteByte(' ')
			b.WriteString(rest)
			return b.String()
		}
		k := e.role(inner)
		if k < 0 {
			k = len(e.roles)
			r := role{marker: markerName(inner), owner: strings.HasPrefix(after, "'s") || strings.HasPrefix(after, "’s")}
			if !isID(r.marker) {
				r.traits = describe(r.marker)
			}
			e.roles = append(e.roles, r)
		}
		b.WriteString(" " + placeholderPrefix + strconv.Itoa(k) + "] ")
		source = after
	}
}

// role returns the number of a marker, -1 if the event lacks it.
func (e *event) role(marker string) int {
	name := markerName(marker)
	for i := range e.roles {
		if e.roles[i].marker == name {
			return i
		}
	}
	return -1
}

func markerName(marker string) string {
	return strings.ToLower(strings.TrimSpace(strings.Trim(strings.TrimSpace(marker), "<>")))
}

// isID reports whether a marker is a mere label, such as sbj_1, P2 or 7.
func isID(marker string) bool {
	return marker == "" || !strings.ContainsAny(marker, " \t") && strings.ContainsAny(marker, "0123456789_")
}

// weightOf is the weight of word i. "Fishing" in "a fishing net" is an
// adjective, in "a man fishing" it is not.
func (e *event) weightOf(i int) float64 {
	f := e.text.tokens[i].form
	if frameWords[stemOf(f.text)] {
		return frameWeight
	}
	if f.isNumber && len(f.text) < minLongNumber || isMinor(f.text) {
		return minorWeight
	}
	if i > 0 && strings.HasSuffix(f.text, "ing") && articles[e.text.tokens[i-1].form.text] && e.text.leadsOn(i+1) {
		return minorWeight
	}
	return plainWeight
}

// isMinor reports whether a word only colors what others say.
func isMinor(word string) bool {
	return genericWords[word] || modifiers[word] || lightWords[stemOf(word)] ||
		len(word) > 4 && strings.HasSuffix(word, "ly") && !lyNouns[word]
}

// findAct is the term that says what the first subject does.
func (e *event) findAct() int {
	if len(e.roles) == 0 || e.roles[0].at < 0 {
		return -1
	}
	for k := range e.terms {
		if e.terms[k].at > e.roles[0].at && !strings.HasSuffix(e.terms[k].form.text, "ly") {
			return k
		}
	}
	return -1
}

// object is the term of what the verb is done to, -1 if the next content word
// is none: nobody else comes between the two, nor does a preposition.
func (e *event) object() int {
	if e.verb < 0 {
		return -1
	}
	for k := e.verb + 1; k < len(e.terms); k++ {
		for i := e.terms[k-1].at + 1; i < e.terms[k].at; i++ {
			if tok := &e.text.tokens[i]; tok.isBlank || !articles[tok.form.text] {
				return -1
			}
		}
		if e.terms[k].weight == plainWeight {
			return k
		}
	}
	return -1
}

// particleReach is how many words after a verb its particle may stand:
// "turns the old lamp off".
const particleReach = 4

// particleOf returns the on, off, in, out, up or down of the verb at i.
func particleOf(t *text, i int) string {
	for k := i + 1; k < len(t.tokens) && k <= i+particleReach; k++ {
		tok := &t.tokens[k]
		if tok.clause != t.tokens[i].clause {
			break
		}
		if p := tok.form.text; !tok.isBlank && particles[p] != "" {
			return p
		}
	}
	return ""
}

// namesOf reduces a word as far as events are compared.
func namesOf(f *form) wordNames {
	if f.isNumber {
		return wordNames{f.text, f.text, f.text}
	}
	n := wordNames{sense: synonymOf(stemOf(f.text))}
	n.deed = firstOf(deeds, n.sense)
	n.kin = firstOf(kin, n.deed)
	return n
}

func firstOf(table map[string]string, key string) string {
	if first, ok := table[key]; ok {
		return first
	}
	return key
}
