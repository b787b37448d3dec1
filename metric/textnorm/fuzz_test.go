package textnorm

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func FuzzEnglish(f *testing.F) {
	for _, c := range englishCases {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out, err := English(s)
		if err != nil {
			return
		}
		checkSpaces(t, out)
		for _, r := range out {
			// "archeology</span>" is a spelling, "-" and "+" come of "minus" and "plus".
			if unicode.In(r, unicode.M, unicode.S, unicode.P) && !strings.ContainsRune(".%$¢€£+-</>", r) {
				t.Errorf("%q: %q holds %q", s, out, r)
			}
		}
		text := &text{now: appendLower(nil, s)}
		want := expandSlowly(string(text.now))
		if text.expand(); string(text.now) != want {
			t.Errorf("%q: expanded to %q, one by one to %q", s, text.now, want)
		}
		stripped, slow := string(stripEnglish(nil, text.now)), stripSlowly(string(text.now))
		if stripped != slow {
			t.Errorf("%q: stripped to %q, slowly to %q", s, stripped, slow)
		}
	})
}

func FuzzBasic(f *testing.F) {
	for _, c := range basicCases {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := Basic(s)
		checkSpaces(t, out)
		if want := basicSlowly(s); out != want {
			t.Errorf("%+q: got %+q, slowly %+q", s, out, want)
		}
		// A dot above can be left of "İ", and goes when it is seen again.
		if again := Basic(out); again != out && !strings.Contains(out, "\u0307") {
			t.Errorf("%+q: %+q, and again %+q", s, out, again)
		}
	})
}

func checkSpaces(t *testing.T, out string) {
	if !utf8.ValidString(out) {
		t.Errorf("%q is not UTF-8", out)
	}
	last := 'x'
	for _, r := range out {
		if IsSpace(r) && (r != ' ' || last == ' ') {
			t.Errorf("%q: whitespace %q after %q", out, r, last)
		}
		last = r
	}
}

// basicSlowly is the rule a step at a time, on characters.
func basicSlowly(s string) string {
	text := &text{now: []byte(Lower(s))}
	text.removeBrackets()
	runes := decomposed(text.now)
	OrderMarks(runes)
	cleaned := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.M, unicode.S, unicode.P) {
			return ' '
		}
		return r
	}, string(Compose(runes)))
	return spacesToOne(Lower(cleaned))
}

func spacesToOne(s string) string {
	var b strings.Builder
	last := false
	for _, r := range s {
		if space := IsSpace(r); !space {
			b.WriteRune(r)
			last = false
		} else if !last {
			b.WriteByte(' ')
			last = true
		}
	}
	return b.String()
}

// expandSlowly makes one pass for each key.
func expandSlowly(s string) string {
	for _, word := range strings.Fields("hmm mm mhm mmm uh um") {
		s = replaceSlowly(s, word, "", true)
	}
	var b strings.Builder
	for i, part := range strings.Split(s, "'") {
		if i > 0 {
			s := strings.TrimRightFunc(b.String(), IsSpace)
			b.Reset()
			b.WriteString(s + "'")
		}
		b.WriteString(part)
	}
	s = b.String()
	for _, key := range strings.Fields("won't can't let's ain't y'all wanna gotta gonna i'ma imma woulda coulda shoulda ma'am " +
		"mr mrs st dr prof capt gov ald gen sen rep pres rev hon asst assoc lt col jr sr esq") {
		if with, ok := contractions[key]; ok {
			s = replaceSlowly(s, key, with, true)
		} else {
			s = replaceSlowly(s, key, expansions[key], true)
		}
	}
	for _, p := range perfects {
		s = replaceSlowly(s, "'"+p.word, p.expansion, false)
	}
	s = replaceSlowly(s, "n't", " not", false)
	for _, key := range strings.Fields("re s d ll t ve m") {
		s = replaceSlowly(s, "'"+key, endings[key], false)
	}
	return s
}

// replaceSlowly is re.sub of a key that \b bounds at its end, or at both.
func replaceSlowly(s, key, with string, both bool) string {
	word := func(r rune) bool { return unicode.In(r, unicode.L, unicode.N) || r == '_' }
	var b strings.Builder
	for i := 0; i < len(s); {
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		if rest, ok := strings.CutPrefix(s[i:], key); ok && !(both && word(before)) {
			if after, _ := utf8.DecodeRuneInString(rest); !word(after) {
				b.WriteString(with)
				i += len(key)
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// stripSlowly treats periods first, then the decomposed whole.
func stripSlowly(s string) string {
	var periods []rune
	for runes := []rune(s); len(runes) > 0; runes = runes[1:] {
		switch {
		case runes[0] != '.' || len(runes) > 1 && '0' <= runes[1] && runes[1] <= '9':
			periods = append(periods, runes[0])
		case len(runes) == 1:
			periods = append(periods, ' ')
		default:
			periods = append(periods, ' ', runes[1])
			runes = runes[1:]
		}
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(string(periods)) {
		letters, additional := additionalLetters[r]
		switch {
		case strings.ContainsRune(".%$¢€£", r):
			b.WriteRune(r)
		case additional:
			b.WriteString(letters)
		case unicode.Is(unicode.Mn, r):
		case unicode.In(r, unicode.M, unicode.S, unicode.P):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
