package jsonfast

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// standard is what encoding/json writes.
func standard(t *testing.T, s string, html bool) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(html)
	fixture.OK(t, enc.Encode(s))
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func FuzzAppendEqualsEncodingJSON(f *testing.F) {
	for _, s := range []string{"", "plain", "a\"b\\c", "\x00\x1f\b\f\n\r\t\x7f", "é ☃ 😀 \u2028\u2029", "bad \xff\xc3 utf8", "<&>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(Append(nil, s)), standard(t, s, false); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
		if got, want := string(AppendHTML(nil, s)), standard(t, s, true); got != want {
			t.Errorf("%q: got %s, want %s with HTML escaped", s, got, want)
		}
	})
}

func TestValid(t *testing.T) {
	deep := strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000)
	for text, want := range map[string]bool{
		"": false, "{}": true, " [1, 2] ": true, "{} x": false, `{"a":}`: false, "NaN": false,
		deep: true, strings.Repeat("[", 20_000_000): false,
	} {
		if got, again := Valid(text), ValidBytes([]byte(text)); got != want || again != want {
			t.Errorf("%.20q (%d bytes): got %t and %t, want %t", text, len(text), got, again, want)
		}
	}
}

func TestAppendRaw(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "a\"b\\c/": `"a\"b\\c/"`, "\b\t\n\v\f\r": `"\b\t\n\u000b\f\r"`, "\x00\x1f\x7f": "\"\\u0000\\u001f\x7f\"",
		"é\u2028\u0085😀<&>": "\"é\u2028\u0085😀<&>\"",
		"bad \xff\xc3 utf8": "\"bad \xff\xc3 utf8\"",
	} {
		if got := string(AppendRaw(nil, text)); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
