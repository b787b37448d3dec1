package session

import (
	"net/http"
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
}

// extras reads the values from the environment. Its errors quote names alone: who
// writes a value in place of a variable should not find it in a log.
func (r *Role) extras() (e extras, err error) {
	if e.headers, err = e.read(r.Name+"-header", ":", r.Headers); err != nil {
		return e, err
	}
	if e.query, err = e.read(r.Name+"-query", "=", r.Query); err != nil {
		return e, err
	}
	return e, endpoint.CheckHeaders(e.headers)
}

func (e *extras) read(flag, separator string, given []string) (map[string]omniscope.Secret, error) {
	values := make(map[string]omniscope.Secret)
	for _, text := range given {
		name, value, _ := strings.Cut(text, separator)
		name = strings.TrimSpace(name)
		variable, ok := strings.CutPrefix(strings.TrimSpace(value), "env:")
		if !ok || name == "" || variable == "" {
			return nil, omniscope.Usagef("--%s wants NAME%s env:VARIABLE, with the value in that environment variable: on the command line others could read it", flag, separator)
		}
		if separator == ":" {
			name = http.CanonicalHeaderKey(name)
		}
		if _, twice := values[name]; twice {
			return nil, omniscope.Usagef("--%s gives %q twice", flag, name)
		}
		_, secret := environ.First([]string{variable})
		if secret == "" {
			return nil, omniscope.Usagef("--%s: the environment variable %s, which has the value of %q, is not set", flag, variable, name)
		}
		values[name] = omniscope.NewSecret(secret)
		e.from = append(e.from, environ.SourceOf(variable))
	}
	return values, nil
}
