package openai

import (
	"strings"

	"github.com/tidwall/gjson"
)

// A halved text is put together from JSON strings. Servers that stream tokens cut characters: the two halves of a surrogate pair
// come in two strings then.
type halved struct {
	first string // the text while it is one string, which is not copied
	more  strings.Builder
	half  string // the escape of a first half at the end; "" = the text ends otherwise
}

// add adds a string; other values add nothing.
func (h *halved) add(value gjson.Result) {
	if value.Type != gjson.String {
		return
	}
	raw := value.Raw
	if h.half != "" {
		raw = `"` + h.half + raw[1:]
		h.half = ""
	}
	if at := firstHalf(raw); at > 0 {
		h.half, raw = raw[at:len(raw)-1], raw[:at]+`"`
	}
	if len(raw) != len(value.Raw) {
		value = gjson.Parse(raw)
	}
	h.write(unquoted(value))
}

func (h *halved) write(text string) {
	switch {
	case h.more.Len() > 0:
		h.more.WriteString(text)
	case h.first == "":
		h.first = text
	case text != "":
		h.more.WriteString(h.first)
		h.more.WriteString(text)
	}
}

// isEmpty reports whether no text has come yet.
func (h *halved) isEmpty() bool { return h.first == "" }

// String returns the text. A half without the other becomes U+FFFD.
func (h *halved) String() string {
	text := h.first
	if h.more.Len() > 0 {
		text = h.more.String()
	}
	if h.half != "" {
		text += "\ufffd"
	}
	return text
}

// firstHalf is where in a quoted string the escape of the first half of a surrogate pair (\ud800 to \udbff) begins that ends it; 0 = it
// ends otherwise.
func firstHalf(raw string) int {
	at := len(raw) - len(`\ud83d"`)
	if at < 1 || raw[at:at+2] != `\u` || raw[at+2]|0x20 != 'd' || !strings.ContainsRune("89abAB", rune(raw[at+3])) {
		return 0
	}
	if escapes := at - len(strings.TrimRight(raw[:at], `\`)); escapes%2 == 1 {
		return 0 // an escaped backslash, and letters
	}
	return at
}
