package catalog

import (
	"context"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/spelling"
)

// SplitModel reads provider/name.
func SplitModel(spec string) (Provider, string, error) {
	provider, name, _ := strings.Cut(spec, "/")
	var names []string
	for _, p := range Providers {
		if p.Name == provider {
			if name == "" && p.Names != "" {
				return p, "", omniscope.Usagef("%q names no model: write %s%s", spec, p.Write(), example[p.Name])
			}
			return p, name, nil
		}
		names = append(names, p.Name)
	}
	meant := spelling.Offer(meantBy(spec))
	if !strings.Contains(spec, "/") && meant != "" {
		return Provider{}, "", omniscope.Usagef("%q names no provider%s", spec, meant)
	}
	return Provider{}, "", omniscope.Usagef("no provider %q in %q%s%s PROVIDER/NAME with one of: %s (servers that speak the OpenAI protocol: openai/NAME and a base URL)",
		provider, spec, meant, write[meant != ""], strings.Join(names, ", "))
}

// write goes on after a question, or after a statement.
var write = map[bool]string{true: " Write", false: "; write"}

// example shows a model of a provider.
var example = map[string]string{"openai": ", such as openai/gpt-4.1"}

// NearPriced offers the models of a price list that a model may be meant for.
func NearPriced[T any](spec string, prices map[string]T) string {
	return spelling.Hint(spec, slices.Sorted(maps.Keys(prices)))
}

// meantBy are the models that a name without a known provider may be meant for:
// a slip in the provider, another mark than a slash, or a model's name alone.
func meantBy(spec string) []string {
	if at := strings.IndexAny(spec, "/:"); at > 0 && at < len(spec)-1 {
		name := spec[at+1:]
		var close []string
		for _, p := range Providers {
			if _, ok := spelling.Nearest(spec[:at], []string{p.Name}); ok {
				close = append(close, p.Name+"/"+name)
			}
		}
		if len(close) > 0 {
			return close
		}
	}
	if offline, ok := spelling.Nearest(spec, []string{"offline"}); ok {
		return []string{offline}
	}
	if strings.HasSuffix(spec, ".json") {
		return []string{"scripted/" + spec}
	}
	if priced := nearBuiltin(spec); len(priced) > 0 {
		return priced
	}
	return byMaker(spec)
}

// nearBuiltin are the models of the built-in price list whose names are near.
func nearBuiltin(name string) (found []string) {
	prices, err := Prices(context.Background(), "")
	if err != nil {
		return nil
	}
	bare := make(map[string]string, len(prices))
	for _, spec := range slices.Sorted(maps.Keys(prices)) {
		_, model, _ := strings.Cut(spec, "/")
		bare[model] = spec
	}
	if meant, ok := spelling.Nearest(name, slices.Sorted(maps.Keys(bare))); ok {
		return []string{bare[meant]}
	}
	return nil
}

// makers are who makes the models whose names begin so, as openrouter calls
// them, and the providers that have those models under their own names.
var makers = []struct {
	prefix, maker string
	at            []string
}{
	{"gpt-", "openai", []string{"openai"}},
	{"chatgpt", "openai", []string{"openai"}},
	{"o1", "openai", []string{"openai"}},
	{"o3", "openai", []string{"openai"}},
	{"o4", "openai", []string{"openai"}},
	{"claude", "anthropic", []string{"anthropic"}},
	{"gemini", "google", []string{"gemini"}},
	{"grok", "x-ai", nil},
	{"qwen", "qwen", []string{"dashscope", "vllm"}},
	{"qwq", "qwen", []string{"dashscope", "vllm"}},
	{"gemma", "google", []string{"vllm"}},
	{"llama", "meta-llama", []string{"vllm"}},
	{"deepseek", "deepseek", []string{"vllm"}},
	{"mistral", "mistralai", []string{"vllm"}},
	{"phi-", "microsoft", []string{"vllm"}},
}

// byMaker are the places of a model that is known by its beginning, or by the
// maker before its name.
func byMaker(spec string) (found []string) {
	maker, name, whole := strings.Cut(strings.ToLower(spec), "/")
	if !whole {
		name = maker
	}
	for _, m := range makers {
		if !strings.HasPrefix(name, m.prefix) || whole && maker != m.maker {
			continue
		}
		for _, provider := range m.at {
			if whole && provider != "vllm" { // others have names of their own
				continue
			}
			found = append(found, provider+"/"+spec)
		}
		switch {
		case whole:
			found = append(found, "openrouter/"+spec)
		case m.maker != "openai":
			found = append(found, "openrouter/"+m.maker+"/"+spec)
		}
		return found
	}
	return nil
}
