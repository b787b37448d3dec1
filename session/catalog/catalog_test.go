package catalog

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model/openai"
	"omniscope/model/wrap"
)

func TestSplitModel(t *testing.T) {
	for spec, want := range map[string]struct{ provider, name string }{
		"openai/gpt-4o":                    {"openai", "gpt-4o"},
		"openrouter/meta-llama/llama-3-8b": {"openrouter", "meta-llama/llama-3-8b"},
		"vllm//models/a":                   {"vllm", "/models/a"},
		"scripted/answers.jsonl":           {"scripted", "answers.jsonl"},
		"offline":                          {"offline", ""},
		"offline/lexical":                  {"offline", "lexical"},
	} {
		p, name, err := SplitModel(spec)
		if err != nil || p.Name != want.provider || name != want.name {
			t.Errorf("%q: got %q and %q, %v", spec, p.Name, name, err)
		}
	}
}

func TestSplitModelAdvice(t *testing.T) {
	for spec, words := range map[string]string{
		"":          "PROVIDER/NAME",
		"gpt-4o":    `"gpt-4o" names no provider; did you mean openai/gpt-4o?`,
		"/gpt-4o":   "openai, vllm",
		"OpenAI/x":  `no provider "OpenAI"`,
		"openai":    "write openai/NAME, such as",
		"openai/":   "write openai/NAME, such as",
		"scripted/": "write scripted/FILE",
	} {
		_, _, err := SplitModel(spec)
		fixture.WantError(t, err, omniscope.Usage, words)
	}
}

func TestBenchmarkByName(t *testing.T) {
	seen := map[string]bool{}
	for _, open := range Benchmarks {
		name := open().Info().Name
		if name == "" || seen[name] {
			t.Errorf("the name %q is empty or there twice", name)
		}
		seen[name] = true
		if got, err := Benchmark(name); err != nil || got.Info().Name != name {
			t.Errorf("%q: got %v, %v", name, got, err)
		}
	}
	_, err := Benchmark("no-such")
	fixture.WantError(t, err, omniscope.Usage, `"no-such"`)
	fixture.WantError(t, err, omniscope.Usage, Benchmarks[0]().Info().Name)
}

func TestProvidersAreSane(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Providers {
		if p.Name == "" || strings.Contains(p.Name, "/") || seen[p.Name] || p.About == "" {
			t.Errorf("%+v: a name that is empty, there twice or has a slash, or nothing about it", p)
		}
		seen[p.Name] = true
		if p.Local() {
			if p.BaseURL != "" || p.URLEnv != nil || p.KeyEnv != nil {
				t.Errorf("%s is local and has an address or a key", p.Name)
			}
			continue
		}
		if got, err := openai.NormalizeURL(p.BaseURL); p.Transcribes && (err != nil || got != p.BaseURL) {
			t.Errorf("%s: %q is not a base URL in its plain form: %q, %v", p.Name, p.BaseURL, got, err)
		}
		if len(p.URLEnv) == 0 || len(p.KeyEnv) == 0 {
			t.Errorf("%s: nothing sets its address or its key", p.Name)
		}
		if u, err := url.Parse(p.BaseURL); err == nil && u.Scheme != "https" && u.Hostname() != "localhost" {
			t.Errorf("%s: a key would go through the net in the open", p.Name)
		}
	}
}

func TestBuiltInPrices(t *testing.T) {
	prices, err := Prices(t.Context(), "")
	if err != nil || len(prices) == 0 {
		t.Fatal(len(prices), err)
	}
	for spec, p := range prices {
		if _, _, err := SplitModel(spec); err != nil {
			t.Errorf("a price for what is no model: %v", err)
		}
		if p.Minute == 0 && (p.In <= 0 || p.Out < p.In) || p.Minute < 0 {
			t.Errorf("%s: %+v is an odd price", spec, p)
		}
	}
}

func TestPricesOfAFile(t *testing.T) {
	prices, err := Prices(t.Context(), fixture.File(t, "prices.yaml", "openai/x: {in: 0.5, out: 2}\nvllm/y: {in: 0, out: 0, cached: 0.25, audio: 0.5}\nopenai/hears: {minute: 0.006}\n"))
	if err != nil || len(prices) != 3 || prices["openai/hears"] != (wrap.Price{Minute: 0.006}) || prices["openai/x"] != (wrap.Price{In: 0.5, Out: 2}) || *prices["vllm/y"].Cached != 0.25 || *prices["vllm/y"].Audio != 0.5 {
		t.Errorf("got %v %v", prices, err)
	}
	if prices, err := Prices(t.Context(), fixture.File(t, "prices.yaml", "# none yet\n")); err != nil || len(prices) != 0 {
		t.Errorf("an empty list: got %v %v", prices, err)
	}
}

func TestInvalidPrices(t *testing.T) {
	for text, words := range map[string]string{
		"a/b: {in: 1, out: 2, discount: 3}":  "discount",
		"a/b: {input: 1}":                    "input",
		"a/b: {in: 1, out: 2}\na/b: {in: 3}": "already defined",
		"a/b: {in: 1, in: 2, out: 2}":        "already defined",
		"a/b: {in: one, out: 2}":             "line 1",
		"a/b: 1":                             "1",
		"- a/b":                              "line 1",
		"a/b: {in: 1":                        "",
		"a/b: {in: -1, out: 2}":              "a/b",
		"a/b: {in: 1, out: -0.5}":            "a/b",
		"a/b: {in: .nan, out: 2}":            "a/b",
		"a/b: {in: 1, out: .inf}":            "a/b",
		"a/b: {in: 1}":                       "a/b",
		"a/b: {out: 1}":                      "a/b",
		"a/b: {in: 1, out: 1, minute: 1}":    "a/b",
		"a/b: {in: 1, out: 1, cached: -1}":   "cached",
		"a/b: {minute: 1, cached: 1}":        "a/b",
		"a/b: {minute: 1, audio: 1}":         "a/b",
		"a/b: {in: 1, out: 1, audio: -1}":    "audio",
		"a/b: {in: 1, minute: 1}":            "a/b",
		"a/b: {minute: -1}":                  "minute",
		"a/b: {}":                            "a/b",
		"a/b:":                               "a/b",
	} {
		path := fixture.File(t, "prices.yaml", text)
		prices, err := Prices(t.Context(), path)
		if prices != nil {
			t.Errorf("%q: got %v", text, prices)
		}
		fixture.WantError(t, err, omniscope.Invalid, words)
		fixture.WantError(t, err, omniscope.Invalid, path)
	}
}

func TestMissingPrices(t *testing.T) {
	_, err := Prices(t.Context(), filepath.Join(t.TempDir(), "none.yaml"))
	fixture.WantError(t, err, omniscope.NotFound, "none.yaml")
}
