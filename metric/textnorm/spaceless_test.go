package textnorm

import (
	"slices"
	"strings"
	"testing"
)

func TestWordsOfScriptsWithoutBlanks(t *testing.T) {
	for text, want := range map[string][]string{
		"A dog – barks.": {"A", "dog", "–", "barks."},
		"今天天气很好。":        {"今", "天", "天", "气", "很", "好"},
		"今日はAI modelの日":  {"今", "日", "は", "AI", "model", "の", "日"},
		"データ":            {"デ", "ー", "タ"},
		"ที่นี่":         {"ที่", "นี่"},
		"ສະບາຍ":          {"ສ", "ະ", "ບ", "າ", "ຍ"},
		"안녕 하세요":         {"안녕", "하세요"},
		"":               nil,
	} {
		if got := SplitWords(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"កម្ពុជា", "မြန်မာ", "ประเทศไทย"} {
		if n := CountWords(text); n < 3 {
			t.Errorf("%q: %d words", text, n)
		}
	}
}

func TestUnsplit(t *testing.T) {
	for text, want := range map[string]bool{
		"今天天气很好。 我喜欢吃苹果。":            true,
		"今 天 天 气 很 好 。":              false,
		"今天 天气 很 好 。":                false,
		"今日は天気が良い 私は学校へ行く":           true,
		"ประเทศไทยสวยงามมาก":         true,
		"The word 今天天气很好 is Chinese": false,
		"A dog barks.":               false,
		"":                           false,
	} {
		if got := Unsplit(strings.Fields(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestSpacelessLanguages(t *testing.T) {
	for code, want := range map[string]bool{"zh": true, "ja": true, "th": true, "lo": true, "km": true, "my": true, "ko": false, "de": false, "vi": false, "": false} {
		if SpacelessLanguage(code) != want {
			t.Errorf("%q", code)
		}
	}
}
