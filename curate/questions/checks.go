package questions

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"omniscope/internal/talkqa"
	"omniscope/internal/textnorm"
)

// Longest is how many seconds of a talk the passages of one question may span at most: what takes more is left out of
// MCIF's test set of short recordings, whose pieces have at most that length together.
const Longest = 100

// A CheckInfo is a check of questions.
type CheckInfo struct {
	Name, Means string
	find        func(*Draft, *Question) []Finding // without check and number; nil = it takes a model, see Tester
}

// Checks are all checks, in the order in which a question goes through them.
var Checks = []CheckInfo{
	{"form", "the question does not end with a question mark, or is empty", checkForm},
	{"twice", "another question of the talk says the same", checkTwice},
	{"closed", "yes or no answers it, which is right by chance half of the time", checkClosed},
	{"source", "the question or its answer speaks of a transcript, an abstract or a description, which nobody sees who is asked", checkSource},
	{"time", "the question or its answer tells a time of the recording", checkTime},
	{"answer", "the answer is no whole sentence; or there is none; or there is one where nothing gives it", checkAnswer},
	{"numeral", "a number up to twelve is not spelled out", checkNumeral},
	{"giveaway", "the question gives its answer away", checkGiveaway},
	{"label", "the passages that it rests on are not those that its label needs", checkLabel},
	{"number", "a number of the answer stands in none of the passages that it rests on", checkNumber},
	{"span", fmt.Sprintf("the passages span more than %d s", Longest), checkSpan},
	{"guessable", "a judge who knows nothing of the talk answers it right", nil},
	{"sense", "a judge who only heard, or only saw, answers it against its label", nil},
	{"answerable", "a judge finds an answer to what is said to have none", nil},
}

// Help lists the checks, a line each.
func Help() string {
	var out strings.Builder
	for _, c := range Checks {
		fmt.Fprintf(&out, "  %-13s %s\n", c.Name, c.Means)
	}
	return out.String()
}

// Check applies all checks that need no model. The findings are in the order of the questions.
func Check(d *Draft) (all []Finding) {
	for i := range d.Questions {
		q := &d.Questions[i]
		for _, c := range Checks {
			if c.find == nil {
				continue
			}
			for _, f := range c.find(d, q) {
				f.Check, f.Number = c.Name, q.Number
				all = append(all, f)
			}
		}
	}
	return all
}

func checkForm(_ *Draft, q *Question) []Finding {
	if text := strings.TrimSpace(q.Text); !strings.HasSuffix(text, "?") || len(text) < 2 {
		return []Finding{{Text: q.Text, Says: "it does not end with a question mark"}}
	}
	return nil
}

// checkTwice finds a question that an earlier one asks in the same words.
func checkTwice(d *Draft, q *Question) []Finding {
	for _, other := range d.Questions {
		if other.Number == q.Number {
			return nil
		}
		if plain(other.Text) == plain(q.Text) {
			return []Finding{{Text: q.Text, Says: fmt.Sprintf("question %d is the same", other.Number)}}
		}
	}
	return nil
}

// plain is a text without case, marks and spelling of numbers.
func plain(text string) string {
	out, err := textnorm.English(text)
	if err != nil {
		return strings.ToLower(text)
	}
	return out
}

var (
	closed = regexp.MustCompile(`(?i)^(is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might)\b`)
	choice = regexp.MustCompile(`(?i)\bor\b`) // Is it a or b?
)

func checkClosed(_ *Draft, q *Question) []Finding {
	if m := closed.FindString(strings.TrimSpace(q.Text)); m != "" && !choice.MatchString(q.Text) {
		return []Finding{{Text: m, Says: "yes or no answers the question: ask what, how many, which, who, where or why"}}
	}
	return nil
}

// source are words for what a draft is made from. A transcript that the talk is about is none: the passages have the word.
var source = regexp.MustCompile(`(?i)\b(transcripts?|abstract|descriptions?|passages?|excerpts?|observations?|captions?)\b`)

func checkSource(d *Draft, q *Question) (out []Finding) {
	for _, text := range []string{q.Text, q.Answer} {
		for _, word := range source.FindAllString(text, -1) {
			if !d.says(q, word) {
				out = append(out, Finding{Text: word, Says: "whoever is asked hears and sees the talk, and nothing else"})
				break
			}
		}
	}
	return out
}

// says reports whether a passage of the question, or of a question without any, one of the talk, has a word.
func (d *Draft) says(q *Question, word string) bool {
	for i := range d.Talk.Passages {
		p := &d.Talk.Passages[i]
		if (len(q.From) == 0 || slices.Contains(q.From, p.Name)) && strings.Contains(strings.ToLower(p.Text), strings.ToLower(word)) {
			return true
		}
	}
	return false
}

// moment is a time of a recording: 3:20, at minute 4, in the first 30 seconds.
var moment = regexp.MustCompile(`(?i)\b\d{1,2}:\d{2}\b|\b(at|after|around|until|by) (the )?(minute|second) \w+|\b\d+ ?(s|secs?|seconds|minutes) (in|into|before the end)\b|\b(in|within|during|after) the (first|last) \w+ (seconds|minutes?)\b`)

func checkTime(d *Draft, q *Question) (out []Finding) {
	for _, text := range []string{q.Text, q.Answer} {
		if m := moment.FindString(text); m != "" && !d.says(q, m) {
			out = append(out, Finding{Text: m, Says: "ask about what happens, not about when"})
		}
	}
	return out
}

// checkAnswer: answers are whole sentences, and what cannot be answered has none (arXiv 2507.19634, guideline for questions).
func checkAnswer(_ *Draft, q *Question) []Finding {
	answer := strings.TrimSpace(q.Answer)
	says := ""
	switch {
	case q.Label == talkqa.Unanswered && answer != "":
		says = "nothing gives an answer, and there is one: leave it empty"
	case q.Label == talkqa.Unanswered:
	case answer == "":
		says = "there is no answer"
	case !strings.ContainsAny(answer[len(answer)-1:], `.!"')`) || len(strings.Fields(answer)) < 3:
		says = "the answer is no whole sentence"
	}
	if says == "" {
		return nil
	}
	return []Finding{{Text: q.Answer, Says: says}}
}

// numeral is a number up to twelve in digits before a word that it may count.
var numeral = regexp.MustCompile(`(?:^|[\s(])((?:[0-9]|1[0-2]) ([a-z]{3,}))`)

var (
	named    = regexp.MustCompile(`(?:(?i:\b(?:table|figure|section|chapter|version|slide|step|part|layer|level|page|equation|experiment|point))|\b[A-Z][A-Za-z]*) $`) // Table 3
	measures = strings.Fields("percent percentage point points hundred thousand million billion trillion bit bits byte bytes")
)

func checkNumeral(_ *Draft, q *Question) []Finding {
	for _, at := range numeral.FindAllStringSubmatchIndex(q.Answer, -1) {
		if !named.MatchString(q.Answer[:at[2]]) && !slices.Contains(measures, q.Answer[at[4]:at[5]]) {
			return []Finding{{Text: q.Answer[at[2]:at[3]], Says: "spell out numbers up to twelve"}}
		}
	}
	return nil
}

// checkGiveaway finds an answer of which all that tells something stands in the question. The general questions cannot
// give anything away.
func checkGiveaway(_ *Draft, q *Question) []Finding {
	if q.Origin == talkqa.General || strings.TrimSpace(q.Answer) == "" {
		return nil
	}
	asked := strings.Fields(plain(q.Text))
	told := 0
	for _, word := range strings.Fields(plain(q.Answer)) {
		if slices.Contains(fillers, word) {
			continue
		}
		told++
		if !slices.ContainsFunc(asked, func(a string) bool { return sameStem(a, word) }) {
			return nil
		}
	}
	if told == 0 {
		return nil
	}
	return []Finding{{Text: q.Answer, Says: "all that the answer tells stands in the question"}}
}

// fillers tell nothing by themselves.
var fillers = strings.Fields("a an and are as at be been by did do does for from had has have he in is it its of on or she that the their there they this to was we were which who will with yes no not because")

// sameStem compares words without the endings of English: uses, used.
func sameStem(a, b string) bool {
	return a == b || len(a) > 3 && len(b) > 3 && stem(a) == stem(b)
}

func stem(word string) string {
	for _, ending := range []string{"ing", "ed", "es", "s", "e"} {
		if s, ok := strings.CutSuffix(word, ending); ok && len(s) > 2 {
			return s
		}
	}
	return word
}

// checkLabel: what only the sound gives rests on what is heard, and so on. A question of which nobody said on what it
// rests, as people's, is not looked at.
func checkLabel(d *Draft, q *Question) []Finding {
	if q.From == nil {
		return nil
	}
	heard, seen := false, false
	for _, name := range q.From {
		if p := d.Talk.Find(name); p != nil {
			heard, seen = heard || p.Source == Heard, seen || p.Source == Seen
		}
	}
	says := ""
	switch {
	case q.Label == talkqa.Heard && (!heard || seen):
		says = "A needs passages that are heard, and none that is seen"
	case q.Label == talkqa.Seen && (!seen || heard):
		says = "V needs passages that are seen, and none that is heard"
	case q.Label == talkqa.Either && !(heard && seen):
		says = "AV needs a passage that is heard and one that is seen, each of which gives the answer"
	case q.Label == talkqa.Unanswered && (heard || seen):
		says = "what nothing answers rests on no passage that is heard or seen"
	}
	if says == "" {
		return nil
	}
	return []Finding{{Text: q.Label + " from " + strings.Join(q.From, ", "), Says: says}}
}

// checkNumber looks for the answer's numbers in its passages, however they are spelled.
func checkNumber(d *Draft, q *Question) []Finding {
	if len(q.From) == 0 {
		return nil
	}
	there := make(map[string]bool)
	for _, name := range q.From {
		if p := d.Talk.Find(name); p != nil {
			for _, word := range numbers(p.Text) {
				there[word] = true
			}
		}
	}
	for _, word := range numbers(q.Answer) {
		if !there[word] && !counts(word) {
			return []Finding{{Text: word, Says: "the number stands in none of the passages: " + strings.Join(q.From, ", ")}}
		}
	}
	return nil
}

// counts reports whether a small number may count things that the passages name, as authors.
func counts(number string) bool {
	return len(number) == 1 || number == "10" || number == "11" || number == "12"
}

// numbers are the words of a text that are numbers, with numerals as digits.
func numbers(text string) (out []string) {
	for _, word := range strings.Fields(plain(text)) {
		if strings.ContainsAny(word, "0123456789") {
			out = append(out, word)
		}
	}
	return out
}

func checkSpan(d *Draft, q *Question) []Finding {
	start, end := d.span(q)
	if start == nil || end == nil || *end-*start <= Longest {
		return nil
	}
	return []Finding{{Text: strings.Join(q.From, ", "), Says: fmt.Sprintf("they span %.0f s, more than %d s: name fewer passages, or ask for less", *end-*start, Longest)}}
}
