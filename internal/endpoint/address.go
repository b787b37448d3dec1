package endpoint

import (
	"net/url"
	"regexp"
	"strings"

	"omniscope"
)

// WithoutSecrets takes out of what may be no URL at all the places where a URL
// has its secrets.
func WithoutSecrets(raw string) string {
	raw, _, _ = strings.Cut(raw, "?")
	return raw[strings.LastIndex(raw, "@")+1:]
}

// secretParameter tells by their names which parameters of a query are keys;
// others, such as a version, may well be words of an answer.
var secretParameter = regexp.MustCompile(`(?i)key|token|secret|pass|auth|sig|code`)

// Canonical writes equal addresses in one way (RFC 3986, section 6.2): the host in small letters, without a port that the scheme implies.
func Canonical(u *url.URL) {
	port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	u.Host = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(u.Host), port), ":")
}

// IsSecret reports whether a value of a query is a key, by its name.
func IsSecret(name string) bool { return secretParameter.MatchString(name) }

// SecretsOf returns the secrets in an address.
func SecretsOf(u *url.URL) (secrets []omniscope.Secret) {
	add := func(s string) { secrets = append(secrets, omniscope.NewSecret(s)) }
	if password, ok := u.User.Password(); ok {
		add(password)
	}
	for name, values := range u.Query() {
		if IsSecret(name) {
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
