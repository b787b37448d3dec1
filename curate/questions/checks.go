package questions

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"omniscope/bench/mcif/talkqa"
	"omniscope/metric/textnorm"
)

// longest is how many seconds of a talk the passages of one question may span at most: what takes more is left out of
// MCIF's test set of short recordings, whose pieces have at most that length together.
const longest = 100

// A checkInfo is a check of questions.
type checkInfo struct {
	Name, Means string
	English     bool                                      // it knows English only: talks in other languages are left alone
	find        func(*checking, *draftQuestion) []Finding // without check and number; nil = it takes a model, see Tester
}

// checks are all checks, in the order in which a question goes through them.
var checks = []checkInfo{
	{"form", "the question does not end with a question mark, is empty, or asks several things", false, checkForm},
	{"twice", "another question of the talk says the same", false, checkTwice},
	{"closed", "yes or no answers it, which is right by chance half of the time", true, checkClosed},
	{"source", "the question or its answer speaks of a transcript, an abstract or a description, which nobody sees who is asked", true, checkSource},
	{"time", "the question or its answer tells a time of the recording", true, checkTime},
	{"answer", "the answer is no whole sentence, or says that there is none; or there is one where nothing gives it", false, checkAnswer},
	{"numeral", "a number up to twelve is not spelled out", true, checkNumeral},
	{"giveaway", "the question gives its answer away", true, checkGiveaway},
	{"label", "the passages that it rests on are not those that its label needs, or there is no such label or passage", false, checkLabel},
	{"number", "a number of the answer stands in none of the passages that it rests on", true, checkNumber},
	{"span", fmt.Sprintf("the passages span more than %d s", longest), false, checkSpan},
	{"guessable", "a judge who knows nothing of the talk answers it right", false, nil},
	{"sense", "a judge who only heard, or only saw, answers it against its label", false, nil},
	{"answerable", "a judge finds an answer to what is said to have none", false, nil},
}

// Help lists the checks, a line each.
func Help() string {
	var out strings.Builder
	for _, c := range checks {
		only := ""
		if c.English {
			only = " (English)"
		}
		fmt.Fprintf(&out, "  %-13s %s%s\n", c.Name, c.Means, only)
	}
	return out.String()
}

// A checking is a draft that is being checked.
type checking struct {
	*Draft
	first map[string]int // numbers of the questions that first ask something, by keys of what they ask
}

// Check applies all checks that need no model. The findings are in the order of the questions.
func Check(d *Draft) (all []Finding) {
	c := &checking{d, make(map[string]int)}
	for i := range d.Questions {
		q := &d.Questions[i]
		for _, key := range c.keys(q) {
			if c.first[key] == 0 {
				c.first[key] = q.Number
			}
		}
	}
	for i := range d.Questions {
		q := &d.Questions[i]
		for _, check := range checks {
			if check.find == nil || check.English && d.Talk.other {
				continue
			}
			for _, f := range check.find(c, q) {
				f.Check, f.Number = check.Name, q.Number
				all = append(all, f)
			}
		}
	}
	return all
}

// plain is a text without case and marks, and in English without the spelling of numbers.
func (t *Talk) plain(text string) string {
	if t.other {
		return textnorm.Basic(text)
	}
	return plain(text)
}

// The marks with which questions and sentences end, in the languages of talks, and what may stand behind them.
const (
	questionMarks = "?？؟"
	stops         = ".!…。．！｡।؟？?"
	closers       = `"'”’»«“」』)）]】`
)

var (
	orders = regexp.MustCompile(`(?i)^(explain|describe|discuss|summari[sz]e|(name|list|tell|give) (me|us|the|all|at least|one|two|three|four|five))\b`)
	many   = regexp.MustCompile(`(?i)\band (why|how)\?$`)
)

func checkForm(d *checking, q *draftQuestion) []Finding {
	text := strings.TrimRight(strings.TrimSpace(q.Text), closers)
	says := ""
	switch body := strings.TrimRight(text, questionMarks+" "); {
	case body == "":
		says = "there is no question"
	case body == text || body == strings.TrimSpace(q.Text):
		says = "it does not end with a question mark"
	case d.Talk.other:
	case orders.MatchString(text):
		says = "it tells somebody to do something: ask a question"
	case many.MatchString(text):
		says = "it asks several things: ask for one"
	}
	return finding(q.Text, says)
}

// finding is what is wrong with a text; says "" = nothing is.
func finding(text, says string) []Finding {
	if says == "" {
		return nil
	}
	return []Finding{{Text: text, Says: says}}
}

// keys are two of what a question asks: its words, and its words in any order with the passages that answer it.
func (c *checking) keys(q *draftQuestion) []string {
	text := c.Talk.plain(q.Text)
	if len(q.From) == 0 {
		return []string{text}
	}
	words := strings.Fields(text)
	slices.Sort(words)
	return []string{text, strings.Join(append(words, q.From...), "\n")}
}

// checkTwice finds a question that an earlier one asks in the same words.
func checkTwice(d *checking, q *draftQuestion) []Finding {
	for _, key := range d.keys(q) {
		if first := d.first[key]; first != q.Number {
			return []Finding{{Text: q.Text, Says: fmt.Sprintf("question %d is the same", first)}}
		}
	}
	return nil
}

// saysNone is an answer that says that there is none.
var saysNone = regexp.MustCompile(`(?i)\bthe (answer|talk|speaker|video|recording|presenter|presentation) (is|was|does|did|do)(n['’]t| not) (give|given|mention|mentioned|say|said|state|stated|specify|specified|tell|told)\b`)

// checkAnswer: answers are whole sentences, and what cannot be answered has none (arXiv 2507.19634, guideline for questions).
func checkAnswer(_ *checking, q *draftQuestion) []Finding {
	answer := strings.TrimSpace(q.Answer)
	says := ""
	switch {
	case q.Label == talkqa.Unanswered && answer != "":
		says = "nothing gives an answer, and there is one: leave it empty"
	case q.Label == talkqa.Unanswered:
	case answer == "":
		says = "there is no answer"
	case !isSentence(answer):
		says = "the answer is no whole sentence"
	case saysNone.MatchString(answer):
		says = "the answer says that there is none: then the label is NA, and the answer empty"
	}
	return finding(q.Answer, says)
}

// isSentence reports whether a text ends as a sentence does and has two words. Chinese and others put no blanks between words.
func isSentence(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	if !strings.ContainsRune(stops+closers, last) {
		return false
	}
	return len(strings.Fields(text)) > 1 || strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
}

// unknown says which label or passage of a question there is not; "" = there are all.
func (t *Talk) unknown(q *draftQuestion) string {
	if !slices.Contains(talkqa.Labels, q.Label) {
		return fmt.Sprintf("the label is %q, not one of %s", q.Label, strings.Join(talkqa.Labels, ", "))
	}
	for _, name := range q.From {
		if t.Find(name) == nil {
			return fmt.Sprintf("there is no passage %q", name)
		}
	}
	return ""
}

// labelNeeds are the passages that a question with a label rests on.
var labelNeeds = map[string]struct {
	heard, seen bool
	says        string
}{
	talkqa.Heard:      {true, false, "A needs passages that are heard, and none that is seen"},
	talkqa.Seen:       {false, true, "V needs passages that are seen, and none that is heard"},
	talkqa.Either:     {true, true, "AV needs a passage that is heard and one that is seen, each of which gives the answer"},
	talkqa.Unanswered: {false, false, "what nothing answers rests on no passage that is heard or seen"},
}

// checkLabel compares a label with the passages. A question without passages, as people write them, is not checked.
func checkLabel(d *checking, q *draftQuestion) []Finding {
	if q.From == nil {
		return nil
	}
	heard, seen := false, false
	for _, name := range q.From {
		if p := d.Talk.Find(name); p != nil {
			heard, seen = heard || p.Source == speech, seen || p.Source == pictures
		}
	}
	says, needs := d.Talk.unknown(q), labelNeeds[q.Label]
	if says == "" && (heard != needs.heard || seen != needs.seen) {
		says = needs.says
	}
	return finding(q.Label+" from "+strings.Join(q.From, ", "), says)
}

func checkSpan(d *checking, q *draftQuestion) []Finding {
	start, end := d.span(q)
	if start == nil || end == nil || *end-*start <= longest {
		return nil
	}
	text := strings.Join(q.From, ", ")
	if text == "" {
		text = fmt.Sprintf("%.0f to %.0f s", *start, *end)
	}
	return []Finding{{Text: text, Says: fmt.Sprintf("they span %.0f s, more than %d s: name fewer passages, or ask for less", *end-*start, longest)}}
}
