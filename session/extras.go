package session

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/internal/environ"
)

// extras are the further headers and the further query of a role's requests, with
// the origins of their values.
type extras struct {
	headers, query map[string]omniscope.Secret
	from           []environ.Source
	shaping        []string // NAME=VALUE of headers and query values marked with !
	others         []string // names of all others
}

// route is a digest of what chooses who answers behind one address; "" = nothing does. It is an HMAC with a
// constant key, so that all machines have the same and no value is in it.
func (e *extras) route() string {
	if len(e.shaping) == 0 {
		return ""
	}
	slices.Sort(e.shaping)
	mac := hmac.New(sha256.New, []byte("omniscope: headers that choose who answers"))
	for _, text := range e.shaping {
		fmt.Fprintf(mac, "%d %s\n", len(text), text)
	}
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// SetRoute notes which of the role's headers and query choose who answers. Check reports what is wrong with them.
func (r *Role) SetRoute() {
	if e, err := r.extras(); err == nil {
		r.Route = e.route()
	}
}

// extras reads the values from the environment. Its errors quote names alone: who
// writes a value in place of a variable should not find it in a log.
func (r *Role) extras() (e extras, err error) {
	if e.headers, err = e.read("header.NAME= of the "+r.Name, ":", r.Headers); err != nil {
		return e, err
	}
	if e.query, err = e.read("query.NAME= of the "+r.Name, "=", r.Query); err != nil {
		return e, err
	}
	return e, endpoint.CheckHeaders(e.headers)
}

func (e *extras) read(where, separator string, given []string) (map[string]omniscope.Secret, error) {
	values := make(map[string]omniscope.Secret)
	for _, text := range given {
		name, value, _ := strings.Cut(text, separator)
		name, shapes := strings.CutSuffix(strings.TrimSpace(name), "!")
		name = strings.TrimSpace(name)
		variable, ok := strings.CutPrefix(strings.TrimSpace(value), "env:")
		if !ok || name == "" || variable == "" {
			return nil, omniscope.Usagef("%s wants env:VARIABLE, with the value in that environment variable: on the command line others could read it", where)
		}
		if separator == ":" {
			name = http.CanonicalHeaderKey(name)
		}
		if _, twice := values[name]; twice {
			return nil, omniscope.Usagef("%s gives %q twice", where, name)
		}
		_, secret := environ.First([]string{variable})
		if secret == "" {
			return nil, omniscope.Usagef("%s: the environment variable %s, which has the value of %q, is not set", where, variable, name)
		}
		values[name] = omniscope.NewSecret(secret)
		if shapes {
			e.shaping = append(e.shaping, name+separator+secret)
		} else if !isKey(name) {
			e.others = append(e.others, name)
		}
		e.from = append(e.from, environ.SourceOf(variable))
	}
	return values, nil
}

// checkRoute refuses to ask without the headers that chose who answers: a worker does not get them from the command.
func (r *Role) checkRoute() error {
	if e, err := r.extras(); err != nil || e.route() != r.Route {
		return cmp.Or(err, omniscope.Usagef("the %s of this run is chosen by headers or a query marked with !, and they have no such values here: its own command asks it", r.Name))
	}
	return nil
}

// isKey reports whether a header is a key, which chooses who pays and not who answers.
func isKey(name string) bool {
	return slices.Contains([]string{"authorization", "api-key", "x-api-key", "x-goog-api-key"}, strings.ToLower(name))
}

// ToolHeaders are the further headers for a server at an address, which it may have wherever the user named it. A proxy may
// have those alone that come from where it was named.
func (m *Models) ToolHeaders(address string) (map[string]omniscope.Secret, error) {
	if address == "" || len(m.Settings.ToolHeaders) == 0 {
		return nil, nil
	}
	var e extras
	headers, err := e.read("--tool-header", ":", m.Settings.ToolHeaders)
	if err != nil {
		return nil, err
	}
	for _, from := range e.from {
		warning, err := ProxyOf(address).MayHave(from)
		if err != nil {
			return nil, err
		}
		if warning != "" {
			fmt.Fprintln(m.warnings, warning)
		}
		m.Asks(fmt.Sprintf("tools of %s, with the key from %s", address, from))
	}
	return headers, nil
}
