package catalog

import (
	"context"
	"maps"
	"slices"

	"omniscope"
	"omniscope/model"
	"omniscope/model/anthropic"
	"omniscope/model/exchange"
	"omniscope/model/gemini"
	"omniscope/model/openai"
	"omniscope/model/scripted"
)

// A Provider is a way to reach models, the part before the slash in
// provider/name.
type Provider struct {
	Name     string
	About    string
	Names    string   // what stands after the slash, such as NAME; "" = nothing
	BaseURL  string   // where it answers when nothing else is set; "" = it needs neither network nor key
	URLEnv   []string // environment variables that set the base URL, first wins
	KeyEnv   []string // environment variables that hold the key, first wins
	NeedsKey bool     // at BaseURL it answers only with a key
	// NeedsURL says that BaseURL is an example: everybody has an address of their own.
	NeedsURL bool
	// HeaderEnv names environment variables, first wins, whose values are sent as
	// headers, by header; to BaseURL's server only.
	HeaderEnv map[string][]string
	// QueryEnv names those that are sent as values of the query, by name.
	QueryEnv map[string][]string
	// Fetches are the ways in which the provider gets media by an address: AsFile, AsHTTP.
	Fetches []string
	ByStep  bool // equal questions of two steps may have two answers
	People  bool // people answer, in a project that session.Journals open
	// Transcribes says that it turns speech into text as OpenAI's audio/transcriptions does.
	Transcribes bool
	// Videos says that it makes videos of texts as OpenAI's Videos API does.
	Videos bool
	// Normalize returns an address as the provider calls it, without asking it. nil = as
	// the OpenAI protocol has it.
	Normalize func(raw string) (string, error)
	// Open opens the model called o.Name, the part after the slash, without making a request. source identifies who answers: an
	// address, or the digest of a file. nil = the provider has no model but fixed rules, as a baseline.
	Open func(ctx context.Context, o exchange.Options) (m model.Model, source string, err error)
}

// Ways to give a provider media by an address.
const (
	AsFile = "file" // file:///..., on a disk that it sees under the same name
	AsHTTP = "http" // an address that it fetches from
)

// Local reports whether a provider needs neither network nor key.
func (p *Provider) Local() bool { return p.BaseURL == "" }

// Variables are the environment variables that matter to the provider.
func (p *Provider) Variables() []string {
	all := slices.Concat(p.URLEnv, p.KeyEnv)
	for _, names := range slices.Concat(slices.Collect(maps.Values(p.HeaderEnv)), slices.Collect(maps.Values(p.QueryEnv))) {
		all = append(all, names...)
	}
	return all
}

// Write is how a model of the provider is written.
func (p *Provider) Write() string {
	if p.Names == "" {
		return p.Name
	}
	return p.Name + "/" + p.Names
}

// Providers lists the providers. One more is one more entry. All that speak the
// OpenAI protocol differ only in where they are and in how they want media.
var Providers = []Provider{
	{Name: "openai", About: "OpenAI, or any compatible server (vLLM, SGLang, llama.cpp, ...) by base URL", Names: "NAME", Open: openAI, Transcribes: true, Videos: true, Fetches: []string{AsFile, AsHTTP}, NeedsKey: true,
		BaseURL: "https://api.openai.com/v1", URLEnv: []string{"OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_URL"}, KeyEnv: []string{"OPENAI_API_KEY"},
		HeaderEnv: map[string][]string{"OpenAI-Organization": {"OPENAI_ORGANIZATION", "OPENAI_ORG_ID"}, "OpenAI-Project": {"OPENAI_PROJECT", "OPENAI_PROJECT_ID"}}},
	{Name: "vllm", About: "a vLLM server", Names: "NAME", Open: openAI, Transcribes: true, Videos: true, Fetches: []string{AsFile, AsHTTP},
		BaseURL: "http://localhost:8000/v1", URLEnv: []string{"VLLM_BASE_URL"}, KeyEnv: []string{"VLLM_API_KEY"}},
	{Name: "sglang", About: "an SGLang server", Names: "NAME", Open: speaking(openai.AudioURLParts), Transcribes: true, Videos: true, Fetches: []string{AsFile, AsHTTP},
		BaseURL: "http://localhost:30000/v1", URLEnv: []string{"SGLANG_BASE_URL"}, KeyEnv: []string{"SGLANG_API_KEY"}},
	{Name: "dashscope", About: "Alibaba Cloud Model Studio", Names: "NAME", Open: speaking(openai.DashScopeParts), Transcribes: true, Fetches: []string{AsHTTP}, NeedsKey: true,
		BaseURL: "https://dashscope.aliyuncs.com/compatible-mode/v1", URLEnv: []string{"DASHSCOPE_BASE_URL"}, KeyEnv: []string{"DASHSCOPE_API_KEY"}},
	{Name: "openrouter", About: "OpenRouter", Names: "NAME", Open: openAI, Transcribes: true, NeedsKey: true,
		BaseURL: "https://openrouter.ai/api/v1", URLEnv: []string{"OPENROUTER_BASE_URL"}, KeyEnv: []string{"OPENROUTER_API_KEY"}},
	{Name: "azure", About: "a deployment of a model at Azure OpenAI", Names: "DEPLOYMENT", Open: azure, NeedsKey: true, NeedsURL: true, Normalize: openai.NormalizeAzure,
		BaseURL: "https://RESOURCE.openai.azure.com", URLEnv: []string{"AZURE_OPENAI_ENDPOINT"}, KeyEnv: []string{"AZURE_OPENAI_API_KEY"},
		QueryEnv: map[string][]string{openai.AzureVersion: {"AZURE_OPENAI_API_VERSION", "OPENAI_API_VERSION"}}},
	{Name: "anthropic", About: "Anthropic, or a gateway that speaks its Messages API; text and images", Names: "NAME", Open: claude, NeedsKey: true, Normalize: anthropic.NormalizeURL,
		BaseURL: "https://api.anthropic.com", URLEnv: []string{"ANTHROPIC_BASE_URL"}, KeyEnv: []string{"ANTHROPIC_API_KEY"}},
	{Name: "gemini", About: "Google's Gemini API, or a gateway that speaks it; text, images, sound and video", Names: "NAME", Open: geminiModel, NeedsKey: true, Normalize: gemini.NormalizeURL,
		BaseURL: "https://generativelanguage.googleapis.com", URLEnv: []string{"GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"}, KeyEnv: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}},
	{Name: "scripted", About: "answers from a script: for tests, other judges, people", Names: "FILE", Open: script, ByStep: true},
	{Name: "people", About: "people, who answer in a project of `omniscope people new judge`", Names: "FOLDER", Open: noProjects, People: true, ByStep: true},
	{Name: "offline", About: "the offline reader: a baseline that compares words, without a model"},
}

func openAI(ctx context.Context, o exchange.Options) (model.Model, string, error) {
	return speaking(openai.OpenAIParts)(ctx, o)
}

// speaking returns what opens a model at an endpoint that wants media in a style.
func speaking(style openai.PartStyle) func(context.Context, exchange.Options) (model.Model, string, error) {
	return func(_ context.Context, o exchange.Options) (model.Model, string, error) {
		m, err := openai.New(openai.Options{Options: o, Parts: style})
		if err != nil {
			return nil, "", err
		}
		return m, m.BaseURL(), nil
	}
}

// azure opens a deployment at Azure. Which of Azure's addresses is asked depends
// on the version (openai.AzureBaseURL).
func azure(_ context.Context, o exchange.Options) (model.Model, string, error) {
	base, err := openai.AzureBaseURL(o.BaseURL, o.Query[openai.AzureVersion].Reveal(), o.Name)
	if err != nil {
		return nil, "", err
	}
	o.BaseURL, o.Query = base, maps.Clone(o.Query)
	delete(o.Query, openai.AzureVersion) // which is part of base, where it is wanted
	m, err := openai.New(openai.Options{Options: o, KeyHeader: openai.AzureKeyHeader})
	if err != nil {
		return nil, "", err
	}
	return deployment{m, m}, m.BaseURL(), nil
}

// A deployment is a model at Azure without its list of models: Azure lists what
// could be deployed, not what is.
type deployment struct {
	model.Model
	model.Prober
}

func claude(_ context.Context, o exchange.Options) (model.Model, string, error) {
	m, err := anthropic.New(o)
	if err != nil {
		return nil, "", err
	}
	return m, m.BaseURL(), nil
}

func geminiModel(_ context.Context, o exchange.Options) (model.Model, string, error) {
	m, err := gemini.New(o)
	if err != nil {
		return nil, "", err
	}
	return m, m.BaseURL(), nil
}

// script opens a script. Its digest is its source: answers remembered from another
// version of the file are not reused.
func script(ctx context.Context, o exchange.Options) (model.Model, string, error) {
	m, err := scripted.Load(ctx, o.Name)
	if err != nil {
		return nil, "", err
	}
	return m, "script sha256:" + m.Digest(), nil
}

// noProjects is the Open of people: who opens their projects links a database.
func noProjects(context.Context, exchange.Options) (model.Model, string, error) {
	return nil, "", omniscope.Usagef("people answer in a project, and the program names nothing that opens one: set Calls.Journals to journals.All of package session/journals")
}
