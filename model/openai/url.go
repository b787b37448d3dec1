package openai

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"omniscope"
)

// DefaultBaseURL is where OpenAI itself answers.
const DefaultBaseURL = "https://api.openai.com/v1"

// NormalizeURL returns the base URL with a path and without a trailing slash.
// It accepts what people set elsewhere: with or without /v1, or the full
// /chat/completions address, which is taken by its word. A query stays: it is
// sent with every request.
func NormalizeURL(raw string) (string, error) {
	u, err := parseBaseURL(raw)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

func parseBaseURL(raw string) (*url.URL, error) {
	if raw == "" {
		raw = DefaultBaseURL
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "base URL",
			Err: fmt.Errorf("%q is not an address such as http://localhost:8000/v1", withoutSecrets(raw))}
	}
	path, full := strings.CutSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions")
	if path == "" && !full {
		path = "/v1"
	}
	u.Path, u.RawPath, u.Fragment, u.RawFragment, u.ForceQuery = path, "", "", "", false
	return u, nil
}

// withoutSecrets takes out of what may be no URL at all the places where a URL
// has its secrets.
func withoutSecrets(raw string) string {
	raw, _, _ = strings.Cut(raw, "?")
	return raw[strings.LastIndex(raw, "@")+1:]
}

// secretParameter tells by their names which parameters of a query are keys;
// others, such as a version, may well be words of an answer.
var secretParameter = regexp.MustCompile(`(?i)key|token|secret|pass|auth|sig|code`)

// secretsOf returns the secrets in an address.
func secretsOf(u *url.URL) (secrets []omniscope.Secret) {
	add := func(s string) { secrets = append(secrets, omniscope.NewSecret(s)) }
	if password, ok := u.User.Password(); ok {
		add(password)
	}
	for name, values := range u.Query() {
		if secretParameter.MatchString(name) {
			for _, v := range values {
				add(v)
			}
		}
	}
	return secrets
}

// Redacted returns a URL without user name, password and query.
func Redacted(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "(not a URL)"
	}
	u.User, u.RawQuery, u.Fragment, u.ForceQuery = nil, "", "", false
	return u.String()
}
