package omniscope

import (
	"fmt"
	"io"
	"log/slog"
)

// A Secret is a key that does not print: not with any verb of fmt, not in JSON,
// not in a log. Reveal hands it out, for the one place that must send it. A
// model.Redactor takes it out of what comes back.
type Secret struct{ value string }

const hidden = "[secret]"

// NewSecret hides value.
func NewSecret(value string) Secret { return Secret{value} }

// Reveal returns the secret itself.
func (s Secret) Reveal() string { return s.value }

// IsSet reports whether there is a secret at all.
func (s Secret) IsSet() bool { return s.value != "" }

func (s Secret) String() string { return hidden }

// Format keeps every verb of package fmt from printing it.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// MarshalText keeps encoders from printing it.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// LogValue keeps logs from printing it.
func (s Secret) LogValue() slog.Value { return slog.StringValue(hidden) }
