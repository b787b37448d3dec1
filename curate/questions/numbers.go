package questions

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"omniscope/bench/mcif/talkqa"
	"omniscope/metric/textnorm"
)

// plain is an English text without case, marks and spelling of numbers. What stands in brackets stays.
func plain(text string) string {
	text = brackets.Replace(text)
	text = grouped.ReplaceAllStringFunc(text, func(m string) string { return strings.ReplaceAll(m, " ", "") })
	text = powers.ReplaceAllStringFunc(text, func(m string) string {
		return m[:len(m)-1] + map[byte]string{'K': " thousand", 'k': " thousand", 'M': " million", 'B': " billion"}[m[len(m)-1]]
	})
	out, err := textnorm.English(text)
	if err != nil {
		return strings.ToLower(text)
	}
	return out
}

var (
	// The normaliser of Whisper drops what stands in brackets, and takes < for one.
	brackets = strings.NewReplacer("(", " ", ")", " ", "[", " ", "]", " ", "{", " ", "}", " ", "<", " ", ">", " ", "\u00a0", " ", "\u202f", " ", "\u2009", " ")
	// grouped are thousands behind a blank: 1 024.
	grouped = regexp.MustCompile(`\b[1-9]\d{0,2}(?: \d{3})+\b`)
	powers  = regexp.MustCompile(`\b\d+(?:\.\d+)?(?:K|k|M|B)\b`) // 23K, 1.2M, 70B
)

// A figure is a number in a text.
type figure struct {
	text    string // as plain has it
	value   float64
	known   bool // it has a value; a100 has none
	percent bool
	things  []string // the two words after it, of which one may be what it counts
}

// figures are the numbers of a text, however they are spelled.
func figures(text string) (out []figure) {
	words := strings.Fields(plain(text))
	for i, word := range words {
		if !strings.ContainsAny(word, "0123456789") {
			continue
		}
		f := figure{text: word, percent: strings.HasSuffix(word, "%"), things: words[i+1 : min(i+3, len(words))]}
		bare := strings.Trim(word, "%$€£¢")
		for _, ending := range []string{"st", "nd", "rd", "th"} {
			bare = strings.TrimSuffix(bare, ending)
		}
		var err error
		f.value, err = strconv.ParseFloat(bare, 64)
		f.known = err == nil
		out = append(out, f)
	}
	return out
}

// gives reports whether a number of a passage gives one of an answer, which may be rounded.
func (f *figure) gives(answer *figure) bool {
	if !f.known || !answer.known {
		return f.text == answer.text
	}
	_, decimals, _ := strings.Cut(strings.Trim(answer.text, "%$€£¢"), ".")
	scale := math.Pow10(len(decimals))
	return f.value == answer.value || math.Round(f.value*scale)/scale == answer.value
}

// fractions are words for shares, in percent and as numbers.
var fractions = map[string][]float64{
	"half": {50, 0.5}, "halves": {50, 0.5}, "halved": {50, 0.5}, "third": {33, 33.3}, "thirds": {67, 66, 66.7}, "quarter": {25, 0.25}, "quarters": {75, 0.75},
	"fifth": {20, 0.2}, "fifths": {40, 60, 80}, "tenth": {10, 0.1}, "twice": {2}, "double": {2}, "doubles": {2}, "doubled": {2}, "dozen": {12},
}

// evidence are the numbers of the passages of a question from a source; the abstract is none.
func (d *Draft) evidence(q *draftQuestion, from source) (out []figure) {
	for _, name := range q.From {
		p := d.Talk.Find(name)
		if p == nil || p.Source != from {
			continue
		}
		out = append(out, figures(p.Text)...)
		for _, part := range strings.Split(p.Text, ", ") { // the normaliser takes "five, thirty" for one number
			out = append(out, figures(part)...)
		}
		for word, values := range fractions {
			if slices.Contains(strings.FieldsFunc(strings.ToLower(p.Text), func(r rune) bool { return r < 'a' || r > 'z' }), word) {
				for _, v := range values {
					out = append(out, figure{value: v, known: true})
				}
			}
		}
	}
	return out
}

// checkNumber looks for the answer's numbers in the passages, however they are spelled. A number has to stand in one of
// them. Of AV, where each sense gives the answer, a percentage has to stand in those of each sense that have percentages. A number
// up to twelve may count what the passages name; it must only not be more than they say that there are.
func checkNumber(d *checking, q *draftQuestion) []Finding {
	if len(q.From) == 0 {
		return nil
	}
	heard, seen := d.evidence(q, speech), d.evidence(q, pictures)
	all := slices.Concat(heard, seen)
	for _, f := range figures(q.Answer) {
		says := ""
		switch {
		case given(all, &f):
			for _, sense := range []struct {
				name string
				of   []figure
			}{{"heard", heard}, {"seen", seen}} {
				if q.Label == talkqa.Either && f.percent && !given(sense.of, &f) && slices.ContainsFunc(sense.of, func(o figure) bool { return o.percent }) {
					says = fmt.Sprintf("the number does not stand in what is %s: %s", sense.name, strings.Join(q.From, ", "))
				}
			}
		case f.counts():
			if most := f.mostOf(all); most > 0 && f.value > most {
				says = fmt.Sprintf("the passages say that there are %g: %s", most, strings.Join(q.From, ", "))
			}
		default:
			says = "the number stands in none of the passages: " + strings.Join(q.From, ", ")
		}
		if says != "" {
			return []Finding{{Text: f.text, Says: says}}
		}
	}
	return nil
}

func given(by []figure, f *figure) bool {
	return slices.ContainsFunc(by, func(o figure) bool { return o.gives(f) })
}

// counts reports whether a number may count things that the passages name, as authors.
func (f *figure) counts() bool {
	return f.known && !f.percent && f.value == math.Trunc(f.value) && f.value <= 12
}

// mostOf is the most of the things that a number counts, by numbers of the passages; 0 = they say nothing of them.
func (f *figure) mostOf(there []figure) (most float64) {
	for _, thing := range f.things {
		if slices.Contains(fillers, thing) {
			break
		}
		for _, o := range there {
			if o.known && slices.ContainsFunc(o.things, func(t string) bool { return sameStem(t, thing) }) {
				most = max(most, o.value)
			}
		}
	}
	return most
}
