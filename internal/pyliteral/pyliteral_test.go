package pyliteral

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// shown writes a value as Python does, dictionaries in their order.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case *big.Int:
		return v.String()
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, shown(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Dict:
		var parts []string
		for i := range v.Keys {
			parts = append(parts, shown(v.Keys[i])+": "+shown(v.Values[i]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprint(v)
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		`{'pred': 'yes', 'score': 4.8}`: `{"pred": "yes", "score": 4.8}`, ` {"a": [1, -2, +3,], 'b': None}`: `{"a": [1, -2, 3], "b": None}`,
		"\t[]": "[]", "{}": "{}", "()": "[]", "(1)": "1", "(1,)": "[1]", "1, 2": "[1, 2]", "{1, 2}": "[1, 2]", "True": "True", "[False]": "[False]",
		`'it\'s'`: `"it's"`, `"a" 'b'`: `"ab"`, `"""a
b"""`: `"a\nb"`, `'\x41\u00e9\101\q'`: `"Aé` + "A" + `\\q"`, `r'\n'`: `"\\n"`, `u'x'`: `"x"`, "[1, # one\n 2]": "[1, 2]",
		"0x1F": "31", "1_000": "1000", "1e3": "1000", ".5": "0.5", "5.": "5", "0": "0", "00": "0", "0b11": "3",
		"{'a': {'b': [{'c': 'd'}]}}": `{"a": {"b": [{"c": "d"}]}}`, "123456789012345678901234567890": "123456789012345678901234567890",
		"[1]\n": "[1]", "\n{'a':1}": `{"a": 1}`, "[1] # x": "[1]", "('a' \n 'b')": `"ab"`, "1,\n": "[1]", "-(1)": "-1", "0_0": "0", "1.e5": "100000", "{'a': 1, 'a': 2}": `{"a": 1, "a": 2}`,
	} {
		if got, err := Parse(text); err != nil || shown(got) != want {
			t.Errorf("%q is %s, %v; want %s", text, shown(got), err, want)
		}
	}
	for text, want := range map[string]error{
		"": errSyntax, "{": errSyntax, "[1": errSyntax, "[1 2]": errSyntax, "{'a' 1}": errSyntax, "{'a': }": errSyntax, "'a": errSyntax, "'a\nb'": errSyntax, "```\n{}\n```": errSyntax,
		"{'a': 1} so": errSyntax, "012": errSyntax, "1x": errSyntax, `'\x4'`: errSyntax, "yes": errValue, "{'pred': yes}": errValue, "-'a'": errValue, "[null]": errValue, "true": errValue,
		"{1, 'a': 2}": errSyntax, "{'a': 1, 2}": errSyntax, "\n {}": errSyntax, "'a'\n'b'": errSyntax, "[1]\n 2": errSyntax, "[1,,2]": errSyntax, "[,]": errSyntax, "1__0": errSyntax, "1_": errSyntax, "0x": errSyntax, strings.Repeat("[", 1000): errSyntax,
	} {
		if got, err := Parse(text); !errors.Is(err, want) {
			t.Errorf("%q is %s, %v; want %v", text, shown(got), err, want)
		}
	}
	d, _ := Parse("{'a': 1, 'a': 2}")
	if v, ok := d.(Dict).Get("a"); !ok || shown(v) != "2" {
		t.Errorf("of two values the last counts, got %v", v)
	}
}

// TestRepliesOfJudges reads replies as ast.literal_eval did.
func TestRepliesOfJudges(t *testing.T) {
	text, err := os.ReadFile(golden.Path(t, "bench", "vectors", "official_scoring_vectors.json"))
	fixture.OK(t, err)
	var vectors struct {
		VDC struct {
			Cases []struct {
				In     string
				Parsed any
				Error  string
				Yes    bool `json:"counts_as_yes"`
			}
		} `json:"vdc_judge_parse"`
	}
	if err := json.Unmarshal(text, &vectors); err != nil || len(vectors.VDC.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(vectors.VDC.Cases), err)
	}
	for _, c := range vectors.VDC.Cases {
		got, err := Parse(c.In)
		switch {
		case c.Error != "" && (err == nil || !strings.Contains(err.Error(), c.Error)):
			t.Errorf("%q: %v, want %s", c.In, err, c.Error)
		case c.Error == "" && err != nil:
			t.Errorf("%q: %v", c.In, err)
		}
		d, _ := got.(Dict)
		if pred, _ := d.Get("pred"); (pred == "yes") != c.Yes {
			t.Errorf("%q counts as yes: %v", c.In, pred)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"{'a': [1, 2.5, None]}", `"\x41" 'b'`, "(1,)", "0x", "-", "{1: {2: (3,)}}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Parse(text); err != nil && !errors.Is(err, errSyntax) && !errors.Is(err, errValue) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
