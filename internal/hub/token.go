package hub

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// A Token is an access token of the hub that does not print: not with any verb
// of fmt, not in JSON, not in a log.
type Token struct{ value string }

const hidden = "[secret]"

// NewToken hides value. The line ends that files and pasted lines come with are
// taken off.
func NewToken(value string) Token { return Token{strings.TrimSpace(value)} }

// IsSet reports whether there is a token at all.
func (t Token) IsSet() bool { return t.value != "" }

func (t Token) String() string { return hidden }

// Format keeps every verb of package fmt from printing it.
func (t Token) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// MarshalText keeps encoders from printing it.
func (t Token) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// LogValue keeps logs from printing it.
func (t Token) LogValue() slog.Value { return slog.StringValue(hidden) }

// redact returns text without the token: servers have been seen to repeat what
// they were sent. Tokens too short to be any are left alone.
func (t Token) redact(text string) string {
	if len(t.value) < 8 {
		return text
	}
	return strings.ReplaceAll(text, t.value, hidden)
}
