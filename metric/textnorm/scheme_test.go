package textnorm

import "testing"

func TestSchemes(t *testing.T) {
	const text = "It's twenty-five."
	for language, want := range map[string]string{"en": "it is 25", "de": "it s twenty five ", "": "it s twenty five "} {
		if got, err := Schemes[SchemeFor(language)](text); err != nil || got != want {
			t.Errorf("language %q: got %q, %v, want %q", language, got, err, want)
		}
	}
}
