package langcode

import "testing"

func TestBase(t *testing.T) {
	for code, want := range map[string]string{"en": "en", "en-GB": "en", "zh_Hans_CN": "zh", "DE": "de", "": ""} {
		if got := Base(code); got != want {
			t.Errorf("%q: got %q, want %q", code, got, want)
		}
	}
}

func TestUsualCodes(t *testing.T) {
	for _, c := range []struct {
		code, usual string
		ok          bool
	}{
		{"de", "de", true},
		{"de-AT", "de", true},
		{"EN_us", "en", true},
		{"yue", "yue", true},
		{"zho", "zh", false},
		{"eng", "en", false},
		{"xx", "", false},
		{"und", "", false},
		{"klingonisch", "", false},
	} {
		if usual, ok := Check(c.code); usual != c.usual || ok != c.ok {
			t.Errorf("%q: got %q, %t, want %q, %t", c.code, usual, ok, c.usual, c.ok)
		}
	}
}

func TestSuggestedLanguages(t *testing.T) {
	have := []string{"en", "de", "zh"}
	for name, want := range map[string]string{"German": "; did you mean de?", "deu": "; did you mean de?", "zh_CN": "; did you mean zh?", "中文": "; did you mean zh?", "fr": "", "": ""} {
		if got := Hint(name, have); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
