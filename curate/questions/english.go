package questions

import (
	"regexp"
	"slices"
	"strings"

	"omniscope/bench/mcif/talkqa"
)

// The checks of this file know the words of English.

const auxiliaries = `(?:is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|need)(?:n['’]t)?\b|won['’]t\b|can['’]t\b|shan['’]t\b`

var (
	closed = regexp.MustCompile(`(?i)^(` + auxiliaries + `)`)
	// closedLater is the same behind a clause: In the experiments, did it fall?
	closedLater = regexp.MustCompile(`(?i)^(?:in|on|at|for|with|without|after|before|during|when|if|under|by|as|compared|unlike|while|besides|from|among|given|according)\b[^,?]{1,80}, (` + auxiliaries + `)`)
	asks        = regexp.MustCompile(`(?i)\b(what|which|who|whose|whom|how|where|why)\b`)
	choice      = regexp.MustCompile(`(?i)\bor\b`) // Is it a or b?
	// noChoice is "or" that leaves nothing to choose: more than two or three days.
	noChoice = regexp.MustCompile(`(?i)\bor (not|more|so|fewer|less)\b|\b(than|about|only|just|every|least) \w+ or \w+`)
)

// isChoice reports whether a question lets choose.
func isChoice(text string) bool { return choice.MatchString(noChoice.ReplaceAllString(text, " ")) }

func checkClosed(_ *checking, q *draftQuestion) []Finding {
	text := strings.TrimSpace(q.Text)
	m := closed.FindStringSubmatch(text)
	if m == nil {
		if m = closedLater.FindStringSubmatch(text); m != nil && asks.MatchString(m[0]) {
			return nil
		}
	}
	if m == nil || isChoice(text) {
		return nil
	}
	return []Finding{{Text: m[1], Says: "yes or no answers the question: ask what, how many, which, who, where or why"}}
}

// sources are words for what a draft is made from, where they are meant: "the transcript", and not "job descriptions"; "the text says",
// and not "the text encoder"; and a passage by its name.
var sources = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(?:the|this|these|those|that|its) (?:(?:provided|given|above|following|video|talk|paper)(?:['’]s)? )?(transcripts?|descriptions?|passages?|excerpts?|observations?|captions?|subtitles?)\b`),
	regexp.MustCompile(`(?i)\b(?:the|this|provided|given) (?:(?:provided|given|above|paper)(?:['’]s)? )?(abstract|text|document|context)(?:$|[?.,;:!]| (?:says?|said|mentions?|states?|describes?|tells?|claims?|reports?|does|is|was)\b)`),
	regexp.MustCompile(`(?i)\b((?:lines?|passages?|observations?|sentences?) [TSP]\d+)\b`),
}

// checkSource finds them. A transcript that the talk is about is none: the passages have the word, in whatever form.
func checkSource(d *checking, q *draftQuestion) (out []Finding) {
	for _, text := range []string{q.Text, q.Answer} {
		for _, word := range sources {
			if m := word.FindStringSubmatch(text); m != nil && !d.hasWord(q, m[1]) {
				out = append(out, Finding{Text: m[1], Says: "whoever is asked hears and sees the talk, and nothing else"})
				break
			}
		}
	}
	return out
}

// beginning is how many letters of a word tell it from others: transcript, transcribed.
const beginning = 6

// hasWord reports whether a passage of the question, or of a question without any, one of the talk, has a word that begins alike.
func (d *Draft) hasWord(q *draftQuestion, word string) bool {
	word = strings.ToLower(word)
	return d.says(q, regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(word[:min(len(word), beginning)])))
}

// says reports whether such a passage says something.
func (d *Draft) says(q *draftQuestion, what *regexp.Regexp) bool {
	return slices.ContainsFunc(d.Talk.Passages, func(p passage) bool {
		return p.Source != paper && (len(q.From) == 0 || slices.Contains(q.From, p.Name)) && what.MatchString(p.Text)
	})
}

const (
	count  = `(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|fifty|sixty)`
	unit   = `(?:s|secs?|seconds?|mins?|minutes?)`
	theAct = `(?:the|this|her|his|their) (?:talk|video|recording|presentation|clip)`
)

// moments are times of a recording: 3:20, at minute 4, in the first minute, two minutes into the talk.
var moments = []*regexp.Regexp{
	regexp.MustCompile(`\b\d{1,2}:[0-5]\d\b`),
	regexp.MustCompile(`(?i)\b(?:at|after|around|until|by|from) (?:the )?(?:minute|second) ` + count + `\b`),
	regexp.MustCompile(`(?i)\b` + count + ` ?` + unit + ` (?:into\b|before the end\b|in(?:[?.,]|$| ` + theAct + `))`),
	regexp.MustCompile(`(?i)\b(?:in|within|during|after) the (?:first|last|\d+(?:st|nd|rd|th)) (?:` + count + ` )?(?:seconds|minutes?)(?:[?.,!]|$| of ` + theAct + `| (?:does|do|did|is|was)\b)`),
	regexp.MustCompile(`(?i)\b(?:at|near|towards?|in|by) (?:the )?(?:very )?(?:start|beginning|middle|end) of ` + theAct + `\b`),
	regexp.MustCompile(`(?i)\btimestamps? \d`),
	regexp.MustCompile(`(?i)\bbetween ` + count + ` ?` + unit + `\b`),
}

// shares are two numbers that look like a time: an 80:20 split.
var shares = regexp.MustCompile(`(?i)^\d{1,2}:\d{2} ?(split|ratio|mix|a\.?m\b|p\.?m\b)`)

func checkTime(d *checking, q *draftQuestion) (out []Finding) {
	for _, text := range []string{q.Text, q.Answer} {
		if m := momentIn(text); m != "" && !d.says(q, regexp.MustCompile(`(?i)`+regexp.QuoteMeta(m))) {
			out = append(out, Finding{Text: m, Says: "ask about what happens, not about when"})
		}
	}
	return out
}

func momentIn(text string) string {
	for _, moment := range moments {
		if at := moment.FindStringIndex(text); at != nil && !shares.MatchString(text[at[0]:]) {
			return strings.TrimRight(text[at[0]:at[1]], "?.,!")
		}
	}
	return ""
}

// numeral is a number up to twelve in digits that counts something: the things come after it, at once or after another word.
var numeral = regexp.MustCompile(`(?:^|[\s(])((?:[0-9]|1[0-2]) (?:([a-z-]{3,}) )??([a-z]{2,}[a-rt-z]s))\b`)

// howMany is such a number without what it counts.
var howMany = regexp.MustCompile(`(?i)\bthere (?:is|are|was|were) ((?:only |about |just )?(?:[0-9]|1[0-2]))[.!]?$`)

var (
	named    = regexp.MustCompile(`(?:(?i:\b(?:table|figure|section|chapter|version|slide|step|part|layer|level|page|equation|experiment|point|type|phase|stage|rank|day|week|grade|class|group|session|task|topic|top|scale|to|of|number|release|track|round|category))|\b[A-Z][A-Za-z]*) $`) // Table 3
	measures = strings.Fields("percent percentage point points hundred thousand million billion trillion bit bits byte bytes second seconds milliseconds times")
	// small words end in s and are not counted.
	small = strings.Fields("was is has as this its does plus thus versus across unless always")
)

func checkNumeral(_ *checking, q *draftQuestion) []Finding {
	text := ""
	for _, at := range numeral.FindAllStringSubmatchIndex(q.Answer, -1) {
		thing, between := q.Answer[at[6]:at[7]], ""
		if at[4] >= 0 {
			between = q.Answer[at[4]:at[5]]
		}
		notCounted := func(word string) bool {
			return slices.Contains(measures, word) || slices.Contains(small, word) || slices.Contains(fillers, word)
		}
		if !named.MatchString(q.Answer[:at[2]]) && !notCounted(thing) && !notCounted(between) {
			text = q.Answer[at[2]:at[3]]
			break
		}
	}
	if m := howMany.FindStringSubmatch(q.Answer); m != nil {
		text = m[1]
	}
	if text == "" {
		return nil
	}
	return []Finding{{Text: text, Says: "spell out numbers up to twelve"}}
}

// checkGiveaway finds an answer of which all that tells something stands in the question. The general questions cannot
// give anything away, and a choice has to name what can be chosen.
func checkGiveaway(_ *checking, q *draftQuestion) []Finding {
	if q.Origin == talkqa.General || strings.TrimSpace(q.Answer) == "" || isChoice(q.Text) {
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
var fillers = strings.Fields("a an and are as at be been by called did do does for from had has have he in is it its named of on or she so that the their there they this to was we were which who will with yes no not because")

// sameStem compares words without the endings of English: uses, used; fine, finely.
func sameStem(a, b string) bool {
	return a == b || len(a) > 2 && len(b) > 2 && stem(a) == stem(b)
}

func stem(word string) string {
	for range 2 {
		for _, ending := range []string{"ations", "ation", "ing", "ed", "es", "ly", "s", "e"} {
			if s, ok := strings.CutSuffix(word, ending); ok && len(s) > 1 {
				word = s
				break
			}
		}
	}
	return word
}
