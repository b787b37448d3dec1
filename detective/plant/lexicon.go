package plant

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	colours = []string{"red", "blue", "green", "yellow", "orange", "purple", "pink", "brown", "black", "white", "gray", "grey"}
	numbers = []string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	// opposites are words of order, and what they are changed to.
	opposites = map[string]string{"before": "after", "after": "before", "first": "last", "last": "first", "earlier": "later", "later": "earlier", "beginning": "end", "starts": "ends", "begins": "ends", "ends": "begins"}
	// speakers are words for those who speak, and what they are changed to.
	speakers = map[string]string{"man": "woman", "woman": "man", "boy": "girl", "girl": "boy", "men": "women", "women": "men", "male": "female", "female": "male",
		"he": "she", "she": "he", "father": "mother", "mother": "father", "actor": "actress", "actress": "actor", "boys": "girls", "girls": "boys"}
	// sounds are things that are heard, in forms that take each other's place.
	sounds = [][]string{
		{"applause", "laughter", "thunder", "birdsong", "rain", "gunfire", "traffic", "music", "cheering", "silence"},
		{"barks", "meows", "neighs", "quacks", "howls", "crows", "roars"},
		{"barking", "meowing", "neighing", "quacking", "howling", "crowing", "roaring"},
		{"siren", "bell", "whistle", "drum", "piano", "guitar", "trumpet", "violin", "horn"},
	}
	speech = regexp.MustCompile(`(?i)\b(says?|said|saying|speaks?|speaking|spoke|asks?|asking|asked|shouts?|shouting|shouted|explains?|explaining|explained|narrat\w+|voice|talks?|talking|talked|replies|replied|announces?|announced|whispers?|whispered)\b`)
	quotes = regexp.MustCompile(`"[^"\n]{2,120}"|“[^”\n]{2,120}”`)
	words  = regexp.MustCompile(`[A-Za-z]+`)
	digits = regexp.MustCompile(`\b[0-9]{1,3}\b`)
)

// speaks reports whether somebody speaks in a sentence.
func speaks(sentence string) bool { return speech.MatchString(sentence) }

// placesOf are the places where a sentence can be changed for a kind.
func placesOf(sentence, kind string) (out []place) {
	if kind == "text" {
		for _, at := range quotes.FindAllStringIndex(sentence, -1) {
			out = append(out, place{at[0], at[1], misread})
		}
		return out
	}
	quoted := quotes.FindAllStringIndex(sentence, -1)
	add := func(at []int, other func(string, string, *rand.Rand) string) {
		for _, q := range quoted {
			if at[0] >= q[0] && at[1] <= q[1] { // what is quoted is a matter of text
				return
			}
		}
		out = append(out, place{at[0], at[1], other})
	}
	for _, at := range words.FindAllStringIndex(sentence, -1) {
		word := strings.ToLower(sentence[at[0]:at[1]])
		switch {
		case kind == "colour" && slices.Contains(colours, word):
			add(at, oneOf(colours))
		case kind == "count" && slices.Contains(numbers, word):
			add(at, oneOf(numbers))
		case kind == "order" && opposites[word] != "":
			add(at, becomes(opposites))
		case kind == "speaker" && speakers[word] != "":
			add(at, becomes(speakers))
		case kind == "sound":
			for _, group := range sounds {
				if slices.Contains(group, word) {
					add(at, oneOf(group))
				}
			}
		}
	}
	if kind == "count" {
		for _, at := range digits.FindAllStringIndex(sentence, -1) {
			add(at, largerBy(4))
		}
	}
	return out
}

// oneOf changes a word to another of a group, one that the caption does not have, so that it is
// not true of something else there.
func oneOf(group []string) func(string, string, *rand.Rand) string {
	return func(from, caption string, draw *rand.Rand) string {
		there := words.FindAllString(caption, -1)
		for _, i := range draw.Perm(len(group)) {
			if to := group[i]; !slices.Contains(there, to) && !(strings.HasPrefix(to, "gr") && strings.HasPrefix(strings.ToLower(from), "gr") && len(to) == 4) {
				return likeFirst(to, from)
			}
		}
		return ""
	}
}

// largerBy changes a number to one that is larger by 1 to most, and that the caption does not have.
func largerBy(most int) func(string, string, *rand.Rand) string {
	return func(from, caption string, draw *rand.Rand) string {
		n, _ := strconv.Atoi(from)
		there := digits.FindAllString(caption, -1)
		for _, i := range draw.Perm(most) {
			if to := strconv.Itoa(n + 1 + i); !slices.Contains(there, to) {
				return to
			}
		}
		return ""
	}
}

func becomes(pairs map[string]string) func(string, string, *rand.Rand) string {
	return func(from, _ string, _ *rand.Rand) string { return likeFirst(pairs[strings.ToLower(from)], from) }
}

// likeFirst gives a word a capital where the one that it replaces has one.
func likeFirst(to, from string) string {
	if to != "" && from[0] >= 'A' && from[0] <= 'Z' {
		return strings.ToUpper(to[:1]) + to[1:]
	}
	return to
}

// misread changes a word or a number that is quoted.
func misread(from, _ string, draw *rand.Rand) string {
	if at := digits.FindStringIndex(from); at != nil {
		n, _ := strconv.Atoi(from[at[0]:at[1]])
		return from[:at[0]] + strconv.Itoa(n+1+draw.IntN(7)) + from[at[1]:]
	}
	all := words.FindAllStringIndex(from, -1)
	if len(all) == 0 {
		return ""
	}
	others := []string{"garden", "window", "seven", "market", "winter", "silver", "river", "open"}
	at := all[draw.IntN(len(all))]
	for _, i := range draw.Perm(len(others)) {
		if to := others[i]; !strings.EqualFold(to, from[at[0]:at[1]]) {
			if from[at[0]:at[1]] == strings.ToUpper(from[at[0]:at[1]]) {
				to = strings.ToUpper(to)
			}
			return from[:at[0]] + likeFirst(to, from[at[0]:at[1]]) + from[at[1]:]
		}
	}
	return ""
}
