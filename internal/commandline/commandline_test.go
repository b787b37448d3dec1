package commandline

import (
	"slices"
	"strings"
	"testing"
)

func TestSplitPOSIX(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{"", nil},
		{" \t\n", nil},
		{"birds", []string{"birds"}},
		{"python3 'my birds.py' -v", []string{"python3", "my birds.py", "-v"}},
		{`a "b c" d\ e f'g'"h"`, []string{"a", "b c", "d e", "fgh"}},
		{`'' "" x`, []string{"", "", "x"}},
		{`"a\"b\\c\n" '\n'`, []string{`a"b\c\n`, `\n`}},
		{"a \\\n b\nc", []string{"a", "b", "c"}},
		{`a\\b a\b`, []string{`a\b`, "ab"}},
		{"a # a comment", []string{"a"}},
		{"a#b", []string{"a#b"}},
		{"$HOME/x ${A:-b} \"$C\" '$D'", []string{"$HOME/x", "${A:-b}", "$C", "$D"}},
		{"~/x *.py [a] {w}x{h} a{b,c} !x", []string{"~/x", "*.py", "[a]", "{w}x{h}", "a{b,c}", "!x"}},
		{"A=b --c=d e=f", []string{"A=b", "--c=d", "e=f"}},
		{"if then do {", []string{"if", "then", "do", "{"}},
		{"ä '鳥 👀'", []string{"ä", "鳥 👀"}},
		{`exec C:\birds.exe`, []string{"exec", "C:birds.exe"}},
	} {
		if got, err := split(c.line, "linux"); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, %v, want %q", c.line, got, err, c.want)
		}
	}
}

func TestSplitPOSIXRefusals(t *testing.T) {
	for line, what := range map[string]string{
		"a \xff":    "invalid UTF-8",
		"'open":     "without closing quote",
		`a "b`:      "without closing quote",
		"a | b":     "no shell reads the command",
		"a && b":    "sh -c",
		"a > b":     "sh -c",
		"a; b":      "sh -c",
		"a &":       "sh -c",
		"a (b)":     "sh -c",
		"a $(b c)":  "no shell runs $(b c)",
		"a \"`b`\"": "no shell runs `b`",
		"a $((1))":  "no shell runs $((1))",
		"a ${b":     "without matching",
	} {
		if got, err := split(line, "darwin"); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%q: %q, %v, want %q", line, got, err, what)
		}
	}
}

// Lines and words are from Microsoft's page on parsing arguments, and paths as
// users write them.
func TestSplitWindows(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{"", nil},
		{`C:\tools\birds.exe --x`, []string{`C:\tools\birds.exe`, "--x"}},
		{`"C:\Program Files\nodejs\npx.cmd" -y srv`, []string{`C:\Program Files\nodejs\npx.cmd`, "-y", "srv"}},
		{`C:\"Program Files"\x.exe a`, []string{`C:\Program Files\x.exe`, "a"}},
		{`\\server\share\x.exe \\server\data\`, []string{`\\server\share\x.exe`, `\\server\data\`}},
		{`x "a b c" d e`, []string{"x", "a b c", "d", "e"}},
		{`x "ab\"c" "\\" d`, []string{"x", `ab"c`, `\`, "d"}},
		{`x a\\\b d"e f"g h`, []string{"x", `a\\\b`, "de fg", "h"}},
		{`x a\\\"b c d`, []string{"x", `a\"b`, "c", "d"}},
		{`x a\\\\"b c" d e`, []string{"x", `a\\b c`, "d", "e"}},
		{`x "a""b" c`, []string{"x", `a"b`, "c"}},
		{`x "C:\my data\\" y`, []string{"x", `C:\my data\`, "y"}},
		{"x\t'a b' \"\" %A% ^&", []string{"x", "'a", "b'", "", "%A%", "^&"}},
		{`x "open`, []string{"x", "open"}},
		{`python C:\a\render.py --out {out}`, []string{"python", `C:\a\render.py`, "--out", "{out}"}},
	} {
		if got, err := split(c.line, "windows"); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", c.line, got, err, c.want)
		}
	}
}
