package session

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/endpoint"
	"omniscope/internal/environ"
	"omniscope/model/openai"
	"omniscope/session/catalog"
)

// An Endpoint is where a provider's models answer, and who said so.
type Endpoint struct {
	URL     string
	URLFrom environ.Source // zero = the provider's own address
	Key     omniscope.Secret
	KeyFrom environ.Source // zero = no key
	Flag    string         // that names the model, and with it another address

	replicas []string // addresses of further servers of the same model

	// Headers and Query are what the environment and flags want to be sent with every request.
	Headers, Query map[string]omniscope.Secret
	extraFrom      []environ.Source // of those that flags ask for
	unmarked       []string         // names of headers and query values that are not part of the journal's key
	wrong          error            // with these flags

	normalize func(raw string) (string, error)
	unset     string // the variable that sets the address, where none is set and one is needed
}

// EndpointOf takes the address of a role's models from its flag, else the
// environment, else the provider's own; the key from the environment. A role may
// have a key of its own, OMNISCOPE_JUDGE_API_KEY for the judge, which other
// models do not get to see.
func EndpointOf(p catalog.Provider, r *Role) Endpoint {
	e := Endpoint{URL: p.BaseURL, Flag: r.Name, replicas: r.Replicas, normalize: p.Normalize}
	if name, value := environ.First(p.URLEnv); value != "" {
		e.URL, e.URLFrom = value, environ.SourceOf(name)
	}
	if r.BaseURL != "" {
		e.URL, e.URLFrom = r.BaseURL, cmp.Or(r.BaseURLFrom, environ.Source{Name: "the program"})
	}
	keys := append([]string{"OMNISCOPE_" + strings.ToUpper(r.Name) + "_API_KEY"}, p.KeyEnv...)
	if r.Transport.KeyEnv != "" {
		keys = []string{r.Transport.KeyEnv}
	}
	if name, value := environ.First(keys); value != "" {
		e.Key, e.KeyFrom = omniscope.NewSecret(value), environ.SourceOf(name)
	}
	if p.NeedsURL && e.URL == p.BaseURL {
		e.unset = p.URLEnv[0]
	}
	e.Query = secretsFrom(p.QueryEnv)
	if sameHost(e.URL, p.BaseURL) {
		e.Headers = secretsFrom(p.HeaderEnv)
	}
	more, err := r.extras()
	if name := r.Transport.KeyEnv; name != "" && !e.Key.IsSet() {
		err = omniscope.Usagef("the %s %s has key-env=%s, and this environment variable is not set", r.Name, r.Model, name)
	}
	e.extraFrom, e.wrong, e.unmarked = more.from, err, more.others
	e.Headers, e.Query = with(e.Headers, more.headers), with(e.Query, more.query)
	return e
}

// inQuery lists the values in an address's query that are neither keys nor a version of the API.
func inQuery(address string) (names []string) {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(u.Query())) {
		if !isKey(name) && !endpoint.IsSecret(name) && name != openai.AzureVersion {
			names = append(names, name)
		}
	}
	return names
}

// with returns values with further ones, which win.
func with(values, more map[string]omniscope.Secret) map[string]omniscope.Secret {
	all := make(map[string]omniscope.Secret)
	maps.Copy(all, values)
	maps.Copy(all, more)
	return all
}

// secretsFrom reads the first variable that has a value, for each name.
func secretsFrom(variables map[string][]string) map[string]omniscope.Secret {
	found := make(map[string]omniscope.Secret)
	for name, from := range variables {
		if _, value := environ.First(from); value != "" {
			found[name] = omniscope.NewSecret(value)
		}
	}
	return found
}

// spelledBefore returns a source as earlier versions wrote it, with the host as the user writes it; "" = in the same way.
func (e Endpoint) spelledBefore(source string) string {
	u, err := url.Parse(strings.TrimSpace(e.URL))
	if err != nil {
		return ""
	}
	before := "//" + u.Host
	endpoint.Canonical(u)
	if spelled := strings.Replace(source, "//"+u.Host, before, 1); spelled != source {
		return spelled
	}
	return ""
}

func sameHost(a, b string) bool {
	first, err := url.Parse(a)
	if err != nil {
		return false
	}
	second, err := url.Parse(b)
	return err == nil && first.Scheme == second.Scheme && strings.EqualFold(first.Host, second.Host)
}

// Given reports that no address is set where the provider has none of its own.
func (e Endpoint) Given() error {
	if e.unset == "" {
		return nil
	}
	return omniscope.Usagef("no address is set: set %s, such as %s, or write it behind the model: --%s …,base-url=URL", e.unset, e.URL, e.Flag)
}

// Info is the endpoint as results and messages show it.
func (e Endpoint) Info() document.EndpointInfo {
	return document.EndpointInfo{Address: e.Shown(), AddressFrom: e.URLFrom.String(), KeyFrom: e.KeyFrom.String()}
}

// String says where the endpoint is, and who said so.
func (e Endpoint) String() string {
	key := "no key"
	if e.Key.IsSet() {
		key = "key from " + e.KeyFrom.String()
	}
	more := ""
	if n := len(e.replicas); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%s%s (%s), %s", e.Shown(), more, e.NamedBy(), key)
}

// NamedBy describes where the address comes from.
func (e Endpoint) NamedBy() string {
	if e.unset != "" {
		return "an example; " + e.unset + " is not set"
	}
	if u, err := url.Parse(e.URL); e.URLFrom.Name == "" && err == nil && u.Hostname() == "localhost" {
		return "the usual address of a local server"
	}
	if e.URLFrom.Name == "" {
		return "the provider's own"
	}
	return e.URLFrom.String()
}

// Announcement is what a command says before it asks and pays.
func (e Endpoint) Announcement(who string) []string {
	lines := []string{fmt.Sprintf("%s at %s", who, e)}
	if warning := e.Warning(); warning != "" {
		lines = append(lines, "warning: "+warning)
	}
	if len(e.unmarked) > 0 {
		lines = append(lines, fmt.Sprintf("warning: the value of %s is not part of what answers are remembered under: write %s! if it chooses the model", strings.Join(e.unmarked, ", "), e.unmarked[0]))
	}
	if names := inQuery(e.URL); len(names) > 0 {
		lines = append(lines, fmt.Sprintf("warning: the value of %s in the address is not part of what answers are remembered under: write it behind the model, as query.%s!=env:VARIABLE, if it chooses who answers",
			strings.Join(names, ", "), names[0]))
	}
	return lines
}

// Shown is the address as messages show it: without passwords.
func (e Endpoint) Shown() string {
	normalize := e.normalize
	if normalize == nil {
		normalize = openai.NormalizeURL
	}
	u, err := normalize(e.URL)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return openai.Redacted(u)
}

// Check refuses to send a key to where a .env of a folder above the working
// folder leads, unless the key is of the same file. Otherwise anyone who can write
// to such a folder could collect the keys of users who work below it.
func (e Endpoint) Check() error {
	if e.wrong != nil {
		return e.wrong
	}
	_, err := e.strangers()
	return err
}

// Warning says that the key goes where the .env of the working folder leads; ""
// where it does not. This is a usual set-up, and what a cloned repository with a
// .env of its own looks like.
func (e Endpoint) Warning() string {
	warning, _ := e.strangers()
	return warning
}

// strangers compares the origins of the key, and of the values that flags ask for,
// with that of each address they pass.
func (e Endpoint) strangers() (warning string, err error) {
	keys := e.extraFrom
	if e.Key.IsSet() {
		keys = append([]environ.Source{e.KeyFrom}, keys...)
	}
	advice := "or write the address behind the model: --" + e.Flag + " …,base-url=URL"
	for _, key := range keys {
		for _, address := range []EndpointAddress{{e.URLFrom, e.Shown(), advice}, ProxyOf(e.URL)} {
			more, err := address.MayHave(key)
			if err != nil {
				return "", err
			}
			if warning == "" {
				warning = more
			}
		}
	}
	return warning, nil
}

// An EndpointAddress is where a key is sent to or by, and who gave the address.
type EndpointAddress struct {
	environ.Source
	At     string // without passwords
	Advice string // another way to give it
}

// MayHave decides whether an address may get a key.
func (l EndpointAddress) MayHave(key environ.Source) (warning string, err error) {
	if l.File == "" || key.File != "" && filepath.Dir(l.File) == filepath.Dir(key.File) {
		return "", nil // whoever wrote the address wrote the key
	}
	from := "from " + key.String()
	if l.Above {
		return "", omniscope.Usagef("%s sends the key %s to %s: an address of a file above the working folder is used only with a key of the same folder. "+
			"Put the key into a .env there, or export %s in the environment%s", l, from, l.At, l.Name, prefixed(", ", l.Advice))
	}
	return fmt.Sprintf("%s sends the key %s to %s", l, from, l.At), nil
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// ProxyOf is the proxy that the environment names for an address.
func ProxyOf(address string) EndpointAddress {
	to, err := url.Parse(address)
	if err != nil {
		return EndpointAddress{}
	}
	proxy, err := environ.Proxy(&http.Request{URL: to})
	if err != nil || proxy == nil {
		return EndpointAddress{}
	}
	name := strings.ToUpper(to.Scheme) + "_PROXY"
	if os.Getenv(name) == "" {
		name = strings.ToLower(name)
	}
	return EndpointAddress{Source: environ.SourceOf(name), At: openai.Redacted(proxy.String())}
}
