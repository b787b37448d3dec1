package omnicloze

import (
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/fixture"
	"omniscope/model/judge"
	"omniscope/model/scripted"
)

// TestWordsAgainstLetters reads one value of a reply in strict scoring.
func TestWordsAgainstLetters(t *testing.T) {
	colours := []string{"beige", "charcoal", "mustard", "a dark red one"}
	numbers := []string{"forty million", "four million", "4,000", "twenty-five"}
	places := []string{"a red canyon", "a blue canyon", "the New York City skyline", "rain on the roof"}
	hats := []string{"a straw hat", "no hat", "a hard hat", "a dog and a cat"}
	chinese := []string{"红色的峡谷", "蓝色的海", "一顶安全帽", "三次"}
	initials := []string{"B. B. King", "a singer", "unknown", "E minor"}
	for _, c := range []struct {
		name    string
		value   string
		options []string
		says    string // part of the reason; "" = clear
	}{
		{"the option's words", "C: mustard", colours, ""},
		{"a letter alone", "C", colours, ""},
		{"a letter and a colon", "C:", colours, ""},
		{"marks alone after the letter", "C: ...", colours, ""},
		{"other case", "C: MUSTARD", colours, ""},
		{"other punctuation", `c. "Mustard!"`, colours, ""},
		{"bold", "**C**: mustard", colours, ""},
		{"an accent", "C: mústard", colours, ""},
		{"a shortening", "D: dark red", colours, ""},
		{"an article less, a noun more", "D: dark red cardigan", colours, ""},
		{"a remark in parentheses", "C: mustard (as the caption says)", colours, ""},
		{"a remark that denies more", "C: mustard, not specified further", colours, ""},
		{"a remark behind a dash", "B: charcoal - not mustard", colours, ""},
		{"a function word with a remark", "B: both (as the caption says)", []string{"left", "both"}, ""},
		{"the option in parentheses", "C (mustard)", colours, ""},
		{"a sentence with the words", "C: The caption says she wears a mustard cardigan", colours, ""},
		{"a reason alone", "C: because nothing else fits", colours, ""},
		{"the letter twice", "C: C: mustard", colours, ""},
		{"the letter in words", "C: option C", colours, ""},
		{"the letter alone twice", "C: C", colours, ""},
		{"digits for number words", "A: 40 million", numbers, ""},
		{"number words for digits", "C: four thousand", numbers, ""},
		{"hyphenated number as digits", "D: 25", numbers, ""},
		{"half of the words", "A: red canyon", places, ""},
		{"one word that several options have", "B: canyon", places, ""},
		{"plural and other spacing", "C: hardhats", hats, ""},
		{"British spelling", "B: grey", []string{"red", "gray"}, ""},
		{"initials of the option", "A: NYC", []string{"New York City", "Boston"}, ""},
		{"words that are cut off", "D: rain on the ro", places, ""},
		{"an option with a negation", "B: no hat", hats, ""},
		{"an option that begins like a letter", "A: B. B. King", initials, ""},
		{"an option that means not known", "C: unknown", initials, ""},
		{"another alphabet", "C: 芥末黄", colours, ""},
		{"Chinese words", "A: 红色的峡谷", chinese, ""},
		{"Chinese words, shortened", "A: 红色峡谷", chinese, ""},
		{"E, not given", "E: not given", colours, ""},
		{"E, not mentioned", "E: Not mentioned in the caption.", colours, ""},
		{"E with a sentence", "E: The caption doesn't say what colour it is", colours, ""},
		{"E, unclear", "E: unclear", colours, ""},
		{"E, N/A", "E: N/A", colours, ""},
		{"E that denies an option", "E: mustard is not mentioned", colours, ""},
		{"E in Chinese", "E: 未提及", colours, ""},
		{"no options to compare with", "A: xxx", nil, ""},

		{"an option instead of another", "C: mustard, not beige", colours, ""},
		{"an option that denies, shortened", "B: no hat at all", hats, ""},

		{"an option under a flat no", "C: not mustard", colours, "words that deny it"},
		{"two options", "C: mustard or beige", colours, "several options"},
		{"another letter behind the words", "C: mustard. Actually A: beige", colours, "two letters"},
		{"the placeholder of the prompt", "A: xxx", colours, "a placeholder"},
		{"a shorter placeholder", "A: x", colours, "a placeholder"},
		{"a placeholder in capitals", "B: XXX", colours, "a placeholder"},
		{"a placeholder with E", "E: xxx", colours, "a placeholder"},
		{"a placeholder in words", "A: your answer", colours, "a placeholder"},
		{"a placeholder in brackets", "A: <option text>", colours, "a placeholder"},
		{"a placeholder for Chinese options", "A: xxx", chinese, "a placeholder"},
		{"not given with a letter of an option", "A: not given", colours, "words that mean E"},
		{"not mentioned with a letter of an option", "B: The colour is not mentioned.", colours, "words that mean E"},
		{"N/A with a letter of an option", "D: N/A", colours, "words that mean E"},
		{"an option that is denied", "C: mustard is not mentioned", colours, "words that mean E"},
		{"not given in Chinese", "B: 未提及", chinese, "words that mean E"},
		{"another option's words", "A: mustard", colours, "the words of C"},
		{"another option's words, shortened", "A: dark red", colours, "the words of D"},
		{"another option's words in parentheses", "A (mustard)", colours, "the words of C"},
		{"another option's words in another case", "B: MUSTARD.", colours, "the words of C"},
		{"another option in a sentence", "A: she wears a mustard cardigan", colours, "the words of C"},
		{"another option's number", "A: 4 million", numbers, "the words of B"},
		{"another option of nearly the same words", "A: a blue canyon", places, "the words of B"},
		{"another option that denies", "A: no hat", hats, "the words of B"},
		{"another option in Chinese", "A: 三次", chinese, "the words of D"},
		{"E with an option's words", "E: mustard", colours, "the words of C"},
		{"words of no option", "A: turquoise", colours, "words of no option"},
		{"a word of no option with E", "E: turquoise", colours, "neither"},
		{"a second letter", "C: B", colours, "two letters"},
		{"a second letter with its words", "C: A: beige", colours, "the words of A"},
		{"a second letter in words", "C: option A", colours, "two letters"},
		{"another number", "D: 26", numbers, "words of no option"},
		{"a letter beyond the options", "D: red", []string{"red", "blue"}, "the words of A"},
	} {
		t.Run(c.name, func(t *testing.T) {
			letter := strings.ToUpper(strings.TrimLeft(c.value, "*"))[0]
			err := choice{letter: letter, text: c.value}.contradiction(c.options)
			if c.says == "" && err != nil {
				t.Errorf("%s does not contradict itself: %v", c.value, err)
			}
			if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || len(err.Error()) > 160) {
				t.Errorf("%s: %v, want %q", c.value, err, c.says)
			}
		})
	}
}

// TestContradictingReplies asks about a caption: official scoring keeps the letters, strict asks again.
func TestContradictingReplies(t *testing.T) {
	const placeholder = `{"1": "A: xxx", "2": "B: xxx"}`
	for _, c := range []struct {
		name             string
		replies          []string
		outcome          string
		official, strict string
		difference       string
		asked            int
	}{
		{"placeholders, then an answer", []string{placeholder, right}, "ok", given, given, "letter and words contradict, asked again", 2},
		{"placeholders to the end", []string{placeholder, placeholder}, "unparsed", given, unjudged, "letter and words contradict, no usable reply", 2},
		{"not given with letters of options", []string{`{"1": "A: not given", "2": "B: not given"}`, right}, "ok", given, given, "letter and words contradict, asked again", 2},
		{"right words with another letter", []string{`{"1": "B: red", "2": "B: honks"}`, right}, "ok", "wrong correct", given, "letter and words contradict, asked again", 2},
		{"in a fence", []string{"```json\n" + placeholder + "\n```", placeholder}, "unparsed", none, unjudged, "no usable reply", 2},
		{"letters alone", []string{`{"1": "A:", "2": "B:"}`}, "ok", given, given, "", 1},
		{"shortened words", []string{`{"1": "A: Red.", "2": "B: honk"}`}, "ok", given, given, "", 1},
		{"contradicting at the second asking", []string{"no", placeholder}, "unparsed", none, unjudged, "no usable reply", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			var replies []scripted.Reply
			for _, text := range c.replies {
				replies = append(replies, scripted.Reply{Text: text})
			}
			j, l := follows(script{"7": replies})
			r := evaluated(t, opened(t, bench.Inputs{Predictions: fixture.File(t, "rows.jsonl", jsonl(aRow(7, nil))), Judge: j, Scoring: bench.Strict}), 0)
			official, strict := verdicts(t, r)
			if r.Outcome.String() != c.outcome || official != c.official || strict != c.strict || names(r.Differences) != c.difference || len(l.heard) != c.asked {
				t.Errorf("%v, official %s, strict %s, differences %q after %d calls; want %v, %s, %s, %q after %d", r.Outcome, official, strict, names(r.Differences), len(l.heard), c.outcome, c.official, c.strict, c.difference, c.asked)
			}
			if len(l.heard) > 1 && c.difference == "letter and words contradict, asked again" {
				if asked := textOf(l.heard[1]); !strings.Contains(asked, `That reply cannot be used: the value of "`) || !strings.Contains(asked, "has the letter ") {
					t.Errorf("asked again with %q", asked)
				}
			}
		})
	}
}

// TestPatternsOfLetters warns of replies that follow a pattern.
func TestPatternsOfLetters(t *testing.T) {
	const many = "one letter for all blanks"
	for name, c := range map[string]struct {
		replies []string // letters, a reply each
		want    string   // part of the warning; "" = no warning
	}{
		"one letter":               {[]string{"AAAAA", "ABDCA"}, "1 of 2 replies of the judge have " + many + ", the first about uuid 0"},
		"one letter, the second":   {[]string{"ABDCA", "CCCCCC", "DDDDD"}, "2 of 3 replies of the judge have " + many + ", the first about uuid 1"},
		"five letters in turn":     {[]string{"ABCDEAB"}, "A, B, C and so on in turn"},
		"four letters in turn":     {[]string{"ABCDABCDAB"}, "A, B, C and so on in turn"},
		"all E throughout":         {[]string{"EEEEE", "EEEEEE"}, "2 of 2 replies of the judge have E for all blanks"},
		"all E for a poor caption": {[]string{"EEEEE", "ABDCA"}, ""},
		"few blanks":               {[]string{"AAAA", "ABCD"}, ""},
		"nearly one letter":        {[]string{"AAAAAB", "ABCDEB"}, ""},
		"no reply":                 {[]string{""}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := &evaluation{data: &data{samples: []sample{{uuid: "0"}, {uuid: "1"}, {uuid: "2"}}}}
			for unit := len(c.replies) - 1; unit >= 0; unit-- {
				var r reply
				for _, letter := range []byte(c.replies[unit]) {
					r = append(r, choice{letter: letter})
				}
				e.patterns.add(unit, r)
			}
			got := strings.Join(e.Explain().Warnings, "; ")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestSchemaOrder keeps the blanks in the order of the passage.
func TestSchemaOrder(t *testing.T) {
	text := string(schema(11).JSON)
	at := 0
	for _, key := range []string{`"1":{`, `"2":{`, `"9":{`, `"10":{`, `"11":{`, `"required":["1","2","3","4","5","6","7","8","9","10","11"]`} {
		next := strings.Index(text[at:], key)
		if next < 0 {
			t.Fatalf("%s has no %s after %d", text, key, at)
		}
		at += next
	}
	if !judge.Valid(text) || !strings.Contains(text, `"pattern":"^[A-E]: .*$"`) {
		t.Errorf("schema %s", text)
	}
}
