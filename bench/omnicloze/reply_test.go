package omnicloze

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope/model/judge"
)

// What a reply reads as, if not letters.
const (
	forced   = "forced"   // official: "not given" for every blank
	unusable = "unusable" // strict: asks again
)

// A replyCase is a judge's reply to n blanks and what the scorings read from
// it. The official column was computed by Python's json.loads and str.strip.
type replyCase struct {
	name             string
	n                int
	text             string
	official, strict string
}

const good = `{"1": "A: x", "2": "E: not given", "3": "C: z"}`

// letter is a reply to three blanks of which the second is written this way.
func letter(value string) string { return `{"1": "A: x", "2": ` + value + `, "3": "C: z"}` }

// long is a good reply to n blanks, letters A to E in turn.
func long(n int) (text, letters string) {
	members := make([]string, n)
	for i := range n {
		letter := string(rune('A' + i%5))
		members[i] = fmt.Sprintf("%q: %q", fmt.Sprint(i+1), letter+": as the caption says")
		letters += letter
	}
	return "{" + strings.Join(members, ",\n") + "}", letters
}

var replyCases = slices.Concat(wholeReplies, keyReplies, letterReplies, longReplies())

// wholeReplies differ in what is around the object, and in whether there is one.
var wholeReplies = []replyCase{
	{"as published", 3, good, "AEC", "AEC"},
	{"blanks and line ends around", 3, " \r\n\t" + good + "\n\n", "AEC", "AEC"},
	{"CRLF throughout", 3, strings.ReplaceAll(good, ", ", ",\r\n"), "AEC", "AEC"},
	{"NBSP and em space around", 3, "\u00a0" + good + "\u2003", "AEC", "AEC"},
	{"file separators around", 3, "\x1c" + good + "\x1f", "AEC", "AEC"},
	{"next line and line separator around", 3, "\u0085" + good + "\u2028", "AEC", "AEC"},
	{"zero-width space around", 3, "\u200b" + good, forced, "AEC"},
	{"byte order mark", 3, "\ufeff" + good, forced, "AEC"},
	{"fence with json", 3, "```json\n" + good + "\n```", forced, "AEC"},
	{"fence with JSON in capitals", 3, "```JSON\n" + good + "\n```", forced, "AEC"},
	{"fence without json", 3, "```\n" + good + "\n```", forced, "AEC"},
	{"fence that is not closed", 3, "```json\n" + good, forced, "AEC"},
	{"fence with prose", 3, "Here you are:\n```json\n" + good + "\n```\nAll blanks were checked.", forced, "AEC"},
	{"prose before", 3, "Sure! " + good, forced, "AEC"},
	{"prose after", 3, good + "\nI hope this helps.", forced, "AEC"},
	{"prose with brackets", 3, "As [asked], {see below} and [1]: " + good + " (end [sic])", forced, "AEC"},
	{"prose with a colon and quotes", 3, `The "answer": ` + good, forced, "AEC"},
	{"a fence named in a value", 3, letter("\"E: it says ```json here\""), "AEC", "AEC"},
	{"a think tag named in a value", 3, letter(`"E: it says </think> here"`), "AEC", "AEC"},
	{"a think tag named in a value, NBSP around", 3, "\u00a0" + letter(`"E: it says </think> here"`), "AEC", "AEC"},
	{"thought before", 3, `<think>The caption says {"1": "B: y"} or not.</think>` + "\n" + good, forced, "AEC"},
	{"thought whose start is in the prompt", 3, `maybe {"1": "B"}` + "</think>" + good, forced, "AEC"},
	{"thought that does not end", 3, "<think>It may be " + good, forced, unusable},
	{"thought alone", 3, "<think>" + good + "</think>", forced, unusable},
	{"the same answer twice", 3, good + "\n" + good, forced, "AEC"},
	{"two answers that differ", 3, good + "\n" + letter(`"B: y"`), forced, unusable},
	{"an example and an answer", 3, `For example {"1": "A: x"}. ` + good, forced, unusable},
	{"a good answer and one cut off", 3, good + ` Or rather {"1": "B`, forced, unusable},
	{"one object for each blank", 3, `{"1": "A: x"} {"2": "E: y"} {"3": "C: z"}`, forced, unusable},
	{"cut off after the brace", 3, `{`, forced, unusable},
	{"cut off in a key", 3, `{"1": "A: x", "2`, forced, unusable},
	{"cut off after a colon", 3, `{"1": "A: x", "2":`, forced, unusable},
	{"cut off in a value", 3, `{"1": "A: x", "2": "E: not gi`, forced, unusable},
	{"cut off before the brace", 3, strings.TrimSuffix(good, "}"), forced, unusable},
	{"cut off in a fence", 3, "```json\n" + good[:20], forced, unusable},
	{"cut off around a whole answer", 3, `{"draft": ` + good + `, "final": {"1": "B: y"`, forced, unusable},
	{"trailing comma", 3, strings.Replace(good, "}", ",}", 1), forced, unusable},
	{"comma missing", 3, strings.Replace(good, ",", "", 1), forced, unusable},
	{"comment", 3, strings.Replace(good, "}", " // ... until 3\n}", 1), forced, "AEC"},
	{"single quotes", 3, strings.ReplaceAll(good, `"`, `'`), forced, unusable},
	{"curly quotes", 3, "{“1”: “A: x”, “2”: “E: y”, “3”: “C: z”}", forced, unusable},
	{"HTML entities", 3, strings.ReplaceAll(good, `"`, "&quot;"), forced, unusable},
	{"JSON in a string", 3, `"{\"1\": \"A: x\", \"2\": \"E: y\", \"3\": \"C: z\"}"`, forced, unusable},
	{"a string", 3, `"A: x"`, forced, unusable},
	{"a number", 3, "3", forced, unusable},
	{"null", 3, "null", forced, unusable},
	{"NaN", 3, "NaN", forced, unusable},
	{"true", 3, "true", forced, unusable},
	{"array of answers", 3, `["A: x", "E: y", "C: z"]`, forced, unusable},
	{"array of one object", 3, "[" + good + "]", forced, "AEC"},
	{"array of objects", 3, `[{"1": "A: x"}, {"2": "E: y"}, {"3": "C: z"}]`, forced, unusable},
	{"a list as people write it", 3, "1. A: x\n2. E: y\n3. C: z", forced, unusable},
	{"object without braces", 3, `"1": "A: x", "2": "E: y", "3": "C: z"`, forced, unusable},
	{"empty object", 3, "{}", forced, unusable},
	{"nested under answers", 3, `{"answers": ` + good + `}`, forced, unusable},
	{"empty", 3, "", forced, unusable},
	{"blank", 3, " \n\t\u00a0", forced, unusable},
	{"refusal", 3, "I'm sorry, but I can't help with that.", forced, unusable},
	{"not given, in words", 3, "I am not given a caption.", forced, unusable},
	{"control character in a value", 3, letter("\"E: a\x01b\""), forced, unusable},
	{"line end in a value", 3, letter("\"E: a\nb\""), forced, "AEC"},
	{"null byte around", 3, "\x00" + good, forced, "AEC"},
	{"DEL in a value", 3, letter("\"E: a\x7fb\""), "AEC", "AEC"},
	{"invalid UTF-8 in a value", 3, letter("\"E: a\xff\xfeb\""), "AEC", "AEC"},
	{"invalid UTF-8 around", 3, "\xff" + good, forced, "AEC"},
	{"half a surrogate pair", 3, letter(`"E: \ud83d"`), "AEC", "AEC"},
	{"half an escape", 3, letter(`"E: \u00"`), forced, unusable},
	{"an escape JSON does not have", 3, letter(`"E: it\'s"`), forced, unusable},
	{"10,000 open brackets", 3, strings.Repeat("[", 10_000), forced, unusable},
	{"10,000 open objects", 3, strings.Repeat(`{"1":`, 10_000), forced, unusable},
	{"brackets nested 10,000 deep", 3, strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), forced, unusable},
	{"10,000 braces among words", 3, strings.Repeat("{ x ", 10_000) + good, forced, "AEC"},
	{"a value of a megabyte", 3, letter(`"E: ` + strings.Repeat("long ", 200_000) + `"`), "AEC", "AEC"},
	{"a megabyte of prose", 3, strings.Repeat("so much to say. ", 65_536) + good, forced, "AEC"},
}

// keyReplies differ in the keys.
var keyReplies = []replyCase{
	{"other order", 3, `{"3": "C: z", "1": "A: x", "2": "E: y"}`, "AEC", "AEC"},
	{"key missing", 3, `{"1": "A: x", "3": "C: z"}`, forced, unusable},
	{"first key missing", 3, `{"2": "E: y", "3": "C: z"}`, forced, unusable},
	{"key beyond the last", 3, strings.Replace(good, "}", `, "4": "A: x"}`, 1), forced, unusable},
	{"key 0", 3, `{"0": "A: x", "1": "E: y", "2": "C: z"}`, forced, unusable},
	{"key 0 besides", 3, strings.Replace(good, "{", `{"0": "A: x", `, 1), forced, unusable},
	{"keys in words", 3, `{"one": "A: x", "two": "E: y", "three": "C: z"}`, forced, unusable},
	{"keys as placeholders", 3, `{"BLANK_1": "A: x", "BLANK_2": "E: y", "BLANK_3": "C: z"}`, forced, unusable},
	{"key 01", 3, strings.Replace(good, `"1"`, `"01"`, 1), forced, unusable},
	{"key with a blank", 3, strings.Replace(good, `"1"`, `" 1"`, 1), forced, unusable},
	{"key with a blank after", 3, strings.Replace(good, `"1"`, `"1 "`, 1), forced, unusable},
	{"key 1.0", 3, strings.Replace(good, `"1"`, `"1.0"`, 1), forced, unusable},
	{"key +1", 3, strings.Replace(good, `"1"`, `"+1"`, 1), forced, unusable},
	{"key -1", 3, strings.Replace(good, `"1"`, `"-1"`, 1), forced, unusable},
	{"key full width", 3, strings.Replace(good, `"1"`, `"１"`, 1), forced, unusable},
	{"empty key", 3, strings.Replace(good, `"1"`, `""`, 1), forced, unusable},
	{"huge key", 3, strings.Replace(good, `"1"`, `"99999999999999999999"`, 1), forced, unusable},
	{"keys without quotes", 3, `{1: "A: x", 2: "E: y", 3: "C: z"}`, forced, unusable},
	{"key escaped", 3, strings.Replace(good, `"1"`, `"\u0031"`, 1), "AEC", "AEC"},
	{"key twice, same letter", 3, strings.Replace(good, "}", `, "1": "A: other words"}`, 1), "AEC", "AEC"},
	{"key twice, escaped once", 3, strings.Replace(good, "}", `, "\u0031": "A: x"}`, 1), "AEC", "AEC"},
	{"key twice, two letters", 3, strings.Replace(good, "}", `, "1": "B: y"}`, 1), "BEC", unusable},
	{"key twice, the last one broken", 3, strings.Replace(good, "}", `, "1": "none"}`, 1), forced, unusable},
	{"key twice, the first one broken", 3, strings.Replace(good, "{", `{"1": 7, `, 1), "AEC", unusable},
	{"key twice, NaN at first", 3, strings.Replace(good, "{", `{"1": NaN, "2": -Infinity, `, 1), "AEC", unusable},
	{"key twice, NaN at last", 3, strings.Replace(good, "}", `, "1": NaN}`, 1), forced, unusable},
	{"NaN named in a value", 3, letter(`"E: \" NaN, Infinity"`), "AEC", "AEC"},
	{"key twice and one missing", 3, `{"1": "A: x", "1": "A: x", "2": "E: y"}`, forced, unusable},
	{"a key of prose besides", 3, strings.Replace(good, "}", `, "note": "done"}`, 1), forced, unusable},
	{"an empty key besides", 3, strings.Replace(good, "}", `, "": ""}`, 1), forced, unusable},
}

// letterReplies differ in how the second letter is written.
var letterReplies = []replyCase{
	{"no blank after the colon", 3, letter(`"E:y"`), "AEC", "AEC"},
	{"nothing after the colon", 3, letter(`"E:"`), "AEC", "AEC"},
	{"two colons", 3, letter(`"D: at 10:30"`), "ADC", "ADC"},
	{"another letter after the colon", 3, letter(`"D: B: y"`), "ADC", "ADC"},
	{"letter escaped", 3, letter(`"\u0044: y"`), "ADC", "ADC"},
	{"letter alone", 3, letter(`"D"`), forced, "ADC"},
	{"lower case", 3, letter(`"d: y"`), forced, "ADC"},
	{"lower case alone", 3, letter(`"d"`), forced, "ADC"},
	{"in parentheses", 3, letter(`"(d) y"`), forced, "ADC"},
	{"half a parenthesis", 3, letter(`"D) y"`), forced, "ADC"},
	{"text in parentheses", 3, letter(`"D (the red one)"`), forced, "ADC"},
	{"in brackets", 3, letter(`"[D] y"`), forced, "ADC"},
	{"dot", 3, letter(`"D. y"`), forced, "ADC"},
	{"dot alone", 3, letter(`"D."`), forced, "ADC"},
	{"dot and an article", 3, letter(`"D. A man waves"`), forced, "ADC"},
	{"comma", 3, letter(`"D, the red one"`), forced, "ADC"},
	{"hyphen", 3, letter(`"D - y"`), forced, "ADC"},
	{"en dash", 3, letter(`"D – y"`), forced, "ADC"},
	{"em dash", 3, letter(`"D—y"`), forced, "ADC"},
	{"bold letter", 3, letter(`"**D**: y"`), forced, "ADC"},
	{"bold letter and colon", 3, letter(`"**D:** y"`), forced, "ADC"},
	{"code", 3, letter("\"`D`: y\""), forced, "ADC"},
	{"quoted", 3, letter(`"'D': y"`), forced, "ADC"},
	{"in curly quotes", 3, letter(`"“D”: y"`), forced, "ADC"},
	{"blank before the letter", 3, letter(`" D: y"`), forced, "ADC"},
	{"NBSP before the letter", 3, letter("\"\u00a0D: y\""), forced, "ADC"},
	{"line end before the letter", 3, letter(`"\r\nD: y"`), forced, "ADC"},
	{"blank before the colon", 3, letter(`"D : y"`), forced, "ADC"},
	{"full-width colon", 3, letter(`"D：y"`), forced, "ADC"},
	{"semicolon", 3, letter(`"D; y"`), forced, unusable},
	{"equals sign", 3, letter(`"D = y"`), forced, unusable},
	{"full-width letter", 3, letter(`"Ｄ: y"`), forced, unusable},
	{"Cyrillic letter", 3, letter(`"А: y"`), forced, unusable},
	{"letter F", 3, letter(`"F: y"`), forced, unusable},
	{"letter of a text", 3, letter(`"A man waves"`), forced, unusable},
	{"text without a letter", 3, letter(`"not given"`), forced, unusable},
	{"text that begins with one", 3, letter(`"Cold water"`), forced, unusable},
	{"text with a colon", 3, letter(`"Cold: water"`), forced, unusable},
	{"text with a hyphen", 3, letter(`"E-flat"`), forced, unusable},
	{"text of initials", 3, letter(`"D.C."`), forced, unusable},
	{"text of spaced initials", 3, letter(`"B. B. King"`), forced, unusable},
	{"text with an apostrophe", 3, letter(`"D'Artagnan"`), forced, unusable},
	{"option in words", 3, letter(`"Option D: y"`), forced, unusable},
	{"two letters with a slash", 3, letter(`"A/B"`), forced, unusable},
	{"two letters, slash and colon", 3, letter(`"A/B: y"`), forced, unusable},
	{"two letters with a comma", 3, letter(`"A, B"`), forced, unusable},
	{"two letters with or", 3, letter(`"A or B"`), forced, unusable},
	{"three letters", 3, letter(`"A, B or C"`), forced, unusable},
	{"two letters in parentheses", 3, letter(`"(A) or (B)"`), forced, unusable},
	{"a second letter in parentheses", 3, letter(`"A (or B)"`), forced, unusable},
	{"two letters together", 3, letter(`"AB: y"`), forced, unusable},
	{"a range", 3, letter(`"A-C"`), forced, unusable},
	{"empty value", 3, letter(`""`), forced, unusable},
	{"blank value", 3, letter(`" "`), forced, unusable},
	{"colon alone", 3, letter(`":"`), forced, unusable},
	{"stars alone", 3, letter(`"**"`), forced, unusable},
	{"value is a number", 3, letter(`4`), forced, unusable},
	{"value is null", 3, letter(`null`), forced, unusable},
	{"value is false", 3, letter(`false`), forced, unusable},
	{"value is NaN", 3, letter(`NaN`), forced, unusable},
	{"value is a list", 3, letter(`["D: y"]`), forced, unusable},
	{"value is an object", 3, letter(`{"letter": "D", "text": "y"}`), forced, unusable},
	{"value is an object with a blank's number", 3, letter(`{"2": "D: y"}`), forced, unusable},
	{"value without quotes", 3, letter(`D: y`), forced, unusable},
}

// longReplies are to as many blanks as the benchmark has.
func longReplies() []replyCase {
	thirty, letters := long(30)
	more, moreLetters := long(31)
	return []replyCase{
		{"thirty", 30, thirty, letters, letters},
		{"thirty in a fence", 30, "```json\n" + thirty + "\n```", forced, letters},
		{"thirty-one", 31, more, moreLetters, moreLetters},
		{"one too many", 30, more, forced, unusable},
		{"one too few", 31, thirty, forced, unusable},
		{"cut off at the last", 30, thirty[:len(thirty)-8], forced, unusable},
		{"the list stops with dots", 30, strings.Split(thirty, `"4"`)[0] + "...}", forced, unusable},
		{"one letter missing", 30, strings.Replace(thirty, "B: as", "as", 1), forced, unusable},
		{"the last key twice, two letters", 30, strings.Replace(thirty, "}", `, "30": "A: other"}`, 1), letters[:29] + "A", unusable},
		{"keys from 0", 30, strings.Replace(thirty, `"30"`, `"0"`, 1), forced, unusable},
	}
}

func TestReplyReadingByScoring(t *testing.T) {
	for _, c := range replyCases {
		t.Run(c.name, func(t *testing.T) {
			if got := asOfficial(c.text, c.n); got != c.official {
				t.Errorf("official reads %s, want %s", got, c.official)
			}
			r, err := readStrict(c.text, c.n)
			if got := lettersOf(r, err == nil, unusable); got != c.strict {
				t.Errorf("strict reads %s (%v), want %s", got, err, c.strict)
			}
		})
	}
}

// What a repair message says of a reply must help to mend it, and be short.
func TestUnusableReplies(t *testing.T) {
	for _, c := range replyCases {
		_, err := readStrict(c.text, c.n)
		if (err != nil) != (c.strict == unusable) || err != nil && len(err.Error()) > 200 {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for text, want := range map[string]string{
		"":                           "it is empty",
		"no":                         "it has no JSON object",
		`{"1": "A: x", "2"`:          "the JSON ends too early",
		`{"1": "A: x"}`:              `it has no answer to "2"`,
		`{"4": "A: x"}`:              `it has the key "4", which is not one of "1" to "3"`,
		`{"1": "A: x", "1": "B: y"}`: `it answers "1" twice, with A and B`,
		`{"1": 1}`:                   `the value of "1": it is not a string`,
		`{"1": "none"}`:              `the value of "1": "none" does not start with one letter A to E and a colon`,
		good + letter(`"B: y"`):      "it holds several answers that differ",
		"<think>hm":                  "it ends before its answer",
		`{"1": "` + strings.Repeat("é", 99) + `"}`: `the value of "1": "` + strings.Repeat("é", 20) + `…" does not start with one letter A to E and a colon`,
		`{"1": "A: x",}`:               "it is not JSON: invalid character '}' looking for beginning of object key string",
		`{"1": "` + "\x00" + `A: x" }`: `it is not JSON: invalid character '\x00' in string literal`,
	} {
		if _, err := readStrict(text, 3); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzScoringAgreement(f *testing.F) {
	for _, c := range replyCases {
		if len(c.text) < 1000 {
			f.Add(c.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		const n = 3
		official, _, ok := readWhole(text, n)
		strict, err := readStrict(text, n)
		if err == nil {
			mustBeSaid(t, text, strict)
		}
		if !ok || err == nil && slices.EqualFunc(official, strict, sameLetter) {
			return
		}
		if err == nil || !repeatsKey(t, text) {
			t.Errorf("official reads %s, strict %s, %v", lettersOf(official, true, ""), lettersOf(strict, err == nil, unusable), err)
		}
	})
}

func mustBeSaid(t *testing.T, text string, r reply) {
	for i, c := range r {
		if c.letter < 'A' || c.letter > 'E' {
			t.Errorf("blank %d got %q", i+1, c.letter)
		}
		if !strings.ContainsAny(text, string([]byte{c.letter, c.letter | 0x20})) && !strings.Contains(text, `\u00`) {
			t.Errorf("%q was read as %c, which it does not say", text, c.letter)
		}
	}
}

func repeatsKey(t *testing.T, text string) bool {
	members, err := judge.Members(strings.TrimFunc(text, pythonSpace))
	if err != nil {
		return strings.Contains(text, "NaN") || strings.Contains(text, "Infinity") // which only the last value of a key may overrule
	}
	seen := make(map[string]bool)
	for _, m := range members {
		if seen[m.Key] {
			return true
		}
		seen[m.Key] = true
	}
	return false
}

func asOfficial(text string, n int) string {
	r, _, ok := readWhole(text, n)
	return lettersOf(r, ok, forced)
}

func lettersOf(r reply, ok bool, otherwise string) string {
	if !ok {
		return otherwise
	}
	var b strings.Builder
	for _, c := range r {
		b.WriteByte(c.letter)
	}
	return b.String()
}
