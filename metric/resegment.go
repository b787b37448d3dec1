package metric

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"omniscope/metric/textnorm"
)

// Resegmenting says how a hypothesis is cut. The zero value does what MCIF's
// evaluation does for languages that put blanks between words.
//
// As published, characters are joined without the blanks of the hypothesis, so
// that "AI model" becomes "AImodel"; a blank hypothesis becomes "."; a
// reference line without tokens is a Fault; and leaving all words to later
// lines costs one for each line left empty, which can put words into a line
// that they do not fit.
//
// Strict mends these: lines of characters keep the hypothesis' white space
// between their first and last character, each run of it as one blank; a blank
// hypothesis gives empty lines; a reference line without tokens gets an empty
// line, unless all are so and the first gets everything; and a "#" is a token
// as any other. There, lines are not stripped of white space beyond ASCII.
type Resegmenting struct {
	Characters bool // every code point is a token, as for Chinese, not every word
	Strict     bool
}

// A Segmentation is a hypothesis cut into as many lines as its reference has.
type Segmentation struct {
	Lines  []string
	Errors int // edits of the cheapest cut, in tokens; as published, and one for each line skipped
	Tokens int // tokens of the reference
}

// ASWER is the word (or character) error rate of the cut in percent, as
// mwerSegmenter prints it: with 6 significant digits. It is empty where the
// reference has no tokens.
func (s Segmentation) ASWER() string {
	if s.Tokens == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(s.Errors)/float64(s.Tokens), 'g', 6, 64)
}

// Resegment cuts hypothesis so that the edit distance of its lines from the
// reference lines is least in total, as RWTH's mwerSegmenter does (E. Matusov,
// G. Leusch, O. Bender, H. Ney, "Evaluating machine translation output with
// automatic sentence segmentation", IWSLT 2005), between the steps that MCIF's
// evaluation takes before and after it. Tokens are separated by ASCII white
// space, line breaks among it, and compared byte by byte.
//
// No lines, and as published a line without tokens or with a token "#", which
// separates alternative references in that tool, are errors of kind
// omniscope.Invalid that hold a *Fault. "</s>", which makes the tool write out
// of bounds, is a token as any other.
//
// Time grows with the product of both numbers of tokens, about 0.1 ns for each
// pair; memory with that of the hypothesis, by some 200 bytes and half a byte
// times the root of the reference's for each.
func Resegment(hypothesis string, lines []string, o Resegmenting) (Segmentation, error) {
	if len(lines) == 0 {
		return Segmentation{}, segmenterFault("the reference has no lines: give at least one")
	}
	if !o.Strict && textnorm.Strip(hypothesis) == "" {
		hypothesis = "."
	}
	t := newTask(hypothesis, lines, o)
	if !o.Strict {
		if err := t.check(); err != nil {
			return Segmentation{}, err
		}
	}
	cuts, errors := t.cut()
	s := Segmentation{Lines: make([]string, len(lines)), Errors: errors, Tokens: len(t.ref)}
	begin := 0
	for i, end := range cuts {
		s.Lines[i] = t.line(begin, end)
		begin = end
	}
	return s, nil
}

// segmenterFault is what MCIF's evaluation comes to when mwerSegmenter crashes
// and leaves no file behind.
func segmenterFault(advice string, args ...any) error {
	return fault("[Errno 2] No such file or directory: '__segments'", advice, args...)
}

// A task is a hypothesis to be cut, as tokens.
type task struct {
	Resegmenting
	text  string
	spans []span  // the hypothesis' tokens in text
	hyp   []int32 // their numbers
	words int     // how many different ones
	ref   []int32 // the reference's tokens; foreign ones are not in the hypothesis
	ends  []int   // for each reference line, how many tokens end with it
	bar   int     // the first line with a token "#", from 1; 0 = none
}

type span struct{ from, to int }

const foreign = -1

func newTask(hypothesis string, lines []string, o Resegmenting) *task {
	t := &task{Resegmenting: o, text: hypothesis}
	known := make(vocabulary)
	if !o.Strict || textnorm.Strip(hypothesis) != "" {
		t.eachToken(hypothesis, func(s span) {
			t.spans = append(t.spans, s)
			t.hyp = append(t.hyp, known.id(hypothesis[s.from:s.to]))
		})
	}
	t.words = len(known)
	for i, line := range lines {
		t.eachToken(line, func(s span) {
			id, ok := known[line[s.from:s.to]]
			if !ok {
				id = foreign
			}
			if t.bar == 0 && line[s.from:s.to] == "#" {
				t.bar = i + 1
			}
			t.ref = append(t.ref, id)
		})
		t.ends = append(t.ends, len(t.ref))
	}
	return t
}

// eachToken visits the words, or the code points, that are not ASCII white
// space.
func (t *task) eachToken(text string, visit func(span)) {
	from := -1
	for i := 0; i < len(text); {
		size := 1
		if text[i] >= utf8.RuneSelf {
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		blank := isASCIISpace(text[i])
		if from >= 0 && (blank || t.Characters) {
			visit(span{from, i})
			from = -1
		}
		if from < 0 && !blank {
			from = i
		}
		i += size
	}
	if from >= 0 {
		visit(span{from, len(text)})
	}
}

// isASCIISpace is C's isspace.
func isASCIISpace(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }

// check finds what makes mwerSegmenter crash, or take a line for several.
func (t *task) check() error {
	begin := 0
	for i, end := range t.ends {
		if begin == end {
			return segmenterFault("reference line %d is empty: leave it out together with its source line, or score strictly", i+1)
		}
		begin = end
	}
	if t.bar > 0 {
		return segmenterFault("reference line %d has a # by itself, which separates alternative references: write it otherwise, or score strictly", t.bar)
	}
	return nil
}

// cut returns, for each line, how many hypothesis tokens end with it, and what
// the cut costs. Lines without tokens take no part, or an empty first line
// would attract all that comes before the first match.
func (t *task) cut() (cuts []int, cost int) {
	var ends []int
	begin := 0
	for _, end := range t.ends {
		if end > begin {
			ends = append(ends, end)
		}
		begin = end
	}
	cuts = make([]int, len(t.ends))
	switch {
	case len(t.hyp) == 0:
		return cuts, len(t.ref)
	case len(ends) == 0:
		for i := range cuts {
			cuts[i] = len(t.hyp)
		}
		return cuts, len(t.hyp)
	}
	c := cutter{hyp: t.hyp, words: t.words, ref: t.ref, ends: ends}
	if !t.Strict {
		c.skip = 1
	}
	found, cost := c.cut()
	begin = 0
	last := 0
	for i, end := range t.ends {
		if end > begin {
			last, found = found[0], found[1:]
		}
		cuts[i], begin = last, end
	}
	return cuts, cost
}

// line joins the tokens from begin to end, as MCIF's evaluation does or with
// the white space of the hypothesis.
func (t *task) line(begin, end int) string {
	var b strings.Builder
	for i, s := range t.spans[begin:end] {
		apart := !t.Characters || t.Strict && i > 0 && t.spans[begin+i-1].to < s.from
		if i > 0 && apart {
			b.WriteByte(' ')
		}
		b.WriteString(t.text[s.from:s.to])
	}
	if t.Strict {
		return b.String()
	}
	return textnorm.Strip(b.String())
}
