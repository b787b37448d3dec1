package jsonstr

import (
	"bytes"
	"encoding/json"
	"testing"
)

// standard is what encoding/json writes.
func standard(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func FuzzAppendEqualsEncodingJSON(f *testing.F) {
	for _, s := range []string{"", "plain", "a\"b\\c", "\x00\x1f\b\f\n\r\t\x7f", "é ☃ 😀 \u2028\u2029", "bad \xff\xc3 utf8", "<&>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(Append(nil, s)), standard(t, s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	})
}
