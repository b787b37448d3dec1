package textnorm

import (
	"maps"
	"strings"
)

// A role is what a word means in a number.
type role uint8

const (
	plain         role = iota // nothing: no word of a number
	zero                      // "oh"
	ones                      // one to nineteen
	onesSuffixed              // "threes", "third"
	tens                      // twenty to ninety
	tensSuffixed              // "twenties", "twentieth"
	power                     // hundred to decillion
	powerSuffixed             // "thousands", "thousandth"
	preceding                 // a sign that precedes its number: "minus"
	following                 // a word after the number for a sign before it: "dollars"
	percent                   // "percent"
	per                       // "per" of "per cent"
	and                       //
	multiple                  // "double", "triple"
	point                     //
	followingCent             // "cent", which "per" looks for
)

// A numberWord is a word that takes part in numbers.
type numberWord struct {
	role role
	n    int    // the value; of a power, how many zeros; of a multiple, how often
	text string // the suffix or the sign
}

// numberWords holds all of them. The forms are the original's, "nineth" and the
// lack of "ninth" included.
var numberWords = func() map[string]numberWord {
	words := map[string]numberWord{
		"o": {role: zero}, "oh": {role: zero}, "zero": {role: zero},
		"zeroth": {onesSuffixed, 0, "th"}, "first": {onesSuffixed, 1, "st"}, "second": {onesSuffixed, 2, "nd"},
		"third": {onesSuffixed, 3, "rd"}, "fifth": {onesSuffixed, 5, "th"}, "twelfth": {onesSuffixed, 12, "th"},
		"minus": {preceding, 0, "-"}, "negative": {preceding, 0, "-"},
		"plus": {preceding, 0, "+"}, "positive": {preceding, 0, "+"},
		"pound": {following, 0, "£"}, "pounds": {following, 0, "£"}, "euro": {following, 0, "€"},
		"euros": {following, 0, "€"}, "dollar": {following, 0, "$"}, "dollars": {following, 0, "$"},
		"cent": {followingCent, 0, "¢"}, "cents": {following, 0, "¢"},
		"percent": {percent, 0, "%"}, "per": {per, 0, "%"},
		"and": {role: and}, "point": {role: point}, "double": {role: multiple, n: 2}, "triple": {role: multiple, n: 3},
	}
	maps.Copy(words, onesWords())
	for i, name := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		stem := strings.TrimSuffix(name, "y")
		words[name] = numberWord{role: tens, n: 20 + 10*i}
		words[stem+"ies"] = numberWord{tensSuffixed, 20 + 10*i, "s"}
		words[stem+"ieth"] = numberWord{tensSuffixed, 20 + 10*i, "th"}
	}
	zeros := 2
	for _, name := range strings.Fields("hundred thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion") {
		words[name] = numberWord{role: power, n: zeros}
		words[name+"s"] = numberWord{powerSuffixed, zeros, "s"}
		words[name+"th"] = numberWord{powerSuffixed, zeros, "th"}
		zeros = zeros/3*3 + 3
	}
	return words
}()

func onesWords() map[string]numberWord {
	words := make(map[string]numberWord)
	for i, name := range strings.Fields("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen") {
		n := i + 1
		words[name] = numberWord{role: ones, n: n}
		plural := name + "s"
		if name == "six" {
			plural = "sixes"
		}
		words[plural] = numberWord{onesSuffixed, n, "s"}
		if n > 3 && n != 5 && n != 12 {
			words[strings.TrimSuffix(name, "t")+"th"] = numberWord{onesSuffixed, n, "th"}
		}
	}
	return words
}

// wordLengths says by first letter how long number words are: bit n for a word
// of n letters.
var wordLengths = func() (t [256]uint16) {
	for word := range numberWords {
		t[word[0]] |= 1 << len(word)
	}
	return t
}()

// numberWordOf returns what word means in a number.
func numberWordOf(word []byte) numberWord {
	if len(word) >= 16 || wordLengths[word[0]]>>len(word)&1 == 0 {
		return numberWord{}
	}
	return numberWords[string(word)]
}
