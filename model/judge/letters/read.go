package letters

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"omniscope/model/marks"
)

// Why says why a reply has no letter. A reply that has one has the Why "".
type Why string

// The reasons.
const (
	Empty      Why = "empty"
	CutOff     Why = "ends before its answer"
	Abstains   Why = "abstains"
	Several    Why = "names several options"
	NotOffered Why = "names a letter that is no option"
	Disagree   Why = "its letter and its words are of different options"
	NoOption   Why = "names no option"
)

// Read returns the number, from 0, of the option that a reply chooses; -1 if none is
// chosen clearly, and why. Options are without their letters. Of options with the same
// words it returns the first, unless their letter is given.
//
// Trains of thought and special tokens are removed first (model/marks), and the next question
// with all after it, if a model continues with one. The order of precedence: a marked answer (an
// <answer>, a \boxed{}, an "answer" in JSON); words that announce an answer ("the answer is");
// words that name an option ("I choose B"); a letter at the start or the end of the reply; the
// words of an option. Two different options of the same precedence are not a choice. Neither is a
// letter that is also the text of another option, such as the chord C among A: C, B: F, nor an
// answer alone in the first line that a later announcement contradicts. An option that the reply
// rejects is not chosen.
func Read(reply string, options []string) (int, Why) {
	text, why := prepared(reply)
	if why != "" {
		return -1, why
	}
	r := newReader(options)
	before, rest := cutNextQuestion(text)
	if rest == "" {
		return r.answer(text)
	}
	if option, why := r.answer(before); option >= 0 || why != NoOption {
		return option, why
	}
	if r.repeatedIn(rest) { // the model's own question, said again before its answer
		return r.answer(text)
	}
	return -1, NoOption
}

// answer reads the marked answer, else the entire text. Words that announce an answer precede a
// mark without an option, such as the \boxed{42} of a calculation. Behind a mark they must announce the same.
func (r *reader) answer(text string) (int, Why) {
	for _, find := range []func(string) (found []string, rest func() string, after string){taggedAnswers, boxedAnswers, r.jsonAnswers} {
		marked, rest, after := find(text)
		if len(marked) == 0 {
			continue
		}
		option, why := r.agreed(marked)
		if option >= 0 {
			switch later, why := r.announced(withoutMarkup(after)); {
			case why != "" || later == option:
			case variables(marked):
				return later, ""
			default:
				return -1, Several
			}
		}
		if why == NoOption || why == Empty || why == NotOffered && variables(marked) {
			text := withoutMarkup(rest())
			for _, look := range []func(string) (int, Why){r.announced, r.named} {
				if option, why := look(text); option >= 0 {
					return option, why
				}
			}
			if option := r.firstLine(text[strings.LastIndexByte(text, '\n')+1:] + "\n"); option >= 0 { // the last line is an option
				return option, ""
			}
		}
		return option, why
	}
	return r.read(withoutMarkup(text))
}

var (
	answerTag  = regexp.MustCompile(`(?is)<(?:final_?)?answer>(.*?)(?:</(?:final_?)?answer>|$)`)
	resultTag  = regexp.MustCompile(`(?is)<(?:conclusion|response|solution|final|output|result)>(.*?)(?:</(?:conclusion|response|solution|final|output|result)>|$)`)
	fence      = regexp.MustCompile("(?m)^[ \t]*```[a-zA-Z]*[ \t]*$")
	jsonAnswer = regexp.MustCompile(`(?i)["'](?:(?:final|correct|best|right|chosen|selected|predicted|my)[_ ]?)?(?:answer|choice|letter|option|prediction)(?:[_ ]?(?:letter|choice|option))?["']\s*:\s*` +
		`(?:"((?:[^"\\]|\\.)*)("|$)|'((?:[^'\\]|\\.)*)('|$)|\[\s*["']([^"'\[\]]*)["']\s*\]|([A-Z])\s*[,}\n])`)
	latexWrap = regexp.MustCompile(`\\(?:text|textbf|mathrm|mathbf|mathbb|boxed|fbox|left|right)\b`)
	emphasis  = regexp.MustCompile("[*_`#$~>{}\\\\]+")
	// lineBreak is a line break that was written as a program writes it; before a small letter it may be the beginning of a word
	// of LaTeX, such as \neq.
	lineBreak = regexp.MustCompile(`(?:\\[nrt])+([^a-z]|$)`)
	shortened = regexp.MustCompile(`(?i)\b(?:ans|answ|antw|rép|risp)\s?[.:]+[ \t]*(\(?(?-i:[A-Z])\b)`)
	boxes     = strings.NewReplacer("<|begin_of_box|>", `\boxed{`, "<|end_of_box|>", "}") // of GLM
)

// emphasisMarks are the characters of emphasis; each match of latexWrap begins with one of them.
const emphasisMarks = "*_`#$~>{}\\"

// prepared writes a reply in plain characters, full-width letters made usual ones, without
// its train of thought, without special tokens and without another turn.
func prepared(reply string) (string, Why) {
	text := norm.NFKC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, reply))
	text, ok := marks.AfterThought(marks.FirstTurn(text))
	if !ok {
		return "", CutOff
	}
	if strings.ContainsRune(text, '<') || strings.ContainsRune(text, '[') {
		if strings.Contains(text, "_of_box|>") {
			text = boxes.Replace(text)
		}
		text = marks.WithoutTokens(text)
	}
	if strings.ContainsRune(text, '\\') {
		text = lineBreak.ReplaceAllString(text, "\n$1")
	}
	for _, short := range []string{"ns.", "ns:", "sw.", "tw.", "sp.", "ép."} {
		if strings.Contains(text, short) || strings.Contains(text, strings.ToUpper(short)) {
			text = shortened.ReplaceAllString(text, "Answer: $1")
			break
		}
	}
	if strings.TrimSpace(text) == "" {
		return "", Empty
	}
	return text, ""
}

// withoutMarkup takes away the marks of Markdown and LaTeX.
func withoutMarkup(text string) string {
	if strings.Contains(text, "```") {
		text = fence.ReplaceAllString(text, "")
	}
	if strings.ContainsAny(text, emphasisMarks) {
		text = emphasis.ReplaceAllString(latexWrap.ReplaceAllString(text, ""), "")
	}
	return strings.TrimSpace(text)
}

func taggedAnswers(text string) (found []string, rest func() string, after string) {
	if !strings.ContainsRune(text, '<') {
		return nil, nil, ""
	}
	for _, form := range []*regexp.Regexp{answerTag, resultTag} {
		for _, m := range form.FindAllStringSubmatchIndex(text, -1) {
			found, after = append(found, withoutMarkup(text[m[2]:m[3]])), text[m[1]:]
		}
		if found != nil {
			return found, func() string { return form.ReplaceAllString(text, " ") }, after
		}
	}
	if before, after, ok := strings.Cut(text, "</answer>"); ok { // the opening tag was in the prompt
		return []string{withoutMarkup(before)}, func() string { return "" }, after
	}
	return nil, nil, ""
}

// boxedAnswers are what stands in \boxed{}, with braces that belong together.
func boxedAnswers(text string) (found []string, rest func() string, after string) {
	const open = `\boxed{`
	if !strings.Contains(text, open) {
		return nil, nil, ""
	}
	var outside strings.Builder
	for {
		at := strings.Index(text, open)
		if at < 0 {
			outside.WriteString(text)
			return found, outside.String, text
		}
		outside.WriteString(text[:at] + " ")
		text = text[at+len(open):]
		depth, end := 1, len(text)
		for i, r := range text {
			if r == '{' {
				depth++
			} else if r == '}' {
				depth--
			}
			if depth == 0 {
				end = i
				break
			}
		}
		found = append(found, withoutMarkup(text[:end]))
		text = text[min(len(text), end+1):]
	}
}

// variables reports whether texts are small letters alone, as variables are.
func variables(texts []string) bool {
	return !slices.ContainsFunc(texts, func(t string) bool { return len(t) != 1 || t[0] < 'a' || t[0] > 'z' })
}

// jsonAnswers returns the values of "answer" in JSON, or in a dictionary of Python. The text
// may be cut off, unless its letter may then be the beginning of an option's words.
func (r *reader) jsonAnswers(text string) (found []string, rest func() string, after string) {
	if !strings.Contains(text, `":`) && !strings.Contains(text, `':`) && !strings.Contains(text, `" :`) && !strings.Contains(text, `' :`) {
		return nil, nil, ""
	}
	for _, at := range jsonAnswer.FindAllStringSubmatchIndex(text, -1) {
		m := make([]string, len(at)/2)
		for i := range m {
			if at[2*i] >= 0 {
				m[i] = text[at[2*i]:at[2*i+1]]
			}
		}
		after = text[at[1]:]
		double, single, bare := m[1], m[3], m[5]+m[6] // a list of one is bare
		said := withoutMarkup(unescaped(double) + single + bare)
		if bare == "" && m[2] == "" && m[4] == "" && r.beginsOption(said) {
			said = "?"
		}
		found = append(found, said)
	}
	return found, func() string { return jsonAnswer.ReplaceAllString(text, " ") }, after
}

// unescaped is a text of JSON as it is meant.
func unescaped(text string) string {
	var said string
	if !strings.ContainsRune(text, '\\') || json.Unmarshal([]byte(`"`+text+`"`), &said) != nil {
		return text
	}
	return said
}

// beginsOption reports whether a text is a letter that is also the first word of an option.
func (r *reader) beginsOption(text string) bool {
	letter := plain(text)
	return len(letter) == 1 && slices.ContainsFunc(r.options, func(o string) bool { return strings.HasPrefix(o, letter+" ") })
}

// A reader reads replies to one question.
type reader struct {
	options []string // in plain words
	abstain int      // the option that says that nobody can tell; -1 = there is none
	last    *folded  // the text that was searched last
}

// fold returns a text for searches, the same one for the same text.
func (r *reader) fold(text string) *folded {
	if r.last == nil || r.last.text != text {
		r.last = fold(text)
	}
	return r.last
}

func newReader(options []string) *reader {
	r := &reader{abstain: -1}
	for i, o := range options {
		r.options = append(r.options, plain(withoutMarkup(norm.NFKC.String(o))))
		if abstains(o) {
			r.abstain = i
		}
	}
	return r
}

// plain is a text in small letters with single blanks, without what is at its ends beside
// letters and digits.
func plain(text string) string {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	return strings.TrimFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("+#%°", r)
	})
}

// agreed reads answers that are marked as such, which must be the same.
func (r *reader) agreed(marked []string) (int, Why) {
	var all chosen
	for _, text := range marked {
		if text == "" {
			all.add(-1, Empty)
			continue
		}
		all.add(r.read(text))
	}
	return all.one()
}

// chosen are what parts of a reply choose.
type chosen struct {
	options []int
	whys    []Why
}

func (c *chosen) add(option int, why Why) {
	if option >= 0 {
		c.options = append(c.options, option)
	} else if why != NoOption {
		c.whys = append(c.whys, why)
	}
}

func (c *chosen) join(d chosen) {
	c.options, c.whys = append(c.options, d.options...), append(c.whys, d.whys...)
}

func (c *chosen) any() bool { return len(c.options)+len(c.whys) > 0 }

// one is what all choose.
func (c *chosen) one() (int, Why) {
	for _, w := range c.whys {
		if w != Abstains && w != Empty || len(c.options) == 0 {
			return -1, w
		}
	}
	if len(c.options) == 0 {
		return -1, NoOption
	}
	for _, o := range c.options {
		if o != c.options[0] {
			return -1, Several
		}
	}
	if len(c.whys) > 0 {
		return -1, Several // an option, and none
	}
	return c.options[0], ""
}

// read reads a reply without marks.
func (r *reader) read(text string) (int, Why) {
	for _, look := range []func(string) (int, Why){r.whole, r.announced, r.named, r.leading, r.ending, r.bracketed, r.abstaining, r.worded, r.yesOrNo} {
		if option, why := look(text); option >= 0 || why != NoOption {
			return option, why
		}
	}
	return -1, NoOption
}
