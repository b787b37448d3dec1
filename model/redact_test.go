package model

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"omniscope"
)

const apiKey = "sk-proj-4f9Kq0bXw7RzT2mVnL8yJcHsEa1dGuPo5iNtB6_xQ-3WvYkM"

// ways are the ways in which a text can repeat a key.
func ways(key string) map[string]string {
	percent, unicode, entities, hexes := "", "", "", ""
	for _, c := range []byte(key) {
		percent += fmt.Sprintf("%%%02x", c)
		unicode += fmt.Sprintf(`\u%04X`, c)
		entities += fmt.Sprintf("&#%d;", c)
		hexes += fmt.Sprintf("%02X", c)
	}
	all := map[string]string{
		"whole": key, "upper case": strings.ToUpper(key), "lower case": strings.ToLower(key),
		"hexadecimal": hex.EncodeToString([]byte(key)), "hexadecimal, upper case": hexes,
		"escaped as in a URL": percent, "escaped as in a query": url.QueryEscape(key), "escaped as in a path": url.PathEscape(key),
		"escaped as in JSON": unicode, "escaped as in HTML": entities,
		"masked in the middle": key[:11] + "…" + key[len(key)-9:], "stars": strings.Repeat("*", 20) + key[len(key)-8:],
	}
	for before := range 7 {
		for _, encoding := range []struct {
			name string
			*base64.Encoding
		}{{"base64", base64.StdEncoding}, {"base64 without padding", base64.RawStdEncoding}, {"base64 for URLs", base64.URLEncoding}, {"base64 for URLs without padding", base64.RawURLEncoding}} {
			all[fmt.Sprint(encoding.name, " after ", before)] = encoding.EncodeToString([]byte("user12:"[:before] + key + " and more"))
		}
	}
	return all
}

// told returns what stretch of 8 characters of key a text tells, as it is or decoded.
func told(text, key string) string {
	plain, jumps := unescape(text)
	if jumps == nil {
		plain = text
	}
	for i := range len(key) - 7 {
		part := key[i : i+8]
		for _, t := range []string{text, plain} {
			if strings.Contains(strings.ToLower(t), strings.ToLower(part)) || strings.Contains(strings.ToLower(t), hex.EncodeToString([]byte(part))) {
				return part
			}
		}
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !strings.ContainsRune("+/-_", r) && (r < '0' || r > 'z' || r == '=') }) {
		word = strings.NewReplacer("-", "+", "_", "/").Replace(word)
		for start := range min(4, len(word)) {
			w := word[start:]
			if b, err := base64.RawStdEncoding.DecodeString(w[:len(w)/4*4]); err == nil {
				for i := range len(key) - 7 {
					if strings.Contains(string(b), key[i:i+8]) {
						return key[i : i+8]
					}
				}
			}
		}
	}
	return ""
}

func TestRedactEncodedSecrets(t *testing.T) {
	for _, key := range []string{apiKey, "0123456789abcdef", "Pass+Word/9876=543?", "correct-horse-battery"} {
		r := NewRedactor(omniscope.NewSecret("another-secret-1"), omniscope.NewSecret(key))
		for name, way := range ways(key) {
			for _, format := range []string{"%s", "Your key is %s.", "ключ «%s»", "x%sx", "%s %[1]s", "50% of \\n &amp; %s"} {
				text := strings.ReplaceAll(strings.ReplaceAll(format, "%[1]s", way), "%s", way)
				if told(text, key) == "" {
					t.Fatalf("%s of %q: the test cannot tell", name, key)
				}
				if got := r.Redact(text); told(got, key) != "" || !strings.Contains(got, "[secret]") {
					t.Errorf("%s of %q: %q tells %q", name, key, got, told(got, key))
				}
			}
		}
	}
}

func TestRedactPartsOfShortKey(t *testing.T) {
	r := NewRedactor(omniscope.NewSecret(apiKey))
	for from := range apiKey {
		for to := from + 1; to <= len(apiKey); to++ {
			for _, before := range []string{"", " ", "é", "(=)"} {
				text := before + apiKey[from:to] + "§"
				want := text
				if to-from >= 8 {
					want = before + "[secret]§"
				}
				if got := r.Redact(text); got != want {
					t.Fatalf("%q became %q, want %q", text, got, want)
				}
			}
		}
	}
}

func TestRedactNothing(t *testing.T) {
	for key, text := range map[string]string{
		apiKey:            strings.Repeat(`{"1": "A: she says \"no\"", "2": "B: 50% of %zz \u72d7 \ud83d\udc15 &amp; &#29399; c:\x4z"}`, 30) + "sk-proj 4f9Kq0b XW7RZT2",
		"no-key-required": "A key is required, as authors required; no-key.",
		"EMPTY":           "EMPTY and empty",
		"":                "anything",
	} {
		if got := NewRedactor(omniscope.NewSecret(key)).Redact(text); got != text {
			t.Errorf("%q: %q became %q", key, text, got)
		}
	}
	var none *Redactor
	if none.Redact("text") != "text" {
		t.Error("a nil Redactor changes texts")
	}
}

func TestRedactWordsOfSecret(t *testing.T) {
	r := NewRedactor(omniscope.NewSecret("no-key-required"))
	for text, want := range map[string]string{
		"no-key-required": "[secret]", "a key-required b": "a [secret] b", "y-required": "[secret]", "REQUIRED": "REQUIRED",
	} {
		if got := r.Redact(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func FuzzRedact(f *testing.F) {
	for name, way := range ways(apiKey) {
		f.Add(name+" "+way, 3)
	}
	f.Add(`%5cu0073k%2`, 0)
	r := NewRedactor(omniscope.NewSecret(apiKey))
	f.Fuzz(func(t *testing.T, text string, at int) {
		at = max(0, min(at, len(text)))
		text = text[:at] + apiKey[5:20] + text[at:]
		got := r.Redact(text)
		if strings.Contains(got, apiKey[5:20]) {
			t.Errorf("%q became %q", text, got)
		}
	})
}

// BenchmarkRedact looks through an answer that holds no secret.
func BenchmarkRedact(b *testing.B) {
	r := NewRedactor(omniscope.NewSecret(apiKey))
	text := strings.Repeat(`"1": "A: because nothing else there fits what comes before it", `, 48) // 3 KB
	for name, text := range map[string]string{"plain": text, "percent": "50% " + text, "escaped": text + "%20"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r.Redact(text)
			}
		})
	}
}
