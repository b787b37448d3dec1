package release

import (
	"strings"
	"testing"

	"omniscope"
)

func TestExampleSettings(t *testing.T) {
	b := newBed(t)
	b.settings(string(SettingsFile))
	if b.o.Settings.Name != "kitchen-cloze" || b.o.Settings.Split != nil {
		t.Errorf("%+v", b.o.Settings)
	}
	b.build()
}

func TestBadSettings(t *testing.T) {
	for name, c := range map[string]struct{ old, new, why string }{
		"a misspelt field":      {"homepage:", "home_page:", `line 11: there is no field "home_page"; did you mean homepage?`},
		"a missing field":       {"license: cc-by-4.0\n", "", "field license is missing"},
		"no YAML":               {"name: set", "name: [", "release.yaml"},
		"a name with blanks":    {"name: set", "name: my set", "pretty_name"},
		"a short version":       {"1.0.0", "1.0", "is not of the form 1.2.3"},
		"zeros in a version":    {"1.0.0", "01.0.0", "not of the form"},
		"a date of words":       {"2025-01-31", "May 2025", "not of the form 2025-01-31"},
		"a language by name":    {"[en, no]", "[English]", `"English" is not a code`},
		"an unknown creator":    {"[machine-generated]", "[machine-made]", `"machine-made" is not one of`},
		"an address without //": {"https://e.org/set", "e.org/set", "https://"},
		"percentages":           {"homepage:", "split: {train: 50, test: 60}\nhomepage:", "must sum to 100"},
		"less than nothing":     {"homepage:", "split: {train: -10, test: 110}\nhomepage:", "must sum to 100"},
		"a misspelt split":      {"homepage:", "split: {tran: 50, test: 50}\nhomepage:", `there is no field "tran"`},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			path := b.file("release.yaml", strings.Replace(settingsText, c.old, c.new, 1))
			_, err := ReadSettings(path)
			if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), c.why) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want %q", err, c.why)
			}
		})
	}
	if _, err := ReadSettings("nowhere.yaml"); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestHeaderOfOthersTexts has texts in the card's header that readers of YAML would take for something else.
func TestHeaderOfOthersTexts(t *testing.T) {
	for text, want := range map[string]string{
		"plain text": "plain text", "no": `"no"`, "ON": `"ON"`, "1.0": `"1.0"`, "12:30:00": `"12:30:00"`, "a: b": `"a: b"`, "a #b": `"a #b"`, "<<": `"<<"`,
		"=": `"="`, "two\nlines": `"two\nlines"`, "\"q\"": `"\"q\""`, "ü 视": `"ü 视"`, "\u2028": `"\u2028"`, "": `""`, "- x": `"- x"`, "x ": `"x "`, "a:": `"a:"`,
	} {
		if got := yamlText(text); got != want {
			t.Errorf("%q is written as %s, want %s", text, got, want)
		}
	}
}
