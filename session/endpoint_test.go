package session

import (
	"cmp"
	"context"
	"strings"
	"testing"

	"omniscope"
	"omniscope/model/exchange"
	"omniscope/model/openai"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/session/catalog"
)

func provider(t *testing.T, name string) catalog.Provider {
	t.Helper()
	for _, p := range catalog.Providers {
		if p.Name == name {
			for _, variable := range p.Variables() {
				t.Setenv(variable, "")
			}
			return p
		}
	}
	t.Fatalf("no provider %s", name)
	return catalog.Provider{}
}

// TestOrganizationStaysWithOpenAI sends organization and project to OpenAI's own
// server, and to no other that the provider is pointed at.
func TestOrganizationStaysWithOpenAI(t *testing.T) {
	p := provider(t, "openai")
	t.Setenv("OPENAI_ORGANIZATION", "org-1")
	t.Setenv("OPENAI_PROJECT_ID", "proj-1")
	for _, address := range []string{"", "https://API.openai.com"} {
		e := EndpointOf(p, &Role{Name: Judge, BaseURL: address})
		if e.Headers["OpenAI-Organization"].Reveal() != "org-1" || e.Headers["OpenAI-Project"].Reveal() != "proj-1" {
			t.Errorf("%q: sends %d headers, not organization and project", address, len(e.Headers))
		}
	}
	for _, address := range []string{"http://localhost:8000/v1", "http://api.openai.com/v1", "https://api.openai.com.example.org/v1"} {
		if e := EndpointOf(p, &Role{Name: Judge, BaseURL: address}); len(e.Headers) != 0 {
			t.Errorf("sends headers to %s", address)
		}
	}
}

func TestAzureNeedsAnAddress(t *testing.T) {
	p := provider(t, "azure")
	e := EndpointOf(p, &Role{Name: Judge})
	if err := e.Given(); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "set AZURE_OPENAI_ENDPOINT") {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(e.String(), "AZURE_OPENAI_ENDPOINT is not set") {
		t.Errorf("shown as %s", e)
	}
	t.Setenv("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com/")
	t.Setenv("OPENAI_API_VERSION", "2024-10-21")
	e = EndpointOf(p, &Role{Name: Judge})
	if err := e.Given(); err != nil || e.Shown() != "https://mine.openai.azure.com" || e.Query["api-version"].Reveal() != "2024-10-21" {
		t.Errorf("got %v, %s", err, e)
	}
	m, source, err := p.Open(t.Context(), exchange.Options{Name: "judge", BaseURL: e.URL, Query: e.Query})
	if err != nil || m == nil || source != "https://mine.openai.azure.com/openai/deployments/judge" {
		t.Errorf("got %q, %v", source, err)
	}
}

func TestAnthropicAddressShown(t *testing.T) {
	p := provider(t, "anthropic")
	t.Setenv("ANTHROPIC_BASE_URL", "https://me:hunter2hunter2@example.org/anthropic?key=hunter2hunter2")
	e := EndpointOf(p, &Role{Name: Judge})
	if e.Shown() != "https://example.org/anthropic/v1" || strings.Contains(e.String(), "hunter2") {
		t.Errorf("shown as %s", e)
	}
}

// TestEarlierSpellings finds answers under an address as earlier versions wrote it, with the host as the user wrote it.
func TestEarlierSpellings(t *testing.T) {
	for address, before := range map[string]string{
		"https://API.example.org/v1":             "https://API.example.org/v1",
		"https://api.example.org:443/v1/":        "https://api.example.org:443/v1",
		"http://Api.Example.org:80":              "http://Api.Example.org:80/v1",
		"HTTP://LOCALHOST:8000/chat/completions": "http://LOCALHOST:8000",
		"https://api.example.org/v1":             "",
		"http://localhost:8000/v1":               "",
	} {
		e := EndpointOf(provider(t, "openai"), &Role{Name: Judge, BaseURL: address})
		source, err := openai.NormalizeURL(e.URL)
		if err != nil || e.spelledBefore(source) != before {
			t.Errorf("%s: %q, %v; want %q", address, e.spelledBefore(source), err, before)
			continue
		}
		j := &Journal{Journal: answersOf{source: cmp.Or(before, source)}}
		j.knows(source, before)
		if entry, err := j.Lookup(t.Context(), run.Key{}, source); err != nil || entry == nil || entry.Source != source {
			t.Errorf("%s: %+v, %v", address, entry, err)
		}
		if entry, err := j.Lookup(t.Context(), run.Key{}, "https://elsewhere.example.org/v1"); err != nil || entry != nil {
			t.Errorf("%s: an answer of another address: %+v, %v", address, entry, err)
		}
	}
}

// answersOf is a journal with answers of one source.
type answersOf struct {
	journal.Journal
	source string
}

func (a answersOf) Lookup(_ context.Context, key run.Key, source string) (*run.Entry, error) {
	if source != a.source {
		return nil, nil
	}
	return &run.Entry{Key: key, Source: source}, nil
}

// TestQueryOfAnAddress warns of values in an address that may choose who answers.
func TestQueryOfAnAddress(t *testing.T) {
	p := provider(t, "openai")
	for address, want := range map[string]string{
		"http://h/v1":                         "",
		"http://h/v1?api-version=2024-10-21":  "",
		"http://h/v1?key=x&api-key=y&sig=z":   "",
		"http://h/v1?team=red&deployment=b":   "the value of deployment, team in the address is not part of what answers are remembered under: write it behind the model, as query.deployment!=env:VARIABLE",
		"http://h/v1?subscription-key=x&to=b": "the value of to in the address",
	} {
		e := EndpointOf(p, &Role{Name: Judge, BaseURL: address})
		if text := strings.Join(e.Announcement("judge"), "\n"); want == "" && strings.Contains(text, "warning") || !strings.Contains(text, want) {
			t.Errorf("%s: %s", address, text)
		}
	}
}

// TestAddressOfAProgramIsNamed: an address that a program sets without saying where it is from is not the provider's own.
func TestAddressOfAProgramIsNamed(t *testing.T) {
	p, r := provider(t, "openai"), &Role{Name: Judge, Model: "openai/m"}
	if by := EndpointOf(p, r).NamedBy(); by != "the provider's own" {
		t.Errorf("without an address it is %s", by)
	}
	At("http://localhost:8000/v1")(r)
	if by := EndpointOf(p, r).NamedBy(); by != "the program" {
		t.Errorf("the address is named by %s", by)
	}
}
