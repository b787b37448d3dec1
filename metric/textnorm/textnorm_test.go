package textnorm

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"omniscope"
	"omniscope/internal/sha256hex"
)

func TestEnglish(t *testing.T) {
	for _, c := range englishCases {
		if got, err := English(c.in); err != nil || got != c.want {
			t.Errorf("%s: %q: got %q, %v, want %q", c.about, c.in, got, err, c.want)
		}
	}
}

func TestBasic(t *testing.T) {
	for _, c := range basicCases {
		if got := Basic(c.in); got != c.want {
			t.Errorf("%q: got %+q, want %+q", c.in, got, c.want)
		}
	}
}

// Package norm would put a mark after 30 characters that join; Python does not.
func TestManyCombiningMarks(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"e" + strings.Repeat("\u0301", 31) + "\u0323", "ẹ "},
		{"o" + strings.Repeat("\u0300", 40) + "\u031b", "ờ "},
		{"\u1100" + strings.Repeat("\u1161", 33), "가" + strings.Repeat("\u1161", 32)},
		{strings.Repeat("\u0344", 20), " "},
	} {
		if got := Basic(c.in); got != c.want {
			t.Errorf("%+q: got %+q, want %+q", c.in, got, c.want)
		}
	}
}

func TestOverlongNumbers(t *testing.T) {
	nines := strings.Repeat("9", maxDigits)
	for _, c := range []struct {
		about, in string
		exception string
		digits    int
	}{
		{"as long as allowed", nines, "", 0},
		{"one digit more", nines + "9", "AssertionError", 4301},
		{"zeros count", strings.Repeat("0", 4301), "AssertionError", 4301},
		{"each side of the period has its own limit", nines + "." + nines, "", 0},
		{"behind the period", "1." + nines + "9", "AssertionError", 4301},
		{"grown by a power", nines + " hundred", "ValueError", 4301},
		{"grown, then counted", nines + " million dollars", "ValueError", 4301},
		{"a spoken number is a text, however long", strings.Repeat("nine ", 5000), "", 0},
	} {
		_, err := English(c.in)
		var long *TooLongError
		if errors.As(err, &long) != (c.exception != "") {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		if long != nil && (long.Exception != c.exception || long.Digits != c.digits || omniscope.KindOf(err) != omniscope.Invalid) {
			t.Errorf("%s: got %+v, kind %v", c.about, long, omniscope.KindOf(err))
		}
	}
}

func TestWordsMatchJiwer(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{" \n ", nil},
		{"one two", []string{"one", "two"}},
		{"  one   two ", []string{"one", "two"}},
		{"one\ttwo", []string{"one\ttwo"}},
		{"one \ttwo\n\nthree", []string{"one", "two", "three"}},
		{"one\u00a0two\u3000 three", []string{"one\u00a0two", "three"}},
		{"\x1cone\x1ftwo\x1d", []string{"one\x1ftwo"}},
	} {
		if got := Words(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestPythonSpace(t *testing.T) {
	for r := range rune(utf8.MaxRune) {
		want := strings.ContainsRune("\t\n\v\f\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000", r) || '\u2000' <= r && r <= '\u200a'
		if IsSpace(r) != want {
			t.Errorf("%U: got %v", r, !want)
		}
	}
	if got := Fields("\x1ca\u2003b\u200bc\u0085"); !slices.Equal(got, []string{"a", "b\u200bc"}) {
		t.Errorf("fields %q", got)
	}
	if got := Strip("\x1f a \u3000"); got != "a" {
		t.Errorf("stripped %q", got)
	}
}

func TestLower(t *testing.T) {
	for _, c := range []struct{ about, in, want string }{
		{"ASCII", "Hello WORLD", "hello world"},
		{"nothing to do", "straße", "straße"},
		{"a capital in two", "İI", "i\u0307i"},
		{"sigma at the end", "ΣΑΣ ΣΑΣ", "σας σας"},
		{"sigma alone", "Σ", "σ"},
		{"marks and apostrophes are looked through", "Α\u0301'Σ'.", "α\u0301'ς'."},
		{"a letter follows behind a soft hyphen", "ΑΣ\u00adΑ", "ασ\u00adα"},
		{"a digit is no letter", "1Σ ΑΣ1", "1σ ας1"},
		{"not UTF-8", "A\xffB", "a\ufffdb"},
	} {
		if got := Lower(c.in); got != c.want {
			t.Errorf("%s: %q: got %+q, want %+q", c.about, c.in, got, c.want)
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	if got, err := English("caf\xe9 one\xff"); got != "caf one" || err != nil {
		t.Errorf("English: got %q, %v", got, err)
	}
	if got := Basic("caf\xe9\xe9\u0301\xc3"); got != "caf " {
		t.Errorf("Basic: got %q", got)
	}
}

func TestWhisperSpellings(t *testing.T) {
	const want = "6607f948be9824d2e1b2fa2223cd94c06c45afa4e05ea0e3d5e1f2bdffde2465"
	if got := sha256hex.Of(englishJSON); got != want {
		t.Errorf("english.json has sha256 %s", got)
	}
	if n := len(american().spellings); n != 1739 {
		t.Errorf("%d spellings", n)
	}
}
