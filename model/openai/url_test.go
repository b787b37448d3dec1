package openai

import (
	"net/http"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model/exchange"
)

func TestBaseURLForms(t *testing.T) {
	for raw, want := range map[string]string{
		"":                                                             address.Default,
		"http://localhost:8000":                                        "http://localhost:8000/v1",
		"http://localhost:8000/":                                       "http://localhost:8000/v1",
		"http://localhost:8000/v1":                                     "http://localhost:8000/v1",
		"http://localhost:8000/v1///":                                  "http://localhost:8000/v1",
		" http://localhost:8000/v1\n":                                  "http://localhost:8000/v1",
		"HTTPS://example.org/v1":                                       "https://example.org/v1",
		"http://Example.ORG:80/v1":                                     "http://example.org/v1",
		"https://Example.org:443/V1":                                   "https://example.org/V1",
		"https://example.org:80/v1":                                    "https://example.org:80/v1",
		"http://[::1]:80":                                              "http://[::1]/v1",
		"http://me@Example.org:/v1":                                    "http://me@example.org/v1",
		"http://localhost:8000/v1/embeddings":                          "http://localhost:8000/v1",
		"http://localhost:8000/v1/audio/transcriptions":                "http://localhost:8000/v1",
		"http://[::1]:8000":                                            "http://[::1]:8000/v1",
		"https://example.org/compatible/v1":                            "https://example.org/compatible/v1",
		"https://example.org/v1/chat/completions":                      "https://example.org/v1",
		"https://example.org/v1/chat/completions/":                     "https://example.org/v1",
		"https://example.org/chat/completions":                         "https://example.org",
		"https://example.org/v1?api-version=2024-10-21":                "https://example.org/v1?api-version=2024-10-21",
		"https://example.org/d/x/chat/completions?api-version=1&b=%20": "https://example.org/d/x?api-version=1&b=%20",
		"https://example.org/v1?#top":                                  "https://example.org/v1",
	} {
		got, err := NormalizeURL(raw)
		if err != nil || got != want {
			t.Errorf("NormalizeURL(%q) = %q, %v; want %q", raw, got, err, want)
		}
	}
}

func TestInvalidBaseURLsHideSecrets(t *testing.T) {
	for _, raw := range []string{
		"localhost:8000/v1", "example.org", "/v1", "ftp://example.org/v1", "http://", "http:///v1", "http://:8000/v1", "http://example.org:port/v1",
		"http://exa mple.org", "%", "http://example.org/%zz", "ftp://me:hunter2@example.org/v1?key=hunter2", "http://me:hunter2@example.org:port?key=hunter2",
	} {
		_, err := NormalizeURL(raw)
		fixture.WantError(t, err, omniscope.Usage, "base URL")
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error tells the password: %v", err)
		}
		if _, err := New(Options{Options: exchange.Options{BaseURL: raw}}); omniscope.KindOf(err) != omniscope.Usage {
			t.Errorf("New took %q: %v", raw, err)
		}
	}
}

func TestBaseURLQuery(t *testing.T) {
	var seen []string
	m := serving(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.String())
		answer(w, 200, nil, completion("yes"))
	}, Options{Options: exchange.Options{BaseURL: "/deployments/x?api-version=2024-10-21&key=hunter2"}})
	if _, err := ask(t, m); err != nil {
		t.Fatal(err)
	}
	fixture.OK(t, m.Probe(t.Context()))
	const query = "?api-version=2024-10-21&key=hunter2"
	if len(seen) != 2 || seen[0] != "/deployments/x/chat/completions"+query || seen[1] != "/deployments/x/models"+query {
		t.Errorf("got requests for %q", seen)
	}
	if shown := m.BaseURL(); strings.Contains(shown, "?") || !strings.HasSuffix(shown, "/deployments/x") {
		t.Errorf("shows %q", shown)
	}
}

func TestFullAddress(t *testing.T) {
	var seen string
	m := serving(t, func(w http.ResponseWriter, r *http.Request) {
		seen = r.URL.Path
		answer(w, 200, nil, completion("yes"))
	}, Options{Options: exchange.Options{BaseURL: "/chat/completions"}})
	if _, err := ask(t, m); err != nil || seen != "/chat/completions" {
		t.Errorf("got a request for %q, %v", seen, err)
	}
}

func TestRedacted(t *testing.T) {
	for raw, want := range map[string]string{
		"https://me:hunter2@example.org/v1?key=hunter2#hunter2": "https://example.org/v1",
		"https://example.org/v1?":                               "https://example.org/v1",
		"http://h:port/hunter2":                                 "(not a URL)",
	} {
		if got := Redacted(raw); got != want {
			t.Errorf("Redacted(%q) = %q, want %q", raw, got, want)
		}
	}
}
