package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model/exchange"
)

func secrets(pairs ...string) map[string]omniscope.Secret {
	m := make(map[string]omniscope.Secret)
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = omniscope.NewSecret(pairs[i+1])
	}
	return m
}

// seeing is a Model, and the requests that its endpoint got.
func seeing(t *testing.T, o Options) (*Model, *[]*http.Request) {
	t.Helper()
	var seen []*http.Request
	return serving(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r)
		if r.Method == http.MethodGet {
			answer(w, 200, nil, `{"data":[]}`)
			return
		}
		answer(w, 200, nil, completion("yes"))
	}, o), &seen
}

func TestHeadersAndQueryOfGateways(t *testing.T) {
	m, seen := seeing(t, Options{Options: exchange.Options{BaseURL: "/v1?team=a&kept=1", Key: omniscope.NewSecret(key), Headers: secrets("X-Gateway-Key", "gw-0123456789", "cf-aig-metadata", `{"a": 1}`), Query: secrets("team", "b", "region", "eu west")}})
	if _, err := ask(t, m); err != nil {
		t.Fatal(err)
	}
	fixture.OK(t, m.Probe(t.Context()))
	for _, r := range *seen {
		if got := r.URL.RawQuery; got != "kept=1&region=eu+west&team=b" {
			t.Errorf("%s: sent the query %q", r.URL.Path, got)
		}
		for name, want := range map[string]string{"X-Gateway-Key": "gw-0123456789", "Cf-Aig-Metadata": `{"a": 1}`, "Authorization": "Bearer " + key} {
			if got := r.Header.Values(name); len(got) != 1 || got[0] != want {
				t.Errorf("%s: sent %s: %q, want %q", r.URL.Path, name, got, want)
			}
		}
	}
	if len(*seen) != 2 {
		t.Errorf("%d requests, want 2", len(*seen))
	}
}

func TestHeaderReplacesKey(t *testing.T) {
	for _, k := range []string{"", key} {
		m, seen := seeing(t, Options{Options: exchange.Options{Key: omniscope.NewSecret(k), Headers: secrets("authorization", "Token abcdefgh12345678")}})
		if _, err := ask(t, m); err != nil {
			t.Fatal(err)
		}
		if got := (*seen)[0].Header.Values("Authorization"); len(got) != 1 || got[0] != "Token abcdefgh12345678" {
			t.Errorf("sent %q", got)
		}
	}
}

func TestKeyInAHeaderOfItsOwn(t *testing.T) {
	for k, want := range map[string]string{key: key, "": ""} {
		m, seen := seeing(t, Options{Options: exchange.Options{Key: omniscope.NewSecret(k)}, KeyHeader: "api-key"})
		if _, err := ask(t, m); err != nil {
			t.Fatal(err)
		}
		if h := (*seen)[0].Header; h.Get("Api-Key") != want || h.Get("Authorization") != "" {
			t.Errorf("sent %q and %q", h.Get("Api-Key"), h.Get("Authorization"))
		}
	}
}

func TestServerRepeatsHeadersAndQuery(t *testing.T) {
	const told = "gw-0123456789 and tok-9876543210 and qk-5555666677"
	for _, status := range []int{200, 400} {
		body := completion(told)
		if status != 200 {
			body = said(told, "", "")
		}
		m := serving(t, func(w http.ResponseWriter, r *http.Request) { answer(w, status, nil, body) }, Options{Options: exchange.Options{Headers: secrets("X-Gateway", "gw-0123456789", "X-Auth", "Bearer tok-9876543210"), Query: secrets("key", "qk-5555666677")}})
		resp, err := ask(t, m)
		got := fmt.Sprintf("%+v %v %#v %v %#v", resp, err, err, m, m)
		for _, secret := range strings.Split(told, " and ") {
			if strings.Contains(got, secret) {
				t.Errorf("%d: %s is told: %s", status, secret, got)
			}
		}
	}
}

func TestHeadersNeverPrinted(t *testing.T) {
	o := Options{Options: exchange.Options{Headers: secrets("X-Gateway", "gw-0123456789"), Query: secrets("key", "qk-5555666677")}}
	text, err := json.Marshal(o)
	fixture.OK(t, err)
	if told := fmt.Sprintf("%v %+v %#v %s", o, o, o, text); strings.Contains(told, "0123456789") || strings.Contains(told, "5555666677") {
		t.Errorf("told: %s", told)
	}
}

func TestInvalidHeaders(t *testing.T) {
	for name, value := range map[string]string{"": "v", "a b": "v", "a:": "v", "é": "v", "a\n": "v", "X": "hunter2\r\nY: z", "host": "v", "Content-Type": "v"} {
		_, err := New(Options{Options: exchange.Options{Headers: secrets(name, value)}})
		fixture.WantError(t, err, omniscope.Usage, "header")
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the value is told: %v", err)
		}
	}
}
