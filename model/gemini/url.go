package gemini

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"omniscope/model/exchange"
)

// version is the last element of a path that names a version of the API, such
// as v1beta.
var version = regexp.MustCompile(`/v[0-9]+[a-z0-9]*$`)

// base has a version of the API at its end, v1beta unless it names another one.
var base = exchange.Address{Default: "https://generativelanguage.googleapis.com/v1beta", Path: func(path string) string {
	if !version.MatchString(path) {
		path += "/v1beta"
	}
	return path
}}

// NormalizeURL returns the base URL with a version and without a trailing slash.
func NormalizeURL(raw string) (string, error) { return base.Normalize(raw) }

// address is where a path of the API is, such as models/NAME:generateContent.
// The path is escaped already.
func (m *Model) address(path string) string { return m.under(m.Base.Path, path) }

// uploadAddress is where uploads begin: the API has them beside its versions.
func (m *Model) uploadAddress() string {
	at := version.FindStringIndex(m.Base.Path)[0]
	return m.under(m.Base.Path[:at]+"/upload"+m.Base.Path[at:], "files")
}

func (m *Model) under(base, path string) string {
	u := *m.Base
	u.Path, u.RawPath = base, ""
	query := u.RawQuery
	u.RawQuery = ""
	whole := u.String() + "/" + path
	if query != "" {
		whole += "?" + query
	}
	return whole
}

// here is an address that the server gave, at the host that the user gave: media
// and key are for that one alone. Google's SDK does the same (go-genai:
// api_client.go, upload).
func (m *Model) here(given string) (string, error) {
	u, err := url.Parse(given)
	if err != nil || given == "" {
		return "", exchange.Trouble(fmt.Errorf("the server accepted an upload and did not say where to send it"))
	}
	u.Scheme, u.Host, u.User = m.Base.Scheme, m.Base.Host, m.Base.User
	return u.String(), nil
}

// modelPath is the path of a model. Tuned models have a prefix of their own.
func modelPath(name string) string {
	for _, prefix := range []string{"models/", "tunedModels/"} {
		if bare, ok := strings.CutPrefix(name, prefix); ok {
			return prefix + url.PathEscape(bare)
		}
	}
	return "models/" + url.PathEscape(name)
}
