package openai

import (
	"net/url"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model/exchange"
)

func TestAzureBaseURLs(t *testing.T) {
	const dated, v1 = "/openai/deployments/my%2Fgpt", "/openai/v1"
	for _, c := range []struct{ raw, version, want string }{
		{"https://r.openai.azure.com", "", v1},
		{"https://r.openai.azure.com/", "preview", v1 + "?api-version=preview"},
		{"https://r.openai.azure.com", "2024-10-21", dated + "?api-version=2024-10-21"},
		{"https://r.openai.azure.com?api-version=2024-10-21", "preview", dated + "?api-version=2024-10-21"},
		{"https://r.openai.azure.com/openai", "2024-10-21", dated + "?api-version=2024-10-21"},
		{"https://r.openai.azure.com/openai/", "", v1},
		{"https://r.openai.azure.com/openai/v1/", "", v1},
		{"https://r.openai.azure.com/openai/v1", "2024-10-21", v1},
		{"https://r.openai.azure.com/openai/deployments/other", "2024-10-21", "/openai/deployments/other?api-version=2024-10-21"},
		{"https://r.openai.azure.com/openai/deployments/other/chat/completions?api-version=2024-06-01", "2024-10-21", "/openai/deployments/other?api-version=2024-06-01"},
		{"https://r.openai.azure.com/gateway?team=a", "2024-10-21", "/gateway" + dated + "?api-version=2024-10-21&team=a"},
	} {
		got, err := AzureBaseURL(c.raw, c.version, "my/gpt")
		if want := "https://r.openai.azure.com" + c.want; err != nil || got != want {
			t.Errorf("%s, version %q: got %q, %v; want %q", c.raw, c.version, got, err, want)
		}
	}
	for _, raw := range []string{"r.openai.azure.com", "ftp://x"} {
		_, err := AzureBaseURL(raw, "", "a")
		fixture.WantError(t, err, omniscope.Usage, "base URL")
	}
}

func TestNormalizeAzure(t *testing.T) {
	for raw, want := range map[string]string{
		"https://r.openai.azure.com/":          "https://r.openai.azure.com",
		"https://r.openai.azure.com":           "https://r.openai.azure.com",
		"https://r.openai.azure.com/openai/v1": "https://r.openai.azure.com/openai/v1",
	} {
		if got, err := NormalizeAzure(raw); err != nil || got != want {
			t.Errorf("NormalizeAzure(%q) = %q, %v; want %q", raw, got, err, want)
		}
	}
}

// TestAzureRequests asks by both addresses of Azure, and lists the models where
// Azure has them.
func TestAzureRequests(t *testing.T) {
	for version, wanted := range map[string][]string{
		"":           {"/openai/v1/chat/completions", "/openai/v1/models"},
		"2024-10-21": {"/openai/deployments/judge/chat/completions?api-version=2024-10-21", "/openai/models?api-version=2024-10-21"},
	} {
		server, seen := seeing(t, Options{})
		base, err := AzureBaseURL(strings.TrimSuffix(server.BaseURL(), "/v1"), version, "judge")
		fixture.OK(t, err)
		m := mustNew(t, Options{Options: exchange.Options{BaseURL: base, Key: omniscope.NewSecret(key)}, KeyHeader: AzureKeyHeader})
		if _, err := ask(t, m); err != nil {
			t.Fatal(err)
		}
		fixture.OK(t, m.Probe(t.Context()))
		for i, r := range *seen {
			if got, err := url.QueryUnescape(r.URL.String()); err != nil || got != wanted[i] {
				t.Errorf("asked for %q, want %q", got, wanted[i])
			}
			if r.Header.Get("Api-Key") != key || r.Header.Get("Authorization") != "" {
				t.Errorf("%s: sent the key in %v", r.URL, r.Header)
			}
		}
	}
}
