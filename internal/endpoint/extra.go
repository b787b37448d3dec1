package endpoint

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"omniscope"
)

// ownHeaders are those that net/http and the adapters set themselves.
var ownHeaders = []string{"Accept-Encoding", "Connection", "Content-Length", "Content-Type", "Host", "Transfer-Encoding"}

// CheckHeaders refuses headers that cannot be sent. It quotes no value.
func CheckHeaders(headers map[string]omniscope.Secret) error {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		problem := ""
		switch {
		case name == "" || strings.ContainsFunc(name, notInHeaderName):
			problem = "is no name of a header"
		case slices.Contains(ownHeaders, http.CanonicalHeaderKey(name)):
			problem = "is set by the program itself"
		case strings.ContainsFunc(headers[name].Reveal(), IsControl):
			problem = "has a line end or another character in its value that no header can carry"
		}
		if problem != "" {
			return &omniscope.Error{Kind: omniscope.Usage, Op: "header", Err: fmt.Errorf("%q %s", name, problem)}
		}
	}
	return nil
}

// notInHeaderName reports whether a name of a header cannot have a character
// (RFC 9110, section 5.6.2).
func notInHeaderName(r rune) bool {
	letter := 'a' <= r|0x20 && r|0x20 <= 'z'
	return r > 0x7e || !letter && (r < '0' || r > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// IsControl reports whether no header can carry a character.
func IsControl(r rune) bool { return r < ' ' || r == 0x7f }

// AddQuery adds further values to the query of an address, in place of those of
// the same names.
func AddQuery(base *url.URL, more map[string]omniscope.Secret) {
	if len(more) == 0 {
		return
	}
	query := base.Query()
	for name, value := range more {
		query.Set(name, value.Reveal())
	}
	base.RawQuery = query.Encode()
}

// SecretsAmong are the values of further headers and of a further query: an
// organization's name is none, but which of them are keys is not known.
func SecretsAmong(headers, query map[string]omniscope.Secret) (secrets []omniscope.Secret) {
	for _, value := range headers {
		secrets = append(secrets, value)
		if scheme, token, ok := strings.Cut(value.Reveal(), " "); ok && strings.EqualFold(scheme, "bearer") {
			secrets = append(secrets, omniscope.NewSecret(strings.TrimSpace(token)))
		}
	}
	return append(secrets, slices.Collect(maps.Values(query))...)
}
