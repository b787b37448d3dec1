package visible

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// legible is text that must stay as it is.
var legible = []string{
	"", "plain ASCII, 100 %", "naïve façade – “quoted” …", "生命 视频一 語", "한국어", "Ελληνικά", "русский", "עברית", "العربية",
	"می\u200cخواهم",                // a joiner in Persian
	"क\u094d\u200dष र\u094d\u200d", // joiners after a virama, also at the end
	"e\u0301 a\u0328\u0301",        // marks
	"👩\u200d👩\u200d👧\u200d👦 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥 🇩🇪 1\ufe0f\u20e3 🏳\ufe0f\u200d🌈",
	"\u0600١٢٣", "soft\u00adhyphen",
}

var hostile = []struct{ name, text, text1, line, blank string }{
	{"a colour", "a\x1b[31mred\x1b[0m", `a\u001b[31mred\u001b[0m`, `a\u001b[31mred\u001b[0m`, "a [31mred [0m"},
	{"a title", "\x1b]0;owned\a", `\u001b]0;owned\u0007`, `\u001b]0;owned\u0007`, " ]0;owned "},
	{"C1", "\u009b2J\u0085x", `\u009b2J\u0085x`, `\u009b2J x`, " 2J x"},
	{"DEL, NUL, backspace", "a\x7fb\x00c\bd", `a\u007fb\u0000c\u0008d`, `a\u007fb\u0000c\u0008d`, "a b c d"},
	{"a carriage return", "good\rbad", `good\u000dbad`, "good bad", "good bad"},
	{"lines", "a\r\nb\n\tc", "a\nb\n\tc", "a b  c", "a  b  c"},
	{"reading direction", "\u202egpj.exe\u2066x\u2069\u200f\u061c", `\u202egpj.exe\u2066x\u2069\u200f\u061c`, `\u202egpj.exe\u2066x\u2069\u200f\u061c`, " gpj.exe x   "},
	{"separators", "a\u2028b\u2029c", `a\u2028b\u2029c`, "a b c", "a b c"},
	{"zero width", "pass\u200bword\u2060\ufeff", `pass\u200bword\u2060\ufeff`, `pass\u200bword\u2060\ufeff`, "pass word  "},
	{"joiners that join nothing", "a \u200d b\u200c", `a \u200d b\u200c`, `a \u200d b\u200c`, "a   b "},
	{"tags", "\U000e0041x", `\udb40\udc41x`, `\udb40\udc41x`, " x"},
	{"not UTF-8", "a\xff\xc3", "a\uFFFD\uFFFD", "a\uFFFD\uFFFD", "a\uFFFD\uFFFD"},
}

func TestLegible(t *testing.T) {
	for _, s := range legible {
		for name, f := range map[string]func(string) string{"Text": Text, "Line": Line, "Blank": Blank} {
			if got := f(s); got != s {
				t.Errorf("%s(%+q) = %+q", name, s, got)
			}
		}
	}
}

func TestHostile(t *testing.T) {
	for _, c := range hostile {
		if got := Text(c.text); got != c.text1 {
			t.Errorf("%s: Text: got %+q, want %+q", c.name, got, c.text1)
		}
		if got := Line(c.text); got != c.line {
			t.Errorf("%s: Line: got %+q, want %+q", c.name, got, c.line)
		}
		if got := Blank(c.text); got != c.blank {
			t.Errorf("%s: Blank: got %+q, want %+q", c.name, got, c.blank)
		}
	}
}

// TestWriter writes in one piece and byte by byte.
func TestWriter(t *testing.T) {
	texts := append([]string{}, legible...)
	for _, c := range hostile {
		texts = append(texts, c.text)
	}
	for _, s := range texts {
		for _, bytewise := range []bool{false, true} {
			var out bytes.Buffer
			w := NewWriter(&out)
			if bytewise {
				one := iotest.OneByteReader(strings.NewReader(s))
				for b := make([]byte, 1); ; {
					if n, _ := one.Read(b); n == 0 {
						break
					}
					w.Write(b)
				}
			} else {
				w.Write([]byte(s))
			}
			w.Flush()
			if out.String() != Text(s) {
				t.Errorf("%+q, bytewise %v: got %+q, want %+q", s, bytewise, out.String(), Text(s))
			}
		}
	}
}

func TestWriterColors(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, "\x1b[1m", "\x1b[0m")
	for _, part := range []string{"\x1b", "[1mbold\x1b[", "0m \x1b[31mred ", "\x1b[1"} {
		w.Write([]byte(part))
	}
	w.Flush()
	if want := "\x1b[1mbold\x1b[0m " + `\u001b[31mred \u001b[1`; out.String() != want {
		t.Errorf("got %+q, want %+q", out.String(), want)
	}
}

// failing fails at its first write only.
type failing struct{ writes int }

func (f *failing) Write(p []byte) (int, error) {
	if f.writes++; f.writes == 1 {
		return 0, errors.New("no room")
	}
	return len(p), nil
}

func TestWriterKeepsItsFirstError(t *testing.T) {
	to := new(failing)
	w := NewWriter(to)
	for range 2 {
		if _, err := io.WriteString(w, "a line\n"); err == nil || err.Error() != "no room" {
			t.Errorf("Write returned %v", err)
		}
	}
	if err := w.Flush(); err == nil || to.writes != 1 {
		t.Errorf("Flush returned %v; %d writes, want 1", err, to.writes)
	}
}
