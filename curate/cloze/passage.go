package cloze

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"omniscope/internal/sentences"
)

// mark is what stands in the passage for a blank.
func mark(number int) string { return fmt.Sprintf("[BLANK_%d]", number) }

var marks = regexp.MustCompile(`\[BLANK_([1-9][0-9]{0,5})\]`)

// likeMarks finds what somebody may have meant for a mark: BLANK with or without
// brackets and a number, a number in brackets, a line of underscores.
var likeMarks = regexp.MustCompile(`(?i)[\[({<]+\s*blank[\s_#:-]*([0-9]+)\s*[\])}>]*|\[\s*blank\s*\]|\bblank[_#-]\s*([0-9]+)\s*[\])}>]*|\[\s*([0-9]{1,3})\s*\]|_{3,}`)

// A place is where a mark stands in a passage, in bytes.
type place struct{ number, start, end int }

// places are the marks of a passage in their order.
func places(passage string) (out []place) {
	for _, m := range marks.FindAllStringSubmatchIndex(passage, -1) {
		n, _ := strconv.Atoi(passage[m[2]:m[3]]) // digits, and few
		out = append(out, place{n, m[0], m[1]})
	}
	return out
}

// malformed are the texts that look like marks and are none, with the blanks that
// they may have been meant for; 0 = none.
func malformed(passage string) (out []Finding) {
	rest := marks.ReplaceAllStringFunc(passage, func(m string) string { return strings.Repeat(" ", len(m)) })
	for _, m := range likeMarks.FindAllStringSubmatch(rest, -1) {
		n, _ := strconv.Atoi(m[1] + m[2] + m[3])
		out = append(out, Finding{Blank: n, Text: strings.TrimSpace(m[0]), Says: "write a mark as " + mark(max(1, n))})
	}
	return out
}

func checkMarks(d *Draft, _ Rules) []Finding { return malformed(d.Passage) }

// checkPlaceholders compares marks with blanks. It leaves to checkMarks what is
// written wrongly and to checkNumbering what is numbered wrongly.
func checkPlaceholders(d *Draft, _ Rules) (out []Finding) {
	count, meant := make(map[int]int), make(map[int]bool)
	for _, p := range places(d.Passage) {
		count[p.number]++
	}
	for _, f := range malformed(d.Passage) {
		meant[f.Blank] = true
	}
	told := make(map[int]bool)
	for _, b := range d.Blanks {
		if n := count[b.Number]; n == 0 && !meant[b.Number] && inRange(d, b.Number) {
			out = append(out, Finding{Blank: b.Number, Text: mark(b.Number), Says: "the passage does not have this mark"})
		} else if n > 1 && !told[b.Number] {
			told[b.Number] = true
			out = append(out, Finding{Blank: b.Number, Text: mark(b.Number), Says: fmt.Sprintf("the passage has this mark %d times", n)})
		}
	}
	for _, p := range places(d.Passage) {
		if d.find(p.number) == nil && !inRange(d, p.number) && !told[p.number] {
			told[p.number] = true
			out = append(out, Finding{Blank: p.number, Text: mark(p.number), Says: "no blank has this number"})
		}
	}
	return out
}

func inRange(d *Draft, number int) bool { return number >= 1 && number <= len(d.Blanks) }

// sentenceOf is the sentence with the mark of a blank; "" if there is none.
func (d *Draft) sentenceOf(number int) string {
	for _, s := range sentences.Cut(d.Passage) {
		if strings.Contains(s.Text, mark(number)) {
			return s.Text
		}
	}
	return ""
}
