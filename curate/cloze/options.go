package cloze

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// wrongOptions is how many distractors a blank has.
const wrongOptions = 3

// notGiven is the fifth option of every blank.
const notGiven = "not given"

func checkDistractors(d *Draft, _ Rules) (out []Finding) {
	for _, b := range d.Blanks {
		if n := len(b.Distractors); n != wrongOptions {
			out = append(out, Finding{Blank: b.Number, Text: strings.Join(b.Distractors, " / "), Says: fmt.Sprintf("there are %d distractors, not %d", n, wrongOptions)})
		}
	}
	return out
}

func checkEmpty(d *Draft, _ Rules) (out []Finding) {
	for _, b := range d.Blanks {
		for i, o := range b.options() {
			if strings.TrimSpace(o) != "" {
				continue
			}
			says := "the answer is empty"
			if i > 0 {
				says = fmt.Sprintf("distractor %d is empty", i)
			}
			out = append(out, Finding{Blank: b.Number, Says: says})
		}
	}
	return out
}

// checkDistinct finds two options of a blank that a reader would take for one. "not
// given" is an option of every blank.
func checkDistinct(d *Draft, _ Rules) (out []Finding) {
	for _, b := range d.Blanks {
		all := append(b.options(), notGiven)
		for i := range all {
			for _, other := range all[i+1:] {
				if strings.TrimSpace(all[i]) != "" && strings.TrimSpace(other) != "" && sameOption(all[i], other) {
					out = append(out, Finding{Blank: b.Number, Text: other, Says: fmt.Sprintf("it says the same as %q", all[i])})
				}
			}
		}
	}
	return out
}

// sameOption compares two options without case, articles, punctuation and white
// space, and the words of names of things in any order ("black and white").
func sameOption(a, b string) bool {
	if sign(a) != sign(b) {
		return false
	}
	one, two := normal(a), normal(b)
	if slices.Equal(one, two) {
		return true
	}
	numbers := strings.ContainsAny(a+b, "0123456789")
	if numbers {
		return false // "1-0" and "0-1", "18.6" and "186"
	}
	if strings.Join(one, "") == strings.Join(two, "") { // "high-five" and "highfive"
		return true
	}
	if slices.ContainsFunc(one, func(w string) bool { return orderWords[w] }) {
		return false
	}
	slices.Sort(one)
	slices.Sort(two)
	return slices.Equal(one, two)
}

// orderWords make the order of the words matter: "left to right" is not "right to left".
var orderWords = set(`to from then before after over under on onto in into of off by with without behind above below beneath
between at than not but for through across past beside near against instead while when as is are was were has have hits chases follows`)

// initial finds a single letter or a title, whose point ends no sentence: "L.A. X", "Dr.".
var initial = regexp.MustCompile(`(?:^|[^\pL\pN])(?:\pL|Mr|Mrs|Ms|Dr|St|No|vs|Prof)$`)

// longestOption is how many words an option has at most: an answer is a detail, of a
// few words.
const longestOption = 8

func checkSentences(d *Draft, _ Rules) (out []Finding) {
	for _, b := range d.Blanks {
		for _, o := range b.options() {
			words := strings.Fields(o)
			stop := strings.HasSuffix(strings.TrimSpace(o), ".") && len(words) >= 4 && !initial.MatchString(strings.TrimSuffix(strings.TrimSpace(o), "."))
			if len(words) > longestOption {
				out = append(out, Finding{Blank: b.Number, Text: o, Says: fmt.Sprintf("it has %d words; an option is a detail of at most %d", len(words), longestOption)})
			} else if stop {
				out = append(out, Finding{Blank: b.Number, Text: o, Says: "it is a sentence; an option is a detail without a full stop"})
			}
		}
	}
	return out
}
