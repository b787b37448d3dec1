package session

import (
	"strings"

	"omniscope/model/openai"
	"omniscope/model/ref"
)

// CommandLine is the command line of this program without anything secret in its addresses.
func CommandLine(args []string) []string {
	safe := []string{"omniscope"}
	for _, a := range args[1:] {
		name, value, given := strings.Cut(a, "=")
		switch {
		case strings.Contains(a, "://") && given && strings.HasPrefix(name, "--"):
			a = name + "=" + withoutSecrets(value)
		case strings.Contains(a, "://"):
			a = withoutSecrets(a)
		}
		safe = append(safe, a)
	}
	return safe
}

// withoutSecrets is an address, or a model reference with addresses, without what is secret in them.
func withoutSecrets(text string) string {
	r, err := ref.Parse(text)
	if _, inReference := r.Get("base-url"); err != nil || !inReference {
		return openai.Redacted(text)
	}
	for i, s := range r.Settings {
		if strings.Contains(s.Value, "://") {
			r.Settings[i].Value = openai.Redacted(s.Value)
		}
	}
	return r.String()
}
