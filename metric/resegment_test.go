package metric

import (
	"slices"
	"strings"
	"testing"
)

func TestResegment(t *testing.T) {
	words, chars := Resegmenting{}, Resegmenting{Characters: true}
	strict, strictChars := Resegmenting{Strict: true}, Resegmenting{Characters: true, Strict: true}
	for _, c := range []struct {
		name  string
		hyp   string
		lines []string
		how   Resegmenting
		want  []string
		rate  string
	}{
		{"a perfect text is cut at the lines", "it rains. we stay in", []string{"it rains.", "we stay in"}, words, []string{"it rains.", "we stay in"}, "0"},
		{"the hypothesis' line breaks are blanks", "it\nrains. we\tstay in", []string{"it rains.", "we stay in"}, words, []string{"it rains.", "we stay in"}, "0"},
		{"surplus words go to the line before", "it rains. oh well we stay", []string{"it rains.", "we stay"}, words, []string{"it rains. oh well", "we stay"}, "50"},
		{"surplus words at the end go to the last line", "it rains and on and on", []string{"it", "rains"}, words, []string{"it", "rains and on and on"}, "200"},
		{"a short text leaves lines empty", "it", []string{"it", "rains"}, words, []string{"it", ""}, "50"},
		{"as published, a skipped line costs one more", "rains", []string{"it", "rains"}, words, []string{"rains", ""}, "100"},
		{"strictly, it does not", "rains", []string{"it", "rains"}, strict, []string{"", "rains"}, "50"},
		{"letter case counts", "It rains", []string{"it rains"}, words, []string{"It rains"}, "50"},
		{"as published, nothing becomes a full stop", " \n", []string{"it rains", "on"}, words, []string{".", ""}, "100"},
		{"strictly, nothing stays nothing", " \n", []string{"it rains", "on"}, strict, []string{"", ""}, "100"},
		{"no-break spaces do not part words", "it\u00a0rains on", []string{"it rains", "on"}, words, []string{"it\u00a0rains", "on"}, "66.6667"},
		{"as published, characters lose their blanks", "甲乙 AI model\n丙", []string{"甲乙AI model", "丙"}, chars, []string{"甲乙AImodel", "丙"}, "0"},
		{"strictly, they keep them", "甲乙 AI  model\n丙", []string{"甲乙AI model", "丙"}, strictChars, []string{"甲乙 AI model", "丙"}, "0"},
		{"strictly, a line break inside a line is a blank", "甲\n乙丙", []string{"甲乙", "丙"}, strictChars, []string{"甲 乙", "丙"}, "0"},
		{"wide blanks are characters, and go at the ends", "\u3000甲乙", []string{"甲", "乙"}, chars, []string{"甲", "乙"}, "50"},
		{"strictly, an empty line stays empty", "oh it rains", []string{"", "it", "", "rains"}, strict, []string{"", "oh it", "", "rains"}, "50"},
		{"strictly, of empty lines the first gets all", "it rains", []string{"", " "}, strict, []string{"it rains", ""}, ""},
		{"strictly, a number sign is a word", "x # y", []string{"x #", "y"}, strict, []string{"x #", "y"}, "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Resegment(c.hyp, c.lines, c.how)
			if err != nil || !slices.Equal(got.Lines, c.want) || got.ASWER() != c.rate {
				t.Errorf("got %q, %s, %v; want %q, %s", got.Lines, got.ASWER(), err, c.want, c.rate)
			}
		})
	}
}

func TestResegmentRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		lines  []string
		how    Resegmenting
		advice string
	}{
		{"no lines", nil, Resegmenting{Strict: true}, "the reference has no lines"},
		{"an empty line", []string{"it", ""}, Resegmenting{}, "reference line 2 is empty"},
		{"a blank line", []string{" ", "it"}, Resegmenting{}, "reference line 1 is empty"},
		{"a number sign by itself", []string{"it", "x # y"}, Resegmenting{}, "reference line 2 has a # by itself"},
		{"a number sign among characters", []string{"甲#乙"}, Resegmenting{Characters: true}, "reference line 1 has a # by itself"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Resegment("it rains", c.lines, c.how)
			if said := saidByFault(t, err); said != "[Errno 2] No such file or directory: '__segments'" || !strings.HasPrefix(err.Error(), c.advice) {
				t.Errorf("got %q, which is said as %q", said, err)
			}
		})
	}
}

// plainCuts is the recurrence of cutter, with a start pointer in each cell.
func plainCuts(hyp []string, lines [][]string, skip int) (ends []int, cost int) {
	type cell struct{ cost, begin int }
	row := make([]cell, len(hyp)+1)
	for j := range row {
		row[j].cost = j
	}
	var lasts [][]cell
	for s, line := range lines {
		if s > 0 {
			row = slices.Clone(row)
			row[0].cost += skip
			for j := range row {
				row[j].begin = j
			}
		}
		for _, token := range line {
			next := []cell{{row[0].cost + 1, 0}}
			for j := 1; j <= len(hyp); j++ {
				best := cell{row[j].cost + 1, row[j].begin}
				if c := next[j-1].cost + 1; c < best.cost {
					best = cell{c, next[j-1].begin}
				}
				c := row[j-1].cost
				if hyp[j-1] != token {
					c++
				}
				if c < best.cost {
					best = cell{c, row[j-1].begin}
				}
				next = append(next, best)
			}
			row = next
		}
		lasts = append(lasts, row)
	}
	cost = row[len(hyp)].cost
	ends = make([]int, len(lines))
	for s, j := len(lines)-1, len(hyp); s >= 0; s-- {
		ends[s] = j
		j = lasts[s][j].begin
	}
	return ends, cost
}

func FuzzResegment(f *testing.F) {
	text := strings.Repeat("a b c d e a b f g h. ", 12)
	f.Add("a b c", "a b\nc", false)
	f.Add(text[50:], strings.ReplaceAll(text, "f", "\n"), false)
	f.Add(text, strings.ReplaceAll(text[30:], "c d", "x\nd"), true)
	f.Add("a", "b\nb\nb a\nb", false)
	f.Add(strings.Repeat("a ", 140), "a\na a\na a a\na a a a\nb", false)
	f.Add(" \u00a0甲 乙\n丙", "甲\n\n乙丙\n", true)
	f.Fuzz(func(t *testing.T, hyp, ref string, characters bool) {
		const most = 300 // whole tables are slow
		lines := strings.Split(strings.ToValidUTF8(ref[:min(most, len(ref))], "?"), "\n")
		hyp = strings.ToValidUTF8(hyp[:min(most, len(hyp))], "?")
		for _, o := range []Resegmenting{{characters, false}, {characters, true}} {
			got, err := Resegment(hyp, lines, o)
			switch refused := err != nil; {
			case refused && o.Strict:
				t.Fatalf("strictly refused: %v", err)
			case !refused:
				sameAsPlain(t, hyp, lines, o, got)
			}
		}
	})
}

// sameAsPlain cuts again cell by cell. Empty lines, which a strict cut has, are
// left out of the table.
func sameAsPlain(t *testing.T, hyp string, lines []string, o Resegmenting, got Segmentation) {
	t.Helper()
	if !o.Strict && strings.TrimFunc(hyp, isPythonSpace) == "" {
		hyp = "."
	}
	if len(got.Lines) != len(lines) {
		t.Fatalf("%d lines for %d", len(got.Lines), len(lines))
	}
	tokens := tokensOf(hyp, o.Characters)
	if strings.TrimFunc(hyp, isPythonSpace) == "" {
		tokens = nil
	}
	skip := 1
	if o.Strict {
		skip = 0
	}
	var filled [][]string
	var where []int
	for i, line := range lines {
		if words := tokensOf(line, o.Characters); len(words) > 0 {
			filled, where = append(filled, words), append(where, i)
		}
	}
	if len(filled) == 0 {
		filled, where = [][]string{nil}, []int{0}
	}
	ends, cost := plainCuts(tokens, filled, skip)
	want := make([][]string, len(lines))
	begin := 0
	for i, end := range ends {
		want[where[i]], begin = tokens[begin:end], end
	}
	if got.Errors != cost {
		t.Errorf("%+v: cost %d, want %d", o, got.Errors, cost)
	}
	for i, line := range got.Lines {
		wanted := want[i]
		if !o.Strict {
			wanted = tokensOf(strings.TrimFunc(strings.Join(wanted, " "), isPythonSpace), o.Characters)
		}
		if !slices.Equal(tokensOf(line, o.Characters), wanted) {
			t.Fatalf("%+v: line %d is %q, want %q", o, i, line, wanted)
		}
	}
}

// tokensOf is written apart from Resegment's own.
func tokensOf(text string, characters bool) (tokens []string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\v\f\r", r) }) {
		if characters {
			tokens = append(tokens, strings.Split(word, "")...)
		} else {
			tokens = append(tokens, word)
		}
	}
	return tokens
}

// isPythonSpace lists what str.strip() takes away.
func isPythonSpace(r rune) bool {
	return strings.ContainsRune("\t\n\v\f\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000", r)
}
