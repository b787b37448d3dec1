package captioncheck

import (
	"fmt"
	"regexp"
	"strings"
)

// A claim is one statement of a caption, taken apart.
type claim struct {
	c        *clip
	sentence string
	from, to float64 // to is the clip's end where no time is told
	timed    bool    // a time is told
	moment   bool    // of a moment, not of a stretch
	hedged   bool    // "Perhaps: ..."
	again    bool    // "much the same": its numbers are those of another stretch
	alone    bool    // of which only the start is told
	m        []string
	said     *told
}

// n is a number of the statement.
func (x *claim) n(i int) float64 { return number(x.m[i]) }

// told is what other sentences of a caption say, for statements that must
// agree.
type told struct {
	cuts     []float64 // as the caption lists them
	counted  bool      // a sentence counts shots
	shots    [][2]float64
	order    []place // of all sentences
	later    []later // checks that need what all sentences say
	silences [][2]float64
	sounds   [][2]float64 // short ones
	black    [][2]float64
	texts    [][2]float64
	still    [][2]float64
	moving   [][2]float64
	bars     [4]int // rows at the top and the bottom, columns at the left and the right
}

// A place is when a sentence tells of.
type place struct {
	sentence string
	from     float64
	timed    bool // false = of the clip as a whole
}

// A later check is made when all sentences are known.
type later struct {
	sentence string
	check    func() string
}

// A template is a form of statement and what it claims: check returns "" if
// that is true, else why it is not.
type template struct {
	form  *regexp.Regexp
	check func(*claim) string
}

// form makes a template's expression: N is a number, T a time in seconds.
func form(s string) *regexp.Regexp {
	s = strings.ReplaceAll(s, "{N}", `(-?\d+(?:\.\d+)?(?:e\+\d+)?)`)
	s = strings.ReplaceAll(s, "{T}", `(\d+\.\d\d) s`)
	return regexp.MustCompile("^(?i:" + s + ")$")
}

var (
	opening  = form(`shot (\d+)(?:,| lasts) from (a cut at )?{T} to {T}(, after black)?(?:: (.*))?`)
	openings = form(`shots (\d+) (?:and|to) (\d+), from {T} to {T}, begin with cuts at (.*)`)
	stretch  = form(`(?:in the shot )?from {T} to (?:{T}|(the end))(?:, in a part of the picture)?:? (.*)`)
	moment   = form(`at {T}:? (.*)`)
	anew     = regexp.MustCompile(`^much the same (?:at )?((?:from )?\d.*)$`)
	manyMore = regexp.MustCompile(`^much the same (\d+) times more, the last (.*)$`)
)

// A finding is a statement that is false, or that no template knows.
type finding struct {
	sentence, why string
	unknown       bool
}

// A count is how much was checked.
type count struct{ clips, sentences, statements int }

// checkSentence takes a sentence apart and checks its statements.
func checkSentence(c *clip, sentence string, said *told) (found []finding, statements int) {
	x := claim{c: c, to: c.end, said: said, sentence: sentence}
	defer func() { said.order = append(said.order, place{sentence, x.from, x.timed}) }()
	rest := strings.TrimSuffix(sentence, ".")
	if after, ok := strings.CutPrefix(rest, "Perhaps: "); ok {
		rest, x.hedged = after, true
	}
	if m := openings.FindStringSubmatch(rest); m != nil {
		x.from, x.timed = number(m[3]), true
		return named(sentence, x.openShots(int(number(m[1])), int(number(m[2])), number(m[3]), number(m[4]), m[5])), 1
	}
	if m := opening.FindStringSubmatch(rest); m != nil {
		x.from, x.to, x.timed, rest = number(m[3]), number(m[4]), true, m[6]
		found = named(sentence, x.openShot(int(number(m[1])), m[2] != "", m[5] != ""))
		if statements++; rest == "" {
			return found, statements
		}
	} else if m := stretch.FindStringSubmatch(rest); m != nil {
		x.from, x.timed, rest = number(m[1]), true, m[4]
		if m[2] != "" {
			x.to = number(m[2])
		}
	} else if m := moment.FindStringSubmatch(rest); m != nil {
		x.from, x.to, x.timed, x.moment, rest = number(m[1]), number(m[1]), true, true, m[2]
	}
	rest = strings.TrimPrefix(rest, "perhaps: ")
	if x.timed {
		if after, ok := strings.CutPrefix(rest, "Perhaps: "); ok {
			rest, x.hedged = after, true
		}
		if why := x.within(); why != "" {
			found = append(found, finding{sentence: sentence, why: why})
		}
	}
	parts := split(rest)
	var last *template
	for len(parts) > 0 {
		n, t, m := longestKnown(parts)
		if n == 0 {
			if last != nil {
				if more, ok := x.repeats(last, parts[0]); ok {
					found, statements = append(found, named(sentence, more)...), statements+1
					parts = parts[1:]
					continue
				}
			}
			return append(found, finding{sentence: sentence, why: "no template knows: " + parts[0], unknown: true}), statements
		}
		x.m, last = m, t
		statements++
		if why := t.check(&x); why != "" && !x.hedged {
			found = append(found, finding{sentence: sentence, why: why})
		}
		parts = parts[n:]
	}
	return found, statements
}

func named(sentence string, whys []string) (found []finding) {
	for _, why := range whys {
		found = append(found, finding{sentence: sentence, why: why})
	}
	return found
}

// longestKnown finds the template that takes most of the parts.
func longestKnown(parts []string) (n int, t *template, m []string) {
	for n = len(parts); n > 0; n-- {
		text := strings.Join(parts[:n], "; ")
		for i := range templates {
			if m := templates[i].form.FindStringSubmatch(text); m != nil {
				return n, &templates[i], m
			}
		}
	}
	return 0, nil, nil
}

// repeats checks "much the same" elsewhere.
func (x *claim) repeats(t *template, text string) (whys []string, ok bool) {
	text = strings.TrimSuffix(text, ".")
	if m := manyMore.FindStringSubmatch(text); m != nil {
		text = "much the same " + m[2]
	}
	m := anew.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	for _, item := range regexp.MustCompile(`, | and `).Split(m[1], -1) {
		y := *x
		y.again = true
		item = strings.TrimSpace(item)
		if m := regexp.MustCompile(`^from (\d+\.\d\d) s to (\d+\.\d\d) s$`).FindStringSubmatch(item); m != nil {
			y.from, y.to, y.moment = number(m[1]), number(m[2]), false
		} else if m := regexp.MustCompile(`^(?:at )?(\d+\.\d\d) s$`).FindStringSubmatch(item); m != nil {
			y.from = number(m[1])
			y.to, y.alone = y.from, true
			if !x.moment {
				y.to = y.from + min(1, x.to-x.from)
			}
		} else {
			return nil, false
		}
		if why := t.check(&y); why != "" && !y.hedged {
			whys = append(whys, fmt.Sprintf("at %.2f: %s", y.from, why))
		}
	}
	return whys, true
}

// within: a stretch lies in the clip, and is one.
func (x *claim) within() string {
	slack := 0.02
	if p := x.c.picture; p != nil {
		slack = max(slack, p.frameLong)
	}
	if x.to > x.c.end+slack || x.to < x.from || x.from < -slack {
		return fmt.Sprintf("the stretch does not lie in the clip, which ends at %.3f s", x.c.end)
	}
	if !x.moment && x.to == x.from {
		return "the stretch is empty"
	}
	return ""
}

// split parts statements at semicolons outside of quotes and brackets.
func split(s string) (parts []string) {
	depth, from := 0, 0
	for i, r := range s {
		switch r {
		case '“', '(':
			depth++
		case '”', ')':
			depth--
		case ';':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return append(parts, strings.TrimSpace(s[from:]))
}
