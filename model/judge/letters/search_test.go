package letters

import (
	"math/rand/v2"
	"reflect"
	"regexp/syntax"
	"strings"
	"testing"
	"unicode"

	"omniscope/internal/testing/fixture"
)

// TestSearchFindsWhatThePatternFinds makes texts of matches of the long patterns, parts of them and what may stand around them, and
// compares a search with its pattern on the whole text.
func TestSearchFindsWhatThePatternFinds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, s := range map[string]*search{"announcement": &announcement, "naming": &naming, "verdicts": &verdicts, "abstention": &abstention, "lacking": &lacking, "announcement abroad": &announcementAbroad, "verdicts abroad": &verdictsAbroad} {
		tree, err := syntax.Parse(s.pattern().String(), syntax.Perl)
		fixture.OK(t, err)
		matched := 0
		for range 4000 {
			text := madeText(random, tree)
			want := s.pattern().FindAllStringSubmatchIndex(text, -1)
			if got := s.all(fold(text)); !reflect.DeepEqual(got, want) || s.in(fold(text)) != (want != nil) {
				t.Fatalf("%s: in %q the search finds %v, and the pattern %v", name, text, got, want)
			}
			if want != nil {
				matched++
			}
		}
		if matched < 2000 {
			t.Errorf("%s: only %d texts have a match", name, matched)
		}
	}
}

// madeText is a text of some words, of texts that a pattern matches, and of pieces of these.
func madeText(random *rand.Rand, tree *syntax.Regexp) string {
	between := []string{" ", " ", ". ", ", ", "\n", "; ", "(", ") ", "\"", "'", "*", "1", "_", "", "! ", "？", "。", ":", " a dog ", " B ", "ſ", "\u212a", "\xff", "é"}
	var b strings.Builder
	for range 1 + random.IntN(6) {
		b.WriteString(between[random.IntN(len(between))])
		made := made(random, tree)
		switch random.IntN(5) {
		case 0:
			made = strings.ToUpper(made)
		case 1:
			made = made[random.IntN(len(made)+1):]
		}
		b.WriteString(made)
		b.WriteString(between[random.IntN(len(between))])
	}
	return b.String()
}

// made is a text that a pattern matches, but for what it wants around it.
func made(random *rand.Rand, re *syntax.Regexp) string {
	repeat := func(least, most int) (text string) {
		for range least + random.IntN(most-least+1) {
			text += made(random, re.Sub[0])
		}
		return text
	}
	switch re.Op {
	case syntax.OpLiteral:
		text := string(re.Rune)
		if re.Flags&syntax.FoldCase != 0 {
			text = strings.ToLower(text)
		}
		return text
	case syntax.OpCharClass:
		at := 2 * random.IntN(len(re.Rune)/2)
		r := re.Rune[at] + rune(random.IntN(int(min(re.Rune[at+1]-re.Rune[at], 30))+1))
		if !unicode.IsPrint(r) && r != '\n' {
			r = ' '
		}
		return string(r)
	case syntax.OpConcat:
		text := ""
		for _, sub := range re.Sub {
			text += made(random, sub)
		}
		return text
	case syntax.OpAlternate:
		return made(random, re.Sub[random.IntN(len(re.Sub))])
	case syntax.OpCapture:
		return made(random, re.Sub[0])
	case syntax.OpStar, syntax.OpQuest:
		return repeat(0, 1)
	case syntax.OpPlus:
		return repeat(1, 2)
	case syntax.OpRepeat:
		return repeat(re.Min, max(re.Min, min(re.Max, 4)))
	}
	return "" // a place, such as the start of a word
}
