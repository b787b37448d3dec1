package letters

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
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
// What is marked as the answer goes before what is not: an <answer>, a \boxed{}, an "answer"
// in JSON; then words that announce an answer ("the answer is"), then those that name an
// option ("I choose B"), then a letter that leads or ends the reply, then the words of an
// option. Within each of these, two different options are none. So is a letter that is
// also the words of another option, such as the chord C among A: C, B: F.
func Read(reply string, options []string) (int, Why) {
	text, why := prepared(reply)
	if why != "" {
		return -1, why
	}
	r := newReader(options)
	for _, marked := range [][]string{taggedAnswers(text), boxedAnswers(text), jsonAnswers(text)} {
		if len(marked) > 0 {
			return r.agreed(marked)
		}
	}
	return r.read(withoutMarkup(text))
}

var (
	thoughtEnd   = regexp.MustCompile(`(?is)^.*</think(?:ing)?>`)
	thoughtStart = regexp.MustCompile(`(?i)<think(?:ing)?>`)
	answerTag    = regexp.MustCompile(`(?is)<answer>(.*?)(?:</answer>|$)`)
	fence        = regexp.MustCompile("(?m)^[ \t]*```[a-zA-Z]*[ \t]*$")
	jsonAnswer   = regexp.MustCompile(`(?i)"(?:final_?)?(?:answer|choice|letter|option|prediction)"\s*:\s*"((?:[^"\\]|\\.)*)"`)
	latexWrap    = regexp.MustCompile(`\\(?:text|textbf|mathrm|mathbf|mathbb|boxed|fbox|left|right)\b`)
	emphasis     = regexp.MustCompile("[*_`#$~>{}\\\\]+")
)

// marks are those of emphasis, one of which also begins each of latexWrap.
const marks = "*_`#$~>{}\\"

// prepared writes a reply in plain characters, full-width letters made usual ones, without
// its train of thought.
func prepared(reply string) (string, Why) {
	text := norm.NFKC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, reply))
	if small, ok := smallLetters(text); !ok || strings.Contains(small, "</think") { // the pattern is slow
		text = thoughtEnd.ReplaceAllString(text, "")
	}
	if thoughtStart.MatchString(text) {
		return "", CutOff
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
	if strings.ContainsAny(text, marks) {
		text = emphasis.ReplaceAllString(latexWrap.ReplaceAllString(text, ""), "")
	}
	return strings.TrimSpace(text)
}

func taggedAnswers(text string) (found []string) {
	for _, m := range answerTag.FindAllStringSubmatch(text, -1) {
		found = append(found, withoutMarkup(m[1]))
	}
	return found
}

// boxedAnswers are what stands in \boxed{}, with braces that belong together.
func boxedAnswers(text string) (found []string) {
	const open = `\boxed{`
	for {
		at := strings.Index(text, open)
		if at < 0 {
			return found
		}
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
		text = text[end:]
	}
}

func jsonAnswers(text string) (found []string) {
	for _, m := range jsonAnswer.FindAllStringSubmatch(text, -1) {
		found = append(found, withoutMarkup(m[1]))
	}
	return found
}

// A reader reads replies to one question.
type reader struct {
	options []string // in plain words
	abstain int      // the option that says that nobody can tell; -1 = there is none
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
	for _, look := range []func(string) (int, Why){r.whole, r.announced, r.named, r.leading, r.ending, r.bracketed, r.abstaining, r.worded} {
		if option, why := look(text); option >= 0 || why != NoOption {
			return option, why
		}
	}
	return -1, NoOption
}
