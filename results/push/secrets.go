package push

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// A needle is something that must not leave: it starts with a prefix, and the rest says
// whether it really is one.
type needle struct {
	what   string
	prefix []byte
	rest   *regexp.Regexp // what must follow the prefix; nil = nothing
	inside bool           // it may stand within a word
	digit  bool           // the text after the prefix has a digit, unlike words with hyphens
}

// most bounds what is looked at behind a prefix, in bytes.
const most = overlap

func (n needle) is(text []byte, at int) bool {
	if !n.inside && at > 0 && isWordByte(text[at-1]) {
		return false
	}
	if n.rest == nil {
		return true
	}
	after := text[at+len(n.prefix):]
	found := n.rest.Find(after[:min(len(after), most)])
	return found != nil && (!n.digit || bytes.ContainsAny(found, "0123456789"))
}

func isWordByte(b byte) bool {
	return b == '_' || b == '-' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func pattern(prefix, what, rest string) needle {
	return needle{what: "it holds " + what, prefix: []byte(prefix), rest: regexp.MustCompile(`^` + rest)}
}

// known are the forms of keys by which providers' keys can be told, and of media within
// texts.
var known = slices.Concat([]needle{
	pattern("hf_", "what looks like a token of Hugging Face", `[A-Za-z0-9]{30,}`),
	withDigit(pattern("sk-", "what looks like a key of OpenAI, Anthropic, OpenRouter or a server like them", `[A-Za-z0-9_-]{21,}`)),
	withDigit(pattern("fw_", "what looks like a key of Fireworks", `[A-Za-z0-9]{20,}`)),
	pattern("AIza", "what looks like a key of Google", `[A-Za-z0-9_-]{35}`),
	pattern("ya29.", "what looks like a token of Google", `[A-Za-z0-9_-]{20,}`),
	pattern("AKIA", "what looks like a key of AWS", `[A-Z0-9]{16}\b`),
	pattern("ASIA", "what looks like a key of AWS", `[A-Z0-9]{16}\b`),
	pattern("github_pat_", "what looks like a token of GitHub", `[A-Za-z0-9_]{30,}`),
	pattern("glpat-", "what looks like a token of GitLab", `[A-Za-z0-9_-]{20,}`),
	pattern("gsk_", "what looks like a key of Groq", `[A-Za-z0-9]{30,}`),
	pattern("xai-", "what looks like a key of xAI", `[A-Za-z0-9]{40,}`),
	pattern("nvapi-", "what looks like a key of NVIDIA", `[A-Za-z0-9_-]{40,}`),
	pattern("r8_", "what looks like a token of Replicate", `[A-Za-z0-9]{30,}`),
	pattern("xoxb-", "what looks like a token of Slack", `[A-Za-z0-9-]{20,}`),
	pattern("xoxp-", "what looks like a token of Slack", `[A-Za-z0-9-]{20,}`),
	pattern("-----BEGIN ", "a private key", `(?:[A-Z0-9]+ )*PRIVATE KEY-----`),
	pattern("eyJ", "what looks like a web token (JWT)", `[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}`),
	pattern("Bearer ", "an Authorization header", `[A-Za-z._~+/-]{0,40}[0-9][A-Za-z0-9._~+/-]{19,}`),
	pattern("Authorization", "an Authorization header", `["']?\s{0,4}[:=,]\s{0,4}["']?Basic [A-Za-z0-9+/_-]{8,}`),
	pattern("authorization", "an Authorization header", `["']?\s{0,4}[:=,]\s{0,4}["']?[Bb]asic [A-Za-z0-9+/_-]{8,}`),
	inWord(pattern("://", "an address with a password", `[^\s/@:"'<>?#\\]+:[^\s/@:"'<>?#\\*\[]+@[A-Za-z0-9\[]`)),
	inWord(pattern("X-Amz-Signature=", "a signed address", `[0-9a-f]{32,}`)),
	inWord(pattern("X-Goog-Signature=", "a signed address", `[0-9a-f]{32,}`)),
	inWord(pattern("data:", "media within the text", `(?:image/(?:png|jpe?g|gif|webp|bmp|avif)|audio/|video/)[^,]{0,80};base64,[A-Za-z0-9+/]{16}`)),
}, namedKeys(), gitHub(), packedMedia())

func withDigit(n needle) needle {
	n.digit = true
	return n
}

// namedKeys are keys of 32 to 64 hexadecimal digits after a name, as Azure has them. Without a name they look like digests.
func namedKeys() (all []needle) {
	for _, name := range []string{"api-key", "api_key", "apikey", "Api-Key", "API-Key", "API_KEY", "apiKey", "subscription-key", "Subscription-Key", "secret_key", "SECRET_KEY", "secretKey", "access_key", "ACCESS_KEY"} {
		all = append(all, inWord(pattern(name, "what looks like a key behind its name", `["']?\s{0,4}[:=,]\s{0,4}["']?[0-9a-fA-F]{32,64}(?:[^0-9A-Za-z]|$)`)))
	}
	return all
}

func inWord(n needle) needle {
	n.inside = true
	return n
}

func gitHub() (all []needle) {
	for _, kind := range "pousr" {
		all = append(all, pattern("gh"+string(kind)+"_", "what looks like a token of GitHub", `[A-Za-z0-9]{36,}`))
	}
	return all
}

// packedMedia are the beginnings of media files as base64, which requests and tables have.
func packedMedia() (all []needle) {
	for _, start := range []string{"UklGR", "/9j/", "iVBORw0KGgo", "SUQz", "T2dnUw", "ZkxhQ", "GkXfo", "R0lGODlh"} {
		all = append(all, pattern(start, "media within the text (base64)", `[A-Za-z0-9+/]{100,}`))
	}
	return append(all, pattern("AAAA", "media within the text (base64)", `[A-Za-z0-9+/]{2}Z0eX[A-Za-z0-9+/]{100,}`))
}

// leastSecret is the length in bytes from which the value of a key is looked for:
// shorter ones are words like "none".
const leastSecret = 8

// needles are the known forms and the values of the user's own keys, as they are, in
// JSON, in addresses, and in base64.
func needles(secrets []Secret) []needle {
	all := slices.Clone(known)
	for _, s := range secrets {
		value := strings.TrimSpace(s.Value.Reveal()) // a variable that was filled from a file may end with a line end
		if len(value) < leastSecret {
			continue
		}
		forms := [][]byte{[]byte(value), []byte(url.QueryEscape(value))}
		if text, err := json.Marshal(value); err == nil {
			forms = append(forms, bytes.Trim(text, `"`))
		}
		forms = append(forms, inBase64(value)...)
		slices.SortFunc(forms, bytes.Compare)
		for _, form := range slices.CompactFunc(forms, bytes.Equal) {
			all = append(all, needle{what: "it holds the value of " + s.Name, prefix: form, inside: true})
		}
	}
	return all
}

// inBase64 are the forms that a value has within longer base64, such as USER:VALUE: one for each place within three bytes,
// without the characters that depend on what stands around it.
func inBase64(value string) (forms [][]byte) {
	for before := range 3 {
		bytes := append(make([]byte, before), value...)
		first, end := (8*before+5)/6, 8*len(bytes)/6
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			forms = append(forms, []byte(encoding.EncodeToString(bytes)[first:end]))
		}
	}
	return forms
}
