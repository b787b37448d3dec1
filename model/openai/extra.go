package openai

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/openai/openai-go/v3/option"

	"omniscope"
)

// ownHeaders are those that net/http and the SDK set themselves.
var ownHeaders = []string{"Connection", "Content-Length", "Content-Type", "Host", "Transfer-Encoding"}

// checkHeaders refuses headers that cannot be sent. It quotes no value.
func checkHeaders(headers map[string]omniscope.Secret) error {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		problem := ""
		switch {
		case name == "" || strings.ContainsFunc(name, notInHeaderName):
			problem = "is no name of a header"
		case slices.Contains(ownHeaders, http.CanonicalHeaderKey(name)):
			problem = "is set by the program itself"
		case strings.ContainsFunc(headers[name].Reveal(), isControl):
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

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// addQuery adds further values to the query of an address, in place of those of
// the same names.
func addQuery(base *url.URL, more map[string]omniscope.Secret) {
	if len(more) == 0 {
		return
	}
	query := base.Query()
	for name, value := range more {
		query.Set(name, value.Reveal())
	}
	base.RawQuery = query.Encode()
}

// headerOptions are the SDK's options for the key and the further headers, which
// win over the key's.
func (o *Options) headerOptions(key string, user bool) (options []option.RequestOption) {
	switch {
	case o.KeyHeader == "" && key == "" && !user:
		options = append(options, option.WithAPIKey("none")) // the protocol wants a bearer token; local servers ignore it
	case o.KeyHeader == "":
		options = append(options, option.WithAPIKey(key))
	case key != "":
		options = append(options, option.WithHeader(o.KeyHeader, key))
	}
	for name, value := range o.Headers {
		options = append(options, option.WithHeader(name, value.Reveal()))
	}
	return options
}

// sentSecrets are the values of the headers: an organization's name is none, but
// which of them are keys is not known.
func (o *Options) sentSecrets() (secrets []omniscope.Secret) {
	for _, value := range o.Headers {
		secrets = append(secrets, value)
		if scheme, token, ok := strings.Cut(value.Reveal(), " "); ok && strings.EqualFold(scheme, "bearer") {
			secrets = append(secrets, omniscope.NewSecret(strings.TrimSpace(token)))
		}
	}
	return secrets
}
