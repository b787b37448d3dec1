package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"omniscope"
	"omniscope/catalog"
	"omniscope/internal/environ"
	"omniscope/internal/hub"
	"omniscope/model/openai"
)

// An endpoint is where a provider's models answer, and who said so.
type endpoint struct {
	url     string
	urlFrom environ.Source // zero = the provider's own address
	key     omniscope.Secret
	keyFrom environ.Source // zero = no key
	flag    string         // that would give another address
}

// The flags that give addresses.
const (
	judgeAddress = "judge-base-url"
	modelAddress = "model-base-url"
)

// resolveEndpoint takes the address from the flag's value, else the
// environment, else the provider's own; the key from the environment. A judge
// may have a key of its own, which other models do not get to see.
func resolveEndpoint(p catalog.Provider, flag, flagURL string, flagFrom environ.Source) endpoint {
	e := endpoint{url: p.BaseURL, flag: flag}
	if name, value := environ.First(p.URLEnv); value != "" {
		e.url, e.urlFrom = value, environ.SourceOf(name)
	}
	if flagURL != "" {
		e.url, e.urlFrom = flagURL, flagFrom
	}
	keys := p.KeyEnv
	if flag == judgeAddress {
		keys = append([]string{"OMNISCOPE_JUDGE_API_KEY"}, keys...)
	}
	if name, value := environ.First(keys); value != "" {
		e.key, e.keyFrom = omniscope.NewSecret(value), environ.SourceOf(name)
	}
	return e
}

// info is the endpoint as results and messages show it.
func (e endpoint) info() omniscope.EndpointInfo {
	return omniscope.EndpointInfo{Address: shownURL(e.url), AddressFrom: e.urlFrom.String(), KeyFrom: e.keyFrom.String()}
}

// String says where the endpoint is, and who said so.
func (e endpoint) String() string {
	key := "no key"
	if e.key.IsSet() {
		key = "key from " + e.keyFrom.String()
	}
	return fmt.Sprintf("%s (%s), %s", shownURL(e.url), e.namedBy(), key)
}

func (e endpoint) namedBy() string {
	if e.urlFrom.Name == "" {
		return "the provider's own"
	}
	return e.urlFrom.String()
}

// announcement is what a command says before it asks and pays.
func (e endpoint) announcement(who string) []string {
	lines := []string{fmt.Sprintf("%s at %s", who, e)}
	if warning := e.warning(); warning != "" {
		lines = append(lines, "warning: "+warning)
	}
	return lines
}

func shownURL(raw string) string {
	u, err := openai.NormalizeURL(raw)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return openai.Redacted(u)
}

// check refuses to send a key to where a .env of a folder above the working
// folder leads, unless the key is of the same file: whoever can write to such a
// folder could otherwise have the key of everybody who works below.
func (e endpoint) check() error {
	_, err := e.strangers()
	return err
}

// warning says that the key goes where the .env of the working folder leads; ""
// where it does not. This is a usual set-up, and what a cloned repository with a
// .env of its own looks like.
func (e endpoint) warning() string {
	warning, _ := e.strangers()
	return warning
}

// strangers compares the origins of the key and of each address it passes.
func (e endpoint) strangers() (warning string, err error) {
	if !e.key.IsSet() {
		return "", nil
	}
	advice := "or give the address with --" + e.flag
	for _, address := range []leading{{e.urlFrom, shownURL(e.url), advice}, proxyOf(e.url)} {
		more, err := address.mayHave(e.keyFrom)
		if err != nil {
			return "", err
		}
		if warning == "" {
			warning = more
		}
	}
	return warning, nil
}

// leading is an address that a key is sent to or by, and who gave it.
type leading struct {
	environ.Source
	address string // without passwords
	advice  string // another way to give it
}

// mayHave decides whether an address may get a key.
func (l leading) mayHave(key environ.Source) (warning string, err error) {
	if l.File == "" || l.File == key.File {
		return "", nil
	}
	from := "from " + key.String()
	if l.Above {
		return "", usagef("%s sends the key %s to %s: an address of a .env above the working folder is used only with a key of the same file. "+
			"Put the key into that file, or export %s in the environment%s", l, from, l.address, l.Name, prefixed(", ", l.advice))
	}
	return fmt.Sprintf("%s sends the key %s to %s", l, from, l.address), nil
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// proxyOf is the proxy that the environment names for an address.
func proxyOf(address string) leading {
	to, err := url.Parse(address)
	if err != nil {
		return leading{}
	}
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: to})
	if err != nil || proxy == nil {
		return leading{}
	}
	name := strings.ToUpper(to.Scheme) + "_PROXY"
	if os.Getenv(name) == "" {
		name = strings.ToLower(name)
	}
	return leading{Source: environ.SourceOf(name), address: openai.Redacted(proxy.String())}
}

// hubFromEnv is the hub that the environment describes. Its token is subject to
// the same rule as other keys; one in a file of the user's is not the .env's.
func hubFromEnv() (client *hub.Client, warning string, err error) {
	if client, err = hub.FromEnv(); err != nil || !client.Token.IsSet() {
		return client, "", err
	}
	token := environ.Source{Name: "the file of the hub's token"}
	if name, _ := environ.First([]string{"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"}); name != "" {
		token = environ.SourceOf(name)
	}
	at, address := leading{}, hub.DefaultEndpoint
	if client.Endpoint != "" {
		address = client.Endpoint
		at = leading{Source: environ.SourceOf("HF_ENDPOINT"), address: openai.Redacted(address)}
	}
	warning, err = at.mayHave(token)
	if err == nil && warning == "" {
		warning, err = proxyOf(address).mayHave(token)
	}
	return client, warning, err
}
