package main

import (
	"net/url"
	"os"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/dotenv"
	"omniscope/internal/hub"
	"omniscope/results/push"
	"omniscope/session/catalog"
)

// keyEndings are the ends of names of variables that hold keys.
var keyEndings = []string{"_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_CREDENTIALS", "_HEADERS"}

// keysOfEnvironment are the values of keys that this program knows: of variables of
// providers, of variables whose names say that they hold keys, passwords within
// addresses, and the hub's token; from the environment and from the nearest .env,
// whichever of the two counts.
func keysOfEnvironment() (keys []push.Secret) {
	add := func(name, value string) {
		if isKey(name) {
			keys = append(keys, push.Secret{Name: name, Value: omniscope.NewSecret(value)})
		}
		if u, err := url.Parse(value); err == nil && u.User != nil {
			if password, ok := u.User.Password(); ok {
				keys = append(keys, push.Secret{Name: "the password in " + name, Value: omniscope.NewSecret(password)})
			}
		}
	}
	for _, line := range os.Environ() {
		name, value, _ := strings.Cut(line, "=")
		add(name, value)
	}
	if folder, err := os.Getwd(); err == nil {
		if f := dotenv.Nearest(folder, ".env"); f != nil {
			for _, s := range f.Settings {
				add(s.Name, s.Value)
			}
		}
	}
	if client, err := hub.FromEnv(); err == nil {
		keys = append(keys, push.Secret{Name: "the token of the hub", Value: client.Token})
	}
	return keys
}

func isKey(name string) bool {
	upper := strings.ToUpper(name)
	if slices.ContainsFunc(keyEndings, func(end string) bool { return strings.HasSuffix(upper, end) }) {
		return true
	}
	return slices.ContainsFunc(catalog.Providers, func(p catalog.Provider) bool {
		return slices.Contains(p.Variables(), name) && !slices.Contains(p.URLEnv, name)
	})
}
